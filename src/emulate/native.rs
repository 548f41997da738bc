//! The emulator against the processor: the same files on both, where the host can run them.
use std::fs::{self, File};
use std::io::{Error, ErrorKind};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use iced_x86::{Decoder, DecoderOptions, Mnemonic};

use super::generate::Generator;
use super::*;
use crate::elf::Part;
use crate::start;

const PLENTY: u64 = 1_000_000;

/// Returns its argument.
const IDENTITY: &[u8] = &[0x8b, 0x44, 0x24, 0x04, 0xc3];

/// What is printed, and then the word that is refused, if any.
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
        (&["+5"], ("", Some("+5"))),
        (&["12a"], ("", Some("12a"))),
        (&[" 5"], ("", Some(" 5"))),
        (&["5 "], ("", Some("5 "))),
        (&["/"], ("", Some("/"))),
        (&[":"], ("", Some(":"))),
        (&["ä"], ("", Some("ä"))),
        (&[&long], ("", Some(&long))),
    ];
    let (host, file) = (Host::new("words"), program(IDENTITY));
    for (words, (output, refused)) in rows {
        let errors = refused.map(|word| format!("sonc: not a 32-bit integer: {word}\n"));
        let status = if refused.is_some() { 2 } else { 0 };
        let expected =
            Done { output: output.to_string(), errors: errors.unwrap_or_default(), status };
        assert_eq!(host.run(&file, &strings(words)), expected, "{words:?}");
    }
}

#[test]
fn the_stub_takes_many_words() {
    let words: Vec<String> =
        (0..200).map(|at: i32| at.wrapping_mul(21_474_837).to_string()).collect();
    let lines: String = words.iter().map(|word| format!("{word}\n")).collect();
    assert_eq!(Host::new("many").run(&program(IDENTITY), &words).output, lines);
}

#[test]
fn the_stub_survives_what_a_function_may_do() {
    let eax = &[0x8b, 0x44, 0x24, 0x04]; // mov eax,[esp+4]
    let ecx = &[0x31, 0xc9]; // xor ecx,ecx
    let edx = &[0x31, 0xd2]; // xor edx,edx
    let argument = &[0xc7, 0x44, 0x24, 0x04, 0xff, 0xff, 0xff, 0xff]; // mov DWORD PTR [esp+4],-1
    let rude = [&eax[..], ecx, edx, argument, &[0xc3]].concat();
    let done = Host::new("rude").run(&program(&rude), &strings(&["1", "-2", "3"]));
    assert_eq!(done.output, "1\n-2\n3\n");
}

#[test]
fn the_stub_calls_with_an_aligned_stack() {
    // lea eax,[esp+4]; and eax,15; ret
    let file = program(&[0x8d, 0x44, 0x24, 0x04, 0x83, 0xe0, 0x0f, 0xc3]);
    let host = Host::new("aligned");
    for count in 0..5 {
        let done = host.run(&file, &vec!["1".to_string(); count]);
        assert_eq!(done.output, "0\n".repeat(count.max(1)));
    }
}

#[test]
fn the_stub_reports_that_nothing_can_be_written() {
    let host = Host::new("full");
    if !host.native {
        return;
    }
    let full = || File::options().write(true).open("/dev/full").unwrap().into();
    let file = program(IDENTITY);
    let done = host.execute(&file, &strings(&["1"]), full(), Stdio::piped()).unwrap();
    assert_eq!(done, Done { output: String::new(), errors: String::new(), status: 1 });
    let done = host.execute(&file, &strings(&["1", "x"]), Stdio::piped(), full()).unwrap();
    assert_eq!(done, Done { output: "1\n".into(), errors: String::new(), status: 1 });
}

#[test]
fn random_functions_mean_the_same_to_both() {
    let words: Vec<String> = ARGUMENTS.iter().map(i32::to_string).collect();
    let host = Host::new("random");
    for seed in 1..=FUNCTIONS {
        let code = Generator::new(seed).function();
        let done = host.run(&program(&code), &words);
        assert_eq!((&done.errors[..], done.status), ("", 0), "seed {seed}");
        let called = ARGUMENTS.iter().map(|argument| call(&code, *argument, PLENTY).outcome.end);
        let printed = done.output.lines().map(|line| End::Value(line.parse().unwrap()));
        assert!(called.eq(printed), "seed {seed}: the bare function and the program differ");
    }
}

