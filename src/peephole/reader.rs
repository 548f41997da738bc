//! Reads laws of algebra: the file `peepholes.rules`.
//!
//! ```text
//! file      = { rule } ;
//! rule      = [ "@chNN" ] , "peephole" , name , ":" , term ,
//!             [ "if" , guard , { "and" , guard } ] , "=>" , term , ";" ,
//!             "decreases" , name , ";" , "example" , code , "=>" , code ;
//! term      = [ name , "=" ] , operation | "Const" , name | name | number ;
//! operation = name , "(" , term , { "," , term } , ")" ;
//! guard     = name , "(" , name , { "," , name } , ")" ;
//! code      = '"' , { character } , '"' ;
//! ```
use super::Component;
use super::law::{Guard, Law, MAX_NAMES, Operation, Slot, Term};
use crate::arith::{Binary, Unary};
use crate::chapter::this_chapter;
use std::ops::Range;

/// The laws up to this chapter, or the first fault with its line.
pub fn read(text: &'static str) -> Result<Vec<Law>, String> {
    let mut reader = Reader { text, words: words(text), at: 0, names: Vec::new() };
    let mut laws = Vec::new();
    while reader.at < reader.words.len() {
        let tag = reader.peek().strip_prefix("@ch").and_then(|it| it.parse::<u32>().ok());
        reader.at += usize::from(tag.is_some());
        if tag.is_some_and(|chapter| chapter > this_chapter()) {
            reader.skip_law();
        } else {
            laws.push(reader.law()?);
        }
    }
    Ok(laws)
}

struct Reader {
    text: &'static str,
    words: Vec<Range<usize>>,
    /// The number of the next word.
    at: usize,
    /// The names of the law so far, and whether they are those of constants.
    names: Vec<(&'static str, bool)>,
}

impl Reader {
    fn law(&mut self) -> Result<Law, String> {
        self.names.clear();
        self.expect("peephole")?;
        let name = self.next();
        self.expect(":")?;
        let start = self.place();
        let pattern = self.term(true)?;
        let Term::Operation(root, ..) = pattern else { return Err(self.fault("an operation")) };
        let mut guards = Vec::new();
        let mut guarded = self.eat("if");
        while guarded {
            guards.push(self.guard()?);
            guarded = self.eat("and");
        }
        self.expect("=>")?;
        let replacement = self.term(false)?;
        let text = &self.text[start..self.place()];
        self.expect(";")?;
        self.expect("decreases")?;
        let decreases = self.component()?;
        self.expect(";")?;
        self.expect("example")?;
        let before = self.code()?;
        self.expect("=>")?;
        let example = (before, self.code()?);
        Ok(Law { name, text, example, decreases, root, pattern, guards, replacement })
    }

    fn skip_law(&mut self) {
        self.at += 1;
        while !self.peek().starts_with("@ch") && !["peephole", ""].contains(&self.peek()) {
            self.at += 1;
        }
    }

    /// A term; the pattern binds names, the replacement uses them.
    fn term(&mut self, binds: bool) -> Result<Term, String> {
        let word = self.next();
        if let Ok(number) = word.parse() {
            return Ok(Term::Number(number));
        }
        if binds && word == "Const" {
            let name = self.next();
            return Ok(Term::Constant(self.bind(name, true)?));
        }
        if binds && self.peek() == "=" {
            let name = self.bind(word, false)?;
            self.expect("=")?;
            let operation = self.next();
            return self.operation(operation, binds, Some(name));
        }
        if self.peek() == "(" {
            return self.operation(word, binds, None);
        }
        if binds && self.slot(word).is_none() {
            return Ok(Term::Name(self.bind(word, false)?));
        }
        let name = self.bound(word)?;
        Ok(if self.names[name].1 { Term::Constant(name) } else { Term::Name(name) })
    }

    fn operation(&mut self, name: &str, binds: bool, bound: Option<Slot>) -> Result<Term, String> {
        let operation = Operation::named(name).ok_or_else(|| self.fault("an operation"))?;
        self.expect("(")?;
        let mut operands = vec![self.term(binds)?];
        while operands.len() < operation.operands() {
            self.expect(",")?;
            operands.push(self.term(binds)?);
        }
        self.expect(")")?;
        Ok(Term::Operation(operation, operands, bound))
    }

