//! The grammar of the rule language. This is the only file of the module that uses chumsky.
//!
//! ```text
//! file      = { rule } ;
//! rule      = [ "@chNN" ] , "rule" , name , ":" , pattern , { "," , pattern } ,
//!             [ "if" , guard , { "and" , guard } ] , "=>" , step , { ";" , step } ;
//! pattern   = [ name , "=" ] , [ "ordered" ] ,
//!             name , [ "." , name ] , [ name ] , [ ":" , name ] , [ "(" , operands , ")" ] ;
//! operands  = operand , { "," , operand } ;
//! operand   = name , [ "in" , name ] | pattern ;
//! guard     = name , "(" , name , ")" | name , "==" , number ;
//! step      = "out" , name , { name } | "clobbers" , name , { name }
//!           | "bytes" , number , "cycles" , number
//!           | name , [ "." , name ] , [ argument , { "," , argument } ] ;
//! argument  = name | immediate | "[" , term , { "+" , term } , "]" ;
//! immediate = number | "-" , name | name , "(" , name , ")" ;
//! term      = name , [ "*" , number ] | immediate | "argument" , name ;
//! ```
//! A pattern that is only a name, without a mode or operands, is an operand. `ordered` switches off
//! the commuted variants of a pattern, even if its operation commutes.
use super::ast::*;
use super::lexer::{Token, tokens};
use crate::diagnostics::{Code, Diagnostic};
use chumsky::input::{Stream, ValueInput};
use chumsky::prelude::*;
use source::Span;

type Errors<'t, 's> = extra::Err<Rich<'t, Token<'s>, SimpleSpan>>;

/// The rules of a file up to the chapter `latest`, and their syntax errors.
pub fn read(text: &str, latest: u32) -> (Vec<RuleAst>, Vec<Diagnostic>) {
    let tokens: Vec<_> =
        tokens(text, latest).into_iter().map(|(it, place)| (it, place.into())).collect();
    if let Some(place) = too_deep(&tokens) {
        let message = format!("nested more than {MAX_DEPTH} deep");
        return (
            Vec::new(),
            vec![Diagnostic::new(Code::Nesting, place, message, "one level too many")],
        );
    }
    let end: SimpleSpan = (text.len()..text.len()).into();
    let input = Stream::from_iter(tokens).map(end, |(word, place): (_, SimpleSpan)| (word, place));
    let (rules, errors) = file().parse(input).into_output_errors();
    let rules = rules.unwrap_or_default().into_iter().flatten().collect();
    (rules, errors.iter().map(diagnostic).collect())
}

/// The maximal nesting depth of patterns.
const MAX_DEPTH: i64 = 20;

/// The span at which parentheses nest too deep; the parser of patterns recurses.
fn too_deep(tokens: &[(Token, SimpleSpan)]) -> Option<Span> {
    let mut depth = 0i64;
    let deep = |(word, _): &&(Token, SimpleSpan)| {
        match word {
            Token::Open => depth += 1,
            Token::Close => depth -= 1,
            _ => {}
        }
        depth > MAX_DEPTH
    };
    tokens.iter().find(deep).map(|(_, place)| span(*place))
}

fn diagnostic(error: &Rich<Token>) -> Diagnostic {
    let found = match error.found() {
        None => "end of the file".to_string(),
        Some(Token::Unknown) => "letters".to_string(),
        Some(word) => format!("`{word}`"),
    };
    let mut expected: Vec<_> = error.expected().map(|it| it.to_string()).collect();
    expected.sort();
    let message = format!("unexpected {found}");
    let label = format!("expected {}", expected.join(" or "));
    Diagnostic::new(Code::Syntax, span(*error.span()), message, label)
}

fn span(place: SimpleSpan) -> Span {
    Span::new(place.start, place.end)
}

/// A rule with a syntax error is skipped, and parsing continues at the next one.
fn file<'t, 's: 't, I>() -> impl Parser<'t, I, Vec<Option<RuleAst>>, Errors<'t, 's>>
where
    I: ValueInput<'t, Token = Token<'s>, Span = SimpleSpan>,
{
    let begins = select! { Token::Chapter(_) => (), Token::Rule => () };
    let skip = any().then(any().and_is(begins.not()).repeated()).map(|_| None);
    rule().map(Some).recover_with(via_parser(skip)).repeated().collect()
}

