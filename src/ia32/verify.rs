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
use crate::ia32::code::{Code, Form, Inst, Operand};
use crate::ia32::eval::place;
use crate::ia32::inst::Op;
use crate::ia32::reg::{CALLEE_SAVED, Register};
#[cfg(feature = "ch02")]
use crate::ia32::stack;
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
    stack::addresses_exist,
    written_before_read,
    #[cfg(feature = "ch04")]
    flags_fresh,
    one_ret,
];

const SELECTED: &[Check] = &[
    numbered,
    #[cfg(feature = "ch02")]
    stack::stack_untouched,
];

const ALLOCATED: &[Check] = &[
    real_only,
    #[cfg(feature = "ch02")]
    stack::laid_out,
    #[cfg(feature = "ch02")]
    stack::stack_is_kept,
];

pub struct Report(Vec<Violation>);

impl Report {
    pub fn fail(&mut self, invariant: &'static str, at: usize, inst: &Inst, what: &str) {
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
        #[cfg(feature = "ch05")]
        Slot::Block => matches!(operand, Operand::Block(_)),
    }
}

fn written_before_read(code: &Code, report: &mut Report) {
    let mut written = SideTable::<Register, bool>::new(0);
    if code.form == Form::Allocated {
        // A stack, and values of the caller that may be saved.
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
            Flags::Written => fresh = false,
            Flags::Compared => fresh = true,
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

pub fn registers(inst: &Inst) -> impl Iterator<Item = Register> {
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

fn real_only(code: &Code, report: &mut Report) {
    for (at, inst) in code.instructions.iter().enumerate() {
        if !registers(inst).all(Register::is_real) {
            report.fail("real-only", at, inst, "a virtual register is left");
        }
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
