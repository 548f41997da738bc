//! Runs a Firm graph: the nodes of a block one after the other.
#[cfg(feature = "ch05")]
use super::flow::{Flow, Target};
use super::graph::{Graph, NodeId};
use super::op::Op;
#[cfg(feature = "ch02")]
use crate::arith::Binary;
use crate::stage::Outcome;
#[cfg(feature = "ch05")]
use crate::stage::STEP_LIMIT;
#[cfg(feature = "ch25")]
use crate::{arith::INT, firm::Access, firm::Form};
use arena::SideTable;
#[cfg(feature = "ch25")]
use std::collections::HashMap;

/// What the program does for these arguments. What it writes to memory is its output, and what it
/// reads if others may see that.
pub fn eval(graph: &Graph, arguments: &[i64]) -> Outcome {
    let values = SideTable::new(graph.len());
    let run = Run {
        graph,
        arguments,
        values,
        #[cfg(feature = "ch25")]
        memory: Memory::default(),
    };
    WALKS[WALKS.len() - 1](run)
}

struct Run<'g> {
    graph: &'g Graph,
    arguments: &'g [i64],
    values: SideTable<NodeId, i64>,
    #[cfg(feature = "ch25")]
    memory: Memory,
}

/// From the start to the end; the last one counts.
const WALKS: &[fn(Run) -> Outcome] = &[
    |run| run.straight_on(),
    #[cfg(feature = "ch05")]
    |run| run.through_the_blocks(),
];

impl Run<'_> {
    /// Executes everything there is.
    fn straight_on(mut self) -> Outcome {
        let end = self.graph.ids().find_map(|id| self.execute(id));
        end.unwrap_or_else(|| Outcome::fault("the end", "there is no Return"))
    }

    /// Executes a node; says how the program ends, if it ends there.
    fn execute(&mut self, id: NodeId) -> Option<Outcome> {
        let operand = OPERANDS[OPERANDS.len() - 1];
        let operand = |at: usize| operand(self, id, at);
        let value: Result<i64, String> = match self.graph.op(id) {
            Op::StartBlock | Op::EndBlock | Op::End => Ok(0),
            // The arguments are there from the start.
            Op::Start => Ok(self.arguments.first().copied().unwrap_or_default()),
            #[cfg(feature = "ch04")]
            Op::Argument(number) => {
                let argument = self.arguments.get(number as usize).copied();
                argument.ok_or_else(|| "there is no such argument".to_string())
            }
            Op::Const(value) => Ok(value),
            #[cfg(feature = "ch02")]
            Op::Binary(binary) => arithmetic(self.graph, id, binary, [operand(0), operand(1)]),
            #[cfg(feature = "ch04")]
            Op::Cmp(relation) => Ok(i64::from(relation.holds(operand(0), operand(1)))),
            // It has its value from the way on which control came.
            #[cfg(feature = "ch05")]
            Op::Phi => Ok(self.values[id]),
            #[cfg(feature = "ch05")]
            Op::Block | Op::Jmp => Ok(1),
            #[cfg(feature = "ch05")]
            Op::Cond => Ok(operand(0)),
            Op::Return => {
                let outcome = Outcome::value(operand(1));
                return Some(ENDS.iter().fold(outcome, |outcome, end| end(self, outcome)));
            }
            #[cfg(feature = "ch25")]
            Op::SymConst(symbol) => Ok(address(self.graph.symbols.name(symbol))),
            #[cfg(feature = "ch25")]
            Op::Not => Ok(INT.wrap(!operand(0))),
            #[cfg(feature = "ch25")]
            Op::Load(access) => {
                let address = operand(1);
                Ok(self.memory.load(address, access))
            }
            #[cfg(feature = "ch25")]
            Op::Store(_) => {
                let (address, value) = (operand(1), operand(2));
                self.memory.store(address, value);
                Ok(0)
            }
            #[cfg(feature = "ch25")]
            Op::Sync => Ok(0),
            #[cfg(feature = "ch25")]
            Op::Bad => Err("something is missing".to_string()),
        };
        match value {
            Ok(value) => self.values[id] = value,
            Err(reason) => return Some(Outcome::fault(super::print::name(id), reason)),
        }
        None
    }
}

