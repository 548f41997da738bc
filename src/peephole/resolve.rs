//! Resolves the names of laws: the trees of `peepholes.rules` become laws.
use super::Component;
use super::law::{Guard, Law, MAX_NAMES, Operation, Slot, Term};
use crate::arith::{Binary, Relation, Unary};
use crate::chapter::this_chapter;
use rule_text::{Error, GuardAst, Identifier, OperandAst, PatternAst, PeepholeAst, peepholes};

/// The laws up to this chapter, or all errors of the text.
pub fn read(text: &str) -> Result<Vec<Law>, Vec<Error>> {
    let (trees, mut errors) = peepholes(text, this_chapter());
    let mut laws = Vec::new();
    for tree in &trees {
        match (Resolver { names: Vec::new() }).law(tree) {
            Ok(law) => laws.push(law),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(laws) } else { Err(errors) }
}

struct Resolver<'t> {
    /// The names of the law so far, and whether they are those of constants.
    names: Vec<(&'t str, bool)>,
}

/// Which side of a law a term is on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// It binds names.
    Pattern,
    /// It uses names.
    Replacement,
}

impl<'t> Resolver<'t> {
    fn law(&mut self, tree: &'t PeepholeAst) -> Result<Law, Error> {
        let pattern = self.operation(&tree.pattern, Side::Pattern)?;
        let Term::Operation(root, ..) = pattern else {
            return Err(unknown("operation", &tree.pattern.operation));
        };
        let guards = tree.guards.iter().map(|guard| self.guard(guard)).collect::<Result<_, _>>()?;
        let replacement = self.term(&tree.replacement, Side::Replacement)?;
        let decreases = component(&tree.decreases)?;
        Ok(Law {
            name: tree.name.text.clone(),
            text: tree.law(),
            example: tree.example.clone(),
            decreases,
            root,
            // A law with less weight saves an operation, and so may compute one again.
            #[cfg(feature = "ch09")]
            unshared: match decreases {
                Component::Weight => Vec::new(),
                _ => pattern.taken_apart(&replacement),
            },
            pattern,
            guards,
            replacement,
        })
    }

    fn term(&mut self, tree: &'t OperandAst, side: Side) -> Result<Term, Error> {
        match tree {
            OperandAst::Number(number, _) => Ok(Term::Number(*number)),
            OperandAst::Pattern(pattern) => self.operation(pattern, side),
            OperandAst::Value(_, Some(register)) => Err(unknown("register", register)),
            OperandAst::Value(name, None) => {
                if side == Side::Pattern && self.slot(name).is_none() {
                    return Ok(Term::Name(self.bind(name, false)?));
                }
                let slot = self.bound(name)?;
                Ok(if self.names[slot].1 { Term::Constant(slot) } else { Term::Name(slot) })
            }
        }
    }

    /// An operation, or in a pattern the name of a constant.
    fn operation(&mut self, tree: &'t PatternAst, side: Side) -> Result<Term, Error> {
        let PatternAst { name, ordered, operation, relation, attribute, mode, operands } = tree;
        if let (Side::Pattern, "Const", Some(name)) = (side, operation.text.as_str(), attribute) {
            return Ok(Term::Constant(self.bind(name, true)?));
        }
        if let Some(superfluous) = attribute.as_ref().or(mode.as_ref()) {
            return Err(unknown("attribute or mode", superfluous));
        }
        if let Some(span) = ordered {
            return Err(Error::rule(*span, "terms of laws are ordered", "leave this out"));
        }
        let bound = match name {
            Some(name) if side == Side::Pattern => Some(self.bind(name, false)?),
            Some(name) => return Err(unknown("name of the pattern", name)),
            None => None,
        };
        let found = Operation::named(&operation.text, relation.is_some());
        let found = found.ok_or_else(|| unknown("operation", operation))?;
        if operands.len() != found.operands() {
            let message = format!("`{operation}` has {} operands", found.operands());
            return Err(Error::rule(operation.span, message, "here it has another number"));
        }
        let operands = operands.iter().map(|it| self.term(it, side)).collect::<Result<_, _>>()?;
        Ok(Term::Operation(found, operands, bound))
    }

    fn guard(&self, tree: &GuardAst) -> Result<Guard, Error> {
        let GuardAst::Property(property, names) = tree else {
            return Err(Error::rule(tree.span(), "laws have no such guard", "this guard"));
        };
        let slots = names.iter().map(|name| self.bound(name)).collect::<Result<Vec<_>, _>>()?;
        match (property.text.as_str(), &slots[..]) {
            ("varies", [name]) => Ok(Guard::Varies(*name)),
            ("term", [name]) => Ok(Guard::Term(*name)),
            ("short", [name]) => Ok(Guard::Short(*name)),
            ("before", [left, right]) => Ok(Guard::Before(*left, *right)),
            _ => Err(unknown("guard", property)),
        }
    }

    /// A new name of the law.
    fn bind(&mut self, name: &'t Identifier, is_constant: bool) -> Result<Slot, Error> {
        if self.slot(name).is_some() || self.names.len() == MAX_NAMES {
            let message = format!("`{name}` is bound twice, or there are too many names");
            return Err(Error::rule(name.span, message, "this name"));
        }
        self.names.push((&name.text, is_constant));
        Ok(self.names.len() - 1)
    }

    fn bound(&self, name: &Identifier) -> Result<Slot, Error> {
        self.slot(name).ok_or_else(|| unknown("name of the pattern", name))
    }

    fn slot(&self, name: &Identifier) -> Option<Slot> {
        self.names.iter().position(|(known, _)| *known == name.text)
    }
}

/// A component of expressions.
fn component(name: &Identifier) -> Result<Component, Error> {
    match name.text.as_str() {
        "weight" => Ok(Component::Weight),
        "right-sums" => Ok(Component::RightSums),
        #[cfg(feature = "ch09")]
        "terms" => Ok(Component::Terms),
        #[cfg(feature = "ch09")]
        "sums-in-differences" => Ok(Component::SumsInDifferences),
        "inversions" => Ok(Component::Inversions),
        _ => Err(unknown("component", name)),
    }
}

fn unknown(category: &str, name: &Identifier) -> Error {
    let message = format!("there is no {category} `{name}`");
    Error::rule(name.span, message, "this name is not known")
}

impl Operation {
    fn named(name: &str, has_relation: bool) -> Option<Operation> {
        if has_relation {
            return (name == "Compare").then_some(Operation::Compare(None));
        }
        let unary = [Unary::Minus, Unary::Not].into_iter().find(|it| it.row().name == name);
        let mut binary = (0..Binary::COUNT).map(Binary::at);
        let binary = binary.find(|it| it.row().name == name).map(Operation::Binary);
        let relation = Relation::ALL.into_iter().find(|it| it.row().name == name);
        let comparison = relation.map(|it| Operation::Compare(Some(it)));
        unary.map(Operation::Unary).or(binary).or(comparison)
    }
}
