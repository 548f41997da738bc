//! Executes a Firm graph: the nodes of a block one after the other.
#[cfg(feature = "ch05")]
use super::control_flow::{ControlFlow, Target};
use super::graph::{Graph, NodeId};
#[cfg(feature = "ch04")]
use super::mode::Mode;
#[cfg(feature = "ch02")]
use super::mode::Values;
use super::op::Op;
#[cfg(feature = "ch02")]
use crate::arith::Binary;
#[cfg(feature = "ch14")]
use crate::arith::joined;
#[cfg(feature = "ch10")]
use crate::firm::memory::Memory;
use crate::stage::{Outcome, STEP_LIMIT};
#[cfg(feature = "ch25")]
use crate::{arith::WORD, firm::Access};
use arena::SideTable;
use std::collections::HashMap;

/// The result of a graph from a file for these arguments. Its output is the trace of its stores and
/// of its volatile loads.
#[cfg(feature = "ch25")]
pub fn eval(graph: &Graph, arguments: &[i64]) -> Outcome {
    let mut interpreter = Interpreter::new(graph, arguments);
    interpreter.memory = Memory::unknown();
    interpreter.run()
}

pub struct Interpreter<'g> {
    pub graph: &'g Graph,
    arguments: Vec<i64>,
    pub values: SideTable<NodeId, i64>,
    #[cfg(feature = "ch10")]
    pub memory: Memory,
    /// The results of calls.
    #[cfg(feature = "ch14")]
    pub results: HashMap<NodeId, Vec<i64>>,
}

impl Interpreter<'_> {
    pub fn new<'g>(graph: &'g Graph, arguments: &[i64]) -> Interpreter<'g> {
        Interpreter {
            graph,
            arguments: arguments.to_vec(),
            values: SideTable::new(graph.len()),
            #[cfg(feature = "ch10")]
            memory: Memory::default(),
            #[cfg(feature = "ch14")]
            results: HashMap::new(),
        }
    }

    /// The result of the program.
    pub fn run(&mut self) -> Outcome {
        let graph = self.graph;
        let is_first = |id: &NodeId| graph.node(*id).block == graph.start_block;
        let end = graph.ids().filter(is_first).find_map(|id| self.execute(id));
        #[cfg(feature = "ch05")]
        let end = end.or_else(|| self.follow_jumps());
        end.unwrap_or_else(|| Outcome::fault("the end", "there is no Return"))
    }

    /// Executes a node; the result of the program, if it ends here.
    pub fn execute(&mut self, id: NodeId) -> Option<Outcome> {
        let operand = |at: usize| self.value(self.graph.operands(id)[at]);
        #[cfg(feature = "ch02")]
        let mode = self.graph.node(id).mode;
        let value: Result<i64, String> = match self.graph.op(id) {
            Op::StartBlock | Op::EndBlock | Op::End => Ok(0),
            Op::Start => Ok(self.arguments.first().copied().unwrap_or_default()),
            #[cfg(feature = "ch04")]
            Op::Argument(number) => {
                let argument = self.argument(number as usize, mode);
                argument.ok_or_else(|| "there is no such argument".to_string())
            }
            Op::Const(value) => Ok(value),
            #[cfg(feature = "ch02")]
            Op::Binary(binary) => arithmetic(mode.values(), binary, [operand(0), operand(1)]),
            #[cfg(feature = "ch04")]
            Op::Cmp(relation) => Ok(mode.values().compare(relation, operand(0), operand(1)).into()),
            // It got its value when control entered the block.
            #[cfg(feature = "ch05")]
            Op::Phi => Ok(self.values[id]),
            #[cfg(feature = "ch05")]
            Op::Block | Op::Jmp => Ok(1),
            #[cfg(feature = "ch05")]
            Op::Cond => Ok(operand(0)),
            #[cfg(feature = "ch29")]
            Op::Mux => Ok(operand(if operand(0) == 0 { 1 } else { 2 })),
            Op::Return => return Some(self.returned(operand(1))),
            #[cfg(feature = "ch14")]
            Op::SymConst(_) => Err("the symbol has no address".to_string()),
            #[cfg(feature = "ch25")]
            Op::Not => Ok(WORD.wrap(!operand(0))),
            #[cfg(feature = "ch25")]
            Op::Load(access @ Access::Volatile) => {
                let address = operand(1);
                self.memory.load_visibly(mode, address, access)
            }
            #[cfg(feature = "ch10")]
            Op::Load(_) => self.memory.load(mode, operand(1)),
            #[cfg(feature = "ch10")]
            Op::Store(_) => self.store(id),
            #[cfg(feature = "ch12")]
            Op::Conv(to) => {
                mode.convert(operand(0), to).ok_or_else(|| "there is no such conversion".into())
            }
            #[cfg(feature = "ch25")]
            Op::Sync => Ok(0),
            #[cfg(feature = "ch25")]
            Op::Bad => Err("a node is missing".to_string()),
            #[cfg(feature = "ch14")]
            Op::Call(_) => Err("there is no such function".to_string()),
            #[cfg(feature = "ch14")]
            Op::Result(number) => self.result(id, number),
        };
        match value {
            Ok(value) => self.values[id] = value,
            Err(reason) => return Some(Outcome::fault(super::print::name(id), reason)),
        }
        None
    }

    /// The outcome of a program that returns a value.
    fn returned(&self, value: i64) -> Outcome {
        let outcome = Outcome::value(value);
        #[cfg(feature = "ch25")]
        let outcome = Outcome { output: self.memory.trace.clone(), ..outcome };
        outcome
    }

    /// The argument with this number, that of its first word.
    #[cfg(feature = "ch04")]
    fn argument(&self, number: usize, _mode: Mode) -> Option<i64> {
        #[cfg(feature = "ch14")]
        if _mode.words() == 2 {
            let words = self.arguments.get(number..number + 2)?;
            return Some(joined(words[0], words[1]));
        }
        self.arguments.get(number).copied()
    }

    /// The value of an operand; constants have theirs from the beginning.
    pub fn value(&self, id: NodeId) -> i64 {
        match self.graph.op(id) {
            Op::Const(value) => value,
            _ => self.values[id],
        }
    }
}

