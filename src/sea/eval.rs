//! Evaluates the sea: follows control from Start, and computes the values it uses.
//!
//! A value is computed at its first use and cached.
//! @ch05 When control enters a Region, its Phis take their values for this predecessor, all at
//! @ch05 once, and all values computed from the old ones are invalidated.
//! @ch10 Memory is a value, too: a chain of the stores so far, the latest first, so a load takes
//! @ch10 the value from the memory it is given, whatever has been stored since then. Where control
//! @ch10 passes, new objects get addresses. An access through null is a fault.
//! @ch18 A call enters the function with the memories of all fields, and a Return leaves it. The
//! @ch18 activations are on an explicit stack.
#[cfg(feature = "ch18")]
mod calls;

use super::Values;
use super::graph::Graph;
use super::op::{NodeId, Op};
use crate::arith::Width;
#[cfg(feature = "ch12")]
use crate::floats;
#[cfg(feature = "ch10")]
use crate::heap::{ObjectFormat, ResultFormat};
use crate::stage::{Outcome, STEP_LIMIT, Termination};
#[cfg(feature = "ch15")]
use crate::{heap::ArrayFormat, traps::TrapId};
#[cfg(feature = "ch15")]
use arena::FxHashMap;
#[cfg(feature = "ch18")]
use calls::{AllMemories, OpenCall};
#[cfg(feature = "ch18")]
pub use calls::{function_address, function_at};
use picture::Kind;

/// Later graphs and machine code need several steps for a node, such as two for a sum of 64 bits,
/// and have so many times the limit, so that a program that ends here ends there, too.
const STEPS_OF_A_NODE: u64 = 4;

/// Runs the program for the argument `arg`.
pub fn eval(graph: &Graph, arg: i64) -> Outcome {
    eval_at(graph, graph.types.int, arg)
}

/// The same for integers of another width.
pub fn eval_at(graph: &Graph, width: Width, arg: i64) -> Outcome {
    let values = Values::new(graph.len());
    let mut run = Interpreter {
        graph,
        width,
        arg,
        values,
        steps: STEP_LIMIT / STEPS_OF_A_NODE,
        #[cfg(feature = "ch10")]
        memory: Memory::default(),
        #[cfg(feature = "ch18")]
        calls: Vec::new(),
    };
    let end = run.follow(graph.start).unwrap_or_else(|stop| stop);
    Outcome { output: String::new(), end }
}

struct Interpreter<'g> {
    graph: &'g Graph,
    width: Width,
    arg: i64,
    values: Values<Option<i64>>,
    steps: u64,
    #[cfg(feature = "ch10")]
    memory: Memory,
    /// The calls that have not returned, the innermost last.
    #[cfg(feature = "ch18")]
    calls: Vec<OpenCall>,
}

