//! Generated programs with floating-point numbers of all kinds. Every stage, the emulator and the
//! processor agree with an oracle, with both register allocators.
use super::check::Check;
use super::configuration::Configuration;
use super::random::Random;
use super::run::run_everywhere;
use super::{ARGUMENTS, programs};
use sonc::Source;

/// An expression that yields a float.
enum Float {
    Variable(usize),
    Literal(f64),
    FromInteger(Integer),
    Minus(Box<Float>),
    Binary(usize, Box<Float>, Box<Float>),
}

/// An expression that yields an integer.
enum Integer {
    Variable(usize),
    Argument,
    Literal(i32),
    Sum(Box<Integer>, Box<Integer>),
    Compare(usize, Box<Float>, Box<Float>),
    Not(Box<Integer>),
    NotFloat(Box<Float>),
}

enum Statement {
    Float(usize, Float),
    Integer(usize, Integer),
    If(Integer, Vec<Statement>, Vec<Statement>),
    IfFloat(Float, Vec<Statement>),
    /// A loop with so many iterations at most, which ends when the condition is false.
    While(usize, u32, Integer, Vec<Statement>),
}

struct Program {
    body: Vec<Statement>,
    result: Result<Float, Integer>,
}

/// The operators, with their meaning.
const BINARY: [(&str, fn(f64, f64) -> f64); 4] =
    [("+", |a, b| a + b), ("-", |a, b| a - b), ("*", |a, b| a * b), ("/", |a, b| a / b)];

const COMPARE: [(&str, fn(f64, f64) -> bool); 6] = [
    ("<", |a, b| a < b),
    ("<=", |a, b| a <= b),
    ("==", |a, b| a == b),
    ("!=", |a, b| a != b),
    (">", |a, b| a > b),
    (">=", |a, b| a >= b),
];

/// More floats than there are registers.
const FLOATS: usize = 12;

/// The variables of 32 bits.
const SINGLES: &[usize] = &[
    #[cfg(feature = "ch14")]
    1,
    #[cfg(feature = "ch14")]
    4,
    #[cfg(feature = "ch14")]
    7,
    #[cfg(feature = "ch14")]
    10,
];

fn is_single(number: usize) -> bool {
    SINGLES.contains(&number)
}

/// The number that a variable has after an assignment.
fn stored(number: usize, value: f64) -> f64 {
    if is_single(number) { f64::from(value as f32) } else { value }
}
const INTEGERS: usize = 3;

/// Numbers of all kinds; the others come from operations.
const LITERALS: [f64; 18] = [
    0.0,
    1.0,
    0.5,
    0.1,
    3.0,
    1e7,
    0.001,
    9_007_199_254_740_993.0,
    1e300,
    1e-300,
    f64::MAX,
    f64::MIN_POSITIVE,
    5e-324,
    123_456.789,
    // Near the limits of 32 bits.
    16_777_217.0,
    3.402_823_567_797_336_6e38,
    1e-45,
    7e-46,
];

struct Generator {
    random: Random,
    counters: usize,
}

impl Generator {
    fn float(&mut self, depth: usize) -> Float {
        let choice = if depth == 0 { self.random.below(3) } else { self.random.below(8) };
        match choice {
            0 | 1 => Float::Variable(self.random.below(FLOATS)),
            2 if self.random.once_in(4) => {
                // Any bits; a literal has no sign, and is finite.
                let bits = f64::from_bits(self.random.next()).abs();
                Float::Literal(if bits.is_finite() { bits } else { 1.5 })
            }
            2 => Float::Literal(*self.random.pick(&LITERALS)),
            3 => Float::FromInteger(self.integer(depth - 1)),
            4 => Float::Minus(Box::new(self.float(depth - 1))),
            _ => {
                let operator = self.random.below(BINARY.len());
                let [a, b] = [0, 1].map(|_| Box::new(self.float(depth - 1)));
                Float::Binary(operator, a, b)
            }
        }
    }

