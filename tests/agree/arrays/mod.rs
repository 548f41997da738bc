//! Generated programs with arrays: of integers, of narrow ones, of floats and of references to
//! arrays, known by two names, with indices inside and outside. Every stage, the emulator and the
//! processor agree with an oracle, also on the place and the text of a message.
pub mod generate;
mod meaning;

use super::check::Check;
use super::configuration::Configuration;
use super::run::run_everywhere;
use super::{compiled, programs};
use meaning::meaning;
use sonc::Source;

const ARGUMENTS: [i32; 7] = [0, 1, 2, 3, 5, -1, i32::MAX];

/// The number of an access or of an allocation. It tells the place of a message.
pub type Site = usize;

#[derive(Clone, Debug)]
pub enum Expression {
    Literal(i32),
    Variable(&'static str),
    Binary(&'static str, Box<[Expression; 2]>),
    Length(&'static str),
    Element(Site, &'static str, Box<Expression>),
}

#[derive(Clone, Debug)]
pub enum Statement {
    Declare(&'static str, Expression),
    Assign(&'static str, Expression),
    /// An element and its value.
    Store(Site, &'static str, Expression, Expression),
    /// The type of the elements if a variable is declared, the name, and the length.
    New(Site, Option<&'static str>, &'static str, Expression),
    /// The array of a variable becomes that of another one.
    Alias(&'static str, &'static str),
    /// The reference at an index becomes that of a variable.
    Keep(Site, &'static str, Expression, &'static str),
    /// If the reference at an index is not null, it is the array of a new variable in a block.
    Visit(Site, &'static str, &'static str, Expression, Vec<Statement>),
    If(Expression, Vec<Statement>, Vec<Statement>),
    /// A counter, its first value, the condition, the step, and the body.
    While(&'static str, Expression, Expression, i32, Vec<Statement>),
    Return(Expression),
    ReturnArray(&'static str),
}

/// A marker in a text: the place of a site.
pub const MARK: char = '\u{1}';

impl Expression {
    fn text(&self) -> String {
        match self {
            Expression::Literal(value) if *value == i32::MIN => "(-2147483647-1)".to_string(),
            Expression::Literal(value) if *value < 0 => format!("(-{})", value.unsigned_abs()),
            Expression::Literal(value) => value.to_string(),
            Expression::Variable(name) => name.to_string(),
            Expression::Binary(sign, operands) => {
                format!("({} {sign} {})", operands[0].text(), operands[1].text())
            }
            Expression::Length(array) => format!("{array}#"),
            Expression::Element(site, array, index) => {
                format!("{array}{MARK}{site}{MARK}[{}]", index.text())
            }
        }
    }
}

impl Statement {
    fn text(&self) -> String {
        match self {
            Statement::Declare(name, value) => format!("int {name} = {};", value.text()),
            Statement::Assign(name, value) => format!("{name} = {};", value.text()),
            Statement::Store(site, array, index, value) => {
                format!("{array}{MARK}{site}{MARK}[{}] = {};", index.text(), value.text())
            }
            Statement::New(site, element, name, length) => {
                let of = element.unwrap_or(generate::element_of(name));
                let declared = element.map_or(String::new(), |it| format!("{it}[] "));
                format!("{declared}{name} = new {of}{MARK}{site}{MARK}[{}];", length.text())
            }
            Statement::Alias(name, other) => format!("{name} = {other};"),
            Statement::Keep(site, array, index, kept) => {
                format!("{array}{MARK}{site}{MARK}[{}] = {kept};", index.text())
            }
            Statement::Visit(site, name, array, index, body) => {
                let index = index.text();
                let declared = format!("int[]? {name} = {array}{MARK}{site}{MARK}[{index}];");
                format!("{{\n{declared}\nif ({name}) {}\n}}", block(body))
            }
            Statement::If(condition, then, otherwise) => {
                format!("if ({}) {} else {}", condition.text(), block(then), block(otherwise))
            }
            Statement::While(name, first, condition, step, body) => {
                let (first, condition) = (first.text(), condition.text());
                let body: String = body.iter().map(|it| it.text() + "\n").collect();
                let step = format!("{name} = {name} + {};", Expression::Literal(*step).text());
                format!("{{\nint {name} = {first};\nwhile ({condition}) {{\n{body}{step}\n}}\n}}")
            }
            Statement::Return(value) => format!("return {};", value.text()),
            Statement::ReturnArray(name) => format!("return {name};"),
        }
    }
}

fn block(statements: &[Statement]) -> String {
    let lines: Vec<_> = statements.iter().map(Statement::text).collect();
    format!("{{\n{}\n}}", lines.join("\n"))
}

/// The text of a program, and line and column of each site.
pub fn text(program: &[Statement]) -> (String, Vec<(usize, usize)>) {
    unmarked(&program.iter().map(|it| it.text() + "\n").collect::<String>())
}

/// A text without the numbers of sites, and their places.
pub fn unmarked(marked: &str) -> (String, Vec<(usize, usize)>) {
    let (mut text, mut places) = (String::new(), Vec::new());
    for (at, part) in marked.split(MARK).enumerate() {
        if at % 2 == 0 {
            text += part;
            continue;
        }
        let site: Site = part.parse().expect("a site is a number");
        let line_start = text.rfind('\n').map_or(0, |at| at + 1);
        let line = 1 + text.matches('\n').count();
        places.resize(places.len().max(site + 1), (0, 0));
        places[site] = (line, 1 + text.len() - line_start);
    }
    (text, places)
}

const NAME: &str = "generated";

/// The failures of a program.
fn failures(program: &[Statement], configuration: &Configuration) -> Vec<String> {
    let (text, places) = text(program);
    let results: Vec<_> =
        ARGUMENTS.into_iter().filter_map(|it| Some((it, meaning(program, &places, it)?))).collect();
    let mut check = Check::from_iter(results.iter().map(|(it, result)| (*it, result.text.clone())));
    let source = Source { name: NAME.into(), text };
    if let Some(executable) = compiled(&source, configuration, &mut check) {
        for (argument, result) in results {
            let file = if result.is_trap { format!("{NAME}:") } else { String::new() };
            let errors = run_everywhere(&executable, &[(argument, file + &result.text)]);
            check.failures.extend(errors);
        }
    }
    check.failures
}

fn check_seeds(count: u64, configuration: &Configuration) {
    for seed in 0..count {
        let program = generate::program(seed);
        let found = failures(&program, configuration);
        assert!(found.is_empty(), "seed {seed}:\n{}\n{}", text(&program).0, found.join("\n"));
    }
}

#[test]
fn arrays_agree_at_every_stage() {
    check_seeds(programs(300), &Configuration::standard());
}

#[test]
fn arrays_agree_without_peepholes() {
    let configuration = Configuration { optimize: false, ..Configuration::standard() };
    check_seeds(programs(100), &configuration);
}

#[test]
fn arrays_agree_with_all_checks() {
    let without = vec!["bounds-checks".to_string()];
    let configuration = Configuration { without, ..Configuration::standard() };
    check_seeds(programs(100), &configuration);
}

#[test]
fn arrays_agree_with_greedy_selection_and_early_placement() {
    let mut configuration = Configuration::standard();
    configuration.selection.method = sonc::Method::Greedy;
    configuration.placement = sonc::PlacementMethod::Early;
    check_seeds(programs(50), &configuration);
}
