//! What code means: it is executed. To read what nobody wrote is a fault.
use crate::arith::{Binary, Width};
#[cfg(feature = "ch25")]
use crate::firm::{Memory, address};
use crate::rules::code_builder::BlockId;
use crate::stage::{Outcome, STEP_LIMIT};
use crate::ttc::code::{Block, Code, Inst, Operand, Register};
use crate::ttc::inst::Meaning;
use arena::SideTable;

const WORD: Width = Width(32);

/// Calls the code as a function of one argument.
pub fn eval(code: &Code, argument: i64) -> Outcome {
    let registers = SideTable::new(code.registers as usize);
    let mut run = Run {
        code,
        argument,
        registers,
        next: 0,
        block: BlockId::ENTRY,
        #[cfg(feature = "ch25")]
        memory: Memory::default(),
    };
    for _ in 0..STEP_LIMIT {
        let at = run.next;
        let Some(inst) = code.instructions.get(at) else {
            return Outcome::fault("the end of the code", "nothing returns");
        };
        run.next += 1;
        match run.execute(inst) {
            Ok(None) => {}
            Ok(Some(result)) => {
                let outcome = Outcome::value(result);
                return ENDS.iter().fold(outcome, |outcome, end| end(&run, outcome));
            }
            Err(reason) => return Outcome::fault(place(at, inst), reason),
        }
    }
    Outcome::out_of_steps()
}

/// How messages name an instruction.
pub fn place(at: usize, inst: &Inst) -> String {
    format!("{at}: {inst} (node {})", inst.origin)
}

struct Run<'c> {
    code: &'c Code,
    argument: i64,
    registers: SideTable<Register, Option<i64>>,
    /// The instruction to be executed next.
    next: usize,
    /// The block that it is in.
    block: BlockId,
    #[cfg(feature = "ch25")]
    memory: Memory,
}

/// What is added to the outcome in the end.
const ENDS: &[fn(&Run, Outcome) -> Outcome] = &[
    // What others have seen.
    #[cfg(feature = "ch25")]
    |run, outcome| Outcome { output: run.memory.trace.clone(), ..outcome },
];

impl Run<'_> {
    /// The result, if the program ends here; or the reason why it cannot go on.
    fn execute(&mut self, inst: &Inst) -> Result<Option<i64>, String> {
        let [first, second, third, fourth] = inst.operands;
        match inst.row().meaning {
            Meaning::Move => self.write(first, self.read(second)?)?,
            Meaning::Argument => self.write(first, self.argument(second)?)?,
            Meaning::Binary(op) => {
                let value = arithmetic(op, self.read(second)?, self.read(third)?)?;
                self.write(first, value)?;
            }
            Meaning::Compare => {
                let Operand::Condition(relation) = first else { return Err("no relation".into()) };
                let holds = relation.holds(self.read(third)?, self.read(fourth)?);
                self.write(second, i64::from(holds))?;
            }
            Meaning::Jump => self.jump(first)?,
            Meaning::Branch => match self.read(first)? {
                0 => self.jump(third)?,
                1 => self.jump(second)?,
                other => return Err(format!("{other} is neither true nor false")),
            },
            Meaning::Return => return self.read(first).map(Some),
            #[cfg(feature = "ch25")]
            Meaning::Not => self.write(first, WORD.wrap(!self.read(second)?))?,
            #[cfg(feature = "ch25")]
            Meaning::Load => {
                let loaded = self.memory.load(self.read(second)?, inst.access);
                self.write(first, loaded)?;
            }
            #[cfg(feature = "ch25")]
            Meaning::Store => self.memory.store(self.read(first)?, self.read(second)?),
        }
        Ok(None)
    }

    fn argument(&self, number: Operand) -> Result<i64, String> {
        let is_first = number == Operand::Immediate(0);
        if is_first { Ok(self.argument) } else { Err("there is no such argument".into()) }
    }

    fn read(&self, operand: Operand) -> Result<i64, String> {
        match operand {
            Operand::Register(register) => {
                self.registers[register].ok_or_else(|| format!("{register} was never written"))
            }
            Operand::Immediate(number) => Ok(i64::from(number)),
            Operand::None | Operand::Condition(_) | Operand::Block(_) => Err("no value".into()),
            #[cfg(feature = "ch25")]
            Operand::Symbol(number) => Ok(address(self.code.symbols.name(number))),
        }
    }

    fn write(&mut self, operand: Operand, value: i64) -> Result<(), String> {
        let Operand::Register(register) = operand else { return Err("nothing to write to".into()) };
        self.registers[register] = Some(value);
        Ok(())
    }

    /// All that is handed over is read before any of it is written.
    fn jump(&mut self, target: Operand) -> Result<(), String> {
        let Operand::Block(target) = target else { return Err("no block".into()) };
        let arguments = &self.code.blocks[self.block].arguments;
        let Block { first, parameters, .. } = &self.code.blocks[target];
        if arguments.len() != parameters.len() {
            let count = arguments.len();
            return Err(format!("{count} of {} values are handed over", parameters.len()));
        }
        let read = |&register| self.read(Operand::Register(register));
        let values = arguments.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        for (&register, value) in parameters.iter().zip(values) {
            self.registers[register] = Some(value);
        }
        (self.next, self.block) = (*first as usize, target);
        Ok(())
    }
}

