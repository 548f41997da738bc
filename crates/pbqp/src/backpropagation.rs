//! Backpropagation: eliminated nodes choose in the reverse order of their elimination.
//!
//! When a node is eliminated, its best alternative for each choice of its neighbours is computed
//! anyway, because its cost moves to them. The alternatives are recorded then, all in one array, so
//! that backpropagation reads nothing of the graph. Source: Scholz and Eckstein, LCTES 2002.
use crate::problem::NodeId;
use alloc::vec::Vec;

/// The eliminated nodes in the order of their elimination, and their best alternatives.
#[derive(Clone, Default)]
pub struct ReductionStack {
    /// The best alternatives of the node that is pushed next; those for two neighbours row by row.
    pub next: Vec<u32>,
    nodes: Vec<ReducedNode>,
    /// The alternatives of nodes with few: most nodes.
    narrow: Vec<u8>,
    wide: Vec<u32>,
}

#[derive(Clone, Copy)]
struct ReducedNode {
    x: NodeId,
    /// The neighbours that its choice depends on.
    others: [NodeId; 2],
    /// The length of a row: the number of alternatives of the second neighbour; 0 if there is none.
    columns: u32,
    /// The position of the first of its alternatives.
    first: u32,
    is_wide: bool,
}

impl ReductionStack {
    /// Pushes a node whose choice depends on that of `y`.
    pub fn push_r1(&mut self, x: NodeId, y: NodeId) {
        self.push(x, [y, y], 0);
    }

    /// Pushes a node whose choice depends on those of y and of z, which has `columns` alternatives.
    pub fn push_r2(&mut self, x: NodeId, yz: [NodeId; 2], columns: usize) {
        self.push(x, yz, columns as u32);
    }

    /// Pushes a node that takes alternative 0.
    pub fn push_isolated(&mut self, x: NodeId) {
        self.next.push(0);
        self.push(x, [x, x], 0);
    }

    fn push(&mut self, x: NodeId, others: [NodeId; 2], columns: u32) {
        let is_wide = self.next.iter().any(|&best| best > u32::from(u8::MAX));
        let first = if is_wide { self.wide.len() } else { self.narrow.len() };
        let first = u32::try_from(first).expect("fewer than 2^32 recorded alternatives");
        self.nodes.push(ReducedNode { x, others, columns, first, is_wide });
        if is_wide {
            self.wide.append(&mut self.next);
        } else {
            self.narrow.extend(self.next.drain(..).map(|best| best as u8));
        }
    }

    /// Writes the alternatives of all eliminated nodes into `choice`.
    pub fn backpropagate(&mut self, choice: &mut [u32]) {
        while let Some(node) = self.nodes.pop() {
            let ReducedNode { x, others: [y, z], columns, first, is_wide } = node;
            let at = (first + choice[y.index()] * columns + choice[z.index()]) as usize;
            choice[x.index()] = if is_wide { self.wide[at] } else { u32::from(self.narrow[at]) };
        }
    }
}
