//! Generated programs with functions: recursion, forward references, functions as values, and
//! effects on objects and arrays that the callers know. Every stage, the emulator and the processor
//! agree with an oracle, also on the place and the text of a message.
mod cases;
mod expressions;
pub mod generate;
mod meaning;
mod reduce;
mod text;

use super::arrays::unmarked;
use super::check::Check;
use super::configuration::{Configuration, rules};
use super::run::run_everywhere;
use super::{PANIC, programs};
use meaning::{Ended, meaning};
use sonc::{Halt, Source};
use std::panic::{AssertUnwindSafe, catch_unwind};

const ARGUMENTS: [i32; 6] = [0, 1, 2, 5, -1, i32::MAX];

/// The number of an access or of an allocation. It tells the place of a message.
pub type Site = usize;

/// The type of a variable; functions have one of the `SIGNATURES`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Type {
    Integer,
    Byte,
    Float,
    Object,
    ObjectOrNull,
    Integers,
    Bytes,
    /// An object that keeps a function.
    Holder,
    /// An object whose struct is declared after some functions.
    Late,
    Function(usize),
    FunctionOrNull(usize),
}

/// The parameters and the result of functions that are values.
pub const SIGNATURES: [(&[Type], Type); 5] = [
    (&[Type::Integer], Type::Integer),
    (&[Type::Integer, Type::Float], Type::Float),
    (&[Type::Object], Type::Integer),
    (&[Type::Integers, Type::Integer], Type::Integer),
    (&[], Type::Integer),
];

