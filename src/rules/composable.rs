//! Rule sets with which selection cannot fail: every pattern that they must have, and has not.
//!
//! A set is *complete* if each operation has an atomic pattern without guards: its operands are
//! values. It is *composable* if, wherever a pattern fits, others fit that let go of parts of it:
//! - *parts*: the pattern below an inner operation, for somebody may want that in a register;
//! - *cuts*: the pattern with an operand of its root in a register, for somebody else may take
//!   that operand in another way.
//!
//! Source: S. Buchwald, A. Zwinkau, CASES 2010, section 4, definitions 11 and 12.
use super::RuleSet;
use super::ast::{OperandAst, PatternAst, RuleAst};
use super::pattern::{NameId, Operand, Pattern};
use super::program_graph::has_one_user;
use super::required_patterns::{GuardedPattern, MissingPattern, Why, parts, patterns};
use super::serving::Served;
use super::tree_expansion::{Roots, operation, tree};
use crate::firm::Op;
use source::Span;

/// The patterns that `rules`, read from `trees`, must have and has not, each once, in the order
/// in which they were found. With all of them it is complete and composable.
///
/// # Why a set that lacks none cannot fail
/// Selection asks for one alternative per node, so that each operand provides what its user
/// requires. A root of shape s provides a register, and s besides, for it can be computed again;
/// an inner alternative provides its shape only. Let D be what the propagation of infinities has
/// left, nowhere nothing: each alternative in D has a partner in D at every neighbour.
///
/// For each alternative a of D at a node v there is a cover with it. A node is *decided* if D has
/// one alternative there, and *shaped* by s if all provide s; then what s has inside is decided or
/// shaped in turn, for its alternatives have partners. a *forces* what its match or its shape has
/// inside; D has alternatives for that, and it is one shape at each node (`is_consistent` in
/// matching.rs). All others are *loose*. Now choose at once
/// - at v and the other roots of its match a, at decided nodes what was decided,
/// - at shaped and forced nodes a root of their shape: such a part is a pattern, and it fits,
/// - at loose nodes a root of D, or of the shape of an inner one; at users of v one that requires
///   what a provides; and of it all operands cut that do not provide what it requires.
///
/// No user asks a loose node for its shape: decided, shaped and forced ones do not, and loose ones
/// are cut. So nobody misses the shape that a cut root does not provide, and all others provide a
/// register, or what is required. An operand that is cut is inside of no other one that is kept.
///
/// Without a decision the atomic patterns are a cover. What R1 and R2 eliminate changes nothing:
/// they are exact, and propagation in what they leave removes no less than in the whole. A
/// constant has one shape, and its root provides it, so it needs no cut. The matches that are left
/// out for another order of two constants (twins.rs) are no parts and no cuts. A rule with several
/// results is one more alternative of its roots; each of them must have a rule alone.
pub fn missing(rules: &RuleSet, trees: &[RuleAst]) -> Vec<MissingPattern> {
    let mut search = Search::new(rules, trees);
    search.atomic(rules);
    let mut done = 0;
    while done < search.sources.len() {
        search.root(done);
        search.parts(done);
        search.cuts(done);
        done += 1;
    }
    search.missing
}

/// A pattern as it is written, or one that is missing.
#[derive(Clone)]
struct Source {
    guarded: GuardedPattern,
    /// The rule it comes from, and where in it each of its operations stands.
    origin: Option<(usize, Vec<Span>)>,
    /// Its rule makes more than this.
    is_partial: bool,
}

struct Search {
    sources: Vec<Source>,
    /// The patterns that are there, and those that are missing.
    served: Served,
    missing: Vec<MissingPattern>,
}

impl Search {
    fn new(rules: &RuleSet, trees: &[RuleAst]) -> Search {
        let mut sources = Vec::new();
        for (number, (rule, tree)) in rules.rules.iter().zip(trees).enumerate() {
            let (last, before) = tree.roots.split_last().expect("a rule has a pattern");
            let (written, tree_count) = (std::iter::once(last).chain(before), tree.roots.len());
            for (pattern, tree) in rule.trees(Roots::Names).into_iter().zip(written) {
                let mut places = places(tree);
                // What is met again has no place of its own.
                places.resize(pattern.size(), tree.operation.span);
                let guarded = GuardedPattern::new(&pattern, &rule.guards);
                let (origin, is_partial) = (Some((number, places)), tree_count > 1);
                sources.push(Source { guarded, origin, is_partial });
            }
        }
        let mut served = Served::default();
        patterns(rules).for_each(|(guarded, _)| served.add(guarded));
        Search { sources, served, missing: Vec::new() }
    }

