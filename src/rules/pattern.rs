//! Patterns: small graphs of Firm operations whose leaves are values in registers.
use crate::firm::{Mode, Op};
#[cfg(feature = "ch04")]
use arena::{Arena, Id, id};
#[cfg(feature = "ch04")]
use std::collections::HashMap;

/// The number of a name in its rule.
pub type NameId = u8;

/// The number of a kind of operation: its place in `Op::KINDS`.
pub type Kind = u8;

/// The kind of an operation, whatever its attribute.
pub fn kind(op: Op) -> Kind {
    let has_attribute = op.number().is_some() || op.has_relation();
    #[cfg(feature = "ch25")]
    let has_attribute = has_attribute || op.accesses_memory();
    let same = |other: &Op| {
        std::mem::discriminant(other) == std::mem::discriminant(&op)
            && (has_attribute || *other == op)
    };
    Op::KINDS.iter().position(same).expect("every operation is of a kind") as Kind
}

/// A typed node of a pattern.
#[derive(Clone, PartialEq, Debug)]
pub struct Pattern {
    /// The name of the operation itself.
    #[cfg(feature = "ch10")]
    pub name: Option<NameId>,
    /// Some operation of the kind that is matched; its attribute means nothing.
    pub op: Op,
    pub kind: Kind,
    pub mode: Option<Mode>,
    /// The name its number or its relation is bound to.
    pub binds: Option<NameId>,
    /// The relation is bound mirrored: the operands have changed places.
    #[cfg(feature = "ch04")]
    pub mirrored: bool,
    /// The operands stay where they are written.
    #[cfg(feature = "ch19")]
    pub ordered: bool,
    /// A value among its operands has a name that stands elsewhere in the rule, too: which of
    /// them is which makes a difference.
    #[cfg(feature = "ch10")]
    pub told_apart: bool,
    pub operands: Vec<Operand>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Operand {
    /// A state of memory; patterns do not look at it.
    Memory,
    /// Anything that yields a value.
    Value(NameId),
    Node(Pattern),
    /// The value or the operation that has this name elsewhere in the rule.
    #[cfg(feature = "ch10")]
    Again(NameId),
}

#[cfg(feature = "ch19")]
impl Operand {
    /// The name that stands here, if it is no pattern.
    pub fn value(&self) -> Option<NameId> {
        match self {
            Operand::Value(slot) | Operand::Again(slot) => Some(*slot),
            Operand::Memory | Operand::Node(_) => None,
        }
    }
}

impl Pattern {
    /// How many operations it covers.
    pub fn size(&self) -> usize {
        let inner = |operand: &Operand| match operand {
            Operand::Memory | Operand::Value(_) => 0,
            Operand::Node(pattern) => pattern.size(),
            #[cfg(feature = "ch10")]
            Operand::Again(_) => 0,
        };
        1 + self.operands.iter().map(inner).sum::<usize>()
    }

    /// The names of the values it finds in registers.
    pub fn values(&self) -> Vec<NameId> {
        let of = |operand: &Operand| match operand {
            Operand::Memory => Vec::new(),
            Operand::Value(slot) => vec![*slot],
            Operand::Node(pattern) => pattern.values(),
            #[cfg(feature = "ch10")]
            Operand::Again(_) => Vec::new(),
        };
        self.operands.iter().flat_map(of).collect()
    }

    /// All patterns that mean the same because some operands may change places, this one first.
    ///
    /// Operands that are both plain values need not change places: either order matches, unless
    /// they are told apart elsewhere.
    pub fn commuted(&self) -> Vec<Pattern> {
        let mut all = vec![Pattern { operands: Vec::new(), ..self.clone() }];
        for operand in &self.operands {
            let choices = match operand {
                Operand::Memory | Operand::Value(_) => vec![operand.clone()],
                Operand::Node(inner) => inner.commuted().into_iter().map(Operand::Node).collect(),
                #[cfg(feature = "ch10")]
                Operand::Again(_) => vec![operand.clone()],
            };
            let extended = |pattern: &Pattern, choice: &Operand| {
                let mut pattern = pattern.clone();
                pattern.operands.push(choice.clone());
                pattern
            };
            all = all
                .iter()
                .flat_map(|it| choices.iter().map(|choice| extended(it, choice)))
                .collect();
        }
        if self.can_commute() {
            let swapped: Vec<_> = all.iter().cloned().map(Pattern::swapped).collect();
            all.extend(swapped);
        }
        all
    }

