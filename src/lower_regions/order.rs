//! The order in which the nodes of a region are lowered: a switch on a predicate that an earlier
//! switch or loop determines is next to it.
//!
//! Then nothing is computed between an assignment of the predicate and its test, so threading can
//! replace the test by jumps. The nodes that stay in their order are those with effects; all others
//! float. A node that floats is lowered where a block is needed anyway: before a switch, or beside
//! an effect. Before a loop or at the end of its region it is lowered only if it is needed there.
//! Source: H. Bahmann et al., "Perfect Reconstructability of Control Flow from Demand Dependence
//! Graphs", ACM TACO 11, 2015, section 5.
use super::selectors::Selectors;
use crate::region::{Graph, NodeId, Op, RegionId, Types};
use arena::{FxHashMap, Id, ListTable, SideTable, id};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

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
    let selectors = Selectors::new(graph, types);
    let mut result = graph.clone();
    for region in graph.region_ids() {
        result.set_order(region, order(&selectors, region));
    }
    result
}

/// The nodes of a region in their order.
fn order(selectors: &Selectors, region: RegionId) -> Vec<NodeId> {
    let graph = selectors.graph;
    let nodes = &graph.region(region).nodes;
    match nodes.iter().any(|&it| matches!(graph.op(it), Op::Switch | Op::Loop)) {
        true => Ordering::new(selectors, region).ordered(),
        false => nodes.clone(),
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
    fn new(selectors: &Selectors<'g>, region: RegionId) -> Ordering<'g> {
        let graph = selectors.graph;
        let nodes = &graph.region(region).nodes;
        let count = nodes.len() + 1;
        let local: FxHashMap<_, _> =
            nodes.iter().enumerate().map(|(at, &it)| (it, Local::from_index(at))).collect();
        let arcs = dependencies(selectors, region, &local);
        let mut missing: SideTable<Local, u32> = SideTable::new(count);
        arcs.iter().for_each(|&(at, _)| missing[at] += 1);
        let reversed = arcs.iter().map(|&(at, before)| (before, at));
        let (kinds, chains) = chains(selectors, region, &local);
        Ordering {
            graph,
            nodes,
            is_inner: selectors.owners[region].is_some(),
            kinds,
            chains,
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

/// A fixed node gets its chain later.
fn kind(selectors: &Selectors, id: NodeId) -> Kind {
    match selectors.graph.op(id) {
        Op::Arguments | Op::Number(_) | Op::Force => Kind::Name,
        Op::Use if !selectors.is_effect(id) => Kind::Name,
        Op::Function if !selectors.graph.operands(id).is_empty() => Kind::Name,
        Op::Switch => Kind::Fixed(ChainId::from_index(0)),
        _ if selectors.is_effect(id) => Kind::Fixed(ChainId::from_index(0)),
        Op::Operator(_) | Op::Use | Op::Function | Op::Call | Op::Loop => Kind::Floating,
    }
}

/// The nodes that each node depends on: its operands, and the last effect before its own. The end
/// of the region depends on the results.
fn dependencies(
    selectors: &Selectors,
    region: RegionId,
    local: &FxHashMap<NodeId, Local>,
) -> Vec<(Local, Local)> {
    let (graph, mut arcs, mut last_effect) = (selectors.graph, Vec::new(), None);
    let nodes = &graph.region(region).nodes;
    for (at, &id) in nodes.iter().enumerate() {
        let at = Local::from_index(at);
        arcs.extend(graph.operands(id).iter().map(|it| (at, local[&it.node])));
        if selectors.is_effect(id) {
            arcs.extend(last_effect.replace(at).map(|before| (at, before)));
        }
    }
    let end = Local::from_index(nodes.len());
    arcs.extend(graph.region(region).results.iter().map(|it| (end, local[&it.node])));
    arcs
}

/// The kinds of all nodes, and the members of the chains.
fn chains(
    selectors: &Selectors,
    region: RegionId,
    local: &FxHashMap<NodeId, Local>,
) -> (SideTable<Local, Kind>, ListTable<ChainId, Local>) {
    let graph = selectors.graph;
    let nodes = &graph.region(region).nodes;
    let mut kinds: SideTable<Local, Kind> = SideTable::new(nodes.len() + 1);
    let (mut members, mut count) = (Vec::new(), 0);
    let mut add = |at: Local, origin: Option<Local>, kinds: &mut SideTable<Local, Kind>| {
        let chain = match origin.map(|it| kinds[it]) {
            Some(Kind::Fixed(chain)) => chain,
            _ => {
                count += 1;
                ChainId::from_index(count - 1)
            }
        };
        kinds[at] = Kind::Fixed(chain);
        members.push((chain, at));
    };
    for (at, &id) in nodes.iter().enumerate() {
        let at = Local::from_index(at);
        kinds[at] = kind(selectors, id);
        if let Kind::Fixed(_) = kinds[at] {
            let predicate = graph.operands(id).first().filter(|_| graph.op(id) == Op::Switch);
            let origin = predicate.and_then(|&it| selectors.origin(it));
            add(at, origin.map(|it| local[&it.node]), &mut kinds);
        }
    }
    // The end is in the last chain that determines a tested result.
    let tested = selectors.tested_results(region).map(|it| local[&it]).max();
    add(Local::from_index(nodes.len()), tested, &mut kinds);
    (kinds, ListTable::group(count, members.into_iter()))
}
