//! Executes the stub in the emulator, and on this host if it runs IA-32 programs.
use super::for_each_word;
use elf::{Function, executable};
use emulate::native::{Host, Output};
use emulate::{Run, Termination, run};
use std::fs::File;
use std::process::Stdio;

mod arrays;
mod wide;

const BUDGET: u64 = 1_000_000;

/// Returns its argument.
const IDENTITY: &[u8] = &[0x8b, 0x44, 0x24, 0x04, 0xc3];

/// The printed text, and the rejected word, if any.
type Expected<'a> = (&'a str, Option<&'a str>);

#[test]
fn the_stub_reads_and_prints_integers() {
    let (long, zeros) = ("1".repeat(1000), "0".repeat(1000));
    let rows: &[(&[&str], Expected)] = &[
        (&[], ("0\n", None)),
        (&["0", "-0", "7", "-1"], ("0\n0\n7\n-1\n", None)),
        (&["2147483647", "-2147483648"], ("2147483647\n-2147483648\n", None)),
        (&["0010", &zeros], ("10\n0\n", None)),
        (&["5", "2147483648", "6"], ("5\n", Some("2147483648"))),
        (&["-2147483649"], ("", Some("-2147483649"))),
        (&["4294967296"], ("", Some("4294967296"))),
        (&["21474836470"], ("", Some("21474836470"))),
        (&[""], ("", Some(""))),
        (&["-"], ("", Some("-"))),
        (&["--1"], ("", Some("--1"))),
        (&["+5", "+0", "+2147483647"], ("5\n0\n2147483647\n", None)),
        (&["+"], ("", Some("+"))),
        (&["+-5"], ("", Some("+-5"))),
        (&["-+5"], ("", Some("-+5"))),
        (&["+2147483648"], ("", Some("+2147483648"))),
        (&["12a"], ("", Some("12a"))),
        (&[" 5"], ("", Some(" 5"))),
        (&["5 "], ("", Some("5 "))),
        (&["/"], ("", Some("/"))),
        (&[":"], ("", Some(":"))),
        (&["ä"], ("", Some("ä"))),
        (&[&long], ("", Some(&long))),
    ];
    let (host, file) = (Host::detect(), program(IDENTITY));
    for (words, (output, refused)) in rows {
        let errors = refused.map(|word| format!("sonc: not a 32-bit integer: {word}\n"));
        let status = Some(if refused.is_some() { 2 } else { 0 });
        let errors = errors.unwrap_or_default();
        let expected = Output { output: output.to_string(), errors, status };
        assert_eq!(execute(host, &file, &strings(words)), expected, "{words:?}");
    }
}

#[test]
fn the_stub_takes_many_words() {
    let words: Vec<String> =
        (0..200).map(|at: i32| at.wrapping_mul(21_474_837).to_string()).collect();
    let lines: String = words.iter().map(|word| format!("{word}\n")).collect();
    assert_eq!(execute(Host::detect(), &program(IDENTITY), &words).output, lines);
}

#[test]
fn a_function_may_overwrite_its_argument_and_three_registers() {
    let eax = &[0x8b, 0x44, 0x24, 0x04]; // mov eax,[esp+4]
    let ecx = &[0x31, 0xc9]; // xor ecx,ecx
    let edx = &[0x31, 0xd2]; // xor edx,edx
    let argument = &[0xc7, 0x44, 0x24, 0x04, 0xff, 0xff, 0xff, 0xff]; // mov DWORD PTR [esp+4],-1
    let function = [&eax[..], ecx, edx, argument, &[0xc3]].concat();
    let done = execute(Host::detect(), &program(&function), &strings(&["1", "-2", "3"]));
    assert_eq!(done.output, "1\n-2\n3\n");
}

#[test]
fn the_stub_calls_with_an_aligned_stack() {
    // lea eax,[esp+4]; and eax,15; ret
    let file = program(&[0x8d, 0x44, 0x24, 0x04, 0x83, 0xe0, 0x0f, 0xc3]);
    let host = Host::detect();
    for count in 0..5 {
        let done = execute(host, &file, &vec!["1".to_string(); count]);
        assert_eq!(done.output, "0\n".repeat(count.max(1)));
    }
}

#[test]
fn the_stub_reports_that_nothing_can_be_written() {
    let Some(host) = Host::detect() else { return };
    let full = || File::options().write(true).open("/dev/full").unwrap().into();
    let file = program(IDENTITY);
    let done = host.run_with(&file, &strings(&["1"]), full(), Stdio::piped()).unwrap();
    let expected = |output: &str| Output { output: output.into(), status: Some(1), ..nothing() };
    assert_eq!(done, expected(""));
    let done = host.run_with(&file, &strings(&["1", "x"]), Stdio::piped(), full()).unwrap();
    assert_eq!(done, expected("1\n"));
}