    /// What programs are made of, one operation each.
    fn atomic(&mut self, rules: &RuleSet) {
        for &op in Op::KINDS.iter().filter(|op| rules.target.has(**op)) {
            self.need(GuardedPattern::atomic(op), Why::Atomic, None);
        }
    }

    /// The source itself, if its rule makes more than this.
    fn root(&mut self, source: usize) {
        let Source { guarded, origin, is_partial } = self.sources[source].clone();
        if is_partial {
            self.need(guarded, Why::Root, place(&origin, 0));
        }
    }

    /// What the source has below its root.
    fn parts(&mut self, source: usize) {
        let Source { guarded, origin, .. } = self.sources[source].clone();
        for (at, part) in parts(&guarded.pattern).into_iter().enumerate().skip(1) {
            let part = GuardedPattern::new(&tree(part, &guarded.pattern), &guarded.guards);
            self.need(part, Why::Part, place(&origin, at));
        }
    }

    /// What remains of the source if an operand of its root is in a register.
    fn cuts(&mut self, source: usize) {
        let Source { guarded: GuardedPattern { pattern, guards }, origin, .. } =
            self.sources[source].clone();
        let all = parts(&pattern);
        for operand in pattern.operands.iter().filter_map(|it| operation(it, &pattern)) {
            if !has_one_user(operand.op) {
                let rest = GuardedPattern::new(&cut(&pattern, operand), &guards);
                let at = all.iter().position(|it| std::ptr::eq(*it, operand)).unwrap_or(0);
                self.need(rest, Why::Cut, place(&origin, at));
            }
        }
    }

    /// Notes that a pattern is needed. One that is missing counts from now on.
    fn need(&mut self, guarded: GuardedPattern, why: Why, origin: Option<(usize, Span)>) {
        if guarded.is_impossible() || self.served.holds(&guarded) {
            return;
        }
        self.served.add(guarded.clone());
        let size = guarded.pattern.size();
        let everywhere = origin.map(|(rule, place)| (rule, vec![place; size]));
        let source = Source { guarded: guarded.clone(), origin: everywhere, is_partial: false };
        self.sources.push(source);
        self.missing.push(MissingPattern { guarded, why, origin });
    }
}

/// The tree of a pattern with values in place of an operand of its root, wherever it stands there,
/// and of the operands that have it inside: who takes them takes it, too.
fn cut(pattern: &Pattern, cut: &Pattern) -> Pattern {
    let mut values: Vec<*const Pattern> = Vec::new();
    let operands = pattern.operands.iter().map(|operand| {
        let Some(inner) = operation(operand, pattern) else { return operand.clone() };
        if !has_inside(inner, cut, pattern) {
            return Operand::Node(tree(inner, pattern));
        }
        let known = values.iter().position(|it| std::ptr::eq(*it, inner));
        let number = known.unwrap_or_else(|| {
            values.push(inner);
            values.len() - 1
        });
        // No name of a rule has this number.
        Operand::Value(NameId::MAX - number as NameId)
    });
    Pattern { operands: operands.collect(), ..pattern.clone() }
}

/// Whether an operation is the other one, or has it below it.
fn has_inside(pattern: &Pattern, wanted: &Pattern, whole: &Pattern) -> bool {
    let mut inner = pattern.operands.iter().filter_map(|operand| operation(operand, whole));
    std::ptr::eq(pattern, wanted) || inner.any(|inner| has_inside(inner, wanted, whole))
}

/// Where the operations of a pattern stand, in the order they are written.
fn places(tree: &PatternAst) -> Vec<Span> {
    let mut all = vec![tree.operation.span];
    for operand in &tree.operands {
        if let OperandAst::Pattern(inner) = operand {
            all.extend(places(inner));
        }
    }
    all
}

fn place(origin: &Option<(usize, Vec<Span>)>, at: usize) -> Option<(usize, Span)> {
    let (rule, places) = origin.as_ref()?;
    Some((*rule, places.get(at).copied()?))
}
