//! What code means: it is executed, with virtual registers or without.
//!
//! Stricter than the machine: to read what nobody wrote is a fault, be it a register, a word of
//! the stack or the flags.
#[cfg(feature = "ch05")]
mod jump;
#[cfg(feature = "ch02")]
mod memory;

#[cfg(feature = "ch05")]
use crate::ia32::code::BlockId;
use crate::ia32::code::{Code, Instruction, Operand};
use crate::ia32::instruction::Semantics;
#[cfg(feature = "ch04")]
use crate::ia32::instruction::needs_only_zero_flag;
use crate::ia32::register::{NAMES, Register};
#[cfg(feature = "ch04")]
use crate::rules::target::Flags;
use crate::stage::{Outcome, STEP_LIMIT};
use arena::Id;

/// Calls the code as a cdecl function of one argument.
pub fn eval(code: &Code, argument: i64) -> Outcome {
    let mut machine = Machine::new(code, argument as i32);
    for _ in 0..STEP_LIMIT {
        let at = machine.next;
        let Some(instruction) = machine.code.instructions.get(at) else {
            return Outcome::fault("the end of the code", "there is no ret");
        };
        machine.next += 1;
        if let Err(reason) = machine.step(instruction) {
            return Outcome::fault(place(at, instruction), reason);
        }
        if let Some(result) = machine.result {
            return Outcome::value(i64::from(result));
        }
    }
    Outcome::out_of_steps()
}

/// How messages name an instruction.
pub fn place(at: usize, instruction: &Instruction) -> String {
    format!("{at}: {instruction} (node {})", instruction.origin)
}

struct Machine<'c> {
    code: &'c Code,
    /// The instruction to be executed next.
    next: usize,
    /// The block that was jumped to last.
    #[cfg(feature = "ch05")]
    block: BlockId,
    /// Real registers, then virtual ones; esp is kept by the length of the stack alone.
    registers: Vec<Cell>,
    /// Words from the argument downwards.
    stack: Vec<Cell>,
    #[cfg(feature = "ch04")]
    flags: ComparedValues,
    result: Option<i32>,
}

/// What the flags tell.
#[cfg(feature = "ch04")]
#[derive(Clone, Copy)]
enum ComparedValues {
    Nothing,
    /// Whether this number is zero.
    Zero(i32),
    /// How these numbers compare.
    Order(i32, i32),
}

/// What a register or a word of the stack holds.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Cell {
    /// As the caller left it.
    Unwritten,
    /// A word: what the caller left in this register, saved to be restored.
    #[cfg(feature = "ch02")]
    Caller(Register),
    ReturnAddress,
    Value(i32),
}

/// The reason why an instruction cannot be executed.
type Done = Result<(), String>;

