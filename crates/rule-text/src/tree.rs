//! The syntax tree of a rule file. Names are not yet resolved, and every part has its span.
use source::Span;

/// A name and its span.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identifier {
    /// The name.
    pub text: String,
    /// Its place in the file.
    pub span: Span,
}

/// `rule NAME: PATTERNS if GUARDS => INSTRUCTIONS; bytes N cycles N`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleAst {
    /// The version of the rule, as it is written: `@v2`.
    pub tag: Option<String>,
    /// The name of the rule.
    pub name: Identifier,
    /// The patterns of its results; at least one. The last one is the root of the rule.
    pub roots: Vec<PatternAst>,
    /// All of them must hold.
    pub guards: Vec<GuardAst>,
    /// In the order of their execution.
    pub instructions: Vec<InstructionAst>,
    /// `out eax edx`: the results are in these registers.
    pub out: Vec<Identifier>,
    /// `clobbers ecx`: these registers are overwritten.
    pub clobbers: Vec<Identifier>,
    /// The length of the instructions.
    pub bytes: u32,
    /// The time of their execution.
    pub cycles: u32,
}

/// `peephole NAME: PATTERN if GUARDS => REPLACEMENT; decreases NAME; example "…" => "…"`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PeepholeAst {
    /// The version of the peephole, as it is written: `@v2`.
    pub tag: Option<String>,
    /// The name of the peephole.
    pub name: Identifier,
    /// The term that it replaces.
    pub pattern: PatternAst,
    /// All of them must hold.
    pub guards: Vec<GuardAst>,
    /// The term that takes its place.
    pub replacement: OperandAst,
    /// The measure that it decreases.
    pub decreases: Identifier,
    /// A program before and after the replacement.
    pub example: (String, String),
}

/// `Add:Is(x, Const c)`, `Cmp.r:Is(x, y)`, `Const c:Is`, `q = Div:Is(x, y)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PatternAst {
    /// The name of the operation in the rest of the rule.
    pub name: Option<Identifier>,
    /// The span of `ordered`: its operands are not exchanged.
    pub ordered: Option<Span>,
    /// The name of the operation.
    pub operation: Identifier,
    /// The name of a relation, after a dot.
    pub relation: Option<Identifier>,
    /// The name of an attribute, after the operation.
    pub attribute: Option<Identifier>,
    /// The mode of its result, after a colon.
    pub mode: Option<Identifier>,
    /// Its operands, if there are any.
    pub operands: Vec<OperandAst>,
}

/// An operand of a pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OperandAst {
    /// An operation on operands of its own.
    Pattern(PatternAst),
    /// A value, and the register that it must be in, if the rule requires one.
    Value(Identifier, Option<Identifier>),
    /// A number and its span.
    Number(i64, Span),
}

/// A condition of the match.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GuardAst {
    /// `imm8(c)`, `before(x, y)`: a property of named values. There is at least one name.
    Property(Identifier, Vec<Identifier>),
    /// `c == 3`
    Equal(Identifier, i64),
}

/// `cmp x, c`, `set.r t`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InstructionAst {
    /// The name of the instruction.
    pub mnemonic: Identifier,
    /// The name of a relation, after a dot.
    pub relation: Option<Identifier>,
    /// In the order they are written.
    pub operands: Vec<ArgumentAst>,
}

/// An operand of an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ArgumentAst {
    /// A register, a constant or a label.
    Name(Identifier),
    /// A number that is given or computed.
    Immediate(ImmediateAst),
    /// The sum of terms between brackets, and its span.
    Address(Vec<TermAst>, Span),
}

/// A number in an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ImmediateAst {
    /// A number and its span.
    Number(i64, Span),
    /// `log2(c)`, and `-c` as `negative(c)`.
    Function(Identifier, Identifier),
}

/// A term of an address.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TermAst {
    /// A register or a constant, and its factor.
    Name(Identifier, Option<i64>),
    /// A number that is given or computed.
    Immediate(ImmediateAst),
    /// `argument k`: the memory of an argument of the function.
    Argument(Identifier),
}

impl OperandAst {
    /// Its place in the file.
    pub fn span(&self) -> Span {
        match self {
            OperandAst::Pattern(pattern) => pattern.operation.span,
            OperandAst::Value(name, _) => name.span,
            OperandAst::Number(_, span) => *span,
        }
    }
}

impl GuardAst {
    /// Its place in the file.
    pub fn span(&self) -> Span {
        match self {
            GuardAst::Property(name, _) | GuardAst::Equal(name, _) => name.span,
        }
    }
}

impl ArgumentAst {
    /// Its place in the file.
    pub fn span(&self) -> Span {
        match self {
            ArgumentAst::Name(name) => name.span,
            ArgumentAst::Immediate(immediate) => immediate.span(),
            ArgumentAst::Address(_, span) => *span,
        }
    }
}

impl ImmediateAst {
    /// Its place in the file.
    pub fn span(&self) -> Span {
        match self {
            ImmediateAst::Number(_, span) => *span,
            ImmediateAst::Function(function, _) => function.span,
        }
    }
}

impl TermAst {
    /// Its place in the file.
    pub fn span(&self) -> Span {
        match self {
            TermAst::Name(name, _) | TermAst::Argument(name) => name.span,
            TermAst::Immediate(immediate) => immediate.span(),
        }
    }
}

impl InstructionAst {
    /// The same instruction, with other names for its relation and its operands.
    pub fn renamed(&self, rename: &dyn Fn(&str) -> String) -> InstructionAst {
        let mut instruction = self.clone();
        instruction.relation.iter_mut().for_each(|it| it.rename(rename));
        instruction.operands.iter_mut().for_each(|it| it.rename(rename));
        instruction
    }
}

impl Identifier {
    fn rename(&mut self, rename: &dyn Fn(&str) -> String) {
        self.text = rename(&self.text);
    }
}

impl ArgumentAst {
    fn rename(&mut self, rename: &dyn Fn(&str) -> String) {
        match self {
            ArgumentAst::Name(name) => name.rename(rename),
            ArgumentAst::Immediate(immediate) => immediate.rename(rename),
            ArgumentAst::Address(terms, _) => terms.iter_mut().for_each(|it| it.rename(rename)),
        }
    }
}

impl ImmediateAst {
    fn rename(&mut self, rename: &dyn Fn(&str) -> String) {
        match self {
            ImmediateAst::Number(..) => {}
            ImmediateAst::Function(_, of) => of.rename(rename),
        }
    }
}

impl TermAst {
    fn rename(&mut self, rename: &dyn Fn(&str) -> String) {
        match self {
            TermAst::Name(name, _) | TermAst::Argument(name) => name.rename(rename),
            TermAst::Immediate(immediate) => immediate.rename(rename),
        }
    }
}
