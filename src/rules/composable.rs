//! Finds the patterns that a rule set lacks so that selection cannot fail.
//!
//! A set is *complete* if each operation has an atomic pattern without guards: its operands are
//! values. It is *composable* if, wherever a pattern matches, smaller patterns match that leave out
//! parts of it:
//! - *parts*: the pattern below an inner operation, since another operation may need it in a
//!   register;
//! - *cuts*: the pattern with an operand of its root in a register, since another match may cover
//!   that operand.
//!
//! Source: S. Buchwald, A. Zwinkau, CASES 2010, section 4, definitions 11 and 12.
use super::RuleSet;
use super::pattern::{NameId, Operand, Pattern};
use super::program_graph::has_one_user;
use super::required_patterns::{GuardedPattern, MissingPattern, Why, parts, patterns};
use super::subsumption::PatternIndex;
use super::tree_expansion::{Roots, operation, tree};
use crate::firm::{Mode, Op};
use rule_text::{OperandAst, PatternAst, RuleAst};
use source::Span;

/// The patterns that `rules`, read from `trees`, lack, each once, in the order in which they were
/// found. With all of them the set is complete and composable.
///
/// # Why a set that lacks none cannot fail
/// Selection needs one alternative per node such that each operand provides what its user requires.
/// A root of shape s provides a register and also s, since it can be computed again; an inner
/// alternative provides its shape only. Let D be the alternatives that the propagation of
/// infinities leaves, and let no node be empty: each alternative in D is supported by one in D at
/// every neighbour.
///
/// For each alternative a of D at a node v there is a cover that contains it. A node is *decided*
/// if D has one alternative there, and *shaped* by s if all provide s. Then the operations inside s
/// are decided or shaped in turn, since their alternatives are supported. a *forces* the inner
/// operations of its match or its shape; D has alternatives for them, and they have one shape at
/// each node (`is_consistent` in matching.rs). All other nodes are *loose*. Now choose at once
/// - at v and the other roots of its match a, at decided nodes their alternative,
/// - at shaped and forced nodes a root of their shape: such a part is a pattern, and it matches,
/// - at loose nodes a root of D, or of the shape of an inner one; at users of v one that requires
///   the role that a provides; of each cut all operands that do not provide the required role.
///
/// No user requires the shape of a loose node: decided, shaped and forced users do not, and loose
/// users are cut. So no user requires the shape that a cut root does not provide, and all other
/// nodes provide a register or the required role. An operand that is cut is not inside another one
/// that is kept.
///
/// Without a decision the atomic patterns are a cover. Elimination by R1 and R2 changes nothing:
/// both are exact, and propagation in the remaining instance removes no less than in the whole. A
/// constant has one shape, and its root provides it, so it needs no cut. The matches that are
/// redundant because of the order of two constants (commuted_matches.rs) are neither parts nor
/// cuts. A rule with several results is one more alternative of its roots; each of its results must
/// have a rule of its own.
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

/// A pattern of a rule, or a missing one.
#[derive(Clone)]
struct Source {
    guarded: GuardedPattern,
    /// The rule it comes from, and the span of each of its operations.
    origin: Option<(usize, Vec<Span>)>,
    /// Its rule has further results.
    is_partial: bool,
}

struct Search {
    sources: Vec<Source>,
    /// The patterns of the rules and the missing ones.
    known: PatternIndex,
    missing: Vec<MissingPattern>,
}

/// Whether rules must cover an operation. Rules without one for calls are for programs of a single
/// function, rules without one for loads and stores are for programs without objects, and rules
/// without one for floats are for programs without floats.
fn must_cover(rules: &RuleSet, op: Op, mode: Mode) -> bool {
    // Legalization replaces them.
    if mode == Mode::Ls {
        return false;
    }
    let has_floats = |op: Op, mode: Mode| mode.is_float() || op.value_mode(mode).is_float();
    let mut patterns = rules.rules.iter().map(|rule| rule.pattern.op);
    if matches!(op, Op::Load(_) | Op::Store(_)) && !patterns.any(Op::accesses_memory) {
        return false;
    }
    // Rules without one for bytes and half words are for programs without those.
    let is_narrow = |mode: Mode| mode.in_register() != mode;
    if is_narrow(mode) {
        return rules.rules.iter().any(|rule| is_narrow(rule.pattern.mode));
    }
    if let Op::Call(_) = op
        && !patterns.any(|it| matches!(it, Op::Call(_)))
    {
        return false;
    }
    if has_floats(op, mode) {
        let mut patterns = rules.rules.iter().map(|rule| &rule.pattern);
        return op.is_selected() && patterns.any(|it| has_floats(it.op, it.mode));
    }
    // Without a rule for it, no program has one.
    #[cfg(feature = "ch29")]
    if op == Op::Mux {
        return patterns.any(|it| it == Op::Mux);
    }
    if let Op::SymConst(_) = op
        && rules.target.has_calls()
    {
        return patterns.any(|it| matches!(it, Op::Call(_)));
    }
    rules.target.has(op)
}