impl Machine<'_> {
    fn new(code: &Code, argument: i32) -> Machine<'_> {
        Machine {
            code,
            next: 0,
            #[cfg(feature = "ch05")]
            block: BlockId::ENTRY,
            registers: vec![Cell::Unwritten; NAMES.len() + code.virtuals as usize],
            stack: vec![Cell::Value(argument), Cell::ReturnAddress],
            #[cfg(feature = "ch04")]
            flags: ComparedValues::Nothing,
            result: None,
        }
    }

    fn step(&mut self, instruction: &Instruction) -> Done {
        self.execute(instruction)?;
        #[cfg(feature = "ch04")]
        self.write_flags(instruction)?;
        Ok(())
    }

    /// The flags after an instruction that does not compare.
    #[cfg(feature = "ch04")]
    fn write_flags(&mut self, instruction: &Instruction) -> Done {
        let [result, ..] = instruction.operands;
        match instruction.flags() {
            Flags::Untouched | Flags::Compared | Flags::Read => {}
            Flags::Undefined => self.flags = ComparedValues::Nothing,
            Flags::Zero => self.flags = ComparedValues::Zero(self.read(result)?),
            Flags::Result => self.flags = ComparedValues::Order(self.read(result)?, 0),
        }
        Ok(())
    }

    fn execute(&mut self, instruction: &Instruction) -> Done {
        let [first, second, ..] = instruction.operands;
        match instruction.op.row().meaning {
            Semantics::Move => self.write(first, self.read(second)?),
            #[cfg(feature = "ch04")]
            Semantics::LoadAddress => self.write(first, self.address_of(second)?),
            #[cfg(feature = "ch02")]
            Semantics::Constant(value) => self.write(first, value),
            #[cfg(feature = "ch02")]
            Semantics::Unary(function) => self.write(first, function(self.read(first)?)),
            #[cfg(feature = "ch02")]
            Semantics::Binary(function) => {
                self.write(first, function(self.read(first)?, self.read(second)?))
            }
            #[cfg(feature = "ch02")]
            Semantics::Ternary(function) => {
                self.write(first, function(self.read(second)?, self.read(instruction.operands[2])?))
            }
            #[cfg(feature = "ch04")]
            Semantics::MultiplyWide => {
                let product = i64::from(self.read(EAX)?) * i64::from(self.read(first)?);
                self.write(EAX, product as i32)?;
                self.write(EDX, (product >> 32) as i32)
            }
            #[cfg(feature = "ch02")]
            Semantics::SignExtend => self.write(EDX, self.read(EAX)? >> 31),
            #[cfg(feature = "ch02")]
            Semantics::Divide => self.divide(first),
            #[cfg(feature = "ch04")]
            Semantics::Compare(function) => {
                let (left, right) = function(self.read(first)?, self.read(second)?);
                self.flags = ComparedValues::Order(left, right);
                Ok(())
            }
            #[cfg(feature = "ch04")]
            Semantics::Set => self.set(first, second),
            #[cfg(feature = "ch04")]
            Semantics::ZeroExtend => self.write(first, self.read(second)? & 0xff),
            #[cfg(feature = "ch05")]
            Semantics::Jump => self.jump(first),
            #[cfg(feature = "ch05")]
            Semantics::Branch => {
                if self.holds(first)? {
                    self.jump(second)
                } else {
                    Ok(())
                }
            }
            #[cfg(feature = "ch02")]
            Semantics::Push => self.push(first),
            #[cfg(feature = "ch02")]
            Semantics::Pop => self.pop(first),
            Semantics::Return => {
                self.result = Some(self.read(EAX)?);
                let balanced = self.stack.pop() == Some(Cell::ReturnAddress);
                if balanced { Ok(()) } else { Err("the stack is not balanced".into()) }
            }
        }
    }

    fn read(&self, operand: Operand) -> Result<i32, String> {
        match operand {
            #[cfg(feature = "ch02")]
            Operand::Register(Register::ESP) => Ok(self.esp()),
            Operand::Register(register) => {
                let Some(&Cell::Value(value)) = self.registers.get(register.index()) else {
                    return Err(format!("{register} was never written"));
                };
                Ok(value)
            }
            Operand::Immediate(value) => Ok(value),
            #[cfg(feature = "ch02")]
            Operand::Address(_) => {
                let Cell::Value(value) = self.stack[self.word(operand)?] else {
                    return Err("this word of the stack was never written".into());
                };
                Ok(value)
            }
            Operand::None => Err("an operand is missing".into()),
            #[cfg(feature = "ch04")]
            Operand::Condition(_) => Err("a relation has no value".into()),
            #[cfg(feature = "ch05")]
            Operand::Block(_) => Err("a block has no value".into()),
        }
    }

    fn write(&mut self, operand: Operand, value: i32) -> Done {
        match operand {
            #[cfg(feature = "ch02")]
            Operand::Register(Register::ESP) => return self.move_esp(value),
            Operand::Register(register) => self.registers[register.index()] = Cell::Value(value),
            #[cfg(feature = "ch02")]
            Operand::Address(_) => {
                let word = self.word(operand)?;
                self.stack[word] = Cell::Value(value);
            }
            Operand::None | Operand::Immediate(_) => return Err("nothing to write to".into()),
            #[cfg(feature = "ch04")]
            Operand::Condition(_) => return Err("nothing to write to".into()),
            #[cfg(feature = "ch05")]
            Operand::Block(_) => return Err("nothing to write to".into()),
        }
        Ok(())
    }
}

/// Flags, and what depends on them.
#[cfg(feature = "ch04")]
impl Machine<'_> {
    fn holds(&self, relation: Operand) -> Result<bool, String> {
        let Operand::Condition(relation) = relation else { return Err("no relation".into()) };
        match (self.flags, relation) {
            (ComparedValues::Order(a, b), _) => Ok(relation.holds(i64::from(a), i64::from(b))),
            (ComparedValues::Zero(a), zero) if needs_only_zero_flag(zero) => {
                Ok(zero.holds(i64::from(a), 0))
            }
            (ComparedValues::Zero(_), _) => Err("the flags tell of zero only".into()),
            (ComparedValues::Nothing, _) => Err("no comparison has left its flags".into()),
        }
    }

    /// Only the low byte is written; what stands above it is nobody's business.
    fn set(&mut self, relation: Operand, target: Operand) -> Done {
        let holds = self.holds(relation)?;
        self.write(target, 0x5eed_be00 | i32::from(holds))
    }
}

