//! The grammar, by parser combinators.
use crate::error::{Error, ErrorKind};
use crate::expand::expand;
use crate::print::NEGATIVE;
use crate::rule::{ItemWithSteps, Step, finish};
use crate::token::{Token, tokens};
use crate::tree::*;
use chumsky::error::{EmptyErr, LabelError};
use chumsky::input::MappedInput;
use chumsky::prelude::*;
use source::Span;
use std::collections::HashSet;

/// The maximal nesting depth of patterns.
pub const MAX_DEPTH: i64 = 20;

/// Reads the rules of a text in the version `version`, and expands their forms. The errors of the
/// text are returned with the rules that have none.
pub fn rules(text: &str, version: u32) -> (Vec<RuleAst>, Vec<Error>) {
    let words = words(text, version);
    if let Some(error) = of_other_kind(&words, Token::Peephole, Token::Rule) {
        return (Vec::new(), vec![error]);
    }
    let (rules, forms, mut errors) = rules_and_forms(text, version);
    let rules = expand(rules, &forms, &mut errors);
    check_names("rule", rules.iter().map(|it| &it.name), &mut errors);
    (rules, errors)
}

/// Reads rules and alternatives of forms as they are written.
pub fn rules_and_forms(text: &str, version: u32) -> (Vec<RuleAst>, Vec<FormAst>, Vec<Error>) {
    let words = words(text, version);
    let (items, mut errors) = read(&words, text, rule_or_form(), rule_or_form());
    let (rules, forms) = finish(items, &mut errors);
    check_names("form", forms.iter().map(|it| &it.name), &mut errors);
    (rules, forms, errors)
}

/// Reads the peepholes of a text, as [`rules`] reads rules.
pub fn peepholes(text: &str, version: u32) -> (Vec<PeepholeAst>, Vec<Error>) {
    let words = words(text, version);
    if let Some(error) = of_other_kind(&words, Token::Rule, Token::Peephole) {
        return (Vec::new(), vec![error]);
    }
    let (peepholes, mut errors) = read(&words, text, peephole(), peephole());
    check_names("rule", peepholes.iter().map(|it| &it.name), &mut errors);
    (peepholes, errors)
}

/// The error of a file for another purpose: it has items that begin with the token `other`. It is
/// reported once.
fn of_other_kind(words: &Words, other: Token, expected: Token) -> Option<Error> {
    let (_, place) = words.iter().find(|(word, _)| *word == other)?;
    let message = format!("this file contains no {expected}s, but {other}s");
    let label = format!("a {expected} begins with `{expected}`");
    Some(Error { kind: ErrorKind::Syntax, span: span(*place), message, label })
}

type Words<'t> = Vec<(Token<'t>, SimpleSpan)>;
type Tokens<'t> = MappedInput<'t, Token<'t>, SimpleSpan, &'t [(Token<'t>, SimpleSpan)]>;

/// What a parser knows of a syntax error: a description, or only that there is one.
trait SyntaxError<'t>:
    chumsky::error::Error<'t, Tokens<'t>> + LabelError<'t, Tokens<'t>, &'static str> + 't
{
}
impl<'t> SyntaxError<'t> for EmptyErr {}
impl<'t> SyntaxError<'t> for Description<'t> {}

type Description<'t> = Rich<'t, Token<'t>, SimpleSpan>;

fn words(text: &str, version: u32) -> Words<'_> {
    tokens(text, version).into_iter().map(|(word, place)| (word, place.into())).collect()
}

/// Reads a text that consists of such items. To describe an error, a parser collects what it
/// expects at each position, which takes longer than all the rest. So a text is read without
/// descriptions first, and with them only if it has errors.
fn read<'t, T>(
    words: &'t Words<'t>,
    text: &str,
    item: impl Parser<'t, Tokens<'t>, T, extra::Err<EmptyErr>>,
    described_item: impl Parser<'t, Tokens<'t>, T, extra::Err<Description<'t>>>,
) -> (Vec<T>, Vec<Error>) {
    if let Some(span) = too_deep(words) {
        let message = format!("nested more than {MAX_DEPTH} deep");
        let label = "one level too many".to_string();
        return (Vec::new(), vec![Error { kind: ErrorKind::Nesting, span, message, label }]);
    }
    let end = (text.len()..text.len()).into();
    let input = words.as_slice().split_token_span(end);
    let (items, mut errors) = match item.repeated().collect().parse(input).into_result() {
        Ok(items) => (items, Vec::new()),
        Err(_) => {
            let (items, errors) = file(described_item).parse(input).into_output_errors();
            let items: Vec<T> = items.unwrap_or_default().into_iter().flatten().collect();
            (items, errors.iter().map(syntax_error).collect())
        }
    };
    if items.is_empty() && errors.is_empty() {
        let message = "there is no rule in this file";
        errors.push(Error::rule(Span::default(), message, "nothing here"));
    }
    (items, errors)
}

