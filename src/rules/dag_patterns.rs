//! Patterns that are no trees: names that stand in several places, and rules with several results.
//!
//! ```text
//! rule remainder: r = Sub:Is(x, Mul:Is(Div:Is(x, y), y)) => …
//! rule both: q = Div:Is(x in eax, y), Sub:Is(x, Mul:Is(q, y)) => cdq; idiv y; out eax edx; …
//! ```
//! A name that is met again means the same value, the same number, or the same operation. A rule
//! with several patterns makes all their values at once, so all must be wanted, or none. A pattern
//! may use the result of one before it.
use super::ast::{Identifier, PatternAst, RuleAst};
use super::matching::{Binding, Variant, node_fits};
use super::pattern::{NameId, Operand, Pattern, Shape};
use super::resolve::{Body, Meaning, Resolver};
use super::{Guard, Match, Place, ProgramGraph, ProgramId, Root, Rule, RuleSet, Template};
use crate::firm::Mode;
use arena::Id;

impl Resolver<'_> {
    /// The patterns before the last one.
    pub fn resolve_extra_roots(&mut self, tree: &RuleAst) -> Option<()> {
        let (_, partners) = tree.roots.split_last()?;
        for partner in partners {
            let known = self.names.len();
            let pattern = self.pattern(partner)?;
            self.expect_result(&pattern);
            if pattern.op.row().mode == Mode::X {
                let message = format!("{} does not stand last", partner.operation.text);
                self.report(partner.operation.span, message, "a jump ends its block");
                return None;
            }
            if partner.name.is_none() {
                let message = "this pattern has no name".to_string();
                self.report(partner.operation.span, message, "its value must be called something");
            }
            if !self.partners.is_empty() && !pattern.slots().iter().any(|&it| it < known as NameId)
            {
                let message = "this pattern has nothing to do with those before".to_string();
                self.report(partner.operation.span, message, "it shares no name with them");
            }
            self.partners.push(pattern);
        }
        if let Some(further) = partners.get(Match::MAX_EXTRA_ROOTS) {
            let message = format!("a rule has at most {} results", Match::MAX_EXTRA_ROOTS + 1);
            self.report(further.operation.span, message, "this is one too many");
        }
        Some(())
    }

    /// Notes of all patterns whose operands a name tells apart that stands in several places.
    pub fn resolved_together(&mut self, tree: &RuleAst, mut last: Pattern) -> Pattern {
        self.expect_result(&last);
        self.tell_apart(&mut last);
        self.check_size(tree, &last);
        #[cfg(feature = "ch19")]
        self.check_ordered(tree, &last);
        last
    }

    fn tell_apart(&mut self, last: &mut Pattern) {
        let mut met = Vec::new();
        self.partners.iter().for_each(|partner| partner.values_met(&mut met));
        last.values_met(&mut met);
        self.partners.iter_mut().for_each(|partner| partner.tell_apart(&met));
        last.tell_apart(&met);
    }

    /// All patterns of a rule cover few operations together.
    fn check_size(&mut self, tree: &RuleAst, last: &Pattern) {
        let size = last.size() + self.partners.iter().map(Pattern::size).sum::<usize>();
        if last.size() <= Rule::MOST_OPERATIONS && size > Rule::MOST_OPERATIONS {
            let most = Rule::MOST_OPERATIONS;
            let message = format!("the patterns of a rule have at most {most} operations");
            self.report(tree.name.span, message, &format!("these have {size}"));
        }
    }

    /// From now on the name of a root is the register that its value will be in.
    pub fn expect_result(&mut self, pattern: &Pattern) {
        if let Some(slot) = pattern.name {
            self.names[slot as usize].1 = Meaning::Fresh;
        }
    }

    /// A name that is met again, if it may stand for what it stands for already.
    pub fn repeated(&mut self, word: &Identifier, meaning: Meaning) -> Option<NameId> {
        let slot = self.slot(&word.text)?;
        let fits = match self.names[slot as usize].1 {
            Meaning::Value | Meaning::Operation | Meaning::Fresh => meaning == Meaning::Value,
            known @ Meaning::Attribute(_) => meaning == known,
        };
        fits.then_some(slot)
    }

    /// The name of an operation of the pattern.
    pub fn operation_name(&mut self, tree: &PatternAst) -> Option<NameId> {
        self.bind(tree.name.as_ref()?, Meaning::Operation)
    }

    pub fn in_no_register(&mut self, word: &Identifier) -> Option<Template> {
        let message = format!("`{}` is in no register", word.text);
        self.report(word.span, message, "it is computed by this very rule");
        None
    }

    /// `unshared(a)`: of an operation below a root.
    pub fn unshared(&mut self, word: &Identifier) -> Option<Guard> {
        let slot = self.slot(&word.text);
        let slot = slot.filter(|&it| self.names[it as usize].1 == Meaning::Operation);
        if slot.is_none() {
            let message = format!("`{}` is no operation inside the pattern", word.text);
            self.report(word.span, message, "give one a name: `a = Add(x, y)`");
        }
        slot.map(Guard::Alone)
    }

    /// The register that an instruction writes under the name of a root.
    pub fn named_result(&self, pattern: &Pattern) -> Option<Place> {
        let written = |slot: &NameId| self.names[*slot as usize].1 == Meaning::Value;
        pattern.name.filter(written).map(Place::Name)
    }

    fn complain_of_no_result(&mut self, pattern: &Pattern, body: &Body) {
        if let (Some(name), Some((_, last))) = (pattern.name, body.steps.last()) {
            let message = format!("nothing is in `{}`", self.names[name as usize].0);
            self.report(last.span, message, "behind this, the last instruction");
        }
    }

    /// The patterns before the last one, with the places of their results.
    pub fn extra_root_candidates(&mut self, body: &Body) -> Vec<Root> {
        let mut roots = Vec::new();
        for (at, pattern) in std::mem::take(&mut self.partners).into_iter().enumerate() {
            let out = body.out.get(at).map(|(register, _)| Place::Real(*register));
            match out.or(self.named_result(&pattern)) {
                Some(result) => roots.push(Root { pattern, result }),
                None => self.complain_of_no_result(&pattern, body),
            }
        }
        roots
    }
}

