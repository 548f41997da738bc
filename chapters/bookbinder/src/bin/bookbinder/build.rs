//! Runs cargo for one chapter: on the tagged source, or on the printed crate.
//!
//! Builds of the book share the folder `target/chapters/build`: libraries are compiled once. It
//! contains the compiler of the last chapter built; `keep` copies it to another folder.
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::{env, fs, thread};

/// The cargo options for one chapter.
pub struct Build {
    manifest: PathBuf,
    features: Vec<String>,
    target: PathBuf,
}

impl Build {
    /// The chapter in the tagged source.
    pub fn tags(root: &Path, chapter: u32) -> Build {
        let feature = format!("ch{chapter:02}");
        let features = ["--no-default-features", "--features", &feature].map(String::from).to_vec();
        let target = root.join("target/chapters/build");
        Build { manifest: root.join("Cargo.toml"), features, target }
    }

    /// The same in a folder of its own: a compiler of a student takes the place of none of the
    /// book's, which tests may run at the same time.
    pub fn graded(root: &Path, chapter: u32) -> Build {
        Build { target: root.join("target/chapters/graded"), ..Build::tags(root, chapter) }
    }

    /// The same, for the crate of the chapter in `folder`.
    pub fn crate_in(&self, folder: &Path) -> Build {
        let (manifest, target) = (folder.join("Cargo.toml"), self.target.clone());
        Build { manifest, features: Vec::new(), target }
    }

    /// Copies the compiler that was built last to the folder `name`: it prints its own name.
    pub fn keep(&self, name: &str) -> Result<PathBuf, String> {
        let program = format!("sonc{}", env::consts::EXE_SUFFIX);
        let folder = self.target.join("kept").join(name);
        let kept = folder.join(&program);
        let copied = fs::create_dir_all(&folder)
            .and_then(|()| fs::copy(self.target.join("debug").join(&program), &kept));
        copied.map_err(|err| format!("{}: {err}", kept.display()))?;
        Ok(kept)
    }

    fn cargo(&self, command: &str) -> Command {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo.arg(command).arg("--manifest-path").arg(&self.manifest).args(&self.features);
        self.share(&mut cargo);
        cargo
    }

    /// Lets a command use the libraries that are already compiled.
    pub fn share(&self, command: &mut Command) {
        command.env("CARGO_TARGET_DIR", &self.target);
        // These builds are neither debugged nor incremental.
        command.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_INCREMENTAL", "0");
        command.env("CARGO_PROFILE_DEV_CODEGEN_UNITS", codegen_units().to_string());
    }

    /// Runs a cargo command for the user, with its terminal output and exit code.
    pub fn pass_on(&self, command: &str, words: &[&str]) -> ExitCode {
        let status = self.cargo(command).args(words).status();
        let code = status.ok().and_then(|it| it.code()).unwrap_or(1);
        ExitCode::from(u8::try_from(code).unwrap_or(1))
    }

    /// Runs a cargo command in which our packages may not warn. Returns its output.
    ///
    /// Reads the warnings instead of setting RUSTFLAGS: other flags would compile every library
    /// again.
    pub fn strict(&self, command: &str, words: &[&str]) -> Result<String, String> {
        let mut cargo = self.cargo(command);
        cargo.args(words).env("CARGO_TERM_COLOR", "never").env_remove("UPDATE_EXPECT");
        let output_text = run(&mut cargo)?;
        if output_text.lines().any(|it| it.starts_with("warning")) {
            Err(output_text)
        } else {
            Ok(output_text)
        }
    }

    /// Builds only the compiler, and keeps it. It runs few commands; to optimize it takes longer.
    pub fn compiler(&self, name: &str) -> Result<PathBuf, String> {
        self.strict("build", &["--bin", "sonc", "--config", NOT_OPTIMIZED])?;
        self.keep(name)
    }

    /// Builds a compiler that may have warnings, and keeps it. An error is one line.
    pub fn submitted(&self, name: &str) -> Result<PathBuf, String> {
        let mut cargo = self.cargo("build");
        cargo.args(["--bin", "sonc", "--config", NOT_OPTIMIZED]);
        cargo.env("CARGO_TERM_COLOR", "never");
        run(&mut cargo).map_err(|output| {
            let error = output.lines().find(|it| it.starts_with("error"));
            format!("does not build: {}", error.unwrap_or("cargo fails"))
        })?;
        self.keep(name)
    }

    /// Builds the compiler and the tests `names`, or all of them if there is no name. Returns the
    /// paths of the tests.
    pub fn tests(&self, names: &[&str]) -> Result<Vec<PathBuf>, String> {
        let mut words = vec!["--no-run"];
        words.extend(names.iter().flat_map(|it| ["--test", it]));
        let output_text = self.strict("test", &words)?;
        let programs = output_text.lines().filter_map(|it| it.trim().strip_prefix("Executable "));
        let path = |it: &str| Some(it.rsplit_once('(')?.1.strip_suffix(')')?.into());
        Ok(programs.filter_map(path).collect())
    }
}

/// A compiler that runs few commands is not optimized.
const NOT_OPTIMIZED: &str = "profile.dev.package.sonc.opt-level=0";

/// The number of parts into which rustc splits a crate. Whole crates take least time of the
/// processors, but only one at a time: cargo compiles a library and its tests at once.
fn codegen_units() -> usize {
    let processors = thread::available_parallelism().map_or(1, |it| it.get());
    processors.div_ceil(2)
}

/// Runs a command that must succeed. Returns its output.
pub fn run(command: &mut Command) -> Result<String, String> {
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|err| format!("cannot run {command:?}: {err}"))?;
    let output_text = [output.stdout, output.stderr].concat();
    let output_text = String::from_utf8_lossy(&output_text).into_owned();
    if output.status.success() { Ok(output_text) } else { Err(output_text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A package with one function, and its build.
    fn package(name: &str, text: &str) -> Build {
        let root = env::temp_dir().join(format!("bookbinder-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(root.join("src")).expect("a new folder");
        let manifest = "[package]\nname = \"sonc\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
                        [features]\nch01 = []\n\n[workspace]\n";
        fs::write(root.join("Cargo.toml"), manifest).expect("a manifest");
        fs::write(root.join("src/lib.rs"), text).expect("a text");
        Build::tags(&root, 1)
    }

    #[test]
    fn a_warning_is_a_failure() {
        let silent = package("silent", "//! L.\npub fn f() {}\n");
        silent.strict("check", &[]).expect("no warning");
        let unused = package("unused", "//! L.\nfn f() {}\n");
        let output_text = unused.strict("check", &[]).expect_err("an unused function");
        assert!(output_text.contains("never used"), "{output_text}");
        let again = unused.strict("check", &[]);
        assert!(again.is_err(), "warnings are repeated without a new build");
        for build in [silent, unused] {
            fs::remove_dir_all(build.manifest.parent().expect("a folder"))
                .expect("it can be removed");
        }
    }
}
