//! The compilers: an executable with a function that has the program's statements as its body.
use super::measure::{Program, START_OF_OBJECTS};
use sonc::RegisterAllocator::{self, Colour, Scan};
use sonc::{Artifact, Halt, Stage, StageObserver};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, id};
use std::sync::OnceLock;

/// The address at which functions in C are linked.
const ADDRESS: &str = "0x1000";

/// The name of the function.
pub const FUNCTION: &str = "simple";

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
    c("gcc -O2", &["gcc", "-m32", "-O2", "-march=i686"]),
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

/// Options without which code would contain calls, tables or other sections.
const PLAIN: &[&str] = &[
    "-fwrapv",
    "-ffreestanding",
    "-fno-pic",
    "-fno-pie",
    "-fno-stack-protector",
    "-fno-tree-vectorize",
    "-fno-jump-tables",
    "-fno-asynchronous-unwind-tables",
    "-fcf-protection=none",
];

impl Compiler {
    /// The executable of a program; `None` if the compiler is not installed.
    pub fn executable(&self, program: &Program) -> Option<Vec<u8>> {
        let command = match self.kind {
            Kind::Sonc(registers) => return Some(ours(&program.text, registers).0),
            Kind::C(command) => command,
        };
        let files = Files::new();
        compile_c(command, program, &files)?;
        let mut linker = Command::new("ld");
        linker.args(["-m", "elf_i386", "-Ttext", ADDRESS, "-e", FUNCTION]);
        files.link(&mut linker)
    }

    /// An executable that begins with the text `caller` in C, which calls the function.
    pub fn with_caller(&self, program: &Program, caller: &str) -> Option<Vec<u8>> {
        let files = Files::new();
        match self.kind {
            Kind::Sonc(registers) => {
                // Aligned as in the executable, and as the function of a C compiler.
                let text = format!(".p2align 4\n{}", ours(&program.text, registers).1);
                fs::write(&files.assembly, text).ok()?;
                let mut assembler = Command::new("as");
                run(assembler.arg("--32").arg("-o").arg(&files.object).arg(&files.assembly))?;
            }
            Kind::C(command) => compile_c(command, program, &files)?,
        }
        fs::write(&files.c, caller).ok()?;
        let mut gcc = Command::new("gcc");
        gcc.args(["-m32", "-O2", "-nostdlib", "-static"]).args(PLAIN).arg(&files.c);
        files.link(&mut gcc)
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

/// The types of Simple that C does not have, and options for programs with them.
const FLOATS: (&str, &[&str]) = ("typedef double flt;\n", &["-msse2", "-mfpmath=sse"]);

/// Objects of programs in C: they have the same memory as those in Simple, which is zero. As there,
/// the allocation writes the first word, and so it fails if the memory is full. The type of an
/// array has its length, so that a compiler can check an index.
const OBJECTS: &str = r#"
#define NEXT (*(char **)START)

static inline __attribute__((always_inline)) void *allocate(int size) {
    int *object = (int *)NEXT;
    NEXT += size;
    object[0] = 0;
    return object;
}

/* A new array of n elements. */
#define ARRAY(type, name, n) type (*name)[n] = allocate(sizeof(type) * (n))
"#;

/// Compiles the statements as the body of a function, or the text in C.
fn compile_c(command: &[&str], program: &Program, files: &Files) -> Option<()> {
    let (types, options) = if program.has_floats() { FLOATS } else { ("", [].as_slice()) };
    let function = match &program.in_c {
        Some(text) => format!("#define START {START_OF_OBJECTS:#x}\n{OBJECTS}{text}"),
        None => format!("int {FUNCTION}(int arg) {{\n{}}}\n", program.text),
    };
    let text = types.to_string() + &function;
    fs::write(&files.c, text).ok()?;
    let mut compiler = Command::new(command[0]);
    compiler.args(&command[1..]);
    if command[0] != "tcc" {
        compiler.args(PLAIN).args(options);
    }
    run(compiler.args(["-w", "-c", "-o"]).arg(&files.object).arg(&files.c))
}

/// The library with gcc's routines for integers of two words, if it is installed.
fn routines() -> Option<&'static str> {
    static PATH: OnceLock<Option<String>> = OnceLock::new();
    let path = PATH.get_or_init(|| {
        let output = Command::new("gcc").args(["-m32", "-print-libgcc-file-name"]).output().ok()?;
        let path = String::from_utf8(output.stdout).ok()?.trim().to_string();
        fs::exists(&path).ok()?.then_some(path)
    });
    path.as_deref()
}

/// Runs a command; `None` if it fails or is not installed.
fn run(command: &mut Command) -> Option<()> {
    command.output().is_ok_and(|it| it.status.success()).then_some(())
}

/// Temporary files, removed when the value is dropped.
struct Files {
    c: PathBuf,
    assembly: PathBuf,
    object: PathBuf,
    linked: PathBuf,
}

impl Files {
    fn new() -> Files {
        let [c, assembly, object, linked] = ["c", "s", "o", "elf"]
            .map(|end| std::env::temp_dir().join(format!("quality-{}.{end}", id())));
        Files { c, assembly, object, linked }
    }

    /// The executable that a command makes of the object.
    fn link(&self, command: &mut Command) -> Option<Vec<u8>> {
        run(command.arg("-o").arg(&self.linked).arg(&self.object).args(routines()))?;
        fs::read(&self.linked).ok()
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        for path in [&self.c, &self.assembly, &self.object, &self.linked] {
            // A compiler that is not installed has written none of them.
            fs::remove_file(path).ok();
        }
    }
}
