//! Runs the blocks of a schedule.
use super::{BlockId, ScheduledGraph};
#[cfg(feature = "ch12")]
use crate::floats;
#[cfg(feature = "ch10")]
use crate::heap::ResultFormat;
use crate::sea::{NodeId, Op};
#[cfg(feature = "ch18")]
use crate::sea::{function_address, function_at};
use crate::stage::{Outcome, STEP_LIMIT};
#[cfg(feature = "ch18")]
use crate::types::FunctionId;
#[cfg(feature = "ch15")]
use crate::{heap::ArrayFormat, sea::element_address};
#[cfg(feature = "ch10")]
use crate::{sea::Graph, types::FieldId};
use arena::{FxHashMap, Id, SideTable};

type Values = crate::sea::Values<i64>;

/// Runs the program for the argument `arg`.
pub fn eval(blocks: &ScheduledGraph, arg: i64) -> Outcome {
    let mut run = Interpreter {
        blocks,
        arg,
        values: Values::new(blocks.graph.len()),
        successors: successors(blocks),
        #[cfg(feature = "ch10")]
        memory: Memory::default(),
        #[cfg(feature = "ch18")]
        calls: Calls::new(blocks),
    };
    let (mut block, mut steps) = (BlockId::from_index(0), 0);
    loop {
        if let Err(end) = run.execute(block) {
            return end;
        }
        steps += 1 + blocks.schedule.nodes(block).len() as u64;
        if steps > STEP_LIMIT {
            return Outcome::out_of_steps();
        }
        block = match run.next(block) {
            Ok(next) => next,
            Err(end) => return end,
        };
    }
}

struct Interpreter<'b, 'g> {
    blocks: &'b ScheduledGraph<'g>,
    arg: i64,
    values: Values,
    /// The successors of each block: always or if true, and if false.
    successors: SideTable<BlockId, [Option<BlockId>; 2]>,
    #[cfg(feature = "ch10")]
    memory: Memory,
    #[cfg(feature = "ch18")]
    calls: Calls<'b, 'g>,
}

impl Interpreter<'_, '_> {
    /// Executes the nodes of a block; `Err` if the program ends early.
    fn execute(&mut self, block: BlockId) -> Result<(), Outcome> {
        for &id in self.blocks.schedule.nodes(block) {
            self.values[id] = value(self.blocks, id, &self.values, self.arg);
            #[cfg(feature = "ch10")]
            if let Err(reason) = self.memory.access(self.blocks.graph, id, &mut self.values) {
                return Err(Outcome::fault(format!("b{}", block.index()), reason));
            }
        }
        #[cfg(feature = "ch18")]
        self.calls.share_constants(block, &mut self.values);
        Ok(())
    }

    /// The block after a block; `Err` if the program ends.
    fn next(&mut self, block: BlockId) -> Result<BlockId, Outcome> {
        let (graph, schedule) = (self.blocks.graph, self.blocks.schedule);
        let fault = |reason| Outcome::fault(format!("b{}", block.index()), reason);
        #[cfg(feature = "ch18")]
        if let Some(next) = self.calls.next(block, &mut self.values) {
            return next.ok_or(fault("a call of null"));
        }
        let end = schedule.blocks[block].end;
        let side = match graph.op(end) {
            Op::Return => {
                let outcome = Outcome::value(self.values[end]);
                #[cfg(feature = "ch10")]
                let outcome = self.memory.object(graph, self.values[end]).unwrap_or(outcome);
                return Err(outcome);
            }
            #[cfg(feature = "ch15")]
            Op::Trap(trap) => {
                let numbers: Vec<_> =
                    schedule.values(graph, end).map(|it| self.values[it]).collect();
                return Err(Outcome::trap(graph.traps[trap].message(&numbers)));
            }
            Op::If => usize::from(self.values[end] == 0),
            _ => 0,
        };
        let next = self.successors[block][side];
        let next = next.ok_or(fault("control has no successor"))?;
        enter(self.blocks, block, next, &mut self.values);
        Ok(next)
    }
}

