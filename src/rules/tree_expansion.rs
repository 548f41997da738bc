//! Expands patterns with shared operations into trees.
//!
//! A repeated operation is copied, with its name, and a repeated value keeps its name. A rule with
//! several results becomes several trees. If one tree reads another one's value, the operand is a
//! name or a copy of the other tree, as requested.
use super::Rule;
use super::pattern::{NameId, Operand, Pattern};

/// The operand for the name of a root in other patterns of the rule.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Roots {
    Names,
    Trees,
}

impl Rule {
    /// The trees of a rule, the last pattern's first, in the order of its results.
    pub fn trees(&self, roots: Roots) -> Vec<Pattern> {
        let partners = self.extra_roots.iter().map(|root| &root.pattern);
        let patterns: Vec<&Pattern> = std::iter::once(&self.pattern).chain(partners).collect();
        let unfolding = Unfolding { patterns: &patterns, roots };
        patterns.iter().map(|pattern| unfolding.pattern(pattern, &mut Vec::new())).collect()
    }
}

/// The tree of a part of a pattern.
pub fn tree(part: &Pattern, whole: &Pattern) -> Pattern {
    Unfolding { patterns: &[whole], roots: Roots::Names }.pattern(part, &mut Vec::new())
}

/// The operation of an operand; none if it is a value or memory.
pub fn operation<'p>(operand: &'p Operand, whole: &'p Pattern) -> Option<&'p Pattern> {
    match operand {
        Operand::Node(inner) => Some(inner),
        Operand::Repeated(name) => below(whole, *name),
        Operand::Memory | Operand::Value(_) => None,
    }
}

struct Unfolding<'p> {
    patterns: &'p [&'p Pattern],
    roots: Roots,
}

impl<'p> Unfolding<'p> {
    /// The operation of this name; none if the name is that of a value.
    fn operation(&self, name: NameId) -> Option<&'p Pattern> {
        let inner = self.patterns.iter().find_map(|pattern| below(pattern, name));
        let is_root = |it: &&&Pattern| self.roots == Roots::Trees && it.name == Some(name);
        inner.or_else(|| self.patterns.iter().find(is_root).copied())
    }

    /// `open` are the names of the operations that are being expanded. A pattern that contains
    /// itself matches nothing.
    fn pattern(&self, pattern: &Pattern, open: &mut Vec<NameId>) -> Pattern {
        let operands = pattern.operands.iter().map(|operand| match operand {
            Operand::Memory | Operand::Value(_) => operand.clone(),
            Operand::Node(inner) => Operand::Node(self.pattern(inner, open)),
            Operand::Repeated(name) => match self.operation(*name).filter(|_| !open.contains(name))
            {
                Some(operation) => {
                    open.push(*name);
                    let tree = self.pattern(operation, open);
                    open.pop();
                    Operand::Node(tree)
                }
                None => Operand::Value(*name),
            },
        });
        Pattern { operands: operands.collect(), ..pattern.clone() }
    }
}

/// The operation of this name below the root of a pattern.
fn below(pattern: &Pattern, name: NameId) -> Option<&Pattern> {
    pattern.operands.iter().find_map(|operand| match operand {
        Operand::Node(inner) if inner.name == Some(name) => Some(inner),
        Operand::Node(inner) => below(inner, name),
        Operand::Memory | Operand::Value(_) | Operand::Repeated(_) => None,
    })
}
