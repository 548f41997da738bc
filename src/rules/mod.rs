//! The rule language: a text that assigns instructions to patterns of a Firm graph.
//!
//! Source: S. Buchwald, A. Zwinkau, "Instruction Selection by Graph Transformation", CASES 2010.
//! Nothing here depends on a machine; a rule set is read for a `Target`.
#[cfg(feature = "ch04")]
mod address;
#[cfg(feature = "ch19")]
mod check_instructions;
#[cfg(feature = "ch19")]
mod check_jumps;
#[cfg(feature = "ch19")]
mod completion;
#[cfg(feature = "ch19")]
mod composable;
#[cfg(feature = "ch19")]
mod cover;
#[cfg(feature = "ch19")]
mod dot;
#[cfg(test)]
mod instantiate;
#[cfg(feature = "ch04")]
mod forms;
mod function;
#[cfg(feature = "ch19")]
mod compose;
mod instruction;
mod length;
#[cfg(feature = "ch05")]
mod jump;
#[cfg(feature = "ch25")]
mod single_operation;
mod matching;
pub mod operand;
#[cfg(feature = "ch10")]
mod memory_order;
#[cfg(feature = "ch19")]
pub mod semantics;
#[cfg(feature = "ch19")]
mod required_patterns;
#[cfg(feature = "ch19")]
mod required_kinds;
#[cfg(feature = "ch19")]
mod overlay;
mod pattern;
#[cfg(feature = "ch19")]
mod print;
mod program_graph;
mod resolve;
mod result;
#[cfg(feature = "ch19")]
mod subsumption;
#[cfg(feature = "ch10")]
mod dag_patterns;
#[cfg(feature = "ch19")]
mod tree_expansion;
#[cfg(feature = "ch19")]
mod commuted_matches;

#[cfg(feature = "ch19")]
pub use completion::check;
#[cfg(feature = "ch04")]
pub use matching::Matcher;
pub use matching::{Binding, Match, MatchKey, matches};
pub use pattern::NameId;
#[cfg(feature = "ch04")]
pub use pattern::Shape;
pub use program_graph::{ProgramGraph, ProgramId};
#[cfg(feature = "ch25")]
pub use single_operation::Replacement;

#[cfg(feature = "ch04")]
use crate::arith::Relation;
use crate::chapter::this_chapter;
use crate::diagnostics::Diagnostic;
#[cfg(feature = "ch29")]
use crate::firm::{Mode, Op};
use crate::target::{OperandConstraint, Target};
use function::{Function, Property};
use length::Length;
use matching::{Listed, Variant};
use pattern::Pattern;
#[cfg(feature = "ch04")]
use pattern::Shapes;
#[cfg(feature = "ch19")]
use required_kinds::{RequiredKinds, first_guarded};
use rule_text::RuleAst;
use source::Source;

/// A rule: a pattern with guards, its instructions, and their cost.
#[derive(Clone, Debug)]
pub struct Rule {
    pub name: String,
    /// The rule as it is written.
    tree: RuleAst,
    /// Its results besides the value of its pattern.
    #[cfg(feature = "ch10")]
    pub extra_roots: Vec<Root>,
    pattern: Pattern,
    guards: Vec<Guard>,
    /// Values that must be in fixed registers.
    pub fixed: Vec<(NameId, u8)>,
    pub steps: Vec<InstructionTemplate>,
    /// The location of the result; none if the root yields no value.
    result: Option<ResultLocation>,
    /// The operands of which the instructions overwrite one. No copy is needed if one of them has
    /// no later use.
    pub tied: Vec<NameId>,
    length: Length,
    pub cycles: u32,
    /// The texts of its names, indexed by `NameId`.
    #[cfg(feature = "ch19")]
    names: Vec<String>,
}

impl Rule {
    pub const MAX_NAMES: usize = 16;
    pub const MAX_OPERATIONS: usize = 14;

    /// The text of the rule, on one line.
    pub fn text(&self) -> String {
        self.tree.to_string()
    }

    /// The text of the rule as it is written, if it uses forms.
    #[cfg(feature = "ch04")]
    pub fn with_forms(&self) -> Option<&str> {
        self.tree.with_forms.as_deref()
    }

    /// The name of the rule as it is written, and those of the alternatives of its forms.
    #[cfg(feature = "ch04")]
    pub fn written(&self) -> impl Iterator<Item = &str> {
        let alternatives = self.tree.alternatives.iter().map(|it| it.name.text.as_str());
        std::iter::once(self.tree.written.as_str()).chain(alternatives)
    }

    /// The locations of its results, in the order of the roots of its matches.
    pub fn results(&self) -> impl Iterator<Item = Option<ResultLocation>> {
        let results = std::iter::once(self.result);
        #[cfg(feature = "ch10")]
        let results = results.chain(self.extra_roots.iter().map(|it| Some(it.result)));
        results
    }
}

