//! Matches patterns against a program.
use super::Guard;
#[cfg(feature = "ch02")]
#[cfg(feature = "ch04")]
use super::pattern::Shape;
use super::pattern::{Kind, NameId, Operand, Pattern};
use super::program_graph::{ProgramGraph, ProgramId, has_one_user};
#[cfg(feature = "ch19")]
use super::required_kinds::{KindsBelow, NumberAt, RequiredKinds, kinds_below, nested};
use super::{Rule, RuleSet};
#[cfg(feature = "ch04")]
use crate::arith::Relation;
#[cfg(feature = "ch19")]
use arena::{FxHashMap, Id, ListTable, id};

/// One order of the operands of a rule's pattern.
#[derive(Clone, Debug)]
pub struct Variant {
    pub rule: usize,
    pub pattern: Pattern,
    /// The number of operations that it covers.
    pub size: usize,
    /// The shapes of the pattern and of the patterns that begin at the inner operations of its
    /// matches.
    #[cfg(feature = "ch04")]
    pub shapes: Vec<Shape>,
    /// The patterns of the further results of its rule, in one order of their operands.
    #[cfg(feature = "ch10")]
    pub extra_roots: Vec<Pattern>,
    #[cfg(feature = "ch10")]
    pub extra_root_shapes: Vec<Shape>,
    /// Whether its pattern and its guards decide alone if it matches.
    #[cfg(feature = "ch10")]
    pub is_plain: bool,
}

/// A variant in the list of those with its kind of root.
#[derive(Clone, Copy, Debug)]
pub struct Listed {
    pub variant: u32,
    /// The kinds of operations that it requires below its root.
    #[cfg(feature = "ch19")]
    pub required: RequiredKinds,
    /// Its first guard on the number of the root or of one of its operands.
    #[cfg(feature = "ch19")]
    pub guarded: Option<(NumberAt, Guard)>,
}

/// The binding of a name of a rule.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Binding {
    Nothing,
    Value(ProgramId),
    /// An operation that the match covers.
    #[cfg(feature = "ch10")]
    Covered(ProgramId),
    Number(i64),
    #[cfg(feature = "ch04")]
    Relation(Relation),
}

/// The variant and the root of a match: they determine it. Matches themselves are larger.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MatchKey {
    /// The number of the variant that matches.
    pub variant: u32,
    pub root: ProgramId,
}

impl MatchKey {
    /// The match itself.
    pub fn matched(self, rules: &RuleSet, program: &ProgramGraph) -> Match {
        let mut found = Match::new(self.variant as usize, self.root);
        assert!(found.bind_all(rules, program), "the key is that of a match");
        found
    }
}

/// A match of a rule in a program: none of its operands is one of its results. There are many
/// matches, so a match does not allocate.
#[derive(Clone, Copy, Debug)]
pub struct Match {
    /// The number of the variant that matches.
    pub variant: u32,
    pub root: ProgramId,
    pub bindings: [Binding; Rule::MAX_NAMES],
    inner: [ProgramId; Rule::MAX_OPERATIONS],
    inner_count: u8,
    /// The roots of the further patterns of the rule.
    #[cfg(feature = "ch10")]
    pub(super) extra_roots: [ProgramId; Match::MAX_EXTRA_ROOTS],
    #[cfg(feature = "ch10")]
    pub(super) extra_root_count: u8,
}

impl Match {
    fn new(variant: usize, root: ProgramId) -> Match {
        Match {
            variant: variant as u32,
            root,
            bindings: [Binding::Nothing; _],
            inner: [root; _],
            inner_count: 0,
            #[cfg(feature = "ch10")]
            extra_roots: [root; _],
            #[cfg(feature = "ch10")]
            extra_root_count: 0,
        }
    }

    pub fn key(&self) -> MatchKey {
        MatchKey { variant: self.variant, root: self.root }
    }

    /// The operations that it covers besides its root, in written order.
    pub fn inner(&self) -> &[ProgramId] {
        &self.inner[..usize::from(self.inner_count)]
    }

    /// The values that it reads from registers.
    pub fn values(&self) -> impl Iterator<Item = ProgramId> {
        self.bindings.iter().filter_map(|bound| match bound {
            Binding::Value(id) => Some(*id),
            _ => None,
        })
    }

    /// The operations whose values it computes, its root first.
    pub fn roots(&self) -> impl Iterator<Item = ProgramId> {
        let roots = std::iter::once(self.root);
        #[cfg(feature = "ch10")]
        let roots = roots.chain(self.extra_roots().iter().copied());
        roots
    }

    /// The roots of the further patterns of its rule.
    #[cfg(feature = "ch10")]
    pub fn extra_roots(&self) -> &[ProgramId] {
        &self.extra_roots[..usize::from(self.extra_root_count)]
    }

