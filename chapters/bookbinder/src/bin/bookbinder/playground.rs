//! The playground: compilers for the browser, and the page that calls them.
use crate::build::run;
use bookbinder::examples::SITE;
use bookbinder::tree;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, io, thread};

const TARGET: &str = "wasm32-unknown-unknown";

/// The stack of the compilers, in bytes: that of a program on the usual systems is larger than
/// that of the target.
const STACK: u32 = 4 << 20;

/// The toolchain for the target.
enum Toolchain {
    /// It has the libraries of the target.
    Complete,
    /// As on Debian, with the packages `rustc-web rust-web-src lld`: the standard library is
    /// compiled, too.
    FromSource,
}

/// What is needed to build the playground.
pub struct Tools {
    toolchain: Toolchain,
}

impl Tools {
    /// Finds the tools.
    ///
    /// # Errors
    /// The missing ones.
    pub fn find() -> Result<Tools, String> {
        let toolchain = Toolchain::find().ok_or(NO_TARGET)?;
        match ["node", "npm"].iter().find(|it| run(Command::new(it).arg("--version")).is_err()) {
            Some(missing) => Err(format!("the playground needs `{missing}`")),
            None => Ok(Tools { toolchain }),
        }
    }

    /// Builds the playground into the site, with the compilers of these chapters besides the last
    /// one.
    pub fn build(&self, root: &Path, chapters: &[u32]) -> Result<String, String> {
        let folder = root.join(SITE).join("playground");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).map_err(|err| format!("{}: {err}", folder.display()))?;
        let last = tree::chapters(root).iter().map(|it| it.0).max().unwrap_or(1);
        let own: Vec<u32> = chapters.iter().copied().filter(|it| *it != last).collect();
        for &chapter in &own {
            self.compile(root, chapter, &folder.join(format!("sonc-{chapter:02}.wasm")))?;
        }
        self.compile(root, last, &folder.join("sonc.wasm"))?;
        let list = format!("{{ \"own\": {own:?}, \"last\": {last} }}\n");
        let list_file = folder.join("chapters.json");
        fs::write(&list_file, list).map_err(|err| format!("{}: {err}", list_file.display()))?;
        bundle(root, &folder)?;
        Ok(format!("playground with {} compilers: {SITE}/playground/index.html\n", own.len() + 1))
    }

    /// Compiles the compiler of a chapter to WebAssembly.
    fn compile(&self, root: &Path, chapter: u32, output: &Path) -> Result<(), String> {
        let target = root.join("target/playground");
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo.args(["rustc", "--release", "--package", "sonc-playground", "--lib"]);
        cargo.args(["--crate-type", "cdylib", "--target", TARGET, "--no-default-features"]);
        cargo.arg("--features").arg(format!("ch{chapter:02}"));
        cargo.arg("--manifest-path").arg(root.join("Cargo.toml"));
        cargo.arg("--target-dir").arg(&target);
        if matches!(self.toolchain, Toolchain::FromSource) {
            cargo.args(["-Z", "build-std=std,panic_abort"]);
            cargo.env("RUSTC", DEBIAN_RUSTC).env("RUSTC_BOOTSTRAP", "1");
            cargo.env("RUSTFLAGS", "-C linker=wasm-ld");
        }
        let stack = format!("link-arg=stack-size={STACK}");
        // The browser shows no lines of Rust.
        cargo.args(["--", "-C", "link-arg=-z", "-C", &stack, "-C", "strip=symbols"]);
        run(&mut cargo)?;
        let built = target.join(TARGET).join("release/playground.wasm");
        let copied = fs::copy(&built, output).map(|_| ());
        copied.map_err(|err| format!("{}: {err}", built.display()))
    }
}

const NO_TARGET: &str = "the playground needs the target wasm32-unknown-unknown: \
                         `rustup target add wasm32-unknown-unknown`, or on Debian the packages \
                         rustc-web, rust-web-src and lld";

const DEBIAN_RUSTC: &str = "/usr/bin/rustc";

