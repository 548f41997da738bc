//! From the control flow of a function to Firm: blocks in their order, each with its Phis, its
//! steps and its jump.
use super::effects::{has_effect, quotient};
use super::flow::{ArcId, BlockId, End, Flow, Source};
use super::variables::{Definition, EntryId, Variable, Variables};
use crate::firm::{self, EdgeKind, Graph as Firm, Mode};
use crate::region::{Graph, Kind, RegionId, Types, Value};
use arena::{FxHashMap, ListTable, SideTable};

/// A function while it is lowered.
pub struct Lowering<'g> {
    pub graph: &'g Graph,
    pub types: &'g Types,
    /// The number of each function, and the number of the first symbol after them.
    pub symbols: (&'g SideTable<RegionId, Option<u32>>, u32),
    pub firm: &'g mut Firm,
    flow: &'g Flow,
    variables: &'g Variables<'g>,
    /// The block of the control flow, and the block of Firm to which nodes are added.
    from: BlockId,
    pub block: firm::NodeId,
    /// The state of memory.
    pub memory: firm::NodeId,
    pub returns: Vec<firm::NodeId>,
    /// The values of steps.
    values: FxHashMap<Value, firm::NodeId>,
    phis: FxHashMap<EntryId, firm::NodeId>,
    /// The memory after the steps of each block.
    memory_after: SideTable<BlockId, Option<firm::NodeId>>,
    /// The jump of each arc, and its kind.
    jumps: FxHashMap<ArcId, (firm::NodeId, EdgeKind)>,
    pub constants: FxHashMap<i64, firm::NodeId>,
    /// The operands of the last division that was tested for traps, and the block of its test.
    tested: Option<(BlockId, [firm::NodeId; 2])>,
}

/// Lowers a function with this control flow.
pub fn lower_function(
    graph: &Graph,
    types: &Types,
    symbols: (&SideTable<RegionId, Option<u32>>, u32),
    flow: &Flow,
    region: RegionId,
    firm: &mut Firm,
) {
    let order = flow.reachable();
    let incoming = flow.incoming(&order);
    let has_effects =
        |block: BlockId| flow.blocks[block].steps.iter().any(|it| has_effect(graph.op(it.node)));
    let variables = Variables::new(flow, &order, &incoming, &has_effects);
    let (start, block) = (firm.start, firm.start_block);
    let mut lowering = Lowering {
        graph,
        types,
        symbols,
        firm,
        flow,
        variables: &variables,
        from: order[0],
        block,
        memory: start,
        returns: Vec::new(),
        values: FxHashMap::default(),
        phis: FxHashMap::default(),
        memory_after: SideTable::default(),
        jumps: FxHashMap::default(),
        constants: FxHashMap::default(),
        tested: None,
    };
    lowering.parameters(region);
    let blocks = lowering.blocks(&order, &incoming);
    lowering.finish_edges(&order, &incoming, &blocks);
    let end = lowering.firm.finish(&lowering.returns);
    let headers = lowering.infinite_loop_headers(&order, &incoming);
    let headers: Vec<_> = headers.into_iter().filter_map(|it| blocks[it]).collect();
    lowering.firm.add_operands(end, &headers);
}