impl Match {
    /// How many results a rule has at most besides that of its last pattern.
    pub const MAX_EXTRA_ROOTS: usize = 2;

    /// Whether a name that is bound may stand for this, too. An operation may be met as an operand
    /// before it is met itself.
    pub fn is_the_same(&mut self, name: NameId, to: Binding) -> bool {
        let known = self.bound[name as usize];
        match (known, to) {
            (Binding::Covered(known), Binding::Value(id)) => known == id,
            (Binding::Value(known), Binding::Covered(id)) => {
                self.bound[name as usize] = to;
                known == id
            }
            _ => known == to,
        }
    }
}

/// How far from the root of a match, in the order of the program, its partners are looked for.
const MAX_DISTANCE: usize = 64;

impl RuleSet {
    /// Finds the roots of the further patterns of a rule: in the block of the first root, and near
    /// it, unless a name tells where.
    pub fn rest_fits(&self, program: &ProgramGraph, found: &mut Match) -> bool {
        let fits = self.extra_roots_fit(program, found) && self.are_unshared(program, found);
        #[cfg(feature = "ch19")]
        let fits =
            fits && super::matching::is_consistent(&self.variants[found.variant as usize], found);
        fits
    }

    fn extra_roots_fit(&self, program: &ProgramGraph, found: &mut Match) -> bool {
        let variant = &self.variants[found.variant as usize];
        variant.partners.iter().all(|pattern| {
            let named = pattern.name.map(|name| found.bound[name as usize]);
            let known = match named {
                Some(Binding::Value(id)) => Some(id),
                _ => None,
            };
            let at = found.root.index();
            let near = at.saturating_sub(MAX_DISTANCE)..program.len().min(at + MAX_DISTANCE);
            let near = near.map(ProgramId::from_index).filter(|_| known.is_none());
            let fit = known
                .into_iter()
                .chain(near)
                .find_map(|id| fit_extra_root(pattern, program, id, *found));
            fit.map(|fit| *found = fit).is_some()
        })
    }

    /// Whether the operations that nothing else may use are used by nothing else.
    fn are_unshared(&self, program: &ProgramGraph, found: &Match) -> bool {
        let variant = &self.variants[found.variant as usize];
        let patterns = || variant.partners.iter().chain([&variant.pattern]);
        self.rule(found.variant).guards.iter().all(|guard| match guard {
            Guard::Alone(name) => match found.bound[*name as usize] {
                Binding::Covered(id) => {
                    patterns().map(|it| it.uses(*name)).sum::<usize>() == program.uses(id)
                }
                _ => false,
            },
            Guard::Equal(..) | Guard::Property(..) => true,
        })
    }

