//! The laws of algebra, matched against the e-graph: those of the peepholes that make an expression
//! smaller, and those of `laws.rules`; and the rules that hold in some intervals only.
use super::node::{Id, Node};
use super::ranges;
use super::saturation::Saturation;
use super::sums;
use crate::arith::{Binary, Relation, Unary};
use crate::peephole::{Component, LAWS, Law, MAX_NAMES, Operation, Term, read_laws};
use crate::region::{Head, Operator};
use std::sync::LazyLock;

/// The limit for the nodes of a class that a pattern is compared with.
const MAX_NODES: usize = 16;

/// The laws for the operators that the language does not have.
pub static REGION_LAWS: LazyLock<Vec<Law>> = LazyLock::new(|| {
    let laws = read_laws(include_str!("laws.rules"));
    laws.unwrap_or_else(|errors| panic!("laws.rules: {errors:?}"))
});

/// The laws that apply. Those that only move terms are not needed: sums have a normal form.
pub fn laws() -> impl Iterator<Item = &'static Law> {
    let makes_smaller = |law: &&Law| matches!(law.decreases, Component::Weight | Component::Terms);
    LAWS.iter().filter(makes_smaller).chain(REGION_LAWS.iter())
}

#[derive(Clone, Default)]
struct Match {
    classes: [Option<Id>; MAX_NAMES],
    relation: Option<Relation>,
}

/// Applies all laws to all nodes that do not trap: where a region traps, a law of the language may
/// have a value.
pub fn apply(saturation: &mut Saturation) {
    let has_sums = saturation.is_on(sums::RULE);
    let is_on = |it: &&Law| saturation.is_on(&it.name) && !(has_sums && is_about_sums(&it.pattern));
    let laws: Vec<&Law> = laws().filter(is_on).collect();
    for id in (0..saturation.graph.nodes().len()).map(Id::from) {
        if saturation.graph.find(id) != id || saturation.fact(id).may_trap {
            continue;
        }
        for at in 0..saturation.graph[id].nodes.len().min(MAX_NODES) {
            let Some(node) = saturation.graph[id].nodes.get(at).cloned() else { break };
            if !matches!(node.head, Head::Operator(_)) {
                continue;
            }
            for law in &laws {
                let Some(found) = match_law(saturation, law, &node) else { continue };
                let new = replacement(saturation, &law.replacement, &found);
                saturation.union(&law.name, id, new);
            }
            ranges::apply(saturation, id, &node);
        }
        if saturation.is_exhausted() {
            return;
        }
    }
}

/// Whether a pattern consists of sums, differences and products: their normal form says as much.
fn is_about_sums(term: &Term) -> bool {
    match term {
        Term::Name(_) | Term::Constant(_) | Term::Number(_) => true,
        Term::Operation(operation, operands, _) => {
            let is_sum = match operation {
                Operation::Unary(unary) => *unary == Unary::Minus,
                Operation::Binary(op) => matches!(op, Binary::Add | Binary::Sub | Binary::Mul),
                Operation::Compare(_) => false,
            };
            is_sum && operands.iter().all(is_about_sums)
        }
    }
}

/// The first match of a law's pattern at a node.
fn match_law(saturation: &Saturation, law: &Law, node: &Node) -> Option<Match> {
    let Term::Operation(operation, operands, name) = &law.pattern else { return None };
    let mut found = vec![];
    operation_matches(saturation, *operation, operands, node, Match::default(), &mut found);
    debug_assert!(name.is_none(), "the root has no name");
    found.into_iter().next()
}

/// The matches of an operation at a node. The depth of the recursion is that of the pattern.
fn operation_matches(
    saturation: &Saturation,
    operation: Operation,
    patterns: &[Term],
    node: &Node,
    mut given: Match,
    found: &mut Vec<Match>,
) {
    let Head::Operator(operator) = node.head else { return };
    let &[left, right] = &node.operands[..] else { return };
    let both = |given: Match, [a, b]: [(&Term, Id); 2], found: &mut Vec<Match>| {
        let mut partial = Vec::new();
        term_matches(saturation, a.0, a.1, given, &mut partial);
        partial.into_iter().for_each(|it| term_matches(saturation, b.0, b.1, it, found));
    };
    match (operation, operator) {
        (Operation::Binary(binary), Operator::Binary(op)) if binary == op => {
            both(given.clone(), [(&patterns[0], left), (&patterns[1], right)], found);
            if op.row().commutes {
                both(given, [(&patterns[0], right), (&patterns[1], left)], found);
            }
        }
        (Operation::Compare(expected), Operator::Compare(relation)) => {
            if expected.is_none() {
                if *given.relation.get_or_insert(relation) != relation {
                    return;
                }
            } else if expected != Some(relation) {
                return;
            }
            both(given, [(&patterns[0], left), (&patterns[1], right)], found);
        }
        (Operation::Unary(Unary::Minus), Operator::Binary(Binary::Sub))
            if saturation.constant(left) == Some(0) =>
        {
            term_matches(saturation, &patterns[0], right, given, found);
        }
        (Operation::Unary(Unary::Not), Operator::Compare(Relation::Equal))
            if saturation.constant(right) == Some(0) =>
        {
            term_matches(saturation, &patterns[0], left, given, found);
        }
        _ => {}
    }
}

fn term_matches(
    saturation: &Saturation,
    term: &Term,
    id: Id,
    mut given: Match,
    found: &mut Vec<Match>,
) {
    let id = saturation.graph.find(id);
    let is_constant = saturation.constant(id).is_some();
    match term {
        Term::Number(number) if saturation.constant(id) != Some(*number) => {}
        Term::Constant(_) if !is_constant => {}
        Term::Number(_) => found.push(given),
        Term::Name(slot) | Term::Constant(slot) => {
            if *given.classes[*slot].get_or_insert(id) == id {
                found.push(given);
            }
        }
        Term::Operation(operation, operands, name) => {
            if let Some(name) = name {
                given.classes[*name] = Some(id);
            }
            for node in saturation.graph[id].nodes.iter().take(MAX_NODES) {
                operation_matches(saturation, *operation, operands, node, given.clone(), found);
            }
        }
    }
}

/// The class of a replacement; constants are computed by the facts of classes.
fn replacement(saturation: &mut Saturation, term: &Term, found: &Match) -> Id {
    match term {
        Term::Name(slot) | Term::Constant(slot) => {
            found.classes[*slot].expect("the pattern binds each name")
        }
        Term::Number(value) => saturation.number(*value),
        Term::Operation(operation, operands, _) => {
            let operands: Vec<Id> =
                operands.iter().map(|it| replacement(saturation, it, found)).collect();
            match *operation {
                Operation::Binary(op) => saturation.binary(op, operands[0], operands[1]),
                Operation::Compare(relation) => {
                    let relation = relation.or(found.relation).expect("the pattern binds it");
                    saturation.operator(Operator::Compare(relation), operands[0], operands[1])
                }
                Operation::Unary(Unary::Minus) => {
                    let zero = saturation.number(0);
                    saturation.binary(Binary::Sub, zero, operands[0])
                }
                Operation::Unary(Unary::Not) => {
                    let zero = saturation.number(0);
                    let equal = Operator::Compare(Relation::Equal);
                    saturation.operator(equal, operands[0], zero)
                }
            }
        }
    }
}