    fn guard(&mut self) -> Result<Guard, String> {
        let guard = match self.next() {
            "varies" => Guard::Varies,
            "term" => Guard::Term,
            "short" => Guard::Short,
            "before" => {
                self.expect("(")?;
                let left = self.name()?;
                self.expect(",")?;
                let right = self.name()?;
                self.expect(")")?;
                return Ok(Guard::Before(left, right));
            }
            _ => return Err(self.fault("a guard")),
        };
        self.expect("(")?;
        let name = self.name()?;
        self.expect(")")?;
        Ok(guard(name))
    }

    /// A new name of the law.
    fn bind(&mut self, name: &'static str, is_constant: bool) -> Result<Slot, String> {
        let is_name = name.starts_with(|letter: char| letter.is_ascii_lowercase());
        if !is_name || self.slot(name).is_some() || self.names.len() == MAX_NAMES {
            return Err(self.fault("a new name"));
        }
        self.names.push((name, is_constant));
        Ok(self.names.len() - 1)
    }

    fn name(&mut self) -> Result<Slot, String> {
        let word = self.next();
        self.bound(word)
    }

    fn bound(&self, name: &str) -> Result<Slot, String> {
        self.slot(name).ok_or_else(|| self.fault("a name of the pattern"))
    }

    fn slot(&self, name: &str) -> Option<Slot> {
        self.names.iter().position(|(known, _)| *known == name)
    }

    /// A component of expressions.
    fn component(&mut self) -> Result<Component, String> {
        match self.next() {
            "weight" => Ok(Component::Weight),
            "right-sums" => Ok(Component::RightSums),
            "inversions" => Ok(Component::Inversions),
            _ => Err(self.fault("a component")),
        }
    }

    /// What is between quotation marks.
    fn code(&mut self) -> Result<&'static str, String> {
        let code = self.next().strip_prefix('"').and_then(|it| it.strip_suffix('"'));
        code.ok_or_else(|| self.fault("an example in quotation marks"))
    }

    fn expect(&mut self, word: &str) -> Result<(), String> {
        if self.next() == word { Ok(()) } else { Err(self.fault(&format!("`{word}`"))) }
    }

    fn eat(&mut self, word: &str) -> bool {
        let is_next = self.peek() == word;
        self.at += usize::from(is_next);
        is_next
    }

    fn next(&mut self) -> &'static str {
        self.at += 1;
        self.word(self.at - 1)
    }

    fn peek(&self) -> &'static str {
        self.word(self.at)
    }

    /// The word of this number; none is left at the end of the text.
    fn word(&self, at: usize) -> &'static str {
        self.words.get(at).map_or("", |place| &self.text[place.clone()])
    }

    /// Where the next word begins.
    fn place(&self) -> usize {
        self.words.get(self.at).map_or(self.text.len(), |place| place.start)
    }

    /// The last word is not as it should be.
    fn fault(&self, expected: &str) -> String {
        let before = self.words.get(self.at - 1).map_or(self.text, |it| &self.text[..it.start]);
        let line = before.matches('\n').count() + 1;
        format!("line {line}: expected {expected}, found `{}`", self.word(self.at - 1))
    }
}

impl Operation {
    fn named(name: &str) -> Option<Operation> {
        let unary = [Unary::Minus, Unary::Not].into_iter().find(|it| it.row().name == name);
        let mut binary = (0..Binary::COUNT).map(Binary::at);
        let binary = || binary.find(|it| it.row().name == name).map(Operation::Binary);
        let compare = (name == "Compare.r").then_some(Operation::Compare);
        unary.map(Operation::Unary).or_else(binary).or(compare)
    }
}

/// Where the words are: names, numbers, code between quotation marks, signs. Comments, from `#` to
/// the end of a line, are none.
fn words(text: &str) -> Vec<Range<usize>> {
    let (mut words, mut at) = (Vec::new(), 0);
    let is_letter = |it: char| it.is_ascii_alphanumeric() || "@-.".contains(it);
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = match first {
            '#' => rest.find('\n'),
            '"' => rest[1..].find('"').map(|it| it + 2),
            '=' if rest.starts_with("=>") => Some(2),
            _ if is_letter(first) => rest.find(|it| !is_letter(it)),
            _ => Some(first.len_utf8()),
        };
        let end = length.map_or(text.len(), |it| at + it);
        if first != '#' && !first.is_whitespace() {
            words.push(at..end);
        }
        at = end;
    }
    words
}
