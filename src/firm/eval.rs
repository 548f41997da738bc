//! Runs a Firm graph: the nodes of a block one after the other.
#[cfg(feature = "ch05")]
use super::flow::{Flow, Target};
use super::graph::{Graph, NodeId};
use super::op::Op;
use crate::base::ids::SideTable;
use crate::stage::Outcome;
#[cfg(feature = "ch05")]
use crate::stage::STEPS;
#[cfg(feature = "ch02")]
use crate::{arith::Binary, arith::Width};

/// What the program does for the argument `arg`.
pub fn eval(graph: &Graph, arg: i64) -> Outcome {
    let run = Run { graph, arg, values: SideTable::new(graph.len()) };
    WALKS[WALKS.len() - 1](run)
}

struct Run<'g> {
    graph: &'g Graph,
    arg: i64,
    values: SideTable<NodeId, i64>,
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
        let operand = |at: usize| self.values[self.graph.operands(id)[at]];
        let value: Result<i64, String> = match self.graph.op(id) {
            Op::StartBlock | Op::EndBlock | Op::End => Ok(0),
            // The argument is there from the start.
            Op::Start => Ok(self.arg),
            #[cfg(feature = "ch04")]
            Op::Argument(_) => Ok(operand(0)),
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
            Op::Return => return Some(Outcome::value(operand(1))),
        };
        match value {
            Ok(value) => self.values[id] = value,
            Err(reason) => return Some(Outcome::fault(super::print::name(id), reason)),
        }
        None
    }
}

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
            if steps > STEPS {
                return Outcome::out_of_steps();
            }
            let target = nodes.last().and_then(|&jump| self.target(&flow, jump));
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
    let width: Width = graph.node(id).mode.width().ok_or("arithmetic on no integer")?;
    if op == Binary::Div && (b == 0 || a == width.min() && b == -1) {
        return Err(format!("division of {a} by {b}"));
    }
    Ok((op.row().meaning)(width, a, b))
}
