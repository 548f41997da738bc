//! The nodes that others depend on.
use arena::{Id, SideTable};

/// The roots, and all nodes that they depend on, directly or not.
///
/// The nodes are numbered `0..count`, and most operands have smaller numbers than their users. So
/// the nodes are visited from the last to the first: this reads memory in one direction, where a
/// depth-first search would jump. Takes linear time and does not recurse.
pub fn dependencies<I: Id, O: Iterator<Item = I>>(
    roots: impl IntoIterator<Item = I>,
    count: usize,
    operands: impl Fn(I) -> O,
) -> SideTable<I, bool> {
    let mut found: SideTable<I, bool> = SideTable::new(count);
    roots.into_iter().for_each(|root| found[root] = true);
    let mut open = Vec::new();
    for at in (0..count).rev() {
        open.extend(Some(I::from_index(at)).filter(|&it| found[it]));
        while let Some(node) = open.pop() {
            for operand in operands(node) {
                // One before the current node will be visited.
                if !std::mem::replace(&mut found[operand], true) && at < operand.index() {
                    open.push(operand);
                }
            }
        }
    }
    found
}

#[cfg(test)]
#[path = "tests/dependencies.rs"]
mod tests;
