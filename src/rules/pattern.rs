//! Patterns: small graphs of Firm operations whose leaves are values in registers.
use crate::firm::{Mode, Op};
#[cfg(feature = "ch04")]
use arena::{Arena, FxHashMap, Id, id};

/// The number of a name in its rule.
pub type NameId = u8;

/// The number of a kind of operation: the operation without its attribute, in one of its modes.
pub type Kind = u8;

/// The number of kinds.
pub fn kind_count() -> usize {
    let kinds = Op::kinds().count();
    #[cfg(feature = "ch10")]
    let kinds = kinds + further_modes().count();
    kinds
}

/// The kind of an operation in a mode. Operations in their first mode come first.
pub fn kind(op: Op, _mode: Mode) -> Kind {
    let kind = op.kind();
    #[cfg(feature = "ch10")]
    if _mode != op.row().modes[0] {
        let at = further_modes().position(|it| it == (kind, _mode));
        return (Op::kinds().count() + at.expect("an operation has one of its modes")) as Kind;
    }
    kind as Kind
}

/// The operations in their modes after the first one.
#[cfg(feature = "ch10")]
fn further_modes() -> impl Iterator<Item = (usize, Mode)> {
    let further = |op: Op| op.row().modes[1..].iter().map(move |&mode| (op.kind(), mode));
    Op::kinds().flat_map(further)
}

/// A typed node of a pattern.
#[derive(Clone, PartialEq, Debug)]
pub struct Pattern {
    /// The name of the operation itself.
    #[cfg(feature = "ch10")]
    pub name: Option<NameId>,
    /// An operation of the kind that is matched; its attribute is ignored.
    pub op: Op,
    pub kind: Kind,
    /// The mode of the operation, not of its value.
    pub mode: Mode,
    /// The name that its number or its relation is bound to.
    pub binds: Option<NameId>,
    /// The relation is bound mirrored: the operands are swapped.
    #[cfg(feature = "ch04")]
    pub mirrored: bool,
    /// The operands are not commuted.
    #[cfg(feature = "ch19")]
    pub ordered: bool,
    /// One of its operands has a name that occurs elsewhere in the rule, so the order of the
    /// operands matters.
    #[cfg(feature = "ch10")]
    pub has_repeated_operand: bool,
    pub operands: Vec<Operand>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Operand {
    /// A state of memory; patterns do not match it.
    Memory,
    /// Any operation that yields a value.
    Value(NameId),
    Node(Pattern),
    /// The value or the operation that has this name elsewhere in the rule.
    #[cfg(feature = "ch10")]
    Repeated(NameId),
}

#[cfg(feature = "ch19")]
impl Operand {
    /// The name of the operand, if it is no pattern.
    pub fn value(&self) -> Option<NameId> {
        match self {
            Operand::Value(name_id) | Operand::Repeated(name_id) => Some(*name_id),
            Operand::Memory | Operand::Node(_) => None,
        }
    }
}

impl Pattern {
    /// The number of operations that it covers.
    pub fn size(&self) -> usize {
        let inner = |operand: &Operand| match operand {
            Operand::Memory | Operand::Value(_) => 0,
            Operand::Node(pattern) => pattern.size(),
            #[cfg(feature = "ch10")]
            Operand::Repeated(_) => 0,
        };
        1 + self.operands.iter().map(inner).sum::<usize>()
    }

