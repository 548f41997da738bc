//! Runs the blocks of a schedule.
use super::{BlockId, ScheduledGraph};
use crate::arith::INT;
#[cfg(feature = "ch12")]
use crate::floats;
#[cfg(feature = "ch10")]
use crate::heap::ResultFormat;
use crate::sea::{NodeId, Op};
use crate::stage::{Outcome, STEP_LIMIT};
#[cfg(feature = "ch15")]
use crate::{heap::ArrayFormat, sea::element_address};
#[cfg(feature = "ch10")]
use crate::{sea::Graph, types::FieldId};
use arena::{FxHashMap, Id, SideTable};

/// Runs the program for the argument `arg`.
pub fn eval(blocks: &ScheduledGraph, arg: i64) -> Outcome {
    let mut values = SideTable::new(blocks.graph.len());
    #[cfg(feature = "ch10")]
    let mut memory = Memory::default();
    let successors = successors(blocks);
    let (mut block, mut steps) = (BlockId::from_index(0), 0);
    loop {
        let nodes = blocks.schedule.nodes(block);
        for &id in nodes {
            values[id] = value(blocks, id, &values, arg);
            #[cfg(feature = "ch10")]
            if let Err(reason) = memory.access(blocks.graph, id, &mut values) {
                return Outcome::fault(format!("b{}", block.index()), reason);
            }
        }
        steps += 1 + nodes.len() as u64;
        if steps > STEP_LIMIT {
            return Outcome::out_of_steps();
        }
        let end = blocks.schedule.blocks[block].end;
        let side = match blocks.graph.op(end) {
            Op::Return => {
                let outcome = Outcome::value(values[end]);
                #[cfg(feature = "ch10")]
                let outcome = memory.object(blocks.graph, values[end]).unwrap_or(outcome);
                return outcome;
            }
            #[cfg(feature = "ch15")]
            Op::Trap(trap) => {
                let numbers: Vec<_> =
                    blocks.schedule.values(blocks.graph, end).map(|it| values[it]).collect();
                return Outcome::trap(blocks.graph.traps[trap].message(&numbers));
            }
            Op::If => usize::from(values[end] == 0),
            _ => 0,
        };
        let next = successors[block][side];
        let Some(next) = next else {
            return Outcome::fault(format!("b{}", block.index()), "control has no successor");
        };
        enter(blocks, block, next, &mut values);
        block = next;
    }
}

/// The value of a node; of an If or a Return, that of its operand.
fn value(blocks: &ScheduledGraph, id: NodeId, values: &SideTable<NodeId, i64>, arg: i64) -> i64 {
    let input = |at| values[blocks.graph.input(id, at)];
    match blocks.graph.op(id) {
        Op::Constant(ty) => blocks.graph.types.value(ty).unwrap_or(0),
        Op::Binary(binary) => (binary.row().evaluate)(INT, input(0), input(1)),
        Op::Unary(unary) => (unary.row().evaluate)(INT, input(0)),
        Op::Compare(relation) => i64::from(relation.holds(input(0), input(1))),
        Op::Projection(_) => arg,
        // Set when control entered the block.
        Op::Phi(_) if blocks.schedule.is_merge(blocks.graph, id) => values[id],
        Op::Phi(_) => blocks.schedule.values(blocks.graph, id).map(|it| values[it]).sum(),
        Op::If | Op::Return => input(1),
        Op::Start
        | Op::Scope
        | Op::Stop
        | Op::DeadControl
        | Op::ControlProjection(_)
        | Op::Region => 0,
        #[cfg(feature = "ch07")]
        Op::Loop => 0,
        // Set by `Memory::access`.
        #[cfg(feature = "ch10")]
        Op::New(_) | Op::Load(_) | Op::Clear(_) | Op::Store(_) => 0,
        #[cfg(feature = "ch15")]
        Op::NewArray(_) | Op::Length => 0,
        #[cfg(feature = "ch15")]
        Op::Trap(_) => 0,
        #[cfg(feature = "ch15")]
        Op::Element => element_address([1, 2].map(input)),
        #[cfg(feature = "ch10")]
        Op::Cast => input(1),
        #[cfg(feature = "ch12")]
        Op::Float(float) => float.evaluate([0, float.row().operands - 1].map(input)),
    }
}

