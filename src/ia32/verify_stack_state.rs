//! The stack as an abstract state: its height, and the locations of the caller's registers.
//!
//! Allocated code:
//! * `stack-written`: words of the stack are written before they are read;
//! * `stack-balanced`: only `push`, `pop` and constants move esp, and it is restored at `ret`;
//! * `callee-saved`: ebx, ebp, esi and edi are restored at `ret`.
use crate::ia32::address::{Address, Base};
use crate::ia32::code::{Code, Instruction, Operand};
use crate::ia32::instruction::Op;
use crate::ia32::register::{CALLEE_SAVED, Register, RegisterSet};
use flow::Access;
use memory::Size;

/// An invariant, and its violation.
type BrokenInvariant = (&'static str, String);

pub type CheckResult = Result<(), BrokenInvariant>;

/// The height of the stack, and the locations of the caller's register values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stack {
    /// The number of words, from the argument on. `None` if it depends on the path.
    words: Option<u32>,
    /// The number of the words of the caller that hold arguments and results.
    arguments: u32,
    /// The number of the function's results on the stack.
    #[cfg(feature = "ch14")]
    results: u32,
    /// The callee-saved registers that hold the caller's values.
    preserved: RegisterSet,
    /// For each register of `CALLEE_SAVED`, the word that it was saved to.
    saved: [Option<u32>; CALLEE_SAVED.len()],
}

impl Stack {
    pub fn entry(code: &Code) -> Stack {
        let arguments = code.argument_words();
        let (words, preserved) = (Some(arguments + 1), RegisterSet::CALLEE_SAVED);
        Stack {
            words,
            arguments,
            #[cfg(feature = "ch14")]
            results: code.signature.results_on_stack(),
            preserved,
            saved: [None; 4],
        }
    }

    /// The word of the return address.
    fn return_address(&self) -> u32 {
        self.arguments
    }

    #[cfg(feature = "ch05")]
    pub fn meet(self, other: Stack) -> Stack {
        let same = |at: usize| self.saved[at].filter(|word| other.saved[at] == Some(*word));
        Stack {
            words: self.words.filter(|words| other.words == Some(*words)),
            preserved: self.preserved.intersect(other.preserved),
            saved: std::array::from_fn(same),
            ..self
        }
    }

    /// Calls `add` for each access of the next instruction.
    pub fn for_each_access(&self, instruction: &Instruction, mut add: impl FnMut(Access)) {
        let access = self.access(instruction).unwrap_or(Access::None);
        if access != Access::None {
            add(access);
            #[cfg(feature = "ch12")]
            add(upper_access(access, instruction));
        }
        #[cfg(feature = "ch14")]
        self.accesses_of_call(instruction).into_iter().for_each(add);
    }

    /// The access of the next instruction. Words are counted from the argument downwards.
    fn access(&self, instruction: &Instruction) -> Result<Access, BrokenInvariant> {
        let [first, second, _] = &instruction.operands;
        let words = || self.words.ok_or_else(|| unbalanced("its value depends on the path"));
        Ok(match (instruction.op, first, second) {
            (op, ..) if op.pushes() => Access::Write(words()?),
            (Op::Pop, ..) => Access::Read(words()?.saturating_sub(1)),
            (Op::SubImmediate, &ESP, _) => Access::New(words()?),
            (Op::Load, _, Operand::Address(address)) if is_on_stack(*address) => {
                Access::Read(word(*address, words()?)?)
            }
            #[cfg(feature = "ch20")]
            (
                Op::AddMemory | Op::SubMemory | Op::ImulMemory | Op::CmpMemory,
                _,
                Operand::Address(address),
            ) if is_on_stack(*address) => Access::Read(word(*address, words()?)?),
            (Op::Store, Operand::Address(address), _) if is_on_stack(*address) => {
                Access::Write(word(*address, words()?)?)
            }
            #[cfg(feature = "ch12")]
            (op, _, Operand::Address(address)) if op.is_float() && is_on_stack(*address) => {
                Access::Read(word(*address, words()?)?)
            }
            #[cfg(feature = "ch12")]
            (Op::FloatStore, Operand::Address(address), _) if is_on_stack(*address) => {
                Access::Write(word(*address, words()?)?)
            }
            _ => Access::None,
        })
    }

    /// The accesses to words of the caller or of called functions.
    #[cfg(feature = "ch14")]
    fn accesses_of_call(&self, instruction: &Instruction) -> Vec<Access> {
        let top = self.words.unwrap_or(0);
        let Some(signature) = instruction.signature() else {
            let results = if instruction.op.is_return() { self.results } else { 0 };
            return (0..results).map(Access::Read).collect();
        };
        let (parameters, results) = (signature.on_stack(), signature.results_on_stack());
        // A jump is executed where the address to return to is on top of the arguments.
        #[cfg(feature = "ch18")]
        let (top, results) = match instruction.op {
            op if op.jumps_to_function() => (top.saturating_sub(1), 0),
            _ => (top, results),
        };
        let word = |number: u32| top.checked_sub(number + 1);
        let read = (0..parameters).filter_map(word).map(Access::Read);
        let written = (parameters..parameters + results).filter_map(word).map(Access::Write);
        read.chain(written).collect()
    }

