//! Dead stores: a word that the same block overwrites before anything reads it is not stored.
//!
//! An allocation stores zero to a new object, so that it fails if the heap is full. Where the
//! program stores to the same word, that store fails as well.
use crate::arith::Binary;
use crate::firm::{Access, ControlFlow, Graph, Mode, NodeId, Op, blocks, by_blocks, renumber};
use arena::SideTable;

/// Its name among the rewrites that can be switched off.
pub const NAME: &str = "dead-stores";

pub const LAW: &str = "a store whose word is overwritten before it is read is removed";

/// The number of words that are remembered, so that the search takes linear time.
const NEAR: usize = 16;

/// Removes the dead stores of each block.
pub fn remove(mut graph: Graph) -> Graph {
    let dead = dead_stores(&graph);
    if dead.is_empty() {
        return graph;
    }
    // The state of memory before each dead store, in place of that after it.
    let mut before: SideTable<NodeId, Option<NodeId>> = SideTable::new(graph.len());
    dead.iter().for_each(|&store| before[store] = Some(graph.operands(store)[0]));
    for id in graph.ids() {
        for at in 0..graph.operands(id).len() {
            let mut operand = graph.operands(id)[at];
            while let Some(memory) = before[operand] {
                operand = memory;
            }
            graph.set_operand(id, at, operand);
        }
    }
    let order: Vec<_> = graph.ids().filter(|&id| before[id].is_none()).collect();
    renumber(&graph, &by_blocks(&graph, &order))
}

fn dead_stores(graph: &Graph) -> Vec<NodeId> {
    let is_plain = |id: NodeId, op| (graph.op(id), graph.node(id).mode) == (op, Mode::Is);
    let is_word_store = |id| is_plain(id, Op::Store(Access::Plain));
    if !graph.ids().any(is_word_store) {
        return Vec::new();
    }
    let flow = ControlFlow::new(graph);
    let mut dead = Vec::new();
    // The next words that are overwritten before they are read.
    let mut overwritten: Vec<Word> = Vec::new();
    for block in blocks(graph) {
        overwritten.clear();
        for &id in flow.nodes(block).iter().rev().filter(|&&id| graph.op(id).accesses_memory()) {
            if is_plain(id, Op::Load(Access::Plain)) {
                let word = Word::of(graph, id);
                overwritten.retain(|it| it.differs(word));
            } else if !graph.op(id).is_store() {
                overwritten.clear();
            } else if is_word_store(id) && overwritten.contains(&Word::of(graph, id)) {
                dead.push(id);
            } else if overwritten.len() < NEAR {
                overwritten.push(Word::of(graph, id));
            }
        }
    }
    dead
}

/// The word at a distance from an address.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Word {
    base: NodeId,
    offset: i64,
}

impl Word {
    /// The word, or the first one, that a node accesses.
    fn of(graph: &Graph, access: NodeId) -> Word {
        let address = graph.operands(access)[1];
        if graph.op(address) == Op::Binary(Binary::Add)
            && let &[base, offset] = graph.operands(address)
            && let Op::Const(offset) = graph.op(offset)
        {
            return Word { base, offset };
        }
        Word { base: address, offset: 0 }
    }

    /// Whether it is certainly another word.
    fn differs(self, other: Word) -> bool {
        self.base == other.base && self.offset != other.offset
    }
}
