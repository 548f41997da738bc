//! Random programs of functions: all stages agree, the emulator and the processor included.
use super::built_in;
use crate::arith::{Binary, Relation};
use crate::driver::{Options, PlacementMethod, RegisterAllocator, compile_firm, link};
use crate::firm::{EdgeKind, External, Graph, Mode, NodeId, Op, Program, Signature};
use crate::heap::ResultFormat;
use crate::ia32::{self, Code};
use crate::linear_scan::allocate;
use crate::random::Random;
use crate::rules::RuleSet;
use crate::select::options::{Method, Objective, SelectionOptions};
use crate::select::{emit, select_all};
use crate::stage::{Artifact, Halt, Outcome, Stage, StageObserver, Termination};
use elf::Executable;
use emulate::native::Host;

/// A function: its signature, and the function whose address is its parameter number 1.
#[derive(Clone, Copy)]
struct Callee {
    signature: Signature,
    target: u32,
}

/// The entry calls with this much fuel; every call passes one less.
const FUEL: i64 = 3;

/// The functions of a random program. Parameter number 0 is the fuel, number 1 an address.
fn random_program(random: &mut Random) -> Program {
    let count = 2 + random.below(5);
    let callee = |random: &mut Random| Callee {
        signature: Signature::new(2 + random.below(11) as u32, 1 + random.below(4) as u32),
        target: 1 + random.below(count) as u32,
    };
    let callees: Vec<_> = (0..count).map(|_| callee(random)).collect();
    let mut program = Program::empty();
    let [parameters, results] = [random.below(4) as u32, 1 + random.below(4) as u32];
    let entry = program.declare("simple", Signature::new(parameters, results));
    for (number, callee) in callees.iter().enumerate() {
        program.declare(format!("f{number}"), callee.signature);
    }
    let graph = program.body(entry);
    let mut words: Vec<_> = (0..parameters).map(|number| graph.parameter(number)).collect();
    let fuel = constant(graph, FUEL);
    words.push(fuel);
    let (start, block) = (graph.start, graph.start_block);
    let mut body = Body { random, callees: &callees, graph, block, memory: start, address: None };
    let values = body.fill(fuel, words);
    let memory = body.memory;
    let values: Vec<_> = (0..results as usize).map(|at| values[at % values.len()]).collect();
    let end = graph.return_values(block, memory, &values);
    graph.finish(&[end]);
    for (number, callee) in callees.iter().enumerate() {
        function(random, &callees, *callee, program.body(number as u32 + 1));
    }
    program
}

/// A function without fuel returns its parameters; others make some calls.
fn function(random: &mut Random, callees: &[Callee], own: Callee, graph: &mut Graph) {
    let parameters: Vec<_> = (0..own.signature.parameters).map(|it| graph.parameter(it)).collect();
    let (zero, one) = (constant(graph, 0), constant(graph, 1));
    let start = graph.start_block;
    let test = graph.add(Op::Cmp(Relation::LessEqual), Mode::Is, start, &[parameters[0], zero]);
    let jump = graph.add(Op::Cond, Mode::X, start, &[test]);
    let [empty, full] = [EdgeKind::True, EdgeKind::False].map(|kind| {
        let block = graph.add_block(Op::Block, &[jump]);
        graph.set_edge_kind(block, 0, kind);
        block
    });
    let words: Vec<_> = [parameters[0]].into_iter().chain(parameters[2..].to_vec()).collect();
    let results = own.signature.results as usize;
    let values: Vec<_> = (0..results).map(|at| words[at % words.len()]).collect();
    let first = graph.return_values(empty, graph.start, &values);
    let fuel = graph.add(Op::Binary(Binary::Sub), Mode::Is, full, &[parameters[0], one]);
    let memory = graph.start;
    let address = Some((own.target, parameters[1]));
    let mut body = Body { random, callees, graph, block: full, memory, address };
    let values = body.fill(fuel, words);
    let memory = body.memory;
    let values: Vec<_> = (0..results).map(|at| values[at % values.len()]).collect();
    let second = graph.return_values(full, memory, &values);
    graph.finish(&[first, second]);
}

fn constant(graph: &mut Graph, value: i64) -> NodeId {
    graph.add(Op::Const(value), Mode::Is, graph.start_block, &[])
}

/// A block under construction.
struct Body<'b> {
    random: &'b mut Random,
    callees: &'b [Callee],
    graph: &'b mut Graph,
    block: NodeId,
    memory: NodeId,
    /// The parameter that is the address of a function, and its number.
    address: Option<(u32, NodeId)>,
}

