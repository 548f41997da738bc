//! How control goes from block to block.
use super::{Done, Machine};
use crate::ia32::code::{Block, Operand};

impl Machine<'_> {
    /// All that is handed over is read before any of it is written.
    pub fn jump(&mut self, target: Operand) -> Done {
        let Operand::Block(target) = target else { return Err("no block".into()) };
        let from = std::mem::replace(&mut self.block, target);
        let Block { first, parameters, .. } = &self.code.blocks[target];
        self.next = *first as usize;
        let arguments = &self.code.blocks[from].arguments;
        if arguments.len() != parameters.len() {
            let count = arguments.len();
            return Err(format!("{count} of {} values are handed over", parameters.len()));
        }
        let read = |&register| self.read(Operand::Register(register));
        let values = arguments.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let mut pairs = parameters.iter().zip(values);
        pairs.try_for_each(|(&register, value)| self.write(Operand::Register(register), value))
    }
}
