//! Executes code. Reading a register before it is written is a fault.
use crate::arith::{Binary, Width};
#[cfg(feature = "ch25")]
use crate::firm::{Memory, Mode};
use crate::stage::{Outcome, STEP_LIMIT};
use crate::target::blocks::BlockId;
use crate::ttc::tr::code::{Block, Code, Instruction, Operand, Register};
use crate::ttc::tr::instruction_table::Semantics;
use arena::SideTable;

const WORD: Width = Width(32);

/// Calls the code as a function of one argument.
pub fn eval(code: &Code, argument: i64) -> Outcome {
    let registers = SideTable::new(code.registers as usize);
    let mut run = Interpreter {
        code,
        argument,
        registers,
        next: 0,
        block: BlockId::ENTRY,
        #[cfg(feature = "ch25")]
        memory: if code.has_heap { Memory::default() } else { Memory::unknown() },
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
                #[cfg(feature = "ch25")]
                let outcome = Outcome { output: run.memory.trace.clone(), ..outcome };
                return outcome;
            }
            Err(reason) => return Outcome::fault(inst.place(at), reason),
        }
    }
    Outcome::out_of_steps()
}

struct Interpreter<'c> {
    code: &'c Code,
    argument: i64,
    registers: SideTable<Register, Option<i64>>,
    /// The number of the next instruction.
    next: usize,
    /// Its block.
    block: BlockId,
    #[cfg(feature = "ch25")]
    memory: Memory,
}

impl Interpreter<'_> {
    /// The result, if the program ends here; or the reason for a fault.
    fn execute(&mut self, inst: &Instruction) -> Result<Option<i64>, String> {
        let [first, second, third, fourth] = inst.operands;
        match inst.row().semantics {
            Semantics::Move => self.write(first, self.read(second)?)?,
            Semantics::Argument => self.write(first, self.argument(second)?)?,
            Semantics::Binary(op) => {
                let value = arithmetic(op, self.read(second)?, self.read(third)?)?;
                self.write(first, value)?;
            }
            Semantics::Compare => {
                let Operand::Condition(relation) = first else { return Err("no relation".into()) };
                let holds = relation.holds(self.read(third)?, self.read(fourth)?);
                self.write(second, i64::from(holds))?;
            }
            Semantics::Jump => self.jump(first)?,
            Semantics::Branch => match self.read(first)? {
                0 => self.jump(third)?,
                1 => self.jump(second)?,
                other => return Err(format!("{other} is neither true nor false")),
            },
            Semantics::Return => return self.read(first).map(Some),
            #[cfg(feature = "ch25")]
            Semantics::Not => self.write(first, WORD.wrap(!self.read(second)?))?,
            #[cfg(feature = "ch25")]
            Semantics::Load => {
                let loaded = self.memory.load_visibly(Mode::Is, self.read(second)?, inst.access)?;
                self.write(first, loaded)?;
            }
            #[cfg(feature = "ch25")]
            Semantics::Store => {
                self.memory.store(Mode::Is, self.read(first)?, self.read(second)?)?
            }
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
            Operand::Symbol(number) => Ok(self.code.symbols.address(number)),
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
            return Err(format!("{count} of {} arguments are passed", parameters.len()));
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

/// As in Firm, division is undefined for 0, and for the smallest integer by -1.
fn arithmetic(op: Binary, left: i64, right: i64) -> Result<i64, String> {
    op.evaluate_checked(WORD, left, right).ok_or_else(|| format!("division of {left} by {right}"))
}
