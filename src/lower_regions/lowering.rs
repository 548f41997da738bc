//! The control flow of regions.
use crate::firm::{self, EdgeKind, Graph as Firm, Mode};
use crate::region::{Graph, Kind, NodeId, Op, RegionId, Types, Value};
use arena::{FxHashMap, SideTable};

/// A function while it is lowered.
pub struct Lowering<'g> {
    pub graph: &'g Graph,
    pub types: &'g Types,
    effects: &'g SideTable<RegionId, bool>,
    /// The number of each function, and the number of the first symbol after them.
    pub symbols: (&'g SideTable<RegionId, Option<u32>>, u32),
    pub firm: &'g mut Firm,
    /// The block to which nodes are added, and the number of loops around it.
    pub block: firm::NodeId,
    depth: u32,
    /// The state of memory.
    pub memory: firm::NodeId,
    pub returns: Vec<firm::NodeId>,
    /// The values that have been lowered; states are none.
    values: FxHashMap<Value, firm::NodeId>,
    pub constants: FxHashMap<i64, firm::NodeId>,
    tasks: Vec<Task>,
}

enum Task {
    /// The nodes of a region from this position on.
    Nodes(RegionId, usize),
    /// Begins the case of a switch with this number, or ends the switch after its last case.
    Case(NodeId, usize, Branch),
    Again(NodeId, Header),
}

/// A switch while it is lowered.
struct Branch {
    /// The memory before the switch.
    memory: firm::NodeId,
    /// The block that tests for the next case.
    test: firm::NodeId,
    /// The last block of each case so far, and the memory there.
    ends: Vec<(firm::NodeId, firm::NodeId)>,
}

/// The header of a loop.
struct Header {
    block: firm::NodeId,
    /// The Phi of each variable that is a word.
    phis: Vec<(usize, firm::NodeId)>,
    memory: Option<firm::NodeId>,
}

impl<'g> Lowering<'g> {
    pub fn new(
        graph: &'g Graph,
        types: &'g Types,
        effects: &'g SideTable<RegionId, bool>,
        symbols: (&'g SideTable<RegionId, Option<u32>>, u32),
        firm: &'g mut Firm,
    ) -> Lowering<'g> {
        let (block, memory) = (firm.start_block, firm.start);
        Lowering {
            graph,
            types,
            effects,
            symbols,
            firm,
            block,
            depth: 0,
            memory,
            returns: Vec::new(),
            values: FxHashMap::default(),
            constants: FxHashMap::default(),
            tasks: Vec::new(),
        }
    }

    /// Lowers a function.
    pub fn lower(mut self, region: RegionId) {
        let mut number = 0;
        for value in outputs(self.graph, self.graph.region(region).arguments) {
            if self.is_word(value) {
                let parameter = self.firm.parameter(number);
                self.values.insert(value, parameter);
                number += 1;
            }
        }
        self.tasks.push(Task::Nodes(region, 0));
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Nodes(region, at) => self.nodes(region, at),
                Task::Case(id, number, branch) => self.case(id, number, branch),
                Task::Again(id, header) => self.again(id, header),
            }
        }
        let results = self.words(&self.graph.region(region).results);
        let results = if results.is_empty() { vec![self.constant(0)] } else { results };
        let end = self.firm.return_values(self.block, self.memory, &results);
        self.returns.push(end);
        self.firm.finish(&self.returns);
    }

    /// Lowers nodes up to the next one with regions of its own.
    fn nodes(&mut self, region: RegionId, first: usize) {
        let nodes = &self.graph.region(region).nodes;
        for (at, &id) in nodes.iter().enumerate().skip(first) {
            if matches!(self.graph.op(id), Op::Loop | Op::Switch) {
                self.tasks.push(Task::Nodes(region, at + 1));
                let is_loop = self.graph.op(id) == Op::Loop;
                return if is_loop { self.header(id) } else { self.branch(id) };
            }
            self.node(id);
        }
    }

    pub fn is_word(&self, value: Value) -> bool {
        self.types.kind(value) != Kind::State
    }

    pub fn value(&self, value: Value) -> firm::NodeId {
        self.values[&value]
    }

    pub fn set(&mut self, value: Value, node: firm::NodeId) {
        self.values.insert(value, node);
    }

    /// The values that are no states.
    pub fn words(&self, values: &[Value]) -> Vec<firm::NodeId> {
        values.iter().filter(|&&it| self.is_word(it)).map(|&it| self.value(it)).collect()
    }

    pub fn add_block(&mut self, predecessors: &[firm::NodeId], kind: EdgeKind) -> firm::NodeId {
        let block = self.firm.add_block(firm::Op::Block, predecessors);
        if kind != EdgeKind::Always {
            self.firm.set_edge_kind(block, 0, kind);
        }
        self.firm.set_depth(block, self.depth);
        block
    }

    fn jump(&mut self) -> firm::NodeId {
        self.firm.add(firm::Op::Jmp, Mode::X, self.block, &[])
    }
}