#[derive(Clone, PartialEq, Debug)]
pub enum Expression {
    Literal(i32),
    /// A float, by its double.
    Half(i32),
    Null,
    /// Names tell their types, see `Type::letter`.
    Name(String),
    Binary(&'static str, Box<[Expression; 2]>),
    Not(Box<Expression>),
    Choice(Box<[Expression; 3]>),
    Field(Box<Expression>, &'static str),
    Element(Site, Box<[Expression; 2]>),
    Length(Box<Expression>),
    New(&'static str),
    NewArray(Site, &'static str, Box<Expression>),
    /// The type of the result, the function, and the arguments.
    Call(Type, Box<Expression>, Vec<Expression>),
    Function(Function),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    parameters: Vec<(Type, String)>,
    body: Vec<Statement>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Statement {
    Declare(Type, String, Expression),
    Constant(String, Expression),
    /// The struct that is declared late.
    Struct,
    Function(String, Function),
    /// The operator before `=` may be empty.
    Assign(String, &'static str, Expression),
    SetField(Expression, &'static str, &'static str, Expression),
    SetElement(Site, Expression, Expression, &'static str, Expression),
    If(Expression, Vec<Statement>, Vec<Statement>),
    /// A counter from 0 on, its limit, and the body.
    For(String, Expression, Vec<Statement>),
    Break,
    Continue,
    Return(Expression),
    /// A call, or the value of the last statement of a function.
    Do(Expression),
}

impl Expression {
    /// Whether the static type is `flt`.
    fn is_float(&self) -> bool {
        match self {
            Expression::Half(_) => true,
            Expression::Name(name) => name.starts_with(['x', 'd']),
            Expression::Binary("+" | "-" | "*" | "/", operands) => {
                operands.iter().any(Expression::is_float)
            }
            Expression::Choice(parts) => parts[1].is_float() || parts[2].is_float(),
            Expression::Field(_, name) => matches!(*name, "x" | "z"),
            Expression::Call(ty, ..) => *ty == Type::Float,
            _ => false,
        }
    }

    /// Whether the static type is that of integers.
    fn is_integer(&self) -> bool {
        match self {
            Expression::Literal(_) | Expression::Length(_) | Expression::Not(_) => true,
            Expression::Element(..) => true,
            Expression::Name(name) => name.starts_with(['v', 'w', 'c']) || name == "arg",
            Expression::Binary(..) => !self.is_float(),
            Expression::Choice(parts) => parts[1].is_integer() && parts[2].is_integer(),
            Expression::Field(_, name) => matches!(*name, "i" | "j" | "b" | "k" | "l"),
            Expression::Call(ty, ..) => *ty == Type::Integer,
            _ => false,
        }
    }
}

const NAME: &str = "generated";

/// The text of a program.
pub fn program_text(program: &[Statement]) -> String {
    unmarked(&text::marked(program)).0
}

/// The failures of a program.
fn failures(program: &[Statement], configuration: &Configuration) -> Vec<String> {
    let (text, places) = unmarked(&text::marked(program));
    let mut results = Vec::new();
    for argument in ARGUMENTS {
        match meaning(program, &places, argument) {
            Ended::Invalid => return Vec::new(),
            Ended::Long => {}
            Ended::Value(text) => results.push((argument, text, "")),
            Ended::Trap(text) => results.push((argument, text, ":")),
        }
    }
    let mut check = Check::from_iter(results.iter().map(|(it, text, _)| (*it, text.clone())));
    let source = Source { name: NAME.into(), text };
    let compiled = || sonc::compile(&source, configuration.options(rules()), &mut check);
    match catch_unwind(AssertUnwindSafe(compiled)) {
        Ok(Ok(executable)) => {
            for (argument, text, mark) in results {
                let file = if mark.is_empty() { "" } else { NAME };
                let expected = [(argument, format!("{file}{mark}{text}"))];
                check.failures.extend(run_everywhere(&executable.bytes, &expected));
            }
        }
        Ok(Err(Halt::Errors(errors))) => {
            check.failures.push(format!("{REFUSED}{}", errors[0].message));
            check.failures.push(sonc::render(&errors, &source, false));
        }
        Ok(Err(halt)) => check.failures.push(format!("{halt:?}")),
        Err(_) => check.failures.push(PANIC.to_string()),
    }
    check.failures
}

/// The beginning of the failure of a program that is not valid.
const REFUSED: &str = "refused: ";

/// The kind of a failure: the stage that fails, or the message of an error.
fn kind(failures: &[String]) -> Option<&str> {
    let first = failures.first()?;
    let end = if first.starts_with(REFUSED) { first.len() } else { first.find(['(', ':'])? };
    Some(&first[..end])
}

fn check_seeds(count: u64, configuration: &Configuration) {
    let first = std::env::var("FIRST").ok().and_then(|it| it.parse().ok()).unwrap_or(0);
    for seed in first..first + count {
        let program = generate::program(seed);
        let found = failures(&program, configuration);
        if found.is_empty() {
            continue;
        }
        let text = program_text(&program);
        // A smaller program may be invalid for another reason.
        let is_refused = found[0].starts_with(REFUSED);
        assert!(!is_refused, "seed {seed}, {configuration:?}:\n{text}\n{}", found.join("\n"));
        let kind_of_first = kind(&found);
        let fails = |it: &[Statement]| {
            let found = failures(it, configuration);
            !found.is_empty() && kind(&found) == kind_of_first
        };
        let small = reduce::smallest(program, fails);
        let errors = failures(&small, configuration).join("\n");
        let text = program_text(&small);
        panic!("seed {seed}, {configuration:?}:\n{text}\n{errors}");
    }
}

#[test]
fn functions_agree_at_every_stage() {
    check_seeds(programs(300), &Configuration::standard());
}

#[test]
fn functions_agree_without_peepholes() {
    let configuration = Configuration { optimize: false, ..Configuration::standard() };
    check_seeds(programs(100), &configuration);
}

#[test]
fn functions_agree_without_inlining() {
    for rules in [&["inline"][..], &["call-effects"], &["inline", "call-effects"]] {
        let without = rules.iter().map(|it| it.to_string()).collect();
        check_seeds(programs(100), &Configuration { without, ..Configuration::standard() });
    }
}

#[test]
fn functions_agree_with_greedy_selection_and_early_placement() {
    let mut configuration = Configuration::standard();
    configuration.selection.method = sonc::Method::Greedy;
    configuration.placement = sonc::PlacementMethod::Early;
    check_seeds(programs(100), &configuration);
}

#[test]
fn functions_agree_when_selecting_for_size() {
    let mut configuration = Configuration::standard();
    configuration.selection.objective = sonc::Objective::Size;
    check_seeds(programs(100), &configuration);
}

#[cfg(feature = "ch20")]
#[test]
fn functions_agree_with_a_linear_scan() {
    let registers = sonc::RegisterAllocator::Scan;
    check_seeds(programs(100), &Configuration { registers, ..Configuration::standard() });
    let without = vec!["inline".to_string()];
    let configuration = Configuration { registers, without, ..Configuration::standard() };
    check_seeds(programs(100), &configuration);
}

/// Invalid or infinite programs would test little.
#[test]
fn most_programs_with_functions_end() {
    let (mut ended, mut trapped, mut all) = (0, 0, 0);
    for seed in 0..500 {
        let program = generate::program(seed);
        let (_, places) = unmarked(&text::marked(&program));
        for argument in ARGUMENTS {
            all += 1;
            match meaning(&program, &places, argument) {
                Ended::Value(_) => ended += 1,
                Ended::Trap(_) => trapped += 1,
                Ended::Long => {}
                Ended::Invalid => panic!("{seed}"),
            }
        }
    }
    println!("{ended} end and {trapped} trap of {all}");
    assert!(ended * 2 > all && trapped * 50 > all, "{ended} end and {trapped} trap of {all}");
}
