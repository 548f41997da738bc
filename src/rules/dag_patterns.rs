//! Patterns that are no trees: repeated names, and rules with several results.
//!
//! ```text
//! rule remainder: r = Sub:Is(x, Mul:Is(Div:Is(x, y), y)) => …
//! rule both: q = Div:Is(x in eax, y), Sub:Is(x, Mul:Is(q, y)) => cdq; idiv y; out eax edx; …
//! ```
//! A repeated name means the same value, the same number, or the same operation. A rule with
//! several patterns computes all their values at once, so selection uses all of them or none. A
//! pattern may use the result of an earlier one.
use super::matching::{Binding, Listed, Variant, match_node};
use super::pattern::{NameId, Operand, Pattern, Shape};
#[cfg(feature = "ch19")]
use super::required_kinds::{RequiredKinds, first_guarded};
use super::resolve::{Body, NameKind, Resolver};
use super::{
    Guard, Match, OperandTemplate, ProgramGraph, ProgramId, ResultLocation, Root, Rule, RuleSet,
};
use crate::firm::Mode;
use arena::Id;
use rule_text::{Identifier, PatternAst, RuleAst};

impl Resolver<'_> {
    /// The patterns before the last one.
    pub fn resolve_extra_roots(&mut self, tree: &RuleAst) -> Option<()> {
        let (_, extra_roots) = tree.roots.split_last()?;
        for root in extra_roots {
            let known_names = self.names.len();
            let pattern = self.pattern(root, None)?;
            self.expect_result(&pattern);
            if matches!(pattern.op.value_mode(pattern.mode), Mode::X | Mode::M) {
                let message = format!("{} is not the last pattern", root.operation.text);
                let is_jump = pattern.op.value_mode(pattern.mode) == Mode::X;
                let reason = if is_jump { "a jump ends its block" } else { "it yields no value" };
                self.report(root.operation.span, message, reason);
                return None;
            }
            if root.name.is_none() {
                let message = "this pattern has no name".to_string();
                self.report(root.operation.span, message, "its value needs a name");
            }
            if !self.extra_roots.is_empty()
                && !pattern.names().iter().any(|&it| it < known_names as NameId)
            {
                let message = "this pattern is not connected to those before it".to_string();
                self.report(root.operation.span, message, "it shares no name with them");
            }
            self.extra_roots.push(pattern);
        }
        if let Some(further) = extra_roots.get(Match::MAX_EXTRA_ROOTS) {
            let message = format!("a rule has at most {} results", Match::MAX_EXTRA_ROOTS + 1);
            self.report(further.operation.span, message, "this is one too many");
        }
        Some(())
    }

    /// Checks all patterns together, and marks those that have a repeated operand.
    pub fn finish_patterns(&mut self, tree: &RuleAst, mut last: Pattern) -> Pattern {
        self.expect_result(&last);
        self.mark_repeated_operands(&mut last);
        self.check_size(tree, &last);
        #[cfg(feature = "ch19")]
        self.check_ordered(tree, &last);
        #[cfg(feature = "ch10")]
        self.check_accesses(tree, &last);
        last
    }

    fn mark_repeated_operands(&mut self, last: &mut Pattern) {
        let mut met = Vec::new();
        self.extra_roots.iter().for_each(|root| root.collect_operand_names(&mut met));
        last.collect_operand_names(&mut met);
        self.extra_roots.iter_mut().for_each(|root| root.mark_repeated_operands(&met));
        last.mark_repeated_operands(&met);
    }

    /// All patterns of a rule together have a limited number of operations.
    fn check_size(&mut self, tree: &RuleAst, last: &Pattern) {
        let size = last.size() + self.extra_roots.iter().map(Pattern::size).sum::<usize>();
        if last.size() <= Rule::MAX_OPERATIONS && size > Rule::MAX_OPERATIONS {
            let max = Rule::MAX_OPERATIONS;
            let message = format!("the patterns of a rule have at most {max} operations");
            self.report(tree.name.span, message, &format!("these have {size}"));
        }
    }

    /// From now on the name of a root is the register of its value.
    pub fn expect_result(&mut self, pattern: &Pattern) {
        if let Some(name_id) = pattern.name {
            self.names[name_id as usize].1 = NameKind::Fresh;
        }
    }

    /// A repeated name, if its earlier meaning permits this use.
    pub fn repeated(&mut self, word: &Identifier, kind: NameKind) -> Option<NameId> {
        let name_id = self.find_name(&word.text)?;
        let is_permitted = match self.names[name_id as usize].1 {
            NameKind::Value | NameKind::Operation | NameKind::Fresh => kind == NameKind::Value,
            known @ NameKind::Attribute(..) => kind == known,
        };
        is_permitted.then_some(name_id)
    }

    /// The name of an operation of the pattern.
    pub fn operation_name(&mut self, tree: &PatternAst) -> Option<NameId> {
        self.bind(tree.name.as_ref()?, NameKind::Operation)
    }

    pub fn report_not_in_register(&mut self, word: &Identifier) -> Option<OperandTemplate> {
        let message = format!("`{}` is in no register", word.text);
        self.report(word.span, message, "it is computed inside this rule");
        None
    }

    /// `unshared(a)`: of an operation below a root.
    pub fn unshared(&mut self, word: &Identifier) -> Option<Guard> {
        let is_operation = |kind| kind == NameKind::Operation;
        let (kind, hint) = ("operation inside the pattern", "give one a name: `a = Add(x, y)`");
        self.name_of_kind(word, is_operation, kind, hint).map(Guard::Unshared)
    }

    /// The register with the name of a root, if an instruction writes it.
    pub fn named_result(&self, pattern: &Pattern) -> Option<ResultLocation> {
        let written = |name_id: &NameId| self.names[*name_id as usize].1 == NameKind::Value;
        pattern.name.filter(written).map(ResultLocation::Name)
    }

    fn report_missing_result(&mut self, pattern: &Pattern, body: &Body) {
        if let (Some(name), Some((_, last))) = (pattern.name, body.steps.last()) {
            let message = format!("`{}` was never written", self.names[name as usize].0);
            self.report(last.span, message, "by the last instruction");
        }
    }

    /// The patterns before the last one, with the locations of their results.
    pub fn extra_roots_with_results(&mut self, body: &Body) -> Vec<Root> {
        let mut roots = Vec::new();
        for (at, pattern) in std::mem::take(&mut self.extra_roots).into_iter().enumerate() {
            let out = body.out.get(at).map(|it| it.0);
            match out.or(self.named_result(&pattern)) {
                Some(result) => roots.push(Root { pattern, result }),
                None => self.report_missing_result(&pattern, body),
            }
        }
        roots
    }
}

