//! Runs cargo for one chapter: as the tags have it, or as the crate that was ejected.
//!
//! Builds that are made one after the other share a folder, `target/chapters/build/0` and so on, so
//! that dependencies are compiled once.
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// A way to build one chapter.
pub struct Build {
    manifest: PathBuf,
    features: Vec<String>,
    pub target: PathBuf,
    /// Whether it is built soon rather than to run fast.
    quick: bool,
}

impl Build {
    /// The chapter as the tags of the source have it, in the folder with this number.
    pub fn tags(root: &Path, chapter: u32, number: usize) -> Build {
        let feature = format!("ch{chapter:02}");
        let features = ["--no-default-features", "--features", &feature].map(String::from).to_vec();
        let target = target(root, number);
        Build { manifest: root.join("Cargo.toml"), features, target, quick: false }
    }

    /// The same place, but the chapter as a crate of its own, in `folder`.
    pub fn crate_in(&self, folder: &Path, quick: bool) -> Build {
        let (manifest, target) = (folder.join("Cargo.toml"), self.target.clone());
        Build { manifest, features: Vec::new(), target, quick }
    }

    /// Where the compiler is, once it is built.
    pub fn binary(&self) -> PathBuf {
        self.target.join(format!("debug/sonc{}", env::consts::EXE_SUFFIX))
    }

    fn cargo(&self, command: &str) -> Command {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo.arg(command).arg("--manifest-path").arg(&self.manifest).args(&self.features);
        cargo.env("CARGO_TARGET_DIR", &self.target);
        // Nobody debugs these builds or edits between them.
        cargo.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_INCREMENTAL", "0");
        if self.quick {
            cargo.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0");
        }
        cargo
    }

    /// Runs a cargo command for the user, with the terminal and the exit code that come with it.
    pub fn pass_on(&self, command: &str, words: &[&str]) -> ExitCode {
        let status = self.cargo(command).args(words).status();
        let code = status.ok().and_then(|it| it.code()).unwrap_or(1);
        ExitCode::from(u8::try_from(code).unwrap_or(1))
    }

    /// Runs a cargo command where warnings are errors. Answers with all it printed.
    pub fn strict(&self, command: &str, words: &[&str], updates: bool) -> Result<String, String> {
        let mut cargo = self.cargo(command);
        cargo.args(words).stdin(Stdio::null()).env("CARGO_TERM_COLOR", "never");
        let flags = env::var("RUSTFLAGS").unwrap_or_default();
        cargo.env("RUSTFLAGS", format!("{flags} -D warnings").trim());
        if !updates {
            cargo.env_remove("UPDATE_EXPECT");
        }
        let output = cargo.output().map_err(|err| format!("cannot run cargo: {err}"))?;
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        if output.status.success() { Ok(said) } else { Err(said) }
    }
}

fn target(root: &Path, number: usize) -> PathBuf {
    root.join(format!("target/chapters/build/{number}"))
}
