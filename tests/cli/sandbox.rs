//! Each test runs `sonc` in its own folder with programs.
use sonc::this_chapter;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs};

/// The compiler. `cargo chapter check` sets `SONC`: when this runs, the compiler of another chapter
/// may have replaced it.
pub fn compiler() -> PathBuf {
    env::var_os("SONC").map_or_else(|| env!("CARGO_BIN_EXE_sonc").into(), PathBuf::from)
}

/// A command and its result.
pub struct Row {
    /// The first and the last chapter with this result.
    pub chapters: (u32, u32),
    pub line: &'static str,
    pub status: i32,
    /// A part of standard output; if empty, the whole.
    pub out: &'static str,
    /// A part of standard error; if empty, the whole.
    pub err: &'static str,
}

/// From this chapter on.
pub const fn since(chapter: u32) -> (u32, u32) {
    (chapter, u32::MAX)
}

/// Runs each row of this chapter twice, to check that the result is the same.
pub fn check(sandbox: &Sandbox, rows: &[Row]) {
    let (first, last) = (|row: &Row| row.chapters.0, |row: &Row| row.chapters.1);
    for row in rows.iter().filter(|it| (first(it)..=last(it)).contains(&this_chapter())) {
        let words: Vec<&str> = row.line.split_whitespace().collect();
        let done = sandbox.sonc(&words);
        let shown = format!("sonc {}\n{done:?}", row.line);
        assert_eq!(done.status, Some(row.status), "{shown}");
        assert!(holds(&done.out, row.out), "standard output of {shown}");
        assert!(holds(&done.err, row.err), "standard error of {shown}");
        assert!(!done.out.contains('\x1b') && !done.err.contains('\x1b'), "{shown}");
        let again = sandbox.sonc(&words);
        assert!(row.line.contains("--time") || done == again, "{shown}\nand again: {again:?}");
    }
}

fn holds(text: &str, part: &str) -> bool {
    if part.is_empty() { text.is_empty() } else { text.contains(part) }
}

/// The result of a process. Invalid UTF-8 in the output is replaced.
#[derive(PartialEq, Eq, Debug)]
pub struct Done {
    /// `None` if a signal killed it.
    pub status: Option<i32>,
    pub out: String,
    pub err: String,
}

impl From<Output> for Done {
    fn from(output: Output) -> Done {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        Done { status: output.status.code(), out, err }
    }
}

pub struct Sandbox {
    path: PathBuf,
}

impl Sandbox {
    /// A folder with `FILES` in it.
    pub fn new() -> Sandbox {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("sonc-cli-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).expect("a fresh folder");
        let sandbox = Sandbox { path };
        FILES.iter().for_each(|(name, text)| sandbox.write(name, text));
        sandbox
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).expect("a file in our own folder");
    }

    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(compiler());
        command.args(words).current_dir(&self.path).stdin(Stdio::null());
        command
    }

    pub fn sonc(&self, words: &[&str]) -> Done {
        self.command(words).output().expect("sonc can be started").into()
    }

    /// All files with their contents.
    pub fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(&self.path, &mut files);
        files
    }
}

fn collect(folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        match fs::read(entry.path()) {
            Ok(bytes) => drop(files.insert(entry.path(), bytes)),
            Err(_) => collect(&entry.path(), files),
        }
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

const FILES: &[(&str, &[u8])] = &[
    ("answer.smp", b"return 42;"),
    ("endless.smp", b"while (1) {} return 0;"),
    ("sum.smp", b"return 1+2*3;"),
    ("named.smp", b"int x=5; { int y=x*2; x=y+1; #showGraph; } return x;"),
    ("arg.smp", b"return arg;"),
    ("affine.smp", b"return 5+arg*3+4;"),
    ("twins.smp", b"int a=0; int b=0; while(a<arg) { a=a+1; b=b+1; } return a-b;"),
    ("choice.smp", b"int a=1; if(arg>3) a=arg; return a;"),
    ("divide.smp", b"return 7/2;"),
    ("difference.rv", b"(func-2-inputs-1-outputs (- get-0 get-1))"),
    ("good.pbqp", b"pbqp 2 1\n2 1 5\n2 2 0\n0 1 0 9 9 0\n"),
    (
        "five.pbqp",
        b"pbqp 5 10\n\
          2 0 2\n2 0 1\n2 0 1\n2 1 1\n2 2 1\n\
          0 1 3 1 7 0\n0 2 6 6 9 0\n0 3 7 4 3 9\n0 4 1 5 0 0\n1 2 0 8 0 6\n\
          1 3 3 6 0 8\n1 4 3 7 7 8\n2 3 3 5 3 3\n2 4 7 4 0 6\n3 4 8 1 2 4\n",
    ),
    ("triangle.pbqp", b"pbqp 2 1\n2 0 0\n2 0 1\n0 1 inf 0 0 inf # either, or\n"),
    ("impossible.pbqp", b"pbqp 2 1\n1 0\n1 0\n0 1 inf\n"),
    // With propagation the heuristic finds a solution, without it none.
    (
        "astray.pbqp",
        b"pbqp 7 14\n\
          2 27 36\n\
          3 91 16 66\n\
          3 78 36 99\n\
          2 14 66\n\
          2 36 7\n\
          3 35 24 4\n\
          2 86 42\n\
          0 1 inf inf 1 30 24 14\n\
          0 2 10 14 11 inf 22 inf\n\
          0 5 inf 29 inf 17 30 15\n\
          0 6 inf 0 0 0\n\
          1 3 inf 0 0 inf 0 inf\n\
          1 5 28 14 10 25 inf inf 5 26 inf\n\
          2 3 inf 11 12 26 8 inf\n\
          2 4 15 18 inf 0 inf inf\n\
          2 5 inf 0 inf 0 26 0 0 inf inf\n\
          3 4 2 23 inf 5\n\
          3 5 inf inf inf inf 4 inf\n\
          3 6 inf inf 10 23\n\
          4 6 17 inf 7 27\n\
          5 6 inf inf 0 13 0 0\n",
    ),
    ("broken.pbqp", b"pbqp 2 1\n1 0\n1 zero\n0 1 inf\n"),
    (
        "own.rules",
        b"rule give: Const c:Is => mov d, c; cycles 1\n\
          rule end: Return:Is(m, x in eax) => ret; cycles 1\n",
    ),
    (
        "zeros.rules",
        b"rule lie: Const c:Is => zero d; cycles 1\n\
          rule end: Return:Is(m, x in eax) => ret; cycles 1\n\
          rule divide: Div:Is(x in eax, y) => cdq; idiv y; out eax; clobbers edx; \
          cycles 20\n",
    ),
    ("broken.rules", b"rule mov-constant: Konst c:Is => mov d, c; cycles 1\n"),
    ("garbled.rules", b"rule rule => ((("),
];
