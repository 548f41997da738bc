//! Jumps between blocks.
use super::{Machine, StepResult};
use crate::ia32::code::{Block, Operand};

impl Machine<'_> {
    /// All arguments are read before any parameter is written.
    pub fn jump(&mut self, target: Operand) -> StepResult {
        let Operand::Block(target) = target else { return Err("no block".into()) };
        let from = std::mem::replace(&mut self.block, target);
        let Block { first, parameters, .. } = &self.code.blocks[target];
        self.next = *first as usize;
        let arguments = &self.code.blocks[from].arguments;
        if arguments.len() != parameters.len() {
            let count = arguments.len();
            return Err(format!("{count} of {} values are passed", parameters.len()));
        }
        let read = |&register| self.read(Operand::Register(register));
        let values = arguments.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let mut pairs = parameters.iter().zip(values);
        pairs.try_for_each(|(&register, value)| self.write(Operand::Register(register), value))
    }
}
