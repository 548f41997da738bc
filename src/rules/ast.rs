//! The syntax tree of a rule file. Names are not yet resolved, and every part has its span.
use source::Span;

/// A name and its span.
#[derive(Clone, PartialEq, Debug)]
pub struct Identifier {
    pub text: String,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct RuleAst {
    pub name: Identifier,
    /// The patterns of its results. The last one is the root of the rule.
    pub roots: Vec<PatternAst>,
    pub guards: Vec<GuardAst>,
    pub steps: Vec<StepAst>,
    pub span: Span,
}

/// `Add:Is(x, Const c)`, `Cmp.r:Is(x, y)`, `Const c:Is`.
#[derive(Clone, Debug)]
pub struct PatternAst {
    /// The name of the operation in the rest of the rule.
    #[cfg(feature = "ch10")]
    pub name: Option<Identifier>,
    /// The span of `ordered`: its operands are not commuted.
    #[cfg(feature = "ch19")]
    pub ordered: Option<Span>,
    pub operation: Identifier,
    /// The name of a relation, after a dot.
    pub relation: Option<Identifier>,
    /// The name of an attribute, after the operation.
    pub attribute: Option<Identifier>,
    pub mode: Option<Identifier>,
    pub operands: Vec<OperandAst>,
}

#[derive(Clone, Debug)]
pub enum OperandAst {
    Pattern(PatternAst),
    /// A value, and the register that it must be in, if the rule requires one.
    Value(Identifier, Option<Identifier>),
}

/// A condition of the match.
#[derive(Clone, Debug)]
pub enum GuardAst {
    #[cfg(feature = "ch02")]
    /// `imm8(c)`
    Property(Identifier, Identifier),
    /// `c == 3`
    Equal(Identifier, i64),
    /// `unshared(a)`: the operation of this name has no use outside the pattern.
    #[cfg(feature = "ch10")]
    Unshared(Identifier),
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
    /// A register or a constant, and its factor.
    Name(Identifier, Option<i64>),
    Immediate(ImmediateAst),
    /// `argument k`
    Argument(Identifier),
}
