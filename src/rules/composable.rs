//! Rule sets with which selection cannot fail: every pattern that they must have, and has not.
//!
//! A set is *complete* if each operation has an atomic pattern without guards: its operands are
//! values. It is *composable* if, wherever a pattern fits, others fit that let go of parts of it:
//! - *parts*: the pattern below an inner operation, for somebody may want that in a register;
//! - *cuts*: the pattern with an operand of its root in a register, for another may take that;
//! - *joins*: of two patterns with one root, the one that takes an operand from each, if some
//!   pattern has taken both operands inside and their operation uses both.
//!
//! Source: S. Buchwald, A. Zwinkau, CASES 2010, section 4, but for the joins, and for constants:
//! each use of a constant is a node of its own, so nobody else can take it or want it.
use super::need::{Builder, Guarded, Need, Why, aligned, parts, patterns};
use super::pattern::{Operand, Pattern};
use super::program::has_one_user;
use super::spread::Roots;
use super::tree::{OperandTree, PatternTree, RuleTree};
use super::{Guard, RuleSet};
use crate::base::span::Span;
use crate::firm::Op;

/// The patterns that `rules`, read from `trees`, must have and has not, each once, in the order
/// in which they were found. With all of them it is complete and composable.
///
/// # Why a set that lacks none cannot fail
/// Selection asks for one alternative per node, so that each user requires what its operand
/// provides: a register, or the shape of a part of a pattern. Let D be the alternatives that the
/// propagation of infinities has left while some nodes were decided, none of them empty. It is
/// the largest such family, so what is supported by it belongs to it (*). Call a node *settled*
/// if it is decided, or if a settled user takes it inside; all others are *free*.
///
/// 1. A free node that can be inside can be a root too: the part that begins there is a pattern
///    and fits, for the guards of the whole tell of its numbers. No settled user takes the node
///    inside; a free one is a root, or by (1) can be, and cut it can leave the operand. So every
///    user supports it, and by (*) it is in D.
/// 2. A free root remains possible if its free operands are cut, by (1) and (*).
/// 3. So there is a cover: settled nodes as they are, free ones as roots with their free operands
///    cut. Two neighbours agree: a settled user takes no free operand, and what a free user takes
///    from a settled operand is supported by its only alternative.
/// 4. After a decision for an alternative of D there still is one. It settles the node and what
///    its match has inside, each of which D allows. A free user of one such operand supports it
///    by (1) and D; a user of two supports each, and their join supports both. Then go on as in
///    (3). A match gives each node one role (`is_consistent` in matching.rs), so the decision agrees
///    with itself.
///
/// Without a decision the atomic patterns are a cover. What R1 and R2 eliminate changes nothing:
/// they are exact, and propagation in what they leave removes no less than in the whole. A
/// constant has one user: if that is free, the constant is free or decided to be inside, and
/// whatever pattern of the user requires it can keep it; so it needs no cut and no join.
pub fn missing(rules: &RuleSet, trees: &[RuleTree]) -> Vec<Need> {
    let mut search = Search::new(rules, trees);
    search.atomic();
    let mut done = 0;
    while done < search.sources.len() {
        while done < search.sources.len() {
            search.root(done);
            search.parts(done);
            search.cuts(done);
            done += 1;
        }
        search.joins();
    }
    search.missing
}

/// A pattern as it is written, or one that is missing.
#[derive(Clone)]
struct Source {
    guarded: Guarded,
    /// The rule it comes from, and where in it each of its operations stands.
    origin: Option<(usize, Vec<Span>)>,
    /// Equal for the patterns of one rule.
    group: usize,
}

struct Search {
    sources: Vec<Source>,
    /// For each kind of root, the patterns of all sources, their operands in every order.
    known: Vec<Vec<Guarded>>,
    missing: Vec<Need>,
}

