//! The kinds of operations that a pattern requires below its root, and its first guard on a number:
//! there may be many variants, and few match, so these are compared before anything else.
use super::Guard;
use super::pattern::{Kind, Operand, Pattern};
use super::program_graph::{MAX_OPERANDS, ProgramGraph, ProgramId};

/// The place of a number: the root, or the operand of the root at this position.
#[derive(Clone, Copy, Debug)]
pub enum NumberAt {
    Root,
    Operand(u8),
}

/// The kinds of operations that a pattern requires as operands of its root, and as their operands.
#[derive(Clone, Copy, Default, Debug)]
pub struct RequiredKinds {
    kinds: KindsBelow,
    /// The bytes that count. At the other positions any operation is permitted.
    mask: KindsBelow,
}

/// The kinds of the operands of an operation, and of their operands. Each has one byte, so that all
/// are compared at once; a missing operand has the byte 0.
pub type KindsBelow = u128;

impl RequiredKinds {
    /// The kinds that a pattern requires.
    pub fn of(pattern: &Pattern) -> RequiredKinds {
        let mut required = RequiredKinds::default();
        for (at, operand) in nested(pattern) {
            required.add(at, operand.kind);
            for (below, inner) in nested(operand) {
                required.add(position_below(at, below), inner.kind);
            }
        }
        required
    }

    fn add(&mut self, position: usize, kind: Kind) {
        self.kinds |= byte(position, kind);
        self.mask |= 0xff << (8 * position);
    }

    pub fn permits(&self, kinds: KindsBelow) -> bool {
        kinds & self.mask == self.kinds
    }
}

/// The operands that are patterns, with their positions.
pub fn nested(pattern: &Pattern) -> impl Iterator<Item = (usize, &Pattern)> {
    pattern.operands.iter().enumerate().filter_map(|(at, operand)| match operand {
        Operand::Node(inner) => Some((at, inner)),
        _ => None,
    })
}

/// The kinds below an operation of a program.
pub fn kinds_below(program: &ProgramGraph, root: ProgramId) -> KindsBelow {
    let mut kinds = KindsBelow::from(program.operand_kinds(root));
    for (at, operand) in program.operands(root).iter().take(MAX_OPERANDS).enumerate() {
        let below = operand.map_or(0, |it| program.operand_kinds(it));
        kinds |= KindsBelow::from(below) << (8 * position_below(at, 0));
    }
    kinds
}

/// The position of an operand of the operand at `at`.
fn position_below(at: usize, below: usize) -> usize {
    MAX_OPERANDS * (1 + at) + below
}

fn byte(position: usize, kind: Kind) -> KindsBelow {
    KindsBelow::from(1 + kind) << (8 * position)
}

/// The first guard on the number of the root of a pattern or of one of its operands.
pub fn first_guarded(guards: &[Guard], pattern: &Pattern) -> Option<(NumberAt, Guard)> {
    guards.iter().find_map(|guard| Some((place(*guard, pattern)?, *guard)))
}

impl NumberAt {
    /// The number at this place of a match with this root.
    #[inline]
    pub fn number(self, program: &ProgramGraph, root: ProgramId) -> Option<i64> {
        let id = match self {
            NumberAt::Root => Some(root),
            NumberAt::Operand(at) => program.operands(root).get(usize::from(at)).copied().flatten(),
        };
        id.and_then(|id| program.op(id).number())
    }
}

/// The place of the number that a guard is about, if it is the root or one of its operands.
fn place(guard: Guard, pattern: &Pattern) -> Option<NumberAt> {
    let name = match guard {
        Guard::Equal(name, _) | Guard::Property(name, _) => name,
        Guard::Unshared(_) => return None,
        Guard::Natural(_) => return None,
        Guard::Complements(..) => return None,
    };
    let is_it = |it: &Pattern| it.binds == Some(name) && it.op.number().is_some();
    let mut operands = pattern.operands.iter().zip(0..);
    let below = operands.find(|(it, _)| matches!(it, Operand::Node(inner) if is_it(inner)));
    if is_it(pattern) { Some(NumberAt::Root) } else { below.map(|(_, at)| NumberAt::Operand(at)) }
}