    fn integer(&mut self, depth: usize) -> Integer {
        let choice = if depth == 0 { self.random.below(3) } else { self.random.below(8) };
        match choice {
            0 => Integer::Variable(self.random.below(INTEGERS)),
            1 => Integer::Argument,
            2 => Integer::Literal(self.random.below(10) as i32),
            3 => {
                let [a, b] = [0, 1].map(|_| Box::new(self.integer(depth - 1)));
                Integer::Sum(a, b)
            }
            4 => Integer::Not(Box::new(self.integer(depth - 1))),
            5 => Integer::NotFloat(Box::new(self.float(depth - 1))),
            _ => {
                let relation = self.random.below(COMPARE.len());
                let [a, b] = [0, 1].map(|_| Box::new(self.float(depth - 1)));
                Integer::Compare(relation, a, b)
            }
        }
    }

    fn body(&mut self, depth: usize) -> Vec<Statement> {
        let count = 1 + self.random.below(5);
        (0..count).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: usize) -> Statement {
        let choice = if depth == 0 { self.random.below(6) } else { self.random.below(9) };
        match choice {
            0..5 => Statement::Float(self.random.below(FLOATS), self.float(3)),
            5 => Statement::Integer(self.random.below(INTEGERS), self.integer(3)),
            6 => Statement::If(self.integer(2), self.body(depth - 1), self.body(depth - 1)),
            7 => Statement::IfFloat(self.float(2), self.body(depth - 1)),
            _ => {
                self.counters += 1;
                let iterations = 1 + self.random.below(5) as u32;
                let (condition, body) = (self.integer(2), self.body(depth - 1));
                Statement::While(self.counters, iterations, condition, body)
            }
        }
    }
}

fn program(seed: u64) -> Program {
    let mut generator = Generator { random: Random(seed), counters: 0 };
    let body = (0..3).flat_map(|_| generator.body(3)).collect();
    let result = match generator.random.once_in(4) {
        true => Err(generator.integer(3)),
        false => Ok(generator.float(3)),
    };
    Program { body, result }
}

impl Float {
    fn text(&self) -> String {
        match self {
            Float::Variable(number) => format!("f{number}"),
            Float::Literal(value) => plain(*value),
            Float::FromInteger(value) => format!("(0.0 + {})", value.text()),
            Float::Minus(value) => format!("(-{})", value.text()),
            Float::Binary(op, a, b) => format!("({} {} {})", a.text(), BINARY[*op].0, b.text()),
        }
    }
}

impl Integer {
    fn text(&self) -> String {
        match self {
            Integer::Variable(number) => format!("n{number}"),
            Integer::Argument => "arg".to_string(),
            Integer::Literal(value) => value.to_string(),
            Integer::Sum(a, b) => format!("({} + {})", a.text(), b.text()),
            Integer::Compare(op, a, b) => format!("({} {} {})", a.text(), COMPARE[*op].0, b.text()),
            Integer::Not(value) => format!("(!{})", value.text()),
            Integer::NotFloat(value) => format!("(!{})", value.text()),
        }
    }
}

fn block(body: &[Statement]) -> String {
    format!("{{ {}}}", body.iter().map(Statement::text).collect::<String>())
}

impl Statement {
    fn text(&self) -> String {
        match self {
            Statement::Float(number, value) => format!("f{number} = {};\n", value.text()),
            Statement::Integer(number, value) => format!("n{number} = {};\n", value.text()),
            Statement::If(test, yes, no) => {
                format!("if ({}) {} else {}\n", test.text(), block(yes), block(no))
            }
            Statement::IfFloat(test, yes) => format!("if ({}) {}\n", test.text(), block(yes)),
            Statement::While(counter, iterations, test, body) => {
                let count = format!("k{counter} = k{counter} - 1;");
                let rest: String = body.iter().map(Statement::text).collect();
                format!(
                    "int k{counter} = {iterations};\nwhile (k{counter}) {{ {count} \
                     if (!{}) break;\n{rest}}}\n",
                    test.text()
                )
            }
        }
    }
}

impl Program {
    fn text(&self) -> String {
        let ty = |it| if is_single(it) { "f32" } else { "flt" };
        let floats = (0..FLOATS).map(|it| format!("{} f{it} = arg + {it};\n", ty(it)));
        let integers = (0..INTEGERS).map(|it| format!("int n{it} = {it};\n"));
        let body = self.body.iter().map(Statement::text);
        let text: String = floats.chain(integers).chain(body).collect();
        let result = match &self.result {
            Ok(float) => float.text(),
            Err(integer) => integer.text(),
        };
        format!("{text}return {result};\n")
    }
}

