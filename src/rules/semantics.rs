//! The semantics of a pattern: its value, for values of its names.
use super::function::{OF_LENGTH, OF_WORDS, POSITIVE};
use super::matching::holds_for;
use super::pattern::{NameId, Operand, Pattern};
use super::required_patterns::PatternBuilder;
use super::tree_expansion::Roots;
use super::{Guard, Immediate, Rule};
use super::{are_complements, counts_with_complement};
use crate::arith::{Relation, WORD, Width};
use crate::firm::{Mode, Op, Values};
use crate::floats;
use arena::FxHasher;
use std::hash::{BuildHasher, BuildHasherDefault};

/// The patterns of a rule. Every value, number and relation in them has a name: 0, 1, 2, …
pub struct PatternSemantics {
    /// The trees of its results.
    patterns: Vec<Pattern>,
    guards: Vec<Guard>,
    pub names: Vec<Name>,
}

/// The kind and the mode of a name, and its id in the rule, if the rule names it too.
pub struct Name {
    pub kind: Kind,
    /// For a relation, the mode of the values that it relates.
    pub mode: Mode,
    pub rule_name: Option<NameId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Any value.
    Value,
    /// 0 or 1.
    Truth,
    Number,
    /// The value of the argument with this number.
    Argument,
    /// The number of a relation.
    Relation,
}

impl PatternSemantics {
    pub fn new(rule: &Rule) -> PatternSemantics {
        let mut builder = PatternBuilder::default();
        let trees = rule.trees(Roots::Trees);
        let patterns: Vec<_> = trees.iter().map(|tree| builder.node(tree)).collect();
        let guards = builder.guards(&rule.guards);
        let name_ids = builder.old_names();
        let mut kinds = vec![(Kind::Value, Mode::Is); name_ids.len()];
        patterns.iter().for_each(|pattern| note(pattern, &mut kinds));
        let names = kinds.into_iter().zip(name_ids).map(|((kind, mode), rule_name)| Name {
            kind,
            mode,
            rule_name,
        });
        PatternSemantics { names: names.collect(), patterns, guards }
    }

    /// The numbers among `numbers` that the guards permit for a name.
    pub fn allowed(&self, name: usize, numbers: &[i64]) -> Vec<i64> {
        let own = || self.guards.iter().filter(|guard| usize::from(guard.name()) == name);
        let is_count = self.is_count(name);
        let holds = |number: &i64| {
            let is_allowed = !is_count || counts_with_complement().any(|it| it == *number);
            is_allowed && own().all(|guard| holds_for(*guard, *number))
        };
        numbers.iter().copied().filter(holds).collect()
    }

    /// The number that a guard requires.
    pub fn required_constant(&self, name: usize) -> Option<i64> {
        self.guards.iter().find_map(|guard| match guard {
            Guard::Equal(name_id, number) if usize::from(*name_id) == name => Some(*number),
            _ => None,
        })
    }

    /// Whether the number is one of two counts that complement each other.
    pub fn is_count(&self, name: usize) -> bool {
        self.complements().any(|names| names.contains(&name))
    }

    /// The pairs of names whose numbers complement each other.
    pub fn complements(&self) -> impl Iterator<Item = [usize; 2]> {
        self.guards.iter().filter_map(|guard| match *guard {
            Guard::Complements(one, other) => Some([one, other].map(usize::from)),
            _ => None,
        })
    }

    /// Whether a guard is about a property of a number, and not about its length or sign alone.
    pub fn has_property(&self, name: usize) -> bool {
        self.properties(name).any(|it| !OF_LENGTH.contains(&it) && it != POSITIVE)
    }

    /// Whether a guard requires that a number is positive.
    pub fn is_positive(&self, name: usize) -> bool {
        self.properties(name).any(|it| it == POSITIVE)
    }