    /// Binds a name, unless it is bound to something else.
    fn bind(&mut self, name: NameId, to: Binding) -> bool {
        let known = &mut self.bindings[name as usize];
        if let Binding::Nothing = known {
            *known = to;
            return true;
        }
        #[cfg(feature = "ch10")]
        if self.is_bound_to(name, to) {
            return true;
        }
        false
    }

    /// Binds all names of the variant; false if its patterns do not match.
    fn bind_all(&mut self, rules: &RuleSet, program: &ProgramGraph) -> bool {
        let variant = &rules.variants[self.variant as usize];
        let is_match = match_node(&variant.pattern, program, self.root, self);
        #[cfg(feature = "ch10")]
        let is_match = is_match && (variant.is_plain || rules.find_extra_roots(program, self));
        is_match
    }

    /// The same; false, too, if a guard does not hold.
    fn complete(&mut self, rules: &RuleSet, program: &ProgramGraph) -> bool {
        let is_match = self.bind_all(rules, program);
        let is_match = is_match && rules.permits(self);
        #[cfg(feature = "ch10")]
        let is_match = is_match
            && (rules.variants[self.variant as usize].is_plain
                || rules.is_selectable(program, self));
        is_match
    }

    fn cover(&mut self, id: ProgramId) {
        self.inner[usize::from(self.inner_count)] = id;
        self.inner_count += 1;
    }
}

/// Every match of a rule of `rules` with its root at `root`, in the order of the file.
pub fn matches(
    rules: &RuleSet,
    program: &ProgramGraph,
    root: ProgramId,
) -> impl Iterator<Item = Match> {
    let listed = rules.by_root[usize::from(program.kind(root))].iter();
    #[cfg(feature = "ch19")]
    let listed = {
        let kinds = kinds_below(program, root);
        listed.filter(move |it| it.required.permits(kinds))
    };
    listed.filter_map(move |it| {
        let mut found = Match::new(it.variant as usize, root);
        found.complete(rules, program).then_some(found)
    })
}

#[cfg(feature = "ch19")]
id! {
    /// The kinds of an operation and of those below it.
    Surroundings
}

/// The variants that fit all kinds. Many operations have the same kinds around them.
#[cfg(feature = "ch19")]
#[derive(Default)]
struct Candidates {
    known: FxHashMap<(Kind, KindsBelow), Surroundings>,
    fitting: ListTable<Surroundings, Listed>,
}

#[cfg(feature = "ch19")]
impl Candidates {
    /// Those of the listed variants that fit the kinds around `root`.
    #[inline]
    fn of(&mut self, listed: &[Listed], program: &ProgramGraph, root: ProgramId) -> &[Listed] {
        let (kind, kinds) = (program.kind(root), kinds_below(program, root));
        let surroundings = *self.known.entry((kind, kinds)).or_insert_with(|| {
            self.fitting.push(listed.iter().copied().filter(|it| it.required.permits(kinds)));
            Surroundings::from_index(self.fitting.len() - 1)
        });
        &self.fitting[surroundings]
    }
}

#[cfg(feature = "ch19")]
impl Listed {
    /// Whether the guard holds.
    fn permits(&self, program: &ProgramGraph, root: ProgramId) -> bool {
        let Some((place, guard)) = self.guarded else { return true };
        place.number(program, root).is_some_and(|number| holds_for(guard, number))
    }
}

/// Finds the matches at many operations.
#[cfg(feature = "ch04")]
pub struct Matcher<'m> {
    rules: &'m RuleSet,
    program: &'m ProgramGraph<'m>,
    #[cfg(feature = "ch19")]
    candidates: Candidates,
}

#[cfg(feature = "ch04")]
impl<'m> Matcher<'m> {
    pub fn new(rules: &'m RuleSet, program: &'m ProgramGraph<'m>) -> Matcher<'m> {
        Matcher {
            rules,
            program,
            #[cfg(feature = "ch19")]
            candidates: Candidates::default(),
        }
    }

    /// Visits the matches that `matches` returns, without a copy of each.
    pub fn for_each_match(&mut self, root: ProgramId, mut visit: impl FnMut(&Match)) {
        let listed = &self.rules.by_root[usize::from(self.program.kind(root))];
        #[cfg(feature = "ch19")]
        let listed = self.candidates.of(listed, self.program, root);
        for listed in listed {
            #[cfg(feature = "ch19")]
            if !listed.permits(self.program, root) {
                continue;
            }
            let mut found = Match::new(listed.variant as usize, root);
            if found.complete(self.rules, self.program) {
                visit(&found);
            }
        }
    }
}

/// The match of a variant at `root`, if there is one.
#[cfg(feature = "ch19")]
pub fn match_variant(
    rules: &RuleSet,
    variant: usize,
    program: &ProgramGraph,
    root: ProgramId,
) -> Option<Match> {
    let mut found = Match::new(variant, root);
    found.complete(rules, program).then_some(found)
}

impl RuleSet {
    /// Whether the guards of the rule hold.
    fn permits(&self, found: &Match) -> bool {
        let guards = &self.rule(found.variant).guards;
        guards.iter().all(|guard| holds(*guard, &found.bindings))
    }

