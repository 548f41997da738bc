//! A rule file as it is written: names not yet looked up, every part with its place.
use source::Span;

/// A name and where it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Identifier {
    pub text: String,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct RuleAst {
    pub name: Identifier,
    /// The patterns of its results; the rule stands where the last of them does.
    pub roots: Vec<PatternAst>,
    pub guards: Vec<GuardAst>,
    pub steps: Vec<StepAst>,
    pub span: Span,
}

/// `Add:Is(x, Const c)`, `Cmp.r:Is(x, y)`, `Const c:Is`.
#[derive(Clone, Debug)]
pub struct PatternAst {
    /// What the operation is called in the rest of the rule.
    #[cfg(feature = "ch10")]
    pub name: Option<Identifier>,
    /// Where it is said that its operands stay where they are.
    #[cfg(feature = "ch19")]
    pub ordered: Option<Span>,
    pub operation: Identifier,
    /// The name of a relation, behind a point.
    pub relation: Option<Identifier>,
    /// The name of an attribute, behind the operation.
    pub attribute: Option<Identifier>,
    pub mode: Option<Identifier>,
    pub operands: Vec<OperandAst>,
}

#[derive(Clone, Debug)]
pub enum OperandAst {
    Pattern(PatternAst),
    /// A value, and perhaps the register it must be in.
    Value(Identifier, Option<Identifier>),
}

/// What must hold of a constant.
#[derive(Clone, Debug)]
pub enum GuardAst {
    #[cfg(feature = "ch02")]
    /// `imm8(c)`
    Property(Identifier, Identifier),
    /// `c == 3`
    Equal(Identifier, i64),
    /// `alone(a)`: nobody else uses the operation of this name.
    #[cfg(feature = "ch10")]
    Alone(Identifier),
}

#[derive(Clone, Debug)]
pub enum StepAst {
    Instruction {
        mnemonic: Identifier,
        relation: Option<Identifier>,
        operands: Vec<ArgumentAst>,
    },
    /// The results are in these registers.
    Out(Vec<Identifier>),
    /// These registers are overwritten.
    Clobbers(Vec<Identifier>),
    Costs {
        bytes: i64,
        cycles: i64,
        span: Span,
    },
}

#[derive(Clone, Debug)]
pub enum ArgumentAst {
    Name(Identifier),
    Immediate(ImmediateAst),
    /// Between brackets, joined by `+`.
    #[cfg(feature = "ch04")]
    Address(Vec<TermAst>, Span),
}

#[derive(Clone, Debug)]
pub enum ImmediateAst {
    Number(i64, Span),
    #[cfg(feature = "ch04")]
    /// `log2(c)`, and `-c` as `negative(c)`.
    Function(Identifier, Identifier),
}

#[cfg(feature = "ch04")]
#[derive(Clone, Debug)]
pub enum TermAst {
    /// A register or a constant, and what it is multiplied by.
    Name(Identifier, Option<i64>),
    Immediate(ImmediateAst),
    /// `argument k`
    Argument(Identifier),
}
