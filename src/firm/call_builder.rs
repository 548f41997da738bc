//! Programs of several functions, as front ends build them.
//!
//! 1. `Program::empty`, then `Program::declare` for each function, the entry first: a name, and the
//!    numbers of its parameters and its results. `declare` returns the number of the function's
//!    symbol, so functions may call each other before they have bodies.
//! 2. For each function, `Program::body`: fill the graph with nodes. It has a StartBlock and a
//!    Start; `Graph::parameter` adds an Argument, `Graph::add_block` a block. Critical edges must
//!    be split. Operands are before their users, except those of Phis and blocks on back edges.
//! 3. `Graph::call` adds a Call to a block. It is a node of the chain of memory: its operand is the
//!    state of memory before it, and the Call itself is the state after it. Its value is the first
//!    result; `Graph::result` adds a further one. The address is any value: that of a known
//!    function, which `Graph::function_address` adds, or for example a parameter.
//! 4. `Graph::return_values`, and at the end `Graph::finish` with all Returns: it adds the EndBlock
//!    and the End. Loops without an exit are added to the End by `Graph::add_operands`.
//!
//! A function returns one word at least: if it has nothing to return, any constant. `verify` checks
//! all rules, also those between functions; `eval` executes the program.
use super::graph::{Graph, NodeId, Signature};
use super::mode::Mode;
use super::op::Op;
use super::{Program, verify_calls};
use crate::heap::ResultFormat;

impl Program {
    /// A program without functions.
    #[cfg(feature = "ch26")]
    pub fn empty() -> Program {
        Program { functions: Vec::new(), result: ResultFormat::default() }
    }

    /// Adds a function without a body, and returns its number. The first one is the entry.
    #[cfg(feature = "ch26")]
    pub fn declare(&mut self, name: impl Into<String>, signature: Signature) -> u32 {
        let mut graph = Graph::new();
        (graph.name, graph.signature) = (name.into(), signature);
        self.functions.push(graph);
        self.functions.len() as u32 - 1
    }

    /// The graph of a function.
    #[cfg(feature = "ch26")]
    pub fn body(&mut self, function: u32) -> &mut Graph {
        &mut self.functions[function as usize]
    }

    /// Whether a function of the program calls one.
    pub fn has_calls(&self) -> bool {
        self.functions.iter().any(|graph| graph.ids().any(|id| verify_calls::is_call(graph, id)))
    }
}

impl Graph {
    /// The parameter with this number.
    #[cfg(feature = "ch26")]
    pub fn parameter(&mut self, number: u32) -> NodeId {
        self.add(Op::Argument(number), Mode::Is, self.start_block, &[self.start])
    }

    /// The address of the function with this number.
    pub fn function_address(&mut self, function: u32) -> NodeId {
        self.add(Op::SymConst(function), Mode::Is, self.start_block, &[])
    }

    /// Calls the function at an address, which returns `results` words. The Call is its first
    /// result and the state of memory after it.
    pub fn call(
        &mut self,
        block: NodeId,
        memory: NodeId,
        address: NodeId,
        arguments: &[NodeId],
        results: u32,
    ) -> NodeId {
        let operands = [&[memory, address], arguments].concat();
        self.add(Op::Call(results), Mode::Is, block, &operands)
    }

    /// The result of a call with this number. Number 0 is the call itself.
    pub fn result(&mut self, call: NodeId, number: u32) -> NodeId {
        if number == 0 {
            return call;
        }
        self.add(Op::Result(number), Mode::Is, self.node(call).block, &[call])
    }

    /// Ends the function; it returns these values.
    pub fn return_values(&mut self, block: NodeId, memory: NodeId, values: &[NodeId]) -> NodeId {
        self.add(Op::Return, Mode::Is, block, &[&[memory], values].concat())
    }

    /// Adds the EndBlock, which these Returns lead to, and the End, which is returned.
    pub fn finish(&mut self, returns: &[NodeId]) -> NodeId {
        let block = self.add_block(Op::EndBlock, returns);
        self.add(Op::End, Mode::X, block, &[])
    }
}