impl Search {
    fn new(rules: &RuleSet, trees: &[RuleAst]) -> Search {
        let mut sources = Vec::new();
        for (number, (rule, tree)) in rules.rules.iter().zip(trees).enumerate() {
            let (last, before) = tree.roots.split_last().expect("a rule has a pattern");
            let (written, tree_count) = (std::iter::once(last).chain(before), tree.roots.len());
            for (pattern, tree) in rule.trees(Roots::Names).into_iter().zip(written) {
                let mut places = spans(tree);
                // A repeated operation has no span of its own.
                places.resize(pattern.size(), tree.operation.span);
                let guarded = GuardedPattern::new(&pattern, &rule.guards);
                let (origin, is_partial) = (Some((number, places)), tree_count > 1);
                sources.push(Source { guarded, origin, is_partial });
            }
        }
        let mut served = PatternIndex::default();
        patterns(rules).for_each(|(guarded, _)| served.add(guarded));
        Search { sources, known: served, missing: Vec::new() }
    }

    /// One pattern for each operation of programs.
    fn atomic(&mut self, rules: &RuleSet) {
        for op in Op::kinds() {
            for &mode in op.row().modes.iter().filter(|mode| must_cover(rules, op, **mode)) {
                self.require(GuardedPattern::atomic(op, mode), Why::Atomic, None);
            }
        }
    }

    /// The source itself, if its rule has further results.
    fn root(&mut self, source: usize) {
        let Source { guarded, origin, is_partial } = self.sources[source].clone();
        if is_partial {
            self.require(guarded, Why::Root, span_of(&origin, 0));
        }
    }

    /// The patterns below the root of the source.
    fn parts(&mut self, source: usize) {
        let Source { guarded, origin, .. } = self.sources[source].clone();
        for (at, part) in parts(&guarded.pattern).into_iter().enumerate().skip(1) {
            let part = GuardedPattern::new(&tree(part, &guarded.pattern), &guarded.guards);
            self.require(part, Why::Part, span_of(&origin, at));
        }
    }

    /// The source with an operand of its root in a register.
    fn cuts(&mut self, source: usize) {
        let Source { guarded: GuardedPattern { pattern, guards }, origin, .. } =
            self.sources[source].clone();
        let all = parts(&pattern);
        for operand in pattern.operands.iter().filter_map(|it| operation(it, &pattern)) {
            if !has_one_user(operand.op) {
                let rest = GuardedPattern::new(&cut(&pattern, operand), &guards);
                let at = all.iter().position(|it| std::ptr::eq(*it, operand)).unwrap_or(0);
                self.require(rest, Why::Cut, span_of(&origin, at));
            }
        }
    }

    /// Requires a pattern. A missing one is recorded, and its own parts and cuts are required
    /// later.
    fn require(&mut self, guarded: GuardedPattern, why: Why, origin: Option<(usize, Span)>) {
        if guarded.is_impossible() || self.known.has_rule_for(&guarded) {
            return;
        }
        self.known.add(guarded.clone());
        let size = guarded.pattern.size();
        let everywhere = origin.map(|(rule, place)| (rule, vec![place; size]));
        let source = Source { guarded: guarded.clone(), origin: everywhere, is_partial: false };
        self.sources.push(source);
        self.missing.push(MissingPattern { guarded, why, origin });
    }
}

/// The tree of a pattern with values in place of an operand of its root, at every occurrence, and
/// of the operands that contain it.
fn cut(pattern: &Pattern, removed: &Pattern) -> Pattern {
    let mut values: Vec<*const Pattern> = Vec::new();
    let operands = pattern.operands.iter().map(|operand| {
        let Some(inner) = operation(operand, pattern) else { return operand.clone() };
        if !contains(inner, removed, pattern) {
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

/// Whether an operation is the other one or contains it.
fn contains(pattern: &Pattern, other: &Pattern, whole: &Pattern) -> bool {
    let mut inner = pattern.operands.iter().filter_map(|operand| operation(operand, whole));
    std::ptr::eq(pattern, other) || inner.any(|inner| contains(inner, other, whole))
}

/// The spans of the operations of a pattern, in written order.
fn spans(tree: &PatternAst) -> Vec<Span> {
    let mut all = vec![tree.operation.span];
    for operand in &tree.operands {
        if let OperandAst::Pattern(inner) = operand {
            all.extend(spans(inner));
        }
    }
    all
}

fn span_of(origin: &Option<(usize, Vec<Span>)>, at: usize) -> Option<(usize, Span)> {
    let (rule, places) = origin.as_ref()?;
    Some((*rule, places.get(at).copied()?))
}
