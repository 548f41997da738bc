//! The graph that patterns are matched against: what a Firm graph computes, in order.
//!
//! It differs from the Firm graph in one thing. Every use of a constant is a node of its own:
//! whether one user takes a constant into its instruction is then no concern of another user.
use super::pattern::{Kind, kind};
use crate::base::ids::{Arena, SideTable, id};
use crate::firm;

id! {
    /// A node of a program.
    ProgramId
}

#[derive(Clone, Copy, Debug)]
struct Node {
    firm: firm::NodeId,
    kind: Kind,
    first: u32,
    count: u32,
    uses: u32,
}

/// Everything the end of a Firm graph needs, each node after its operands.
pub struct Program<'g> {
    pub graph: &'g firm::Graph,
    nodes: Arena<ProgramId, Node>,
    /// Operands that are states of memory are none.
    operands: Vec<Option<ProgramId>>,
}

impl<'g> Program<'g> {
    pub fn new(graph: &'g firm::Graph) -> Program<'g> {
        let needed = needed(graph);
        let mut made: SideTable<firm::NodeId, Option<ProgramId>> = SideTable::new(graph.len());
        let mut program = Program { graph, nodes: Arena::default(), operands: Vec::new() };
        let mut operands = Vec::new();
        for id in graph.ids().filter(|&id| needed[id] && !is_constant(graph, id)) {
            operands.clear();
            for &operand in graph.operands(id) {
                operands.push(match graph.node(operand).mode {
                    firm::Mode::M => None,
                    _ if is_constant(graph, operand) => Some(program.add(operand, &[])),
                    _ => made[operand],
                });
            }
            made[id] = Some(program.add(id, &operands));
        }
        program
    }

    fn add(&mut self, firm: firm::NodeId, operands: &[Option<ProgramId>]) -> ProgramId {
        let (first, count) = (self.operands.len() as u32, operands.len() as u32);
        for &operand in operands.iter().flatten() {
            self.nodes[operand].uses += 1;
        }
        self.operands.extend_from_slice(operands);
        let kind = kind(self.graph.op(firm));
        self.nodes.push(Node { firm, kind, first, count, uses: 0 })
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = ProgramId> + use<> {
        self.nodes.ids()
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The Firm node that this one stands for.
    pub fn firm(&self, id: ProgramId) -> firm::NodeId {
        self.nodes[id].firm
    }

    pub fn op(&self, id: ProgramId) -> firm::Op {
        self.graph.op(self.nodes[id].firm)
    }

    pub fn kind(&self, id: ProgramId) -> Kind {
        self.nodes[id].kind
    }

    pub fn operands(&self, id: ProgramId) -> &[Option<ProgramId>] {
        let node = self.nodes[id];
        &self.operands[node.first as usize..(node.first + node.count) as usize]
    }

    /// How often it is used.
    pub fn uses(&self, id: ProgramId) -> usize {
        self.nodes[id].uses as usize
    }

    /// Whether nothing uses it because it is an effect, not a value.
    pub fn is_root(&self, id: ProgramId) -> bool {
        self.graph.node(self.firm(id)).mode == firm::Mode::X
    }
}

fn is_constant(graph: &firm::Graph, id: firm::NodeId) -> bool {
    matches!(graph.op(id), firm::Op::Const(_))
}

/// What the jumps out of the graph need, values only.
fn needed(graph: &firm::Graph) -> SideTable<firm::NodeId, bool> {
    let mut needed: SideTable<firm::NodeId, bool> = SideTable::new(graph.len());
    for id in graph.ids().rev() {
        let is_end = graph.op(id) == firm::Op::Return;
        if needed[id] || is_end {
            needed[id] = true;
            let values = graph.operands(id).iter();
            let values = values.filter(|&&it| graph.node(it).mode != firm::Mode::M);
            values.for_each(|&operand| needed[operand] = true);
        }
    }
    needed
}