/// The oracle.
struct Machine {
    argument: i32,
    floats: [f64; FLOATS],
    integers: [i32; INTEGERS],
}

impl Machine {
    fn float(&self, expression: &Float) -> f64 {
        match expression {
            Float::Variable(number) => self.floats[*number],
            Float::Literal(value) => *value,
            Float::FromInteger(value) => 0.0 + f64::from(self.integer(value)),
            Float::Minus(value) => -self.float(value),
            Float::Binary(op, a, b) => BINARY[*op].1(self.float(a), self.float(b)),
        }
    }

    fn integer(&self, expression: &Integer) -> i32 {
        match expression {
            Integer::Variable(number) => self.integers[*number],
            Integer::Argument => self.argument,
            Integer::Literal(value) => *value,
            Integer::Sum(a, b) => self.integer(a).wrapping_add(self.integer(b)),
            Integer::Compare(op, a, b) => COMPARE[*op].1(self.float(a), self.float(b)).into(),
            Integer::Not(value) => (self.integer(value) == 0).into(),
            Integer::NotFloat(value) => (self.float(value) == 0.0).into(),
        }
    }

    fn run(&mut self, body: &[Statement]) {
        for statement in body {
            match statement {
                Statement::Float(number, value) => {
                    self.floats[*number] = stored(*number, self.float(value));
                }
                Statement::Integer(number, value) => self.integers[*number] = self.integer(value),
                Statement::If(test, yes, no) => {
                    self.run(if self.integer(test) != 0 { yes } else { no })
                }
                Statement::IfFloat(test, yes) if self.float(test) != 0.0 => self.run(yes),
                Statement::IfFloat(..) => {}
                Statement::While(_, iterations, test, body) => {
                    for _ in 0..*iterations {
                        if self.integer(test) == 0 {
                            break;
                        }
                        self.run(body);
                    }
                }
            }
        }
    }
}

fn meaning(program: &Program, argument: i32) -> String {
    let first = |it: usize| f64::from(argument.wrapping_add(it as i32));
    let floats = std::array::from_fn(|it| stored(it, first(it)));
    let integers = std::array::from_fn(|it| it as i32);
    let mut machine = Machine { argument, floats, integers };
    machine.run(&program.body);
    match &program.result {
        Ok(float) => printed(machine.float(float)),
        Err(integer) => machine.integer(integer).to_string(),
    }
}

/// The shortest text of a number, as programs print it.
pub fn printed(value: f64) -> String {
    if value.is_nan() {
        "NaN".to_string()
    } else if value.is_infinite() {
        format!("{}Infinity", if value < 0.0 { "-" } else { "" })
    } else if value == 0.0 || (0.001..1e7).contains(&value.abs()) {
        with_even_digit(&format!("{value:?}"), "", value)
    } else {
        let text = format!("{value:E}");
        let (digits, exponent) = text.split_once('E').expect("it has an exponent");
        let point = if digits.contains('.') { "" } else { ".0" };
        let exponent = format!("E{exponent}");
        format!("{}{point}{exponent}", with_even_digit(digits, &exponent, value))
    }
}

/// The digits of a number before its exponent. If two numbers of so many digits are equally near
/// and are read as this one, the last digit is even.
fn with_even_digit(text: &str, exponent: &str, value: f64) -> String {
    let shortest = format!("{value:E}");
    let count = shortest.split('E').next().map_or(0, |it| it.matches(char::is_numeric).count());
    let exact = format!("{value:.800E}").replace(['-', '.'], "");
    let rest = exact[count..].split('E').next().map(|it| it.trim_end_matches('0'));
    if rest != Some("5") {
        return text.to_string();
    }
    let lower = exact.as_bytes()[count - 1];
    let even = format!("{}{}", &text[..text.len() - 1], char::from(lower + lower % 2));
    let is_read = format!("{even}{exponent}").parse() == Ok(value);
    if is_read { even } else { text.to_string() }
}

