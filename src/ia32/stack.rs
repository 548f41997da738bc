//! What code does with memory: the invariants of addresses and of the stack.
use crate::ia32::address::{Address, Base};
use crate::ia32::code::{Code, Inst, Operand};
use crate::ia32::inst::Op;
use crate::ia32::reg::{CALLEE_SAVED, Register};
use crate::ia32::verify::{Report, registers};

pub fn addresses_exist(code: &Code, report: &mut Report) {
    for (at, inst, address) in addresses(code) {
        let scaled = match address.index {
            Some((register, scale)) => register != Register::ESP && matches!(scale, 1 | 2 | 4 | 8),
            None => has_base(address),
        };
        if !scaled {
            report.fail("addresses-exist", at, inst, "the machine has no such address");
        }
    }
}

fn has_base(address: Address) -> bool {
    match address.base {
        #[cfg(feature = "ch04")]
        Base::None => false,
        #[cfg(feature = "ch04")]
        Base::Argument(_) => true,
        Base::Register(_) | Base::Slot(_) => true,
    }
}

fn addresses(code: &Code) -> impl Iterator<Item = (usize, &Inst, Address)> {
    let operands = |(at, inst): (usize, &'_ Inst)| inst.operands.map(|operand| (at, operand));
    let found = code.instructions.iter().enumerate().flat_map(operands);
    found.filter_map(|(at, operand)| {
        let Operand::Address(address) = operand else { return None };
        Some((at, &code.instructions[at], address))
    })
}

pub fn stack_untouched(code: &Code, report: &mut Report) {
    for (at, inst) in code.instructions.iter().enumerate() {
        let moves = matches!(inst.op, Op::Push | Op::Pop);
        if moves || registers(inst).any(|register| register == Register::ESP) {
            report.fail("stack-untouched", at, inst, "the stack is not laid out yet");
        }
    }
    for (at, inst, address) in addresses(code) {
        if matches!(address.base, Base::Slot(_)) {
            report.fail("stack-untouched", at, inst, "there is no frame yet");
        }
    }
}

pub fn laid_out(code: &Code, report: &mut Report) {
    for (at, inst, address) in addresses(code) {
        let laid_out = match address.base {
            #[cfg(feature = "ch04")]
            Base::None => true,
            Base::Register(_) => true,
            #[cfg(feature = "ch04")]
            Base::Argument(_) => false,
            Base::Slot(_) => false,
        };
        if !laid_out {
            report.fail("laid-out", at, inst, "a place without an address");
        }
    }
}

/// Follows the stack and the registers that belong to the caller from entry to `ret`.
pub fn stack_is_kept(code: &Code, report: &mut Report) {
    let mut walk = Walk {
        owners: CALLEE_SAVED.map(Mark::Caller),
        stack: vec![Mark::Written, Mark::ReturnAddress],
    };
    for (at, inst) in code.instructions.iter().enumerate() {
        if let Err((invariant, what)) = walk.step(inst) {
            return report.fail(invariant, at, inst, what);
        }
    }
}

struct Walk {
    /// What the registers of `CALLEE_SAVED` hold.
    owners: [Mark; CALLEE_SAVED.len()],
    /// Words from the argument downwards.
    stack: Vec<Mark>,
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    Unwritten,
    Written,
    ReturnAddress,
    /// What the caller had in this register.
    Caller(Register),
}

type Kept = Result<(), Broken>;

/// An invariant, and what breaks it.
type Broken = (&'static str, &'static str);

impl Walk {
    fn step(&mut self, inst: &Inst) -> Kept {
        let [first, second, _] = inst.operands;
        let esp = Operand::Register(Register::ESP);
        match (inst.op, first, second) {
            (Op::Push, Operand::Register(register), _) => self.stack.push(self.mark(register)),
            (Op::Pop, Operand::Register(register), _) => return self.pop(register),
            (Op::SubImmediate, first, Operand::Immediate(bytes)) if first == esp => {
                return self.grow(i64::from(bytes));
            }
            (Op::AddImmediate, first, Operand::Immediate(bytes)) if first == esp => {
                return self.grow(-i64::from(bytes));
            }
            (Op::Ret, ..) => return self.leave(),
            (Op::Load, _, Operand::Address(address)) => self.load(address)?,
            (Op::Store, Operand::Address(address), _) => self.store(address)?,
            _ => {}
        }
        if inst.op != Op::Push
            && inst.reads().any(|register| matches!(self.mark(register), Mark::Caller(_)))
        {
            return Err(("written-before-read", "this value is the caller's"));
        }
        inst.writes().try_for_each(|register| self.set(register, Mark::Written))
    }

    fn mark(&self, register: Register) -> Mark {
        let at = CALLEE_SAVED.iter().position(|&saved| saved == register);
        at.map_or(Mark::Written, |at| self.owners[at])
    }

    fn set(&mut self, register: Register, mark: Mark) -> Kept {
        if register == Register::ESP {
            return Err(("stack-balanced", "esp moves by an unknown distance"));
        }
        if let Some(at) = CALLEE_SAVED.iter().position(|&saved| saved == register) {
            self.owners[at] = mark;
        }
        Ok(())
    }

    fn pop(&mut self, register: Register) -> Kept {
        match self.stack.pop() {
            Some(mark @ (Mark::Caller(_) | Mark::Written)) => self.set(register, mark),
            Some(Mark::Unwritten) => Err(("stack-written", "this word was never written")),
            Some(Mark::ReturnAddress) | None => {
                Err(("stack-balanced", "this word is not the function's"))
            }
        }
    }

    fn grow(&mut self, bytes: i64) -> Kept {
        let words = self.stack.len() as i64 + bytes / 4;
        if bytes % 4 != 0 || words < 2 {
            return Err(("stack-balanced", "these words are not the function's"));
        }
        self.stack.resize(words as usize, Mark::Unwritten);
        Ok(())
    }

    fn leave(&self) -> Kept {
        if self.stack.len() != 2 {
            return Err(("stack-balanced", "esp does not point at the return address"));
        }
        if self.owners != CALLEE_SAVED.map(Mark::Caller) {
            return Err(("callee-saved", "a register of the caller is not restored"));
        }
        Ok(())
    }

    fn load(&mut self, address: Address) -> Kept {
        match self.word(address)? {
            Some(Mark::Written) | None => Ok(()),
            Some(_) => Err(("stack-written", "this word was never written")),
        }
    }

    fn store(&mut self, address: Address) -> Kept {
        match self.word(address)? {
            Some(Mark::ReturnAddress) => Err(("stack-balanced", "this is the return address")),
            Some(mark) => {
                *mark = Mark::Written;
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// The word of the stack that an address means; none if it is not relative to esp.
    fn word(&mut self, address: Address) -> Result<Option<&mut Mark>, Broken> {
        if address.base != Base::Register(Register::ESP) {
            return Ok(None);
        }
        let above = usize::try_from(address.displacement / 4).ok();
        let aligned = address.displacement % 4 == 0 && address.index.is_none();
        let word = above.and_then(|above| self.stack.len().checked_sub(1 + above));
        let Some(word) = word.filter(|_| aligned) else {
            return Err(("stack-written", "this is not a word of the stack"));
        };
        Ok(Some(&mut self.stack[word]))
    }
}
