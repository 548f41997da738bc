//! Preparation: a smaller problem with the same optimum.
//!
//! Each rule keeps a cheapest extraction:
//!
//! - a class that no root can reach is removed, and a form without a finite expression;
//! - a form whose children need its own class, however they are expressed, has a cycle;
//! - a form is dominated by another that is no more expensive and needs only classes that are
//!   necessary for the first;
//! - a child that is needed anyway costs nothing, and if it does not need the class in turn, it is
//!   in no cycle: the form does without it;
//! - a class of one form that one other form needs becomes part of that form; a class of one form
//!   that costs nothing and has one child is that child.
use super::cycles::{components_of_forms, derivable};
use super::necessary::necessary;
use super::{Form, NoExpression, Problem};

/// A prepared problem. Its classes are some of the original ones and groups of forms.
pub struct Prepared {
    pub problem: Problem,
    /// The original number of each form; none for a group, which is its only child.
    sources: Vec<Vec<Option<u32>>>,
    /// The prepared class of each original class.
    class_of: Vec<Option<u32>>,
    /// The only form of each original class that became part of other forms.
    only_form: Vec<Option<u32>>,
}

/// How often the rules are applied to all classes, at most.
const MAX_ROUNDS: usize = 6;

/// The length of the longest list of forms: the costs of an edge are a matrix.
const MAX_FORMS: usize = 16;

/// Prepares a problem.
///
/// # Errors
/// A root has no finite expression.
pub fn prepare(problem: &Problem) -> Result<Prepared, NoExpression> {
    let mut work = Work::new(problem);
    work.remove_underivable()?;
    for _ in 0..MAX_ROUNDS {
        let before = work.size();
        work.simplify();
        work.contract();
        work.remove_underivable()?;
        if work.size() == before {
            break;
        }
    }
    work.group();
    Ok(work.finish(problem.classes.len()))
}

struct Work {
    problem: Problem,
    sources: Vec<Vec<Option<u32>>>,
    only_form: Vec<Option<u32>>,
}

impl Work {
    fn new(problem: &Problem) -> Work {
        let mut problem = problem.clone();
        for form in problem.classes.iter_mut().flatten() {
            form.children.sort_unstable();
            form.children.dedup();
        }
        problem.roots.sort_unstable();
        problem.roots.dedup();
        let numbers = |forms: &Vec<Form>| (0..forms.len() as u32).map(Some).collect();
        let sources = problem.classes.iter().map(numbers).collect();
        let only_form = vec![None; problem.classes.len()];
        Work { problem, sources, only_form }
    }

    /// The number of forms and of children.
    fn size(&self) -> [usize; 2] {
        let forms = self.problem.classes.iter().flatten();
        [forms.clone().count(), forms.map(|form| form.children.len()).sum()]
    }

    /// Keeps the forms of a class for which `is_kept`.
    fn retain(&mut self, class: usize, is_kept: impl Fn(usize, &Form) -> bool) {
        let forms = &self.problem.classes[class];
        let kept: Vec<bool> = (0..).zip(forms).map(|(at, form)| is_kept(at, form)).collect();
        if kept.contains(&false) {
            let mut is_kept = kept.iter();
            self.problem.classes[class].retain(|_| is_kept.next() == Some(&true));
            let mut is_kept = kept.iter();
            self.sources[class].retain(|_| is_kept.next() == Some(&true));
        }
    }

    /// Removes the forms that need their own class or one without a finite expression, then the
    /// forms of all classes that the roots do not reach.
    fn remove_underivable(&mut self) -> Result<(), NoExpression> {
        let count = self.problem.classes.len();
        for class in 0..count {
            self.retain(class, |_, form| !form.children.contains(&(class as u32)));
        }
        let mut is_derivable = vec![false; count];
        derivable(&self.problem).iter().for_each(|&class| is_derivable[class as usize] = true);
        if let Some(&class) = self.problem.roots.iter().find(|&&it| !is_derivable[it as usize]) {
            return Err(NoExpression { class });
        }
        for class in 0..count {
            self.retain(class, |_, form| form.children.iter().all(|&it| is_derivable[it as usize]));
        }
        let is_reached = self.reached();
        for class in (0..count).filter(|&class| !is_reached[class]) {
            self.retain(class, |_, _| false);
        }
        Ok(())
    }

