//! Strongly connected components.
use arena::{Id, SideTable};

/// The component of each node, the same for two nodes that can be reached from each other: the
/// index of one of its nodes. `next(node, k)` is successor number `k` of a node. Takes linear time
/// and does not recurse.
///
/// Source: R. Tarjan, "Depth-First Search and Linear Graph Algorithms", SIAM Journal on Computing
/// 1, 1972.
pub fn components<I: Id>(count: usize, next: impl Fn(I, usize) -> Option<I>) -> SideTable<I, u32> {
    const NEW: u32 = u32::MAX;
    let [mut low, mut component] = [(); 2].map(|()| SideTable::of(vec![NEW; count]));
    let (mut path, mut open, mut visited) = (Vec::new(), Vec::new(), 0);
    for root in low.ids() {
        if low[root] != NEW {
            continue;
        }
        path.push((root, 0, visited));
        while let Some((node, at, number)) = path.last_mut() {
            let (node, number) = (*node, *number);
            if *at == 0 && low[node] == NEW {
                low[node] = number;
                open.push(node);
                visited += 1;
            }
            let found = next(node, *at);
            *at += 1;
            if let Some(found) = found {
                if low[found] == NEW {
                    path.push((found, 0, visited));
                } else if component[found] == NEW {
                    low[node] = low[node].min(low[found]);
                }
                continue;
            }
            path.pop();
            if let Some(&(above, ..)) = path.last() {
                low[above] = low[above].min(low[node]);
            }
            if low[node] == number {
                while let Some(member) = open.pop() {
                    component[member] = node.index() as u32;
                    if member == node {
                        break;
                    }
                }
            }
        }
    }
    component
}

#[cfg(test)]
#[path = "tests/components.rs"]
mod tests;
