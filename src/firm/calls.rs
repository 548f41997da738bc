//! Executes a program of several functions.
//!
//! The activations, one for each call that has not returned, are on an explicit stack. All share
//! one memory.
use super::Program;
use super::control_flow::ControlFlow;
use super::eval::Interpreter;
use super::external::External;
use super::graph::NodeId;
use super::memory::Memory;
use super::mode::Mode;
use super::op::Op;
use super::print::name;
use crate::arith::{Binary, TRAP, Width, joined, split};
use crate::stage::{Outcome, STEP_LIMIT};

/// The value of the address of the function with this number.
fn address(function: u32) -> i64 {
    FIRST_ADDRESS + i64::from(function)
}

const FIRST_ADDRESS: i64 = 0x0804_8000;

/// The limit for the values of all activations.
const MAX_VALUES: usize = 1 << 24;

/// The result of the program for these arguments, in its format.
pub fn eval(program: &Program, arguments: &[i64]) -> Outcome {
    let flows: Vec<_> = program.functions.iter().map(ControlFlow::new).collect();
    let (activations, memory) = (Vec::new(), Memory::default());
    let mut stack = Stack { program, flows: &flows, activations, values: 0, memory };
    let mut step = stack.enter(0, arguments.to_vec(), Memory::default());
    for _ in 0..STEP_LIMIT {
        step = match step {
            Step::End(outcome) => {
                let load = |address: u32| stack.memory.load(Mode::Is, address.into());
                return outcome.with_format(&program.result, load);
            }
            Step::Next => stack.top().step(),
            Step::Call { address, arguments } => stack.call(address, arguments),
            Step::Return(values) => stack.leave(values),
        };
    }
    Outcome::out_of_steps()
}

struct Stack<'p> {
    program: &'p Program,
    flows: &'p [ControlFlow],
    activations: Vec<Activation<'p>>,
    /// The number of values of all activations.
    values: usize,
    /// The memory when the entry has returned.
    memory: Memory,
}

/// A function that has been called and has not returned.
struct Activation<'p> {
    interpreter: Interpreter<'p>,
    flow: &'p ControlFlow,
    block: NodeId,
    /// The index of the next node in its block.
    next: usize,
}

/// The effect of a node.
enum Step {
    Next,
    Call { address: i64, arguments: Vec<i64> },
    Return(Vec<i64>),
    End(Outcome),
}

impl<'p> Stack<'p> {
    fn top(&mut self) -> &mut Activation<'p> {
        self.activations.last_mut().expect("the entry has not returned")
    }

    fn enter(&mut self, function: usize, arguments: Vec<i64>, memory: Memory) -> Step {
        let graph = &self.program.functions[function];
        let parameters = graph.signature.parameters as usize;
        if arguments.len() != parameters {
            let count = arguments.len();
            let reason = format!("{count} arguments instead of {parameters}");
            return Step::End(Outcome::fault(&graph.name, reason));
        }
        self.values += graph.len();
        if self.values > MAX_VALUES {
            return Step::End(Outcome::out_of_steps());
        }
        let mut interpreter = Interpreter::new(graph, &arguments);
        interpreter.memory = memory;
        let (flow, block) = (&self.flows[function], graph.start_block);
        self.activations.push(Activation { interpreter, flow, block, next: 0 });
        Step::Next
    }

    fn call(&mut self, callee: i64, arguments: Vec<i64>) -> Step {
        let symbol = u32::try_from(callee - FIRST_ADDRESS).unwrap_or(u32::MAX);
        if let Some(external) = self.program.external(symbol) {
            return self.call_external(external, &arguments);
        }
        let function = symbol as usize;
        if function >= self.program.functions.len() {
            return Step::End(Outcome::fault("a call", format!("{callee} is no function")));
        }
        let memory = std::mem::take(&mut self.top().interpreter.memory);
        self.enter(function, arguments, memory)
    }

    /// The trace of memory is the output of the program, too.
    fn call_external(&mut self, external: External, arguments: &[i64]) -> Step {
        let interpreter = &mut self.top().interpreter;
        let output = &mut interpreter.memory.trace;
        match (external, arguments) {
            (External::Write, &[value, letter]) => {
                let letter = u32::try_from(letter).ok().and_then(char::from_u32);
                *output += &format!("{value}{}", letter.unwrap_or('\u{fffd}'));
            }
            (External::Quotient, _) => return self.divide(Binary::Div, arguments),
            #[cfg(feature = "ch17")]
            (External::Remainder, _) => return self.divide(Binary::Mod, arguments),
            #[cfg(feature = "ch15")]
            _ if let Some(message) = external.message(arguments) => {
                let output = output.clone();
                return Step::End(Outcome { output, ..Outcome::trap(message) });
            }
            (_, _) => {
                let output = output.clone();
                return Step::End(Outcome { output, ..Outcome::fault(external.name(), TRAP) });
            }
        }
        self.top().take_results(vec![0])
    }

    /// The quotient or the remainder of two integers of two words each.
    fn divide(&mut self, op: Binary, words: &[i64]) -> Step {
        let &[low, high, other_low, other_high] = words else {
            return Step::End(Outcome::fault("a division", "it has four words"));
        };
        let (x, y) = (joined(low, high), joined(other_low, other_high));
        match op.evaluate_checked(Width(64), x, y) {
            Some(result) => self.top().take_results(split(result).to_vec()),
            None => Step::End(Outcome::fault("a division", TRAP)),
        }
    }

    /// Returns from the topmost function to the Call before the next node of its caller.
    fn leave(&mut self, values: Vec<i64>) -> Step {
        let done = self.activations.pop().expect("the entry has not returned");
        self.values -= done.interpreter.graph.len();
        let memory = done.interpreter.memory;
        let Some(caller) = self.activations.last_mut() else {
            let output = memory.trace.clone();
            self.memory = memory;
            return Step::End(Outcome { output, ..Outcome::values(&values) });
        };
        caller.interpreter.memory = memory;
        caller.take_results(values)
    }
}