    fn reached(&self) -> Vec<bool> {
        let mut is_reached = vec![false; self.problem.classes.len()];
        let mut pending = self.problem.roots.clone();
        while let Some(class) = pending.pop() {
            if !std::mem::replace(&mut is_reached[class as usize], true) {
                let forms = &self.problem.classes[class as usize];
                pending.extend(forms.iter().flat_map(|form| &form.children));
            }
        }
        is_reached
    }

    /// Removes forms with cycles, dominated forms, and children that are needed anyway.
    fn simplify(&mut self) {
        let order = derivable(&self.problem);
        let component = components_of_forms(&self.problem);
        let necessary = necessary(&self.problem, &order, &component);
        let is_forced = self.forced(&necessary);
        for class in 0..self.problem.classes.len() {
            let needs = |form: &Form, class: u32| {
                let mut sets = form.children.iter().map(|&it| &necessary[it as usize]);
                sets.any(|set| set.binary_search(&class).is_ok())
            };
            self.retain(class, |_, form| !needs(form, class as u32));
            let is_free = |child: u32| {
                is_forced[child as usize] && component[child as usize] != component[class]
            };
            let forms = &mut self.problem.classes[class];
            let kept = undominated(forms, |better, form| {
                let mut children = better.children.iter();
                children.all(|&child| is_free(child) || needs(form, child))
            });
            forms.iter_mut().for_each(|form| form.children.retain(|&child| !is_free(child)));
            self.retain(class, |at, _| kept[at]);
        }
        let roots = (0..is_forced.len()).filter(|&class| is_forced[class]);
        self.problem.roots = roots.map(|class| class as u32).collect();
    }

    /// The classes that every extraction contains.
    fn forced(&self, necessary: &[Vec<u32>]) -> Vec<bool> {
        let mut is_forced = vec![false; necessary.len()];
        let mut pending = self.problem.roots.clone();
        while let Some(class) = pending.pop() {
            if !std::mem::replace(&mut is_forced[class as usize], true) {
                pending.extend_from_slice(&necessary[class as usize]);
                if let [form] = self.problem.classes[class as usize].as_slice() {
                    pending.extend_from_slice(&form.children);
                }
            }
        }
        is_forced
    }

    /// Replaces classes of one form by the classes that the form needs.
    fn contract(&mut self) {
        let count = self.problem.classes.len();
        let mut uses = vec![0_usize; count];
        let children = self.problem.classes.iter().flatten().flat_map(|form| &form.children);
        children.for_each(|&child| uses[child as usize] += 1);
        self.problem.roots.iter().for_each(|&root| uses[root as usize] = usize::MAX);
        let is_contracted = |class: usize| match self.problem.classes[class].as_slice() {
            [form] if form.cost == 0 && form.children.len() <= 1 => uses[class] < usize::MAX,
            [_] => uses[class] == 1,
            _ => false,
        };
        let mut contracted: Vec<bool> = (0..count).map(is_contracted).collect();
        // The children of a class of one form are before it, so they are expanded first.
        for class in derivable(&self.problem) {
            if contracted[class as usize] {
                self.expand(class as usize, &mut contracted);
            }
        }
        for class in 0..count {
            if !contracted[class] {
                self.expand(class, &mut contracted);
            }
        }
        for class in (0..count).filter(|&class| contracted[class]) {
            self.only_form[class] = self.sources[class][0];
            self.retain(class, |_, _| false);
        }
    }

