//! The invariants of code.
//!
//! Both forms:
//! * `operands-fit`: each operand is of its slot's kind, a real register of its slot's class;
//! * `addresses-exist`: an address has a base or an index; the index is not esp, its scale is
//!   1, 2, 4 or 8;
//! * `written-before-read`: what an instruction reads stands after an instruction that writes it;
//! * `flags-fresh`: the last instruction before `set` that writes the flags is a comparison;
//! * `one-ret`: the last instruction is `ret`, and no other is.
//!
//! Selected code:
//! * `numbered`: there are as many virtual registers as the code says;
//! * `stack-untouched`: nothing names esp, pushes, pops or knows of a frame.
//!
//! Allocated code:
//! * `real-only`: no virtual register is left;
//! * `laid-out`: no address names an argument or a slot;
//! * `stack-written`: words of the stack are read after they were written;
//! * `stack-balanced`: only `push`, `pop` and constants move esp, and `ret` finds it in place;
//! * `callee-saved`: `ret` finds ebx, ebp, esi and edi as they were at entry.
use crate::base::ids::SideTable;
#[cfg(feature = "ch02")]
use crate::ia32::code::{Address, Base};
use crate::ia32::code::{Code, Form, Inst, Operand};
use crate::ia32::eval::place;
#[cfg(feature = "ch04")]
use crate::ia32::inst::Meaning;
use crate::ia32::inst::Op;
use crate::ia32::reg::{CALLEE_SAVED, Register};
#[cfg(feature = "ch04")]
use crate::rules::target::Flags;
use crate::rules::target::{Class, Slot};
use crate::stage::Violation;

/// Every broken invariant of the code's form.
pub fn verify(code: &Code) -> Vec<Violation> {
    let mut report = Report(Vec::new());
    let own = match code.form {
        Form::Selected => SELECTED,
        Form::Allocated => ALLOCATED,
    };
    for check in BOTH.iter().chain(own) {
        check(code, &mut report);
    }
    report.0
}

type Check = fn(&Code, &mut Report);

const BOTH: &[Check] = &[
    operands_fit,
    #[cfg(feature = "ch02")]
    addresses_exist,
    written_before_read,
    #[cfg(feature = "ch04")]
    flags_fresh,
    one_ret,
];

const SELECTED: &[Check] = &[
    numbered,
    #[cfg(feature = "ch02")]
    stack_untouched,
];

const ALLOCATED: &[Check] = &[
    real_only,
    #[cfg(feature = "ch02")]
    laid_out,
    #[cfg(feature = "ch02")]
    stack_is_kept,
];

struct Report(Vec<Violation>);

impl Report {
    fn fail(&mut self, invariant: &'static str, at: usize, inst: &Inst, what: &str) {
        let detail = format!("{}: {what}", place(at, inst));
        self.0.push(Violation { invariant, detail });
    }
}

fn operands_fit(code: &Code, report: &mut Report) {
    for (at, inst) in code.instructions.iter().enumerate() {
        let slots = inst.op.row().instruction.operands.len();
        let rest = inst.operands[slots..].iter().all(|operand| *operand == Operand::None);
        if !rest || !inst.slots().all(|(slot, operand)| fits(slot, operand)) {
            report.fail("operands-fit", at, inst, "an operand does not fit its slot");
        }
    }
}

fn fits(slot: Slot, operand: Operand) -> bool {
    match slot {
        Slot::Register(_, Class::Any) => matches!(operand, Operand::Register(_)),
        #[cfg(feature = "ch04")]
        Slot::Register(_, Class::Byte) => {
            let Operand::Register(register) = operand else { return false };
            !register.is_real() || register.byte_name().is_some()
        }
        Slot::Immediate => matches!(operand, Operand::Immediate(_)),
        #[cfg(feature = "ch02")]
        Slot::Address => matches!(operand, Operand::Address(_)),
        #[cfg(feature = "ch04")]
        Slot::Condition => matches!(operand, Operand::Condition(_)),
    }
}