    /// The names of the values that it reads from registers.
    pub fn values(&self) -> Vec<NameId> {
        let of = |operand: &Operand| match operand {
            Operand::Memory => Vec::new(),
            Operand::Value(name_id) => vec![*name_id],
            Operand::Node(pattern) => pattern.values(),
            #[cfg(feature = "ch10")]
            Operand::Repeated(_) => Vec::new(),
        };
        self.operands.iter().flat_map(of).collect()
    }
}

/// The orders of operands.
impl Pattern {
    /// All patterns that are equivalent by commuting operands, this one first.
    ///
    /// Two operands that are plain values are not swapped, since either order matches, unless one
    /// of them is repeated elsewhere.
    pub fn commuted(&self) -> Vec<Pattern> {
        let mut all = vec![self.clone()];
        for (at, operand) in self.operands.iter().enumerate() {
            let Operand::Node(inner) = operand else { continue };
            let choices = inner.commuted();
            if choices.len() == 1 {
                continue;
            }
            let with = |pattern: &Pattern, choice: &Pattern| {
                let mut pattern = pattern.clone();
                pattern.operands[at] = Operand::Node(choice.clone());
                pattern
            };
            all = all.iter().flat_map(|it| choices.iter().map(|choice| with(it, choice))).collect();
        }
        if self.can_commute() {
            let swapped: Vec<_> = all.iter().cloned().map(Pattern::swapped).collect();
            all.extend(swapped);
        }
        all
    }

    /// The number of uses of this name as an operand.
    #[cfg(feature = "ch10")]
    pub fn uses(&self, name: NameId) -> usize {
        let uses = |operand: &Operand| match operand {
            Operand::Memory => 0,
            Operand::Value(name_id) | Operand::Repeated(name_id) => usize::from(*name_id == name),
            Operand::Node(inner) => usize::from(inner.name == Some(name)) + inner.uses(name),
        };
        self.operands.iter().map(uses).sum()
    }

    /// Whether the swapped order of its operands is equivalent, but matches other nodes.
    pub fn commutes(&self) -> bool {
        let differ = self.operands.iter().any(|it| !matches!(it, Operand::Value(_)));
        #[cfg(feature = "ch10")]
        let differ = differ || self.has_repeated_operand;
        self.op.commutes(self.mode) && differ
    }

    /// The same, unless the rule says `ordered`.
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
    /// The operation at the root of each.
    roots: Vec<String>,
    known: FxHashMap<(Kind, Vec<Shape>), Shape>,
    /// The shape of a value in a register.
    pub register: Shape,
    /// The shape of a state of memory.
    pub memory: Shape,
    /// The shapes of the named operations, while the shapes of a rule are computed.
    #[cfg(feature = "ch10")]
    pub named: FxHashMap<NameId, Shape>,
}

#[cfg(feature = "ch04")]
impl Shapes {
    /// The shapes of a value in a register and of a state of memory.
    pub fn new() -> Shapes {
        let mut operands = Arena::default();
        let (register, memory) = (operands.push(Vec::new()), operands.push(Vec::new()));
        Shapes {
            operands,
            roots: vec!["·".into(), "memory".into()],
            known: FxHashMap::default(),
            register,
            memory,
            #[cfg(feature = "ch10")]
            named: FxHashMap::default(),
        }
    }

    /// The shapes of a pattern and of all patterns in it, in written order.
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
            Operand::Repeated(name_id) => self.named.get(name_id).copied().unwrap_or(self.register),
        });
        let key = (pattern.kind, operands.collect::<Vec<_>>());
        all[at] = match self.known.get(&key) {
            Some(&known) => known,
            None => {
                let new = self.operands.push(key.1.clone());
                self.roots.push(pattern.op.name_in(pattern.mode));
                self.known.insert(key, new);
                new
            }
        };
        all[at]
    }

    /// The text of the shape, with `·` for a value in a register.
    pub fn name(&self, shape: Shape) -> String {
        let root = &self.roots[shape.index()];
        let operands: Vec<_> = self.operands[shape].iter().map(|&it| self.name(it)).collect();
        if operands.is_empty() { root.clone() } else { format!("{root}({})", operands.join(", ")) }
    }

    /// The shape that a shape requires of its operand at `at`: a register for operands that it does
    /// not have.
    pub fn operand(&self, shape: Shape, at: usize) -> Shape {
        self.operands[shape].get(at).copied().unwrap_or(self.register)
    }
}