/// The fields of all objects. The address of an object is its number, from 1 on.
#[cfg(feature = "ch10")]
#[derive(Default)]
struct Memory {
    fields: FxHashMap<(FieldId, i64), i64>,
    objects: i64,
    /// The lengths of the arrays.
    #[cfg(feature = "ch15")]
    lengths: FxHashMap<i64, i64>,
}

#[cfg(feature = "ch10")]
impl Memory {
    /// Executes a node that accesses memory.
    fn access(
        &mut self,
        graph: &Graph,
        id: NodeId,
        values: &mut SideTable<NodeId, i64>,
    ) -> Result<(), &'static str> {
        if graph.op(id).object_input().is_some_and(|at| values[graph.input(id, at)] == 0) {
            return Err("an access through null");
        }
        match graph.op(id) {
            Op::New(_) => {
                self.objects += 1;
                values[id] = self.objects;
            }
            #[cfg(feature = "ch15")]
            Op::NewArray(_) => {
                self.objects += 1;
                self.lengths.insert(self.objects, values[graph.input(id, 1)]);
                values[id] = self.objects;
            }
            #[cfg(feature = "ch15")]
            Op::Length => values[id] = self.lengths[&values[graph.input(id, 0)]],
            Op::Store(field) => {
                let [object, value] = [2, 3].map(|at| values[graph.input(id, at)]);
                self.fields.insert((field, object), value);
            }
            Op::Load(field) => values[id] = self.field(field, values[graph.input(id, 1)]),
            _ => {}
        }
        Ok(())
    }

    fn field(&self, field: FieldId, object: i64) -> i64 {
        self.fields.get(&(field, object)).copied().unwrap_or_default()
    }

    /// The object at an address, if the program returns objects, or the float.
    fn object(&self, graph: &Graph, address: i64) -> Option<Outcome> {
        #[cfg(feature = "ch12")]
        if graph.types.is_float(graph.result) {
            return Some(Outcome::object(floats::text(address)));
        }
        #[cfg(feature = "ch15")]
        if let ResultFormat::Array(format) = graph.types.result_format(graph.result) {
            return Some(self.array(graph, address, &format));
        }
        let ResultFormat::Object(format) = graph.types.result_format(graph.result) else {
            return None;
        };
        let fields = graph.types.fields(graph.result);
        let field = |number| self.field(fields[number], address);
        Some(Outcome::object(format.text(address, field)))
    }
}

#[cfg(feature = "ch15")]
impl Memory {
    /// The array at an address.
    fn array(&self, graph: &Graph, array: i64, format: &ArrayFormat) -> Outcome {
        let text = format.text(array, || {
            let elements = graph.types.fields(graph.result)[0];
            let length = self.lengths[&array];
            if length > STEP_LIMIT.cast_signed() {
                return Err(Outcome::out_of_steps());
            }
            let element = |index| self.field(elements, element_address([array, index]));
            Ok((0..length).map(element).collect())
        });
        text.map_or_else(|end| end, Outcome::object)
    }
}

/// All Phis of a block take their values at once: some may use others.
fn enter(
    blocks: &ScheduledGraph,
    from: BlockId,
    block: BlockId,
    values: &mut SideTable<NodeId, i64>,
) {
    let mut predecessors = blocks.schedule.predecessors[block].iter();
    let at = predecessors.position(|&it| it == from).unwrap_or(0);
    let is_merge = |id: &&NodeId| blocks.schedule.is_merge(blocks.graph, **id);
    let phis = blocks.schedule.nodes(block).iter().take_while(is_merge);
    let input = |&id: &NodeId| blocks.schedule.values(blocks.graph, id).nth(at);
    let new: Vec<_> = phis.map(|id| (*id, input(id).map_or(0, |it| values[it]))).collect();
    new.into_iter().for_each(|(id, value)| values[id] = value);
}

/// The successors of each block: always or if true, and if false.
fn successors(blocks: &ScheduledGraph) -> SideTable<BlockId, [Option<BlockId>; 2]> {
    let all = &blocks.schedule.blocks;
    let mut successors: SideTable<BlockId, [Option<BlockId>; 2]> = SideTable::new(all.len());
    for block in all.ids() {
        let side = usize::from(blocks.graph.op(all[block].head) == Op::ControlProjection(false));
        for &from in &blocks.schedule.predecessors[block] {
            successors[from][side] = Some(block);
        }
    }
    successors
}