    /// Completes the variants of a rule in which names are met again or that has several patterns.
    pub fn complete_variants(&mut self, rule: usize) {
        let partners = self.rules[rule].partners.iter();
        let choices = partners.fold(vec![Vec::new()], |choices, partner| {
            let commuted = partner.pattern.commuted();
            let longer = |choice: &Vec<Pattern>| {
                let with =
                    |last: &Pattern| [choice.as_slice(), std::slice::from_ref(last)].concat();
                commuted.iter().map(with).collect::<Vec<_>>()
            };
            choices.iter().flat_map(longer).collect()
        });
        let first = self.variants.iter().position(|it| it.rule == rule).unwrap_or(0);
        for variant in self.variants.split_off(first) {
            for partners in &choices {
                self.add_with_extra_roots(&variant, partners);
            }
        }
    }

    fn add_with_extra_roots(&mut self, variant: &Variant, partners: &[Pattern]) {
        let patterns: Vec<&Pattern> = std::iter::once(&variant.pattern).chain(partners).collect();
        let mut all = self.shapes_of(&patterns);
        let roots: Vec<Shape> = all.iter().map(|shapes| shapes[0]).collect();
        let inner = all.iter_mut().flat_map(|shapes| shapes.split_off(1));
        let number = self.variants.len();
        self.variants.push(Variant {
            size: patterns.iter().map(|pattern| pattern.size()).sum(),
            shapes: roots[..1].iter().copied().chain(inner).collect(),
            partners: partners.to_vec(),
            partner_shapes: roots[1..].to_vec(),
            ..variant.clone()
        });
        let known = &mut self.by_root[usize::from(variant.pattern.kind)];
        if !known.contains(&number) {
            known.push(number);
        }
    }

    /// The shapes of all patterns of a rule. They are found twice, for a name may be met before the
    /// operation that has it.
    fn shapes_of(&mut self, patterns: &[&Pattern]) -> Vec<Vec<Shape>> {
        self.shapes.named.clear();
        for pattern in patterns {
            let shapes = self.shapes.of(pattern);
            let names = pattern.operation_names().into_iter().zip(shapes).skip(1);
            let named = names.filter_map(|(name, shape)| Some((name?, shape)));
            self.shapes.named.extend(named);
        }
        let all = patterns.iter().map(|pattern| self.shapes.of(pattern)).collect();
        self.shapes.named.clear();
        all
    }
}

/// `found` with a further root, if `pattern` fits at `id`, nothing is made twice, and no operand is
/// what the match makes itself: all operands are there before anything is made.
fn fit_extra_root(
    pattern: &Pattern,
    program: &ProgramGraph,
    id: ProgramId,
    mut found: Match,
) -> Option<Match> {
    let is_new =
        id != found.root && !found.inner().contains(&id) && !found.extra_roots().contains(&id);
    let is_near = program.block(id) == program.block(found.root);
    if !is_new || !is_near || !node_fits(pattern, program, id, &mut found) {
        return None;
    }
    found.partners[usize::from(found.partner_count)] = id;
    found.partner_count += 1;
    let reads_itself = found.values().any(|value| found.roots().any(|root| root == value));
    (!reads_itself).then_some(found)
}

impl Pattern {
    /// The names of its operations, in the order they are written.
    fn operation_names(&self) -> Vec<Option<NameId>> {
        let below = self.operands.iter().flat_map(|operand| match operand {
            Operand::Node(inner) => inner.operation_names(),
            Operand::Memory | Operand::Value(_) | Operand::Again(_) => Vec::new(),
        });
        std::iter::once(self.name).chain(below).collect()
    }

    /// The names of its operands, as often as they stand there.
    pub fn values_met(&self, met: &mut Vec<NameId>) {
        for operand in &self.operands {
            match operand {
                Operand::Memory => {}
                Operand::Value(slot) | Operand::Again(slot) => met.push(*slot),
                Operand::Node(inner) => inner.values_met(met),
            }
        }
    }

    /// Notes whose operands are told apart, if these are the names of all operands of the rule.
    pub fn tell_apart(&mut self, met: &[NameId]) {
        let several = |slot: &NameId| met.iter().filter(|it| *it == slot).count() > 1;
        self.told_apart = self.operands.iter().any(|operand| match operand {
            Operand::Value(slot) | Operand::Again(slot) => several(slot),
            Operand::Memory | Operand::Node(_) => false,
        });
        for operand in &mut self.operands {
            if let Operand::Node(inner) = operand {
                inner.tell_apart(met);
            }
        }
    }

    /// All names in it.
    fn slots(&self) -> Vec<NameId> {
        let own = self.name.into_iter().chain(self.binds);
        let below = self.operands.iter().flat_map(|operand| match operand {
            Operand::Memory => Vec::new(),
            Operand::Value(slot) | Operand::Again(slot) => vec![*slot],
            Operand::Node(inner) => inner.slots(),
        });
        own.chain(below).collect()
    }
}
