//! Jumps between blocks.
use super::{Cell, Machine, StepResult};
use crate::ia32::Register;
use crate::ia32::code::{Block, Operand};
use arena::Id;

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
        let read = |&register: &Register| match self.registers[register.index()] {
            Cell::Unwritten => Err(format!("{register} was never written")),
            written => Ok(written),
        };
        let values = arguments.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        for (&register, value) in parameters.iter().zip(values) {
            self.registers[register.index()] = value;
        }
        Ok(())
    }
}
