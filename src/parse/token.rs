//! The tokens of Simple. Only this file uses logos.
#[cfg(feature = "ch02")]
use crate::arith::Binary;
#[cfg(feature = "ch04")]
use crate::arith::Relation;
use crate::sea::Op;
use logos::Logos;
use source::Span;

/// A token. White space and comments between tokens are skipped.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[\x00-\x20]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
pub enum Token {
    #[regex("[0-9]+")]
    Number,
    /// A number with a point or an exponent.
    #[cfg(feature = "ch12")]
    #[regex("[0-9]+[.e][0-9.e]*")]
    Float,
    #[regex("[A-Za-z_][A-Za-z0-9_]*")]
    Name,
    #[token("return")]
    Return,
    #[token(";")]
    Semicolon,
    #[cfg(feature = "ch02")]
    #[token("(")]
    OpenParenthesis,
    #[cfg(feature = "ch02")]
    #[token(")")]
    CloseParenthesis,
    #[cfg(feature = "ch02")]
    #[token("+")]
    Plus,
    #[cfg(feature = "ch02")]
    #[token("-")]
    Minus,
    #[cfg(feature = "ch02")]
    #[token("*")]
    Star,
    #[cfg(feature = "ch02")]
    #[token("/")]
    Slash,
    #[cfg(feature = "ch03")]
    #[token("int")]
    Int,
    #[cfg(feature = "ch03")]
    #[token("=")]
    Assign,
    #[cfg(feature = "ch03")]
    #[token("{")]
    OpenBrace,
    #[cfg(feature = "ch03")]
    #[token("}")]
    CloseBrace,
    #[cfg(feature = "ch03")]
    #[token("#showGraph")]
    ShowGraph,
    #[cfg(feature = "ch04")]
    #[token("==")]
    EqualEqual,
    #[cfg(feature = "ch04")]
    #[token("!=")]
    NotEqual,
    #[cfg(feature = "ch04")]
    #[token("<")]
    Less,
    #[cfg(feature = "ch04")]
    #[token("<=")]
    LessEqual,
    #[cfg(feature = "ch04")]
    #[token(">")]
    Greater,
    #[cfg(feature = "ch04")]
    #[token(">=")]
    GreaterEqual,
    #[cfg(feature = "ch14")]
    #[token("&")]
    And,
    #[cfg(feature = "ch14")]
    #[token("|")]
    Or,
    #[cfg(feature = "ch14")]
    #[token("^")]
    ExclusiveOr,
    #[cfg(feature = "ch14")]
    #[token("<<")]
    ShiftLeft,
    #[cfg(feature = "ch14")]
    #[token(">>")]
    ShiftRight,
    #[cfg(feature = "ch14")]
    #[token(">>>")]
    ShiftRightUnsigned,
    #[cfg(feature = "ch05")]
    #[token("if")]
    If,
    #[cfg(feature = "ch05")]
    #[token("else")]
    Else,
    #[cfg(feature = "ch05")]
    #[token("true")]
    True,
    #[cfg(feature = "ch05")]
    #[token("false")]
    False,
    #[cfg(feature = "ch07")]
    #[token("while")]
    While,
    #[cfg(feature = "ch08")]
    #[token("break")]
    Break,
    #[cfg(feature = "ch08")]
    #[token("continue")]
    Continue,
    #[cfg(feature = "ch12")]
    #[token("flt")]
    Flt,
    /// The name of a type of numbers with their size, which `int` and `flt` do not name.
    #[cfg(feature = "ch14")]
    #[regex("bool|byte|u1|u8|u16|u32|i8|i16|i32|i64|f32|f64")]
    Sized,
    #[cfg(feature = "ch10")]
    #[token("struct")]
    Struct,
    #[cfg(feature = "ch10")]
    #[token("new")]
    New,
    #[cfg(feature = "ch10")]
    #[token("null")]
    Null,
    #[cfg(feature = "ch10")]
    #[token(".")]
    Dot,
    #[cfg(feature = "ch15")]
    #[token("[")]
    OpenBracket,
    #[cfg(feature = "ch15")]
    #[token("]")]
    CloseBracket,
    #[cfg(feature = "ch15")]
    #[token("#")]
    Hash,
    #[cfg(feature = "ch17")]
    #[token("%")]
    Percent,
    #[cfg(feature = "ch16")]
    #[token(",")]
    Comma,
    #[cfg(feature = "ch17")]
    #[token(":")]
    Colon,
    #[cfg(feature = "ch18")]
    #[token("->")]
    Arrow,
    #[cfg(feature = "ch17")]
    #[token("++")]
    PlusPlus,
    #[cfg(feature = "ch17")]
    #[token("--")]
    MinusMinus,
    /// An operator with `=`.
    #[cfg(feature = "ch17")]
    #[regex(r"([-+*/%&|^]|<<|>>|>>>)=")]
    CompoundAssign,
    #[cfg(feature = "ch10")]
    #[token("?")]
    Question,
    #[cfg(feature = "ch10")]
    #[token("!")]
    Not,
    /// A character that begins no token.
    Unknown,
    /// The end of the text.
    End,
}