impl Interpreter<'_> {
    /// Follows control from `at` to the end of the program; `Err` if it ends early.
    fn follow(&mut self, mut at: NodeId) -> Result<Termination, Termination> {
        loop {
            self.step()?;
            #[cfg(feature = "ch10")]
            self.allocate(at)?;
            let Some(next) = self.successor(at) else {
                let place = super::print::label(self.graph, at);
                let reason = "control has no successor".to_string();
                return Err(Termination::Fault { place, reason });
            };
            match self.graph.op(next) {
                #[cfg(feature = "ch18")]
                Op::Call(_) => {
                    at = self.call(next)?;
                    continue;
                }
                #[cfg(feature = "ch18")]
                Op::Return if !self.calls.is_empty() => {
                    at = self.leave(next)?;
                    continue;
                }
                Op::Return => return self.result(next),
                #[cfg(feature = "ch15")]
                Op::Trap(trap) => return self.trap(next, trap),
                #[cfg(feature = "ch05")]
                Op::If => {
                    let predicate = self.value(self.graph.input(next, 1))?;
                    at = self.branch(next, predicate != 0);
                    continue;
                }
                #[cfg(feature = "ch05")]
                Op::Region => self.enter(next, at)?,
                #[cfg(feature = "ch07")]
                Op::Loop => self.enter(next, at)?,
                _ => {}
            }
            at = next;
        }
    }

    fn result(&mut self, end: NodeId) -> Result<Termination, Termination> {
        let value = self.value(self.graph.input(end, 1))?;
        #[cfg(feature = "ch15")]
        if let ResultFormat::Array(format) = self.graph.types.result_format(self.graph.result) {
            return self.array(end, value, &format);
        }
        #[cfg(feature = "ch10")]
        if let ResultFormat::Object(format) = self.graph.types.result_format(self.graph.result) {
            return self.object(end, value, &format);
        }
        #[cfg(feature = "ch12")]
        if self.graph.types.is_float(self.graph.result) {
            return Ok(Termination::Object(floats::text(value)));
        }
        Ok(Termination::Value(value))
    }

    fn step(&mut self) -> Result<(), Termination> {
        self.steps = self.steps.checked_sub(1).ok_or(Termination::OutOfSteps)?;
        Ok(())
    }

    /// The control successor of `at`.
    fn successor(&self, at: NodeId) -> Option<NodeId> {
        self.graph.users(at).find(|&user| self.graph.takes_control(user))
    }

    /// The value of `id`; missing inputs are computed first.
    fn value(&mut self, id: NodeId) -> Result<i64, Termination> {
        let mut open = vec![id];
        while let Some(&id) = open.last() {
            let missing = |&input: &NodeId| self.is_computed(input) && self.values[input].is_none();
            if self.is_computed(id)
                && let Some(input) = self.graph.inputs(id).find(missing)
            {
                open.push(input);
                continue;
            }
            if self.values[id].is_none() {
                self.step()?;
                #[cfg(feature = "ch10")]
                self.check_pointer(id)?;
                self.values[id] = Some(self.compute(id));
                #[cfg(feature = "ch14")]
                debug_assert!(self.is_of_type(id), "{id:?} has another value");
            }
            open.pop();
        }
        Ok(self.values[id].unwrap_or_default())
    }

    /// Whether the value of `id` is computed from its inputs. A Phi's is set by control.
    fn is_computed(&self, id: NodeId) -> bool {
        let op = self.graph.op(id);
        #[cfg(feature = "ch05")]
        if op.is_phi() {
            return false;
        }
        #[cfg(feature = "ch10")]
        if op.is_new() {
            return false;
        }
        #[cfg(feature = "ch18")]
        if op == Op::Result {
            return false;
        }
        op.row().kind == Kind::Data
    }

    #[cfg(feature = "ch02")]
    fn input(&self, id: NodeId, at: usize) -> i64 {
        self.values[self.graph.input(id, at)].unwrap_or_default()
    }

    /// The value of a node from those of its inputs; 0 if it has none.
    fn compute(&mut self, id: NodeId) -> i64 {
        match self.graph.op(id) {
            // A value that is never reached may be anything.
            #[cfg(feature = "ch12")]
            Op::Constant(ty) if self.graph.types.is_float(ty) => {
                self.graph.types.value(ty).unwrap_or_default()
            }
            #[cfg(feature = "ch18")]
            Op::Constant(ty) if let Some(function) = self.graph.types.known_function(ty) => {
                function_address(function)
            }
            Op::Constant(ty) => self.width.wrap(self.graph.types.value(ty).unwrap_or_default()),
            #[cfg(feature = "ch02")]
            Op::Binary(binary) => {
                (binary.row().evaluate)(self.width, self.input(id, 0), self.input(id, 1))
            }
            #[cfg(feature = "ch02")]
            Op::Unary(unary) => (unary.row().evaluate)(self.width, self.input(id, 0)),
            // The memory of a field, without a store.
            #[cfg(feature = "ch18")]
            Op::Projection(index @ 2..) if self.graph.input(id, 0) != self.graph.start => {
                self.memory.part(self.given_memory(id), index - 2)
            }
            #[cfg(feature = "ch10")]
            Op::Projection(2..) => NO_STORE,
            #[cfg(feature = "ch18")]
            Op::Rest => self.given_memory(id),
            #[cfg(feature = "ch18")]
            Op::Parameter(number) => {
                let call = self.calls.last().expect("the function has been called");
                call.arguments[number as usize]
            }
            #[cfg(feature = "ch18")]
            Op::Function(_) | Op::Call(_) | Op::Result => 0,
            #[cfg(feature = "ch04")]
            Op::Projection(_) => self.arg,
            #[cfg(feature = "ch04")]
            Op::Compare(relation) => {
                i64::from(relation.holds(self.input(id, 0), self.input(id, 1)))
            }
            // Start holds the argument.
            Op::Start => self.arg,
            Op::Return => 0,
            #[cfg(feature = "ch03")]
            Op::Scope => 0,
            #[cfg(feature = "ch05")]
            Op::Stop
            | Op::DeadControl
            | Op::If
            | Op::ControlProjection(_)
            | Op::Region
            | Op::Phi(_) => 0,
            #[cfg(feature = "ch07")]
            Op::Loop => 0,
            #[cfg(feature = "ch10")]
            Op::New(_) => 0,
            #[cfg(feature = "ch15")]
            Op::NewArray(_) | Op::Trap(_) => 0,
            #[cfg(feature = "ch15")]
            Op::Length => self.memory.lengths[&self.input(id, 0)],
            #[cfg(feature = "ch15")]
            Op::Element => element_address([1, 2].map(|at| self.input(id, at))),
            // Nothing has been stored to a new object.
            #[cfg(feature = "ch10")]
            Op::Clear(_) => self.input(id, 1),
            #[cfg(feature = "ch10")]
            Op::Store(_) => {
                let [previous, object, value] = [1, 2, 3].map(|at| self.input(id, at));
                #[cfg(feature = "ch18")]
                let previous = self.state_for(id, previous);
                self.memory.store(StoredValue { previous, object, value })
            }
            #[cfg(feature = "ch10")]
            Op::Load(_) => {
                let [state, object] = [0, 1].map(|at| self.input(id, at));
                #[cfg(feature = "ch18")]
                let state = self.state_for(id, state);
                self.memory.load(state, object, &mut self.steps)
            }
            #[cfg(feature = "ch10")]
            Op::Cast => self.input(id, 1),
            #[cfg(feature = "ch12")]
            Op::Float(float) => {
                let last = float.row().operands - 1;
                float.evaluate([0, last].map(|at| self.input(id, at)))
            }
        }
    }
}