#[test]
fn a_function_of_several_words_is_called_once() {
    // mov eax,[esp+4]; add [esp+8],eax; mov [esp+12],-1; ret
    let function =
        [0x8b, 0x44, 0x24, 4, 1, 0x44, 0x24, 8, 0xc7, 0x44, 0x24, 12, 255, 255, 255, 255, 0xc3];
    let run = |parameters, results, words: &[&str]| {
        let stub = super::once(parameters, results);
        let program = [stub.function(), Function::new("simple", &function)];
        execute(Host::detect(), &executable(&program).bytes, &strings(words))
    };
    assert_eq!(run(1, 3, &["5"]).output, "5 5 -1\n");
    assert_eq!(run(1, 2, &["-2147483648", "7"]).output, "-2147483648 -2147483648\n");
    assert_eq!(run(2, 2, &["5", "6"]).output, "5 -1\n");
    assert_eq!(run(3, 1, &["5"]).output, "5\n");
    assert_eq!(run(0, 3, &["9"]).output, "0 0 0\n");
    let refused = run(3, 1, &["5", "x", "6"]);
    assert_eq!(
        (refused.errors.as_str(), refused.status),
        ("sonc: not a 32-bit integer: x\n", Some(2))
    );
}

fn nothing() -> Output {
    Output { output: String::new(), errors: String::new(), status: None }
}

fn program(function: &[u8]) -> Vec<u8> {
    let stub = for_each_word();
    executable(&[stub.function(), Function::new("simple", function)]).bytes
}

fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| word.to_string()).collect()
}

/// The behaviour of `file` in the emulator, after a check that the processor behaves equally.
fn execute(host: Option<Host>, file: &[u8], words: &[String]) -> Output {
    let Run { output, errors, end, .. } = run(file, words, BUDGET);
    let Termination::Value(status) = end else { panic!("{end:?} with {words:?}") };
    let emulated = Output { output, errors, status: Some(status) };
    if let Some(host) = host {
        let native = host.run(file, words).unwrap();
        assert_eq!(emulated, native, "the emulator, and the processor, with {words:?}");
    }
    emulated
}

/// Numbers near the bounds of words and pairs.
fn edges() -> Vec<i64> {
    let powers = [1, 2, 7, 31, 32, 33, 48, 62].map(|power| 1_i64 << power);
    let near = powers.into_iter().flat_map(|it| [it - 1, it, it + 1]);
    let all = near.flat_map(|it| [it, -it]).chain([0, i64::MIN, i64::MIN + 1, i64::MAX]);
    all.chain([0x1234_5678_9abc_def0, -0x7654_3210_0123_4567]).collect()
}

/// The words of a number, the low one first.
fn words(number: i64) -> [i32; 2] {
    [number as i32, (number >> 32) as i32]
}

/// The result of a division routine in the emulator.
fn divided(routine: &super::Routine, x: i64, y: i64) -> i64 {
    let ([a, b], [c, d]) = (words(x), words(y));
    let run = emulate::call(&[routine.function()], &[a, b, c, d, 0], BUDGET);
    let Termination::Value(low) = run.end else { panic!("{x} {y}: {:?}", run.end) };
    i64::from(run.words[4]) << 32 | i64::from(low.cast_unsigned())
}

#[test]
fn numbers_of_two_words_are_divided() {
    let [quotient, remainder] = [super::quotient_function("q"), super::remainder_function("r")];
    let mut state = 1_u64;
    let mut random = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state.rotate_left(17) ^ state).cast_signed() >> (state >> 58)
    };
    let edges = edges();
    let pairs = edges.iter().flat_map(|&x| edges.iter().map(move |&y| (x, y)));
    let mut pairs: Vec<_> = pairs.collect();
    pairs.extend((0..10_000).map(|_| (random(), random())));
    for (x, y) in pairs.into_iter().filter(|&(x, y)| y != 0 && (x != i64::MIN || y != -1)) {
        assert_eq!(divided(&quotient, x, y), x / y, "{x} / {y}");
        assert_eq!(divided(&remainder, x, y), x % y, "{x} rem {y}");
    }
}

#[test]
fn the_processor_divides_as_the_emulator_does() {
    let programs = [super::quotient_function("simple"), super::remainder_function("simple")];
    let programs = programs.map(|routine| {
        let stub = super::once(4, 2);
        executable(&[stub.function(), routine.function()]).bytes
    });
    for (x, y) in [(i64::MIN, 3), (-1, i64::MIN), (i64::MAX, -5 << 31), (1 << 62, (1 << 32) - 1)] {
        let text = [words(x), words(y)].concat().iter().map(i32::to_string).collect::<Vec<_>>();
        for (program, result) in programs.iter().zip([x / y, x % y]) {
            let expected = words(result).map(|it| it.to_string()).join(" ");
            assert_eq!(execute(Host::detect(), program, &text).output, expected + "\n");
        }
    }
}
