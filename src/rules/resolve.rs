//! Resolves the names of a rule: turns its syntax tree into a rule that can be applied.
use super::Guard;
use super::ResultLocation;
use super::function::PROPERTIES;
#[cfg(feature = "ch10")]
use super::function::RELATION_PROPERTIES;
use super::length::Length;
use super::pattern::{NameId, Operand, Pattern, kind};
use super::{InstructionTemplate, Rule};
use crate::diagnostics::{Code, Diagnostic, closest};
use crate::firm::{Mode, Op};
use crate::target::Target;
use rule_text::{GuardAst, Identifier, OperandAst, PatternAst, RuleAst};
use source::Span;

/// The rule that `tree` describes for `target`, or its errors.
pub fn resolve(tree: RuleAst, target: &Target) -> Result<Rule, Vec<Diagnostic>> {
    let mut resolver = Resolver {
        target,
        names: Vec::new(),
        fixed: Vec::new(),
        #[cfg(feature = "ch05")]
        root: None,
        #[cfg(feature = "ch10")]
        extra_roots: Vec::new(),
        diagnostics: vec![],
    };
    let rule = resolver.rule(tree);
    match rule {
        Some(rule) if resolver.diagnostics.is_empty() => Ok(rule),
        _ => Err(resolver.diagnostics),
    }
}

/// The kind of a name of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameKind {
    /// A value that the pattern reads from a register.
    Value,
    /// An operation of the pattern, which is in no register.
    #[cfg(feature = "ch10")]
    Operation,
    /// The number or the relation of a node of this kind.
    Attribute(Op, Mode),
    /// A register that the instructions write.
    Fresh,
}

pub struct Resolver<'t> {
    pub target: &'t Target,
    /// The names of the rule, indexed by `NameId`.
    pub names: Vec<(String, NameKind)>,
    pub fixed: Vec<(NameId, u8)>,
    /// The operation at the root of the pattern.
    #[cfg(feature = "ch05")]
    pub root: Option<Op>,
    /// The patterns before the last one.
    #[cfg(feature = "ch10")]
    pub extra_roots: Vec<Pattern>,
    pub diagnostics: Vec<Diagnostic>,
}

/// The instructions of a rule and what is said about them, each with its place.
pub struct Body<'w> {
    pub steps: Vec<(InstructionTemplate, &'w Identifier)>,
    /// The locations of the results, if the rule says where they are.
    pub out: Vec<(ResultLocation, Span)>,
    #[cfg(feature = "ch19")]
    pub clobbers: Vec<(u8, Span)>,
}