/// Memory.
#[cfg(feature = "ch10")]
impl Interpreter<'_> {
    fn store(&mut self, id: NodeId) -> Result<i64, String> {
        let [address, value] = [1, 2].map(|at| self.value(self.graph.operands(id)[at]));
        self.memory.store(self.graph.node(id).mode, address, value).map(|()| 0)
    }
}

/// Calls.
#[cfg(feature = "ch14")]
impl Interpreter<'_> {
    /// The result of a call with this number.
    fn result(&self, id: NodeId, number: u32) -> Result<i64, String> {
        let results = self.results.get(&self.graph.operands(id)[0]);
        let result = results.and_then(|it| it.get(number as usize)).copied();
        result.ok_or_else(|| "there is no such result".to_string())
    }
}

/// Control flow.
#[cfg(feature = "ch05")]
impl Interpreter<'_> {
    /// Executes the blocks after the first one, up to the end of the program.
    fn follow_jumps(&mut self) -> Option<Outcome> {
        let flow = ControlFlow::new(self.graph);
        let (mut block, mut steps) = (self.graph.start_block, 0);
        loop {
            steps += 1 + flow.nodes(block).len() as u64;
            if steps > STEP_LIMIT {
                return Some(Outcome::out_of_steps());
            }
            let target = flow.jump(block).and_then(|jump| self.target(&flow, jump));
            let Some(target) = target else {
                return Some(Outcome::fault(super::print::name(block), "control does not go on"));
            };
            self.enter(&flow, target);
            block = target.block;
            let end = flow.nodes(block).iter().find_map(|&id| self.execute(id));
            if end.is_some() {
                return end;
            }
        }
    }

    /// The target of a jump that was executed.
    pub fn target(&self, flow: &ControlFlow, jump: NodeId) -> Option<Target> {
        match self.values[jump] {
            _ if self.graph.op(jump) == Op::Start => flow.target(jump, true),
            0 => flow.target(jump, false),
            1 => flow.target(jump, true),
            _ => None,
        }
    }

    /// All Phis of a block get their values at once: some may be operands of others.
    pub fn enter(&mut self, flow: &ControlFlow, Target { block, predecessor_index }: Target) {
        let phis = flow.nodes(block).iter().take_while(|&&id| self.graph.op(id) == Op::Phi);
        let value =
            |&id: &NodeId| (id, self.value(self.graph.operands(id)[predecessor_index as usize]));
        let selected: Vec<_> = phis.map(value).collect();
        selected.into_iter().for_each(|(id, value)| self.values[id] = value);
    }
}

/// Division is undefined for some operands in Firm, but not in Simple: the lowering guards it.
#[cfg(feature = "ch02")]
fn arithmetic(values: Values, op: Binary, [a, b]: [i64; 2]) -> Result<i64, String> {
    values.compute(op, a, b).ok_or_else(|| format!("division of {a} by {b}"))
}
