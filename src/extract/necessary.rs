//! Necessary classes: those that every expression of a class contains.
//!
//! ```text
//! N(c) = {c} ∪ ⋂ over the forms f of c, ⋃ over the children d of f: N(d)
//! ```
//!
//! The greatest solution is computed from above. A set keeps only some of its classes, those of its
//! own strongly connected component first. Any sets with ⊆ instead of = hold, too, by induction
//! over the size of an expression.
use super::Problem;
use super::cycles::{class_id, users};
use std::collections::VecDeque;

/// The size of the largest set.
const MAX_CLASSES: usize = 24;

/// Some necessary classes of each class, in order, always with the class itself. All classes have
/// finite expressions; `order` is one in which they were derived.
pub fn necessary(problem: &Problem, order: &[u32], component: &[u32]) -> Vec<Vec<u32>> {
    let users = users(problem);
    let mut sets: Vec<Option<Vec<u32>>> = vec![None; problem.classes.len()];
    let mut is_queued = vec![true; problem.classes.len()];
    let mut queue: VecDeque<u32> = order.iter().copied().collect();
    while let Some(class) = queue.pop_front() {
        is_queued[class as usize] = false;
        let Some(mut set) = common(problem, class, &sets) else { continue };
        insert(&mut set, class);
        if let Some(old) = &sets[class as usize] {
            set.retain(|it| old.binary_search(it).is_ok());
        }
        if MAX_CLASSES < set.len() {
            set.sort_by_key(|&it| {
                (it != class, component[it as usize] != component[class as usize])
            });
            set.truncate(MAX_CLASSES);
            set.sort_unstable();
        }
        if sets[class as usize].as_ref() != Some(&set) {
            sets[class as usize] = Some(set);
            for &[user, _] in &users[class_id(class)] {
                if !std::mem::replace(&mut is_queued[user as usize], true) {
                    queue.push_back(user);
                }
            }
        }
    }
    sets.into_iter().map(Option::unwrap_or_default).collect()
}

/// The classes that are necessary for all forms whose children have sets already.
fn common(problem: &Problem, class: u32, sets: &[Option<Vec<u32>>]) -> Option<Vec<u32>> {
    let mut common: Option<Vec<u32>> = None;
    for form in &problem.classes[class as usize] {
        let Some(set) = union(&form.children, sets) else { continue };
        match &mut common {
            Some(common) => common.retain(|it| set.binary_search(it).is_ok()),
            None => common = Some(set),
        }
    }
    common
}

/// The classes that are necessary for some children, in order.
fn union(children: &[u32], sets: &[Option<Vec<u32>>]) -> Option<Vec<u32>> {
    let mut union = Vec::new();
    for &child in children {
        union.extend_from_slice(sets[child as usize].as_ref()?);
    }
    union.sort_unstable();
    union.dedup();
    Some(union)
}

fn insert(set: &mut Vec<u32>, class: u32) {
    if let Err(at) = set.binary_search(&class) {
        set.insert(at, class);
    }
}