impl Lowering<'_> {
    /// Whether the operands differ from those of the last test in this block, which they replace.
    pub fn is_first_test(&mut self, operands: [firm::NodeId; 2]) -> bool {
        let tested = Some((self.from, operands));
        std::mem::replace(&mut self.tested, tested) != tested
    }

    fn parameters(&mut self, region: RegionId) {
        let node = self.graph.region(region).arguments;
        let arguments = (0..self.graph.arity(region)).map(|output| Value { node, output });
        let words = arguments.filter(|&it| self.types.kind(it) != Kind::State);
        for (number, value) in words.enumerate() {
            let parameter = self.firm.parameter(number as u32);
            self.values.insert(value, parameter);
        }
    }

    /// Lowers all blocks; returns those of Firm.
    fn blocks(
        &mut self,
        order: &[BlockId],
        incoming: &ListTable<BlockId, (BlockId, ArcId)>,
    ) -> SideTable<BlockId, Option<firm::NodeId>> {
        let phis = self.variables.phis().map(|(id, block, variable)| (block, (id, variable)));
        let phis = ListTable::group(self.flow.blocks.len(), phis.collect::<Vec<_>>().into_iter());
        let mut blocks: SideTable<BlockId, Option<firm::NodeId>> = SideTable::default();
        for &block in order {
            self.from = block;
            if !incoming[block].is_empty() {
                self.begin(&incoming[block], self.flow.blocks[block].depth);
            }
            blocks[block] = Some(self.block);
            for &(id, variable) in &phis[block] {
                self.phi(id, variable, incoming[block].len());
            }
            self.memory = self.definition(self.variables.memory(block));
            for step in &self.flow.blocks[block].steps {
                self.firm.set_origin(self.graph.origin(step.node));
                self.step(step);
                self.firm.set_origin(None);
            }
            self.memory_after[block] = Some(self.memory);
            self.end(incoming);
        }
        blocks
    }

    /// A block of Firm; the arcs from blocks after it get their jumps later.
    fn begin(&mut self, incoming: &[(BlockId, ArcId)], depth: u32) {
        let known = incoming.iter().map(|(_, arc)| self.jumps.get(arc).copied());
        let known: Vec<_> = known.collect();
        let first = known.iter().flatten().next().expect("a predecessor is before its successor");
        let jumps: Vec<_> = known.iter().map(|it| it.unwrap_or(*first).0).collect();
        self.block = self.firm.add_block(firm::Op::Block, &jumps);
        self.firm.set_depth(self.block, depth);
        if let &[(_, arc)] = incoming {
            self.set_kind(self.jumps[&arc].1);
        }
    }

    fn set_kind(&mut self, kind: EdgeKind) {
        if kind != EdgeKind::Always {
            self.firm.set_edge_kind(self.block, 0, kind);
        }
    }

    /// A Phi; its operands are set when all are lowered.
    fn phi(&mut self, id: EntryId, variable: Variable, count: usize) {
        let (mode, unknown) = match variable {
            Variable::Memory => (Mode::M, self.firm.start),
            Variable::Value(_) => (Mode::Is, self.constant(0)),
        };
        let phi = self.firm.add(firm::Op::Phi, mode, self.block, &vec![unknown; count]);
        self.phis.insert(id, phi);
    }

    fn definition(&mut self, definition: Definition) -> firm::NodeId {
        match definition {
            Definition::Number(number) => self.constant(number),
            Definition::Step(value) => self.values[&value],
            Definition::Entry(id) => self.phis[&id],
            Definition::Effects(block) => self.memory_after[block].expect("it is before its users"),
            Definition::Start => self.firm.start,
        }
    }

    pub fn source(&mut self, source: Source) -> firm::NodeId {
        self.definition(self.variables.definition(self.from, source))
    }

    pub fn set(&mut self, value: Value, node: firm::NodeId) {
        self.values.insert(value, node);
    }

    pub fn add_block(&mut self, jump: firm::NodeId, kind: EdgeKind, depth: u32) {
        self.block = self.firm.add_block(firm::Op::Block, &[jump]);
        self.set_kind(kind);
        self.firm.set_depth(self.block, depth);
    }

    pub fn depth(&self) -> u32 {
        self.flow.blocks[self.from].depth
    }
}

