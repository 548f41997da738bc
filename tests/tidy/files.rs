//! The files under test.
use bookbinder::scan::Scan;
use bookbinder::tree::{below, walk};
use std::fs;
use std::path::Path;

/// A file and its path below the root, with `/` between the parts.
pub struct File {
    pub path: String,
    pub text: String,
}

impl File {
    pub fn scan(&self) -> Scan<'_> {
        Scan::new(&self.text).unwrap_or_else(|misfit| panic!("{}: {misfit}", self.path))
    }

    /// Whether it contains the tests of a module.
    pub fn is_test(&self) -> bool {
        self.path.contains("/tests/") || self.path.ends_with("/tests.rs")
    }

    /// The position in a message; `line` counts from 0.
    pub fn place(&self, line: usize) -> String {
        format!("{}:{}", self.path, line + 1)
    }

    /// The file at this path, if it exists.
    pub fn read(path: &str) -> Option<File> {
        let text = fs::read_to_string(root().join(path)).ok()?;
        Some(File { path: path.to_string(), text })
    }
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All texts of the repository, without generated figures.
pub fn all() -> Vec<File> {
    const FOLDERS: &[&str] =
        &["src", "crates", "tests", "benches", "chapters", "docs", ".ci", ".cargo"];
    const FILES: &[&str] = &["README.md", "Cargo.toml", "rustfmt.toml"];
    let below_folders = FOLDERS.iter().flat_map(|it| walk(&root().join(it)));
    let paths = below_folders.map(|it| below(root(), &it).to_string_lossy().replace('\\', "/"));
    let paths = paths.chain(FILES.iter().map(|it| it.to_string()));
    paths.filter(|it| !it.contains("/target/")).filter_map(|it| File::read(&it)).collect()
}

/// Every Rust file.
pub fn rust() -> Vec<File> {
    all().into_iter().filter(|it| it.path.ends_with(".rs")).collect()
}

/// The Rust files of the compiler.
pub fn compiler() -> Vec<File> {
    rust().into_iter().filter(|it| it.path.starts_with("src/")).collect()
}