fn rule<'t, 's: 't, I>() -> impl Parser<'t, I, RuleAst, Errors<'t, 's>>
where
    I: ValueInput<'t, Token = Token<'s>, Span = SimpleSpan>,
{
    let chapter = select! { Token::Chapter(number) => number }.labelled("a chapter").or_not();
    let guards = just(Token::If)
        .ignore_then(guard().separated_by(just(Token::And)).at_least(1).collect())
        .or_not();
    let steps = step().separated_by(just(Token::Semicolon)).at_least(1).collect();
    chapter
        .ignore_then(just(Token::Rule))
        .ignore_then(word().or(and()))
        .then_ignore(just(Token::Colon))
        .then(roots())
        .then(guards)
        .then_ignore(just(Token::Becomes))
        .then(steps)
        .map_with(|(((name, roots), guards), steps), extra| {
            let guards = guards.unwrap_or_default();
            RuleAst { name, roots, guards, steps, span: span(extra.span()) }
        })
}

fn roots<'t, 's: 't, I>() -> impl Parser<'t, I, Vec<PatternAst>, Errors<'t, 's>>
where
    I: ValueInput<'t, Token = Token<'s>, Span = SimpleSpan>,
{
    choice([
        #[cfg(feature = "ch10")]
        pattern().separated_by(just(Token::Comma)).at_least(1).collect().boxed(),
        pattern().map(|root| vec![root]).boxed(),
    ])
}

fn word<'t, 's: 't, I>() -> impl Parser<'t, I, Identifier, Errors<'t, 's>> + Clone
where
    I: ValueInput<'t, Token = Token<'s>, Span = SimpleSpan>,
{
    select! { Token::Name(text) => text }
        .map_with(|text, extra| Identifier { text: text.to_string(), span: span(extra.span()) })
        .labelled("a name")
}

/// An instruction or a rule may be called `and`.
fn and<'t, 's: 't, I>() -> impl Parser<'t, I, Identifier, Errors<'t, 's>> + Clone
where
    I: ValueInput<'t, Token = Token<'s>, Span = SimpleSpan>,
{
    just(Token::And)
        .map_with(|_, extra| Identifier { text: "and".to_string(), span: span(extra.span()) })
}

fn number<'t, 's: 't, I>() -> impl Parser<'t, I, i64, Errors<'t, 's>> + Clone
where
    I: ValueInput<'t, Token = Token<'s>, Span = SimpleSpan>,
{
    select! { Token::Number(number) => number }.labelled("a number")
}

fn pattern<'t, 's: 't, I>() -> impl Parser<'t, I, PatternAst, Errors<'t, 's>> + Clone
where
    I: ValueInput<'t, Token = Token<'s>, Span = SimpleSpan>,
{
    recursive(|pattern| {
        let register = just(Token::In).ignore_then(word());
        let fixed = word().then(register).map(|(name, it)| OperandAst::Value(name, Some(it)));
        let operand = fixed.or(pattern.map(value_or_pattern));
        let operands = operand
            .separated_by(just(Token::Comma))
            .at_least(1)
            .collect()
            .delimited_by(just(Token::Open), just(Token::Close));
        let nameless = word()
            .then(just(Token::Point).ignore_then(word()).or_not())
            .then(word().or_not())
            .then(just(Token::Colon).ignore_then(word()).or_not())
            .then(operands.or_not())
            .map(|((((operation, relation), attribute), mode), operands): (_, Option<Vec<_>>)| {
                PatternAst {
                    #[cfg(feature = "ch10")]
                    name: None,
                    #[cfg(feature = "ch19")]
                    ordered: None,
                    operation,
                    relation,
                    attribute,
                    mode,
                    operands: operands.unwrap_or_default(),
                }
            });
        let nameless = as_written(nameless.boxed());
        choice([
            #[cfg(feature = "ch10")]
            word()
                .then_ignore(just(Token::Is))
                .then(nameless.clone())
                .map(|(name, tree)| PatternAst { name: Some(name), ..tree })
                .boxed(),
            nameless.boxed(),
        ])
    })
}

/// A pattern, perhaps after the keyword `ordered`.
fn as_written<'t, 's: 't, I>(
    pattern: Boxed<'t, 't, I, PatternAst, Errors<'t, 's>>,
) -> impl Parser<'t, I, PatternAst, Errors<'t, 's>> + Clone
where
    I: ValueInput<'t, Token = Token<'s>, Span = SimpleSpan>,
{
    choice([
        #[cfg(feature = "ch19")]
        just(Token::Name("ordered"))
            .map_with(|_, extra| span(extra.span()))
            .then(pattern.clone())
            .map(|(ordered, tree)| PatternAst { ordered: Some(ordered), ..tree })
            .boxed(),
        pattern,
    ])
}

/// A single name is a value.
fn value_or_pattern(tree: PatternAst) -> OperandAst {
    let parts = [
        #[cfg(feature = "ch10")]
        &tree.name,
        &tree.relation,
        &tree.attribute,
        &tree.mode,
    ];
    if tree.operands.is_empty() && parts.iter().all(|part| part.is_none()) {
        OperandAst::Value(tree.operation, None)
    } else {
        OperandAst::Pattern(tree)
    }
}

