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
    let mut is_inner: SideTable<RegionId, bool> = SideTable::default();
    for id in graph.ids().filter(|&id| graph.op(id) != Op::Function) {
        graph.inner(id).iter().for_each(|&it| is_inner[it] = true);
    }
    let mut result = graph.clone();
    for region in graph.region_ids() {
        result.set_order(region, facts.order(region, is_inner[region]));
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
}

impl<'g> Facts<'g> {
    fn new(graph: &'g Graph, types: &'g Types) -> Facts<'g> {
        let has_effects = SideTable::default();
        let mut facts = Facts { graph, types, has_effects, determined: HashSet::new() };
        for region in graph.inside_out() {
            for &id in &graph.region(region).nodes {
                facts.has_effects[region] |= facts.is_effect(id);
                facts.determine(id);
            }
        }
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
                is_number || self.determined.contains(&result)
            };
            if self.graph.inner(id).iter().any(is_determined) {
                self.determined.insert(Value { node: id, output });
            }
        }
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

    /// The switch or loop that determines the predicate of a switch.
    fn origin(&self, id: NodeId) -> Option<NodeId> {
        let mut value = match self.graph.op(id) {
            Op::Switch => self.graph.operands(id)[0],
            _ => return None,
        };
        let is_variable = |it: &&Value| !matches!(self.graph.op(it.node), Op::Number(_));
        while let Op::Operator(_) = self.graph.op(value.node) {
            let mut variables = self.graph.operands(value.node).iter().filter(is_variable);
            value = *variables.next()?;
            if variables.next().is_some() {
                return None;
            }
        }
        self.determined.contains(&value).then_some(value.node)
    }

    /// The nodes of a region in their order; `is_inner` if it is part of a switch or a loop.
    fn order(&self, region: RegionId, is_inner: bool) -> Vec<NodeId> {
        let nodes = &self.graph.region(region).nodes;
        let is_branch = |&it: &NodeId| matches!(self.graph.op(it), Op::Switch | Op::Loop);
        match nodes.iter().any(is_branch) {
            true => Ordering::new(self, region, is_inner).ordered(),
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
    nodes: &'g [NodeId],
    /// The nodes that the results need, and whether the region is part of a switch or a loop.
    results: Vec<Local>,
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
    fn new(facts: &Facts<'g>, region: RegionId, is_inner: bool) -> Ordering<'g> {
        let graph = facts.graph;
        let nodes = &graph.region(region).nodes;
        let local: FxHashMap<_, _> =
            nodes.iter().enumerate().map(|(at, &it)| (it, Local::from_index(at))).collect();
        let locals = || (0..nodes.len()).map(Local::from_index);
        let (mut kinds, mut members) = (SideTable::new(nodes.len()), Vec::new());
        let (mut arcs, mut last_effect, mut chains) = (Vec::new(), None, 0);
        for at in locals() {
            let id = nodes[at.index()];
            arcs.extend(graph.operands(id).iter().map(|it| (at, local[&it.node])));
            if facts.is_effect(id) {
                arcs.extend(last_effect.replace(at).map(|before| (at, before)));
            }
            kinds[at] = facts.kind(id);
            let Kind::Fixed(_) = kinds[at] else { continue };
            let chain = match facts.origin(id).map(|it| kinds[local[&it]]) {
                Some(Kind::Fixed(chain)) => chain,
                _ => {
                    chains += 1;
                    ChainId::from_index(chains - 1)
                }
            };
            kinds[at] = Kind::Fixed(chain);
            members.push((chain, at));
        }
        let mut missing: SideTable<Local, u32> = SideTable::new(nodes.len());
        arcs.iter().for_each(|&(at, _)| missing[at] += 1);
        let reversed = arcs.iter().map(|&(at, before)| (before, at));
        let results = graph.region(region).results.iter().map(|it| local[&it.node]);
        Ordering {
            graph,
            nodes,
            results: results.collect(),
            is_inner,
            kinds,
            chains: ListTable::group(chains, members.into_iter()),
            predecessors: ListTable::group(nodes.len(), arcs.iter().copied()),
            successors: ListTable::group(nodes.len(), reversed),
            missing,
            is_placed: SideTable::new(nodes.len()),
            searched: SideTable::new(nodes.len()),
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
        let sequence = self.sequence();
        let mut is_beside_effect = false;
        for (at, &chain) in sequence.iter().enumerate() {
            let members = self.chains[chain].to_vec();
            let op = |it: Local| self.graph.op(self.nodes[it.index()]);
            let is_free = op(members[0]) != Op::Loop || is_beside_effect;
            is_beside_effect = !matches!(op(members[0]), Op::Loop | Op::Switch);
            let is_last = at + 1 == sequence.len();
            if is_free || self.needs_ready(chain, &members, is_last) {
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
        let mut is_seen: SideTable<Local, bool> = SideTable::new(self.nodes.len());
        let mut is_open: SideTable<ChainId, bool> = SideTable::new(self.chains.len());
        for first in (0..self.nodes.len()).map(Local::from_index) {
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

    /// Whether a chain needs floating nodes that can be placed now. The last chain of a case or a
    /// loop is next to the end, so it needs what the end needs.
    fn needs_ready(&mut self, chain: ChainId, members: &[Local], is_last: bool) -> bool {
        let mark = chain.index() as u32 + 1;
        let mut open = members.to_vec();
        if is_last && self.is_inner {
            open.extend(&self.results);
        }
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
            self.order.push(self.nodes[at.index()]);
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
