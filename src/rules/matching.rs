//! Finding patterns in a program.
#[cfg(feature = "ch04")]
use super::pattern::Shape;
use super::pattern::{Operand, Pattern};
use super::program::{Program, ProgramId};
use super::{Guard, Rule, RuleSet};
#[cfg(feature = "ch04")]
use crate::arith::Relation;

/// One way to match a rule: its pattern, or one with some operands in other places.
#[derive(Clone, Debug)]
pub struct Variant {
    pub rule: usize,
    pub pattern: Pattern,
    /// How many operations it covers.
    pub size: usize,
    /// The shapes of the pattern and of all patterns in it, in the order they are written.
    #[cfg(feature = "ch04")]
    pub shapes: Vec<Shape>,
}

/// What a name of a rule is bound to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Bound {
    Nothing,
    Value(ProgramId),
    Number(i64),
    #[cfg(feature = "ch04")]
    Relation(Relation),
}

/// A place in a program where a rule fits.
#[derive(Clone, Debug)]
pub struct Match {
    /// The number of the variant that fits.
    pub variant: usize,
    pub root: ProgramId,
    pub bound: [Bound; Rule::MOST_NAMES],
    /// The operations it covers besides its root, in the order the pattern is written.
    pub inner: Vec<ProgramId>,
}

/// Every place where a rule of `rules` fits with its root at `root`, in the order of the file.
pub fn matches(rules: &RuleSet, program: &Program, root: ProgramId) -> Vec<Match> {
    let kind = program.op(root).row().name;
    let variants = rules.by_root.get(kind).into_iter().flatten();
    variants.filter_map(|&variant| fits(rules, variant, program, root)).collect()
}

fn fits(rules: &RuleSet, variant: usize, program: &Program, root: ProgramId) -> Option<Match> {
    let bound = [Bound::Nothing; Rule::MOST_NAMES];
    let mut found = Match { variant, root, bound, inner: Vec::new() };
    let Variant { rule, pattern, .. } = &rules.variants[variant];
    let guards = &rules.rules[*rule].guards;
    let fits = node_fits(pattern, program, root, &mut found)
        && guards.iter().all(|guard| holds(*guard, &found.bound));
    fits.then_some(found)
}

/// Whether `pattern` fits at `id`; binds its names. Patterns are small, so this recurses.
fn node_fits(pattern: &Pattern, program: &Program, id: ProgramId, found: &mut Match) -> bool {
    let op = program.op(id);
    if op.row().name != pattern.op.row().name {
        return false;
    }
    if let Some(slot) = pattern.binds {
        let attributes = [
            op.number().map(Bound::Number),
            #[cfg(feature = "ch04")]
            op.relation(pattern.mirrored).map(Bound::Relation),
        ];
        let attribute = attributes.into_iter().flatten().next();
        found.bound[slot as usize] = attribute.unwrap_or(Bound::Nothing);
    }
    let mut operands = program.operands(id).iter().zip(&pattern.operands);
    operands.all(|(&operand, wanted)| operand_fits(wanted, program, operand, found))
}

fn operand_fits(
    wanted: &Operand,
    program: &Program,
    operand: Option<ProgramId>,
    found: &mut Match,
) -> bool {
    match (wanted, operand) {
        (Operand::Memory, None) => true,
        (Operand::Value(slot), Some(id)) => {
            found.bound[*slot as usize] = Bound::Value(id);
            true
        }
        (Operand::Node(pattern), Some(id)) => {
            found.inner.push(id);
            node_fits(pattern, program, id, found)
        }
        (Operand::Memory, Some(_)) | (Operand::Value(_) | Operand::Node(_), None) => false,
    }
}

fn holds(guard: Guard, bound: &[Bound]) -> bool {
    let number = |slot: u8| match bound[slot as usize] {
        Bound::Number(number) => Some(number),
        _ => None,
    };
    match guard {
        Guard::Equal(slot, wanted) => number(slot) == Some(wanted),
        Guard::Property(slot, holds) => number(slot).is_some_and(holds),
    }
}
