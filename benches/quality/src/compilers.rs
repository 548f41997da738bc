//! The compilers: an executable with a function that has the program's statements as its body.
use super::c_programs::{self, FLOATS, FUNCTION, Files, GCC, PLAIN, declarations, run};
use super::measure::Program;
use sonc::RegisterAllocator::{self, Colour, Scan};
use sonc::{Artifact, Halt, Stage, StageObserver};
use std::fs;
use std::process::Command;

pub struct Compiler {
    pub name: &'static str,
    kind: Kind,
}

enum Kind {
    Sonc(RegisterAllocator),
    /// A command that compiles C.
    C(&'static [&'static str]),
}

/// The first one is `sonc`; numbers are relative to the fourth. The last one is
/// `sonc` with the other register allocation.
pub const COMPILERS: &[Compiler] = &[
    Compiler { name: "sonc", kind: Kind::Sonc(Colour) },
    c("gcc -O0", &["gcc", "-m32", "-O0", "-march=i686"]),
    c("gcc -O1", &["gcc", "-m32", "-O1", "-march=i686"]),
    c("gcc -O2", GCC),
    c("clang -O2", &["clang", "-m32", "-O2", "-march=i686"]),
    c("tcc", &["tcc", "-m32"]),
    Compiler { name: "linear scan", kind: Kind::Sonc(Scan) },
];
/// The place of gcc -O2 in the table.
pub const BASE: usize = 3;

/// gcc -O2 with a check of each element of an array: the rival that does the same work.
pub const CHECKED: Compiler = c(
    "gcc -O2 with checks",
    &[
        "gcc",
        "-m32",
        "-O2",
        "-march=i686",
        "-fsanitize=bounds",
        "-fsanitize-undefined-trap-on-error",
    ],
);

const fn c(name: &'static str, command: &'static [&'static str]) -> Compiler {
    Compiler { name, kind: Kind::C(command) }
}

impl Compiler {
    /// The executable of a program; `None` if the compiler is not installed.
    pub fn executable(&self, program: &Program) -> Option<Vec<u8>> {
        let command = match self.kind {
            Kind::Sonc(registers) => return Some(ours(&program.text, registers).0),
            Kind::C(command) => command,
        };
        let files = Files::new();
        compile_c(command, program, &files)?;
        files.link().ok()
    }

    /// An executable that begins with the text `caller` in C, which calls the function.
    pub fn with_caller(&self, program: &Program, caller: &str) -> Option<Vec<u8>> {
        let files = Files::new();
        match self.kind {
            Kind::Sonc(registers) => {
                // Aligned as in the executable, and as the function of a C compiler.
                let text = format!(".p2align 4\n{}", ours(&program.text, registers).1);
                fs::write(&files.other, text).ok()?;
                let mut assembler = Command::new("as");
                run(assembler.arg("--32").arg("-o").arg(&files.object).arg(&files.other)).ok()?;
            }
            Kind::C(command) => compile_c(command, program, &files)?,
        }
        fs::write(&files.c, caller).ok()?;
        let mut gcc = Command::new("gcc");
        gcc.args(["-m32", "-O2", "-nostdlib", "-static"]).args(PLAIN).arg(&files.c);
        files.link_by(&mut gcc).ok()
    }

    /// The version as the compiler prints it.
    pub fn version(&self) -> Option<String> {
        let Kind::C([program, ..]) = self.kind else { return None };
        let flag = if *program == "tcc" { "-v" } else { "--version" };
        let output = Command::new(program).arg(flag).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.lines().next().map(str::to_string)
    }
}

/// The executable and the assembly of a program in Simple.
fn ours(text: &str, registers: RegisterAllocator) -> (Vec<u8>, String) {
    let rules = rules();
    compile(text, sonc::Options { registers, ..options(&rules) })
}

pub fn rules() -> sonc::MachineRules {
    let rules = sonc::machine_rules(&sonc::built_in_rules());
    rules.unwrap_or_else(|_| panic!("the built-in rules are valid"))
}

/// The usual options.
pub fn options(rules: &sonc::MachineRules) -> sonc::Options<'_> {
    sonc::Options {
        optimize: true,
        without: &[],
        trace: false,
        argument: None,
        int: sonc::INT,
        rules,
        selection: sonc::SelectionOptions::default(),
        placement: sonc::PlacementMethod::default(),
        registers: Colour,
        via_regions: false,
    }
}

/// The executable and the assembly of a program in Simple.
pub fn compile(text: &str, options: sonc::Options) -> (Vec<u8>, String) {
    let source = sonc::Source { name: "program".into(), text: text.into() };
    let mut assembly = Assembly(String::new());
    match sonc::compile(&source, options, &mut assembly) {
        Ok(executable) => (executable.bytes, assembly.0),
        Err(halt) => panic!("the program is valid: {halt:?}"),
    }
}

struct Assembly(String);

impl StageObserver for Assembly {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        if stage == Stage::Allocated {
            self.0 = artifact.listing();
        }
        Ok(())
    }
}

/// Compiles the statements as the body of a function, or the text in C.
fn compile_c(command: &[&str], program: &Program, files: &Files) -> Option<()> {
    let (types, floats) = if program.has_floats() { FLOATS } else { ("", [].as_slice()) };
    let function = match &program.in_c {
        Some(text) => declarations() + text,
        None => format!("int {FUNCTION}(int arg) {{\n{}}}\n", program.text),
    };
    let options = if command[0] == "tcc" { Vec::new() } else { [PLAIN, floats].concat() };
    fs::write(&files.c, types.to_string() + &function).ok()?;
    c_programs::compile(command, &options, &files.c, files).ok()
}
