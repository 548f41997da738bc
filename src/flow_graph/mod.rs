//! Control-flow graphs: blocks of instructions, and jumps between any of them.
mod dot;
mod eval;
mod graph;
mod liveness;
mod parser;
mod print;
mod read;
#[cfg(test)]
mod tests;

pub use eval::eval;
pub use graph::{Block, BlockId, End, Graph, Instruction, Operand, Operation, VariableId};
pub use liveness::live_instructions;
pub use read::read as parse;

use crate::stage::{Artifact, Outcome, STEP_LIMIT, Violation};
use picture::Picture;

impl Artifact for Graph {
    fn print(&self) -> String {
        print::print(self)
    }

    fn listing(&self) -> String {
        print::listing(self)
    }

    fn picture(&self) -> Option<Picture> {
        Some(dot::picture(self))
    }

    /// - `targets`: each switch has two targets at least.
    /// - `results`: all Returns have the same number of values.
    fn verify(&self) -> Vec<Violation> {
        let mut violations = Vec::new();
        for id in self.blocks.ids() {
            let Block { label, end, .. } = &self.blocks[id];
            let broken = match end {
                End::Switch(_, targets) if targets.len() < 2 => "targets",
                End::Return(values) if values.len() != self.results() => "results",
                End::Goto(_) | End::Switch(..) | End::Return(_) => continue,
            };
            violations.push(Violation { invariant: broken, detail: label.clone() });
        }
        violations
    }

    fn eval(&self, argument: i64) -> Option<Outcome> {
        self.eval_all(&[argument])
    }

    fn eval_all(&self, arguments: &[i64]) -> Option<Outcome> {
        Some(eval(self, arguments, STEP_LIMIT))
    }
}