/// Division.
#[cfg(feature = "ch02")]
impl Machine<'_> {
    fn divide(&mut self, divisor: Operand) -> Done {
        let low = i64::from(self.read(EAX)? as u32);
        let dividend = i64::from(self.read(EDX)?) << 32 | low;
        let divisor = i64::from(self.read(divisor)?);
        if divisor == 0 {
            return Err("division by zero".into());
        }
        let Ok(quotient) = i32::try_from(dividend.wrapping_div(divisor)) else {
            return Err("the quotient does not fit".into());
        };
        self.write(EAX, quotient)?;
        self.write(EDX, (dividend % divisor) as i32)
    }
}

const EAX: Operand = Operand::Register(Register::EAX);
#[cfg(feature = "ch02")]
const EDX: Operand = Operand::Register(Register::EDX);

#[cfg(test)]
#[cfg(feature = "ch04")]
mod tests {
    use super::*;
    use crate::ia32::parse_assembly::{allocated, selected};
    use crate::stage::Termination;

    #[track_caller]
    fn returns(code: &str, argument: i64, value: i64) {
        for code in [selected(code), allocated(code)] {
            assert_eq!(eval(&code, argument), Outcome::value(value));
        }
    }

    #[track_caller]
    fn faults(code: &str, expected: &str) {
        let Termination::Fault { place, reason } = eval(&selected(code), 0).end else {
            panic!("no fault")
        };
        assert_eq!(format!("{place}: {reason}"), expected);
    }

    #[test]
    fn instructions_mean_what_the_manual_says() {
        returns("mov eax,7; sub eax,9; ret", 0, -2);
        returns("mov eax,7; imul eax,eax,-3; ret", 0, -21);
        returns("mov eax,1; mov ecx,3; lea eax,[eax+ecx*4-0x2]; ret", 0, 11);
        returns("mov eax,-1; shr eax,33; ret", 0, i64::from(i32::MAX));
        returns("mov eax,-8; sar eax,1; ret", 0, -4);
        returns("mov eax,3; shl eax,31; ret", 0, i64::from(i32::MIN));
        returns("zero eax; dec eax; not eax; neg eax; inc eax; ret", 0, 1);
        returns("mov eax,12; and eax,10; or eax,1; xor eax,3; ret", 0, 10);
        returns("mov v0,DWORD PTR [argument 0]; mov eax,v0; ret", -5, -5);
        returns("mov eax,DWORD PTR [esp+4]; ret", -5, -5);
    }

    #[test]
    fn products_and_quotients_take_two_registers() {
        let wide = "mov eax,0x40000000; mov ecx,-8; imul ecx; ";
        returns(&format!("{wide} ret"), 0, 0);
        returns(&format!("{wide} mov eax,edx; ret"), 0, -2);
        let divide = "mov eax,-7; mov ecx,2; cdq; idiv ecx; ";
        returns(&format!("{divide} ret"), 0, -3);
        returns(&format!("{divide} mov eax,edx; ret"), 0, -1);
    }

    #[test]
    fn relations_are_signed() {
        let truth = |a: i32, suffix: &str, b: i32| {
            let code = format!("mov eax,{a}; cmp eax,{b}; set{suffix} al; movzx eax,al; ret");
            eval(&selected(&code), 0) == Outcome::value(1)
        };
        for (a, b) in [(i32::MIN, i32::MAX), (-1, 0), (0, 0), (5, 4), (i32::MAX, i32::MIN)] {
            assert_eq!(truth(a, "l", b), a < b);
            assert_eq!(truth(a, "le", b), a <= b);
            assert_eq!(truth(a, "e", b), a == b);
            assert_eq!(truth(a, "ne", b), a != b);
            assert_eq!(truth(a, "g", b), a > b);
            assert_eq!(truth(a, "ge", b), a >= b);
        }
        returns("mov eax,6; test eax,eax; setg al; movzx eax,al; ret", 0, 1);
    }

    #[test]
    fn a_truth_value_is_a_byte_only() {
        let code = selected("mov eax,1; cmp eax,1; sete al; ret");
        assert_ne!(eval(&code, 0), Outcome::value(1));
    }

    #[test]
    fn what_nobody_wrote_cannot_be_read() {
        faults("mov eax,v3; ret", "0: mov eax,v3 (node 0): v3 was never written");
        faults("mov eax,1; add eax,ecx; ret", "1: add eax,ecx (node 1): ecx was never written");
        let word = "this word of the stack was never written";
        faults("sub esp,4; pop eax; ret", "1: pop eax (node 1): the stack has nothing for eax");
        faults(
            "sub esp,4; mov eax,DWORD PTR [esp]; ret",
            &format!("1: mov eax,DWORD PTR [esp] (node 1): {word}"),
        );
        faults(
            "mov eax,1; cmp eax,1; imul eax; sete al; ret",
            "3: sete al (node 3): no comparison has left its flags",
        );
        faults("mov eax,1", "the end of the code: there is no ret");
    }

