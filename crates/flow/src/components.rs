//! Strongly connected components.
use arena::{Id, SideTable};

/// The component of each node, the same for two nodes that can be reached from each other: the
/// index of one of its nodes. `next(node, k)` is successor number `k` of a node. Takes linear time
/// and does not recurse.
pub fn components<I: Id>(count: usize, next: impl Fn(I, usize) -> Option<I>) -> SideTable<I, u32> {
    let mut component = SideTable::of(vec![0; count]);
    let mut search = ComponentSearch::new(count);
    for root in (0..count).map(I::from_index) {
        search.run(root, &next, |found| {
            found.iter().for_each(|&member| component[member] = found[0].index() as u32);
        });
    }
    component
}

/// A search for strongly connected components. Its tables are used again for the next one, which
/// may visit few of many nodes.
///
/// Source: R. Tarjan, "Depth-First Search and Linear Graph Algorithms", SIAM Journal on Computing
/// 1, 1972.
#[derive(Clone, Debug)]
pub struct ComponentSearch<I> {
    /// The smallest number that is known to be reachable, or one of the constants below.
    low: SideTable<I, u32>,
    /// The nodes from the root to the current one: the next successor, and the number of each.
    path: Vec<(I, usize, u32)>,
    /// The nodes whose component is not complete, in the order of their numbers.
    open: Vec<I>,
    visited: u32,
}

/// A node that was not visited.
const NEW: u32 = 0;

/// A node whose component is complete.
const CLOSED: u32 = u32::MAX;

impl<I: Id> Default for ComponentSearch<I> {
    fn default() -> ComponentSearch<I> {
        ComponentSearch::new(0)
    }
}

impl<I: Id> ComponentSearch<I> {
    /// A search that has visited nothing; `count` is the number of nodes, if it is known.
    pub fn new(count: usize) -> ComponentSearch<I> {
        let (path, open) = (Vec::new(), Vec::new());
        ComponentSearch { low: SideTable::new(count), path, open, visited: 0 }
    }

    /// Calls `found` for each component that can be reached from a node and was not found before:
    /// each after those that can be reached from it, and with its nodes in the order of the visits.
    pub fn run(
        &mut self,
        root: I,
        next: impl Fn(I, usize) -> Option<I>,
        mut found: impl FnMut(&[I]),
    ) {
        // The nodes of earlier searches are all in complete components.
        self.visited = 0;
        if self.low[root] == NEW {
            self.begin(root);
        }
        while let Some((node, at, number)) = self.path.last_mut() {
            let (node, number) = (*node, *number);
            let successor = next(node, *at);
            *at += 1;
            match successor {
                Some(successor) if self.low[successor] == NEW => self.begin(successor),
                Some(successor) => self.reach(node, successor),
                None => {
                    self.path.pop();
                    if self.low[node] == number {
                        self.close(node, &mut found);
                    } else if let Some(&(before, ..)) = self.path.last() {
                        self.reach(before, node);
                    }
                }
            }
        }
    }

    /// Makes nodes new that were visited.
    pub fn forget(&mut self, nodes: impl IntoIterator<Item = I>) {
        nodes.into_iter().for_each(|node| self.low[node] = NEW);
    }

    fn begin(&mut self, node: I) {
        self.visited += 1;
        self.low[node] = self.visited;
        self.open.push(node);
        self.path.push((node, 0, self.visited));
    }

    /// An edge leads to a node that was visited.
    fn reach(&mut self, from: I, to: I) {
        if self.low[to] != CLOSED {
            self.low[from] = self.low[from].min(self.low[to]);
        }
    }

    /// The component of a node is complete: it consists of the nodes that were visited since.
    fn close(&mut self, node: I, found: &mut impl FnMut(&[I])) {
        let first = self.open.iter().rposition(|&it| it == node).expect("it is open");
        self.open[first..].iter().for_each(|&member| self.low[member] = CLOSED);
        found(&self.open[first..]);
        self.open.truncate(first);
    }
}

#[cfg(test)]
#[path = "tests/components.rs"]
mod tests;