impl Body<'_> {
    /// Adds operations and calls; the latest values are first.
    fn fill(&mut self, fuel: NodeId, mut values: Vec<NodeId>) -> Vec<NodeId> {
        for _ in 0..3 + self.random.below(6) {
            match self.random.below(9) {
                0..3 => self.call(fuel, &mut values),
                3 => self.write(&values),
                _ => self.operation(&mut values),
            }
        }
        if self.random.below(60) == 0 {
            self.external(External::Trap, &[]);
        }
        self.call(fuel, &mut values);
        self.operation(&mut values);
        values.reverse();
        values
    }

    fn operation(&mut self, values: &mut Vec<NodeId>) {
        let op = self.random.pick(&[Binary::Add, Binary::Sub, Binary::Mul]);
        let operands = [self.random.pick(values), self.random.pick(values)];
        values.push(self.graph.add(Op::Binary(op), Mode::Is, self.block, &operands));
    }

    /// Writes a line of two numbers.
    fn write(&mut self, values: &[NodeId]) {
        for letter in [' ', '\n'] {
            let value = self.random.pick(values);
            let letter = constant(self.graph, u32::from(letter).into());
            self.external(External::Write, &[value, letter]);
        }
    }

    fn external(&mut self, external: External, arguments: &[NodeId]) {
        let symbol = external.symbol(1 + self.callees.len());
        let address = self.graph.function_address(symbol);
        self.memory = self.graph.call(self.block, self.memory, address, arguments, 1);
    }

    /// Calls a function directly, or the one whose address is a parameter.
    fn call(&mut self, fuel: NodeId, values: &mut Vec<NodeId>) {
        let any = 1 + self.random.below(self.callees.len()) as u32;
        let direct = (any, self.graph.function_address(any));
        let known = self.address.filter(|_| self.random.below(2) == 0);
        let (function, address) = known.unwrap_or(direct);
        let Callee { signature, target } = self.callees[function as usize - 1];
        let mut arguments = vec![fuel, self.graph.function_address(target)];
        for _ in 2..signature.parameters {
            arguments.push(self.random.pick(values));
        }
        let results = signature.results;
        let call = self.graph.call(self.block, self.memory, address, &arguments, results);
        self.memory = call;
        for number in 0..results {
            if self.random.below(4) > 0 {
                values.push(self.graph.result(call, number));
            }
        }
    }
}

/// Verifies every stage and compares its outcome.
pub struct Check<'c> {
    pub arguments: &'c [i64],
    pub expected: &'c Outcome,
    pub text: &'c str,
}

impl StageObserver for Check<'_> {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        let shown = || format!("{}\n{}\n{}", stage.name(), self.text, artifact.print());
        assert_eq!(artifact.verify(), [], "{}", shown());
        if let Some(outcome) = artifact.eval_all(self.arguments) {
            assert_eq!(&without_place(outcome), self.expected, "{}", shown());
        }
        Ok(())
    }
}

/// The places of a fault differ.
pub fn without_place(outcome: Outcome) -> Outcome {
    match outcome.end {
        Termination::Fault { reason, .. } => {
            Outcome { output: outcome.output, ..Outcome::fault("", reason) }
        }
        Termination::Value(_)
        | Termination::Object(_)
        | Termination::Values(_)
        | Termination::Trap(_)
        | Termination::OutOfSteps => outcome,
    }
}

/// The texts that an executable prints.
pub fn printed(outcome: &Outcome) -> (String, String) {
    let output = &outcome.output;
    match &outcome.end {
        Termination::Value(value) => (format!("{output}{value}\n"), String::new()),
        Termination::Object(text) => (format!("{output}{text}\n"), String::new()),
        Termination::Values(values) => {
            let words: Vec<_> = values.iter().map(i64::to_string).collect();
            (format!("{output}{}\n", words.join(" ")), String::new())
        }
        Termination::Fault { reason, .. } => (output.clone(), format!("sonc: {reason}\n")),
        Termination::Trap(message) => (output.clone(), format!("{message}\n")),
        Termination::OutOfSteps => panic!("it is not executed"),
    }
}

pub fn options(rules: &RuleSet, method: Method) -> Options<'_> {
    let selection = SelectionOptions { objective: Objective::Speed, method };
    let registers = RegisterAllocator::default();
    Options {
        optimize: true,
        without: &[],
        trace: false,
        argument: None,
        int: crate::arith::INT,
        rules,
        selection,
        placement: PlacementMethod::default(),
        registers,
        #[cfg(feature = "ch27")]
        via_regions: false,
    }
}

fn compiled(program: &Program, rules: &RuleSet, observer: &mut dyn StageObserver) -> Executable {
    let code = compile_firm(program.clone(), options(rules, Method::Pbqp), observer);
    let Signature { parameters, results, .. } = program.functions[0].signature;
    let stub = start_stub::once(parameters, results);
    let compiled = code.and_then(|code| link(&code, std::slice::from_ref(&stub), observer));
    compiled.unwrap_or_else(|halt| panic!("{halt:?}"))
}

const PROGRAMS: u64 = 60;

