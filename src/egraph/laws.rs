//! The laws of algebra, matched against the e-graph: those of the peepholes that make an expression
//! smaller, and those of `laws.rules`.
//!
//! A law is compiled to patterns of `egg`. A class has many forms, so a law may match it in many
//! ways, and each match is another form.
//! Source: L. de Moura, N. Bjørner, "Efficient E-Matching for SMT Solvers", CADE 2007.
use super::node::{Id, Node};
use super::saturation::Saturation;
use super::sums;
use crate::arith::{Binary, Relation, Unary};
use crate::peephole::{Component, LAWS, Law, Operation, Slot, Term, read_laws};
use crate::region::{Head, Operator};
use egg::{ENodeOrVar, Language, Pattern, PatternAst, Searcher, Subst, Var};
use std::sync::LazyLock;

/// The limit for the matches of a pattern in one class.
const MAX_MATCHES: usize = 32;

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

/// A law and its patterns: one for each relation, and each order of operands that commute.
struct Rewrite {
    law: &'static Law,
    patterns: Vec<(Pattern<Node>, Option<Relation>)>,
    /// The names that stand for constants.
    constants: Vec<Var>,
}

static REWRITES: LazyLock<Vec<Rewrite>> = LazyLock::new(|| laws().map(Rewrite::new).collect());

impl Rewrite {
    fn new(law: &'static Law) -> Rewrite {
        let relations: Vec<Option<Relation>> = match law.root == Operation::Compare(None) {
            true => Relation::ALL.into_iter().map(Some).collect(),
            false => vec![None],
        };
        let patterns = relations.into_iter().flat_map(|relation| {
            let patterns = patterns(&law.pattern, relation).into_iter();
            patterns.map(move |it| (Pattern::new(it), relation))
        });
        let mut constants = Vec::new();
        collect_constants(&law.pattern, &mut constants);
        Rewrite { law, patterns: patterns.collect(), constants }
    }
}

/// A match of a law in a class.
pub struct Match {
    law: &'static Law,
    class: Id,
    names: Subst,
    relation: Option<Relation>,
}

/// All matches of all laws in a rebuilt graph, in the order of the classes. Classes that may trap
/// have none: where a region traps, a law of the language may have a value.
pub fn search(saturation: &mut Saturation) -> Vec<Match> {
    let has_sums = saturation.is_on(sums::RULE);
    let mut matches = Vec::new();
    for rewrite in REWRITES.iter() {
        let law = rewrite.law;
        if !saturation.is_on(&law.name) || (has_sums && is_about_sums(&law.pattern)) {
            continue;
        }
        for (pattern, relation) in &rewrite.patterns {
            let heads = pattern.ast.iter().rev().take(1).filter_map(|it| match it {
                ENodeOrVar::ENode(node) => saturation.graph.classes_for_op(&node.head),
                ENodeOrVar::Var(_) => None,
            });
            let mut classes: Vec<Id> = heads.flatten().collect();
            classes.retain(|it| !saturation.fact(*it).may_trap);
            for class in classes {
                let graph = &saturation.graph;
                let found = pattern.search_eclass_with_limit(graph, class, MAX_MATCHES);
                let names = found.map(|it| it.substs).unwrap_or_default();
                if names.len() == MAX_MATCHES {
                    saturation.limit("matches of a law");
                }
                let is_constant =
                    |names: &Subst, it: &Var| saturation.constant(names[*it]).is_some();
                let names = names
                    .into_iter()
                    .filter(|names| rewrite.constants.iter().all(|it| is_constant(names, it)));
                matches.extend(names.map(|names| Match { law, class, names, relation: *relation }));
            }
        }
    }
    matches.sort_by_key(|it| it.class);
    matches
}

/// Makes the classes of matches equal to the replacements.
pub fn apply(saturation: &mut Saturation, matches: &[Match]) {
    for it in matches {
        if saturation.is_exhausted() {
            return;
        }
        let new = replacement(saturation, &it.law.replacement, it);
        saturation.union(&it.law.name, it.class, new);
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

fn collect_constants(term: &Term, constants: &mut Vec<Var>) {
    match term {
        Term::Constant(slot) => constants.push(variable(*slot)),
        Term::Operation(_, operands, _) => {
            operands.iter().for_each(|it| collect_constants(it, constants));
        }
        Term::Name(_) | Term::Number(_) => {}
    }
}

fn variable(slot: Slot) -> Var {
    Var::from_u32(slot as u32)
}

/// The patterns of a term for one relation, in all orders of operands that commute. The depth of
/// the recursion is that of the term.
fn patterns(term: &Term, relation: Option<Relation>) -> Vec<PatternAst<Node>> {
    let leaf = |it: ENodeOrVar<Node>| [it].into_iter().collect::<PatternAst<Node>>();
    let number = |it: i64| leaf(ENodeOrVar::ENode(Node::number(it)));
    let (operation, operands) = match term {
        Term::Name(slot) | Term::Constant(slot) => {
            return vec![leaf(ENodeOrVar::Var(variable(*slot)))];
        }
        Term::Number(value) => return vec![number(*value)],
        Term::Operation(operation, operands, name) => {
            debug_assert!(name.is_none(), "the laws that are used name no operation");
            (*operation, operands)
        }
    };
    let mut operands: Vec<_> = operands.iter().map(|it| patterns(it, relation)).collect();
    let (operator, commutes) = match operation {
        Operation::Binary(op) => (Operator::Binary(op), op.row().commutes),
        Operation::Compare(own) => {
            let relation = own.or(relation).expect("a pattern with any relation has one");
            (Operator::Compare(relation), false)
        }
        Operation::Unary(Unary::Minus) => {
            operands.insert(0, vec![number(0)]);
            (Operator::Binary(Binary::Sub), false)
        }
        Operation::Unary(Unary::Not) => {
            operands.push(vec![number(0)]);
            (Operator::Compare(Relation::Equal), false)
        }
    };
    let node = ENodeOrVar::ENode(Node::new(Head::Operator(operator), &[0, 1].map(Id::from)));
    let mut all = Vec::new();
    for left in &operands[0] {
        for right in &operands[1] {
            all.push(node.join_recexprs(|at| [left, right][usize::from(at)]));
            if commutes {
                all.push(node.join_recexprs(|at| [right, left][usize::from(at)]));
            }
        }
    }
    all
}

/// The class of a replacement; constants are computed by the facts of classes.
fn replacement(saturation: &mut Saturation, term: &Term, given: &Match) -> Id {
    match term {
        Term::Name(slot) | Term::Constant(slot) => given.names[variable(*slot)],
        Term::Number(value) => saturation.number(*value),
        Term::Operation(operation, operands, _) => {
            let operands: Vec<Id> =
                operands.iter().map(|it| replacement(saturation, it, given)).collect();
            match *operation {
                Operation::Binary(op) => saturation.binary(op, operands[0], operands[1]),
                Operation::Compare(relation) => {
                    let relation = relation.or(given.relation).expect("the pattern binds it");
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
