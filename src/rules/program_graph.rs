//! The graph that patterns are matched against: the nodes of a Firm graph in an order of execution.
//!
//! It differs from the Firm graph in two points. Every use of a constant is a separate node, so one
//! user may take a constant into its instruction without an effect on other users. And the jumps to
//! a block pass the operands of its Phis: each jump uses its own operand, and the Phi is a value
//! without operands. So no node uses a later one. States of memory are no values: memory operations
//! are executed in the order of the graph.
use super::pattern::{Kind, kind};
use crate::firm::{self, AllowedBlock, Mode};
#[cfg(feature = "ch25")]
use crate::frequency::ENTRY;
#[cfg(feature = "ch14")]
use crate::ranges::{FirmRanges, ranges_in_firm};
use arena::{Arena, ListTable, SideTable, id};

/// The maximal number of operands of an operation in a pattern.
#[cfg(feature = "ch19")]
pub const MAX_OPERANDS: usize = 3;

id! {
    /// A node of a program.
    ProgramId
}

#[derive(Clone, Copy, Debug)]
struct Node {
    firm: firm::NodeId,
    /// The block that it is computed in.
    #[cfg(feature = "ch05")]
    block: firm::NodeId,
    kind: Kind,
    first: u32,
    count: u32,
    uses: u32,
    /// The kinds of its first operands, in one byte each: 1 more than the number of the kind, or 0
    /// if there is none.
    #[cfg(feature = "ch19")]
    operand_kinds: u32,
    /// The number of stores before it in its block.
    #[cfg(feature = "ch10")]
    epoch: u32,
}

/// All nodes that the jumps of a Firm graph need, each after its operands. A constant is in the
/// block of its user.
pub struct ProgramGraph<'g> {
    pub graph: &'g firm::Graph,
    nodes: Arena<ProgramId, Node>,
    /// `None` for states of memory.
    operands: Vec<Option<ProgramId>>,
    #[cfg(feature = "ch05")]
    pub flow: firm::ControlFlow,
    /// How often each block is executed.
    #[cfg(feature = "ch07")]
    frequencies: SideTable<firm::NodeId, u64>,
    /// The ranges of the dividends, as far as they are known.
    #[cfg(feature = "ch14")]
    ranges: Option<FirmRanges>,
}

impl<'g> ProgramGraph<'g> {
    /// The nodes that the jumps of a graph need, each after its operands.
    pub fn new(graph: &'g firm::Graph) -> ProgramGraph<'g> {
        #[cfg(feature = "ch05")]
        let flow = firm::ControlFlow::new(graph);
        let program = ProgramGraph {
            graph,
            nodes: Arena::default(),
            operands: Vec::new(),
            #[cfg(feature = "ch14")]
            ranges: ranges_in_firm(graph, &flow),
            #[cfg(feature = "ch07")]
            frequencies: flow.frequencies(graph),
            #[cfg(feature = "ch05")]
            flow,
        };
        let program = program.filled(&needed(graph));
        #[cfg(feature = "ch10")]
        let program = program.with_epochs();
        program
    }

    /// Counts the stores before each node in its block. Calls and volatile loads count as stores.
    #[cfg(feature = "ch10")]
    fn with_epochs(mut self) -> ProgramGraph<'g> {
        let mut stores: SideTable<firm::NodeId, u32> = SideTable::new(self.graph.len());
        for id in self.nodes.ids() {
            let block = self.nodes[id].block;
            self.nodes[id].epoch = stores[block];
            stores[block] += u32::from(self.ends_epoch(id));
        }
        self
    }

    /// Whether no load may be moved over it.
    #[cfg(feature = "ch10")]
    pub fn ends_epoch(&self, id: ProgramId) -> bool {
        #[cfg(feature = "ch14")]
        if let firm::Op::Call(_) = self.op(id) {
            return true;
        }
        #[cfg(feature = "ch25")]
        if let firm::Op::Load(firm::Access::Volatile) = self.op(id) {
            return true;
        }
        self.op(id).is_store()
    }

