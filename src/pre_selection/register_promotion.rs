//! Register promotion: the address of the next object is a value, as long as allocations follow.
//!
//! Source: J. Lu, K. D. Cooper, "Register Promotion in C Programs", PLDI 1997. A word of memory
//! that a loop loads and stores in each iteration is loaded once before the loop and stored once
//! after it. No reference of a program leads to the word with the address of the next object, so
//! other accesses never read or change it.
use crate::firm::{Access, ControlFlow, Graph, Mode, Node, NodeId, Op, blocks, renumber};
use crate::heap::NEXT;
use arena::SideTable;

/// Its name among the rewrites that can be switched off.
pub const NAME: &str = "register-promotion";

pub const LAW: &str = "the address of the next object is a value between two allocations";

/// Loads the address of the next object before the first allocation of each path, and stores it
/// after the last one.
pub fn promote(graph: Graph) -> Graph {
    // A function that is called may allocate, too.
    #[cfg(feature = "ch26")]
    if graph.ids().any(|id| matches!(graph.op(id), Op::Call(_))) {
        return graph;
    }
    let is_allocation = |id: &NodeId| is_next(&graph, *id, Op::Store(Access::Plain));
    let Some(allocation) = graph.ids().find(is_allocation) else { return graph };
    let next = graph.operands(allocation)[1];
    let flow = ControlFlow::new(&graph);
    let paths = Paths::new(&graph, &flow);
    if !paths.need_a_value(&graph) {
        return graph;
    }
    let table = || SideTable::new(graph.len());
    let (replaced, memories, values) = (table(), table(), table());
    let order = Vec::with_capacity(graph.len());
    let phis = Vec::new();
    let mut promotion =
        Promotion { graph, flow, paths, next, replaced, memories, values, phis, order };
    for block in blocks(&promotion.graph).collect::<Vec<_>>() {
        promotion.block(block);
    }
    promotion.finish()
}

/// Whether a node loads or stores the address of the next object.
fn is_next(graph: &Graph, id: NodeId, op: Op) -> bool {
    graph.op(id) == op && graph.op(graph.operands(id)[1]) == Op::Const(NEXT.into())
}

/// The allocations on the paths through each block.
struct Paths {
    inside: SideTable<NodeId, bool>,
    /// Whether one is on some path to the block.
    before: SideTable<NodeId, bool>,
    /// Whether one is on some path from its end.
    after: SideTable<NodeId, bool>,
}

impl Paths {
    fn new(graph: &Graph, flow: &ControlFlow) -> Paths {
        let mut inside = SideTable::new(graph.len());
        for id in graph.ids().filter(|&id| is_next(graph, id, Op::Store(Access::Plain))) {
            inside[graph.node(id).block] = true;
        }
        let before = reached(graph, &inside, |block| flow.successors(block));
        let after = reached(graph, &inside, |block| predecessors(graph, block));
        Paths { inside, before, after }
    }

    /// Whether some path has two allocations.
    fn need_a_value(&self, graph: &Graph) -> bool {
        let mut seen: SideTable<NodeId, bool> = SideTable::new(graph.len());
        let allocations = graph.ids().filter(|&id| is_next(graph, id, Op::Store(Access::Plain)));
        let mut in_blocks = allocations.map(|id| graph.node(id).block);
        in_blocks.any(|block| {
            self.before[block] || self.after[block] || std::mem::replace(&mut seen[block], true)
        })
    }

    /// Whether the address is a value at the beginning of a block.
    fn is_value_before(&self, block: NodeId) -> bool {
        self.before[block] && (self.inside[block] || self.after[block])
    }

    /// Whether the address is a value at its end.
    fn is_value_after(&self, block: NodeId) -> bool {
        self.after[block] && (self.inside[block] || self.before[block])
    }
}

/// The blocks that lie on a path from a block with an allocation, which itself only counts if the
/// path returns to it.
fn reached<I: Iterator<Item = NodeId>>(
    graph: &Graph,
    inside: &SideTable<NodeId, bool>,
    next: impl Fn(NodeId) -> I,
) -> SideTable<NodeId, bool> {
    let mut is_reached = SideTable::new(graph.len());
    let mut open: Vec<_> = blocks(graph).filter(|&block| inside[block]).collect();
    while let Some(block) = open.pop() {
        for block in next(block) {
            if !std::mem::replace(&mut is_reached[block], true) {
                open.push(block);
            }
        }
    }
    is_reached
}

fn predecessors(graph: &Graph, block: NodeId) -> impl ExactSizeIterator<Item = NodeId> {
    graph.operands(block).iter().map(|&jump| graph.node(jump).block)
}

struct Promotion {
    graph: Graph,
    flow: ControlFlow,
    paths: Paths,
    /// The address of the word.
    next: NodeId,
    /// The value that a Load of the word is replaced by.
    replaced: SideTable<NodeId, Option<NodeId>>,
    /// The state of memory at the end of each block.
    memories: SideTable<NodeId, Option<NodeId>>,
    /// The word at the end of each block, if it is a value there.
    values: SideTable<NodeId, Option<NodeId>>,
    /// The Phis of the word.
    phis: Vec<NodeId>,
    /// The nodes of the new graph.
    order: Vec<NodeId>,
}

