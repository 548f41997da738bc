//! Generated programs with structs that refer to each other, and with floats in objects: lists,
//! circles, two names of one object, tests of null. Every stage, the emulator and the processor
//! agree with an oracle.
//!
//! A careless program may access fields of null. The compiler may refuse it; it must refuse it if
//! the oracle finds an access through null.
mod generate;
mod meaning;

use super::check::Check;
use super::configuration::Configuration;
use super::run::run_everywhere;
use super::{ARGUMENTS, programs};
use meaning::meaning;
use sonc::{Halt, Source};

pub enum Integer {
    Argument,
    Literal(i32),
    Variable(usize),
    Field(Place),
    Binary(&'static str, Box<[Integer; 2]>),
    Less(Box<[Float; 2]>),
    /// Whether two references are one object, or both null.
    Same(Reference, Reference),
}

pub enum Float {
    /// So many quarters.
    Literal(i32),
    Variable(usize),
    Field(Place),
    Of(Integer),
    Binary(&'static str, Box<[Float; 2]>),
}

pub enum Reference {
    Null,
    /// A new object of the struct with this number.
    New(usize),
    Variable(usize),
    Field(Place),
}

/// A field of the object of a variable, by its number.
#[derive(Clone, Copy)]
pub struct Place {
    pub object: usize,
    pub field: usize,
}

pub enum Statement {
    Integer(usize, Integer),
    Float(usize, Float),
    Reference(usize, Reference),
    StoreInteger(Place, Integer),
    StoreFloat(Place, Float),
    StoreReference(Place, Reference),
    If(Integer, Vec<Statement>, Vec<Statement>),
    /// A variable for a value, and a test of it; in one of four forms.
    Test(usize, Reference, usize, Vec<Statement>, Vec<Statement>),
    /// A variable that counts, and the number of iterations.
    Repeat(usize, u32, Vec<Statement>),
    /// A variable that goes along a list, from a value, by a field; a variable that counts.
    Walk(usize, Reference, usize, usize, Vec<Statement>),
}

#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    /// Of the type with this name.
    Integer(&'static str),
    Float,
    Reference {
        of: usize,
        nullable: bool,
    },
}

pub struct Struct {
    pub name: &'static str,
    /// The names and kinds of its fields.
    pub fields: Vec<(String, Kind)>,
}

pub enum Outcome {
    Integer(Integer),
    Float(Float),
    Reference(usize),
}

pub struct Program {
    pub structs: Vec<Struct>,
    /// The struct of each pointer variable, and whether it is declared nullable.
    pub variables: Vec<(usize, bool)>,
    /// The variables that are declared at the beginning.
    pub declared: usize,
    pub body: Vec<Statement>,
    pub result: Outcome,
}

pub const INTEGERS: usize = 3;
pub const FLOATS: usize = 3;

impl Program {
    fn place(&self, place: Place) -> String {
        let (of, _) = self.variables[place.object];
        format!("p{}.{}", place.object, self.structs[of].fields[place.field].0)
    }

    fn integer(&self, value: &Integer) -> String {
        match value {
            Integer::Argument => "arg".to_string(),
            Integer::Literal(number) => number.to_string(),
            Integer::Variable(number) => format!("n{number}"),
            Integer::Field(place) => self.place(*place),
            Integer::Binary(sign, of) => {
                format!("({} {sign} {})", self.integer(&of[0]), self.integer(&of[1]))
            }
            Integer::Less(of) => format!("({} < {})", self.float(&of[0]), self.float(&of[1])),
            Integer::Same(a, b) => format!("({} == {})", self.reference(a), self.reference(b)),
        }
    }

    fn float(&self, value: &Float) -> String {
        match value {
            Float::Literal(quarters) => format!("{:?}", f64::from(*quarters) / 4.0),
            Float::Variable(number) => format!("f{number}"),
            Float::Field(place) => self.place(*place),
            Float::Of(integer) => format!("(0.0 + {})", self.integer(integer)),
            Float::Binary(sign, of) => {
                format!("({} {sign} {})", self.float(&of[0]), self.float(&of[1]))
            }
        }
    }

    fn reference(&self, value: &Reference) -> String {
        match value {
            Reference::Null => "null".to_string(),
            Reference::New(of) => format!("new {}", self.structs[*of].name),
            Reference::Variable(number) => format!("p{number}"),
            Reference::Field(place) => self.place(*place),
        }
    }

    fn block(&self, body: &[Statement]) -> String {
        format!("{{\n{}}}", body.iter().map(|it| self.statement(it)).collect::<String>())
    }

