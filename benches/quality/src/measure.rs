//! The programs, and one measurement of each.
use super::c_programs::{FUNCTION, HEAP};
use super::compilers::{BASE, COMPILERS};
use super::generate::mixed;
use super::time;
use emulate::{Fault, Run, Termination, call_image};
use std::path::Path;

pub struct Program {
    pub name: String,
    pub text: String,
    /// The whole text in C, if it is not that of the statements.
    pub in_c: Option<String>,
}

/// The numbers of one program; `None` where a compiler is not installed, or where the emulator
/// lacks one of its instructions.
pub struct Measured {
    pub name: String,
    /// Executed instructions for all arguments, by compiler.
    pub instructions: Vec<Option<u64>>,
    pub bytes: Vec<Option<usize>>,
    /// The user time of sonc's code, relative to gcc -O2.
    pub time: Option<f64>,
}

/// The number of variables of generated programs.
const VARIABLES: [usize; 6] = [2, 5, 8, 12, 20, 30];
/// More than any of the programs executes.
const BUDGET: u64 = 4_000_000_000;

/// The files of `programs/` in the order of their names, and generated ones.
pub fn programs() -> Vec<Program> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
    let files = std::fs::read_dir(&folder).expect("the programs are beside the manifest");
    let mut paths: Vec<_> = files.map(|it| it.expect("a file has a name").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|it| it == "smp"));
    paths.sort();
    let read = |path: &std::path::PathBuf| Program {
        name: path.file_stem().expect("a file has a name").to_string_lossy().replace('_', " "),
        text: std::fs::read_to_string(path).expect("a program is text"),
        in_c: std::fs::read_to_string(path.with_extension("c")).ok(),
    };
    let generated = VARIABLES.map(|variables| Program {
        name: format!("mixed, {variables} variables"),
        text: mixed(300, variables),
        in_c: None,
    });
    paths.iter().map(read).chain(generated).collect()
}

impl Program {
    pub fn has_floats(&self) -> bool {
        self.text.contains("flt ")
    }

    /// The arguments in its head.
    pub fn arguments(&self) -> Vec<i32> {
        let head = self.text.lines().find_map(|line| line.strip_prefix("// arguments: "));
        let words = head.expect("a program has arguments").split_whitespace();
        words.map(|word| word.parse().expect("an argument is a number")).collect()
    }

    /// The same program for the large argument in its head, if there is one.
    pub fn enlarged(&self) -> Option<Program> {
        let large = self.text.lines().find_map(|line| line.strip_prefix("// large: "))?;
        let text = format!("// arguments: {large}\n{}", self.text);
        Some(Program { name: format!("{} {large}", self.name), text, in_c: self.in_c.clone() })
    }
}

/// Compiles the program by every compiler, and executes it for all its arguments.
pub fn measure(program: &Program) -> Measured {
    let mut measured = Measured {
        name: program.name.clone(),
        instructions: Vec::new(),
        bytes: Vec::new(),
        time: None,
    };
    let mut expected = None;
    for compiler in COMPILERS {
        let executable = compiler.executable(program);
        measured.bytes.push(executable.as_deref().map(size));
        let runs = executable.map(|bytes| execute(&bytes, &program.arguments()));
        let runs = runs.filter(|(ends, _)| !ends.iter().any(is_unknown));
        measured.instructions.push(runs.as_ref().map(|it| it.1));
        if let Some((results, _)) = runs {
            let first = expected.get_or_insert(results.clone());
            assert_eq!(*first, results, "{}, {}", program.name, compiler.name);
        }
    }
    if let (Some(results), Some(instructions)) = (expected, measured.instructions[BASE]) {
        measured.time = time::ratio(program, &COMPILERS[BASE], instructions, sum(&results));
    }
    measured
}

/// The sum of results, modulo 2³².
pub fn sum(results: &[Termination]) -> i32 {
    let value = |end: &Termination| match end {
        Termination::Value(value) => *value,
        end => panic!("a program ends with a value, not with {end:?}"),
    };
    results.iter().map(value).fold(0, i32::wrapping_add)
}

/// The executable without the memory that it writes: objects are in `HEAP`. It begins with the
/// function.
fn image(executable: &[u8]) -> (elf::Image<'_>, u32) {
    let mut image = elf::read(executable).expect("the linker writes valid files");
    let named = |symbol: &&elf::Symbol| symbol.name == FUNCTION;
    let symbol = image.symbols.iter().find(named).expect("the function has a symbol");
    let size = symbol.size;
    image.entry = symbol.address;
    image.segments.retain(|it| !it.writable);
    (image, size)
}

/// The bytes of the function.
fn size(executable: &[u8]) -> usize {
    image(executable).1 as usize
}

/// The runs for all arguments.
pub fn runs(executable: &[u8], arguments: &[i32]) -> Vec<Run> {
    let arguments: Vec<_> = arguments.iter().map(|&it| vec![it]).collect();
    runs_with_words(executable, &arguments)
}

/// The same for arguments of several words.
fn runs_with_words(executable: &[u8], arguments: &[Vec<i32>]) -> Vec<Run> {
    let (image, _) = image(executable);
    arguments.iter().map(|words| call_image(&image, words, &[HEAP], BUDGET).0).collect()
}

/// The results, and the number of executed instructions.
pub fn execute(executable: &[u8], arguments: &[i32]) -> (Vec<Termination>, u64) {
    let arguments: Vec<_> = arguments.iter().map(|&it| vec![it]).collect();
    execute_words(executable, &arguments)
}

/// The same for arguments of several words.
pub fn execute_words(executable: &[u8], arguments: &[Vec<i32>]) -> (Vec<Termination>, u64) {
    let runs = runs_with_words(executable, arguments);
    let instructions = runs.iter().map(|it| it.instructions).sum();
    (runs.into_iter().map(|it| it.end).collect(), instructions)
}

/// Whether the emulator lacks an instruction that a C compiler chose.
fn is_unknown(end: &Termination) -> bool {
    matches!(end, Termination::Fault { fault: Fault::UnknownInstruction(_), .. })
}

impl Measured {
    pub fn is_generated(&self) -> bool {
        self.name.starts_with("mixed")
    }

    pub fn is_of_arrays(&self) -> bool {
        ["arrays", "bytes"].iter().any(|it| self.name.starts_with(it))
    }

    pub fn is_of_lists_or_floats(&self) -> bool {
        ["list", "floats"].iter().any(|it| self.name.starts_with(it))
    }

    /// The instructions of a compiler's code, relative to gcc -O2.
    pub fn ratio(&self, at: usize) -> Option<f64> {
        Some(self.instructions[at]? as f64 / self.instructions[BASE]? as f64)
    }

    /// The bytes of sonc's code, relative to gcc -O2.
    pub fn byte_ratio(&self) -> Option<f64> {
        Some(self.bytes[0]? as f64 / self.bytes[BASE]? as f64)
    }
}
