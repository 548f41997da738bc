//! A small workspace with libraries: used by path, copied, quoted, and checked for tags.
use bookbinder::export_crate::{Print, export};
use bookbinder::tree::libraries;
use bookbinder::view::View;
use bookbinder::weave::excerpt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const FILES: &[(&str, &str)] = &[
    (
        "Cargo.toml",
        "[package]\nname = \"sonc\"\nversion = \"0.1.0\"\nedition.workspace = true\n\n\
         [workspace]\nmembers = [\"crates/*\"]\n\n[workspace.package]\nedition = \"2024\"\n\n\
         [features]\ndefault = [\"ch01\"]\nch01 = []\nch02 = [\"ch01\", \"dep:later\"]\n\n\
         [dependencies]\npicture = { path = \"crates/picture\" }\n\
         later = { path = \"crates/later\", optional = true }\n",
    ),
    (
        "src/lib.rs",
        "//! L.\npub use picture::dot;\n#[cfg(feature = \"ch02\")]\npub use later::l;\n",
    ),
    ("src/main.rs", "//! M.\nfn main() {\n    println!(\"{}\", sonc::dot());\n}\n"),
    (
        "crates/picture/Cargo.toml",
        "[package]\nname = \"picture\"\nversion = \"0.1.0\"\nedition.workspace = true\n\n\
         [dependencies]\narena = { path = \"../arena\" }\n",
    ),
    (
        "crates/picture/src/lib.rs",
        "//! P.\n\n/// Dot.\npub fn dot() -> u8 {\n    arena::id() + 1\n}\n",
    ),
    (
        "crates/arena/Cargo.toml",
        "[package]\nname = \"arena\"\nversion = \"0.1.0\"\nedition.workspace = true\n",
    ),
    ("crates/arena/src/lib.rs", "//! A.\npub fn id() -> u8 {\n    41\n}\n"),
    (
        "crates/later/Cargo.toml",
        "[package]\nname = \"later\"\nversion = \"0.1.0\"\nedition.workspace = true\n",
    ),
    ("crates/later/src/lib.rs", "//! L.\npub fn l() {}\n"),
    ("chapters/01-a/cases/a.smp", "return 1;\n"),
];

fn repository(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&root);
    for (path, text) in FILES {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a new folder");
        fs::write(path, text).expect("a new file");
    }
    root
}

/// The output of the compiler in a crate.
fn run(folder: &Path) -> String {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--quiet", "--offline"]).current_dir(folder);
    cargo.env("CARGO_TARGET_DIR", folder.join("target")).env_remove("RUSTFLAGS");
    let output = cargo.output().expect("cargo runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_view_links_its_libraries_where_they_are() {
    let root = repository("linked");
    for print in [Print::new(1), Print::checked(1)] {
        let folder = export(&root, print).expect("chapter 1").folder;
        assert!(!folder.join("crates").exists());
        assert_eq!(run(&folder), "42\n");
    }
}

#[test]
fn a_whole_view_is_independent() {
    let root = repository("whole");
    let print = Print { whole: true, ..Print::new(1) };
    let folder = export(&root, print).expect("chapter 1").folder;
    let elsewhere = Path::new(env!("CARGO_TARGET_TMPDIR")).join("elsewhere");
    let _ = fs::remove_dir_all(&elsewhere);
    fs::rename(&folder, &elsewhere).expect("the folder moves");
    fs::remove_dir_all(&root).expect("the repository can be removed");
    assert!(elsewhere.join("crates/arena/src/lib.rs").is_file());
    assert!(!elsewhere.join("crates/later").exists());
    assert_eq!(run(&elsewhere), "42\n");
}

#[test]
fn a_view_that_was_whole_loses_its_copies() {
    let root = repository("no-longer-whole");
    let print = Print { whole: true, ..Print::new(1) };
    let folder = export(&root, print).expect("chapter 1").folder;
    assert!(folder.join("crates/picture").exists());
    export(&root, Print::new(1)).expect("chapter 1 again");
    assert!(!folder.join("crates").exists());
}

#[test]
fn a_fence_may_quote_a_library() {
    let root = repository("quoted");
    let files = libraries(&root, View::tested(1)).expect("libraries");
    let filling = excerpt(&files, "rust crates/picture/src/lib.rs dot").expect("a filling");
    assert_eq!(filling.as_deref(), Ok("/// Dot.\npub fn dot() -> u8 {\n    arena::id() + 1\n}\n"));
    let later = excerpt(&files, "rust crates/later/src/lib.rs l").expect("a filling");
    assert_eq!(later, Err("this chapter has no file crates/later/src/lib.rs".to_string()));
}

#[test]
fn a_library_has_no_tags() {
    let root = repository("tagged");
    let text = "//! A.\n#[cfg(feature = \"ch02\")]\npub fn id() {}\n";
    fs::write(root.join("crates/arena/src/lib.rs"), text).expect("a change");
    let error = libraries(&root, View::tested(1)).expect_err("a tag");
    assert_eq!(error.to_string(), "crates/arena/src/lib.rs:2: a library has no tags");
}