impl Resolver<'_> {
    pub fn report(&mut self, span: Span, message: String, label: &str) {
        self.diagnostics.push(Diagnostic::new(Code::Rule, span, message, label));
    }

    /// Reports that there is no `category` of this name, and suggests the closest one.
    pub fn unknown(&mut self, category: &str, word: &Identifier, known: &[&str]) {
        let message = format!("there is no {category} `{}`", word.text);
        let mut diagnostic =
            Diagnostic::new(Code::Rule, word.span, message, "this name is not known");
        let suggestion = closest(&word.text, known.iter().copied());
        diagnostic.help = suggestion.map(|name| format!("did you mean `{name}`?"));
        self.diagnostics.push(diagnostic);
    }

    /// Reports a form of the syntax that has no meaning for machine rules.
    pub fn not_supported<T>(&mut self, span: Span) -> Option<T> {
        self.report(span, "rules of machines have no such form".to_string(), "this form");
        None
    }

    fn whole_pattern(&mut self, tree: &RuleAst) -> Option<Pattern> {
        #[cfg(feature = "ch10")]
        self.resolve_extra_roots(tree)?;
        let pattern = self.pattern(tree.roots.last()?, None)?;
        #[cfg(feature = "ch05")]
        self.root.replace(pattern.op);
        #[cfg(feature = "ch10")]
        let pattern = self.finish_patterns(tree, pattern);
        Some(pattern)
    }

    fn rule(&mut self, tree: RuleAst) -> Option<Rule> {
        let pattern = self.whole_pattern(&tree)?;
        let guards: Vec<_> = tree.guards.iter().filter_map(|guard| self.guard(guard)).collect();
        let mut steps = Vec::new();
        for step in &tree.instructions {
            steps.extend(self.instruction(step).map(|found| (found, &step.mnemonic)));
        }
        #[cfg(feature = "ch04")]
        for (step, word) in &steps {
            self.check_scale(step, word, &guards);
        }
        let body = Body {
            steps,
            out: self.locations(&tree.out),
            #[cfg(feature = "ch19")]
            clobbers: self.registers(&tree.clobbers),
        };
        let result = self.result(&pattern, &body);
        // The effect of an unknown instruction is unknown, so later checks would mislead.
        #[cfg(feature = "ch19")]
        if self.diagnostics.is_empty() {
            self.check_pattern_size(&tree, &pattern);
            self.check_rule(&tree, &pattern, &body, result);
        }
        Some(Rule {
            name: tree.name.text.clone(),
            #[cfg(feature = "ch10")]
            extra_roots: self.extra_roots_with_results(&body),
            tied: self.tied(&pattern, &body),
            pattern,
            length: Length::new(self.target, body.steps.iter().map(|it| &it.0)),
            guards,
            fixed: std::mem::take(&mut self.fixed),
            steps: body.steps.into_iter().map(|(step, _)| step).collect(),
            result,
            cycles: tree.cycles,
            #[cfg(feature = "ch19")]
            names: self.names.drain(..).map(|(name, _)| name).collect(),
            tree,
        })
    }

    #[cfg(feature = "ch19")]
    fn check_pattern_size(&mut self, tree: &RuleAst, pattern: &Pattern) {
        if pattern.size() > Rule::MAX_OPERATIONS
            && let Some(root) = tree.roots.last()
        {
            let message = format!("a pattern has at most {} operations", Rule::MAX_OPERATIONS);
            self.report(root.operation.span, message, "this one has more");
        }
    }

    pub fn find_name(&self, name: &str) -> Option<NameId> {
        self.names.iter().position(|(known, _)| known == name).map(|at| at as NameId)
    }

    /// A name that the pattern binds.
    pub fn bind(&mut self, word: &Identifier, kind: NameKind) -> Option<NameId> {
        if self.find_name(&word.text).is_some() {
            #[cfg(feature = "ch10")]
            if let Some(name_id) = self.repeated(word, kind) {
                return Some(name_id);
            }
            let message = format!("`{}` is bound twice", word.text);
            self.report(word.span, message, "this name is already bound");
            return None;
        }
        self.fresh(word, kind)
    }

    pub fn fresh(&mut self, word: &Identifier, kind: NameKind) -> Option<NameId> {
        #[cfg(feature = "ch19")]
        if self.names.len() == Rule::MAX_NAMES {
            let message = format!("a rule has at most {} names", Rule::MAX_NAMES);
            self.report(word.span, message, "this is one too many");
            return None;
        }
        self.names.push((word.text.clone(), kind));
        Some((self.names.len() - 1) as NameId)
    }

    /// The existing registers among these names, with their spans.
    #[cfg(feature = "ch19")]
    fn registers(&mut self, words: &[Identifier]) -> Vec<(u8, Span)> {
        words.iter().filter_map(|word| Some((self.register(word)?, word.span))).collect()
    }

    /// The locations that `out` names: operands that instructions overwrite, and real registers.
    fn locations(&mut self, words: &[Identifier]) -> Vec<(ResultLocation, Span)> {
        let location = |word: &Identifier| {
            #[cfg(feature = "ch14")]
            if let Some(name) = self.names.iter().position(|name| name.0 == word.text) {
                return Some((ResultLocation::Name(name as NameId), word.span));
            }
            Some((ResultLocation::Real(self.register(word)?), word.span))
        };
        words.iter().filter_map(location).collect()
    }

    /// The real register of this name; not the one that holds the stack.
    pub fn register(&mut self, word: &Identifier) -> Option<u8> {
        let registers = self.target.registers;
        match registers.iter().position(|name| *name == word.text) {
            #[cfg(feature = "ch19")]
            Some(number) if Some(number as u8) == self.target.stack => {
                let message = format!("{} holds the stack", word.text);
                self.report(word.span, message, "rules may not use it");
                None
            }
            Some(number) => Some(number as u8),
            None => {
                let category = format!("{} register", self.target.name);
                self.unknown(&category, word, registers);
                None
            }
        }
    }
}