    fn statement(&self, statement: &Statement) -> String {
        let name = |variable: &usize| self.structs[self.variables[*variable].0].name;
        match statement {
            Statement::Integer(to, value) => format!("n{to} = {};\n", self.integer(value)),
            Statement::Float(to, value) => format!("f{to} = {};\n", self.float(value)),
            Statement::Reference(to, value) => format!("p{to} = {};\n", self.reference(value)),
            Statement::StoreInteger(to, value) => {
                format!("{} = {};\n", self.place(*to), self.integer(value))
            }
            Statement::StoreFloat(to, value) => {
                format!("{} = {};\n", self.place(*to), self.float(value))
            }
            Statement::StoreReference(to, value) => {
                format!("{} = {};\n", self.place(*to), self.reference(value))
            }
            Statement::If(test, yes, no) => {
                let test = self.integer(test);
                format!("if ({test}) {} else {}\n", self.block(yes), self.block(no))
            }
            Statement::Test(variable, value, form, yes, no) => {
                let (yes, no) = (self.block(yes), self.block(no));
                let test = match form {
                    0 => format!("if (p{variable}) {yes} else {no}"),
                    1 => format!("if (!p{variable}) {no} else {yes}"),
                    2 => format!("if (p{variable} != null) {yes} else {no}"),
                    _ => format!("if (null == p{variable}) {no} else {yes}"),
                };
                let value = self.reference(value);
                format!("{{ {}? p{variable} = {value};\n{test}\n}}\n", name(variable))
            }
            Statement::Repeat(counter, count, body) => {
                let body = self.block(body);
                format!(
                    "{{ int k{counter} = {count};\nwhile (k{counter}) {{ k{counter} = \
                     k{counter} - 1; {body} }} }}\n"
                )
            }
            Statement::Walk(variable, from, field, counter, body) => {
                let (from, body) = (self.reference(from), self.block(body));
                let next = self.place(Place { object: *variable, field: *field });
                format!(
                    "{{ int k{counter} = 6; {}? p{variable} = {from};\nwhile (p{variable}) {{ \
                     k{counter} = k{counter} - 1; if (!k{counter}) break;\n{body}\n\
                     p{variable} = {next}; }} }}\n",
                    name(variable)
                )
            }
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for Struct { name, fields } in &self.structs {
            let fields = fields.iter().map(|(field, kind)| match kind {
                Kind::Integer(name) => format!("{name} {field}; "),
                Kind::Float => format!("flt {field}; "),
                Kind::Reference { of, nullable } => {
                    let sign = if *nullable { "?" } else { "" };
                    format!("{}{sign} {field}; ", self.structs[*of].name)
                }
            });
            text += &format!("struct {name} {{ {}}}\n", fields.collect::<String>());
        }
        for (number, (of, nullable)) in self.variables[..self.declared].iter().enumerate() {
            let name = self.structs[*of].name;
            text += &match nullable {
                true => format!("{name}? p{number};\n"),
                false => format!("{name} p{number} = new {name};\n"),
            };
        }
        (0..INTEGERS).for_each(|it| text += &format!("int n{it} = {it};\n"));
        (0..FLOATS).for_each(|it| text += &format!("flt f{it} = arg + {it};\n"));
        self.body.iter().for_each(|it| text += &self.statement(it));
        let result = match &self.result {
            Outcome::Integer(value) => self.integer(value),
            Outcome::Float(value) => self.float(value),
            Outcome::Reference(variable) => format!("p{variable}"),
        };
        text + &format!("return {result};\n")
    }
}

/// The failures of a program.
fn failures(program: &Program, is_careless: bool, configuration: &Configuration) -> Vec<String> {
    let meanings = ARGUMENTS.map(|it| (it, meaning(program, it)));
    let accesses_null = meanings.iter().any(|it| it.1.is_none());
    let expected = meanings.into_iter().filter_map(|(it, value)| Some((it, value?)));
    let mut check = Check::from_iter(expected);
    let source = Source { name: "generated".into(), text: program.text() };
    match configuration.compile(&source, &mut check) {
        Ok(_) if accesses_null => check.failures.push("it accesses a field of null".into()),
        Ok(executable) => check.failures.extend(run_everywhere(&executable, &check.expected)),
        Err(Halt::Errors(all))
            if is_careless && all.iter().all(|it| it.message.contains("Might be null")) => {}
        Err(Halt::Errors(all)) => check.failures.push(sonc::render(&all, &source, false)),
        Err(halt) => check.failures.push(format!("{halt:?}")),
    }
    check.failures
}

fn check_seeds(count: u64, is_careless: bool, configuration: &Configuration) {
    let first = std::env::var("FIRST").ok().and_then(|it| it.parse().ok()).unwrap_or(0);
    for seed in first..first + count {
        let program = generate::program(seed, is_careless);
        let found = failures(&program, is_careless, configuration);
        assert!(found.is_empty(), "seed {seed}:\n{}\n{}", program.text(), found.join("\n"));
    }
}

#[test]
fn references_agree_at_every_stage() {
    check_seeds(programs(200), false, &Configuration::standard());
}

#[test]
fn references_agree_without_peepholes() {
    let configuration = Configuration { optimize: false, ..Configuration::standard() };
    check_seeds(programs(100), false, &configuration);
}

#[test]
fn references_agree_with_greedy_selection() {
    let mut configuration = Configuration::standard();
    configuration.selection.method = sonc::Method::Greedy;
    check_seeds(programs(50), false, &configuration);
}

#[cfg(feature = "ch20")]
#[test]
fn references_agree_with_a_linear_scan() {
    let registers = sonc::RegisterAllocator::Scan;
    let configuration = Configuration { registers, ..Configuration::standard() };
    check_seeds(programs(100), false, &configuration);
}

#[test]
fn no_accepted_program_accesses_a_field_of_null() {
    check_seeds(programs(300), true, &Configuration::standard());
}

/// Careless programs of both kinds must be frequent: a test of only refused ones shows nothing.
#[test]
fn careless_programs_are_refused_and_accepted() {
    let null = |seed| {
        let program = generate::program(seed, true);
        ARGUMENTS.iter().any(|it| meaning(&program, *it).is_none())
    };
    let count = (0..300).filter(|&seed| null(seed)).count();
    assert!((30..270).contains(&count), "{count} of 300 access fields of null");
}
