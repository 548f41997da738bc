//! The users of each node.
use crate::firm::graph::{Graph, NodeId};
use arena::{FxHashMap, Id, ListTable};

/// An operand of a node.
#[derive(Clone, Copy, Debug)]
pub struct Use {
    pub user: NodeId,
    pub at: u32,
}

pub struct Users {
    /// The uses before the first rewrite; some of them may be gone.
    first: ListTable<NodeId, Use>,
    /// Uses that were added later.
    later: FxHashMap<NodeId, Vec<Use>>,
}

impl Users {
    /// The users of the nodes for which `listed` holds.
    pub fn new(graph: &Graph, listed: impl Fn(NodeId) -> bool + Copy) -> Users {
        let uses = graph.ids().flat_map(|user| {
            let operands = graph.operands(user).iter().zip(0..);
            operands.map(move |(&operand, at)| (operand, Use { user, at }))
        });
        let uses = uses.filter(move |&(operand, _)| listed(operand));
        Users { first: ListTable::group(graph.len(), uses), later: FxHashMap::default() }
    }

    pub fn add(&mut self, of: NodeId, new: Use) {
        self.later.entry(of).or_default().push(new);
    }

    /// The use with this number, in the order in which they were added.
    pub fn get(&self, of: NodeId, number: usize) -> Option<Use> {
        let first = if of.index() < self.first.len() { &self.first[of] } else { &[] };
        first.get(number).copied().or_else(|| {
            let later = self.later.get(&of)?;
            later.get(number - first.len()).copied()
        })
    }
}