fn guard<'t, 's: 't, I>() -> impl Parser<'t, I, GuardAst, Errors<'t, 's>>
where
    I: ValueInput<'t, Token = Token<'s>, Span = SimpleSpan>,
{
    #[cfg(feature = "ch02")]
    let inside = || word().delimited_by(just(Token::Open), just(Token::Close));
    let equal = word()
        .then_ignore(just(Token::Equal))
        .then(number())
        .map(|(name, number)| GuardAst::Equal(name, number));
    choice([
        #[cfg(feature = "ch10")]
        just(Token::Name("unshared")).ignore_then(inside()).map(GuardAst::Unshared).boxed(),
        #[cfg(feature = "ch02")]
        word().then(inside()).map(|(it, of)| GuardAst::Property(it, of)).boxed(),
        equal.boxed(),
    ])
}

fn step<'t, 's: 't, I>() -> impl Parser<'t, I, StepAst, Errors<'t, 's>>
where
    I: ValueInput<'t, Token = Token<'s>, Span = SimpleSpan>,
{
    let keyword = |keyword| just(Token::Name(keyword));
    let registers = || word().repeated().at_least(1).collect();
    let out = keyword("out").ignore_then(registers()).map(StepAst::Out);
    let clobbers = keyword("clobbers").ignore_then(registers()).map(StepAst::Clobbers);
    let costs = keyword("bytes")
        .ignore_then(number())
        .then_ignore(keyword("cycles"))
        .then(number())
        .map_with(|(bytes, cycles), extra| StepAst::Costs {
            bytes,
            cycles,
            span: span(extra.span()),
        });
    let instruction = word()
        .or(and())
        .then(just(Token::Point).ignore_then(word()).or_not())
        .then(argument().separated_by(just(Token::Comma)).collect())
        .map(|((mnemonic, relation), operands)| StepAst::Instruction {
            mnemonic,
            relation,
            operands,
        });
    choice((out, clobbers, costs, instruction))
}

fn argument<'t, 's: 't, I>() -> impl Parser<'t, I, ArgumentAst, Errors<'t, 's>>
where
    I: ValueInput<'t, Token = Token<'s>, Span = SimpleSpan>,
{
    choice([
        immediate().map(ArgumentAst::Immediate).boxed(),
        word().map(ArgumentAst::Name).boxed(),
        #[cfg(feature = "ch04")]
        address().boxed(),
    ])
}

#[cfg(feature = "ch04")]
fn address<'t, 's: 't, I>() -> impl Parser<'t, I, ArgumentAst, Errors<'t, 's>>
where
    I: ValueInput<'t, Token = Token<'s>, Span = SimpleSpan>,
{
    term()
        .separated_by(just(Token::Plus))
        .at_least(1)
        .collect()
        .delimited_by(just(Token::OpenBracket), just(Token::CloseBracket))
        .map_with(|terms, extra| ArgumentAst::Address(terms, span(extra.span())))
}

fn immediate<'t, 's: 't, I>() -> impl Parser<'t, I, ImmediateAst, Errors<'t, 's>> + Clone
where
    I: ValueInput<'t, Token = Token<'s>, Span = SimpleSpan>,
{
    let immediate = number().map_with(|it, extra| ImmediateAst::Number(it, span(extra.span())));
    #[cfg(feature = "ch04")]
    let immediate = immediate.or(function());
    immediate
}

/// A number computed from a constant.
#[cfg(feature = "ch04")]
fn function<'t, 's: 't, I>() -> impl Parser<'t, I, ImmediateAst, Errors<'t, 's>> + Clone
where
    I: ValueInput<'t, Token = Token<'s>, Span = SimpleSpan>,
{
    let minus = just(Token::Minus)
        .map_with(|_, extra| Identifier { text: "negative".to_string(), span: span(extra.span()) })
        .then(word());
    let call = word().then(word().delimited_by(just(Token::Open), just(Token::Close)));
    minus.or(call).map(|(function, of)| ImmediateAst::Function(function, of))
}

#[cfg(feature = "ch04")]
fn term<'t, 's: 't, I>() -> impl Parser<'t, I, TermAst, Errors<'t, 's>>
where
    I: ValueInput<'t, Token = Token<'s>, Span = SimpleSpan>,
{
    let scaled = word()
        .then(just(Token::Star).ignore_then(number()).or_not())
        .map(|(name, scale)| TermAst::Name(name, scale));
    choice([
        just(Token::Name("argument")).ignore_then(word()).map(TermAst::Argument).boxed(),
        immediate().map(TermAst::Immediate).boxed(),
        scaled.boxed(),
    ])
}