/// Jumps.
impl Lowering<'_> {
    fn end(&mut self, incoming: &ListTable<BlockId, (BlockId, ArcId)>) {
        match &self.flow.blocks[self.from].end {
            End::Goto(arc) => {
                let jump = self.jump();
                self.jumps.insert(*arc, (jump, EdgeKind::Always));
            }
            End::Return(values) => {
                let values: Vec<_> = values.iter().map(|&it| self.source(it)).collect();
                let end = self.firm.return_values(self.block, self.memory, &values);
                self.returns.push(end);
            }
            End::Switch(on, arcs) => self.switch(*on, arcs, incoming),
        }
    }

    fn jump(&mut self) -> firm::NodeId {
        self.firm.add(firm::Op::Jmp, Mode::X, self.block, &[])
    }

    /// A chain of tests: the last case needs none.
    fn switch(
        &mut self,
        on: Source,
        arcs: &[ArcId],
        incoming: &ListTable<BlockId, (BlockId, ArcId)>,
    ) {
        let (last, others) = arcs.split_last().expect("a switch has a case");
        let is_truth = arcs.len() == 2;
        for (number, &arc) in others.iter().enumerate() {
            let cond = if is_truth { self.cond(on) } else { self.cond_equal(on, number as i64) };
            // With two cases, 0 is the first one: it is taken if the condition is false.
            let [own, other] = match is_truth {
                true => [EdgeKind::False, EdgeKind::True],
                false => [EdgeKind::True, EdgeKind::False],
            };
            self.branch(arc, (cond, own), incoming);
            if number + 1 == others.len() {
                self.branch(*last, (cond, other), incoming);
            } else {
                self.add_block(cond, other, self.depth());
            }
        }
    }

    /// The edge of an arc. It has a block if its target has several predecessors.
    fn branch(
        &mut self,
        arc: ArcId,
        (cond, kind): (firm::NodeId, EdgeKind),
        incoming: &ListTable<BlockId, (BlockId, ArcId)>,
    ) {
        let target = self.flow.arcs[arc].to;
        if incoming[target].len() == 1 {
            self.jumps.insert(arc, (cond, kind));
            return;
        }
        let depth = self.depth().min(self.flow.blocks[target].depth);
        self.add_block(cond, kind, depth);
        let jump = self.jump();
        self.jumps.insert(arc, (jump, EdgeKind::Always));
    }

    /// Sets the jumps of all blocks, and the operands of all Phis.
    fn finish_edges(
        &mut self,
        order: &[BlockId],
        incoming: &ListTable<BlockId, (BlockId, ArcId)>,
        blocks: &SideTable<BlockId, Option<firm::NodeId>>,
    ) {
        for &block in order {
            let lowered = blocks[block].expect("it was lowered");
            for (at, (_, arc)) in incoming[block].iter().enumerate() {
                self.firm.set_operand(lowered, at, self.jumps[arc].0);
            }
        }
        for (id, _, _) in self.variables.phis() {
            for (at, operand) in self.variables.operands(id).enumerate() {
                let operand = self.definition(operand);
                self.firm.set_operand(self.phis[&id], at, operand);
            }
        }
    }

    /// The headers of all loops from which no path leads to a Return. A trap is one.
    fn infinite_loop_headers(
        &self,
        order: &[BlockId],
        incoming: &ListTable<BlockId, (BlockId, ArcId)>,
    ) -> Vec<BlockId> {
        let mut reaches_end: SideTable<BlockId, bool> = SideTable::default();
        let may_end = |block: &&BlockId| {
            let block = &self.flow.blocks[**block];
            let traps = |id| quotient(self.graph, id).is_some();
            matches!(block.end, End::Return(_)) || block.steps.iter().any(|it| traps(it.node))
        };
        let mut open: Vec<_> = order.iter().filter(may_end).copied().collect();
        while let Some(block) = open.pop() {
            if !std::mem::replace(&mut reaches_end[block], true) {
                open.extend(incoming[block].iter().map(|(from, _)| *from));
            }
        }
        let is_header = |block: &BlockId| incoming[*block].iter().any(|(from, _)| from >= block);
        let headers = order.iter().copied().filter(|it| !reaches_end[*it]);
        headers.filter(is_header).collect()
    }
}
