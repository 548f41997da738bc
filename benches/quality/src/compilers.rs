//! The compilers: an executable with a function that has the program's statements as its body.
use super::measure::Program;
use sonc::RegisterAllocator::{self, Colour, Scan};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, id};

/// The address at which functions in C are linked.
const ADDRESS: &str = "0x1000";

/// The name of the function.
pub const FUNCTION: &str = "simple";

pub struct Compiler {
    pub name: &'static str,
    compile: fn(&Compiler, &Program) -> Option<Vec<u8>>,
    command: &'static [&'static str],
}

/// The first one is `sonc`; numbers are relative to the fourth. The last one is
/// `sonc` with the other register allocation.
pub const COMPILERS: &[Compiler] = &[
    Compiler { name: "sonc", compile: |_, it| Some(ours(&it.text, Colour)), command: &[] },
    c("gcc -O0", &["gcc", "-m32", "-O0", "-march=i686"]),
    c("gcc -O1", &["gcc", "-m32", "-O1", "-march=i686"]),
    c("gcc -O2", &["gcc", "-m32", "-O2", "-march=i686"]),
    c("clang -O2", &["clang", "-m32", "-O2", "-march=i686"]),
    c("tcc", &["tcc", "-m32"]),
    Compiler { name: "linear scan", compile: |_, it| Some(ours(&it.text, Scan)), command: &[] },
];
/// The place of gcc -O2 in the table.
pub const BASE: usize = 3;

const fn c(name: &'static str, command: &'static [&'static str]) -> Compiler {
    Compiler { name, compile: compile_c, command }
}

/// Options without which code would contain calls, tables or other sections.
const PLAIN: &[&str] = &[
    "-fwrapv",
    "-ffreestanding",
    "-fno-pic",
    "-fno-pie",
    "-fno-stack-protector",
    "-fno-jump-tables",
    "-fno-asynchronous-unwind-tables",
    "-fcf-protection=none",
];

impl Compiler {
    /// The executable of a program; `None` if the compiler is not installed.
    pub fn executable(&self, program: &Program) -> Option<Vec<u8>> {
        (self.compile)(self, program)
    }

    /// The version as the compiler prints it.
    pub fn version(&self) -> Option<String> {
        let program = self.command.first()?;
        let flag = if *program == "tcc" { "-v" } else { "--version" };
        let output = Command::new(program).arg(flag).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.lines().next().map(str::to_string)
    }
}

fn ours(text: &str, registers: RegisterAllocator) -> Vec<u8> {
    let source = sonc::Source { name: "program".into(), text: text.into() };
    let rules = sonc::machine_rules(&sonc::built_in_rules());
    let rules = rules.unwrap_or_else(|_| panic!("the built-in rules are valid"));
    let options = sonc::Options {
        optimize: true,
        without: &[],
        trace: false,
        argument: None,
        rules: &rules,
        selection: sonc::SelectionOptions::default(),
        placement: sonc::PlacementMethod::default(),
        registers,
        via_regions: false,
    };
    match sonc::compile(&source, options, &mut Unobserved) {
        Ok(executable) => executable.bytes,
        Err(halt) => panic!("the program is valid: {halt:?}"),
    }
}

struct Unobserved;

impl sonc::StageObserver for Unobserved {
    fn stage_done(&mut self, _: sonc::Stage, _: &dyn sonc::Artifact) -> Result<(), sonc::Halt> {
        Ok(())
    }
}

/// The types of Simple that C does not have, and options for programs with them.
const FLOATS: (&str, &[&str]) = ("typedef double flt;\n", &["-msse2", "-mfpmath=sse"]);

/// Compiles the statements as the body of a function, or the text in C, and links it alone.
fn compile_c(compiler: &Compiler, program: &Program) -> Option<Vec<u8>> {
    let file =
        |end: &str| -> PathBuf { std::env::temp_dir().join(format!("quality-{}.{end}", id())) };
    let [c, object, linked] = ["c", "o", "elf"].map(file);
    let (types, options) = if program.has_floats() { FLOATS } else { ("", [].as_slice()) };
    let same = || format!("int {FUNCTION}(int arg) {{\n{}}}\n", program.text);
    fs::write(&c, types.to_string() + &program.in_c.clone().unwrap_or_else(same)).ok()?;
    let mut command = Command::new(compiler.command[0]);
    command.args(&compiler.command[1..]);
    if compiler.command[0] != "tcc" {
        command.args(PLAIN).args(options);
    }
    command.args(["-w", "-c", "-o"]).arg(&object).arg(&c);
    let mut linker = Command::new("ld");
    linker.args(["-m", "elf_i386", "-Ttext", ADDRESS, "-e", FUNCTION, "-o"]).arg(&linked);
    linker.arg(&object);
    let works = |command: &mut Command| command.output().is_ok_and(|it| it.status.success());
    let bytes = (works(&mut command) && works(&mut linker)).then(|| fs::read(&linked).ok());
    for path in [c, object, linked] {
        fs::remove_file(path).ok();
    }
    bytes?
}