/// Switches.
impl Lowering<'_> {
    fn branch(&mut self, id: NodeId) {
        let branch = Branch { memory: self.memory, test: self.block, ends: Vec::new() };
        self.tasks.push(Task::Case(id, 0, branch));
    }

    /// Begins a case: the last one needs no test.
    fn case(&mut self, id: NodeId, number: usize, mut branch: Branch) {
        let cases = self.graph.inner(id);
        if number > 0 {
            branch.ends.push((self.block, self.memory));
        }
        if number == cases.len() {
            return self.join(id, branch);
        }
        (self.block, self.memory) = (branch.test, branch.memory);
        let is_last = number + 1 == cases.len();
        if !is_last {
            let predicate = self.graph.operands(id)[0];
            let is_second = cases.len() == 2;
            let cond = if is_second {
                self.cond(predicate)
            } else {
                self.cond_equal(predicate, number as i64)
            };
            // With two cases, 0 is the first one: it is taken if the condition is false.
            let [own, other] = match is_second {
                true => [EdgeKind::False, EdgeKind::True],
                false => [EdgeKind::True, EdgeKind::False],
            };
            self.block = self.add_block(&[cond], own);
            branch.test = self.add_block(&[cond], other);
        }
        let region = cases[number];
        let inputs = &self.graph.operands(id)[1..];
        self.pass(inputs, self.graph.region(region).arguments);
        self.tasks.push(Task::Case(id, number + 1, branch));
        self.tasks.push(Task::Nodes(region, 0));
    }

    /// The arguments of a region are these values.
    fn pass(&mut self, values: &[Value], arguments: NodeId) {
        for (&value, argument) in values.iter().zip(outputs(self.graph, arguments)) {
            if self.is_word(value) {
                let lowered = self.value(value);
                self.values.insert(argument, lowered);
            }
        }
    }

    /// Ends a switch: an output is a Phi if the cases yield different values.
    fn join(&mut self, id: NodeId, branch: Branch) {
        let cases = self.graph.inner(id);
        if let [(block, memory)] = branch.ends[..] {
            (self.block, self.memory) = (block, memory);
        } else {
            let jump = |&(block, _): &(firm::NodeId, firm::NodeId)| {
                self.firm.add(firm::Op::Jmp, Mode::X, block, &[])
            };
            let jumps: Vec<_> = branch.ends.iter().map(jump).collect();
            self.block = self.add_block(&jumps, EdgeKind::Always);
            let memories: Vec<_> = branch.ends.iter().map(|&(_, memory)| memory).collect();
            self.memory = self.phi(Mode::M, &memories);
        }
        for (at, output) in outputs(self.graph, id).enumerate() {
            if self.is_word(output) {
                let result = |&case: &RegionId| self.value(self.graph.region(case).results[at]);
                let values: Vec<_> = cases.iter().map(result).collect();
                let phi = self.phi(Mode::Is, &values);
                self.values.insert(output, phi);
            }
        }
    }

    fn phi(&mut self, mode: Mode, values: &[firm::NodeId]) -> firm::NodeId {
        if values.iter().all(|it| *it == values[0]) {
            return values[0];
        }
        self.firm.add(firm::Op::Phi, mode, self.block, values)
    }
}

/// Loops.
impl Lowering<'_> {
    /// Begins a loop. A variable that its region returns unchanged needs no Phi.
    fn header(&mut self, id: NodeId) {
        let body = self.graph.inner(id)[0];
        let enter = self.jump();
        self.depth += 1;
        self.block = self.add_block(&[enter, enter], EdgeKind::Always);
        let mut header = Header { block: self.block, phis: Vec::new(), memory: None };
        let arguments: Vec<_> = outputs(self.graph, self.graph.region(body).arguments).collect();
        let results = &self.graph.region(body).results;
        for (at, &value) in self.graph.operands(id).iter().enumerate() {
            if !self.is_word(value) {
                continue;
            }
            let mut lowered = self.value(value);
            if results[at] != arguments[at] {
                lowered = self.firm.add(firm::Op::Phi, Mode::Is, self.block, &[lowered, lowered]);
                header.phis.push((at, lowered));
            }
            self.values.insert(arguments[at], lowered);
        }
        if self.effects[body] {
            let memories = [self.memory, self.memory];
            self.memory = self.firm.add(firm::Op::Phi, Mode::M, self.block, &memories);
            header.memory = Some(self.memory);
        }
        self.tasks.push(Task::Again(id, header));
        self.tasks.push(Task::Nodes(body, 0));
    }

    /// Ends a loop: its last result is whether it begins again.
    fn again(&mut self, id: NodeId, header: Header) {
        let body = self.graph.inner(id)[0];
        let results = &self.graph.region(body).results;
        let predicate = *results.last().expect("a loop has a predicate");
        let cond = self.cond(predicate);
        let back = self.add_block(&[cond], EdgeKind::True);
        let jump = self.firm.add(firm::Op::Jmp, Mode::X, back, &[]);
        self.firm.set_operand(header.block, 1, jump);
        for (at, phi) in header.phis {
            let value = self.value(results[at]);
            self.firm.set_operand(phi, 1, value);
        }
        if let Some(phi) = header.memory {
            self.firm.set_operand(phi, 1, self.memory);
        }
        self.depth -= 1;
        self.block = self.add_block(&[cond], EdgeKind::False);
        for (at, output) in outputs(self.graph, id).enumerate() {
            if self.is_word(output) {
                let value = self.value(results[at]);
                self.values.insert(output, value);
            }
        }
    }
}

/// The outputs of a node.
pub fn outputs(graph: &Graph, node: NodeId) -> impl Iterator<Item = Value> + use<> {
    (0..graph.node(node).outputs).map(move |output| Value { node, output })
}