/// A binary operator, and the operation that computes it.
#[cfg(feature = "ch02")]
#[derive(Clone, Copy, Debug)]
pub struct Infix {
    pub op: Op,
    pub precedence: u8,
    /// a > b is b < a.
    #[cfg(feature = "ch04")]
    pub is_swapped: bool,
    /// a != b is !(a == b).
    #[cfg(feature = "ch04")]
    pub is_negated: bool,
}

#[cfg(feature = "ch02")]
impl Infix {
    pub fn binary(binary: Binary) -> Infix {
        Infix {
            op: Op::Binary(binary),
            precedence: binary.row().precedence,
            #[cfg(feature = "ch04")]
            is_swapped: false,
            #[cfg(feature = "ch04")]
            is_negated: false,
        }
    }

    /// The operator of a compound assignment, such as `+=`.
    #[cfg(feature = "ch17")]
    pub fn of_compound(text: &str) -> Infix {
        let (token, _) = Lexer::new(&text[..text.len() - 1]).next_token();
        token.infix().expect("`=` follows an operator")
    }

    /// The sea has only the comparisons `==`, `<` and `<=`.
    #[cfg(feature = "ch04")]
    fn compare(relation: Relation) -> Infix {
        let is_swapped = matches!(relation, Relation::Greater | Relation::GreaterEqual);
        let is_negated = relation == Relation::NotEqual;
        let relation = if is_swapped { relation.swapped() } else { relation };
        let relation = if is_negated { relation.negated() } else { relation };
        let op = Op::Compare(relation);
        Infix { op, precedence: Relation::PRECEDENCE, is_swapped, is_negated }
    }
}

/// The reserved names.
#[cfg(feature = "ch03")]
pub const KEYWORDS: &[&str] = &[
    "return",
    "int",
    #[cfg(feature = "ch05")]
    "if",
    #[cfg(feature = "ch05")]
    "else",
    #[cfg(feature = "ch05")]
    "true",
    #[cfg(feature = "ch05")]
    "false",
    #[cfg(feature = "ch07")]
    "while",
    #[cfg(feature = "ch08")]
    "break",
    #[cfg(feature = "ch08")]
    "continue",
    #[cfg(feature = "ch12")]
    "flt",
    #[cfg(feature = "ch10")]
    "struct",
    #[cfg(feature = "ch10")]
    "new",
    #[cfg(feature = "ch10")]
    "null",
    #[cfg(feature = "ch14")]
    "bool",
    #[cfg(feature = "ch14")]
    "byte",
];

