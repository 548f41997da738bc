//! Programs with objects: all stages agree, the emulator and the processor included.
use super::{built_in, rules_of};
use crate::arith::Binary;
#[cfg(feature = "ch11")]
use crate::driver::PlacementMethod;
#[cfg(feature = "ch20")]
use crate::driver::RegisterAllocator;
use crate::driver::{Options, built_in_rules, compile_firm, link_for_each_word};
use crate::firm::tests::heap_programs::{GraphBuilder, format, random_program};
use crate::firm::{NodeId, Program};
use crate::heap::ResultFormat;
use crate::random::Random;
use crate::rules::RuleSet;
use crate::select::options::{Method, Objective, SelectionOptions};
use crate::stage::{Artifact, Halt, Outcome, Stage, StageObserver, Termination};
use elf::Executable;
use emulate::native::Host;

const ARGUMENTS: [i64; 4] = [0, 1, -7, 1_000_003];

/// Compares the outcomes of every stage with those of Firm.
struct Check<'c> {
    program: &'c Program,
    expected: Vec<Outcome>,
}

impl StageObserver for Check<'_> {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        let shown = || format!("{stage:?}\n{}\n{}", self.program.print(), artifact.print());
        assert_eq!(artifact.verify(), [], "{}", shown());
        for (argument, expected) in ARGUMENTS.into_iter().zip(&self.expected) {
            if let Some(found) = artifact.eval(argument) {
                assert_eq!(&found, expected, "{argument} {}", shown());
            }
        }
        Ok(())
    }
}

struct Ignore;

impl StageObserver for Ignore {
    fn stage_done(&mut self, _: Stage, _: &dyn Artifact) -> Result<(), Halt> {
        Ok(())
    }
}

/// The methods of selection and of register allocation.
fn configurations(rules: &RuleSet) -> Vec<Options<'_>> {
    let options = |method, objective| Options {
        optimize: true,
        without: &[],
        trace: false,
        argument: None,
        #[cfg(feature = "ch14")]
        int: crate::arith::INT,
        rules,
        selection: SelectionOptions { objective, method },
        #[cfg(feature = "ch11")]
        placement: PlacementMethod::default(),
        #[cfg(feature = "ch20")]
        registers: RegisterAllocator::Colour,
        #[cfg(feature = "ch27")]
        via_regions: false,
    };
    let all = [
        options(Method::Pbqp, Objective::Speed),
        options(Method::Pbqp, Objective::Size),
        options(Method::Greedy, Objective::Speed),
        #[cfg(feature = "ch20")]
        Options { registers: RegisterAllocator::Scan, ..options(Method::Pbqp, Objective::Speed) },
    ];
    all.to_vec()
}

fn compiled(program: &Program, options: Options, observer: &mut dyn StageObserver) -> Executable {
    let code = compile_firm(program.clone(), options, observer);
    let linked = code.and_then(|code| link_for_each_word(&code, observer));
    linked.unwrap_or_else(|halt| panic!("{halt:?}\n{}", program.print()))
}

fn printed(outcome: &Outcome) -> String {
    match &outcome.end {
        Termination::Value(value) => format!("{value}\n"),
        Termination::Object(text) => format!("{text}\n"),
        end => panic!("{end:?}"),
    }
}

/// Checks all stages and the processor.
fn check(program: &Program, rules: &RuleSet, host: Option<Host>) -> Vec<Outcome> {
    assert_eq!(program.verify(), [], "{}", program.print());
    let expected: Vec<_> = ARGUMENTS.iter().map(|&it| program.eval(it).unwrap()).collect();
    for options in configurations(rules) {
        let check = &mut Check { program, expected: expected.clone() };
        let executable = compiled(program, options, check);
        if let Some(host) = host {
            let words: Vec<_> = ARGUMENTS.iter().map(i64::to_string).collect();
            let run = host.run(&executable.bytes, &words).unwrap();
            let lines: String = expected.iter().map(printed).collect();
            assert_eq!((run.output, run.errors), (lines, String::new()), "{}", program.print());
        }
    }
    expected
}

#[test]
fn random_programs_with_objects_agree_at_every_stage() {
    let (rules, host) = (built_in(), Host::detect());
    let (mut objects, mut nulls) = (0, 0);
    for seed in 0..80 {
        let program = random_program(&mut Random::new(seed), 4 + seed as usize % 24);
        for outcome in check(&program, &rules, host) {
            match outcome.end {
                Termination::Object(text) if text == "null" => nulls += 1,
                Termination::Object(_) => objects += 1,
                _ => {}
            }
        }
    }
    assert!(20 < objects && 5 < nulls, "{objects} objects, {nulls} times null");
}