#[test]
fn random_programs_of_functions_agree_at_every_stage() {
    let (rules, host) = (built_in(), Host::detect());
    let (mut ended, mut greedy, mut trapped) = (0, 0, 0);
    for seed in 0..PROGRAMS {
        let program = random_program(&mut Random::new(seed));
        let text = format!("{seed}\n{}", program.print());
        assert_eq!(program.verify(), [], "{text}");
        for arguments in [&[][..], &[0, -7], &[1_000_003, 5, -1, 8]] {
            let expected = program.eval_all(arguments).expect("Firm can be executed");
            let expected = without_place(expected);
            if expected.end == Termination::OutOfSteps {
                continue;
            }
            ended += 1;
            trapped += u64::from(matches!(expected.end, Termination::Fault { .. }));
            let check = &mut Check { arguments, expected: &expected, text: &text };
            let executable = compiled(&program, &rules, check);
            if let Some(host) = host {
                let words: Vec<_> = arguments.iter().map(i64::to_string).collect();
                let run = host.run(&executable.bytes, &words).unwrap();
                assert_eq!((run.output, run.errors), printed(&expected), "{text}");
            }
            if arguments.is_empty() {
                greedy += 1;
                let code = code(&program, &rules, Method::Greedy);
                assert_eq!(code.verify(), [], "{text}\n{}", code.print());
                let found = code.eval_all(arguments).map(without_place);
                assert_eq!(found, Some(expected), "{text}\n{}", code.print());
            }
        }
    }
    let counts = format!("{ended} runs end, {trapped} of them by a trap");
    assert!(PROGRAMS < ended && PROGRAMS / 3 < greedy && 2 < trapped, "{counts}");
}

/// Allocated code.
fn code(program: &Program, rules: &RuleSet, method: Method) -> ia32::Program {
    let SelectionOptions { objective, .. } = SelectionOptions::default();
    let selection = select_all(program, rules, SelectionOptions { objective, method });
    let selection = selection.unwrap_or_else(|wrong| panic!("{wrong:?}"));
    #[cfg(feature = "ch29")]
    let selection = selection.sunk();
    let functions = selection.functions.iter().map(|selection| {
        let mut code = Code::new(&selection.program.graph.name);
        code.signature = selection.program.graph.signature;
        emit(selection, &mut code);
        allocate(code)
    });
    let functions = functions.collect();
    ia32::Program { functions, result: ResultFormat::Integer, file: String::new() }
}

/// `simple(x)` is x + simple(x - 1), and 0 if x is 0.
fn sum() -> Program {
    let mut program = Program::empty();
    let sum = program.declare("simple", Signature::new(1, 1));
    let graph = program.body(sum);
    let (x, own) = (graph.parameter(0), graph.function_address(sum));
    let (zero, one) = (constant(graph, 0), constant(graph, 1));
    let start = graph.start_block;
    let test = graph.add(Op::Cmp(Relation::Equal), Mode::Is, start, &[x, zero]);
    let jump = graph.add(Op::Cond, Mode::X, start, &[test]);
    let [done, again] = [EdgeKind::True, EdgeKind::False].map(|kind| {
        let block = graph.add_block(Op::Block, &[jump]);
        graph.set_edge_kind(block, 0, kind);
        block
    });
    let first = graph.return_values(done, graph.start, &[zero]);
    let less = graph.add(Op::Binary(Binary::Sub), Mode::Is, again, &[x, one]);
    let call = graph.call(again, graph.start, own, &[less], 1);
    let value = graph.add(Op::Binary(Binary::Add), Mode::Is, again, &[x, call]);
    let second = graph.return_values(again, call, &[value]);
    graph.finish(&[first, second]);
    program
}

pub struct Ignore;

impl StageObserver for Ignore {
    fn stage_done(&mut self, _: Stage, _: &dyn Artifact) -> Result<(), Halt> {
        Ok(())
    }
}

#[test]
fn a_recursion_is_as_deep_as_the_stack() {
    let executable = compiled(&sum(), &built_in(), &mut Ignore);
    let run = |argument: &str| {
        let words = [argument.to_string()];
        let emulated = emulate::run(&executable.bytes, &words, 1 << 26);
        let native = Host::detect().map(|host| host.run(&executable.bytes, &words).unwrap());
        let Termination::Value(status) = Termination::from(emulated.end) else { panic!() };
        if let Some(native) = native {
            assert_eq!(native.output, emulated.output);
            assert_eq!(native.errors, emulated.errors);
            assert_eq!(native.status, Some(status as i32));
        }
        (emulated.output, emulated.errors, status)
    };
    let deep = (0..=100_000_i32).fold(0, i32::wrapping_add);
    assert_eq!(run("100000"), (format!("{deep}\n"), String::new(), 0));
    assert_eq!(run("-1"), (String::new(), "sonc: the stack of calls is full\n".into(), 1));
}

#[test]
fn calls_are_printed_with_the_names_of_functions() {
    let mut program = sum();
    let other = program.declare("other", Signature::new(1, 1));
    let graph = sum().functions.remove(0);
    *program.body(other) = graph;
    program.body(other).name = "other".into();
    let code = code(&program, &built_in(), Method::Pbqp);
    let text = code.print();
    assert!(text.starts_with("simple:\n") && text.contains("\nother:\n"), "{text}");
    assert!(text.contains("call simple\n") && !text.contains("symbol"), "{text}");
    let assembly = code.listing();
    assert!(assembly.contains("\n.globl other\n.type other, @function\nother:\n"), "{assembly}");
    assert!(assembly.contains("\tcall simple\n"), "{assembly}");
    let dot = code.picture().expect("code can be drawn").dot();
    assert!(dot.contains("other"), "{dot}");
}
