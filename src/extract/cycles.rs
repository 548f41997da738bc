//! Cycles among classes, and orders without them.
use super::Problem;
use arena::{Id, ListTable, id};
use std::collections::VecDeque;

id! {
    /// A class.
    ClassId
}

/// Strongly connected components: a number for each class, the same for two classes that need each
/// other. `next(class, k)` is the class number `k` that a class needs.
///
/// Source: R. Tarjan, "Depth-First Search and Linear Graph Algorithms", SIAM Journal on Computing
/// 1, 1972.
pub fn components(count: usize, next: impl Fn(usize, usize) -> Option<u32>) -> Vec<u32> {
    const NEW: u32 = u32::MAX;
    let (mut low, mut component) = (vec![NEW; count], vec![NEW; count]);
    let (mut path, mut open, mut visited) = (Vec::new(), Vec::new(), 0);
    for root in 0..count {
        if low[root] != NEW {
            continue;
        }
        path.push((root, 0, visited));
        while let Some((class, at, number)) = path.last_mut() {
            let (class, number) = (*class, *number);
            if *at == 0 && low[class] == NEW {
                low[class] = number;
                open.push(class);
                visited += 1;
            }
            let found = next(class, *at);
            *at += 1;
            if let Some(found) = found.map(|it| it as usize) {
                if low[found] == NEW {
                    path.push((found, 0, visited));
                } else if component[found] == NEW {
                    low[class] = low[class].min(low[found]);
                }
                continue;
            }
            path.pop();
            if let Some(&(above, ..)) = path.last() {
                low[above] = low[above].min(low[class]);
            }
            if low[class] == number {
                while let Some(member) = open.pop() {
                    component[member] = class as u32;
                    if member == class {
                        break;
                    }
                }
            }
        }
    }
    component
}

/// The components of all classes of a problem by all their forms.
pub fn components_of_forms(problem: &Problem) -> Vec<u32> {
    let mut children: ListTable<ClassId, u32> = ListTable::default();
    let forms = problem.classes.iter();
    forms.for_each(|forms| children.push(forms.iter().flat_map(|it| &it.children).copied()));
    components(children.len(), |class, at| children[Id::from_index(class)].get(at).copied())
}

/// For each strongly connected component of the chosen forms a cycle: a short list of classes, each
/// of which needs the next one, and the last the first.
pub fn chosen_cycles(problem: &Problem, choices: &[Option<u32>]) -> Vec<Vec<u32>> {
    let children = |class: usize| match choices[class] {
        Some(form) => problem.classes[class][form as usize].children.as_slice(),
        None => &[],
    };
    let component = components(choices.len(), |class, at| children(class).get(at).copied());
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