impl Search {
    fn new(rules: &RuleSet, trees: &[RuleTree]) -> Search {
        let mut sources = Vec::new();
        for (number, (rule, tree)) in rules.rules.iter().zip(trees).enumerate() {
            let (last, before) = tree.roots.split_last().expect("a rule has a pattern");
            let written = std::iter::once(last).chain(before);
            for (pattern, tree) in rule.trees(Roots::Names).into_iter().zip(written) {
                let mut places = places(tree);
                // What is met again has no place of its own.
                places.resize(pattern.size(), tree.operation.span);
                let guarded = Guarded { pattern, guards: rule.guards.clone() };
                sources.push(Source { guarded, origin: Some((number, places)), group: number });
            }
        }
        let mut known = vec![Vec::new(); Op::KINDS.len()];
        for (guarded, _) in patterns(rules) {
            known[usize::from(guarded.pattern.kind)].push(guarded);
        }
        Search { sources, known, missing: Vec::new() }
    }

    fn atomic(&mut self) {
        for &op in Op::KINDS.iter().filter(|op| op.is_selected()) {
            self.need(Guarded::atomic(op), Why::Atomic, None);
        }
    }

    /// The source itself, if its rule makes more than this.
    fn root(&mut self, source: usize) {
        let Source { guarded, origin, group } = self.sources[source].clone();
        if self.sources.iter().filter(|it| it.group == group).count() > 1 {
            let mut builder = Builder::default();
            let pattern = builder.node(0, &guarded.pattern);
            let guards = builder.guards(0, &guarded.guards);
            self.need(Guarded { pattern, guards }, Why::Root, place(&origin, 0));
        }
    }

    /// What the source has below its root.
    fn parts(&mut self, source: usize) {
        let Source { guarded, origin, .. } = self.sources[source].clone();
        for (at, part) in parts(&guarded.pattern).into_iter().enumerate().skip(1) {
            let mut builder = Builder::default();
            let pattern = builder.node(0, part);
            let guards = builder.guards(0, &guarded.guards);
            self.need(Guarded { pattern, guards }, Why::Part, place(&origin, at));
        }
    }

    /// What remains of the source if an operand of its root is in a register.
    fn cuts(&mut self, source: usize) {
        let Source { guarded: Guarded { pattern, guards }, origin, .. } =
            self.sources[source].clone();
        let mut inner = 1;
        for (at, operand) in pattern.operands.iter().enumerate() {
            let Operand::Node(cut) = operand else { continue };
            if !has_one_user(cut.op) {
                let mut builder = Builder::default();
                let pattern = cut_at(&pattern, at, &mut builder);
                let guards = builder.guards(0, &guards);
                self.need(Guarded { pattern, guards }, Why::Cut, place(&origin, inner));
            }
            inner += cut.size();
        }
    }

    /// What a user needs of which two operands are inside of one match.
    fn joins(&mut self) {
        let sources = self.sources.clone();
        for source in &sources {
            let inner = |source| inner_of(source).into_iter().filter(|it| !has_one_user(it.1.op));
            for (at, left) in inner(source) {
                let others = sources.iter().filter(|other| other.group == source.group);
                let others = others.flat_map(inner).filter(|it| !std::ptr::eq(it.1, left));
                for (_, right) in others {
                    let pair = Pair { left, right, guards: &source.guarded.guards };
                    let found: Vec<_> = self.known.iter().flat_map(|it| pair.joins(it)).collect();
                    for guarded in found {
                        self.need(guarded, Why::Join, place(&source.origin, at));
                    }
                }
            }
        }
    }

    /// Notes that a pattern is needed. One that is missing counts from now on.
    fn need(&mut self, guarded: Guarded, why: Why, origin: Option<(usize, Span)>) {
        let known = &mut self.known[usize::from(guarded.pattern.kind)];
        if guarded.is_impossible() || known.iter().any(|rule| guarded.is_served_by(rule)) {
            return;
        }
        for pattern in guarded.pattern.commuted() {
            known.push(Guarded { pattern, guards: guarded.guards.clone() });
        }
        let size = guarded.pattern.size();
        let everywhere = origin.map(|(rule, place)| (rule, vec![place; size]));
        let group = usize::MAX - self.missing.len();
        self.sources.push(Source { guarded: guarded.clone(), origin: everywhere, group });
        self.missing.push(Need { guarded, why, origin });
    }
}

/// The operations below the root of a source, and their places among its operations.
fn inner_of(source: &Source) -> Vec<(usize, &Pattern)> {
    parts(&source.guarded.pattern).into_iter().enumerate().skip(1).collect()
}