/// The value of a node; of an If or a Return, that of its operand.
fn value(blocks: &ScheduledGraph, id: NodeId, values: &Values, arg: i64) -> i64 {
    let input = |at| values[blocks.graph.input(id, at)];
    match blocks.graph.op(id) {
        #[cfg(feature = "ch18")]
        Op::Constant(ty) if let Some(function) = blocks.graph.types.known_function(ty) => {
            function_address(function)
        }
        Op::Constant(ty) => blocks.graph.types.value(ty).unwrap_or(0),
        Op::Binary(binary) => (binary.row().evaluate)(blocks.graph.types.int, input(0), input(1)),
        Op::Unary(unary) => (unary.row().evaluate)(blocks.graph.types.int, input(0)),
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
        // Set by a call, and after it.
        #[cfg(feature = "ch18")]
        Op::Parameter(_) | Op::Result => values[id],
        #[cfg(feature = "ch18")]
        Op::Function(_) | Op::Call(_) | Op::Rest => 0,
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
        values: &mut Values,
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
fn enter(blocks: &ScheduledGraph, from: BlockId, block: BlockId, values: &mut Values) {
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
    #[cfg(feature = "ch18")]
    let is_function = |block| matches!(blocks.graph.op(all[block].head), Op::Function(_));
    for block in all.ids() {
        #[cfg(feature = "ch18")]
        if is_function(block) {
            continue;
        }
        let side = usize::from(blocks.graph.op(all[block].head) == Op::ControlProjection(false));
        for &from in &blocks.schedule.predecessors[block] {
            successors[from][side] = Some(block);
        }
    }
    successors
}

/// The calls that have not returned.
#[cfg(feature = "ch18")]
struct Calls<'b, 'g> {
    blocks: &'b ScheduledGraph<'g>,
    /// The block of each call, the innermost last.
    open: Vec<BlockId>,
    /// For each function, the block at its entry.
    entries: SideTable<FunctionId, Option<BlockId>>,
    /// For each block that ends with a call, the block after it.
    after: SideTable<BlockId, Option<BlockId>>,
    /// The parameters and results that are used, by the node that gives them.
    given: FxHashMap<NodeId, Vec<NodeId>>,
}

#[cfg(feature = "ch18")]
impl<'b, 'g> Calls<'b, 'g> {
    fn new(blocks: &'b ScheduledGraph<'g>) -> Calls<'b, 'g> {
        let (graph, schedule) = (blocks.graph, blocks.schedule);
        let (mut entries, mut after) = (SideTable::new(0), SideTable::new(0));
        for block in schedule.blocks.ids() {
            match graph.op(schedule.blocks[block].head) {
                Op::Function(function) => entries[function] = Some(block),
                Op::Projection(0) => {
                    let call = schedule.predecessors[block].iter().next();
                    call.into_iter().for_each(|&call| after[call] = Some(block));
                }
                _ => {}
            }
        }
        let mut given: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
        for &id in &schedule.order {
            if let Op::Parameter(_) | Op::Result = graph.op(id) {
                given.entry(graph.input(id, 0)).or_default().push(id);
            }
        }
        Calls { blocks, open: Vec::new(), entries, after, given }
    }

    /// Constants are in the first block, for all functions.
    fn share_constants(&self, block: BlockId, values: &mut Values) {
        if block.index() == 0 {
            self.blocks.schedule.nodes(block).iter().for_each(|&id| values.share(id));
        }
    }

    /// The block after a call or a return at the end of a block; None in it after a call of null.
    fn next(&mut self, block: BlockId, values: &mut Values) -> Option<Option<BlockId>> {
        let (graph, schedule) = (self.blocks.graph, self.blocks.schedule);
        let end = schedule.blocks[block].end;
        match graph.op(end) {
            Op::Call(_) => {
                let function = function_at(graph, values[graph.input(end, 1)]);
                let Some(entry) = function.and_then(|it| self.entries[it]) else {
                    return Some(None);
                };
                let arguments: Vec<_> = graph.arguments(end).map(|it| values[it]).collect();
                values.call();
                self.open.push(block);
                let head = schedule.blocks[entry].head;
                for &parameter in self.given.get(&head).into_iter().flatten() {
                    if let Op::Parameter(number) = graph.op(parameter) {
                        values[parameter] = arguments[number as usize];
                    }
                }
                Some(Some(entry))
            }
            Op::Return => {
                let value = values[graph.input(end, 1)];
                let block = self.open.pop()?;
                values.leave();
                let call = schedule.blocks[block].end;
                for &result in self.given.get(&call).into_iter().flatten() {
                    values[result] = value;
                }
                Some(self.after[block])
            }
            _ => None,
        }
    }
}
