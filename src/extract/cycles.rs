//! Cycles among classes, and orders without them.
use super::Problem;
use arena::{Id, ListTable, id};
use std::collections::VecDeque;

id! {
    /// A class.
    ClassId
}

/// The strongly connected component of each class: one of its classes, the same for two classes
/// that need each other. `children` are the classes that a class needs.
fn components<'c>(count: usize, children: impl Fn(usize) -> &'c [u32]) -> Vec<u32> {
    let next = |class: ClassId, at| children(class.index()).get(at).map(|&it| class_id(it));
    let component = flow::components(count, next);
    component.ids().map(|it| component[it]).collect()
}

/// The components of all classes of a problem by all their forms.
pub fn components_of_forms(problem: &Problem) -> Vec<u32> {
    let mut children: ListTable<ClassId, u32> = ListTable::default();
    let forms = problem.classes.iter();
    forms.for_each(|forms| children.push(forms.iter().flat_map(|it| &it.children).copied()));
    components(children.len(), |class| &children[Id::from_index(class)])
}

/// For each strongly connected component of the chosen forms a cycle: a short list of classes, each
/// of which needs the next one, and the last the first.
pub fn chosen_cycles(problem: &Problem, choices: &[Option<u32>]) -> Vec<Vec<u32>> {
    let children = |class: usize| match choices[class] {
        Some(form) => problem.classes[class][form as usize].children.as_slice(),
        None => &[],
    };
    let component = components(choices.len(), children);
    let mut came_from = vec![None; choices.len()];
    let mut cycles = Vec::new();
    // The number of a component is that of one of its classes.
    for start in (0..choices.len()).filter(|&class| component[class] as usize == class) {
        let mut queue = VecDeque::from([start]);
        'search: while let Some(class) = queue.pop_front() {
            for &child in children(class) {
                if child as usize == start {
                    let path = std::iter::successors(Some(class), |&at| {
                        (at != start).then(|| came_from[at].expect("the search has reached it"))
                    });
                    let mut cycle: Vec<u32> = path.map(|class| class as u32).collect();
                    cycle.reverse();
                    cycles.push(cycle);
                    break 'search;
                }
                let is_inside = component[child as usize] == component[start];
                if is_inside && came_from[child as usize].is_none() {
                    came_from[child as usize] = Some(class);
                    queue.push_back(child as usize);
                }
            }
        }
    }
    cycles
}

/// The classes in an order in which the children of one of their forms are before them; classes
/// without a finite expression are left out.
///
/// Source: D. E. Knuth, "A Generalization of Dijkstra's Algorithm", Information Processing Letters
/// 6, 1977, with all costs equal.
pub fn derivable(problem: &Problem) -> Vec<u32> {
    let users = users(problem);
    let mut missing: Vec<Vec<u32>> = Vec::new();
    let mut is_derived = vec![false; problem.classes.len()];
    let mut order = Vec::new();
    for (class, forms) in problem.classes.iter().enumerate() {
        missing.push(forms.iter().map(|form| form.children.len() as u32).collect());
        if forms.iter().any(|form| form.children.is_empty()) {
            is_derived[class] = true;
            order.push(class as u32);
        }
    }
    let mut at = 0;
    while let Some(&class) = order.get(at) {
        at += 1;
        for &[user, form] in &users[class_id(class)] {
            let missing = &mut missing[user as usize][form as usize];
            *missing -= 1;
            if *missing == 0 && !std::mem::replace(&mut is_derived[user as usize], true) {
                order.push(user);
            }
        }
    }
    order
}

/// The forms that need each class, once for each child: class and form.
pub fn users(problem: &Problem) -> ListTable<ClassId, [u32; 2]> {
    let forms = (0..).zip(&problem.classes).flat_map(|(class, forms)| {
        (0..).zip(forms).map(move |(number, form)| ([class, number], form))
    });
    let children = forms.flat_map(|(user, form)| form.children.iter().map(move |&it| (it, user)));
    let pairs = children.map(|(child, user)| (class_id(child), user));
    ListTable::group(problem.classes.len(), pairs)
}

pub fn class_id(class: u32) -> ClassId {
    ClassId::from_index(class as usize)
}