impl Activation<'_> {
    fn step(&mut self) -> Step {
        let graph = self.interpreter.graph;
        let Some(&id) = self.flow.nodes(self.block).get(self.next) else { return self.jump() };
        self.next += 1;
        let values = |operands: &[NodeId]| -> Vec<i64> {
            operands.iter().map(|&operand| self.interpreter.value(operand)).collect()
        };
        match graph.op(id) {
            Op::SymConst(symbol) => self.interpreter.values[id] = address(symbol),
            Op::Return => {
                let values = values(&graph.operands(id)[1..]);
                let is_wide = graph.node(id).mode == Mode::Ls;
                let words = |value: i64| if is_wide { split(value).to_vec() } else { vec![value] };
                return Step::Return(values.into_iter().flat_map(words).collect());
            }
            Op::Call(_) => {
                let address = self.interpreter.value(graph.operands(id)[1]);
                let operands = &graph.operands(id)[2..];
                let words = |(value, &operand): (i64, &NodeId)| match graph.value_mode(operand) {
                    mode if mode.words() == 2 => split(value).to_vec(),
                    _ => vec![value],
                };
                let arguments = values(operands).into_iter().zip(operands).flat_map(words);
                return Step::Call { address, arguments: arguments.collect() };
            }
            _ => {
                if let Some(outcome) = self.interpreter.execute(id) {
                    return Step::End(outcome);
                }
            }
        }
        Step::Next
    }

    /// The Call is the node before the next one; its other results are somewhere after it.
    fn take_results(&mut self, results: Vec<i64>) -> Step {
        let graph = self.interpreter.graph;
        let nodes = self.flow.nodes(self.block);
        let call = nodes[self.next - 1];
        if graph.op(call) != Op::Call(results.len() as u32) {
            let reason = format!("the function returns {} results", results.len());
            return Step::End(Outcome::fault(name(call), reason));
        }
        self.interpreter.values[call] = results[0];
        self.interpreter.results.insert(call, results);
        Step::Next
    }

    fn jump(&mut self) -> Step {
        let jump = self.flow.jump(self.block);
        let target = jump.and_then(|jump| self.interpreter.target(self.flow, jump));
        let Some(target) = target else {
            return Step::End(Outcome::fault(name(self.block), "control does not go on"));
        };
        self.interpreter.enter(self.flow, target);
        (self.block, self.next) = (target.block, 0);
        Step::Next
    }
}

#[cfg(test)]
#[cfg(feature = "ch26")]
#[path = "tests/calls.rs"]
mod tests;
