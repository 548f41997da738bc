//! Programs in C without a library around them: compiled by a C compiler, linked for the emulator.
//! The command line and `benches/quality` contain this file.
use memory::{Content, Segment};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, id};
use std::sync::OnceLock;

/// The function that the compiled program consists of. In C it is `int simple(int arg)`.
pub const FUNCTION: &str = "simple";

/// The address at which functions in C are linked.
const ADDRESS: &str = "0x1000";

/// The command that code is compared with.
pub const GCC: &[&str] = &["gcc", "-m32", "-O2", "-march=i686"];

/// Options without which code would contain calls, tables or other sections.
pub const PLAIN: &[&str] = &[
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

/// The types of Simple that C does not have, and options for programs with them.
pub const FLOATS: (&str, &[&str]) = ("typedef double flt;\n", &["-msse2", "-mfpmath=sse"]);

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

/// The address of the memory of objects: its first word is the address of the next object.
pub const START_OF_OBJECTS: u32 = 0x1000_0000;

/// The memory of objects.
pub const HEAP: Segment = Segment {
    start: START_OF_OBJECTS,
    size: 1 << 28,
    content: Content::Of(|address| match address {
        START_OF_OBJECTS => 0x10,
        0x1000_0003 => 0x10,
        _ => 0,
    }),
    writable: true,
};

/// The declarations before a program with objects.
pub fn declarations() -> String {
    format!("#define START {START_OF_OBJECTS:#x}\n{OBJECTS}")
}

/// Compiles a file in C to an object file.
///
/// # Errors
/// The compiler is not installed, or it rejects the file: its messages.
pub fn compile(
    command: &[&str],
    options: &[&str],
    file: &Path,
    files: &Files,
) -> Result<(), String> {
    let mut compiler = Command::new(command[0]);
    compiler.args(&command[1..]).args(options);
    run(compiler.args(["-w", "-c", "-o"]).arg(&files.object).arg(file)).map(|_| ())
}

/// Runs a command and returns its output.
///
/// # Errors
/// It is not installed, or it fails: its messages.
pub fn run(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| match error.kind() {
        ErrorKind::NotFound => format!("`{name}` is not installed"),
        _ => format!("`{name}` cannot be started: {error}"),
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let messages = String::from_utf8_lossy(&output.stderr);
    Err(format!("`{name}` fails:\n{}", messages.trim_end()))
}

/// The library with gcc's routines for integers of two words, if it is installed.
fn routines() -> Option<&'static Path> {
    static PATH: OnceLock<Option<PathBuf>> = OnceLock::new();
    let path = PATH.get_or_init(|| {
        let path = run(Command::new("gcc").args(["-m32", "-print-libgcc-file-name"])).ok()?;
        let path = PathBuf::from(path.trim());
        path.exists().then_some(path)
    });
    path.as_deref()
}

/// Temporary files, removed when the value is dropped.
pub struct Files {
    pub c: PathBuf,
    /// For any other text.
    pub other: PathBuf,
    pub object: PathBuf,
    pub linked: PathBuf,
}

impl Files {
    pub fn new() -> Files {
        let [c, other, object, linked] = ["c", "txt", "o", "elf"]
            .map(|end| std::env::temp_dir().join(format!("c-program-{}.{end}", id())));
        Files { c, other, object, linked }
    }

    /// The executable of the object file. It begins with the function.
    ///
    /// # Errors
    /// The messages of the linker.
    pub fn link(&self) -> Result<Vec<u8>, String> {
        let mut linker = Command::new("ld");
        self.link_by(linker.args(["-m", "elf_i386", "-Ttext", ADDRESS, "-e", FUNCTION]))
    }

    /// The executable that a command makes of the object file.
    ///
    /// # Errors
    /// The messages of the command.
    pub fn link_by(&self, command: &mut Command) -> Result<Vec<u8>, String> {
        run(command.arg("-o").arg(&self.linked).arg(&self.object).args(routines()))?;
        fs::read(&self.linked).map_err(|error| format!("{}: {error}", self.linked.display()))
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        for path in [&self.c, &self.other, &self.object, &self.linked] {
            // A compiler that is not installed has written none of them.
            fs::remove_file(path).ok();
        }
    }
}