#[cfg(feature = "ch02")]
fn addresses_exist(code: &Code, report: &mut Report) {
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

#[cfg(feature = "ch02")]
fn has_base(address: Address) -> bool {
    match address.base {
        #[cfg(feature = "ch04")]
        Base::None => false,
        #[cfg(feature = "ch04")]
        Base::Argument(_) => true,
        Base::Register(_) | Base::Slot(_) => true,
    }
}

#[cfg(feature = "ch02")]
fn addresses(code: &Code) -> impl Iterator<Item = (usize, &Inst, Address)> {
    let operands = |(at, inst): (usize, &'_ Inst)| inst.operands.map(|operand| (at, operand));
    let found = code.instructions.iter().enumerate().flat_map(operands);
    found.filter_map(|(at, operand)| {
        let Operand::Address(address) = operand else { return None };
        Some((at, &code.instructions[at], address))
    })
}

fn written_before_read(code: &Code, report: &mut Report) {
    let mut written = SideTable::<Register, bool>::new(0);
    if code.form == Form::Allocated {
        // A stack and the caller's values; what may be done with them is checked below.
        for register in CALLEE_SAVED.into_iter().chain([Register::ESP]) {
            written[register] = true;
        }
    }
    for (at, inst) in code.instructions.iter().enumerate() {
        for register in inst.reads().filter(|register| !written[*register]) {
            let what = format!("{register} was never written");
            report.fail("written-before-read", at, inst, &what);
        }
        for register in inst.writes() {
            written[register] = true;
        }
    }
}

#[cfg(feature = "ch04")]
fn flags_fresh(code: &Code, report: &mut Report) {
    let mut fresh = false;
    for (at, inst) in code.instructions.iter().enumerate() {
        let row = inst.op.row();
        match row.instruction.flags {
            Flags::Untouched => {}
            Flags::Written => fresh = matches!(row.meaning, Meaning::Compare(_)),
            Flags::Read if fresh => {}
            Flags::Read => report.fail("flags-fresh", at, inst, "no comparison left its flags"),
        }
    }
}

fn one_ret(code: &Code, report: &mut Report) {
    for (at, inst) in code.instructions.iter().enumerate() {
        let last = at + 1 == code.instructions.len();
        if (inst.op == Op::Ret) != last {
            report.fail("one-ret", at, inst, "ret belongs at the end, and only there");
        }
    }
    if code.instructions.is_empty() {
        report.0.push(Violation { invariant: "one-ret", detail: "no instruction".into() });
    }
}

fn registers(inst: &Inst) -> impl Iterator<Item = Register> {
    inst.reads().chain(inst.writes())
}

fn numbered(code: &Code, report: &mut Report) {
    let known = |register: Register| register.virtual_number() < Some(code.virtuals);
    for (at, inst) in code.instructions.iter().enumerate() {
        if !registers(inst).all(known) {
            report.fail("numbered", at, inst, "an unknown virtual register");
        }
    }
}

#[cfg(feature = "ch02")]
fn stack_untouched(code: &Code, report: &mut Report) {
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

fn real_only(code: &Code, report: &mut Report) {
    for (at, inst) in code.instructions.iter().enumerate() {
        if !registers(inst).all(Register::is_real) {
            report.fail("real-only", at, inst, "a virtual register is left");
        }
    }
}

#[cfg(feature = "ch02")]
fn laid_out(code: &Code, report: &mut Report) {
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
#[cfg(feature = "ch02")]
fn stack_is_kept(code: &Code, report: &mut Report) {
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

#[cfg(feature = "ch02")]
struct Walk {
    /// What the registers of `CALLEE_SAVED` hold.
    owners: [Mark; CALLEE_SAVED.len()],
    /// Words from the argument downwards.
    stack: Vec<Mark>,
}

#[cfg(feature = "ch02")]
#[derive(Clone, Copy, PartialEq)]
enum Mark {
    Unwritten,
    Written,
    ReturnAddress,
    /// What the caller had in this register.
    Caller(Register),
}

#[cfg(feature = "ch02")]
type Kept = Result<(), Broken>;

/// An invariant, and what breaks it.
#[cfg(feature = "ch02")]
type Broken = (&'static str, &'static str);

#[cfg(feature = "ch02")]
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

#[cfg(test)]
#[cfg(feature = "ch04")]
mod tests {
    use super::*;
    use crate::ia32::read::{allocated, selected};

    #[track_caller]
    fn check(code: Code, expected: &[&str]) {
        let mut broken = verify(&code).iter().map(|found| found.invariant).collect::<Vec<_>>();
        broken.dedup();
        assert_eq!(broken, expected);
    }

    #[test]
    fn sound_code_breaks_nothing() {
        check(selected("mov v0,DWORD PTR [argument 0]; cmp v0,1; setl v1; mov eax,v0; ret"), &[]);
        check(
            allocated(
                "push ebx; sub esp,0x8; mov ebx,DWORD PTR [esp+0x10]; mov DWORD PTR [esp+4],ebx; \
                 mov eax,DWORD PTR [esp+4]; add esp,0x8; pop ebx; ret",
            ),
            &[],
        );
    }

    #[test]
    fn operands_fit_their_slots() {
        let mut code = selected("mov eax,1; ret");
        code.instructions[0].operands[1] = Operand::Register(Register::EAX);
        check(code.clone(), &["operands-fit"]);
        code.instructions[0].operands[1] = Operand::None;
        check(code, &["operands-fit"]);
        let mut code = selected("mov eax,1; ret");
        code.instructions[1].operands[0] = Operand::Immediate(4);
        check(code, &["operands-fit"]);
        check(selected("mov esi,1; movzx eax,esi; ret"), &["operands-fit"]);
        check(selected("mov eax,1; cmp eax,1; setl esi; ret"), &["operands-fit"]);
    }

    #[test]
    fn addresses_exist() {
        let with =
            |address: &str| selected(&format!("mov eax,1; mov v0,eax; lea eax,[{address}]; ret"));
        check(with("v0+v0*8-0x4"), &[]);
        check(with("v0+v0*3"), &["addresses-exist"]);
        check(with("0x7"), &["addresses-exist"]);
        let code = allocated("mov eax,1; lea eax,[eax+esp*1]; ret");
        check(code, &["addresses-exist"]);
    }

    #[test]
    fn what_is_read_was_written() {
        check(selected("mov eax,v0; ret"), &["written-before-read"]);
        check(selected("mov v0,1; add v0,v1; ret"), &["written-before-read"]);
        check(selected("mov eax,1; mov v0,ebx; ret"), &["written-before-read"]);
        check(allocated("mov eax,1; add eax,edx; ret"), &["written-before-read"]);
        check(allocated("mov eax,1; add eax,ebx; ret"), &["written-before-read"]);
    }

    #[test]
    fn flags_come_from_a_comparison() {
        let after = |text: &str| allocated(&format!("mov eax,1; {text}; setl al; ret"));
        check(after("cmp eax,1"), &[]);
        check(after("cmp eax,1; lea eax,[eax+1]; not eax"), &[]);
        check(after("mov ecx,1"), &["flags-fresh"]);
        check(after("cmp eax,1; add eax,1"), &["flags-fresh"]);
    }

    #[test]
    fn there_is_one_ret() {
        check(selected(""), &["one-ret"]);
        check(selected("mov eax,1"), &["one-ret"]);
        check(selected("mov eax,1; ret; ret"), &["one-ret"]);
    }

    #[test]
    fn selected_code_counts_its_registers_and_leaves_the_stack_alone() {
        check(Code { virtuals: 0, ..selected("mov v0,1; mov eax,v0; ret") }, &["numbered"]);
        check(selected("mov eax,1; push eax; ret"), &["stack-untouched"]);
        check(selected("mov esp,1; mov eax,1; ret"), &["stack-untouched"]);
        check(selected("mov eax,DWORD PTR [slot 0]; ret"), &["stack-untouched"]);
    }

    #[test]
    fn allocated_code_names_real_things_only() {
        check(allocated("mov v0,1; mov eax,1; ret"), &["real-only"]);
        check(allocated("mov eax,DWORD PTR [slot 0]; ret"), &["laid-out"]);
        check(allocated("mov eax,DWORD PTR [argument 0]; ret"), &["laid-out"]);
    }

    #[test]
    fn words_of_the_stack_are_written_before_they_are_read() {
        let code = "sub esp,0x8; mov DWORD PTR [esp],eax; mov eax,DWORD PTR [esp+4]; \
                    add esp,0x8; ret";
        check(allocated(&format!("mov eax,1; {code}")), &["stack-written"]);
        check(allocated("mov eax,DWORD PTR [esp-4]; ret"), &["stack-written"]);
        check(allocated("mov eax,DWORD PTR [esp]; ret"), &["stack-written"]);
        check(allocated("sub esp,4; pop eax; ret"), &["stack-written"]);
    }

    #[test]
    fn the_stack_is_balanced() {
        check(allocated("mov eax,1; sub esp,4; ret"), &["stack-balanced"]);
        check(allocated("mov eax,1; push eax; ret"), &["stack-balanced"]);
        check(allocated("mov eax,1; pop ecx; ret"), &["stack-balanced"]);
        check(allocated("mov eax,1; mov esp,eax; ret"), &["stack-balanced"]);
        check(allocated("mov eax,1; mov DWORD PTR [esp],eax; ret"), &["stack-balanced"]);
    }

    #[test]
    fn the_callers_registers_are_restored() {
        check(allocated("mov eax,1; mov ebx,1; ret"), &["callee-saved"]);
        let swapped = "push ebx; push esi; mov esi,1; mov eax,esi; pop ebx; pop esi; ret";
        check(allocated(swapped), &["callee-saved"]);
        check(allocated("push ebx; mov eax,1; mov ebx,eax; pop ebx; ret"), &[]);
    }
}