/// The value of an operand; the last one counts.
const OPERANDS: &[fn(&Run, NodeId, usize) -> i64] = &[
    |run, id, at| run.values[run.graph.operands(id)[at]],
    // An instruction may hold the operand at 1 itself; those behind it then stand one before.
    #[cfg(feature = "ch25")]
    |run, id, at| match (run.graph.form(id), at) {
        (Form::Number(number), 1) => i64::from(number),
        (Form::Symbol(symbol), 1) => address(run.graph.symbols.name(symbol)),
        (Form::Number(_) | Form::Symbol(_), 2..) => run.values[run.graph.operands(id)[at - 1]],
        _ => run.values[run.graph.operands(id)[at]],
    },
];

/// What is added to the outcome in the end.
const ENDS: &[fn(&Run, Outcome) -> Outcome] = &[
    #[cfg(feature = "ch25")]
    |run, outcome| Outcome { output: run.memory.trace.clone(), ..outcome },
];

/// Control.
#[cfg(feature = "ch05")]
impl Run<'_> {
    /// Executes block after block.
    fn through_the_blocks(mut self) -> Outcome {
        let flow = Flow::new(self.graph);
        let (mut block, mut steps) = (self.graph.start_block, 0);
        loop {
            let nodes = flow.nodes(block);
            if let Some(end) = nodes.iter().find_map(|&id| self.execute(id)) {
                return end;
            }
            steps += 1 + nodes.len() as u64;
            if steps > STEP_LIMIT {
                return Outcome::out_of_steps();
            }
            let target = flow.jump(block).and_then(|jump| self.target(&flow, jump));
            let Some(target) = target else {
                return Outcome::fault(super::print::name(block), "control does not go on");
            };
            self.enter(&flow, target);
            block = target.block;
        }
    }

    /// Where a jump leads that has been executed.
    fn target(&self, flow: &Flow, jump: NodeId) -> Option<Target> {
        match self.values[jump] {
            _ if self.graph.op(jump) == Op::Start => flow.target(jump, true),
            0 => flow.target(jump, false),
            1 => flow.target(jump, true),
            _ => None,
        }
    }

    /// All Phis of a block take their values at once: some may be operands of others.
    fn enter(&mut self, flow: &Flow, Target { block, at }: Target) {
        let phis = flow.nodes(block).iter().take_while(|&&id| self.graph.op(id) == Op::Phi);
        let value = |&id: &NodeId| (id, self.values[self.graph.operands(id)[at]]);
        let arrived: Vec<_> = phis.map(value).collect();
        arrived.into_iter().for_each(|(id, value)| self.values[id] = value);
    }
}

/// Firm's division is undefined where Simple's is not: the lowering must have seen to that.
#[cfg(feature = "ch02")]
fn arithmetic(graph: &Graph, id: NodeId, op: Binary, [a, b]: [i64; 2]) -> Result<i64, String> {
    let width = graph.node(id).mode.width().ok_or("arithmetic on no integer")?;
    op.evaluate_checked(width, a, b).ok_or_else(|| format!("division of {a} by {b}"))
}

/// Memory, and what others have seen of it. What nobody wrote is some number of its own.
#[cfg(feature = "ch25")]
#[derive(Default)]
pub struct Memory {
    written: HashMap<i64, i64>,
    pub trace: String,
}

#[cfg(feature = "ch25")]
impl Memory {
    pub fn load(&mut self, address: i64, access: Access) -> i64 {
        if access == Access::Volatile {
            self.trace += &format!("load {address}\n");
        }
        let unknown = || INT.wrap(address.wrapping_mul(2_654_435_761).wrapping_add(12345));
        self.written.get(&address).copied().unwrap_or_else(unknown)
    }

    pub fn store(&mut self, address: i64, value: i64) {
        self.trace += &format!("store {address} {value}\n");
        self.written.insert(address, value);
    }
}

/// Where a symbol stands; far from what small numbers address.
#[cfg(feature = "ch25")]
pub fn address(symbol: &str) -> i64 {
    let letters = symbol.bytes().rev();
    let hash = letters.fold(0, |hash: i64, letter| (hash * 31 + i64::from(letter)) % 100_000);
    1_000_000 + hash
}
