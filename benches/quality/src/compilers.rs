//! The compilers: the bytes of one function that has the program's statements as its body.
use super::measure::Program;
use sonc::RegisterAllocator::{self, Colour, Scan};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, id};

/// Where the emulator loads a function.
const ADDRESS: &str = "0x1000";

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
    /// The function of a program; `None` if the compiler is not installed.
    pub fn function(&self, program: &Program) -> Option<Vec<u8>> {
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
    let executable = match sonc::compile(&source, options, &mut Unobserved) {
        Ok(executable) => executable,
        Err(halt) => panic!("the program is valid: {halt:?}"),
    };
    let image = elf::read(&executable.bytes).expect("the compiler writes valid files");
    let named = |symbol: &&elf::Symbol| symbol.name == "simple";
    let symbol = image.symbols.iter().find(named).expect("the function has a symbol");
    let start = |segment: &elf::Segment| symbol.address.checked_sub(segment.address);
    let slice = |segment: &elf::Segment| {
        let start = start(segment)? as usize;
        Some(segment.bytes.get(start..start + symbol.size as usize)?.to_vec())
    };
    image.segments.iter().find_map(slice).expect("the function is in a segment")
}

struct Unobserved;

impl sonc::StageObserver for Unobserved {
    fn stage_done(&mut self, _: sonc::Stage, _: &dyn sonc::Artifact) -> Result<(), sonc::Halt> {
        Ok(())
    }
}

/// Compiles the statements as the body of a function, or the text in C, and links it alone, without
/// a file format.
fn compile_c(compiler: &Compiler, program: &Program) -> Option<Vec<u8>> {
    let file =
        |end: &str| -> PathBuf { std::env::temp_dir().join(format!("quality-{}.{end}", id())) };
    let [c, object, flat] = ["c", "o", "bin"].map(file);
    let same = || format!("int simple(int arg) {{\n{}}}\n", program.text);
    fs::write(&c, program.in_c.clone().unwrap_or_else(same)).ok()?;
    let plain = if compiler.command[0] == "tcc" { &[] } else { PLAIN };
    let mut command = Command::new(compiler.command[0]);
    command.args(&compiler.command[1..]).args(plain).args(["-w", "-c", "-o"]).arg(&object).arg(&c);
    let link = ["-m", "elf_i386", "-Ttext", ADDRESS, "-e", "simple", "--oformat", "binary", "-o"];
    let mut linker = Command::new("ld");
    linker.args(link).arg(&flat).arg(&object);
    let works = |command: &mut Command| command.output().is_ok_and(|it| it.status.success());
    let bytes = (works(&mut command) && works(&mut linker)).then(|| fs::read(&flat).ok());
    for path in [c, object, flat] {
        fs::remove_file(path).ok();
    }
    bytes?
}
