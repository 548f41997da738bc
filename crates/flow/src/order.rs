//! Orders of a depth-first search: postorder, and reverse postorder.
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
    let mut order = postorder([root], count, successor);
    order.reverse();
    order
}

/// The nodes that are reachable from the roots. Each is after all its successors, except for the
/// targets of back edges; so if the successors of a node are its inputs, the inputs are first.
///
/// `successor(node, k)` is the successor number `k` of a node, `None` if there are fewer. The nodes
/// are numbered `0..count`. Takes linear time and does not recurse.
pub fn postorder<I: Id>(
    roots: impl IntoIterator<Item = I>,
    count: usize,
    successor: impl Fn(I, usize) -> Option<I>,
) -> Vec<I> {
    let mut seen: SideTable<I, bool> = SideTable::new(count);
    let (mut order, mut stack) = (Vec::new(), Vec::new());
    for root in roots {
        if !std::mem::replace(&mut seen[root], true) {
            stack.push((root, 0));
        }
        while let Some((node, visited)) = stack.last_mut() {
            let next = successor(*node, *visited);
            *visited += 1;
            match next {
                Some(next) if std::mem::replace(&mut seen[next], true) => {}
                Some(next) => stack.push((next, 0)),
                None => {
                    order.push(*node);
                    stack.pop();
                }
            }
        }
    }
    order
}

/// The nodes that are on a cycle or can be reached from one, in this order of the nodes.
///
/// Repeatedly removes a node without predecessors (A. B. Kahn, "Topological Sorting of Large
/// Networks", 1962). Edges from nodes outside of `nodes` do not count. Takes linear time.
pub fn nodes_after_cycles<I: Id, P: Iterator<Item = I>>(
    nodes: &[I],
    predecessors: impl Fn(I) -> P,
) -> Vec<I> {
    let is_node: SideTable<I, bool> = table(nodes.iter().map(|&node| (node, true)));
    let mut successors: SideTable<I, Vec<I>> = SideTable::new(0);
    let mut waiting: SideTable<I, usize> = SideTable::new(0);
    for &node in nodes {
        for predecessor in predecessors(node).filter(|&it| is_node[it]) {
            waiting[node] += 1;
            successors[predecessor].push(node);
        }
    }
    let mut ready: Vec<I> = nodes.iter().copied().filter(|&node| waiting[node] == 0).collect();
    while let Some(node) = ready.pop() {
        for next in std::mem::take(&mut successors[node]) {
            waiting[next] -= 1;
            if waiting[next] == 0 {
                ready.push(next);
            }
        }
    }
    nodes.iter().copied().filter(|&node| waiting[node] > 0).collect()
}

fn table<I: Id, T: Clone + Default>(rows: impl Iterator<Item = (I, T)>) -> SideTable<I, T> {
    let mut table = SideTable::new(0);
    rows.for_each(|(id, value)| table[id] = value);
    table
}

#[cfg(test)]
#[path = "tests/order.rs"]
mod tests;