#[cfg(feature = "ch02")]
impl Token {
    /// The binary operator of this token.
    pub fn infix(self) -> Option<Infix> {
        Some(match self {
            Token::Plus => Infix::binary(Binary::Add),
            Token::Minus => Infix::binary(Binary::Sub),
            Token::Star => Infix::binary(Binary::Mul),
            Token::Slash => Infix::binary(Binary::Div),
            #[cfg(feature = "ch14")]
            Token::And => Infix::binary(Binary::And),
            #[cfg(feature = "ch14")]
            Token::Or => Infix::binary(Binary::Or),
            #[cfg(feature = "ch14")]
            Token::ExclusiveOr => Infix::binary(Binary::Eor),
            #[cfg(feature = "ch14")]
            Token::ShiftLeft => Infix::binary(Binary::Shl),
            #[cfg(feature = "ch14")]
            Token::ShiftRight => Infix::binary(Binary::Shrs),
            #[cfg(feature = "ch14")]
            Token::ShiftRightUnsigned => Infix::binary(Binary::Shr),
            #[cfg(feature = "ch17")]
            Token::Percent => Infix::binary(Binary::Mod),
            // Two signs: the second one belongs to the right operand.
            #[cfg(feature = "ch17")]
            Token::MinusMinus => Infix::binary(Binary::Sub),
            #[cfg(feature = "ch04")]
            Token::EqualEqual => Infix::compare(Relation::Equal),
            #[cfg(feature = "ch04")]
            Token::NotEqual => Infix::compare(Relation::NotEqual),
            #[cfg(feature = "ch04")]
            Token::Less => Infix::compare(Relation::Less),
            #[cfg(feature = "ch04")]
            Token::LessEqual => Infix::compare(Relation::LessEqual),
            #[cfg(feature = "ch04")]
            Token::Greater => Infix::compare(Relation::Greater),
            #[cfg(feature = "ch04")]
            Token::GreaterEqual => Infix::compare(Relation::GreaterEqual),
            _ => return None,
        })
    }

    /// Whether a statement begins with the token.
    #[cfg(feature = "ch03")]
    pub fn begins_statement(self) -> bool {
        match self {
            Token::Return | Token::Int | Token::OpenBrace | Token::ShowGraph => true,
            #[cfg(feature = "ch05")]
            Token::If => true,
            #[cfg(feature = "ch07")]
            Token::While => true,
            #[cfg(feature = "ch08")]
            Token::Break | Token::Continue => true,
            #[cfg(feature = "ch12")]
            Token::Flt => true,
            #[cfg(feature = "ch14")]
            Token::Sized => true,
            #[cfg(feature = "ch10")]
            Token::Struct => true,
            _ => false,
        }
    }

    /// Whether the token looks like a name but is reserved.
    #[cfg(feature = "ch03")]
    pub fn is_keyword(self) -> bool {
        match self {
            Token::Return | Token::Int => true,
            #[cfg(feature = "ch05")]
            Token::If | Token::Else | Token::True | Token::False => true,
            #[cfg(feature = "ch07")]
            Token::While => true,
            #[cfg(feature = "ch08")]
            Token::Break | Token::Continue => true,
            #[cfg(feature = "ch12")]
            Token::Flt => true,
            #[cfg(feature = "ch14")]
            Token::Sized => true,
            #[cfg(feature = "ch10")]
            Token::Struct | Token::New | Token::Null => true,
            _ => false,
        }
    }

    /// Whether an operand begins with the token, other than one with a minus sign.
    #[cfg(feature = "ch17")]
    pub fn begins_operand(self) -> bool {
        let is_other =
            matches!(self, Token::Name | Token::New | Token::OpenParenthesis | Token::Not);
        is_other || self.is_literal()
    }

    /// Whether the token is a value.
    #[cfg(feature = "ch10")]
    pub fn is_literal(self) -> bool {
        match self {
            Token::Number | Token::True | Token::False | Token::Null => true,
            #[cfg(feature = "ch12")]
            Token::Float => true,
            _ => false,
        }
    }
}

/// Splits a text into tokens.
#[derive(Clone)]
pub struct Lexer<'s> {
    lexer: logos::Lexer<'s, Token>,
}

impl<'s> Lexer<'s> {
    pub fn new(text: &'s str) -> Lexer<'s> {
        Lexer { lexer: Token::lexer(text) }
    }

    /// The tokens from a place of the text on.
    #[cfg(feature = "ch18")]
    pub fn from(text: &'s str, place: u32) -> Lexer<'s> {
        let mut lexer = Token::lexer(text);
        lexer.bump(place as usize);
        Lexer { lexer }
    }

    /// The next token and its span; `End` at the end of the text, and at every later call.
    pub fn next_token(&mut self) -> (Token, Span) {
        let token = self.lexer.next().map_or(Token::End, |token| token.unwrap_or(Token::Unknown));
        let place = self.lexer.span();
        (token, Span::new(place.start, place.end))
    }
}

#[cfg(feature = "ch02")]
#[cfg(test)]
#[path = "tests/token.rs"]
mod tests;