    /// The properties that guards require of a number.
    fn properties(&self, name: usize) -> impl Iterator<Item = &'static str> {
        self.guards.iter().filter_map(move |guard| match guard {
            Guard::Property(it, property) => (usize::from(*it) == name).then_some(property.name),
            _ => None,
        })
    }

    /// Whether a guard requires that a value is not negative.
    pub fn is_natural(&self, name: usize) -> bool {
        let requires =
            |guard: &Guard| matches!(guard, Guard::Natural(it) if usize::from(*it) == name);
        self.guards.iter().any(requires)
    }

    /// The results of the rule: values, or the condition of a jump; none if one of them is
    /// undefined, if a value is negative that a guard excludes, or if two counts do not complement
    /// each other.
    pub fn evaluate(&self, width: Width, values: &[i64]) -> Option<Vec<i64>> {
        if (0..values.len()).any(|name| self.is_natural(name) && values[name] < 0) {
            return None;
        }
        if self.complements().any(|[one, other]| !are_complements(values[one], values[other])) {
            return None;
        }
        self.patterns.iter().map(|pattern| value(pattern, width, values)).collect()
    }
}

impl PatternSemantics {
    /// The results of the rule as terms of another language: `names` are the terms of its names,
    /// `numbers` are the known ones of those that have one, and `apply` is the term of an operation
    /// on values. None if it has none.
    pub fn terms(
        &self,
        names: &[String],
        numbers: &[Option<i64>],
        apply: Apply,
    ) -> Option<Vec<String>> {
        self.patterns.iter().map(|pattern| term(pattern, names, numbers, apply)).collect()
    }
}

/// The term of an operation on terms.
pub type Apply<'a> = &'a mut dyn FnMut(Op, &[String]) -> Option<String>;

fn term(
    pattern: &Pattern,
    names: &[String],
    numbers: &[Option<i64>],
    apply: Apply,
) -> Option<String> {
    if let (Op::Argument(_) | Op::Const(_), Some(name)) = (pattern.op, pattern.binds) {
        return Some(names[usize::from(name)].clone());
    }
    let mut operands = Vec::new();
    for operand in &pattern.operands {
        match operand {
            Operand::Memory => {}
            Operand::Value(name) | Operand::Repeated(name) => {
                operands.push(names[usize::from(*name)].clone());
            }
            Operand::Node(inner) => operands.push(term(inner, names, numbers, apply)?),
        }
    }
    let op = match (pattern.op, pattern.binds) {
        (Op::Cmp(_), Some(name)) => Op::Cmp(Relation::of_number(numbers[usize::from(name)]?)),
        (op, _) => op,
    };
    apply(op, &operands)
}

/// Notes the kinds and the modes of the names of a pattern.
fn note(pattern: &Pattern, kinds: &mut [(Kind, Mode)]) {
    if let Some(name_id) = pattern.binds {
        let kind = match pattern.op {
            Op::Argument(_) => Kind::Argument,
            Op::Cmp(_) => Kind::Relation,
            _ => Kind::Number,
        };
        kinds[usize::from(name_id)] = (kind, pattern.mode);
    }
    for (operand, mode) in pattern.operands.iter().zip(pattern.op.row().operands) {
        match operand {
            Operand::Value(name_id) => {
                let kind = if pattern.op == Op::Cond { Kind::Truth } else { Kind::Value };
                kinds[usize::from(*name_id)] = (kind, mode.of(pattern.mode));
            }
            Operand::Node(inner) => note(inner, kinds),
            Operand::Memory | Operand::Repeated(_) => {}
        }
    }
}