/// The span at which parentheses nest too deep; the parser of patterns recurses.
fn too_deep(words: &Words) -> Option<Span> {
    let mut depth = 0i64;
    let deep = |(word, _): &&(Token, SimpleSpan)| {
        match word {
            Token::Open => depth += 1,
            Token::Close => depth -= 1,
            _ => {}
        }
        depth > MAX_DEPTH
    };
    words.iter().find(deep).map(|(_, place)| span(*place))
}

fn syntax_error(error: &Rich<Token>) -> Error {
    let found = match error.found() {
        None => "end of the file".to_string(),
        Some(Token::Unknown) => "letters".to_string(),
        Some(word) => format!("`{word}`"),
    };
    let mut expected: Vec<_> = error.expected().map(|it| it.to_string()).collect();
    expected.sort();
    Error {
        kind: ErrorKind::Syntax,
        span: span(*error.span()),
        message: format!("unexpected {found}"),
        label: format!("expected {}", expected.join(" or ")),
    }
}

fn check_names<'a>(
    kind: &str,
    names: impl Iterator<Item = &'a Identifier>,
    errors: &mut Vec<Error>,
) {
    let mut known = HashSet::new();
    for name in names.filter(|name| !known.insert(&name.text)) {
        let message = format!("there is already a {kind} `{name}`");
        errors.push(Error::rule(name.span, message, "the second of its name"));
    }
}

fn span(place: SimpleSpan) -> Span {
    Span::new(place.start, place.end)
}

/// An item with a syntax error is skipped, and parsing continues at the next one.
fn file<'t, T>(
    item: impl Parser<'t, Tokens<'t>, T, extra::Err<Description<'t>>>,
) -> impl Parser<'t, Tokens<'t>, Vec<Option<T>>, extra::Err<Description<'t>>> {
    let begins = any().filter(Token::begins_rule);
    let tag = any().filter(|word| matches!(word, Token::Tag(_)));
    let first = tag.then(any()).ignored().or(any().ignored());
    let skip = first.then(any().and_is(begins.not()).repeated()).map(|_| None);
    item.map(Some).recover_with(via_parser(skip)).repeated().collect()
}

fn rule_or_form<'t, E: SyntaxError<'t>>()
-> impl Parser<'t, Tokens<'t>, ItemWithSteps, extra::Err<E>> {
    rule().or(form())
}

fn rule<'t, E: SyntaxError<'t>>() -> impl Parser<'t, Tokens<'t>, ItemWithSteps, extra::Err<E>> {
    let roots = pattern().separated_by(just(Token::Comma)).at_least(1).collect();
    let steps = step().separated_by(just(Token::Semicolon)).at_least(1).collect();
    head(Token::Rule).then(roots).then(guards()).then_ignore(just(Token::Becomes)).then(steps).map(
        |((((tag, name), roots), guards), steps)| {
            let (written, with_forms, alternatives) = (name.text.clone(), None, Vec::new());
            let (instructions, out, clobbers, cycles) = Default::default();
            let rule = RuleAst {
                tag,
                name,
                written,
                with_forms,
                alternatives,
                roots,
                guards,
                instructions,
                out,
                clobbers,
                cycles,
            };
            ItemWithSteps::Rule(rule, steps)
        },
    )
}

fn form<'t, E: SyntaxError<'t>>() -> impl Parser<'t, Tokens<'t>, ItemWithSteps, extra::Err<E>> {
    let instructions = step().separated_by(just(Token::Semicolon)).at_least(1).collect();
    let after = just(Token::Name("after")).ignore_then(instructions);
    let clauses = clause().separated_by(just(Token::Semicolon)).at_least(1).collect();
    let clauses = just(Token::Semicolon).ignore_then(clauses);
    head(Token::Form)
        .then(operand(pattern()))
        .then(guards())
        .then_ignore(just(Token::Becomes))
        .then(argument())
        .then(after.or(clauses).or_not())
        .map_with(|(((((_, name), operand), guards), result), steps), extra| {
            let (instructions, clobbers, cycles) = Default::default();
            let span = span(extra.span());
            let form =
                FormAst { name, operand, guards, result, instructions, clobbers, cycles, span };
            ItemWithSteps::Form(form, steps.unwrap_or_default())
        })
}