impl Match {
    /// The maximal number of results besides that of the last pattern.
    pub const MAX_EXTRA_ROOTS: usize = 2;

    /// Whether a name is already bound to this. An operation may occur as an operand before it is
    /// matched itself.
    pub fn is_bound_to(&mut self, name: NameId, to: Binding) -> bool {
        let known = self.bindings[name as usize];
        match (known, to) {
            (Binding::Covered(known), Binding::Value(id)) => known == id,
            (Binding::Value(known), Binding::Covered(id)) => {
                self.bindings[name as usize] = to;
                known == id
            }
            _ => known == to,
        }
    }
}

impl Guard {
    /// Whether it is not about a number alone.
    fn is_about_program(&self) -> bool {
        match self {
            Guard::Unshared(_) => true,
            #[cfg(feature = "ch14")]
            Guard::Natural(_) => true,
            _ => false,
        }
    }
}

/// The maximal distance between the roots of a match, in the order of the program.
const MAX_DISTANCE: usize = 64;

impl RuleSet {
    /// Finds the roots of the further patterns of a rule: in the block of the first root and near
    /// it, unless a name determines the root.
    pub fn find_extra_roots(&self, program: &ProgramGraph, found: &mut Match) -> bool {
        let variant = &self.variants[found.variant as usize];
        variant.extra_roots.iter().all(|pattern| {
            let named = pattern.name.map(|name| found.bindings[name as usize]);
            let known = match named {
                Some(Binding::Value(id)) => Some(id),
                _ => None,
            };
            let at = found.root.index();
            let near = at.saturating_sub(MAX_DISTANCE)..program.len().min(at + MAX_DISTANCE);
            let near = near.map(ProgramId::from_index).filter(|_| known.is_none());
            let matched = known
                .into_iter()
                .chain(near)
                .find_map(|id| match_extra_root(pattern, program, id, *found));
            matched.map(|matched| *found = matched).is_some()
        })
    }

    /// Finds the variants with matches that depend on their pattern and their guards alone.
    pub fn mark_plain_variants(&mut self) {
        for at in 0..self.variants.len() {
            self.variants[at].is_plain = self.is_plain(&self.variants[at]);
        }
    }

    fn is_plain(&self, variant: &Variant) -> bool {
        let is_plain = variant.extra_roots.is_empty()
            && !variant.pattern.moves_access()
            && !self.rules[variant.rule].guards.iter().any(Guard::is_about_program);
        #[cfg(feature = "ch19")]
        let is_plain = is_plain && !variant.may_cover_twice() && !self.may_be_redundant(variant);
        is_plain
    }

    /// Whether the guards about the program hold.
    pub fn fits_program(&self, program: &ProgramGraph, found: &Match) -> bool {
        let variant = &self.variants[found.variant as usize];
        let patterns = || variant.extra_roots.iter().chain([&variant.pattern]);
        self.rule(found.variant).guards.iter().all(|guard| match guard {
            Guard::Unshared(name) => match found.bindings[*name as usize] {
                Binding::Covered(id) => {
                    patterns().map(|it| it.uses(*name)).sum::<usize>() == program.uses(id)
                }
                _ => false,
            },
            #[cfg(feature = "ch14")]
            Guard::Natural(name) => match found.bindings[*name as usize] {
                Binding::Value(id) => program.is_natural(id, found.root),
                _ => false,
            },
            _ => true,
        })
    }