fn value(pattern: &Pattern, width: Width, values: &[i64]) -> Option<i64> {
    let of = |name_id: NameId| values[usize::from(name_id)];
    let operand = |at: usize| match &pattern.operands[at] {
        Operand::Memory => None,
        Operand::Value(name_id) | Operand::Repeated(name_id) => Some(of(*name_id)),
        Operand::Node(inner) => value(inner, width, values),
    };
    let own = match pattern.mode.values() {
        Values::Integers(_) => Values::Integers(width),
        other => other,
    };
    match pattern.op {
        Op::Argument(_) | Op::Const(_) => pattern.binds.map(of),
        Op::Binary(binary) => own.compute(binary, operand(0)?, operand(1)?),
        Op::Cmp(_) => {
            let relation = Relation::of_number(pattern.binds.map(of)?);
            Some(own.compare(relation, operand(0)?, operand(1)?).into())
        }
        Op::Conv(to) => pattern.mode.convert(operand(0)?, to),
        Op::Jmp => Some(1),
        Op::Cond => operand(0),
        #[cfg(feature = "ch29")]
        Op::Mux => operand(if operand(0)? == 0 { 1 } else { 2 }),
        Op::Return => operand(1),
        Op::StartBlock | Op::EndBlock | Op::Block | Op::Start | Op::End | Op::Phi => None,
        Op::SymConst(_) => pattern.binds.map(of),
        #[cfg(feature = "ch25")]
        Op::Not => Some(width.wrap(!operand(0)?)),
        Op::Load(_) if pattern.mode == Mode::F => {
            Some(floats::widened(single_content(operand(1)?)))
        }
        Op::Load(_) if pattern.mode.is_float() => Some(float_content(operand(1)?)),
        Op::Load(_) => {
            let content = memory_content(width, operand(1)?);
            Some(width.wrap(pattern.mode.extend(content)))
        }
        Op::Store(_) if pattern.mode.is_float() => {
            Some(stored(0, operand(1)?, pattern.mode.stored(operand(2)?)))
        }
        Op::Store(_) => {
            let value = width.wrap(pattern.mode.extend(operand(2)?));
            Some(stored(0, operand(1)?, value))
        }
        #[cfg(feature = "ch25")]
        Op::Sync | Op::Bad => None,
        Op::Call(_) if pattern.mode.is_float() => Some(called_float(operand(1)?)),
        Op::Call(_) => Some(called(width, operand(1)?)),
        Op::Result(_) => None,
    }
}

/// The content of memory at an address. A pattern does not define it, so it is a hash of the
/// address.
pub fn memory_content(width: Width, address: i64) -> i64 {
    width.wrap(BuildHasherDefault::<FxHasher>::default().hash_one(address).cast_signed())
}

/// The floating-point number at an address: a hash of it, too, of 64 bits at every width.
pub fn float_content(address: i64) -> i64 {
    floats::bits(floats::float(stored(0, address, 0)))
}

/// The bits of the floating-point number of 32 bits there.
pub fn single_content(address: i64) -> u32 {
    memory_content(WORD, address) as u32
}

/// The result of the function at an address. A pattern does not define it, so it is a hash.
pub fn called(width: Width, address: i64) -> i64 {
    memory_content(width, !address)
}

/// The same for a function that returns a float.
pub fn called_float(address: i64) -> i64 {
    float_content(!address)
}

/// A number that identifies the stores so far: `value` to `address`, after the stores `before`.
pub fn stored(before: i64, address: i64, value: i64) -> i64 {
    BuildHasherDefault::<FxHasher>::default().hash_one([before, address, value]).cast_signed()
}

impl Immediate {
    /// Whether it is defined for words of 32 bits only.
    pub fn is_of_words(&self) -> bool {
        match self {
            Immediate::Number(_) => false,
            Immediate::Of(function, _) => OF_WORDS.contains(&function.name),
        }
    }

    /// Its value, for these numbers of the pattern.
    pub fn number(&self, numbers: &[i64]) -> i32 {
        match self {
            Immediate::Number(number) => *number,
            Immediate::Of(function, name_id) => {
                (function.of)(numbers[usize::from(*name_id)]) as i32
            }
        }
    }
}

impl Rule {
    /// The text of a name.
    pub fn name_of(&self, name_id: NameId) -> &str {
        &self.names[usize::from(name_id)]
    }
}
