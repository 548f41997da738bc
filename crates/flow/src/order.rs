//! An order of the blocks: reverse postorder of a depth-first search.
//!
//! Source: A. V. Aho, M. S. Lam, R. Sethi, J. D. Ullman, "Compilers: Principles, Techniques, and
//! Tools", 2nd edition, 2006, section 9.6.
use arena::{Id, SideTable};

/// The blocks that are reachable from `root`. Each is after all its predecessors, except for the
/// sources of back edges.
///
/// `successor(block, k)` is the successor number `k` of a block, `None` if there are fewer. The
/// blocks are numbered `0..count`. Takes linear time and does not recurse.
pub fn reverse_postorder<I: Id>(
    root: I,
    count: usize,
    successor: impl Fn(I, usize) -> Option<I>,
) -> Vec<I> {
    let mut seen: SideTable<I, bool> = SideTable::new(count);
    let mut order = Vec::new();
    let mut stack = vec![(root, 0)];
    seen[root] = true;
    while let Some((block, visited)) = stack.last_mut() {
        let next = successor(*block, *visited);
        *visited += 1;
        match next {
            Some(next) if std::mem::replace(&mut seen[next], true) => {}
            Some(next) => stack.push((next, 0)),
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

#[cfg(test)]
#[path = "tests/order.rs"]
mod tests;
