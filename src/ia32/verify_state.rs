//! The abstract state of allocated code at a program point: which registers are written, which
//! comparison the flags hold, the height of the stack, and where the caller's values are.
//!
//! An instruction transforms a state into the next one, or violates an invariant.
//! @ch04 One of them is `flags-defined`: where a condition is read, the flags are defined for it on
//! @ch04 every path.
#[cfg(feature = "ch14")]
use crate::arith::Relation;
use crate::ia32::code::{Code, Form, Instruction};
use crate::ia32::instruction::Op;
#[cfg(feature = "ch18")]
use crate::ia32::register::argument_registers;
use crate::ia32::register::{Register, RegisterSet};
use crate::ia32::verify_stack_state::{CheckResult, Stack};
#[cfg(feature = "ch04")]
use crate::ia32::{Operand, instruction};
#[cfg(feature = "ch04")]
use crate::target::Flags;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AbstractState {
    form: Form,
    /// The real registers that may be read.
    written: RegisterSet,
    pub stack: Stack,
    #[cfg(feature = "ch04")]
    flags: KnownFlags,
    /// Whether the carry is that of a sum, a difference or a comparison.
    #[cfg(feature = "ch14")]
    carry: bool,
}

/// The knowledge about the flags.
#[cfg(feature = "ch04")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum KnownFlags {
    Nothing,
    /// Whether a number is zero, and its sign.
    Zero,
    /// How two numbers compare, with a sign and without one.
    Order,
    /// How two numbers compare without a sign.
    #[cfg(feature = "ch12")]
    Unsigned,
    /// Whether a number is less than another one.
    #[cfg(feature = "ch14")]
    Less,
}

#[cfg(feature = "ch04")]
impl KnownFlags {
    /// Whether a condition that needs `other` may read the flags.
    fn imply(self, other: KnownFlags) -> bool {
        #[cfg(feature = "ch12")]
        if (self, other) == (KnownFlags::Order, KnownFlags::Unsigned) {
            return true;
        }
        #[cfg(feature = "ch14")]
        if (self, other) == (KnownFlags::Order, KnownFlags::Less) {
            return true;
        }
        self == other
            || other == KnownFlags::Nothing
            || self == KnownFlags::Order && other == KnownFlags::Zero
    }

    /// The knowledge that both have.
    #[cfg(feature = "ch05")]
    fn meet(self, other: KnownFlags) -> KnownFlags {
        match (self.imply(other), other.imply(self)) {
            (true, _) => other,
            (_, true) => self,
            (false, false) => KnownFlags::Nothing,
        }
    }
}

impl AbstractState {
    /// No register is written but, in allocated code, esp.
    /// @ch18 Those of the arguments are written, too.
    pub fn entry(code: &Code) -> AbstractState {
        let mut written = RegisterSet::EMPTY;
        if code.form == Form::Allocated {
            written.insert(Register::ESP);
        }
        #[cfg(feature = "ch18")]
        argument_registers(code.signature).for_each(|register| written.insert(register));
        AbstractState {
            form: code.form,
            written,
            stack: Stack::entry(code),
            #[cfg(feature = "ch04")]
            flags: KnownFlags::Nothing,
            #[cfg(feature = "ch14")]
            carry: false,
        }
    }

    /// The state after an instruction.
    pub fn step(&mut self, instruction: &Instruction) -> CheckResult {
        self.read_registers(instruction)?;
        #[cfg(feature = "ch04")]
        self.update_flags(instruction)?;
        #[cfg(feature = "ch14")]
        self.update_carry(instruction)?;
        let writes = instruction.real_writes();
        self.written = self.written.union(writes);
        #[cfg(feature = "ch14")]
        if instruction.is_call() {
            self.written = self.written.without(instruction.clobbers());
        }
        match self.form {
            Form::Selected => Ok(()),
            Form::Allocated => self.stack.step(instruction, writes, &mut self.written),
        }
    }

    /// The meet of two states, at a join.
    #[cfg(feature = "ch05")]
    pub fn meet(self, other: AbstractState) -> AbstractState {
        AbstractState {
            form: self.form,
            written: self.written.intersect(other.written),
            stack: self.stack.meet(other.stack),
            flags: self.flags.meet(other.flags),
            #[cfg(feature = "ch14")]
            carry: self.carry && other.carry,
        }
    }
}

impl AbstractState {
    fn read_registers(&mut self, instruction: &Instruction) -> CheckResult {
        // A push saves the caller's value.
        if instruction.op == Op::Push {
            return Ok(());
        }
        let unwritten = instruction.real_reads().without(self.written);
        match unwritten.iter().next() {
            Some(register) => Err(("definite-assignment", format!("{register} was never written"))),
            None => Ok(()),
        }
    }

    #[cfg(feature = "ch04")]
    fn update_flags(&mut self, instruction: &Instruction) -> CheckResult {
        match instruction.flags() {
            Flags::Untouched => {}
            Flags::Undefined => self.flags = KnownFlags::Nothing,
            Flags::Zero => self.flags = KnownFlags::Zero,
            Flags::Result | Flags::Compared => self.flags = KnownFlags::Order,
            #[cfg(feature = "ch12")]
            Flags::ComparedUnsigned => self.flags = KnownFlags::Unsigned,
            #[cfg(feature = "ch14")]
            Flags::Carry => self.flags = KnownFlags::Nothing,
            #[cfg(feature = "ch14")]
            Flags::Borrow => self.flags = KnownFlags::Less,
            Flags::Read if self.flags.imply(needed_flags(instruction)) => {}
            Flags::Read => {
                return Err((
                    "flags-defined",
                    "the flags are not defined for this condition".into(),
                ));
            }
        }
        Ok(())
    }
}

#[cfg(feature = "ch14")]
impl AbstractState {
    fn update_carry(&mut self, instruction: &Instruction) -> CheckResult {
        let flags = instruction.flags();
        if matches!(flags, Flags::Carry | Flags::Borrow) && !self.carry {
            return Err(("flags-defined", "the carry is not defined".into()));
        }
        if flags.writes() {
            self.carry = flags.are_of_a_comparison() || instruction.op.row().instruction.carries;
        }
        Ok(())
    }
}

#[cfg(feature = "ch04")]
fn needed_flags(instruction: &Instruction) -> KnownFlags {
    match instruction.operands[0] {
        Operand::Condition(relation) if instruction::needs_only_result(relation) => {
            KnownFlags::Zero
        }
        #[cfg(feature = "ch12")]
        Operand::Condition(relation) if relation.is_unsigned() => KnownFlags::Unsigned,
        #[cfg(feature = "ch14")]
        Operand::Condition(Relation::Less | Relation::GreaterEqual) => KnownFlags::Less,
        _ => KnownFlags::Order,
    }
}