fn peephole<'t, E: SyntaxError<'t>>() -> impl Parser<'t, Tokens<'t>, PeepholeAst, extra::Err<E>> {
    let clause = |keyword| just(Token::Semicolon).ignore_then(just(Token::Name(keyword)));
    let code = || select! { Token::Code(code) => code.to_string() }.labelled("code in quotes");
    let example = code().then_ignore(just(Token::Becomes)).then(code());
    head(Token::Peephole)
        .then(pattern())
        .then(guards())
        .then_ignore(just(Token::Becomes))
        .then(operand(pattern()))
        .then(clause("decreases").ignore_then(word()))
        .then(clause("example").ignore_then(example))
        .map(|((((((tag, name), pattern), guards), replacement), decreases), example)| {
            PeepholeAst { tag, name, pattern, guards, replacement, decreases, example }
        })
}

/// The tag and the name of a rule.
fn head<'t, E: SyntaxError<'t>>(
    keyword: Token<'t>,
) -> impl Parser<'t, Tokens<'t>, (Option<String>, Identifier), extra::Err<E>> {
    let tag = select! { Token::Tag(tag) => tag.to_string() }.labelled("a tag").or_not();
    tag.then_ignore(just(keyword)).then(word().or(and())).then_ignore(just(Token::Colon))
}

fn guards<'t, E: SyntaxError<'t>>() -> impl Parser<'t, Tokens<'t>, Vec<GuardAst>, extra::Err<E>> {
    let guards = guard().separated_by(just(Token::And)).at_least(1).collect();
    just(Token::If).ignore_then(guards).or_not().map(Option::unwrap_or_default)
}

fn guard<'t, E: SyntaxError<'t>>() -> impl Parser<'t, Tokens<'t>, GuardAst, extra::Err<E>> {
    let names = word().separated_by(just(Token::Comma)).at_least(1).collect();
    let property = word_before(Token::Open).then(names).then_ignore(just(Token::Close));
    let equal = word_before(Token::Equal).then(number());
    choice((
        property.map(|(it, of)| GuardAst::Property(it, of)),
        equal.map(|(name, number)| GuardAst::Equal(name, number)),
    ))
}

fn in_parentheses<'t, T, E: SyntaxError<'t>>(
    inside: impl Parser<'t, Tokens<'t>, T, extra::Err<E>> + Clone,
) -> impl Parser<'t, Tokens<'t>, T, extra::Err<E>> + Clone {
    inside.delimited_by(just(Token::Open), just(Token::Close))
}

fn word<'t, E: SyntaxError<'t>>() -> impl Parser<'t, Tokens<'t>, Identifier, extra::Err<E>> + Clone
{
    name().map(identifier)
}

/// A name and `next`. Where several alternatives begin with a name, the text is copied only for the
/// right one.
fn word_before<'t, E: SyntaxError<'t>>(
    next: Token<'t>,
) -> impl Parser<'t, Tokens<'t>, Identifier, extra::Err<E>> + Clone {
    name().then_ignore(just(next)).map(identifier)
}

fn name<'t, E: SyntaxError<'t>>()
-> impl Parser<'t, Tokens<'t>, (&'t str, SimpleSpan), extra::Err<E>> + Clone {
    select! { Token::Name(text) = extra => (text, extra.span()) }.labelled("a name")
}

fn identifier((text, place): (&str, SimpleSpan)) -> Identifier {
    Identifier { text: text.to_string(), span: span(place) }
}

/// An instruction or a rule may be called `and`.
fn and<'t, E: SyntaxError<'t>>() -> impl Parser<'t, Tokens<'t>, Identifier, extra::Err<E>> + Clone {
    just(Token::And)
        .map_with(|_, extra| Identifier { text: "and".to_string(), span: span(extra.span()) })
}

fn number<'t, E: SyntaxError<'t>>() -> impl Parser<'t, Tokens<'t>, i64, extra::Err<E>> + Clone {
    select! { Token::Number(number) => number }.labelled("a number")
}

/// A pattern, perhaps with a name.
fn pattern<'t, E: SyntaxError<'t>>()
-> impl Parser<'t, Tokens<'t>, PatternAst, extra::Err<E>> + Clone {
    recursive(|pattern| {
        let nameless = nameless_pattern(operand(pattern));
        let named = word_before(Token::Is).then(nameless.clone());
        let named = named.map(|(name, tree)| PatternAst { name: Some(name), ..tree });
        named.or(nameless).boxed()
    })
}

