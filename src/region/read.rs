//! From tokens to terms. Parentheses are paired with an explicit stack, and a let is substituted as
//! soon as its name is used.
use super::op::Operator;
use super::parser::{Token, tokens};
use super::term::{Head, TermId, Terms};
use crate::diagnostics::{Code, Diagnostic, closest};
use source::Span;
use std::collections::HashMap;

/// The terms of a text, and the term of the whole text.
pub fn read(text: &str) -> Result<(Terms, TermId), Vec<Diagnostic>> {
    let mut reader = Reader::default();
    for (token, span) in tokens(text) {
        reader.token(token, span);
    }
    if let Some(frame) = reader.frames.first() {
        reader.report(Code::Syntax, frame.open, "this `(` is never closed", "begins here");
    } else if reader.roots.is_empty() {
        let end = Span::new(text.len(), text.len());
        reader.report(Code::Syntax, end, "the program is empty", "expected an expression");
    }
    if let Some(&second) = reader.roots.get(1) {
        let span = reader.terms.term(second).span;
        let message = "the program is one expression, but here is a second one";
        reader.report(Code::Syntax, span, message, "begins after the end of the program");
    }
    match reader.roots.first() {
        Some(&root) if reader.diagnostics.is_empty() => Ok((reader.terms, root)),
        _ => Err(reader.diagnostics),
    }
}

/// The limit for arguments, outputs and cases.
const MAX_COUNT: u32 = 65_535;

#[derive(Default)]
struct Reader<'s> {
    terms: Terms,
    frames: Vec<Frame<'s>>,
    bindings: HashMap<&'s str, TermId>,
    roots: Vec<TermId>,
    diagnostics: Vec<Diagnostic>,
}

/// A list that is not closed yet.
struct Frame<'s> {
    open: Span,
    word: Option<(&'s str, Span)>,
    items: Vec<TermId>,
    /// The value of the same name outside of this let.
    hidden: Option<TermId>,
}

impl Frame<'_> {
    fn is_let(&self) -> bool {
        self.word.is_some_and(|(word, _)| word.starts_with('?'))
    }
}

impl<'s> Reader<'s> {
    fn token(&mut self, token: Token<'s>, span: Span) {
        match (token, self.frames.last_mut()) {
            (Token::Word(word), Some(frame)) if frame.word.is_none() => {
                frame.word = Some((word, span));
            }
            (Token::Word(word), _) => {
                let term = self.atom(word, span);
                self.item(term);
            }
            (Token::Open, frame) => {
                let lacks_word = frame.is_some_and(|frame| {
                    let lacks = frame.word.is_none();
                    frame.word = frame.word.or(Some(("use", span)));
                    lacks
                });
                if lacks_word {
                    let message = "a list begins with an operation, not with a list";
                    self.report(Code::Syntax, span, message, "expected the name of an operation");
                }
                self.frames.push(Frame { open: span, word: None, items: vec![], hidden: None });
            }
            (Token::Close, Some(_)) => {
                let frame = self.frames.pop().expect("there is a last frame");
                let span = Span { start: frame.open.start, end: span.end };
                let term = self.close(frame, span);
                self.item(term);
            }
            (Token::Close, None) => {
                let message = "this `)` closes nothing";
                self.report(Code::Syntax, span, message, "there is no open list");
            }
        }
    }

    /// Adds a term to the innermost list. The first term of a let is the value of its name.
    fn item(&mut self, term: TermId) {
        let Some(frame) = self.frames.last_mut() else { return self.roots.push(term) };
        frame.items.push(term);
        if frame.is_let() && frame.items.len() == 1 {
            let (name, _) = frame.word.expect("a let has a name");
            frame.hidden = self.bindings.insert(name, term);
        }
    }

    fn atom(&mut self, word: &'s str, span: Span) -> TermId {
        let head = match (word.strip_prefix('?'), word.strip_prefix("get-")) {
            (Some(_), _) => match self.bindings.get(word) {
                Some(&term) => return term,
                None => return self.unbound(word, span),
            },
            (_, Some(number)) => self.count(number, span).map(Head::Argument),
            (None, None) => self.number(word, span).map(Head::Number),
        };
        self.terms.add(head.unwrap_or(Head::Number(0)), &[], span)
    }

    fn unbound(&mut self, word: &str, span: Span) -> TermId {
        let help = closest(word, self.bindings.keys().copied());
        let help = help.map(|it| format!("`{it}` is bound"));
        let message = format!("`{word}` has no value");
        let report = Diagnostic::new(Code::Name, span, message, "no let around binds it");
        self.diagnostics.push(Diagnostic { help, ..report });
        self.terms.add(Head::Number(0), &[], span)
    }

