//! Executes a control-flow graph: the instructions of a block one after the other.
use super::graph::{Block, End, Graph, Instruction, Operand, Operation, VariableId};
use crate::arith::TRAP;
use crate::stage::Outcome;
use arena::SideTable;

/// The result of the program for these arguments, if it takes at most this number of steps.
pub fn eval(graph: &Graph, arguments: &[i64], limit: u64) -> Outcome {
    let mut values = Values { of: SideTable::new(graph.variables.len()) };
    let arguments = arguments.iter().copied().chain(std::iter::repeat(0));
    for (&parameter, argument) in graph.parameters.iter().zip(arguments) {
        values.of[parameter] = argument;
    }
    let (mut output, mut steps) = (String::new(), 0);
    let mut block = graph.entry();
    loop {
        let Block { label, instructions, end, .. } = &graph.blocks[block];
        steps += 1 + instructions.len() as u64;
        if steps > limit {
            return Outcome { output, ..Outcome::out_of_steps() };
        }
        for instruction in instructions {
            if values.execute(instruction, &mut output).is_none() {
                return Outcome { output, ..Outcome::fault(label, TRAP) };
            }
        }
        block = match end {
            End::Goto(target) => *target,
            End::Switch(operand, targets) => {
                let number = usize::try_from(values.value(*operand)).unwrap_or(usize::MAX);
                targets[number.min(targets.len() - 1)]
            }
            End::Return(operands) => {
                let results: Vec<_> = operands.iter().map(|&it| values.value(it)).collect();
                let results = if results.is_empty() { vec![0] } else { results };
                return Outcome { output, ..Outcome::values(&results) };
            }
        };
    }
}

struct Values {
    of: SideTable<VariableId, i64>,
}

impl Values {
    fn value(&self, operand: Operand) -> i64 {
        match operand {
            Operand::Variable(variable) => self.of[variable],
            Operand::Number(number) => number,
        }
    }

    /// Executes an instruction; none if it traps.
    fn execute(&mut self, instruction: &Instruction, output: &mut String) -> Option<()> {
        let operands: Vec<_> = instruction.operands.iter().map(|&it| self.value(it)).collect();
        let value = match instruction.operation {
            Operation::Operator(operator) => operator.evaluate(operands[0], operands[1])?,
            Operation::Copy => operands[0],
            Operation::Use => {
                let words: Vec<_> = operands.iter().map(i64::to_string).collect();
                let end = if words.is_empty() { "" } else { "\n" };
                *output += &(words.join(" ") + end);
                0
            }
        };
        instruction.result.into_iter().for_each(|result| self.of[result] = value);
        Some(())
    }
}
