//! A rule file as it is written: names not yet looked up, every part with its place.
use source::Span;

/// A name and where it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Word {
    pub text: String,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct RuleTree {
    pub name: Word,
    /// The patterns of its results; the rule stands where the last of them does.
    pub roots: Vec<PatternTree>,
    pub guards: Vec<GuardTree>,
    pub steps: Vec<StepTree>,
    pub span: Span,
}

/// `Add:Is(x, Const c)`, `Cmp.r:Is(x, y)`, `Const c:Is`.
#[derive(Clone, Debug)]
pub struct PatternTree {
    /// What the operation is called in the rest of the rule.
    #[cfg(feature = "ch10")]
    pub name: Option<Word>,
    /// Where it is said that its operands stay where they are.
    #[cfg(feature = "ch19")]
    pub ordered: Option<Span>,
    pub operation: Word,
    /// The name of a relation, behind a point.
    pub relation: Option<Word>,
    /// The name of an attribute, behind the operation.
    pub attribute: Option<Word>,
    pub mode: Option<Word>,
    pub operands: Vec<OperandTree>,
}

#[derive(Clone, Debug)]
pub enum OperandTree {
    Pattern(PatternTree),
    /// A value, and perhaps the register it must be in.
    Value(Word, Option<Word>),
}

/// What must hold of a constant.
#[derive(Clone, Debug)]
pub enum GuardTree {
    /// `imm8(c)`
    Property(Word, Word),
    /// `c == 3`
    Equal(Word, i64),
    /// `alone(a)`: nobody else uses the operation of this name.
    #[cfg(feature = "ch10")]
    Alone(Word),
}

#[derive(Clone, Debug)]
pub enum StepTree {
    Instruction {
        mnemonic: Word,
        relation: Option<Word>,
        operands: Vec<ArgumentTree>,
    },
    /// The results are in these registers.
    Out(Vec<Word>),
    /// These registers are overwritten.
    Clobbers(Vec<Word>),
    Costs {
        bytes: i64,
        cycles: i64,
        span: Span,
    },
}

#[derive(Clone, Debug)]
pub enum ArgumentTree {
    Name(Word),
    Immediate(ImmediateTree),
    /// Between brackets, joined by `+`.
    #[cfg(feature = "ch04")]
    Address(Vec<TermTree>, Span),
}

#[derive(Clone, Debug)]
pub enum ImmediateTree {
    Number(i64, Span),
    /// `log2(c)`, and `-c` as `negative(c)`.
    Function(Word, Word),
}

#[cfg(feature = "ch04")]
#[derive(Clone, Debug)]
pub enum TermTree {
    /// A register or a constant, and what it is multiplied by.
    Name(Word, Option<i64>),
    Immediate(ImmediateTree),
    /// `argument k`
    Argument(Word),
}
