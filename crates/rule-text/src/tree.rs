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

/// `rule NAME: PATTERNS if GUARDS => INSTRUCTIONS; cycles N`, after the expansion of its forms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleAst {
    /// The version of the rule, as it is written: `@v2`.
    pub tag: Option<String>,
    /// The name of the rule, followed by those of the alternatives of its forms: `add/load`.
    pub name: Identifier,
    /// The name as it is written.
    pub written: String,
    /// The text as it is written, in its canonical form, if it uses forms.
    pub with_forms: Option<String>,
    /// The alternatives of forms that it consists of, in the order of their use.
    pub alternatives: Vec<Alternative>,
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
    /// The time of their execution.
    pub cycles: u32,
}

/// One line of a form, as a part of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alternative {
    /// Its name: that of the form, and its own after a slash.
    pub name: Identifier,
    /// All of it.
    pub span: Span,
}

/// `form NAME: OPERAND if GUARDS => RESULT after INSTRUCTIONS; cycles N`: an alternative of a form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormAst {
    /// The name of the form, and that of the alternative after a slash, if it has one.
    pub name: Identifier,
    /// The pattern that it stands for.
    pub operand: OperandAst,
    /// All of them must hold.
    pub guards: Vec<GuardAst>,
    /// The text that takes the place of its name in instructions.
    pub result: ArgumentAst,
    /// They are executed before those of the rule.
    pub instructions: Vec<InstructionAst>,
    /// These registers are overwritten.
    pub clobbers: Vec<Identifier>,
    /// The time that it adds to that of the rule.
    pub cycles: u32,
    /// All of it.
    pub span: Span,
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
    /// A number that a pattern binds, as the factor of a term.
    Name(Identifier),
}

/// A term of an address.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TermAst {
    /// A register or a constant, and its factor.
    Name(Identifier, Option<ImmediateAst>),
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
            ImmediateAst::Name(name) => name.span,
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
        instruction.for_each_name(&mut |name| name.text = rename(&name.text));
        instruction
    }

    /// Visits the name of its relation and those in its operands.
    pub(crate) fn for_each_name(&mut self, visit: &mut dyn FnMut(&mut Identifier)) {
        self.relation.iter_mut().for_each(&mut *visit);
        self.operands.iter_mut().for_each(|it| it.for_each_name(visit));
    }
}

impl ArgumentAst {
    /// Visits its names.
    pub(crate) fn for_each_name(&mut self, visit: &mut dyn FnMut(&mut Identifier)) {
        match self {
            ArgumentAst::Name(name) => visit(name),
            ArgumentAst::Immediate(immediate) => immediate.for_each_name(visit),
            ArgumentAst::Address(terms, _) => {
                terms.iter_mut().for_each(|it| it.for_each_name(visit));
            }
        }
    }
}

impl ImmediateAst {
    fn for_each_name(&mut self, visit: &mut dyn FnMut(&mut Identifier)) {
        match self {
            ImmediateAst::Number(..) => {}
            ImmediateAst::Function(_, of) | ImmediateAst::Name(of) => visit(of),
        }
    }
}

impl TermAst {
    fn for_each_name(&mut self, visit: &mut dyn FnMut(&mut Identifier)) {
        match self {
            TermAst::Name(name, scale) => {
                visit(name);
                scale.iter_mut().for_each(|it| it.for_each_name(visit));
            }
            TermAst::Argument(name) => visit(name),
            TermAst::Immediate(immediate) => immediate.for_each_name(visit),
        }
    }
}

impl PatternAst {
    /// Visits the names that it binds or repeats.
    pub(crate) fn for_each_name(&mut self, visit: &mut dyn FnMut(&mut Identifier)) {
        let own = [&mut self.name, &mut self.relation, &mut self.attribute];
        own.into_iter().flatten().for_each(&mut *visit);
        self.operands.iter_mut().for_each(|it| it.for_each_name(visit));
    }
}

impl OperandAst {
    /// Visits the names that it binds or repeats.
    pub(crate) fn for_each_name(&mut self, visit: &mut dyn FnMut(&mut Identifier)) {
        match self {
            OperandAst::Pattern(pattern) => pattern.for_each_name(visit),
            OperandAst::Value(name, _) => visit(name),
            OperandAst::Number(..) => {}
        }
    }
}

impl GuardAst {
    /// Visits the names that it is about.
    pub(crate) fn for_each_name(&mut self, visit: &mut dyn FnMut(&mut Identifier)) {
        match self {
            GuardAst::Property(_, of) => of.iter_mut().for_each(visit),
            GuardAst::Equal(name, _) => visit(name),
        }
    }
}
