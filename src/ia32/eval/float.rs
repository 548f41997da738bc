//! Instructions with registers for floating-point numbers.
use super::{Cell, ComparedValues, Machine, StepResult};
use crate::floats::{self, FloatOp};
use crate::ia32::code::{Instruction, Operand};
use crate::ia32::instruction::{FloatSemantics, MASKS};
use crate::ia32::register::{FIRST_FLOAT, Register};
use arena::Id;

impl Machine<'_> {
    pub fn float(&mut self, semantics: FloatSemantics, instruction: &Instruction) -> StepResult {
        let [first, second, third] = instruction.operands;
        let result = match semantics {
            FloatSemantics::Move => self.read_float(second)?,
            FloatSemantics::Zero => 0,
            FloatSemantics::Compute(op) => {
                op.evaluate([self.read_float(first)?, self.read_float(second)?])
            }
            FloatSemantics::Xor => {
                let bits = self.read_float(first)? ^ self.read_float(second)?;
                floats::bits(floats::float(bits))
            }
            FloatSemantics::Mask => {
                let relation = MASKS.get(self.read(third)? as usize).and_then(|it| it.1);
                let relation = relation.ok_or("there is no such relation")?;
                let [a, b] = [self.read_float(first)?, self.read_float(second)?];
                -i64::from(floats::holds(relation, a, b))
            }
            FloatSemantics::Compare => {
                let order = floats::order(self.read_float(first)?, self.read_float(second)?);
                self.flags = ComparedValues::Order(order.0, order.1);
                return Ok(());
            }
            FloatSemantics::LowWord => return self.write(first, self.read_float(second)? as i32),
            FloatSemantics::FromWord => {
                FloatOp::FromInteger.evaluate([self.read(second)?.into(); 2])
            }
            FloatSemantics::Return => {
                #[cfg(feature = "ch18")]
                if self.has_caller() {
                    return self.leave_function();
                }
                let result = Operand::Register(Register::from_index(FIRST_FLOAT));
                return self.leave_with(self.read_float(result)?);
            }
            #[cfg(feature = "ch14")]
            other => return self.single(other, [first, second]),
        };
        self.write_float(first, result)
    }

    fn read_float(&self, operand: Operand) -> Result<i64, String> {
        match operand {
            Operand::Register(register) => match self.registers.get(register.index()) {
                Some(&Cell::Float(bits)) => Ok(bits),
                _ => Err(format!("{register} was never written")),
            },
            Operand::Address(address) => match address.constant() {
                Some(bits) => Ok(bits),
                None => {
                    let address = self.address_of(operand)?.cast_unsigned();
                    let [low, high] = [0, 4].map(|at| self.stack.load(address.wrapping_add(at)));
                    Ok(i64::from(high?) << 32 | i64::from(low?.cast_unsigned()))
                }
            },
            _ => Err("no floating-point number".into()),
        }
    }

    /// A conversion from or to 32 bits, or the store of such a number.
    #[cfg(feature = "ch14")]
    fn single(&mut self, semantics: FloatSemantics, [first, second]: [Operand; 2]) -> StepResult {
        let result = match semantics {
            FloatSemantics::Narrow => floats::narrowed(self.read_float(second)?).into(),
            FloatSemantics::StoreSingle => {
                return self.write(first, self.read_single(second)?.cast_signed());
            }
            _ => floats::widened(self.read_single(second)?),
        };
        self.write_float(first, result)
    }

    /// 32 bits in memory, or the lowest ones of a register for floats.
    #[cfg(feature = "ch14")]
    fn read_single(&self, operand: Operand) -> Result<u32, String> {
        match operand {
            Operand::Register(_) => Ok(self.read_float(operand)? as u32),
            _ => Ok(self.read(operand)?.cast_unsigned()),
        }
    }

    fn write_float(&mut self, operand: Operand, bits: i64) -> StepResult {
        if let Operand::Register(register) = operand {
            self.registers[register.index()] = Cell::Float(bits);
            return Ok(());
        }
        let address = self.address_of(operand)?.cast_unsigned();
        self.stack.store(address, bits as i32)?;
        self.stack.store(address.wrapping_add(4), (bits >> 32) as i32)
    }
}