    /// How often the operation or value of this name is an operand here.
    #[cfg(feature = "ch10")]
    pub fn uses(&self, name: NameId) -> usize {
        let uses = |operand: &Operand| match operand {
            Operand::Memory => 0,
            Operand::Value(slot) | Operand::Again(slot) => usize::from(*slot == name),
            Operand::Node(inner) => usize::from(inner.name == Some(name)) + inner.uses(name),
        };
        self.operands.iter().map(uses).sum()
    }

    /// Whether another order of its operands means the same, and finds something else.
    pub fn commutes(&self) -> bool {
        let differ = self.operands.iter().any(|it| !matches!(it, Operand::Value(_)));
        #[cfg(feature = "ch10")]
        let differ = differ || self.told_apart;
        self.op.commutes() && differ
    }

    /// The same, if nothing is said about it.
    pub fn can_commute(&self) -> bool {
        #[cfg(feature = "ch19")]
        if self.ordered {
            return false;
        }
        self.commutes()
    }

    fn swapped(mut self) -> Pattern {
        self.operands.reverse();
        Pattern {
            #[cfg(feature = "ch04")]
            mirrored: !self.mirrored,
            ..self
        }
    }
}

#[cfg(feature = "ch04")]
id! {
    /// A pattern without its names: equal shapes have equal ids.
    Shape
}

/// All shapes of a rule set, each once.
#[cfg(feature = "ch04")]
#[derive(Clone, Debug)]
pub struct Shapes {
    operands: Arena<Shape, Vec<Shape>>,
    names: Vec<String>,
    known: HashMap<(&'static str, Vec<Shape>), Shape>,
    /// The shape of a value in a register.
    pub register: Shape,
    /// The shape of a state of memory.
    pub memory: Shape,
    /// The shapes of the operations that have names, while the shapes of a rule are found.
    #[cfg(feature = "ch10")]
    pub named: HashMap<NameId, Shape>,
}

#[cfg(feature = "ch04")]
impl Shapes {
    /// No shapes yet but that of a value in a register and that of a state of memory.
    pub fn new() -> Shapes {
        let mut operands = Arena::default();
        let (register, memory) = (operands.push(Vec::new()), operands.push(Vec::new()));
        let names = ["·", "memory"].map(String::from).to_vec();
        Shapes {
            operands,
            names,
            known: HashMap::new(),
            register,
            memory,
            #[cfg(feature = "ch10")]
            named: HashMap::new(),
        }
    }

    /// The shapes of a pattern and of all patterns in it, in the order they are written.
    pub fn of(&mut self, pattern: &Pattern) -> Vec<Shape> {
        let mut all = Vec::new();
        self.shape(pattern, &mut all);
        all
    }

    fn shape(&mut self, pattern: &Pattern, all: &mut Vec<Shape>) -> Shape {
        let at = all.len();
        all.push(self.memory);
        let operands = pattern.operands.iter().map(|operand| match operand {
            Operand::Memory => self.memory,
            Operand::Value(_) => self.register,
            Operand::Node(inner) => self.shape(inner, all),
            #[cfg(feature = "ch10")]
            Operand::Again(slot) => self.named.get(slot).copied().unwrap_or(self.register),
        });
        let key = (pattern.op.row().name, operands.collect::<Vec<_>>());
        all[at] = match self.known.get(&key) {
            Some(&known) => known,
            None => {
                let new = self.operands.push(key.1.clone());
                let names: Vec<_> = key.1.iter().map(|&it| self.name(it)).collect();
                let operands = if names.is_empty() {
                    String::new()
                } else {
                    format!("({})", names.join(", "))
                };
                self.names.push(format!("{}{operands}", key.0));
                self.known.insert(key, new);
                new
            }
        };
        all[at]
    }

    /// The shape as it would be written, with `·` for a value in a register.
    pub fn name(&self, shape: Shape) -> &str {
        &self.names[shape.index()]
    }

    /// What a shape asks of its operand at `at`; of one it does not name, to be in a register.
    pub fn operand(&self, shape: Shape, at: usize) -> Shape {
        self.operands[shape].get(at).copied().unwrap_or(self.register)
    }
}