    /// Whether a selection may choose a match that is not plain.
    #[cfg(feature = "ch10")]
    fn is_selectable(&self, program: &ProgramGraph, found: &Match) -> bool {
        let is_selectable = self.fits_program(program, found) && found.keeps_memory_order(program);
        #[cfg(feature = "ch19")]
        let is_selectable = is_selectable
            && is_consistent(&self.variants[found.variant as usize], found)
            && !self.is_redundant(program, found);
        is_selectable
    }
}

#[cfg(feature = "ch19")]
impl Variant {
    /// Whether two operations below the root of a match may be the same.
    pub fn may_cover_twice(&self) -> bool {
        let kinds = kinds_inside(&self.pattern);
        (1..kinds.len()).any(|at| kinds[..at].contains(&kinds[at]))
    }
}

/// The kinds of the operations below the root, without those that have one user.
#[cfg(feature = "ch19")]
fn kinds_inside(pattern: &Pattern) -> Vec<Kind> {
    let own = |it: &Pattern| Some(it.kind).filter(|_| !has_one_user(it.op));
    let inside = nested(pattern).map(|(_, inner)| (own(inner), kinds_inside(inner)));
    inside.flat_map(|(own, below)| own.into_iter().chain(below)).collect()
}

/// Whether an operation that the match covers twice has the same shape both times; otherwise no
/// selection could choose the match. One occurrence may be a root.
#[cfg(feature = "ch19")]
fn is_consistent(variant: &Variant, found: &Match) -> bool {
    // A root and one operation below it are different, and most matches are no larger.
    if found.inner().len() < 2 && variant.extra_roots.is_empty() {
        return true;
    }
    let inner = || found.inner().iter().copied().zip(variant.shapes[1..].iter().copied());
    let shapes = variant.shapes[..1].iter().chain(&variant.extra_root_shapes).copied();
    let mut covered = found.roots().zip(shapes).chain(inner());
    covered.all(|(id, shape)| inner().all(|(other, another)| id != other || shape == another))
}

/// Whether `pattern` matches at `id`; binds its names. Patterns are small, so this recurses.
pub fn match_node(
    pattern: &Pattern,
    program: &ProgramGraph,
    id: ProgramId,
    found: &mut Match,
) -> bool {
    if program.kind(id) != pattern.kind {
        return false;
    }
    if let Some(name_id) = pattern.binds {
        let attribute = program.op(id).number().map(Binding::Number);
        #[cfg(feature = "ch04")]
        let attribute =
            attribute.or_else(|| program.op(id).relation(pattern.mirrored).map(Binding::Relation));
        if !found.bind(name_id, attribute.unwrap_or(Binding::Nothing)) {
            return false;
        }
    }
    #[cfg(feature = "ch10")]
    if pattern.name.is_some_and(|name| !found.bind(name, Binding::Covered(id))) {
        return false;
    }
    let mut operands = program.operands(id).iter().zip(&pattern.operands);
    operands.all(|(&operand, required)| match (required, operand) {
        (Operand::Memory, memory) => memory.is_none(),
        (_, None) => false,
        (Operand::Value(name_id), Some(id)) => found.bind(*name_id, Binding::Value(id)),
        #[cfg(feature = "ch10")]
        (Operand::Repeated(name_id), Some(id)) => found.bind(*name_id, Binding::Value(id)),
        (Operand::Node(pattern), Some(id)) => {
            found.cover(id);
            match_node(pattern, program, id, found)
        }
    })
}

fn holds(guard: Guard, bindings: &[Binding]) -> bool {
    let number = |name_id: u8| match bindings[name_id as usize] {
        Binding::Number(number) => Some(number),
        #[cfg(feature = "ch10")]
        Binding::Relation(relation) => Some(relation as i64),
        _ => None,
    };
    let name_id = match guard {
        Guard::Equal(name_id, _) | Guard::Property(name_id, _) => name_id,
        // The program was asked before.
        #[cfg(feature = "ch10")]
        Guard::Unshared(_) => return true,
        #[cfg(feature = "ch14")]
        Guard::Natural(_) => return true,
        #[cfg(feature = "ch14")]
        Guard::Complements(one, other) => {
            let numbers = number(one).zip(number(other));
            return numbers.is_some_and(|(one, other)| super::are_complements(one, other));
        }
    };
    number(name_id).is_some_and(|number| holds_for(guard, number))
}

/// Whether a guard holds for the number that it is about.
/// @ch14 One about two numbers may hold.
pub fn holds_for(guard: Guard, number: i64) -> bool {
    match guard {
        Guard::Equal(_, required) => number == required,
        Guard::Property(_, property) => (property.holds)(number),
        #[cfg(feature = "ch10")]
        Guard::Unshared(_) => true,
        #[cfg(feature = "ch14")]
        Guard::Natural(_) | Guard::Complements(..) => true,
    }
}