    /// Every value and every effect of a graph, in any order, so each node is an epoch of its own.
    /// Jumps pass no arguments: a Phi has its operands itself.
    #[cfg(feature = "ch25")]
    pub fn of_all(graph: &'g firm::Graph) -> ProgramGraph<'g> {
        let mut required = SideTable::new(graph.len());
        for id in graph.ids() {
            required[id] = graph.op(id).is_selected() || graph.value_mode(id) == Mode::Is;
        }
        let (nodes, operands, flow) =
            (Arena::default(), Vec::new(), firm::ControlFlow::empty(graph));
        let (ranges, frequencies) = (None, SideTable::of(vec![ENTRY; graph.len()]));
        let program = ProgramGraph { graph, nodes, operands, ranges, flow, frequencies };
        program.filled(&required).with_phi_operands()
    }

    /// Adds the operands of the Phis: the values in them, but not the Phi itself.
    #[cfg(feature = "ch25")]
    fn with_phi_operands(mut self) -> ProgramGraph<'g> {
        let graph = self.graph;
        let mut made: SideTable<firm::NodeId, Option<ProgramId>> = SideTable::new(graph.len());
        self.ids().for_each(|id| made[self.firm(id)] = Some(id));
        let phis = self.ids().filter(|&id| self.op(id) == firm::Op::Phi);
        for phi in phis.collect::<Vec<_>>() {
            let (id, first) = (self.firm(phi), self.operands.len());
            let is_used = |it: &firm::NodeId| graph.value_mode(*it) == Mode::Is && *it != id;
            for operand in graph.operands(id).iter().copied().filter(is_used) {
                let node = match is_constant(graph, operand) {
                    true => Some(self.add(operand, id, first)),
                    false => made[operand],
                };
                node.into_iter().for_each(|it| self.nodes[it].uses += 1);
                self.operands.push(node);
            }
            let node = &mut self.nodes[phi];
            (node.first, node.count) = (first as u32, (self.operands.len() - first) as u32);
        }
        self
    }