    /// `writes` are the registers that the instruction writes, and `written` those that may be
    /// read after it.
    pub fn step(
        &mut self,
        instruction: &Instruction,
        writes: RegisterSet,
        written: &mut RegisterSet,
    ) -> CheckResult {
        let access = self.access(instruction)?;
        self.preserved = self.preserved.without(writes);
        #[cfg(feature = "ch12")]
        self.step_upper(upper_access(access, instruction))?;
        let [first, second, _] = &instruction.operands;
        match (instruction.op, first, second, access) {
            (Op::Push, Operand::Register(register), _, Access::Write(word)) => {
                self.words = Some(word + 1);
                self.push(*register, word, *written)
            }
            (op, _, _, Access::Write(word)) if op.pushes() => {
                self.words = Some(word + 1);
                self.store(word)
            }
            (Op::Pop, Operand::Register(register), _, Access::Read(word)) => {
                self.words = Some(word);
                self.pop(*register, word, written)
            }
            (Op::SubImmediate, &ESP, Operand::Immediate(bytes), _) => self.grow(i64::from(*bytes)),
            (Op::AddImmediate, &ESP, Operand::Immediate(bytes), _) => self.grow(-i64::from(*bytes)),
            (op, ..) if op.is_return() => self.check_return(),
            (_, _, _, Access::Read(word)) => self.load(word),
            (_, _, _, Access::Write(word)) => self.store(word),
            (_, _, _, Access::None | Access::New(_)) => {
                let moves = writes.contains(Register::ESP);
                if moves { Err(unbalanced("it moves by an unknown distance")) } else { Ok(()) }
            }
        }
    }

    /// The access to the upper word of a floating-point number.
    #[cfg(feature = "ch12")]
    fn step_upper(&mut self, access: Access) -> CheckResult {
        match access {
            Access::Read(word) => self.load(word),
            Access::Write(word) => self.store(word),
            Access::None | Access::New(_) => Ok(()),
        }
    }

    /// A push of a caller's value saves it; it does not read the register.
    fn push(&mut self, register: Register, word: u32, written: RegisterSet) -> CheckResult {
        self.store(word)?;
        match callee_saved_index(register).filter(|_| self.preserved.contains(register)) {
            Some(at) => self.saved[at] = Some(word),
            None if written.contains(register) => {}
            None => return Err(("definite-assignment", format!("{register} was never written"))),
        }
        Ok(())
    }

    fn pop(&mut self, register: Register, word: u32, written: &mut RegisterSet) -> CheckResult {
        if word <= self.return_address() {
            return Err(unbalanced("this word is not the function's"));
        }
        if let Some(owner) = self.saved.iter().position(|&saved| saved == Some(word)) {
            written.remove(register);
            self.saved[owner] = None;
            self.preserved.remove(CALLEE_SAVED[owner]);
            if register == CALLEE_SAVED[owner] {
                self.preserved.insert(register);
            }
        }
        Ok(())
    }

    fn grow(&mut self, bytes: i64) -> CheckResult {
        let words = self.words.map_or(0, i64::from) + bytes / 4;
        if bytes % 4 != 0 || words <= i64::from(self.return_address()) {
            return Err(unbalanced("these words are not the function's"));
        }
        let words = words as u32;
        self.words = Some(words);
        for saved in &mut self.saved {
            *saved = saved.filter(|&word| word < words);
        }
        Ok(())
    }

    fn check_return(&self) -> CheckResult {
        if self.words != Some(self.return_address() + 1) {
            return Err(unbalanced("it does not point at the return address"));
        }
        match RegisterSet::CALLEE_SAVED.without(self.preserved).iter().next() {
            Some(register) => Err(("callee-saved", format!("{register} is not restored"))),
            None => Ok(()),
        }
    }

    fn load(&self, word: u32) -> CheckResult {
        if word == self.return_address() || self.saved.contains(&Some(word)) {
            return Err(("stack-written", "this word is the caller's".into()));
        }
        Ok(())
    }

    fn store(&mut self, word: u32) -> CheckResult {
        if word == self.return_address() {
            return Err(unbalanced("this is the return address"));
        }
        for saved in &mut self.saved {
            *saved = saved.filter(|&saved| saved != word);
        }
        Ok(())
    }
}

/// The access to the upper word, if the instruction accesses eight bytes.
#[cfg(feature = "ch12")]
fn upper_access(access: Access, instruction: &Instruction) -> Access {
    let is_long = instruction.op.memory_size() == Size::Double;
    match access {
        Access::Read(word) if is_long => Access::Read(word.saturating_sub(1)),
        Access::Write(word) if is_long => Access::Write(word.saturating_sub(1)),
        _ => Access::None,
    }
}

const ESP: Operand = Operand::Register(Register::ESP);

/// A violation of `stack-balanced`.
fn unbalanced(detail: &str) -> BrokenInvariant {
    ("stack-balanced", detail.into())
}

fn callee_saved_index(register: Register) -> Option<usize> {
    CALLEE_SAVED.iter().position(|&saved| saved == register)
}

fn is_on_stack(address: Address) -> bool {
    address.base() == Base::Register(Register::ESP)
}

/// The stack word at an address.
fn word(address: Address, words: u32) -> Result<u32, BrokenInvariant> {
    let distance = u32::try_from(address.displacement / 4).ok();
    let aligned = address.displacement % 4 == 0 && address.index().is_none();
    let word = distance.and_then(|distance| words.checked_sub(1)?.checked_sub(distance));
    let missing = || ("stack-written", "this is not a word of the stack".to_string());
    word.filter(|_| aligned).ok_or_else(missing)
}