/// As Firm's, division is undefined for 0, and for the smallest integer by -1.
fn arithmetic(op: Binary, left: i64, right: i64) -> Result<i64, String> {
    op.evaluate_checked(WORD, left, right).ok_or_else(|| format!("division of {left} by {right}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::Termination;
    use crate::ttc::read::code;

    #[track_caller]
    fn returns(text: &str, argument: i64, value: i64) {
        assert_eq!(eval(&code(text), argument), Outcome::value(value));
    }

    #[track_caller]
    fn faults(text: &str, expected: &str) {
        let Termination::Fault { place, reason } = eval(&code(text), 7).end else {
            panic!("no fault")
        };
        assert_eq!(format!("{place}: {reason}"), expected);
    }

    #[test]
    fn instructions_compute_words() {
        let of = |op: &str| format!("b0: argument v0,0; const v1,-3; {op}; return v2");
        for (op, value) in [
            ("add v2,v0,v1", 4),
            ("addi v2,v0,2147483647", i64::from(i32::MIN) + 6),
            ("sub v2,v0,v1", 10),
            ("subi v2,v0,9", -2),
            ("mul v2,v0,v1", -21),
            ("muli v2,v0,-2", -14),
            ("div v2,v0,v1", -2),
            ("divi v2,v0,-2", -3),
            ("cmp.lt v2,v0,v1", 0),
            ("cmp.gt v2,v0,v1", 1),
            ("cmpi.le v2,v0,7", 1),
            ("copy v2,v1", -3),
            #[cfg(feature = "ch25")]
            ("mod v2,v1,v0", -3),
            #[cfg(feature = "ch25")]
            ("andi v2,v1,6", 4),
            #[cfg(feature = "ch25")]
            ("or v2,v0,v1", -1),
            #[cfg(feature = "ch25")]
            ("eori v2,v0,-1", -8),
            #[cfg(feature = "ch25")]
            ("shli v2,v0,33", 14),
            #[cfg(feature = "ch25")]
            ("shri v2,v1,1", i64::from(i32::MAX) - 1),
            #[cfg(feature = "ch25")]
            ("shrsi v2,v1,1", -2),
            #[cfg(feature = "ch25")]
            ("not v2,v0", -8),
        ] {
            returns(&of(op), 7, value);
        }
    }

    #[cfg(feature = "ch25")]
    #[test]
    fn memory_holds_what_was_written_and_the_trace_says_what_others_see() {
        let text = "s0 = global; s1 = array; b0: argument v0,0; symconst v1,s1; addi v2,v1,4; \
                    storei s0,v0; store v2,v0; volatile loadi v3,s0; load v4,v2; add v5,v3,v4; \
                    return v5";
        let [global, array] = ["global", "array"].map(address);
        let trace = format!("store {global} 7\nstore {} 7\nload {global}\n", array + 4);
        let expected = Outcome { output: trace, ..Outcome::value(14) };
        assert_eq!(eval(&code(text), 7), expected);
        assert_eq!(eval(&code(&crate::ttc::print::listing(&code(text))), 7), expected);
    }

    #[test]
    fn control_goes_from_block_to_block() {
        let choice = "b0: argument v0,0; cmpi.lt v1,v0,0; cond v1,b1,b2; b1: const v2,1; \
                      return v2; b2: return v0";
        returns(choice, -5, 1);
        returns(choice, 5, 5);
        // Fibonacci's numbers; v2 and v3 are handed over as (v3, v2 + v3).
        let numbers = "b0: argument v0,0; const v1,0; const v2,1; jmp b1(v0,v1,v2); \
                       b1(v3,v4,v5): cmpi.gt v6,v3,0; cond v6,b2,b3; \
                       b2: add v7,v4,v5; subi v8,v3,1; jmp b1(v8,v5,v7); b3: return v4";
        returns(numbers, 30, 832_040);
    }

    #[test]
    fn what_cannot_be_executed_is_a_fault() {
        faults("b0: return v0", "0: return v0 (node 0): v0 was never written");
        faults("b0: const v0,1", "the end of the code: nothing returns");
        faults("b0: argument v0,1", "0: argument v0,1 (node 0): there is no such argument");
        let divided = "b0: argument v0,0; divi v1,v0,0; return v1";
        faults(divided, "1: divi v1,v0,0 (node 1): division of 7 by 0");
        let divided = "b0: const v0,-2147483648; divi v1,v0,-1; return v1";
        faults(divided, "1: divi v1,v0,-1 (node 1): division of -2147483648 by -1");
        let branch = "b0: argument v0,0; cond v0,b1,b1; b1: return v0";
        faults(branch, "1: cond v0,b1,b1 (node 1): 7 is neither true nor false");
        let handed = "b0: argument v0,0; jmp b1(v0); b1(v1,v2): return v1";
        faults(handed, "1: jmp b1 (node 1): 1 of 2 values are handed over");
    }

    #[test]
    fn code_that_never_ends_runs_out_of_steps() {
        assert_eq!(eval(&code("b0: jmp b1; b1: jmp b1"), 0), Outcome::out_of_steps());
    }
}