impl Toolchain {
    fn find() -> Option<Toolchain> {
        let rustc = env::var_os("RUSTC").unwrap_or("rustc".into());
        if sysroot(&rustc).is_some_and(|it| it.join("lib/rustlib").join(TARGET).is_dir()) {
            return Some(Toolchain::Complete);
        }
        let sources = sysroot(OsStr::new(DEBIAN_RUSTC))?.join("lib/rustlib/src/rust/library");
        let has_linker = run(Command::new("wasm-ld").arg("--version")).is_ok();
        (sources.is_dir() && has_linker).then_some(Toolchain::FromSource)
    }
}

fn sysroot(rustc: &OsStr) -> Option<PathBuf> {
    let path = run(Command::new(rustc).args(["--print", "sysroot"])).ok()?;
    Some(PathBuf::from(path.trim()))
}

/// npm itself waits for a registry that does not answer, whatever its options say.
const NPM_PATIENCE: Duration = Duration::from_secs(120);

const NO_LIBRARIES: &str =
    "npm does not provide the libraries of the playground's page, which its registry has:";

/// Runs a program that is ended if it takes longer. It prints a little: its output is read when it
/// has ended.
fn run_within(command: &mut Command, patience: Duration) -> Result<(), String> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let failed = |err: io::Error| err.to_string();
    let mut process = command.spawn().map_err(failed)?;
    let start = Instant::now();
    while process.try_wait().map_err(failed)?.is_none() {
        if start.elapsed() > patience {
            process.kill().and_then(|()| process.wait()).map_err(failed)?;
            return Err(format!("no answer after {} seconds", patience.as_secs()));
        }
        thread::sleep(Duration::from_millis(50));
    }
    let output = process.wait_with_output().map_err(failed)?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    if output.status.success() { Ok(()) } else { Err(text) }
}

/// Bundles the scripts of the page with their libraries, which npm provides.
fn bundle(root: &Path, output: &Path) -> Result<(), String> {
    let sources = root.join("crates/playground/page");
    let work = root.join("target/playground/page");
    let copy = |name: &OsStr, folder: &Path| {
        let (from, to) = (sources.join(name), folder.join(name));
        fs::copy(&from, to).map(|_| ()).map_err(|err| format!("{}: {err}", from.display()))
    };
    fs::create_dir_all(&work).map_err(|err| format!("{}: {err}", work.display()))?;
    let manifest = |folder: &Path| fs::read(folder.join("package.json")).ok();
    let is_installed = work.join("node_modules/.bin/esbuild").exists();
    if !is_installed || manifest(&work) != manifest(&sources) {
        copy(OsStr::new("package.json"), &work)?;
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"]);
        run_within(npm.current_dir(&work), NPM_PATIENCE)
            .map_err(|err| format!("{NO_LIBRARIES}\n{err}"))?;
    }
    for file in tree::list(&sources) {
        let name = file.file_name().unwrap_or_default();
        match file.extension().and_then(OsStr::to_str) {
            Some("js") => copy(name, &work)?,
            Some("html" | "css") => copy(name, output)?,
            _ => {}
        }
    }
    for (entry, script) in [("main.js", "playground.js"), ("worker.js", "worker.js")] {
        let mut esbuild = Command::new(work.join("node_modules/.bin/esbuild"));
        esbuild.args([entry, "--bundle", "--minify", "--format=iife", "--log-level=error"]);
        esbuild.arg(format!("--outfile={}", output.join(script).display()));
        run(esbuild.current_dir(&work))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_program_that_takes_too_long_is_ended() {
        let shell = |script: &str, patience| {
            run_within(Command::new("sh").args(["-c", script]), Duration::from_millis(patience))
        };
        assert_eq!(shell("exit 0", 60_000), Ok(()));
        assert_eq!(shell("echo bad >&2; exit 1", 60_000), Err("bad\n".to_string()));
        assert_eq!(shell("exec sleep 60", 100), Err("no answer after 0 seconds".to_string()));
    }
}
