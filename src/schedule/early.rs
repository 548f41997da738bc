//! Early placement: every node goes into the first block in which its inputs are available.
//!
//! A Phi belongs to its Region. Any other value is computed from its inputs, whose blocks all
//! dominate the uses; the deepest of them in the dominator tree is the first block in which all
//! inputs are available. Source: C. Click, "Global Code Motion / Global Value Numbering", PLDI
//! 1995.
use super::control_flow::is_end;
use super::layout::Layout;
use super::{BlockId, Schedule};
#[cfg(feature = "ch14")]
use crate::sea::extension;
use crate::sea::{Graph, NodeId, Op};
use crate::types::Type;
use arena::{Id, SideTable};
use flow::Dominators;
use picture::Kind;

/// Places all values that an If or a Return uses.
pub fn place(graph: &Graph, layout: Layout) -> Placement<'_> {
    let Layout { blocks, predecessors, block_of, dominators } = layout;
    let schedule = Schedule { order: Vec::new(), blocks, predecessors, block_of };
    let mut placement = Placement {
        graph,
        schedule,
        dominators,
        order: Vec::new(),
        phis: Vec::new(),
        updates: Vec::new(),
        open: Vec::new(),
        #[cfg(feature = "ch10")]
        loads: Loads::default(),
    };
    for block in placement.schedule.blocks.ids() {
        placement.need_values_of(placement.schedule.blocks[block].end, |_| false);
    }
    let mut done = 0;
    loop {
        if let Some(&phi) = placement.phis.get(done) {
            // Updates wait until the other uses of the old value are placed.
            placement.need_values_of(phi, |value| is_computed_from(graph, value, phi));
            done += 1;
        } else if let Some(update) = placement.updates.pop() {
            placement.open.push((update, false));
            placement.place_open();
        } else {
            return placement;
        }
    }
}

/// Whether a Phi is an operand of the operation that computes a value.
fn is_computed_from(graph: &Graph, value: NodeId, phi: NodeId) -> bool {
    #[cfg(feature = "ch14")]
    let value = extension(graph, value).map_or(value, |it| it.0);
    graph.inputs(value).any(|input| input == phi)
}

pub struct Placement<'g> {
    pub graph: &'g Graph,
    pub schedule: Schedule,
    pub dominators: Dominators<BlockId>,
    /// The values that are used, each after its inputs.
    pub order: Vec<NodeId>,
    /// The Phis that are used.
    pub phis: Vec<NodeId>,
    /// Updates: new values of loop variables that are computed from the old ones.
    updates: Vec<NodeId>,
    /// The values being placed, and whether their inputs have been placed.
    open: Vec<(NodeId, bool)>,
    #[cfg(feature = "ch10")]
    loads: Loads,
}

/// The loads that must be placed before a store.
#[cfg(feature = "ch10")]
#[derive(Default)]
struct Loads {
    /// The values that are used, as soon as there is a store.
    used: Option<SideTable<NodeId, bool>>,
    /// The states of memory whose loads are placed.
    read: SideTable<NodeId, bool>,
}