    /// Replaces the contracted children of the forms of a class. A child whose cost does not fit
    /// into a form is not contracted: a child with a cost has no other user.
    fn expand(&mut self, class: usize, contracted: &mut [bool]) {
        for at in 0..self.problem.classes[class].len() {
            let form = &self.problem.classes[class][at];
            if !form.children.iter().any(|&child| contracted[child as usize]) {
                continue;
            }
            let (mut cost, mut children) = (form.cost, Vec::new());
            for &child in &form.children {
                let part = self.problem.classes[child as usize].first();
                let part = part.filter(|_| contracted[child as usize]);
                match part.and_then(|part| Some((part, part.cost.checked_add(cost)?))) {
                    Some((part, sum)) => {
                        cost = sum;
                        children.extend_from_slice(&part.children);
                    }
                    None => {
                        contracted[child as usize] = false;
                        children.push(child);
                    }
                }
            }
            children.sort_unstable();
            children.dedup();
            self.problem.classes[class][at] = Form { cost, children };
        }
    }

    /// Divides long lists of forms into groups, which are new classes.
    fn group(&mut self) {
        for class in 0..self.problem.classes.len() {
            while MAX_FORMS < self.problem.classes[class].len() {
                let forms = std::mem::take(&mut self.problem.classes[class]);
                let sources = std::mem::take(&mut self.sources[class]);
                for (forms, sources) in forms.chunks(MAX_FORMS).zip(sources.chunks(MAX_FORMS)) {
                    let children = vec![self.problem.classes.len() as u32];
                    self.problem.classes.push(forms.to_vec());
                    self.sources.push(sources.to_vec());
                    self.problem.classes[class].push(Form { cost: 0, children });
                    self.sources[class].push(None);
                }
            }
        }
    }

    /// Numbers the classes that are left.
    fn finish(self, count: usize) -> Prepared {
        let Work { mut problem, mut sources, only_form } = self;
        let mut next = 0;
        let number = |forms: &Vec<Form>| {
            next += u32::from(!forms.is_empty());
            (!forms.is_empty()).then(|| next - 1)
        };
        let mut class_of: Vec<Option<u32>> = problem.classes.iter().map(number).collect();
        let numbered = |class: &mut u32| {
            *class = class_of[*class as usize].expect("a class that is needed has a form");
        };
        problem.roots.iter_mut().for_each(numbered);
        let forms = problem.classes.iter_mut().flatten();
        forms.flat_map(|form| &mut form.children).for_each(numbered);
        problem.classes.retain(|forms| !forms.is_empty());
        sources.retain(|sources| !sources.is_empty());
        class_of.truncate(count);
        Prepared { problem, sources, class_of, only_form }
    }
}

/// Whether each form is kept: those that another one dominates are not, and of equal ones the first
/// is kept. `fits(better, form)`: the form needs all that the better one needs.
fn undominated(forms: &[Form], fits: impl Fn(&Form, &Form) -> bool) -> Vec<bool> {
    let mut order: Vec<usize> = (0..forms.len()).collect();
    order.sort_by_key(|&at| (forms[at].cost, forms[at].children.len(), at));
    let (mut kept, mut is_kept) = (Vec::new(), vec![false; forms.len()]);
    for at in order {
        let mut compared = kept.iter().take(MAX_COMPARED);
        if !compared.any(|&better: &usize| fits(&forms[better], &forms[at])) {
            kept.push(at);
            is_kept[at] = true;
        }
    }
    is_kept
}

/// A form is compared with so many others.
const MAX_COMPARED: usize = 64;

impl Prepared {
    /// The forms of the original problem for a choice of the prepared one.
    pub fn restore(&self, original: &Problem, choices: &[Option<u32>]) -> Vec<Option<u32>> {
        let mut restored = vec![None; original.classes.len()];
        let mut pending = original.roots.clone();
        while let Some(class) = pending.pop() {
            if restored[class as usize].is_none() {
                let form = self.original_form(class, choices);
                restored[class as usize] = Some(form);
                pending.extend(&original.classes[class as usize][form as usize].children);
            }
        }
        restored
    }

    fn original_form(&self, class: u32, choices: &[Option<u32>]) -> u32 {
        if let Some(form) = self.only_form[class as usize] {
            return form;
        }
        let mut class = self.class_of[class as usize].expect("a class that is needed is left");
        loop {
            let form = choices[class as usize].expect("a class that is needed has a form");
            match self.sources[class as usize][form as usize] {
                Some(source) => return source,
                None => class = self.problem.classes[class as usize][form as usize].children[0],
            }
        }
    }
}
