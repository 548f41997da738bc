//! Floating-point numbers: the scalar instructions of SSE2 for those of 64 bits, and the conversion
//! from and to those of 32.
//!
//! The lower half of each register is emulated. The processor of the host rounds as the emulated
//! one does: to nearest, ties to even.
use super::decode::{DecodedInstruction, Operand};
use super::execute::Machine;
use super::fault::Fault;
use super::flags::{ALL, CARRY, PARITY, ZERO};
use iced_x86::Mnemonic;
use memory::Size;

/// An operation on the 64 bits of the target and of the source.
#[derive(Clone, Copy)]
pub enum FloatOperation {
    /// The target becomes a function of both.
    Combine(fn(u64, u64) -> u64),
    /// The target becomes all ones if the relation with the number of the third operand holds.
    Mask,
    /// Writes the flags alone.
    Compare,
    /// The target becomes a function of itself and the lowest 32 bits of the source.
    FromSingle(fn(u64, u32) -> u64),
    /// Copies the lowest 32 bits of the source to memory.
    StoreSingle,
    /// From a signed word.
    Convert,
    /// The lower word, to a general register.
    LowWord,
}

/// Instructions by mnemonic.
pub const ROWS: &[(Mnemonic, FloatOperation)] = {
    use FloatOperation::*;
    &[
        (Mnemonic::Movsd, Combine(|_, source| source)),
        (Mnemonic::Movapd, Combine(|_, source| source)),
        (Mnemonic::Movaps, Combine(|_, source| source)),
        (Mnemonic::Xorpd, Combine(|target, source| target ^ source)),
        (Mnemonic::Xorps, Combine(|target, source| target ^ source)),
        (Mnemonic::Pxor, Combine(|target, source| target ^ source)),
        (Mnemonic::Addsd, Combine(|a, b| (float(a) + float(b)).to_bits())),
        (Mnemonic::Subsd, Combine(|a, b| (float(a) - float(b)).to_bits())),
        (Mnemonic::Mulsd, Combine(|a, b| (float(a) * float(b)).to_bits())),
        (Mnemonic::Divsd, Combine(|a, b| (float(a) / float(b)).to_bits())),
        (Mnemonic::Cvtsd2ss, Combine(|a, b| lower(a, (float(b) as f32).to_bits()))),
        (Mnemonic::Cvtss2sd, FromSingle(|_, source| f64::from(f32::from_bits(source)).to_bits())),
        (Mnemonic::Movss, StoreSingle),
        (Mnemonic::Cmpsd, Mask),
        (Mnemonic::Ucomisd, Compare),
        (Mnemonic::Comisd, Compare),
        (Mnemonic::Cvtsi2sd, Convert),
        (Mnemonic::Movd, LowWord),
    ]
};

fn float(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// The bits of a register after its lowest 32 bits were written.
fn lower(bits: u64, lowest: u32) -> u64 {
    bits & !u64::from(u32::MAX) | u64::from(lowest)
}

impl Machine {
    pub fn float(
        &mut self,
        operation: FloatOperation,
        instruction: &DecodedInstruction,
    ) -> Result<(), Fault> {
        let DecodedInstruction { target, source, third, .. } = instruction;
        match operation {
            FloatOperation::Combine(function) => {
                // A move to memory does not read its target.
                let old = if is_register(target) { self.read_float(target)? } else { 0 };
                let value = function(old, self.read_float(source)?);
                self.write_float(target, value)
            }
            FloatOperation::Mask => {
                let holds = relation(
                    self.read(third)?,
                    float(self.read_float(target)?),
                    float(self.read_float(source)?),
                );
                self.write_float(target, if holds { u64::MAX } else { 0 })
            }
            FloatOperation::Compare => {
                let (a, b) = (float(self.read_float(target)?), float(self.read_float(source)?));
                let set = match a.partial_cmp(&b) {
                    None => ZERO | PARITY | CARRY,
                    Some(std::cmp::Ordering::Less) => CARRY,
                    Some(std::cmp::Ordering::Equal) => ZERO,
                    Some(std::cmp::Ordering::Greater) => 0,
                };
                self.flags.write(ALL, set);
                Ok(())
            }
            FloatOperation::FromSingle(function) => {
                let bits = match source {
                    Operand::Float { .. } => self.read_float(source)? as u32,
                    _ => self.read(source)?,
                };
                self.write_float(target, function(self.read_float(target)?, bits))
            }
            FloatOperation::StoreSingle => {
                let bits = self.read_float(source)?;
                self.write(target, bits as u32)
            }
            FloatOperation::Convert => {
                let word = self.read(source)?.cast_signed();
                self.write_float(target, f64::from(word).to_bits())
            }
            FloatOperation::LowWord => {
                let bits = self.read_float(source)?;
                self.write(target, bits as u32)
            }
        }
    }

    fn read_float(&self, operand: &Operand) -> Result<u64, Fault> {
        match operand {
            Operand::Float { number } => Ok(self.floats[*number as usize]),
            Operand::Memory { address, .. } => {
                Ok(self.memory.load(self.address(address), Size::Double)?)
            }
            Operand::Immediate(_) | Operand::Register { .. } => {
                unreachable!("decoded: this operand is a float")
            }
        }
    }

    fn write_float(&mut self, operand: &Operand, bits: u64) -> Result<(), Fault> {
        match operand {
            Operand::Float { number } => self.floats[*number as usize] = bits,
            Operand::Memory { address, .. } => {
                self.memory.store(self.address(address), Size::Double, bits)?;
            }
            Operand::Immediate(_) | Operand::Register { .. } => {
                unreachable!("decoded: this operand is a float")
            }
        }
        Ok(())
    }
}

fn is_register(operand: &Operand) -> bool {
    matches!(operand, Operand::Float { .. })
}

/// The relations of `cmpsd`, by the lowest three bits of its immediate.
fn relation(number: u32, a: f64, b: f64) -> bool {
    let is_unordered = a.is_nan() || b.is_nan();
    let holds = match number & 3 {
        0 => a == b,
        1 => a < b,
        2 => a <= b,
        _ => is_unordered,
    };
    holds != (number & 4 != 0)
}

/// Whether the operands of an instruction are of the kinds that its operation requires.
pub fn fits(operation: FloatOperation, operands: &[Operand; 3], count: u32) -> bool {
    let is_float = |operand: &Operand| match operand {
        Operand::Float { .. } => true,
        Operand::Memory { width, .. } => width.0 == 64,
        Operand::Immediate(_) | Operand::Register { .. } => false,
    };
    let is_word = |operand: &Operand| match operand {
        Operand::Register { width, .. } | Operand::Memory { width, .. } => width.0 == 32,
        Operand::Immediate(_) | Operand::Float { .. } => false,
    };
    let [target, source, third] = operands;
    match operation {
        FloatOperation::Combine(_) | FloatOperation::Compare => {
            count == 2 && is_float(target) && is_float(source)
        }
        FloatOperation::Mask => {
            count == 3
                && is_float(target)
                && is_float(source)
                && matches!(third, Operand::Immediate(0..8))
        }
        FloatOperation::FromSingle(_) => {
            count == 2 && is_register(target) && (is_register(source) || is_word(source))
        }
        FloatOperation::StoreSingle => count == 2 && is_word(target) && is_register(source),
        FloatOperation::Convert => count == 2 && is_float(target) && is_word(source),
        FloatOperation::LowWord => count == 2 && is_word(target) && is_float(source),
    }
}