    /// Adds the nodes that are needed, each after its constants.
    fn filled(mut self, required: &SideTable<firm::NodeId, bool>) -> ProgramGraph<'g> {
        let graph = self.graph;
        let mut made: SideTable<firm::NodeId, Option<ProgramId>> = SideTable::new(graph.len());
        // Uses of constants are nodes, too.
        self.nodes = Arena::with_capacity(graph.len() + graph.len() / 4);
        self.operands.reserve(2 * graph.len());
        // The operands that are after their users, by their positions.
        let (mut used, mut later) = (Vec::new(), Vec::new());
        for id in graph.ids().filter(|&id| required[id] && !is_constant(graph, id)) {
            used.clear();
            self.collect_operands(id, &mut used);
            #[cfg(feature = "ch05")]
            self.collect_arguments(id, required, &mut used);
            let first = self.operands.len();
            for &operand in &used {
                let known = match operand {
                    None => None,
                    Some(it) if is_constant(graph, it) => Some(self.add(it, id, first)),
                    Some(it) => {
                        later.extend(made[it].is_none().then_some((self.operands.len(), it)));
                        made[it]
                    }
                };
                self.operands.push(known);
            }
            made[id] = Some(self.add(id, id, first));
        }
        later.into_iter().for_each(|(at, operand)| self.operands[at] = made[operand]);
        self.operands.iter().flatten().for_each(|&operand| self.nodes[operand].uses += 1);
        #[cfg(feature = "ch19")]
        self.note_operand_kinds();
        self
    }

    #[cfg(feature = "ch19")]
    fn note_operand_kinds(&mut self) {
        for id in self.nodes.ids() {
            let operands = self.operands(id).iter().take(MAX_OPERANDS).rev();
            let bytes = operands.map(|it| it.map_or(0, |it| u32::from(self.kind(it)) + 1));
            self.nodes[id].operand_kinds = bytes.fold(0, |kinds, byte| kinds << 8 | byte);
        }
    }

    /// Adds a node to the block of `user`. Its operands are those from `first` on; a constant has
    /// none.
    fn add(&mut self, id: firm::NodeId, user: firm::NodeId, first: usize) -> ProgramId {
        let firm::Node { op, mode, .. } = self.graph.node(id);
        let count = if id == user { self.operands.len() - first } else { 0 };
        self.nodes.push(Node {
            firm: id,
            #[cfg(feature = "ch05")]
            block: self.graph.node(user).block,
            kind: kind(op, mode),
            first: first as u32,
            count: count as u32,
            uses: 0,
            #[cfg(feature = "ch19")]
            operand_kinds: 0,
            #[cfg(feature = "ch10")]
            epoch: self.nodes.len() as u32,
        })
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = ProgramId> + use<> {
        self.nodes.ids()
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether a dividend is not negative where `user` is computed, as far as that is known.
    #[cfg(feature = "ch14")]
    pub fn is_natural(&self, dividend: ProgramId, user: ProgramId) -> bool {
        let (value, block) = (self.firm(dividend), self.block(user));
        self.ranges.as_ref().is_some_and(|ranges| ranges.is_natural(value, block))
    }

    /// The Firm node of this one.
    pub fn firm(&self, id: ProgramId) -> firm::NodeId {
        self.nodes[id].firm
    }

    pub fn op(&self, id: ProgramId) -> firm::Op {
        self.graph.op(self.nodes[id].firm)
    }

    pub fn kind(&self, id: ProgramId) -> Kind {
        self.nodes[id].kind
    }

    /// The kinds of its first operands, in one byte each.
    #[cfg(feature = "ch19")]
    pub fn operand_kinds(&self, id: ProgramId) -> u32 {
        self.nodes[id].operand_kinds
    }

    /// The mode of its value.
    #[cfg(feature = "ch10")]
    pub fn mode(&self, id: ProgramId) -> Mode {
        self.graph.value_mode(self.firm(id))
    }

    /// The mode of its operation.
    pub fn own_mode(&self, id: ProgramId) -> Mode {
        self.graph.node(self.firm(id)).mode
    }

    /// The block that it is computed in.
    #[cfg(feature = "ch05")]
    pub fn block(&self, id: ProgramId) -> firm::NodeId {
        self.nodes[id].block
    }

    /// The number of stores before it in its block.
    #[cfg(feature = "ch10")]
    pub fn epoch(&self, id: ProgramId) -> u32 {
        self.nodes[id].epoch
    }

    pub fn operands(&self, id: ProgramId) -> &[Option<ProgramId>] {
        let node = self.nodes[id];
        &self.operands[node.first as usize..(node.first + node.count) as usize]
    }

    /// The name of its operation in its mode.
    #[cfg(feature = "ch04")]
    pub fn label(&self, id: ProgramId) -> String {
        self.op(id).name_in(self.own_mode(id))
    }

    /// The operands that no pattern names, since their number varies.
    pub fn block_arguments(&self, id: ProgramId) -> impl Iterator<Item = ProgramId> {
        let named = self.op(id).row().operands.len().min(self.operands(id).len());
        self.operands(id)[named..].iter().copied().flatten()
    }

    /// The Results of each Call.
    #[cfg(feature = "ch14")]
    pub fn results(&self) -> ListTable<ProgramId, ProgramId> {
        let is_result = |id: &ProgramId| matches!(self.op(*id), firm::Op::Result(_));
        let call = |id: ProgramId| self.operands(id)[0].expect("a Result has a Call");
        let results: Vec<_> = self.ids().filter(is_result).map(|id| (call(id), id)).collect();
        ListTable::group(self.len(), results.into_iter())
    }

    /// The number of its uses.
    pub fn uses(&self, id: ProgramId) -> usize {
        self.nodes[id].uses as usize
    }

    /// Whether it is an effect, not a value, and so has no users.
    #[cfg(feature = "ch10")]
    pub fn is_root(&self, id: ProgramId) -> bool {
        self.mode(id) == Mode::X
    }

    /// Whether it is executed even if its value has no use.
    pub fn has_side_effect(&self, id: ProgramId) -> bool {
        has_side_effect(self.graph, self.firm(id))
    }

    /// The estimated number of executions, in units that the entry has `ENTRY` of.
    #[cfg(feature = "ch07")]
    pub fn frequency(&self, id: ProgramId) -> u64 {
        self.frequencies[self.block(id)]
    }

    /// The operands of a node of Firm. A state of memory is none.
    fn collect_operands(&self, id: firm::NodeId, used: &mut Vec<Option<firm::NodeId>>) {
        let (graph, firm::Node { op, mode: own, .. }) = (self.graph, self.graph.node(id));
        let operands = graph.operands(id).iter().zip(op.row().operands);
        // An operand without the expected mode does not count.
        let is_value = |it, mode| mode != Mode::M && graph.value_mode(it) == mode;
        used.extend(operands.map(|(&it, mode)| is_value(it, mode.of(own)).then_some(it)));
    }

    /// The operands that no pattern names: a jump uses the values that the Phis of its target
    /// select.
    /// @ch15 A call that does not return needs no register for constants.
    #[cfg(feature = "ch05")]
    fn collect_arguments(
        &self,
        id: firm::NodeId,
        needed: &Needed,
        used: &mut Vec<Option<firm::NodeId>>,
    ) {
        #[cfg(feature = "ch14")]
        if matches!(self.graph.op(id), firm::Op::Call(_) | firm::Op::Return) {
            let named = self.graph.op(id).row().operands.len();
            let values = self.graph.operands(id)[named..].iter().copied();
            #[cfg(feature = "ch15")]
            if self.graph.op(id) == firm::Op::Call(0) {
                used.extend(values.map(|it| Some(it).filter(|it| !is_constant(self.graph, *it))));
                return;
            }
            used.extend(values.map(Some));
        }
        if matches!(self.graph.op(id), firm::Op::Jmp) {
            let phis = self.flow.phis_of_target(self.graph, id);
            phis.filter(|it| needed[it.0]).for_each(|it| used.push(Some(it.1)));
        }
    }
}

fn is_constant(graph: &firm::Graph, id: firm::NodeId) -> bool {
    has_one_user(graph.op(id))
}

/// Whether every use of the operation is a node of its own.
pub fn has_one_user(op: firm::Op) -> bool {
    match op {
        firm::Op::Const(_) => true,
        #[cfg(feature = "ch14")]
        firm::Op::SymConst(_) => true,
        _ => false,
    }
}

/// Whether a node is executed even if its value is not used.
fn has_side_effect(graph: &firm::Graph, id: firm::NodeId) -> bool {
    #[cfg(feature = "ch10")]
    if graph.op(id).accesses_memory() {
        return true;
    }
    #[cfg(feature = "ch15")]
    if firm::is_unreachable(graph, id) {
        return false;
    }
    graph.value_mode(id) == Mode::X && graph.op(id).row().block == AllowedBlock::Any
}

/// The nodes that are executed, and the values that they need.
type Needed = SideTable<firm::NodeId, bool>;

fn needed(graph: &firm::Graph) -> Needed {
    let executed = graph.ids().filter(|&id| has_side_effect(graph, id));
    let is_value = |id: &firm::NodeId| graph.value_mode(*id) != Mode::M;
    let values = |id| graph.operands(id).iter().copied().filter(is_value);
    flow::dependencies(executed, graph.len(), values)
}

#[cfg(feature = "ch14")]
#[cfg(test)]
#[path = "tests/program_graph.rs"]
mod tests;