/// A pattern and the location of its result.
#[cfg(feature = "ch10")]
#[derive(Clone, Debug)]
pub struct Root {
    pattern: Pattern,
    pub result: ResultLocation,
}

#[derive(Clone, Copy, Debug)]
pub enum Guard {
    Equal(NameId, i64),
    Property(NameId, &'static Property),
    /// The operation has no use outside the pattern.
    #[cfg(feature = "ch10")]
    Unshared(NameId),
    /// The value is not negative where the operation is.
    #[cfg(feature = "ch14")]
    Natural(NameId),
    /// The two numbers are counts of at least 1, and their sum is 32.
    #[cfg(feature = "ch14")]
    Complements(NameId, NameId),
}

/// Whether two counts of shifts complement each other to a word: one moves those bits of a word
/// away that the other one leaves.
#[cfg(feature = "ch14")]
pub fn are_complements(one: i64, other: i64) -> bool {
    (1..i64::from(crate::arith::WORD.0)).contains(&one)
        && one + other == i64::from(crate::arith::WORD.0)
}

/// The counts that have a complement.
#[cfg(feature = "ch19")]
pub fn counts_with_complement() -> impl Iterator<Item = i64> {
    1..i64::from(crate::arith::WORD.0)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultLocation {
    Name(NameId),
    Real(u8),
}

/// One instruction of a rule.
#[derive(Clone, Debug)]
pub struct InstructionTemplate {
    /// Its number among the instructions of the target.
    pub instruction: usize,
    pub operands: Vec<OperandTemplate>,
}

/// An operand, with names in place of their bindings.
#[derive(Clone, Debug)]
pub enum OperandTemplate {
    Register(NameId),
    Real(u8),
    Immediate(Immediate),
    #[cfg(feature = "ch04")]
    Address(AddressTemplate),
    #[cfg(feature = "ch04")]
    Condition(NameId),
    /// A fixed relation.
    #[cfg(feature = "ch04")]
    Relation(Relation),
    /// The target of the root for a true or for a false condition.
    #[cfg(feature = "ch05")]
    Block(bool),
    /// The address of a symbol that the pattern binds.
    #[cfg(feature = "ch14")]
    Symbol(NameId),
}

#[cfg(feature = "ch04")]
#[derive(Clone, Debug, Default)]
pub struct AddressTemplate {
    pub argument: Option<NameId>,
    /// The address of a floating-point number that the pattern binds.
    #[cfg(feature = "ch12")]
    pub constant: Option<NameId>,
    pub base: Option<NameId>,
    /// A name and its factor.
    pub index: Option<(NameId, Immediate)>,
    /// Their sum.
    pub displacement: Vec<Immediate>,
}

#[derive(Clone, Copy, Debug)]
pub enum Immediate {
    Number(i32),
    /// A function of a number that the pattern binds.
    Of(&'static Function, NameId),
}

impl OperandTemplate {
    fn has_kind_of(&self, slot: OperandConstraint) -> bool {
        let kind = match self {
            OperandTemplate::Register(_) => "register",
            OperandTemplate::Real(_) => "register",
            OperandTemplate::Immediate(_) => "immediate",
            #[cfg(feature = "ch04")]
            OperandTemplate::Address(_) => "address",
            #[cfg(feature = "ch04")]
            OperandTemplate::Condition(_) => "condition",
            #[cfg(feature = "ch04")]
            OperandTemplate::Relation(_) => "condition",
            #[cfg(feature = "ch05")]
            OperandTemplate::Block(_) => "block",
            #[cfg(feature = "ch14")]
            OperandTemplate::Symbol(_) => "symbol",
        };
        kind == slot.kind()
    }

    /// The names of the registers that this operand reads in `slot`.
    #[cfg(feature = "ch10")]
    fn names_read(&self, slot: OperandConstraint) -> Vec<NameId> {
        match self {
            OperandTemplate::Register(name) if slot.reads() => vec![*name],
            OperandTemplate::Address(AddressTemplate { base, index, .. }) => {
                base.iter().copied().chain(index.map(|(name, _)| name)).collect()
            }
            _ => Vec::new(),
        }
    }

    #[cfg(feature = "ch19")]
    fn real(&self) -> Option<u8> {
        match self {
            OperandTemplate::Real(register) => Some(*register),
            _ => None,
        }
    }
}

/// The rules of a file that this chapter has.
#[derive(Clone, Debug)]
pub struct RuleSet {
    /// The machine they are for.
    pub target: Target,
    rules: Vec<Rule>,
    variants: Vec<Variant>,
    /// For each kind of root, the variants that begin with it.
    by_root: Vec<Vec<Listed>>,
    /// For each kind of operation, the cycles of one on values in registers.
    #[cfg(feature = "ch29")]
    cycles: Vec<Option<u32>>,
    #[cfg(feature = "ch04")]
    pub shapes: Shapes,
}

/// Reads a file of rules for `target`.
///
/// # Errors
/// All errors of the file, with their spans.
pub fn parse(source: &Source, target: &Target) -> Result<RuleSet, Vec<Diagnostic>> {
    let (trees, errors) = rule_text::rules(&source.text, this_chapter());
    let mut diagnostics: Vec<_> = errors.into_iter().map(Diagnostic::from).collect();
    let mut rules: Vec<Rule> = Vec::new();
    for tree in trees {
        #[cfg(feature = "ch04")]
        let alternatives = (tree.name.clone(), tree.alternatives.clone());
        match resolve::resolve(tree, target) {
            Ok(rule) => rules.push(rule),
            Err(wrong) => {
                #[cfg(feature = "ch04")]
                let wrong = forms::with_forms(wrong, &alternatives, &diagnostics);
                diagnostics.extend(wrong);
            }
        }
    }
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let rules = RuleSet::new(rules, target);
    #[cfg(feature = "ch29")]
    let rules = rules.with_cycles();
    Ok(rules)
}

impl RuleSet {
    fn new(rules: Vec<Rule>, target: &Target) -> RuleSet {
        let mut set = RuleSet {
            target: *target,
            rules,
            variants: Vec::new(),
            by_root: vec![Vec::new(); pattern::kind_count()],
            #[cfg(feature = "ch29")]
            cycles: Vec::new(),
            #[cfg(feature = "ch04")]
            shapes: Shapes::new(),
        };
        for rule in 0..set.rules.len() {
            set.add(rule, set.rules[rule].pattern.clone());
            set.add_commuted(rule);
            #[cfg(feature = "ch10")]
            set.complete_variants(rule);
        }
        #[cfg(feature = "ch10")]
        set.mark_plain_variants();
        set
    }

    /// The rules with the cycles of single operations.
    #[cfg(feature = "ch29")]
    fn with_cycles(self) -> RuleSet {
        let cycles = (0..self.by_root.len()).map(|kind| self.cycles_alone(kind)).collect();
        RuleSet { cycles, ..self }
    }

    fn add(&mut self, rule: usize, pattern: Pattern) {
        let listed = Listed {
            variant: self.variants.len() as u32,
            #[cfg(feature = "ch19")]
            required: RequiredKinds::of(&pattern),
            #[cfg(feature = "ch19")]
            guarded: first_guarded(&self.rules[rule].guards, &pattern),
        };
        self.by_root[usize::from(pattern.kind)].push(listed);
        self.variants.push(Variant {
            rule,
            size: pattern.size(),
            #[cfg(feature = "ch04")]
            shapes: self.shapes.of(&pattern),
            #[cfg(feature = "ch10")]
            extra_roots: Vec::new(),
            #[cfg(feature = "ch10")]
            extra_root_shapes: Vec::new(),
            #[cfg(feature = "ch10")]
            is_plain: false,
            pattern,
        });
    }

    /// Adds the other orders of its operands.
    fn add_commuted(&mut self, rule: usize) {
        for pattern in self.rules[rule].pattern.commuted().into_iter().skip(1) {
            self.add(rule, pattern);
        }
    }

    /// The rule of a variant.
    pub fn rule(&self, variant: u32) -> &Rule {
        &self.rules[self.variants[variant as usize].rule]
    }

    /// The number of operations that a match covers.
    pub fn size(&self, found: &Match) -> usize {
        self.variants[found.variant as usize].size
    }

    /// The shape of a variant.
    #[cfg(feature = "ch04")]
    pub fn shape(&self, variant: u32) -> Shape {
        self.variants[variant as usize].shapes[0]
    }

    /// The shapes of its further roots.
    #[cfg(feature = "ch10")]
    pub fn extra_shapes(&self, variant: u32) -> &[Shape] {
        &self.variants[variant as usize].extra_root_shapes
    }

    /// Whether the matches of a variant have several roots.
    #[cfg(feature = "ch10")]
    pub fn has_extra_roots(&self, variant: u32) -> bool {
        !self.extra_shapes(variant).is_empty()
    }

    /// The shapes of the parts of a variant that begin at the inner operations of its matches.
    #[cfg(feature = "ch04")]
    pub fn inner_shapes(&self, variant: u32) -> &[Shape] {
        &self.variants[variant as usize].shapes[1..]
    }

    /// The cycles of the instructions for an operation on values in registers; none if no rule is
    /// for this operation alone.
    #[cfg(feature = "ch29")]
    pub fn cycles(&self, op: Op, mode: Mode) -> Option<u32> {
        self.cycles[usize::from(pattern::kind(op, mode))]
    }

    #[cfg(feature = "ch29")]
    fn cycles_alone(&self, kind: usize) -> Option<u32> {
        let rules = self.by_root[kind].iter().map(|it| self.rule(it.variant));
        let alone = rules.filter(|it| it.guards.is_empty() && it.pattern.size() == 1);
        alone.map(|it| it.cycles).min()
    }

    /// Every rule, in the order of the file.
    pub fn catalogue(&self) -> impl Iterator<Item = &Rule> {
        self.rules.iter()
    }
}
