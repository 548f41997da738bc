//! Runs cargo for one chapter: as the tags have it, or as the crate that was printed.
//!
//! All of them share the folder `target/chapters/build`, so that libraries are compiled once. The
//! compiler of the chapter built last lies there; `keep` saves it under a name of its own.
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// A way to build one chapter.
pub struct Build {
    manifest: PathBuf,
    features: Vec<String>,
    target: PathBuf,
}

impl Build {
    /// The chapter as the tags of the source have it.
    pub fn tags(root: &Path, chapter: u32) -> Build {
        let feature = format!("ch{chapter:02}");
        let features = ["--no-default-features", "--features", &feature].map(String::from).to_vec();
        let target = root.join("target/chapters/build");
        Build { manifest: root.join("Cargo.toml"), features, target }
    }

    /// The same place, but the chapter as a crate of its own, in `folder`.
    pub fn crate_in(&self, folder: &Path) -> Build {
        let (manifest, target) = (folder.join("Cargo.toml"), self.target.clone());
        Build { manifest, features: Vec::new(), target }
    }

    /// Copies the compiler that was built last.
    pub fn keep(&self, name: &str) -> Result<PathBuf, String> {
        let built = self.target.join(format!("debug/sonc{}", env::consts::EXE_SUFFIX));
        let kept = self.target.join(format!("{name}{}", env::consts::EXE_SUFFIX));
        std::fs::copy(built, &kept).map_err(|err| format!("{}: {err}", kept.display()))?;
        Ok(kept)
    }

    fn cargo(&self, command: &str) -> Command {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo.arg(command).arg("--manifest-path").arg(&self.manifest).args(&self.features);
        cargo.env("CARGO_TARGET_DIR", &self.target);
        // Nobody debugs these builds or edits between them.
        cargo.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_INCREMENTAL", "0");
        cargo
    }

    /// Runs a cargo command for the user, with the terminal and the exit code that come with it.
    pub fn pass_on(&self, command: &str, words: &[&str]) -> ExitCode {
        let status = self.cargo(command).args(words).status();
        let code = status.ok().and_then(|it| it.code()).unwrap_or(1);
        ExitCode::from(u8::try_from(code).unwrap_or(1))
    }

    /// Runs a cargo command in which no package of ours may warn. Answers with all it printed.
    ///
    /// Warnings are read, not made errors by RUSTFLAGS: other flags are another compilation of
    /// every library.
    pub fn strict(&self, command: &str, words: &[&str]) -> Result<String, String> {
        let mut cargo = self.cargo(command);
        cargo.args(words).env("CARGO_TERM_COLOR", "never").env_remove("UPDATE_EXPECT");
        let said = run(&mut cargo)?;
        if said.lines().any(|it| it.starts_with("warning")) { Err(said) } else { Ok(said) }
    }

    /// Builds the tests `names`, and the compiler with them. Answers with the programs.
    pub fn tests(&self, names: &[&str]) -> Result<Vec<PathBuf>, String> {
        let mut words = vec!["--no-run"];
        words.extend(names.iter().flat_map(|it| ["--test", it]));
        let said = self.strict("test", &words)?;
        let programs = said.lines().filter_map(|it| it.trim().strip_prefix("Executable "));
        let paths =
            programs.filter_map(|it| Some(it.rsplit_once('(')?.1.strip_suffix(')')?.into()));
        Ok(paths.collect())
    }
}

/// Runs a command that has to succeed. Answers with all it printed.
pub fn run(command: &mut Command) -> Result<String, String> {
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|err| format!("cannot run {command:?}: {err}"))?;
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    if output.status.success() { Ok(said) } else { Err(said) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A package with one function, and how it is built.
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
        silent.strict("check", &[]).expect("nothing is wrong");
        let unused = package("unused", "//! L.\nfn f() {}\n");
        let said = unused.strict("check", &[]).expect_err("a function that nobody calls");
        assert!(said.contains("never used"), "{said}");
        let again = unused.strict("check", &[]);
        assert!(again.is_err(), "warnings are said again where nothing has to be built");
        for build in [silent, unused] {
            fs::remove_dir_all(build.manifest.parent().expect("a folder")).expect("it goes");
        }
    }
}
