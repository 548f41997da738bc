//! Of two commuted matches with constant operands, only the one in written order is used.
//!
//! `Add:Is(x, Const c)` matches a sum of two constants in both orders, at equal cost. The choice
//! must not depend on the order of the search.
use super::RuleSet;
use super::matching::{Match, Variant, match_variant};
use super::pattern::Operand;
use super::program_graph::{ProgramGraph, has_one_user};

impl RuleSet {
    /// Whether a commuted match is redundant because the rule also matches as it is written.
    ///
    /// Dropping it is safe: the constants have no other user, and no larger pattern contains this
    /// one, so every user finds the operation in a register.
    pub fn is_redundant(&self, program: &ProgramGraph, found: &Match) -> bool {
        let variant = &self.variants[found.variant as usize];
        let is_constant = |at: &Option<_>| at.is_some_and(|id| has_one_user(program.op(id)));
        self.may_be_redundant(variant)
            && program.operands(found.root).iter().all(is_constant)
            && !self.is_inside(variant)
            && self.as_written(found.variant).is_some_and(|first| {
                takes_a_constant(&self.variants[first])
                    && match_variant(self, first, program, found.root).is_some()
            })
    }

    /// Whether a match of the variant may be redundant.
    pub fn may_be_redundant(&self, variant: &Variant) -> bool {
        variant.pattern.mirrored && variant.extra_roots.is_empty() && takes_a_constant(variant)
    }

    /// Whether some pattern contains the pattern of the variant.
    fn is_inside(&self, variant: &Variant) -> bool {
        self.variants.iter().any(|other| other.shapes[1..].contains(&variant.shapes[0]))
    }

    /// The variant of the same rule with its operands in written order.
    fn as_written(&self, variant: u32) -> Option<usize> {
        let own = self.variants[variant as usize].rule;
        let is_it = |it: &Variant| it.rule == own && !it.pattern.mirrored;
        self.variants.iter().position(is_it)
    }
}

/// Whether a pattern is one operation with one constant operand.
fn takes_a_constant(variant: &Variant) -> bool {
    let inner = variant.pattern.operands.iter().filter_map(|operand| match operand {
        Operand::Node(inner) => Some(inner.op),
        Operand::Memory | Operand::Value(_) | Operand::Repeated(_) => None,
    });
    variant.size == 2 && inner.into_iter().all(has_one_user)
}