#[test]
fn random_functions_use_every_instruction() {
    let mut missing: Vec<Mnemonic> = decode::mnemonics();
    for seed in 1..=FUNCTIONS {
        let code = Generator::new(seed).function();
        for instruction in &mut Decoder::new(32, &code, DecoderOptions::NONE) {
            missing.retain(|mnemonic| *mnemonic != instruction.mnemonic());
        }
    }
    assert_eq!(missing, [Mnemonic::Int]); // the stub's own
}

const FUNCTIONS: u64 = 200;
const ARGUMENTS: [i32; 20] = [
    0,
    1,
    -1,
    2,
    -2,
    7,
    31,
    32,
    127,
    128,
    -128,
    255,
    256,
    32_767,
    65_535,
    1_000_003,
    -1_000_003,
    0x7654_3210,
    i32::MAX,
    i32::MIN,
];

fn program(function: &[u8]) -> Vec<u8> {
    let start = Part { name: "_start", code: &start::code(), listing: "" };
    elf::executable(&[start, Part { name: "simple", code: function, listing: "" }]).bytes
}

fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| word.to_string()).collect()
}

/// What a process leaves behind.
#[derive(PartialEq, Eq, Debug)]
struct Done {
    output: String,
    errors: String,
    status: i64,
}

/// The machine that the tests run on.
struct Host {
    /// Where programs are put to be run; each test has a place of its own.
    path: PathBuf,
    /// Can it run IA-32 programs?
    native: bool,
}

impl Host {
    fn new(test: &str) -> Host {
        let path = std::env::temp_dir().join(format!("sonc-{}-{test}", std::process::id()));
        let mut host = Host { path, native: false };
        let probe: Vec<u8> = PROBE.iter().flat_map(|word| word.to_le_bytes()).collect();
        let done = host.execute(&probe, &[], Stdio::null(), Stdio::null());
        host.native = done.is_ok_and(|done| done.status == 42);
        if !host.native {
            eprintln!("this host does not run IA-32 programs: only the emulator is tested");
        }
        host
    }

    /// What the emulator says that `file` does; the processor has to say the same.
    fn run(&self, file: &[u8], words: &[String]) -> Done {
        let run = run(file, words, PLENTY);
        let End::Value(status) = run.outcome.end else {
            panic!("{:?} with {words:?}", run.outcome);
        };
        let emulated = Done { output: run.outcome.output, errors: run.errors, status };
        if self.native {
            let native = self.execute(file, words, Stdio::piped(), Stdio::piped()).unwrap();
            assert_eq!(emulated, native, "the emulator, and the processor, with {words:?}");
        }
        emulated
    }

    fn execute(
        &self,
        file: &[u8],
        words: &[String],
        output: Stdio,
        errors: Stdio,
    ) -> Result<Done, Error> {
        fs::write(&self.path, file)?;
        make_executable(&self.path)?;
        let mut command = Command::new(&self.path);
        command.args(words).stdin(Stdio::null()).stdout(output).stderr(errors);
        // Another test's child may, until it executes, share our open file.
        let mut done = command.output();
        while done.as_ref().is_err_and(|error| error.kind() == ErrorKind::ExecutableFileBusy) {
            sleep(Duration::from_millis(1));
            done = command.output();
        }
        fs::remove_file(&self.path)?;
        let done = done?;
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let status = done.status.code().map_or(-1, i64::from);
        Ok(Done { output: text(done.stdout), errors: text(done.stderr), status })
    }
}

/// A program that our code had no part in, to tell a host that cannot run IA-32 programs from
/// programs that are wrong: file header, program header, `mov ebx,42; mov eax,1; int 0x80`.
const PROBE: [u32; 24] = [
    0x464c_457f,
    0x0001_0101,
    0,
    0,
    0x0003_0002,
    1,
    0x0804_8054,
    52,
    0,
    0,
    0x0020_0034,
    1,
    0,
    1,
    0,
    0x0804_8000,
    0,
    96,
    96,
    5,
    4096,
    0x0000_2abb,
    0x0001_b800,
    0x80cd_0000,
];

#[cfg(unix)]
fn make_executable(path: &std::path::Path) -> Result<(), Error> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_: &std::path::Path) -> Result<(), Error> {
    Ok(())
}
