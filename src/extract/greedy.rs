//! Greedy extraction: each class takes the form that looks cheapest, seen from below.
//!
//! The tree method counts a shared class once for each use. The DAG method keeps, for each class,
//! the set of the classes that its expression needs, so a class that several children need counts
//! once; but the choice of a class does not see the classes beside it.
//! Sources: D. E. Knuth, "A Generalization of Dijkstra's Algorithm", Information Processing Letters
//! 6, 1977 (trees); "faster-greedy-dag" of the extraction gym, 2023 (DAGs).
use super::cycles::{class_id, derivable, users};
use super::{Extraction, Form, Method, NoExpression, Problem};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// The extraction that is cheapest if each use of a class is paid.
///
/// # Errors
/// A root has no finite expression.
#[cfg(test)]
pub fn greedy_tree(problem: &Problem) -> Result<Extraction, NoExpression> {
    extraction(problem, Method::GreedyTree, &tree(problem))
}

/// The extraction in which each class has the form whose needed classes are cheapest together, as
/// far as the budget reaches.
///
/// # Errors
/// A root has no finite expression.
#[cfg(test)]
pub fn greedy_dag(problem: &Problem) -> Result<Extraction, NoExpression> {
    extraction(problem, Method::GreedyDag, &dag(problem))
}

/// The needed part of a choice without cycles.
pub fn extraction(
    problem: &Problem,
    method: Method,
    chosen: &[Option<u32>],
) -> Result<Extraction, NoExpression> {
    let mut choices = vec![None; problem.classes.len()];
    let (mut pending, mut cost) = (problem.roots.clone(), 0);
    while let Some(class) = pending.pop() {
        if choices[class as usize].is_none() {
            let form = chosen[class as usize].ok_or(NoExpression { class })?;
            let Form { cost: own, children } = &problem.classes[class as usize][form as usize];
            choices[class as usize] = Some(form);
            cost += u64::from(*own);
            pending.extend_from_slice(children);
        }
    }
    Ok(Extraction { choices, cost, bound: 0, method })
}

/// The choice of the tree method for each class with a finite expression.
pub fn tree(problem: &Problem) -> Vec<Option<u32>> {
    cheapest_trees(problem, |_, form| u64::from(form.cost))
}

/// A choice without cycles that is as much like `preferred` as a tree shows: other forms have to be
/// paid.
pub fn without_cycles(problem: &Problem, preferred: &[Option<u32>]) -> Vec<Option<u32>> {
    cheapest_trees(problem, |[class, number], form| {
        if preferred[class as usize] == Some(number) { 0 } else { u64::from(form.cost) + 1 }
    })
}

/// The form of the cheapest tree of each class with a finite expression; `cost([class, form])` is
/// the cost of a form alone. A form is ready when all its children are decided, so there is no
/// cycle.
fn cheapest_trees(problem: &Problem, cost: impl Fn([u32; 2], &Form) -> u64) -> Vec<Option<u32>> {
    let users = users(problem);
    let mut chosen = vec![None; problem.classes.len()];
    let mut ready = BinaryHeap::new();
    // The number of undecided children of each form, and the cost of the others.
    let mut forms: Vec<Vec<(usize, u64)>> = Vec::new();
    for (class, all) in (0..).zip(&problem.classes) {
        let costs = (0..).zip(all).map(|(number, form)| cost([class, number], form));
        let missing = all.iter().map(|form| form.children.len());
        forms.push(missing.zip(costs).collect());
        for (number, &(missing, cost)) in (0..).zip(&forms[class as usize]) {
            if missing == 0 {
                ready.push(Reverse((cost, class, number)));
            }
        }
    }
    while let Some(Reverse((cost, class, number))) = ready.pop() {
        if chosen[class as usize].is_some() {
            continue;
        }
        chosen[class as usize] = Some(number);
        for &[user, number] in &users[class_id(class)] {
            let (missing, sum) = &mut forms[user as usize][number as usize];
            *missing -= 1;
            *sum = sum.saturating_add(cost);
            if *missing == 0 {
                ready.push(Reverse((*sum, user, number)));
            }
        }
    }
    chosen
}

/// The classes that the best known expression of a class needs, in order, and their cost.
#[derive(Clone)]
struct Expression {
    cost: u64,
    form: u32,
    classes: Vec<u32>,
}

/// The number of classes in all sets that are made, together.
const MAX_STEPS: usize = 8_000_000;

/// The choice of the DAG method for each class with a finite expression.
pub fn dag(problem: &Problem) -> Vec<Option<u32>> {
    let users = users(problem);
    let mut best: Vec<Option<Expression>> = vec![None; problem.classes.len()];
    let mut queue: VecDeque<u32> = derivable(problem).into();
    let mut is_queued = vec![false; problem.classes.len()];
    queue.iter().for_each(|&class| is_queued[class as usize] = true);
    let mut steps = 0;
    while let Some(class) = queue.pop_front().filter(|_| steps < MAX_STEPS) {
        is_queued[class as usize] = false;
        let mut is_better = false;
        for number in 0..problem.classes[class as usize].len() as u32 {
            let Some(found) = expression(problem, class, number, &best) else { continue };
            steps += found.classes.len();
            let known = &mut best[class as usize];
            if known.as_ref().is_none_or(|known| found.cost < known.cost) {
                *known = Some(found);
                is_better = true;
            }
        }
        for &[user, _] in users[class_id(class)].iter().filter(|_| is_better) {
            if !std::mem::replace(&mut is_queued[user as usize], true) {
                queue.push_back(user);
            }
        }
    }
    let chosen: Vec<_> = best.iter().map(|it| it.as_ref().map(|it| it.form)).collect();
    without_cycles(problem, &chosen)
}

/// A form with the best known expressions of its children, unless one of them needs the class.
fn expression(
    problem: &Problem,
    class: u32,
    number: u32,
    best: &[Option<Expression>],
) -> Option<Expression> {
    let form = &problem.classes[class as usize][number as usize];
    let mut classes = vec![class];
    for &child in &form.children {
        let child = best[child as usize].as_ref()?;
        if child.classes.binary_search(&class).is_ok() {
            return None;
        }
        classes.extend_from_slice(&child.classes);
    }
    classes.sort_unstable();
    classes.dedup();
    let own = |&it: &u32| match &best[it as usize] {
        Some(known) if it != class => problem.classes[it as usize][known.form as usize].cost,
        _ => 0,
    };
    let cost = u64::from(form.cost) + classes.iter().map(|it| u64::from(own(it))).sum::<u64>();
    Some(Expression { cost, form: number, classes })
}
