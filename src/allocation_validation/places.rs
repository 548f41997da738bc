//! The places of the allocated code and the values that they hold.
use crate::allocation_validation::values::Value;
use crate::ia32::code::Address;
use crate::ia32::{Op, Operand, Register};
use memory::Size;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    Register(Register),
    Flags,
    /// The four bytes of the stack at this distance from esp at the entry of the function.
    Word(i32),
    /// The eight bytes there.
    Double(i32),
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
        let is_long = op.memory_size() == Size::Double;
        if is_long { Place::Double(at) } else { Place::Word(at) }
    }

    /// The eight bytes that begin with a word.
    #[cfg(feature = "ch18")]
    pub fn double(self) -> Place {
        if let Place::Word(at) = self { Place::Double(at) } else { self }
    }

    /// The places of its parts: eight bytes of the stack are two words.
    fn parts(self) -> Vec<(Place, Part)> {
        match self {
            Place::Double(at) => {
                vec![(Place::Word(at), Part::Low), (Place::Word(at + 4), Part::High)]
            }
            place => vec![(place, Part::Whole)],
        }
    }
}

/// A value, or one of its two words: the allocator may copy eight bytes word by word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Part {
    Whole,
    Low,
    High,
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
pub struct Places(BTreeSet<(Place, Value, Part)>);

impl Places {
    pub fn holds(&self, place: Place, value: Value) -> bool {
        place.parts().into_iter().all(|(place, part)| self.0.contains(&(place, value, part)))
    }

    /// The values that both have, at a join.
    pub fn meet(self, other: Places) -> Places {
        Places(self.0.intersection(&other.0).copied().collect())
    }

    /// Keeps the values that satisfy a condition.
    pub fn retain(&mut self, keep: impl Fn(Value) -> bool) {
        self.0.retain(|(_, value, _)| keep(*value));
    }

    /// The place holds this value and no other.
    pub fn set(&mut self, place: Place, value: Value) {
        self.clear(place);
        self.insert(place, value);
    }

    pub fn insert(&mut self, place: Place, value: Value) {
        self.0.extend(place.parts().into_iter().map(|(place, part)| (place, value, part)));
    }

    pub fn copy(&mut self, to: Place, from: Place) {
        if let (Place::Double(_), _) | (_, Place::Double(_)) = (to, from) {
            let [(first, _), ..] = from.parts()[..] else { return };
            let values = self.at(first).into_iter().map(|(value, _)| value);
            let values: Vec<_> = values.filter(|it| self.holds(from, *it)).collect();
            self.clear(to);
            values.into_iter().for_each(|value| self.insert(to, value));
        } else {
            let values = self.at(from);
            self.clear(to);
            self.0.extend(values.into_iter().map(|(value, part)| (to, value, part)));
        }
    }

    /// The place holds no known value.
    pub fn clear(&mut self, place: Place) {
        for (place, _) in place.parts() {
            for (value, part) in self.at(place) {
                self.0.remove(&(place, value, part));
            }
        }
    }

    /// The values and words of values in a register or a word.
    fn at(&self, place: Place) -> Vec<(Value, Part)> {
        let all = (place, Value::MIN, Part::Whole)..=(place, Value::MAX, Part::High);
        self.0.range(all).map(|(_, value, part)| (*value, *part)).collect()
    }

    /// Each place that holds an argument holds the parameter now. The old values of the parameters,
    /// which may be arguments, are gone.
    pub fn pass(&mut self, pairs: &[(Value, Value)]) {
        let mut of_argument: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
        for &(parameter, argument) in pairs {
            of_argument.entry(argument).or_default().push(parameter);
        }
        let passed = self.0.iter().flat_map(|&(place, value, part)| {
            let parameters = of_argument.get(&value).into_iter().flatten();
            parameters.map(move |&parameter| (place, parameter, part))
        });
        let passed: Vec<_> = passed.collect();
        let parameters: BTreeSet<Value> = pairs.iter().map(|it| it.0).collect();
        self.0.retain(|(_, value, _)| !parameters.contains(value));
        self.0.extend(passed);
    }
}
