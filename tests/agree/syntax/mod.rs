//! Generated programs in the comfortable syntax: constructors with defaults, lists of declarators,
//! `for`, assignments in expressions, `++` and `--`, compound assignments, `?:`, `%`, `var` and
//! `val`. Every stage, the emulator and the processor agree with an oracle.
mod generate;
mod meaning;

use super::check::Check;
use super::configuration::Configuration;
use super::run::run_everywhere;
use super::{ARGUMENTS, compiled, programs};
use meaning::meaning;
use sonc::Source;

/// A variable, or a field of the object of a variable.
#[derive(Clone, Debug)]
pub enum Place {
    Variable(&'static str),
    Field(&'static str, &'static str),
}

#[derive(Clone, Debug)]
pub enum Expression {
    Literal(i32),
    Read(Place),
    Minus(Box<Expression>),
    Binary(&'static str, Box<[Expression; 2]>),
    /// The second value may be left out.
    Choice(Box<[Expression; 2]>, Option<Box<Expression>>),
    /// An assignment; the operator before `=` may be empty.
    Change(Place, &'static str, Box<Expression>),
    /// `x++`, and so on: whether it is before the variable, and by how much it changes.
    Step(Place, bool, i32),
}

#[derive(Clone, Debug)]
pub enum Statement {
    /// The type, and the names with their first values.
    Declare(&'static str, Vec<(&'static str, Option<Expression>)>),
    /// A variable for a new object; its constructor, if it has one.
    New(&'static str, &'static str, Option<Vec<Statement>>),
    Do(Expression),
    If(Expression, Vec<Statement>, Vec<Statement>),
    /// The first statement, the test and the last part.
    For(Option<Box<Statement>>, Option<Expression>, Option<Expression>, Vec<Statement>),
    While(Expression, Vec<Statement>),
    Break,
    Continue,
    Return(Expression),
}

pub struct Struct {
    name: &'static str,
    /// Declarations of the fields, and statements between them.
    body: Vec<Statement>,
}

pub struct Program {
    structs: Vec<Struct>,
    body: Vec<Statement>,
}

impl Program {
    pub fn text(&self) -> String {
        let structs =
            self.structs.iter().map(|it| format!("struct {} {};", it.name, block(&it.body)));
        structs.chain(self.body.iter().map(Statement::text)).collect::<Vec<_>>().join("\n")
    }
}

impl Place {
    fn text(&self) -> String {
        match self {
            Place::Variable(name) => name.to_string(),
            Place::Field(object, field) => format!("{object}.{field}"),
        }
    }
}

impl Expression {
    fn text(&self) -> String {
        match self {
            Expression::Literal(value) if *value == i32::MIN => "(-2147483647-1)".to_string(),
            Expression::Literal(value) if *value < 0 => format!("(-{})", value.unsigned_abs()),
            Expression::Literal(value) => value.to_string(),
            Expression::Read(place) => place.text(),
            Expression::Minus(inner) => format!("(- {})", inner.text()),
            Expression::Binary(sign, operands) => {
                format!("({} {sign} {})", operands[0].text(), operands[1].text())
            }
            Expression::Choice(both, other) => {
                let other = other.iter().map(|it| format!(" : {}", it.text())).collect::<String>();
                format!("({} ? {}{other})", both[0].text(), both[1].text())
            }
            Expression::Change(place, sign, value) => {
                format!("({} {sign}= {})", place.text(), value.text())
            }
            Expression::Step(place, is_before, by) => {
                let sign = if *by > 0 { "++" } else { "--" };
                let place = place.text();
                if *is_before { format!("({sign}{place})") } else { format!("({place}{sign})") }
            }
        }
    }

    /// Without parentheses around a change.
    fn open_text(&self) -> String {
        let text = self.text();
        match self {
            Expression::Change(..) | Expression::Step(..) => text[1..text.len() - 1].to_string(),
            _ => text,
        }
    }
}

impl Statement {
    fn text(&self) -> String {
        match self {
            Statement::Declare(ty, variables) => {
                let variables = variables.iter().map(|(name, value)| match value {
                    Some(value) => format!("{name} = {}", value.open_text()),
                    None => name.to_string(),
                });
                format!("{ty} {};", variables.collect::<Vec<_>>().join(", "))
            }
            Statement::New(name, of, None) => format!("{of} {name} = new {of};"),
            Statement::New(name, of, Some(body)) => {
                format!("{of} {name} = new {of} {};", block(body))
            }
            Statement::Do(expression) => format!("{};", expression.open_text()),
            Statement::If(condition, then, otherwise) => {
                let condition = condition.open_text();
                format!("if ({condition}) {} else {}", block(then), block(otherwise))
            }
            Statement::For(first, test, last, body) => {
                let first = first.as_ref().map_or(";".to_string(), |it| it.text());
                let [test, last] = [test, last].map(|it| it.as_ref().map(|it| it.open_text()));
                let [test, last] = [test, last].map(Option::unwrap_or_default);
                format!("for ({first} {test}; {last}) {}", block(body))
            }
            Statement::While(condition, body) => {
                format!("while ({}) {}", condition.open_text(), block(body))
            }
            Statement::Break => "break;".to_string(),
            Statement::Continue => "continue;".to_string(),
            Statement::Return(value) => format!("return {};", value.open_text()),
        }
    }
}

fn block(statements: &[Statement]) -> String {
    let lines: Vec<_> = statements.iter().map(Statement::text).collect();
    format!("{{\n{}\n}}", lines.join("\n"))
}

/// The failures of a program.
fn failures(program: &Program, configuration: &Configuration) -> Vec<String> {
    let meanings = ARGUMENTS.iter().filter_map(|&it| Some((it, meaning(program, it)?.to_string())));
    let mut check = Check::from_iter(meanings);
    let source = Source { name: "generated".into(), text: program.text() };
    if let Some(executable) = compiled(&source, configuration, &mut check) {
        let errors = run_everywhere(&executable, &check.expected);
        check.failures.extend(errors);
    }
    check.failures
}

fn check_seeds(count: u64, configuration: &Configuration) {
    for seed in 0..count {
        let program = generate::program(seed);
        let found = failures(&program, configuration);
        assert!(found.is_empty(), "seed {seed}:\n{}\n{}", program.text(), found.join("\n"));
    }
}

#[test]
fn syntax_agrees_at_every_stage() {
    check_seeds(programs(200), &Configuration::standard());
}

#[test]
fn syntax_agrees_without_peepholes() {
    let configuration = Configuration { optimize: false, ..Configuration::standard() };
    check_seeds(programs(100), &configuration);
}

#[test]
fn syntax_agrees_with_greedy_selection() {
    let mut configuration = Configuration::standard();
    configuration.selection.method = sonc::Method::Greedy;
    check_seeds(programs(50), &configuration);
}
