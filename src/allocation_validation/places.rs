//! The places of the allocated code and the values that they hold.
use crate::allocation_validation::values::Value;
use crate::ia32::code::{Address, Instruction};
use crate::ia32::{Op, Operand, Register};
use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    Register(Register),
    Flags,
    /// The four bytes of the stack at this distance from esp at the entry of the function.
    Word(i32),
    /// The eight bytes there.
    Double(i32),
}

/// A number that an instruction puts into a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Constant {
    Number(i32),
    /// A floating-point number by its bits.
    Float(i64),
    /// The address of a symbol.
    Symbol(u32),
}

impl Constant {
    /// The constant that an instruction puts into an operand, if it does nothing else.
    pub fn of(instruction: &Instruction) -> Option<(Operand, Constant)> {
        let [to, from, _] = instruction.operands;
        let constant = match (instruction.op, to, from) {
            (Op::MovImmediate, _, Operand::Immediate(number)) => Constant::Number(number),
            (Op::StoreImmediate, Operand::Address(address), Operand::Immediate(number))
                if address.is_on_stack() =>
            {
                Constant::Number(number)
            }
            (Op::Zero, ..) => Constant::Number(0),
            (Op::FloatZero, ..) => Constant::Float(0),
            (Op::FloatLoad, _, Operand::Address(address)) => Constant::Float(address.constant()?),
            (Op::MovSymbol, _, Operand::Symbol(symbol)) => Constant::Symbol(symbol),
            _ => return None,
        };
        Some((to, constant))
    }
}

impl Place {
    /// The place of an operand: a register, or a part of the stack if that has grown by `height`
    /// bytes.
    pub fn of(op: Op, operand: Operand, height: i32) -> Option<Place> {
        match operand {
            Operand::Register(register) => Some(Place::Register(register)),
            Operand::Address(address) if address.is_on_stack() => {
                Some(Place::in_stack(op, address, height))
            }
            _ => None,
        }
    }

    fn in_stack(op: Op, address: Address, height: i32) -> Place {
        let at = address.displacement - height;
        let is_long = op.is_float() && op != Op::FloatFromMemory;
        if is_long { Place::Double(at) } else { Place::Word(at) }
    }

    /// The distances of the words that overlap with this place.
    fn words(self) -> Option<RangeInclusive<i32>> {
        match self {
            Place::Register(_) | Place::Flags => None,
            Place::Word(at) => Some(at..=at),
            Place::Double(at) => Some(at..=at + 4),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Place::Register(register) => register.fmt(f),
            Place::Flags => f.write_str("flags"),
            Place::Word(at) | Place::Double(at) => write!(f, "the stack at {at}"),
        }
    }
}

/// The values of each place. A place may hold several: a parameter and the argument that it is.
#[derive(Clone, PartialEq, Default)]
pub struct Places(BTreeSet<(Place, Value)>);

impl Places {
    pub fn holds(&self, place: Place, value: Value) -> bool {
        self.0.contains(&(place, value))
    }

    /// The values that both have, at a join.
    pub fn meet(self, other: Places) -> Places {
        Places(self.0.intersection(&other.0).copied().collect())
    }

    /// Keeps the values that satisfy a condition.
    pub fn retain(&mut self, keep: impl Fn(Value) -> bool) {
        self.0.retain(|(_, value)| keep(*value));
    }

    /// The place holds this value and no other.
    pub fn set(&mut self, place: Place, value: Value) {
        self.clear(place);
        self.0.insert((place, value));
    }

    pub fn copy(&mut self, to: Place, from: Place) {
        let values = self.values(from);
        self.clear(to);
        self.0.extend(values.into_iter().map(|value| (to, value)));
    }

    /// The place holds no known value.
    pub fn clear(&mut self, place: Place) {
        let Some(words) = place.words() else { return self.clear_exactly(place) };
        for at in words.clone().step_by(4) {
            self.clear_exactly(Place::Word(at));
        }
        for at in (words.start() - 4..=*words.end()).step_by(4) {
            self.clear_exactly(Place::Double(at));
        }
    }

    fn clear_exactly(&mut self, place: Place) {
        for value in self.values(place) {
            self.0.remove(&(place, value));
        }
    }

    fn values(&self, place: Place) -> Vec<Value> {
        let all = (place, Value::MIN)..=(place, Value::MAX);
        self.0.range(all).map(|(_, value)| *value).collect()
    }

    /// Each place that holds an argument holds the parameter now. The old values of the parameters,
    /// which may be arguments, are gone.
    pub fn pass(&mut self, pairs: &[(Value, Value)]) {
        let passed = self.0.iter().flat_map(|&(place, value)| {
            let of_value = pairs.iter().filter(move |(_, argument)| *argument == value);
            of_value.map(move |&(parameter, _)| (place, parameter))
        });
        let passed: Vec<_> = passed.collect();
        self.0.retain(|(_, value)| pairs.iter().all(|(parameter, _)| parameter != value));
        self.0.extend(passed);
    }
}