/// Objects.
#[cfg(feature = "ch10")]
impl Interpreter<'_> {
    /// Control reaches `at`: the objects that are made there get new addresses.
    fn allocate(&mut self, at: NodeId) -> Result<(), Termination> {
        let graph = self.graph;
        for new in graph.users(at).filter(|&user| graph.op(user).is_new()) {
            self.invalidate(new);
            self.memory.objects += 1;
            self.values[new] = Some(self.memory.objects);
        }
        // A length may be loaded from another one of these objects.
        #[cfg(feature = "ch15")]
        for new in graph.users(at).filter(|&user| matches!(graph.op(user), Op::NewArray(_))) {
            let length = self.value(graph.input(new, 1))?;
            self.memory.lengths.insert(self.values[new].unwrap_or_default(), length);
        }
        Ok(())
    }

    /// A node that needs an object must not get null.
    fn check_pointer(&self, id: NodeId) -> Result<(), Termination> {
        let op = self.graph.op(id);
        match op.object_input() {
            Some(at) if self.input(id, at) == 0 => {
                let place = super::print::label(self.graph, id);
                Err(Termination::Fault { place, reason: format!("{} of null", op.row().name) })
            }
            _ => Ok(()),
        }
    }

    /// The object that a Return returns, with the values of its fields.
    fn object(
        &mut self,
        end: NodeId,
        object: i64,
        format: &ObjectFormat,
    ) -> Result<Termination, Termination> {
        let mut fields = Vec::new();
        for at in 2..self.graph.inputs(end).len() {
            let memory = self.value(self.graph.input(end, at))?;
            #[cfg(feature = "ch18")]
            let memory = self.state_of_result(at - 2, memory);
            fields.push(self.memory.load(memory, object, &mut self.steps));
        }
        let text = format.text(object, |number| fields[number]);
        Ok(Termination::Object(text))
    }
}

