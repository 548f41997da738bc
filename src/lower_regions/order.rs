//! The order in which the nodes of a region are lowered: a switch on a predicate that an earlier
//! switch or loop determines is next to it.
//!
//! Then nothing is computed between an assignment of the predicate and its test, so threading can
//! replace the test by jumps. The nodes that stay in their order are those with effects; all others
//! float. A node that floats is lowered where a block is needed anyway: before a switch, or beside
//! an effect. Before a loop or at the end of its region it is lowered only if it is needed there.
//! Source: H. Bahmann et al., "Perfect Reconstructability of Control Flow from Demand Dependence
//! Graphs", ACM TACO 11, 2015, section 5.
use super::effects::{has_effect, quotient};
use crate::region::{self, Graph, NodeId, Op, RegionId, Types, Value};
use arena::{FxHashMap, Id, ListTable, SideTable, id};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

id! {
    /// The number of a node in its region.
    Local
}
id! {
    /// A switch or loop, and the switches on predicates that it determines; or a node with an
    /// effect.
    ChainId
}

/// The graph with the nodes of each region in this order.
pub fn ordered(graph: &Graph, types: &Types) -> Graph {
    let facts = Facts::new(graph, types);
    let mut result = graph.clone();
    for region in graph.region_ids() {
        result.set_order(region, facts.order(region));
    }
    result
}

/// What the order depends on.
struct Facts<'g> {
    graph: &'g Graph,
    types: &'g Types,
    /// Whether each region contains effects, in regions inside of it, too.
    has_effects: SideTable<RegionId, bool>,
    /// The outputs of switches and loops that are numbers, at least in one case.
    determined: HashSet<Value>,
    /// Those on which the predicate of another switch or loop depends.
    tested: HashSet<Value>,
    /// Values that are needed for anything else than predicates.
    computed: HashSet<Value>,
    /// The switch or loop around each region.
    owners: SideTable<RegionId, Option<NodeId>>,
}