impl Promotion {
    /// Replaces the Loads and Stores of the word in a block, and links the others anew.
    fn block(&mut self, block: NodeId) {
        self.order.push(block);
        let before = predecessors(&self.graph, block).next();
        let mut memory = before.and_then(|it| self.memories[it]).unwrap_or(self.graph.start);
        let mut value = self.begin(block, &mut memory);
        let nodes = self.flow.nodes(block).to_vec();
        let last_store = nodes.iter().copied().rfind(|&id| self.is_store(id));
        let kept = last_store.filter(|_| !self.paths.after[block]);
        for &id in &nodes {
            if Some(&id) == nodes.last() && value.is_none() && self.is_value_next(block) {
                value = Some(self.load(block, &mut memory));
            }
            self.set_memory(id, memory);
            if is_next(&self.graph, id, Op::Load(Access::Plain)) {
                self.replaced[id] = value;
                value = value.or(Some(id));
            } else if self.is_store(id) {
                value = Some(self.graph.operands(id)[2]);
            }
            if self.replaced[id].is_some() || self.is_store(id) && Some(id) != kept {
                continue;
            }
            if self.graph.is_memory(id) {
                memory = id;
            }
            self.order.push(id);
        }
        (self.memories[block], self.values[block]) = (Some(memory), value);
    }

    fn is_store(&self, id: NodeId) -> bool {
        is_next(&self.graph, id, Op::Store(Access::Plain))
    }

    /// Whether the word is a value at the beginning of a block after this one.
    fn is_value_next(&self, block: NodeId) -> bool {
        self.flow.successors(block).any(|it| self.paths.is_value_before(it))
    }

    /// The word at the beginning of a block.
    fn begin(&mut self, block: NodeId, memory: &mut NodeId) -> Option<NodeId> {
        let known: Vec<_> = predecessors(&self.graph, block).map(|it| self.values[it]).collect();
        let same = known.first().copied().flatten();
        let same = same.filter(|_| known.iter().all(|&it| it == same));
        if self.paths.is_value_before(block) {
            return same.or_else(|| {
                let operands = vec![self.next; known.len()];
                let phi = self.graph.add(Op::Phi, Mode::Is, block, &operands);
                self.order.push(phi);
                self.phis.push(phi);
                Some(phi)
            });
        }
        let is_value = |it| self.paths.is_value_after(it);
        let is_left = known.len() == 1 && predecessors(&self.graph, block).all(is_value);
        if let Some(value) = same.filter(|_| is_left) {
            self.store(block, memory, value);
        }
        None
    }

    /// Loads the word before the jump to a join at which it is a value.
    fn load(&mut self, block: NodeId, memory: &mut NodeId) -> NodeId {
        let load = Op::Load(Access::Plain);
        *memory = self.graph.add(load, Mode::Is, block, &[*memory, self.next]);
        self.order.push(*memory);
        *memory
    }

    fn store(&mut self, block: NodeId, memory: &mut NodeId, value: NodeId) {
        let operands = [*memory, self.next, value];
        *memory = self.graph.add(Op::Store(Access::Plain), Mode::Is, block, &operands);
        self.order.push(*memory);
    }

    /// Gives a node the state of memory before it.
    fn set_memory(&mut self, id: NodeId, memory: NodeId) {
        let op = self.graph.op(id);
        if op.accesses_memory() || op == Op::Return {
            self.graph.set_operand(id, 0, memory);
        }
    }

    /// Gives the Phis their operands, and all nodes the values in place of Loads.
    fn finish(mut self) -> Graph {
        for phi in self.phis.clone().into_iter().rev() {
            self.set_operands(phi, |it, block| it.values[block]);
            // The Phi of a loop that contains no allocation.
            let mut others = self.graph.operands(phi).iter().filter(|&&it| it != phi);
            let first = others.next().copied();
            self.replaced[phi] = first.filter(|first| others.all(|it| it == first));
        }
        self.order.retain(|&id| self.replaced[id].is_none());
        for at in 0..self.order.len() {
            let id = self.order[at];
            let Node { op, mode, .. } = self.graph.node(id);
            if op == Op::Phi && mode == Mode::M {
                self.set_operands(id, |it, block| it.memories[block]);
            }
            for at in 0..self.graph.operands(id).len() {
                let value = self.value(self.graph.operands(id)[at]);
                self.graph.set_operand(id, at, value);
            }
        }
        renumber(&self.graph, &self.order)
    }

    /// Gives a Phi what is known at the end of each block before it.
    fn set_operands(&mut self, phi: NodeId, known: impl Fn(&Promotion, NodeId) -> Option<NodeId>) {
        let before: Vec<_> = predecessors(&self.graph, self.graph.node(phi).block).collect();
        for (at, block) in before.into_iter().enumerate() {
            let operand = known(self, block).expect("it is known at the end of each block");
            self.graph.set_operand(phi, at, self.value(operand));
        }
    }

    /// The node itself, or the value in place of it.
    fn value(&self, mut id: NodeId) -> NodeId {
        while let Some(value) = self.replaced[id] {
            id = value;
        }
        id
    }
}
