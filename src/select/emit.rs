//! From a cover to code: the instructions of the chosen rules, one match after the other. The
//! only file of this room that knows a machine.
use super::Selection;
use crate::base::ids::{Id, SideTable};
#[cfg(feature = "ch04")]
use crate::ia32::code::{Address, Base};
use crate::ia32::inst::ROWS;
use crate::ia32::{Code, Op, Operand, Register};
#[cfg(feature = "ch04")]
use crate::rules::AddressTemplate;
use crate::rules::target::Slot as OperandSlot;
use crate::rules::{Bound, Immediate, Match, Place, ProgramId, Rule, Slot, Step, Template};

/// The code of a covered program, with virtual registers.
pub fn emit(selection: &Selection) -> Code {
    let values = SideTable::new(selection.program.len());
    let mut emitter = Emitter { code: Code::new(), values, origin: 0 };
    for found in &selection.chosen {
        emitter.origin = selection.program.firm(found.root).index() as u32;
        emitter.apply(selection.rules.rule(found), found);
    }
    emitter.code
}

struct Emitter {
    code: Code,
    /// The register that holds the value of each root.
    values: SideTable<ProgramId, Option<Register>>,
    /// The number of the Firm node that instructions are being made for.
    origin: u32,
}

/// The register of each name of a rule, while the rule is applied.
type Names = [Option<Register>; Rule::MOST_NAMES];

impl Emitter {
    fn apply(&mut self, rule: &Rule, found: &Match) {
        let mut names: Names = found.bound.map(|bound| match bound {
            Bound::Value(id) => Some(self.values[id].expect("a cover puts operands in registers")),
            _ => None,
        });
        for &(slot, real) in &rule.fixed {
            let value = names[slot as usize].expect("a fixed operand is a value");
            self.push(Op::Mov, &[Operand::Register(real_register(real)), Operand::Register(value)]);
        }
        for step in &rule.steps {
            self.step(step, found, &mut names);
        }
        self.values[found.root] = match rule.result {
            None => None,
            Some(Place::Name(slot)) => names[slot as usize],
            Some(Place::Real(real)) => {
                let result = self.code.virtual_register();
                let from = Operand::Register(real_register(real));
                self.push(Op::Mov, &[Operand::Register(result), from]);
                Some(result)
            }
        };
    }

    fn push(&mut self, op: Op, operands: &[Operand]) {
        self.code.push(op, operands, self.origin);
    }

    fn step(&mut self, step: &Step, found: &Match, names: &mut Names) {
        let row = &ROWS[step.instruction];
        let slots = row.instruction.operands;
        let mut read = *names;
        for (slot, operand) in slots.iter().zip(&step.operands) {
            if let Some((old, new)) = self.copy_before_update(*slot, operand, names) {
                // Whoever reads the old value here may as well read its copy.
                read = read.map(|it| if it == Some(old) { Some(new) } else { it });
            }
        }
        for (slot, operand) in slots.iter().zip(&step.operands) {
            self.name_what_is_defined(*slot, operand, names);
        }
        let mut operands = [Operand::None; 3];
        for ((place, slot), operand) in operands.iter_mut().zip(slots).zip(&step.operands) {
            let names = if slot.writes() { &*names } else { &read };
            *place = operand_of(operand, found, names);
        }
        self.push(row.op, &operands[..slots.len()]);
    }

    /// An operand that is overwritten is copied first: others may still want the old value.
    fn copy_before_update(
        &mut self,
        slot: OperandSlot,
        operand: &Template,
        names: &mut Names,
    ) -> Option<(Register, Register)> {
        let Template::Register(name) = operand else { return None };
        if !slot.reads() || !slot.writes() {
            return None;
        }
        let old = names[*name as usize].expect("an updated register holds something");
        let new = self.code.virtual_register();
        self.push(Op::Mov, &[Operand::Register(new), Operand::Register(old)]);
        names[*name as usize] = Some(new);
        Some((old, new))
    }

    /// A register that is only written is a new one.
    fn name_what_is_defined(&mut self, slot: OperandSlot, operand: &Template, names: &mut Names) {
        let Template::Register(name) = operand else { return };
        if slot.writes() && !slot.reads() {
            names[*name as usize] = Some(self.code.virtual_register());
        }
    }
}

fn real_register(number: u8) -> Register {
    Register::from_index(number as usize)
}

fn operand_of(operand: &Template, found: &Match, names: &Names) -> Operand {
    match operand {
        Template::Register(slot) => Operand::Register(register_of(*slot, names)),
        Template::Real(number) => Operand::Register(real_register(*number)),
        Template::Immediate(immediate) => Operand::Immediate(number_of(immediate, found)),
        #[cfg(feature = "ch04")]
        Template::Address(address) => Operand::Address(address_of(address, found, names)),
        #[cfg(feature = "ch04")]
        Template::Condition(slot) => match found.bound[*slot as usize] {
            Bound::Relation(relation) => Operand::Condition(relation),
            _ => unreachable!("a condition is bound to a relation"),
        },
    }
}

fn register_of(slot: Slot, names: &Names) -> Register {
    names[slot as usize].expect("a register is read after it is written")
}

fn number_of(immediate: &Immediate, found: &Match) -> i32 {
    match immediate {
        Immediate::Number(number) => *number,
        Immediate::Of(function, slot) => match found.bound[*slot as usize] {
            Bound::Number(number) => function(number) as i32,
            _ => unreachable!("an immediate is made of a number"),
        },
    }
}

#[cfg(feature = "ch04")]
fn address_of(template: &AddressTemplate, found: &Match, names: &Names) -> Address {
    let numbers = template.displacement.iter().map(|immediate| number_of(immediate, found));
    let displacement = numbers.fold(0, i32::wrapping_add);
    let index = template.index.map(|(slot, scale)| (register_of(slot, names), scale));
    Address { base: base_of(template, found, names), index, displacement }
}

#[cfg(feature = "ch04")]
fn base_of(template: &AddressTemplate, found: &Match, names: &Names) -> Base {
    match (template.base, template.argument.map(|slot| found.bound[slot as usize])) {
        (Some(slot), _) => Base::Register(register_of(slot, names)),
        (None, Some(Bound::Number(number))) => Base::Argument(number as u32),
        (None, _) => Base::None,
    }
}