    fn number(&mut self, word: &str, span: Span) -> Option<i64> {
        let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
        match word.parse::<i32>() {
            Ok(number) => Some(i64::from(number)),
            Err(_) if !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit()) => {
                let message = format!("`{word}` does not fit into 32 bits");
                self.report(
                    Code::Number,
                    span,
                    message,
                    "the numbers are -2147483648 … 2147483647",
                );
                None
            }
            Err(_) => {
                let message = format!("`{word}` is no value");
                let label = "expected a number, `get-N`, `?name` or a list";
                self.report(Code::Syntax, span, message, label);
                None
            }
        }
    }

    /// The number in a word such as `get-3`.
    fn count(&mut self, digits: &str, span: Span) -> Option<u32> {
        let number = digits.parse().ok().filter(|&it| it <= MAX_COUNT);
        let is_decimal = digits.bytes().all(|it| it.is_ascii_digit());
        if number.is_none() || !is_decimal {
            let message = format!("`{digits}` is no count");
            self.report(Code::Number, span, message, format!("expected 0 … {MAX_COUNT}"));
            return None;
        }
        number
    }

    fn close(&mut self, frame: Frame<'s>, span: Span) -> TermId {
        let Some((word, place)) = frame.word else {
            self.report(Code::Syntax, span, "an empty list", "expected the name of an operation");
            return self.terms.add(Head::Number(0), &[], span);
        };
        if frame.is_let() {
            return self.close_let(word, &frame, span);
        }
        let head = self.head(word, place, frame.items.len());
        let head = head.filter(|&head| self.has_right_count(head, &frame.items, span));
        match head {
            Some(head) => self.terms.add(head, &frame.items, span),
            None => self.terms.add(Head::Number(0), &[], span),
        }
    }

    /// A let is its body, in which each use of the name is already the value.
    fn close_let(&mut self, name: &'s str, frame: &Frame, span: Span) -> TermId {
        match frame.hidden {
            Some(hidden) => self.bindings.insert(name, hidden),
            None => self.bindings.remove(name),
        };
        if let [_, body] = frame.items[..] {
            return body;
        }
        let message =
            format!("a let has a value and a body, but this one has {} parts", frame.items.len());
        self.report(Code::Syntax, span, message, format!("expected `({name} value body)`"));
        self.terms.add(Head::Number(0), &[], span)
    }

    fn head(&mut self, word: &str, span: Span, operands: usize) -> Option<Head> {
        if let Some(number) = word.strip_prefix("get-") {
            let number = self.count(number, span)?;
            return Some(match operands {
                0 => Head::Argument(number),
                _ => Head::Component(number),
            });
        }
        if let Some([cases, outputs]) = self.counts(word, ["switch-", "-cases-", "-outputs"], span)
        {
            return Some(Head::Switch { cases, outputs });
        }
        if let Some([inputs, outputs]) = self.counts(word, ["func-", "-inputs-", "-outputs"], span)
        {
            return Some(Head::Function { inputs, outputs });
        }
        let known = match word {
            "use" => Some(Head::Use),
            "force" => Some(Head::Force),
            "loop" => Some(Head::Loop),
            "call" => Some(Head::Call),
            _ => Operator::of_word(word).map(Head::Operator),
        };
        if known.is_none() {
            let message = format!("`{word}` is no operation");
            let operators = Operator::all().map(|row| row.word);
            let list: Vec<_> = operators.chain(["use", "force", "loop", "call"]).collect();
            let label = format!(
                "the operations are {}, get-N, switch-C-cases-M-outputs, func-N-inputs-M-outputs",
                list.join(" ")
            );
            self.report(Code::Syntax, span, message, label);
        }
        known
    }

    /// The two numbers in a word such as `func-2-inputs-1-outputs`.
    fn counts(&mut self, word: &str, parts: [&str; 3], span: Span) -> Option<[u32; 2]> {
        let (first, rest) = word.strip_prefix(parts[0])?.split_once(parts[1])?;
        let second = rest.strip_suffix(parts[2])?;
        let counts = [self.count(first, span), self.count(second, span)];
        // A wrong number was reported; the operands cannot be checked.
        Some(counts.map(Option::unwrap_or_default))
    }

    fn has_right_count(&mut self, head: Head, items: &[TermId], span: Span) -> bool {
        let count = items.len();
        let expected = match head {
            Head::Number(_) | Head::Argument(_) | Head::Use => return true,
            Head::Component(_) if count != 1 => "one operand, the tuple".to_string(),
            Head::Operator(_) if count != 2 => "two operands".to_string(),
            Head::Loop if count.is_multiple_of(2) => {
                "an odd number of operands: N values before it, N results and a predicate".into()
            }
            Head::Switch { cases: 0, .. } | Head::Switch { outputs: 0, .. } => {
                "at least one case and one output".to_string()
            }
            Head::Switch { cases, outputs } if count as u32 <= cases * outputs => {
                format!("a predicate, inputs, and {cases} · {outputs} results")
            }
            Head::Function { outputs, .. } if (count as u32) < outputs => {
                format!("{outputs} results, perhaps after constant inputs")
            }
            Head::Force if count == 0 => "a state and the values that it comes after".to_string(),
            Head::Call if count == 0 => "a function and its arguments".to_string(),
            Head::Switch { cases, .. } => return self.is_in_range(cases, items[0]),
            Head::Component(_)
            | Head::Operator(_)
            | Head::Force
            | Head::Loop
            | Head::Function { .. }
            | Head::Call => return true,
        };
        let message = format!("a wrong number of operands: {count}");
        self.report(Code::Syntax, span, message, format!("expected {expected}"));
        false
    }

    /// Whether there is a case for the predicate, as far as it is known.
    fn is_in_range(&mut self, cases: u32, predicate: TermId) -> bool {
        let span = self.terms.term(predicate).span;
        let Head::Number(number) = self.terms.head(predicate) else { return true };
        if (0..i64::from(cases)).contains(&number) {
            return true;
        }
        let message = format!("the switch has no case {number}");
        self.report(Code::Syntax, span, message, format!("the cases are 0 … {}", cases - 1));
        false
    }

    fn report(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
    ) {
        if self.diagnostics.len() < MAX_REPORTS {
            self.diagnostics.push(Diagnostic::new(code, span, message, label));
        }
    }
}

/// Later errors are not reported.
const MAX_REPORTS: usize = 20;
