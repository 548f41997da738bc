//! Functions in the sea: their entries and returns, and the inputs of calls.
use super::graph::Graph;
use super::op::{NodeId, Op};
use crate::types::FunctionId;

impl Graph {
    /// The control at the entry of a function, if its body is part of the graph.
    pub fn entry(&self, function: FunctionId) -> Option<NodeId> {
        self.entries[function]
    }

    /// The function that a call calls, if it is known.
    pub fn callee(&self, call: NodeId) -> Option<FunctionId> {
        self.types.known_function(self.ty(self.input(call, 1)))
    }

    /// The arguments of a call.
    pub fn arguments(&self, call: NodeId) -> impl DoubleEndedIterator<Item = NodeId> {
        self.inputs(call).skip(FIRST_ARGUMENT).take(self.argument_count(call))
    }

    /// The memories before a call: the rest, then those of the fields.
    pub fn memories(&self, call: NodeId) -> Vec<NodeId> {
        self.inputs(call).skip(FIRST_ARGUMENT + self.argument_count(call)).collect()
    }

    /// The name of a function.
    pub fn function_name(&self, function: FunctionId) -> &str {
        match self.types.functions.name(function) {
            "" => "$fun",
            name => name,
        }
    }

    fn argument_count(&self, call: NodeId) -> usize {
        match self.op(call) {
            Op::Call(signature) => self.types.functions.get(signature).parameters.len(),
            _ => 0,
        }
    }
}

/// The inputs before the arguments: control, and the address.
const FIRST_ARGUMENT: usize = 2;