/// Arrays.
#[cfg(feature = "ch15")]
impl Interpreter<'_> {
    fn trap(&mut self, end: NodeId, trap: TrapId) -> Result<Termination, Termination> {
        let numbers = self.graph.inputs(end).skip(1).map(|it| self.value(it));
        let numbers = numbers.collect::<Result<Vec<_>, _>>()?;
        Ok(Termination::Trap(self.graph.traps[trap].message(&numbers)))
    }

    /// The array that a Return returns.
    fn array(
        &mut self,
        end: NodeId,
        array: i64,
        format: &ArrayFormat,
    ) -> Result<Termination, Termination> {
        let text = format.text(array, || {
            let memory = self.value(self.graph.input(end, 2))?;
            #[cfg(feature = "ch18")]
            let memory = self.state_of_result(0, memory);
            let mut elements = Vec::new();
            for index in 0..self.memory.lengths[&array] {
                self.step()?;
                let address = element_address([array, index]);
                elements.push(self.memory.load(memory, address, &mut self.steps));
            }
            Ok(elements)
        });
        text.map(Termination::Object)
    }
}

/// The address of an element: no object has one as large.
#[cfg(feature = "ch15")]
pub fn element_address([array, index]: [i64; 2]) -> i64 {
    array | (index + 1) << 32
}

/// All stores so far. A state of memory is the number of its latest store.
#[cfg(feature = "ch10")]
#[derive(Default)]
struct Memory {
    stores: Vec<StoredValue>,
    /// The number of objects so far; the address of an object is its number.
    objects: i64,
    /// The lengths of the arrays.
    #[cfg(feature = "ch15")]
    lengths: FxHashMap<i64, i64>,
    /// The memories of all fields at calls and returns: number -1 is the first one.
    #[cfg(feature = "ch18")]
    all: Vec<AllMemories>,
}

#[cfg(feature = "ch10")]
struct StoredValue {
    previous: i64,
    object: i64,
    value: i64,
}

/// The state of memory without any store.
#[cfg(feature = "ch10")]
const NO_STORE: i64 = 0;

#[cfg(feature = "ch10")]
impl Memory {
    /// The state of memory after a store.
    fn store(&mut self, store: StoredValue) -> i64 {
        self.stores.push(store);
        self.stores.len() as i64
    }

    /// The value of the latest store to an object. Each store inspected is a step.
    fn load(&self, mut state: i64, object: i64, steps: &mut u64) -> i64 {
        while state != NO_STORE && *steps > 0 {
            let store = &self.stores[state as usize - 1];
            if store.object == object {
                return store.value;
            }
            (state, *steps) = (store.previous, *steps - 1);
        }
        0
    }
}

/// Branches and joins.
#[cfg(feature = "ch05")]
impl Interpreter<'_> {
    fn branch(&self, id: NodeId, truth: bool) -> NodeId {
        let taken = |&user: &NodeId| self.graph.op(user) == Op::ControlProjection(truth);
        self.graph.users(id).find(taken).unwrap_or(id)
    }

    /// Control reaches `region` from `from`: the Phis take their values, all at once.
    fn enter(&mut self, region: NodeId, from: NodeId) -> Result<(), Termination> {
        let graph = self.graph;
        let predecessor =
            graph.inputs(region).position(|control| control == from).unwrap_or_default();
        let phis: Vec<_> = graph.users(region).filter(|&user| graph.op(user).is_phi()).collect();
        let values = phis.iter().map(|&phi| self.value(graph.input(phi, predecessor + 1)));
        let values: Result<Vec<_>, _> = values.collect();
        for (phi, value) in phis.into_iter().zip(values?) {
            if self.values[phi] != Some(value) {
                self.invalidate(phi);
                self.values[phi] = Some(value);
                #[cfg(feature = "ch14")]
                debug_assert!(self.is_of_type(phi), "{phi:?} has another value");
            }
        }
        Ok(())
    }

    /// Whether the value of a node is one of its type, if that is a type of integers. Types are
    /// about integers of the language's width.
    #[cfg(feature = "ch14")]
    fn is_of_type(&self, id: NodeId) -> bool {
        let known = self.graph.types.interval_of(self.graph.ty(id));
        let value = self.values[id].unwrap_or_default();
        self.width != self.graph.types.int || known.is_none_or(|it| it.contains(value))
    }

    /// Removes the cached value of `id` and all that was computed from it.
    fn invalidate(&mut self, id: NodeId) {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if self.values[id].take().is_some() {
                let users = self.graph.users(id);
                open.extend(users.filter(|&user| self.is_computed(user)));
            }
        }
    }
}