impl Placement<'_> {
    /// Places the values of a node, except for those that must wait.
    fn need_values_of(&mut self, id: NodeId, waits: impl Fn(NodeId) -> bool) {
        for value in self.schedule.values(self.graph, id) {
            if waits(value) {
                self.updates.push(value);
            } else {
                self.open.push((value, false));
            }
        }
        self.open.reverse();
        self.place_open();
    }

    /// Places the open values and their inputs.
    fn place_open(&mut self) {
        while let Some((id, inputs_done)) = self.open.pop() {
            if self.schedule.block_of[id].is_some() {
                continue;
            }
            if self.schedule.is_merge(self.graph, id) {
                self.schedule.block_of[id] = self.schedule.block_of[self.graph.input(id, 0)];
                self.phis.push(id);
            } else if inputs_done {
                self.place_old_value_uses(id);
                self.put(id);
            } else {
                self.open.push((id, true));
                self.open_values(id);
            }
        }
    }

    /// Pushes the inputs, the first one last, so that it is placed first.
    fn open_values(&mut self, id: NodeId) {
        let values = self.schedule.values(self.graph, id).rev();
        let new = values.filter(|&value| self.schedule.block_of[value].is_none());
        new.for_each(|value| self.open.push((value, false)));
        #[cfg(feature = "ch10")]
        self.open_loads(id);
    }

    /// Pushes the loads from the memory that `id` overwrites: they are placed before. Several
    /// branches may overwrite it. A Phi with one live predecessor stands for that one's memory.
    #[cfg(feature = "ch10")]
    fn open_loads(&mut self, id: NodeId) {
        let (graph, schedule) = (self.graph, &self.schedule);
        let is_memory = |id: &NodeId| graph.ty(*id) == Type::MEMORY;
        if !is_memory(&id) {
            return;
        }
        let Some(memory) = schedule.values(graph, id).find(is_memory) else { return };
        let Loads { used, read } = &mut self.loads;
        if std::mem::replace(&mut read[memory], true) {
            return;
        }
        let used = used.get_or_insert_with(|| used_values(graph, schedule));
        let is_load = |user: &NodeId| matches!(graph.op(*user), Op::Load(_)) && used[*user];
        let loads = graph.users(memory).filter(is_load);
        self.open.extend(loads.map(|load| (load, false)));
    }

    fn put(&mut self, id: NodeId) {
        self.schedule.block_of[id] = Some(self.first_block(id));
        self.order.push(id);
    }

    /// If `id` is the update of a loop variable, places the other uses of the old value that update
    /// other variables. Then the old value is dead after the update, and both can share a register.
    fn place_old_value_uses(&mut self, id: NodeId) {
        let graph = self.graph;
        for old in graph.inputs(id).filter(|&it| graph.op(it).is_phi()) {
            if self.is_update(id, old) {
                for user in graph.users(old) {
                    if user != id && self.is_ready_for_phi(user) {
                        self.put(user);
                    }
                }
            }
        }
    }

    /// Whether the value is one of those of a Phi.
    /// @ch14 It may be extended before.
    fn is_update(&self, id: NodeId, phi: NodeId) -> bool {
        let (graph, schedule) = (self.graph, &self.schedule);
        let values = schedule.values(graph, phi);
        #[cfg(feature = "ch14")]
        let values = values.map(|it| extension(graph, it).map_or(it, |it| it.0));
        schedule.is_merge(graph, phi) && values.filter(|&value| value == id).count() > 0
    }

    /// Whether a value is not placed yet, has all its inputs, and is used by a Phi that is placed.
    fn is_ready_for_phi(&self, id: NodeId) -> bool {
        let (graph, schedule) = (self.graph, &self.schedule);
        let is_needed = |phi: NodeId| schedule.block_of[phi].is_some() && self.is_update(id, phi);
        let is_value = graph.op(id).row().kind == Kind::Data && !graph.op(id).is_phi();
        #[cfg(feature = "ch10")]
        let is_value = is_value && !graph.op(id).writes_memory();
        is_value
            && schedule.block_of[id].is_none()
            && schedule.values(graph, id).all(|it| schedule.block_of[it].is_some())
            && graph.users(id).any(is_needed)
    }

    /// The deepest block of its inputs.
    fn first_block(&self, id: NodeId) -> BlockId {
        let values = self.schedule.values(self.graph, id);
        let blocks = values.filter_map(|it| self.schedule.block_of[it]);
        #[cfg(feature = "ch10")]
        let blocks = blocks.chain(self.control_block(id));
        let deepest = blocks.max_by_key(|&block| self.dominators.depth(block));
        deepest.unwrap_or(Id::from_index(0))
    }

    /// The block whose control a node depends on.
    #[cfg(feature = "ch10")]
    fn control_block(&self, id: NodeId) -> Option<BlockId> {
        #[cfg(feature = "ch18")]
        if self.graph.op(id).is_given() {
            return self.given_block(self.graph.input(id, 0));
        }
        let is_pinned = self.graph.op(id).is_pinned();
        is_pinned.then(|| self.schedule.block_of[self.graph.input(id, 0)]).flatten()
    }

    /// The block in which the values that a node gives begin: Start, a function, or a call.
    #[cfg(feature = "ch18")]
    fn given_block(&self, id: NodeId) -> Option<BlockId> {
        match self.graph.op(id) {
            Op::Function(_) => self.schedule.block_of[id],
            Op::Call(_) => {
                let after = |user: &NodeId| self.graph.op(*user) == Op::Projection(0);
                self.schedule.block_of[self.graph.users(id).find(after)?]
            }
            _ => None,
        }
    }

    /// Sorts the nodes into their blocks: Phis, values, and the end of the block.
    pub fn finish(mut self) -> Schedule {
        self.phis.sort_unstable();
        let block_of = &self.schedule.block_of;
        let ends = self.schedule.blocks.ids().map(|block| self.schedule.blocks[block].end);
        let ends = ends.filter(|&end| is_end(self.graph.op(end)));
        let nodes: Vec<_> = self.phis.iter().chain(&self.order).copied().chain(ends).collect();
        let block = |id: NodeId| block_of[id].expect("every node is placed");
        let mut places: SideTable<BlockId, u32> = SideTable::new(self.schedule.blocks.len());
        nodes.iter().for_each(|&id| places[block(id)] += 1);
        let mut first = 0;
        for id in self.schedule.blocks.ids() {
            let count = std::mem::replace(&mut places[id], first);
            let block = &mut self.schedule.blocks[id];
            (block.first, block.last) = (first, first + count);
            first += count;
        }
        let mut order = nodes.clone();
        for id in nodes {
            let place = &mut places[block(id)];
            order[*place as usize] = id;
            *place += 1;
        }
        Schedule { order, ..self.schedule }
    }
}

/// The values that an If or a Return uses.
#[cfg(feature = "ch10")]
fn used_values(graph: &Graph, schedule: &Schedule) -> SideTable<NodeId, bool> {
    let ends = schedule.blocks.ids().map(|block| schedule.blocks[block].end);
    let is_value = |id: &NodeId| graph.op(*id).row().kind == Kind::Data;
    flow::dependencies(ends, graph.len(), |user| schedule.values(graph, user).filter(is_value))
}