/// A list of objects: each has a number and the next object. The result is the sum of the numbers.
fn list(length: i64, bytes: i64) -> Program {
    let mut builder = GraphBuilder::new();
    let (count, null) = (builder.constant(length), builder.constant(0));
    let (opened, phis) = builder.begin_loop(count, &[null, null]);
    let object = builder.allocate(bytes);
    builder.store(object, phis[1]);
    let next = builder.field(object, 1);
    builder.store(next, phis[0]);
    let one = builder.constant(1);
    let number = builder.binary(Binary::Add, phis[1], one);
    builder.end_loop(opened, &[object, number]);
    let sum = sum(&mut builder, phis[0], count);
    builder.returned(sum, ResultFormat::Integer)
}

/// The sum of the numbers in a list of this length.
fn sum(builder: &mut GraphBuilder, list: NodeId, count: NodeId) -> NodeId {
    let zero = builder.constant(0);
    let (opened, phis) = builder.begin_loop(count, &[list, zero]);
    let number = builder.load(phis[0]);
    let sum = builder.binary(Binary::Add, phis[1], number);
    let next = builder.field(phis[0], 1);
    let next = builder.load(next);
    builder.end_loop(opened, &[next, sum]);
    phis[1]
}

#[test]
fn a_list_has_a_million_objects() {
    let rules = built_in();
    let small = check(&list(10, 8), &rules, Host::detect());
    assert_eq!(small, vec![Outcome::value(45); ARGUMENTS.len()]);
    let expected = (0..1_000_000_i32).fold(0, i32::wrapping_add);
    for options in configurations(&rules) {
        let executable = compiled(&list(1_000_000, 8), options, &mut Ignore);
        let emulated = emulate::run(&executable.bytes, &[], 1 << 26);
        assert_eq!((emulated.output, emulated.errors), (format!("{expected}\n"), String::new()));
        let Some(host) = Host::detect() else { continue };
        let run = host.run(&executable.bytes, &[]).unwrap();
        assert_eq!((run.output, run.status), (format!("{expected}\n"), Some(0)));
    }
}

#[test]
fn a_program_without_enough_memory_ends_with_a_message() {
    let rules = built_in();
    for options in configurations(&rules) {
        let executable = compiled(&list(1000, 1 << 20), options, &mut Ignore);
        let emulated = emulate::run(&executable.bytes, &[], 1 << 20);
        let message = "sonc: out of memory\n".to_string();
        assert_eq!((emulated.output, &emulated.errors), (String::new(), &message));
        assert_eq!(emulated.end, emulate::Termination::Value(1));
        let Some(host) = Host::detect() else { continue };
        let run = host.run(&executable.bytes, &[]).unwrap();
        assert_eq!((run.output, run.errors, run.status), (String::new(), message, Some(1)));
    }
    let outcome = list(1000, 1 << 20).eval(0).unwrap();
    let Termination::Fault { reason, .. } = outcome.end else { panic!("{outcome:?}") };
    assert_eq!(reason, "write of 4 bytes at 0x20000010 outside any segment");
}

#[test]
fn a_result_is_printed_with_its_fields() {
    let mut builder = GraphBuilder::new();
    let object = builder.allocate(12);
    let (argument, least) = (builder.argument, builder.constant(i32::MIN.into()));
    builder.store(object, argument);
    let last = builder.field(object, 2);
    builder.store(last, least);
    let program = builder.returned(object, format());
    let outcomes = check(&program, &built_in(), Host::detect());
    let text = "Obj<Node> {\n  x=-7\n  y=0\n  last=-2147483648\n}";
    assert_eq!(outcomes[2], Outcome::object(text.into()));
}

#[test]
fn programs_without_objects_have_no_heap() {
    let builder = GraphBuilder::new();
    let argument = builder.argument;
    let program = builder.returned(argument, ResultFormat::Integer);
    let rules = built_in();
    let executable = compiled(&program, configurations(&rules)[0], &mut Ignore);
    let image = elf::read(&executable.bytes).unwrap();
    assert_eq!(image.segments.len(), 1);
    assert_eq!(emulate::run(&executable.bytes, &["7".to_string()], 10_000).output, "7\n");
    let request = [0xb8, 192, 0, 0, 0]; // mov eax,192
    let has_heap = |bytes: &[u8]| bytes.windows(5).any(|it| it == request);
    assert!(!has_heap(&executable.bytes));
    let executable = compiled(&list(1, 8), configurations(&rules)[0], &mut Ignore);
    assert!(has_heap(&executable.bytes));
}

/// The updates of one address: with one node for the address and with two.
#[test]
fn an_update_is_one_instruction() {
    let rules = rules_of(built_in_rules().text);
    for is_same in [true, false] {
        let mut builder = GraphBuilder::new();
        let object = builder.allocate(8);
        let address = builder.field(object, 1);
        let loaded = builder.load(address);
        let argument = builder.argument;
        let sum = builder.binary(Binary::Add, loaded, argument);
        let again = if is_same { address } else { builder.field(object, 1) };
        builder.store(again, sum);
        let result = builder.load(again);
        let program = builder.returned(result, ResultFormat::Integer);
        let code = compile_firm(program, configurations(&rules)[0], &mut Ignore).unwrap();
        let text = code.print();
        assert!(text.contains("add DWORD PTR ["), "{text}");
    }
}