    #[test]
    fn the_stack_has_ends_and_must_be_balanced() {
        let nowhere = "this address is not a word of the stack";
        for place in ["esp-0x4", "esp+0x8", "esp+0x1", "argument 1", "ecx*2+0x0"] {
            let code = format!("mov ecx,0; mov eax,DWORD PTR [{place}]; ret");
            let Termination::Fault { reason, .. } = eval(&selected(&code), 0).end else {
                panic!("{place}")
            };
            assert_eq!(reason, nowhere, "{place}");
        }
        faults("mov eax,1; push eax; ret", "2: ret (node 2): the stack is not balanced");
        faults("mov esp,0; ret", "0: mov esp,0x0 (node 0): esp cannot be 0x0");
        returns("push ebx; mov ebx,3; mov eax,ebx; pop ebx; ret", 0, 3);
    }

    #[test]
    fn a_division_faults_where_the_machine_does() {
        let divide = |high: i32, low: i32, by: i32| {
            format!("mov edx,{high}; mov eax,{low}; mov ecx,{by}; idiv ecx; ret")
        };
        let at = "3: idiv ecx (node 3)";
        faults(&divide(0, 1, 0), &format!("{at}: division by zero"));
        faults(&divide(-1, i32::MIN, -1), &format!("{at}: the quotient does not fit"));
        faults(&divide(i32::MIN, 0, -1), &format!("{at}: the quotient does not fit"));
        faults(&divide(1, 0, 1), &format!("{at}: the quotient does not fit"));
    }

    #[test]
    fn flags_tell_what_the_last_instruction_left_in_them() {
        returns("mov eax,-3; and eax,-1; setl al; movzx eax,al; ret", 0, 1);
        returns("mov eax,-3; zero ecx; setle cl; movzx eax,cl; ret", 0, 1);
        returns("mov eax,1; dec eax; sete al; movzx eax,al; ret", 0, 1);
        returns("mov eax,1; cmp eax,1; shl eax,32; sete al; movzx eax,al; ret", 0, 1);
        faults(
            "mov eax,1; neg eax; setl al; ret",
            "2: setl al (node 2): the flags tell of zero only",
        );
        faults(
            "mov eax,1; cmp eax,1; imul eax,eax,3; sete al; ret",
            "3: sete al (node 3): no comparison has left its flags",
        );
    }

    #[cfg(feature = "ch05")]
    #[test]
    fn control_goes_where_a_jump_leads() {
        let minimum = "b0: mov v0,DWORD PTR [argument 0]; mov v1,3; cmp v0,v1; jl b2; jmp b1; \
                       b1: jmp b3(v1); b2: jmp b3(v0); b3(v2): mov eax,v2; ret";
        for argument in [2, 3, 4] {
            let value = Outcome::value(argument.min(3));
            assert_eq!(eval(&selected(minimum), argument), value);
        }
        let through = "b0: mov eax,1; b1: cmp eax,1; je b3; b2: mov eax,2; b3: ret";
        assert_eq!(eval(&allocated(through), 0), Outcome::value(1));
    }

    #[cfg(feature = "ch05")]
    #[test]
    fn what_is_handed_over_changes_places_at_once() {
        // Fibonacci's numbers; v2 and v3 are handed over as (v3, v2 + v3).
        let code = "b0: mov v0,DWORD PTR [argument 0]; mov v1,0; mov v6,1; jmp b1(v0,v1,v6); \
                    b1@1(v5,v2,v3): test v5,v5; jg b2; jmp b3; \
                    b2@1: mov v4,v2; add v4,v3; mov v7,v5; dec v7; jmp b1(v7,v3,v4); \
                    b3: mov eax,v2; ret";
        assert_eq!(eval(&selected(code), 30), Outcome::value(832_040));
        let code = "b0: mov v0,1; mov v1,2; jmp b1(v0,v1); b1(v2,v3): jmp b2(v3,v2); \
                    b2(v4,v5): sub v4,v5; mov eax,v4; ret";
        assert_eq!(eval(&selected(code), 0), Outcome::value(1));
    }

    #[cfg(feature = "ch05")]
    #[test]
    fn a_jump_that_hands_over_too_little_is_a_fault() {
        let code = "b0: mov v0,1; jmp b1(v0); b1(v1,v2): mov eax,v1; ret";
        faults(code, "1: jmp b1 (node 1): 1 of 2 values are handed over");
        let code = "b0: jmp b1(v0); b1(v1): mov eax,v1; ret";
        faults(code, "0: jmp b1 (node 0): v0 was never written");
    }

    #[cfg(feature = "ch05")]
    #[test]
    fn code_that_never_ends_runs_out_of_steps() {
        assert_eq!(eval(&selected("b0: jmp b1; b1@1: jmp b1"), 0), Outcome::out_of_steps());
    }
}
