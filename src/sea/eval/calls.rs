//! Calls in the sea: a call enters a function with the memories of all fields.
//!
//! The memories are kept together under one number, which is negative: the function, and all that
//! follows the call, take the memory of a field from it.
use super::{Interpreter, Memory, NO_STORE};
use crate::sea::{Graph, NodeId, Op};
use crate::stage::Termination;
use crate::types::FunctionId;
use arena::Id;

/// A call whose function has not returned.
pub struct OpenCall {
    call: NodeId,
    pub arguments: Vec<i64>,
}

/// The states of the memories of all fields.
pub struct AllMemories {
    /// That of each field that was known.
    fields: Vec<i64>,
    /// That of all others.
    rest: i64,
}

/// The value of the address of a function: no number of an object.
pub fn function_address(function: FunctionId) -> i64 {
    FIRST_FUNCTION + function.index() as i64
}

/// The function at an address.
pub fn function_at(graph: &Graph, address: i64) -> Option<FunctionId> {
    let number = usize::try_from(address - FIRST_FUNCTION).ok()?;
    (number < graph.types.functions.len()).then(|| FunctionId::from_index(number))
}

const FIRST_FUNCTION: i64 = 0x4000_0000;

/// Calls.
impl Interpreter<'_> {
    /// Calls a function; returns the control at its entry.
    pub fn call(&mut self, call: NodeId) -> Result<NodeId, Termination> {
        let graph = self.graph;
        let address = self.value(graph.input(call, 1))?;
        let Some(entry) = function_at(graph, address).and_then(|it| graph.entry(it)) else {
            let place = crate::sea::label(graph, call);
            return Err(Termination::Fault { place, reason: "a call of null".to_string() });
        };
        let arguments = graph.arguments(call).map(|it| self.value(it));
        let arguments = arguments.collect::<Result<_, _>>()?;
        let memory = self.all_memories(graph.memories(call))?;
        self.values.call();
        self.calls.push(OpenCall { call, arguments });
        self.values[entry] = Some(memory);
        Ok(entry)
    }

    /// Returns from a function; returns the control after its call.
    pub fn leave(&mut self, end: NodeId) -> Result<NodeId, Termination> {
        let graph = self.graph;
        let value = self.value(graph.input(end, 1))?;
        let memory = self.all_memories(graph.inputs(end).skip(2).collect())?;
        let OpenCall { call, .. } = self.calls.pop().expect("the function has been called");
        self.values.leave();
        let users: Vec<_> = graph.users(call).collect();
        users.iter().for_each(|&it| self.invalidate(it));
        self.values[call] = Some(memory);
        for &result in users.iter().filter(|&&it| graph.op(it) == Op::Result) {
            self.values[result] = Some(value);
        }
        let after = users.into_iter().find(|&it| graph.op(it) == Op::Projection(0));
        after.ok_or(Termination::OutOfSteps)
    }

    /// Notes the memories of all fields: the rest, then those that are known.
    fn all_memories(&mut self, memories: Vec<NodeId>) -> Result<i64, Termination> {
        let states = memories.into_iter().map(|it| self.value(it));
        let mut states = states.collect::<Result<Vec<_>, _>>()?;
        let rest = states.remove(0);
        self.memory.all.push(AllMemories { fields: states, rest });
        Ok(-(self.memory.all.len() as i64))
    }

    /// The state of memory for the field that a node accesses.
    pub fn state_for(&self, id: NodeId, state: i64) -> i64 {
        match self.graph.op(id) {
            Op::Load(field) | Op::Store(field) => self.memory.part(state, field.index() as u32),
            _ => state,
        }
    }

    /// The state of memory for a field of the objects that the program returns.
    pub fn state_of_result(&self, field: usize, state: i64) -> i64 {
        let field = self.graph.types.fields(self.graph.result)[field];
        self.memory.part(state, field.index() as u32)
    }

    /// The memories of all fields at the input of a node: Start, a function or a call.
    pub fn given_memory(&self, id: NodeId) -> i64 {
        let given = self.graph.input(id, 0);
        if self.graph.op(given) == Op::Start { NO_STORE } else { self.values[given].unwrap_or(0) }
    }
}

impl Memory {
    /// The memory of a field among those of all.
    pub fn part(&self, state: i64, field: u32) -> i64 {
        let mut state = state;
        while let Ok(all) = usize::try_from(-state - 1) {
            let AllMemories { fields, rest } = &self.all[all];
            state = fields.get(field as usize).copied().unwrap_or(*rest);
        }
        state
    }
}