impl<'g> Facts<'g> {
    fn new(graph: &'g Graph, types: &'g Types) -> Facts<'g> {
        let mut facts = Facts {
            graph,
            types,
            has_effects: SideTable::default(),
            determined: HashSet::new(),
            tested: HashSet::new(),
            computed: HashSet::new(),
            owners: SideTable::default(),
        };
        for region in graph.inside_out() {
            for &id in &graph.region(region).nodes {
                facts.has_effects[region] |= facts.is_effect(id);
                facts.determine(id);
            }
        }
        facts.trace();
        facts
    }

    /// A loop may be endless, and that is an effect.
    fn is_effect(&self, id: NodeId) -> bool {
        let is_word = |it: &&Value| self.types.kind(**it) != region::Kind::State;
        match self.graph.op(id) {
            Op::Loop => true,
            Op::Switch => self.graph.inner(id).iter().any(|&it| self.has_effects[it]),
            Op::Use => self.graph.operands(id).iter().find(is_word).is_some(),
            op => has_effect(op) || quotient(self.graph, id).is_some(),
        }
    }

    fn determine(&mut self, id: NodeId) {
        if !matches!(self.graph.op(id), Op::Switch | Op::Loop) {
            return;
        }
        for output in 0..self.graph.node(id).outputs {
            let is_determined = |&case: &RegionId| {
                let result = self.graph.region(case).results[output as usize];
                let is_number = matches!(self.graph.op(result.node), Op::Number(_));
                is_number || self.determined.contains(&self.outside(id, result))
            };
            if self.graph.inner(id).iter().any(is_determined) {
                self.determined.insert(Value { node: id, output });
            }
        }
    }

    /// The input of a switch for an argument in one of its cases; other values are as they are.
    fn outside(&self, id: NodeId, value: Value) -> Value {
        match (self.graph.op(id), self.graph.op(value.node)) {
            (Op::Switch, Op::Arguments) => self.graph.operands(id)[1 + value.output as usize],
            _ => value,
        }
    }

    /// Follows the operands of predicates, and those of everything else, back to their origins.
    fn trace(&mut self) {
        let graph = self.graph;
        let (mut predicates, mut others) = (Vec::new(), graph.region(graph.main).results.clone());
        for id in graph.ids() {
            let inner = graph.inner(id);
            if graph.op(id) != Op::Function {
                inner.iter().for_each(|&it| self.owners[it] = Some(id));
            }
            match graph.op(id) {
                Op::Switch => predicates.push(graph.operands(id)[0]),
                Op::Loop => predicates.extend(graph.region(inner[0]).results.last()),
                Op::Function => {
                    others.extend(&graph.region(inner[0]).results);
                    others.extend(graph.operands(id));
                }
                Op::Use | Op::Call | Op::Force => others.extend(graph.operands(id)),
                Op::Operator(_) | Op::Arguments | Op::Number(_) => {}
            }
        }
        self.tested = self.origins(predicates);
        self.computed = self.origins(others);
    }

    /// All values on which these depend directly: operands of operations, results of regions for
    /// outputs, and inputs for arguments.
    fn origins(&self, mut open: Vec<Value>) -> HashSet<Value> {
        let (graph, mut origins) = (self.graph, HashSet::new());
        while let Some(value) = open.pop() {
            if !origins.insert(value) {
                continue;
            }
            let at = value.output as usize;
            match graph.op(value.node) {
                Op::Operator(_) => open.extend(graph.operands(value.node)),
                Op::Switch | Op::Loop => {
                    let inner = graph.inner(value.node).iter();
                    open.extend(inner.map(|&it| graph.region(it).results[at]));
                }
                Op::Arguments => {
                    let Some(owner) = self.owners[graph.node(value.node).region] else { continue };
                    match graph.op(owner) {
                        Op::Switch => open.push(graph.operands(owner)[1 + at]),
                        Op::Loop => {
                            open.push(graph.operands(owner)[at]);
                            open.push(graph.region(graph.inner(owner)[0]).results[at]);
                        }
                        _ => {}
                    }
                }
                Op::Number(_) | Op::Force | Op::Use | Op::Function | Op::Call => {}
            }
        }
        origins
    }

    fn kind(&self, id: NodeId) -> Kind {
        match self.graph.op(id) {
            Op::Arguments | Op::Number(_) | Op::Force => Kind::Name,
            Op::Use if !self.is_effect(id) => Kind::Name,
            Op::Function if !self.graph.operands(id).is_empty() => Kind::Name,
            // Their chains are assigned later.
            Op::Switch => Kind::Fixed(ChainId::from_index(0)),
            _ if self.is_effect(id) => Kind::Fixed(ChainId::from_index(0)),
            Op::Operator(_) | Op::Use | Op::Function | Op::Call | Op::Loop => Kind::Floating,
        }
    }

    /// The output of a switch or loop that determines a predicate.
    fn origin(&self, value: Value) -> Option<Value> {
        let is_selector = |it: &Value| self.determined.contains(it) && !self.computed.contains(it);
        Some(self.variable(value)).filter(is_selector)
    }

    /// The only variable operand of an operation, and so on.
    fn variable(&self, mut value: Value) -> Value {
        let is_variable = |it: &&Value| !matches!(self.graph.op(it.node), Op::Number(_));
        while let Op::Operator(_) = self.graph.op(value.node) {
            let mut variables = self.graph.operands(value.node).iter().filter(is_variable);
            let (Some(&only), None) = (variables.next(), variables.next()) else { break };
            value = only;
        }
        value
    }

    /// The outputs of switches and loops that determine a predicate outside of their region.
    fn tested_results(&self, region: RegionId) -> impl Iterator<Item = NodeId> {
        let owner = self.owners[region];
        let is_tested = move |output: usize| {
            let Some(node) = owner else { return false };
            let output = output as u32;
            // The last result of a loop is its predicate.
            let is_predicate = output == self.graph.node(node).outputs;
            is_predicate || self.tested.contains(&Value { node, output })
        };
        let results = self.graph.region(region).results.iter().enumerate();
        let tested = results.filter(move |(output, _)| is_tested(*output));
        tested.filter_map(|(_, &it)| self.origin(it)).map(|it| it.node)
    }

    /// The nodes of a region in their order.
    fn order(&self, region: RegionId) -> Vec<NodeId> {
        let nodes = &self.graph.region(region).nodes;
        let is_branch = |&it: &NodeId| matches!(self.graph.op(it), Op::Switch | Op::Loop);
        match nodes.iter().any(is_branch) {
            true => Ordering::new(self, region).ordered(),
            false => nodes.clone(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Kind {
    /// It is no step of a block.
    #[default]
    Name,
    Floating,
    /// It is in a chain.
    Fixed(ChainId),
}

struct Ordering<'g> {
    graph: &'g Graph,
    /// The nodes of the region. The number after them is that of the region's end.
    nodes: &'g [NodeId],
    is_inner: bool,
    kinds: SideTable<Local, Kind>,
    chains: ListTable<ChainId, Local>,
    predecessors: ListTable<Local, Local>,
    successors: ListTable<Local, Local>,
    /// The number of predecessors that are not placed.
    missing: SideTable<Local, u32>,
    is_placed: SideTable<Local, bool>,
    /// The chain for which a node was searched last.
    searched: SideTable<Local, u32>,
    /// Floating nodes without missing predecessors.
    ready: BinaryHeap<Reverse<Local>>,
    order: Vec<NodeId>,
}

impl<'g> Ordering<'g> {
    fn new(facts: &Facts<'g>, region: RegionId) -> Ordering<'g> {
        let graph = facts.graph;
        let nodes = &graph.region(region).nodes;
        let count = nodes.len() + 1;
        let local: FxHashMap<_, _> =
            nodes.iter().enumerate().map(|(at, &it)| (it, Local::from_index(at))).collect();
        let (mut kinds, mut members) = (SideTable::new(count), Vec::new());
        let (mut arcs, mut last_effect, mut chains) = (Vec::new(), None, 0);
        for (at, &id) in nodes.iter().enumerate() {
            let at = Local::from_index(at);
            arcs.extend(graph.operands(id).iter().map(|it| (at, local[&it.node])));
            if facts.is_effect(id) {
                arcs.extend(last_effect.replace(at).map(|before| (at, before)));
            }
            kinds[at] = facts.kind(id);
            if let Kind::Fixed(_) = kinds[at] {
                let predicate = graph.operands(id).first().filter(|_| graph.op(id) == Op::Switch);
                let origin = predicate.and_then(|&it| facts.origin(it));
                let chain = match origin.map(|it| kinds[local[&it.node]]) {
                    Some(Kind::Fixed(chain)) => chain,
                    _ => {
                        chains += 1;
                        ChainId::from_index(chains - 1)
                    }
                };
                kinds[at] = Kind::Fixed(chain);
                members.push((chain, at));
            }
        }
        // The end is in the last chain that determines a tested result.
        let results = &graph.region(region).results;
        let end = Local::from_index(nodes.len());
        arcs.extend(results.iter().map(|it| (end, local[&it.node])));
        let tested = facts.tested_results(region).map(|it| local[&it]).max();
        let chain = match tested.map(|it| kinds[it]) {
            Some(Kind::Fixed(chain)) => chain,
            _ => {
                chains += 1;
                ChainId::from_index(chains - 1)
            }
        };
        kinds[end] = Kind::Fixed(chain);
        members.push((chain, end));
        let mut missing: SideTable<Local, u32> = SideTable::new(count);
        arcs.iter().for_each(|&(at, _)| missing[at] += 1);
        let reversed = arcs.iter().map(|&(at, before)| (before, at));
        Ordering {
            graph,
            nodes,
            is_inner: facts.owners[region].is_some(),
            kinds,
            chains: ListTable::group(chains, members.into_iter()),
            predecessors: ListTable::group(count, arcs.iter().copied()),
            successors: ListTable::group(count, reversed),
            missing,
            is_placed: SideTable::new(count),
            searched: SideTable::new(count),
            ready: BinaryHeap::new(),
            order: Vec::new(),
        }
    }

    fn ordered(mut self) -> Vec<NodeId> {
        for at in (0..self.nodes.len()).map(Local::from_index) {
            if self.missing[at] == 0 && !self.is_placed[at] {
                self.becomes_ready(at);
            }
        }
        let mut is_beside_effect = false;
        for chain in self.sequence() {
            let members = self.chains[chain].to_vec();
            // A loop or the end alone needs no block before it.
            let op = self.nodes.get(members[0].index()).map(|&it| self.graph.op(it));
            let is_free = match op {
                Some(Op::Loop) => is_beside_effect,
                Some(_) => true,
                None => is_beside_effect || !self.is_inner,
            };
            is_beside_effect = !matches!(op, Some(Op::Loop | Op::Switch));
            if is_free || self.needs_ready(chain, &members) {
                self.place_ready();
            }
            members.into_iter().for_each(|it| self.place_with_operands(it));
        }
        self.place_ready();
        (0..self.nodes.len()).for_each(|at| self.place_with_operands(Local::from_index(at)));
        self.order
    }

    /// The chains; each is after those that it needs, except where two need one another.
    fn sequence(&self) -> Vec<ChainId> {
        enum Task {
            Node(Local),
            Close(ChainId),
        }
        let mut sequence = Vec::new();
        let mut is_seen: SideTable<Local, bool> = SideTable::new(self.nodes.len() + 1);
        let mut is_open: SideTable<ChainId, bool> = SideTable::new(self.chains.len());
        for first in (0..=self.nodes.len()).map(Local::from_index) {
            let mut open = vec![Task::Node(first)];
            while let Some(task) = open.pop() {
                let at = match task {
                    Task::Close(chain) => {
                        sequence.push(chain);
                        continue;
                    }
                    Task::Node(at) if std::mem::replace(&mut is_seen[at], true) => continue,
                    Task::Node(at) => at,
                };
                let Kind::Fixed(chain) = self.kinds[at] else {
                    open.extend(self.predecessors[at].iter().map(|&it| Task::Node(it)));
                    continue;
                };
                if !std::mem::replace(&mut is_open[chain], true) {
                    open.push(Task::Close(chain));
                    for &member in self.chains[chain].iter().rev() {
                        is_seen[member] = true;
                        let predecessors = self.predecessors[member].iter().rev();
                        open.extend(predecessors.map(|&it| Task::Node(it)));
                    }
                }
            }
        }
        sequence
    }

    /// Whether a chain needs floating nodes that can be placed now.
    fn needs_ready(&mut self, chain: ChainId, members: &[Local]) -> bool {
        let mark = chain.index() as u32 + 1;
        let mut open = members.to_vec();
        while let Some(at) = open.pop() {
            if self.is_placed[at] || std::mem::replace(&mut self.searched[at], mark) == mark {
                continue;
            }
            if self.kinds[at] == Kind::Floating && self.missing[at] == 0 {
                return true;
            }
            open.extend(&self.predecessors[at]);
        }
        false
    }

    fn place_ready(&mut self) {
        while let Some(Reverse(at)) = self.ready.pop() {
            if !self.is_placed[at] {
                self.place(at);
            }
        }
    }

    fn place_with_operands(&mut self, at: Local) {
        let mut open = vec![at];
        while let Some(&at) = open.last() {
            let before = open.len();
            if !self.is_placed[at] {
                let missing = self.predecessors[at].iter().rev();
                open.extend(missing.filter(|&&it| !self.is_placed[it]));
            }
            if open.len() == before {
                open.pop();
                if !self.is_placed[at] {
                    self.place(at);
                }
            }
        }
    }

    /// Places a node, and the names that need nothing else.
    fn place(&mut self, at: Local) {
        let mut open = vec![at];
        while let Some(at) = open.pop() {
            self.is_placed[at] = true;
            self.order.extend(self.nodes.get(at.index()));
            for number in 0..self.successors[at].len() {
                let user = self.successors[at][number];
                self.missing[user] -= 1;
                if self.missing[user] == 0 {
                    match self.kinds[user] {
                        Kind::Name => open.push(user),
                        Kind::Floating => self.ready.push(Reverse(user)),
                        Kind::Fixed(_) => {}
                    }
                }
            }
        }
    }

    fn becomes_ready(&mut self, at: Local) {
        match self.kinds[at] {
            Kind::Name => self.place(at),
            Kind::Floating => self.ready.push(Reverse(at)),
            Kind::Fixed(_) => {}
        }
    }
}