/// Patterns.
impl Resolver<'_> {
    /// A pattern; where it is an operand, a mode is expected.
    pub fn pattern(&mut self, tree: &PatternAst, expected: Option<Mode>) -> Option<Pattern> {
        let has_name = |op: &Op| op.row().name == tree.operation.text;
        let Some(op) = Op::kinds().find(has_name) else {
            let names: Vec<_> = Op::kinds().map(|op| op.row().name).collect();
            self.unknown("operation", &tree.operation, &names);
            return None;
        };
        #[cfg(feature = "ch19")]
        if !op.is_selected() {
            let message = format!("{} becomes no instruction", op.row().name);
            self.report(tree.operation.span, message, "rules do not cover it");
            return None;
        }
        let mode = self.mode(tree.mode.as_ref(), op, expected);
        let binds = self.attribute(op, mode, tree);
        let operands = self.operands(op, mode, tree)?;
        Some(Pattern {
            #[cfg(feature = "ch10")]
            name: self.operation_name(tree),
            op,
            kind: kind(op, mode),
            mode,
            binds,
            #[cfg(feature = "ch04")]
            mirrored: false,
            #[cfg(feature = "ch19")]
            ordered: tree.ordered.is_some(),
            #[cfg(feature = "ch10")]
            has_repeated_operand: false,
            operands,
        })
    }

    /// `ordered` must make a difference.
    #[cfg(feature = "ch19")]
    pub fn check_ordered(&mut self, tree: &RuleAst, last: &Pattern) {
        let mut useless = Vec::new();
        let mut open: Vec<_> =
            tree.roots.iter().zip(self.extra_roots.iter().chain([last])).collect();
        while let Some((tree, pattern)) = open.pop() {
            useless.extend(tree.ordered.filter(|_| !pattern.commutes()));
            open.extend(tree.operands.iter().zip(&pattern.operands).filter_map(|it| match it {
                (OperandAst::Pattern(tree), Operand::Node(pattern)) => Some((tree, pattern)),
                _ => None,
            }));
        }
        for ordered in useless {
            let message = "these operands do not commute".to_string();
            self.report(ordered, message, "leave this out");
        }
    }

    /// The mode that is written, or else one in which the operation yields a value of the expected
    /// mode, if there is one.
    fn mode(&mut self, word: Option<&Identifier>, op: Op, expected: Option<Mode>) -> Mode {
        let (modes, value) = (op.row().modes, op.row().value);
        let is_written = |mode: &Mode| word.is_none_or(|word| mode.name() == word.text);
        let yields = |mode: &Mode| expected.is_none_or(|it| it == value.of(*mode));
        let is_expected = |mode: &Mode| word.is_some() || yields(mode);
        let found = modes.iter().copied().find(|mode| is_written(mode) && is_expected(mode));
        if let (None, Some(word)) = (found, word) {
            let message = format!("{} has no mode `{}`", op.row().name, word.text);
            let names: Vec<_> = modes.iter().map(|mode| mode.name()).collect();
            self.report(word.span, message, &format!("its mode is {}", names.join(" or ")));
        }
        found.unwrap_or(modes[0])
    }

    /// The name that the node's number or relation is bound to.
    fn attribute(&mut self, op: Op, mode: Mode, tree: &PatternAst) -> Option<NameId> {
        let wrong = match (&tree.relation, &tree.attribute) {
            #[cfg(feature = "ch04")]
            (Some(name), None) if op.has_relation() => {
                return self.bind(name, NameKind::Attribute(op, mode));
            }
            (None, Some(name)) if op.number().is_some() => {
                return self.bind(name, NameKind::Attribute(op, mode));
            }
            (Some(name), _) | (None, Some(name)) => name,
            (None, None) => return None,
        };
        let message = format!("{} has nothing to bind to `{}`", op.row().name, wrong.text);
        self.report(wrong.span, message, "leave this out");
        None
    }

    fn operands(&mut self, op: Op, own: Mode, tree: &PatternAst) -> Option<Vec<Operand>> {
        let expected = op.row().operands;
        if expected.len() != tree.operands.len() {
            let (name, found) = (op.row().name, tree.operands.len());
            let message = format!("{name} has {} operands, not {found}", expected.len());
            self.report(tree.operation.span, message, "this pattern never matches");
            return None;
        }
        let pairs = tree.operands.iter().zip(expected);
        let operands: Vec<_> =
            pairs.map(|(operand, mode)| self.operand(operand, mode.of(own))).collect();
        operands.into_iter().collect()
    }

    fn operand(&mut self, operand: &OperandAst, mode: Mode) -> Option<Operand> {
        match operand {
            #[cfg(feature = "ch19")]
            OperandAst::Value(_, Some(register)) if mode == Mode::M => {
                let message = "memory is in no register".to_string();
                self.report(register.span, message, "leave this out");
                None
            }
            OperandAst::Value(..) if mode == Mode::M => Some(Operand::Memory),
            OperandAst::Value(name, register) => {
                #[cfg(feature = "ch10")]
                let known = self.names.len();
                let name_id = self.bind(name, NameKind::Value)?;
                if let Some(register) = register {
                    let register = self.register(register)?;
                    self.fixed.push((name_id, register));
                }
                #[cfg(feature = "ch10")]
                if usize::from(name_id) < known {
                    return Some(Operand::Repeated(name_id));
                }
                Some(Operand::Value(name_id))
            }
            OperandAst::Pattern(pattern) => self.inner_pattern(pattern, mode),
            other => self.not_supported(other.span()),
        }
    }

    /// The pattern of an operand.
    fn inner_pattern(&mut self, pattern: &PatternAst, mode: Mode) -> Option<Operand> {
        #[cfg(feature = "ch19")]
        if mode == Mode::M {
            let message = "patterns do not match memory".to_string();
            self.report(pattern.operation.span, message, "a name is needed here");
            return None;
        }
        let inner = self.pattern(pattern, Some(mode))?;
        if inner.op.value_mode(inner.mode) != mode {
            let (name, mode) = (inner.op.row().name, mode.name());
            let message = format!("{name} does not yield a value of mode {mode}");
            self.report(pattern.operation.span, message, "this pattern never matches");
            return None;
        }
        Some(Operand::Node(inner))
    }

    fn guard(&mut self, guard: &GuardAst) -> Option<Guard> {
        match guard {
            GuardAst::Equal(name, number) => Some(Guard::Equal(self.number(name)?, *number)),
            #[cfg(feature = "ch14")]
            GuardAst::Property(property, names)
                if let ("complements", [one, other]) = (&*property.text, &names[..]) =>
            {
                Some(Guard::Complements(self.number(one)?, self.number(other)?))
            }
            GuardAst::Property(property, names) => self.property(property, names),
            other => self.not_supported(other.span()),
        }
    }

    /// A property of one name.
    fn property(&mut self, property: &Identifier, names: &[Identifier]) -> Option<Guard> {
        let [name] = names else { return self.not_supported(property.span) };
        #[cfg(feature = "ch10")]
        if property.text == "unshared" {
            return self.unshared(name);
        }
        #[cfg(feature = "ch14")]
        if property.text == "natural" {
            return self.natural(name);
        }
        #[cfg(feature = "ch10")]
        if let Some(row) = RELATION_PROPERTIES.iter().find(|row| row.name == property.text) {
            return Some(Guard::Property(self.relation_name(name)?, row));
        }
        let name_id = self.number(name)?;
        let row = PROPERTIES.iter().find(|row| row.name == property.text);
        if row.is_none() {
            let known: Vec<_> = PROPERTIES.iter().map(|row| row.name).collect();
            self.unknown("property", property, &known);
        }
        row.map(|row| Guard::Property(name_id, row))
    }

    /// `natural(x)`: of a value in a register.
    #[cfg(feature = "ch14")]
    fn natural(&mut self, word: &Identifier) -> Option<Guard> {
        let hint = "a value is an operand that is no pattern";
        let is_value = |kind| kind == NameKind::Value;
        self.name_of_kind(word, is_value, "value of the pattern", hint).map(Guard::Natural)
    }

    /// A name that is bound to a relation.
    #[cfg(feature = "ch10")]
    pub fn relation_name(&mut self, word: &Identifier) -> Option<NameId> {
        let is_relation = |kind| matches!(kind, NameKind::Attribute(op, _) if op.has_relation());
        let hint = "a relation is bound by `Cmp.`";
        self.name_of_kind(word, is_relation, "relation of the pattern", hint)
    }

    /// A name of the pattern; reports it if it is of another kind.
    pub fn name_of_kind(
        &mut self,
        word: &Identifier,
        is_kind: impl Fn(NameKind) -> bool,
        kind: &str,
        hint: &str,
    ) -> Option<NameId> {
        let found = self.find_name(&word.text).filter(|&it| is_kind(self.names[it as usize].1));
        if found.is_none() {
            self.report(word.span, format!("`{}` is no {kind}", word.text), hint);
        }
        found
    }

    /// A name that is bound to a number.
    pub fn number(&mut self, word: &Identifier) -> Option<NameId> {
        let is_number = |kind| match kind {
            #[cfg(feature = "ch14")]
            NameKind::Attribute(Op::SymConst(_), _) => false,
            NameKind::Attribute(op, _) => op.number().is_some(),
            _ => false,
        };
        self.name_of_kind(word, is_number, "number of the pattern", "a number is bound by `Const`")
    }
}
