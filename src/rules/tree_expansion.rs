//! Patterns that share operations, written as the trees they look like from above.
//!
//! An operation that is met again stands there again, with its name, and a value that is met again
//! keeps its name.
//! What makes several values at once is several trees; where one of them reads another's value,
//! that is a name, as of any other value, or the other tree, as is asked for.
use super::Rule;
use super::pattern::{NameId, Operand, Pattern};

/// What the name of a root means to other patterns of the rule.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Roots {
    Names,
    Trees,
}

impl Rule {
    /// The trees of a rule, the last pattern's first, in the order of its results.
    pub fn trees(&self, roots: Roots) -> Vec<Pattern> {
        let partners = self.partners.iter().map(|root| &root.pattern);
        let patterns: Vec<&Pattern> = std::iter::once(&self.pattern).chain(partners).collect();
        let spread = Unfolding { patterns: &patterns, roots };
        patterns.iter().map(|pattern| spread.pattern(pattern, &mut Vec::new())).collect()
    }
}

/// The tree of a part of a pattern.
pub fn tree(part: &Pattern, whole: &Pattern) -> Pattern {
    Unfolding { patterns: &[whole], roots: Roots::Names }.pattern(part, &mut Vec::new())
}

/// The operation that an operand of a pattern is; none if it is a value or memory.
pub fn operation<'p>(operand: &'p Operand, whole: &'p Pattern) -> Option<&'p Pattern> {
    match operand {
        Operand::Node(inner) => Some(inner),
        Operand::Again(name) => below(whole, *name),
        Operand::Memory | Operand::Value(_) => None,
    }
}

struct Unfolding<'p> {
    patterns: &'p [&'p Pattern],
    roots: Roots,
}

impl<'p> Unfolding<'p> {
    /// The operation of this name; none if the name is a value's.
    fn operation(&self, name: NameId) -> Option<&'p Pattern> {
        let inner = self.patterns.iter().find_map(|pattern| below(pattern, name));
        let is_wanted = |it: &&&Pattern| self.roots == Roots::Trees && it.name == Some(name);
        inner.or_else(|| self.patterns.iter().find(is_wanted).copied())
    }

    /// `open` are the names of the operations that are being written: what stands below itself
    /// fits nowhere.
    fn pattern(&self, pattern: &Pattern, open: &mut Vec<NameId>) -> Pattern {
        let operands = pattern.operands.iter().map(|operand| match operand {
            Operand::Memory | Operand::Value(_) => operand.clone(),
            Operand::Node(inner) => Operand::Node(self.pattern(inner, open)),
            Operand::Again(name) => match self.operation(*name).filter(|_| !open.contains(name)) {
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
        Operand::Memory | Operand::Value(_) | Operand::Again(_) => None,
    })
}