#[test]
fn the_even_digit_is_printed() {
    assert_eq!(printed(2f64.powi(-25)), "2.9802322387695312E-8");
    assert_eq!(printed(9_000_000.0 + 1.0 / 1024.0), "9000000.000976562");
    assert_eq!(printed(9_000_000.0 + 3.0 / 1024.0), "9000000.002929688");
    assert_eq!(printed(2f64.powi(-24)), "5.960464477539063E-8", "the other one is another float");
    assert_eq!(printed(0.5), "0.5");
}

/// The failures of a program.
fn failures(program: &Program, configuration: &Configuration) -> Vec<String> {
    let mut check = Check::from_iter(ARGUMENTS.map(|it| (it, meaning(program, it))));
    let source = Source { name: "generated".into(), text: program.text() };
    match configuration.compile(&source, &mut check) {
        Ok(executable) => check.failures.extend(run_everywhere(&executable, &check.expected)),
        Err(halt) => check.failures.push(format!("{halt:?}")),
    }
    check.failures
}

fn check_seeds(count: u64, configuration: &Configuration) {
    for seed in 0..count {
        let program = program(seed);
        let found = failures(&program, configuration);
        assert!(found.is_empty(), "seed {seed}:\n{}\n{}", program.text(), found.join("\n"));
    }
}

#[test]
fn floats_agree_at_every_stage() {
    check_seeds(programs(200), &Configuration::standard());
}

#[test]
fn floats_agree_without_peepholes() {
    check_seeds(programs(100), &Configuration { optimize: false, ..Configuration::standard() });
}

#[test]
fn floats_agree_with_greedy_selection() {
    let mut configuration = Configuration::standard();
    configuration.selection.method = sonc::Method::Greedy;
    check_seeds(programs(50), &configuration);
}

#[cfg(feature = "ch20")]
#[test]
fn floats_agree_with_a_linear_scan() {
    let registers = sonc::RegisterAllocator::Scan;
    check_seeds(programs(100), &Configuration { registers, ..Configuration::standard() });
}

/// Every bit pattern is printed as the shortest number: as a constant, and by the machine.
#[test]
fn numbers_are_printed_shortest() {
    let mut random = Random(1);
    let mut values: Vec<f64> = (0..programs(300)).map(|_| f64::from_bits(random.next())).collect();
    let powers = (-1074..1024).step_by(7).map(|power| 2f64.powi(power));
    values.extend(
        powers.chain((-320..308).step_by(5).map(|power| format!("1e{power}").parse().unwrap())),
    );
    for values in values.chunks(20) {
        let finite = values.iter().map(|it| if it.is_finite() { it.abs() } else { 1.0 });
        let finite: Vec<f64> = finite.collect();
        let tests = finite.iter().enumerate();
        let tests = tests.map(|(at, it)| format!("if (arg == {at}) x = {};\n", plain(*it)));
        let text = format!("flt x = 0;\n{}return x;\n", tests.collect::<String>());
        let expected = finite.iter().enumerate().map(|(at, it)| (at as i32, printed(*it)));
        let mut check = Check::from_iter(expected);
        let source = Source { name: "numbers".into(), text };
        let executable = Configuration::standard().compile(&source, &mut check).unwrap();
        check.failures.extend(run_everywhere(&executable, &check.expected));
        assert!(check.failures.is_empty(), "{}", check.failures.join("\n"));
    }
}

/// The numbers in the pool are at addresses that 8 divides, for code of every size.
#[test]
fn numbers_in_the_pool_are_aligned() {
    for count in 1..9 {
        let terms: String = (0..count).map(|it| format!(" + arg * {it}.5")).collect();
        let source = Source { name: "numbers".into(), text: format!("return 1{terms};") };
        let rules = super::configuration::rules();
        let options = Configuration::standard();
        let executable =
            sonc::compile(&source, options.options(rules), &mut Check::default()).unwrap();
        let pool = executable.symbols.iter().find(|it| it.name == "constants").unwrap();
        assert!((pool.address + pool.size).is_multiple_of(8), "{pool:?}");
    }
}

/// A literal without an exponent.
fn plain(value: f64) -> String {
    let text = format!("{value}");
    if text.contains('.') { text } else { text + ".0" }
}