/// Two operations inside of one match.
struct Pair<'p> {
    left: &'p Pattern,
    right: &'p Pattern,
    /// What the match says of its numbers.
    guards: &'p [Guard],
}

impl Pair<'_> {
    /// The joins of all patterns with one root that take the first, or the second.
    fn joins(&self, known: &[Guarded]) -> Vec<Guarded> {
        let mut all = Vec::new();
        for (first, i) in takers(known, self.left) {
            for (second, j) in takers(known, self.right).into_iter().filter(|(_, j)| *j != i) {
                let may_be = |pattern: &Guarded, at: usize, part: &Pattern| match &pattern
                    .pattern
                    .operands[at]
                {
                    Operand::Memory => false,
                    Operand::Value(_) | Operand::Again(_) => true,
                    Operand::Node(inner) => inner.kind == part.kind,
                };
                if may_be(first, j, self.right) && may_be(second, i, self.left) {
                    all.push(self.join(first, i, second, j));
                }
            }
        }
        all
    }

    /// Operand `i` of the first, operand `j` of the second, and what both have elsewhere.
    fn join(&self, first: &Guarded, i: usize, second: &Guarded, j: usize) -> Guarded {
        let mut builder = Builder::default();
        let (left, right) = (&first.pattern.operands, &second.pattern.operands);
        let pattern = builder.root(0, &first.pattern, |builder| {
            let operand = |at: usize| match (&left[at], &right[at]) {
                (own, _) if at == i => builder.operand(0, own),
                (_, own) if at == j => builder.operand(1, own),
                (Operand::Node(own), Operand::Node(other))
                    if aligned(own, other, &mut Vec::new()) =>
                {
                    builder.operand(0, &left[at])
                }
                (Operand::Memory, _) => Operand::Memory,
                (Operand::Value(_) | Operand::Node(_) | Operand::Again(_), _) => builder.value(),
            };
            (0..left.len()).map(operand).collect()
        });
        let mut joined = Guarded { pattern, guards: Vec::new() };
        let guards = [builder.guards(0, &first.guards), builder.guards(1, &second.guards)];
        guards.into_iter().flatten().for_each(|guard| joined.learn(guard));
        for (at, part) in [(i, self.left), (j, self.right)] {
            self.tell(part, at, &mut joined);
        }
        joined
    }

    /// What the match says of the numbers of a part, the join knows of its operand `at`.
    fn tell(&self, part: &Pattern, at: usize, joined: &mut Guarded) {
        let Operand::Node(own) = &joined.pattern.operands[at] else { return };
        let mut names = Vec::new();
        aligned(part, own, &mut names);
        for (name, own) in names {
            for guard in self.guards.iter().filter(|guard| guard.slot() == name) {
                joined.learn(guard.of(own));
            }
        }
    }
}

/// The patterns that take `part` as an operand, and which operand it is.
fn takers<'k>(known: &'k [Guarded], part: &Pattern) -> Vec<(&'k Guarded, usize)> {
    let mut all = Vec::new();
    for guarded in known {
        for (at, operand) in guarded.pattern.operands.iter().enumerate() {
            if matches!(operand, Operand::Node(it) if aligned(it, part, &mut Vec::new())) {
                all.push((guarded, at));
            }
        }
    }
    all
}

/// The pattern with a value in place of an operand of its root.
fn cut_at(pattern: &Pattern, cut: usize, builder: &mut Builder) -> Pattern {
    builder.root(0, pattern, |builder| {
        let operands = pattern.operands.iter().enumerate().map(|(at, operand)| {
            if at == cut { builder.value() } else { builder.operand(0, operand) }
        });
        operands.collect()
    })
}

/// Where the operations of a pattern stand, in the order they are written.
fn places(tree: &PatternTree) -> Vec<Span> {
    let mut all = vec![tree.operation.span];
    for operand in &tree.operands {
        if let OperandTree::Pattern(inner) = operand {
            all.extend(places(inner));
        }
    }
    all
}

fn place(origin: &Option<(usize, Vec<Span>)>, at: usize) -> Option<(usize, Span)> {
    let (rule, places) = origin.as_ref()?;
    Some((*rule, places.get(at).copied()?))
}