fn nameless_pattern<'t, E: SyntaxError<'t>>(
    operand: impl Parser<'t, Tokens<'t>, OperandAst, extra::Err<E>> + Clone + 't,
) -> impl Parser<'t, Tokens<'t>, PatternAst, extra::Err<E>> + Clone {
    let ordered = just(Token::Name("ordered")).map_with(|_, extra| span(extra.span()));
    let operands = operand.separated_by(just(Token::Comma)).at_least(1).collect();
    let tree = word()
        .then(just(Token::Point).ignore_then(word()).or_not())
        .then(word().or_not())
        .then(just(Token::Colon).ignore_then(word()).or_not())
        .then(in_parentheses(operands).or_not())
        .map(|((((operation, relation), attribute), mode), operands)| {
            let operands = operands.unwrap_or_default();
            let (name, ordered) = (None, None);
            PatternAst { name, ordered, operation, relation, attribute, mode, operands }
        });
    let in_order = ordered.then(tree.clone());
    in_order.map(|(ordered, tree)| PatternAst { ordered: Some(ordered), ..tree }).or(tree).boxed()
}

fn operand<'t, E: SyntaxError<'t>>(
    pattern: impl Parser<'t, Tokens<'t>, PatternAst, extra::Err<E>> + Clone + 't,
) -> impl Parser<'t, Tokens<'t>, OperandAst, extra::Err<E>> + Clone {
    let fixed =
        word_before(Token::In).then(word()).map(|(name, it)| OperandAst::Value(name, Some(it)));
    let number = number().map_with(|it, extra| OperandAst::Number(it, span(extra.span())));
    choice((number, fixed, pattern.map(value_or_pattern))).boxed()
}

/// A single name is a value.
fn value_or_pattern(tree: PatternAst) -> OperandAst {
    let parts = [&tree.name, &tree.relation, &tree.attribute, &tree.mode];
    let is_name = tree.operands.is_empty() && parts.iter().all(|part| part.is_none());
    if is_name && tree.ordered.is_none() {
        OperandAst::Value(tree.operation, None)
    } else {
        OperandAst::Pattern(tree)
    }
}

fn step<'t, E: SyntaxError<'t>>() -> impl Parser<'t, Tokens<'t>, Step, extra::Err<E>> {
    let instruction = word()
        .or(and())
        .then(just(Token::Point).ignore_then(word()).or_not())
        .then(argument().separated_by(just(Token::Comma)).collect())
        .map(|((mnemonic, relation), operands)| InstructionAst { mnemonic, relation, operands })
        .boxed();
    clause().or(instruction.map(Step::Instruction))
}

/// A step that is no instruction.
fn clause<'t, E: SyntaxError<'t>>() -> impl Parser<'t, Tokens<'t>, Step, extra::Err<E>> {
    let keyword = |keyword| just(Token::Name(keyword));
    let registers = || word().repeated().at_least(1).collect();
    let out = keyword("out").ignore_then(registers()).map(Step::Out);
    let clobbers = keyword("clobbers").ignore_then(registers()).map(Step::Clobbers);
    let cycles = keyword("cycles").ignore_then(number());
    let cycles = cycles.map_with(|cycles, extra| Step::Cycles(cycles, span(extra.span())));
    choice((out, clobbers, cycles))
}

fn argument<'t, E: SyntaxError<'t>>() -> impl Parser<'t, Tokens<'t>, ArgumentAst, extra::Err<E>> {
    let terms = term().separated_by(just(Token::Plus)).at_least(1).collect();
    let address = terms
        .delimited_by(just(Token::OpenBracket), just(Token::CloseBracket))
        .map_with(|terms, extra| ArgumentAst::Address(terms, span(extra.span())));
    choice((immediate().map(ArgumentAst::Immediate), word().map(ArgumentAst::Name), address))
}

fn term<'t, E: SyntaxError<'t>>() -> impl Parser<'t, Tokens<'t>, TermAst, extra::Err<E>> {
    let scale = immediate().or(word().map(ImmediateAst::Name));
    let scale = just(Token::Star).ignore_then(scale).or_not();
    choice((
        just(Token::Name("argument")).ignore_then(word()).map(TermAst::Argument),
        immediate().map(TermAst::Immediate),
        word().then(scale).map(|(name, scale)| TermAst::Name(name, scale)),
    ))
    .boxed()
}

fn immediate<'t, E: SyntaxError<'t>>()
-> impl Parser<'t, Tokens<'t>, ImmediateAst, extra::Err<E>> + Clone {
    let number = number().map_with(|it, extra| ImmediateAst::Number(it, span(extra.span())));
    let minus = just(Token::Minus)
        .map_with(|_, extra| Identifier { text: NEGATIVE.to_string(), span: span(extra.span()) });
    let of = word().then_ignore(just(Token::Close));
    let function = minus.then(word()).or(word_before(Token::Open).then(of));
    number.or(function.map(|(function, of)| ImmediateAst::Function(function, of)))
}
