//! One of two: of a rule that may take either of two constants, the way it is written fits.
//!
//! `Add:Is(x, Const c)` fits a sum of two constants in both orders, and both cost the same. Which
//! of them is chosen should not depend on how it is looked for.
use super::RuleSet;
use super::matching::{Match, Variant, fits};
use super::pattern::Operand;
use super::program_graph::{ProgramGraph, has_one_user};

impl RuleSet {
    /// Whether a match whose operands have changed places gives way to the one as it is written.
    ///
    /// It takes nothing from anybody that both constants have no other user, and that nothing
    /// larger has the pattern inside: whoever wants the operation in a register finds it there.
    pub fn is_redundant(&self, program: &ProgramGraph, found: &Match) -> bool {
        let variant = &self.variants[found.variant as usize];
        let is_constant = |at: &Option<_>| at.is_some_and(|id| has_one_user(program.op(id)));
        variant.pattern.mirrored
            && variant.partners.is_empty()
            && takes_a_constant(variant)
            && program.operands(found.root).iter().all(is_constant)
            && !self.is_inside(variant)
            && self.as_written(found.variant).is_some_and(|first| {
                takes_a_constant(&self.variants[first])
                    && fits(self, first, program, found.root).is_some()
            })
    }

    /// Whether a pattern has that of the variant as a part.
    fn is_inside(&self, variant: &Variant) -> bool {
        self.variants.iter().any(|other| other.shapes[1..].contains(&variant.shapes[0]))
    }

    /// The variant of the same rule whose operands stand as they are written.
    fn as_written(&self, variant: u32) -> Option<usize> {
        let own = self.variants[variant as usize].rule;
        let is_it = |it: &Variant| it.rule == own && !it.pattern.mirrored;
        self.variants.iter().position(is_it)
    }
}

/// Whether a pattern is an operation, and a constant as one of its operands.
fn takes_a_constant(variant: &Variant) -> bool {
    let inner = variant.pattern.operands.iter().filter_map(|operand| match operand {
        Operand::Node(inner) => Some(inner.op),
        Operand::Memory | Operand::Value(_) | Operand::Again(_) => None,
    });
    variant.size == 2 && inner.into_iter().all(has_one_user)
}
