//! An order of the blocks: reverse postorder of a depth-first search.
//!
//! Source: A. V. Aho, M. S. Lam, R. Sethi, J. D. Ullman, "Compilers: Principles, Techniques, and
//! Tools", 2nd edition, 2006, section 9.6.
use arena::{Id, SideTable};

/// The blocks that are reachable from `root`. Each is after all its predecessors, except for those
/// that jump back to it.
///
/// `successor(block, k)` is the successor with the number `k` of a block, `None` if there are
/// fewer. The blocks are numbered `0..count`. Takes linear time and no recursion.
pub fn reverse_postorder<I: Id>(
    root: I,
    count: usize,
    successor: impl Fn(I, usize) -> Option<I>,
) -> Vec<I> {
    let mut seen: SideTable<I, bool> = SideTable::new(count);
    let mut order = Vec::new();
    let mut open = vec![(root, 0)];
    seen[root] = true;
    while let Some((block, visited)) = open.last_mut() {
        let next = successor(*block, *visited);
        *visited += 1;
        match next {
            Some(next) if std::mem::replace(&mut seen[next], true) => {}
            Some(next) => open.push((next, 0)),
            None => {
                order.push(*block);
                open.pop();
            }
        }
    }
    order.reverse();
    order
}

#[cfg(test)]
#[path = "tests/order.rs"]
mod tests;