    /// Completes the variants of a rule that has several patterns, or operations with names.
    pub fn complete_variants(&mut self, rule: usize) {
        let Rule { pattern, extra_roots, .. } = &self.rules[rule];
        if extra_roots.is_empty() && pattern.operation_names().iter().all(Option::is_none) {
            return;
        }
        let extra_roots = self.rules[rule].extra_roots.iter();
        let choices = extra_roots.fold(vec![Vec::new()], |choices, root| {
            let commuted = root.pattern.commuted();
            let longer = |choice: &Vec<Pattern>| {
                let with =
                    |last: &Pattern| [choice.as_slice(), std::slice::from_ref(last)].concat();
                commuted.iter().map(with).collect::<Vec<_>>()
            };
            choices.iter().flat_map(longer).collect()
        });
        let first = self.variants.iter().position(|it| it.rule == rule).unwrap_or(0);
        let kind = usize::from(self.rules[rule].pattern.kind);
        self.by_root[kind].retain(|it| (it.variant as usize) < first);
        for variant in self.variants.split_off(first) {
            for extra_roots in &choices {
                self.add_with_extra_roots(&variant, extra_roots);
            }
        }
    }

    fn add_with_extra_roots(&mut self, variant: &Variant, extra_roots: &[Pattern]) {
        let patterns: Vec<&Pattern> =
            std::iter::once(&variant.pattern).chain(extra_roots).collect();
        let mut all = self.shapes_of(&patterns);
        let roots: Vec<Shape> = all.iter().map(|shapes| shapes[0]).collect();
        let inner = all.iter_mut().flat_map(|shapes| shapes.split_off(1));
        let listed = Listed {
            variant: self.variants.len() as u32,
            #[cfg(feature = "ch19")]
            required: RequiredKinds::of(&variant.pattern),
            #[cfg(feature = "ch19")]
            guarded: first_guarded(&self.rules[variant.rule].guards, &variant.pattern),
        };
        self.by_root[usize::from(variant.pattern.kind)].push(listed);
        self.variants.push(Variant {
            size: patterns.iter().map(|pattern| pattern.size()).sum(),
            shapes: roots[..1].iter().copied().chain(inner).collect(),
            extra_roots: extra_roots.to_vec(),
            extra_root_shapes: roots[1..].to_vec(),
            ..variant.clone()
        });
    }

    /// The shapes of all patterns of a rule. They are computed twice, since a name may be used
    /// before the operation that has it.
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

/// `found` with a further root, if `pattern` matches at `id`, no result is computed twice, and no
/// operand is a result of the match: all operands must exist before its first instruction.
fn match_extra_root(
    pattern: &Pattern,
    program: &ProgramGraph,
    id: ProgramId,
    mut found: Match,
) -> Option<Match> {
    let is_new =
        id != found.root && !found.inner().contains(&id) && !found.extra_roots().contains(&id);
    let is_near = program.block(id) == program.block(found.root);
    if !is_new || !is_near || !match_node(pattern, program, id, &mut found) {
        return None;
    }
    found.extra_roots[usize::from(found.extra_root_count)] = id;
    found.extra_root_count += 1;
    let reads_itself = found.values().any(|value| found.roots().any(|root| root == value));
    (!reads_itself).then_some(found)
}

impl Pattern {
    /// The names of its operations, in written order.
    fn operation_names(&self) -> Vec<Option<NameId>> {
        let below = self.operands.iter().flat_map(|operand| match operand {
            Operand::Node(inner) => inner.operation_names(),
            Operand::Memory | Operand::Value(_) | Operand::Repeated(_) => Vec::new(),
        });
        std::iter::once(self.name).chain(below).collect()
    }

    /// The names of its operands, with repetitions.
    pub fn collect_operand_names(&self, met: &mut Vec<NameId>) {
        for operand in &self.operands {
            match operand {
                Operand::Memory => {}
                Operand::Value(name_id) | Operand::Repeated(name_id) => met.push(*name_id),
                Operand::Node(inner) => inner.collect_operand_names(met),
            }
        }
    }

    /// Marks the operations with repeated operands; `met` are the names of all operands of the
    /// rule.
    pub fn mark_repeated_operands(&mut self, met: &[NameId]) {
        let several = |name_id: &NameId| met.iter().filter(|it| *it == name_id).count() > 1;
        self.has_repeated_operand = self.operands.iter().any(|operand| match operand {
            Operand::Value(name_id) | Operand::Repeated(name_id) => several(name_id),
            Operand::Memory | Operand::Node(_) => false,
        });
        for operand in &mut self.operands {
            if let Operand::Node(inner) = operand {
                inner.mark_repeated_operands(met);
            }
        }
    }

    /// All names in it.
    fn names(&self) -> Vec<NameId> {
        let own = self.name.into_iter().chain(self.binds);
        let below = self.operands.iter().flat_map(|operand| match operand {
            Operand::Memory => Vec::new(),
            Operand::Value(name_id) | Operand::Repeated(name_id) => vec![*name_id],
            Operand::Node(inner) => inner.names(),
        });
        own.chain(below).collect()
    }
}
