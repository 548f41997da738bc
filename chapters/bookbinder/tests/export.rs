//! A small repository, printed as crates of two chapters.
use bookbinder::export_crate::{Print, export};
use bookbinder::tree::{below, walk};
use std::fs;
use std::path::{Path, PathBuf};

const FILES: &[(&str, &str)] = &[
    ("Cargo.toml", "[package]\nname = \"sonc\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
    ("rustfmt.toml", "max_width = 100\n"),
    ("src/lib.rs", "//! L.\n#[cfg(feature = \"ch02\")]\nmod later;\nmod module;\n"),
    ("src/main.rs", "//! M.\n#[path = \"main/words.rs\"]\nmod words;\nfn main() {}\n"),
    ("src/main/words.rs", "//! W.\n"),
    ("src/later.rs", "//! Later.\nmod inner;\n"),
    ("src/later/inner.rs", "//! Inner.\n"),
    ("src/module/mod.rs", "//! R.\nconst A: &str = include_str!(\"../a.rules\");\nmod b;\n"),
    (
        "src/module/b.rs",
        "//! B.\nconst C: &[u8] = &[\n    1,\n    #[cfg(feature = \"ch02\")]\n    2,\n];\n",
    ),
    ("src/a.rules", "rule a: A => a\n@ch02 rule b: B => b\n"),
    ("src/unused.rs", "//! No module includes this file.\n"),
    ("tests/cases.rs", "//! C.\n#[path = \"support/mod.rs\"]\nmod support;\n"),
    ("tests/support/mod.rs", "//! S.\n"),
    ("tests/later.rs", "//! T.\n#![cfg(feature = \"ch02\")]\n"),
    ("tests/book/main.rs", "//! The book.\n"),
    ("tests/tidy.rs", "//! Tidy.\n"),
    ("chapters/01-a/cases/a.smp", "return 1;\n"),
    ("chapters/02-b/cases/b.smp", "return 2;\n"),
];

/// Each test has its own repository.
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

fn names(folder: &Path) -> Vec<String> {
    let files = walk(folder).into_iter().map(|it| below(folder, &it));
    files.map(|it| it.to_string_lossy().replace('\\', "/")).collect()
}

#[test]
fn a_chapter_has_the_files_of_its_modules() {
    let root = repository("files");
    let first = export(&root, Print::checked(1)).expect("chapter 1");
    assert_eq!(
        names(&first.folder),
        [
            "Cargo.toml",
            "README.md",
            "chapters/01-a/cases/a.smp",
            "rustfmt.toml",
            "src/a.rules",
            "src/lib.rs",
            "src/main/words.rs",
            "src/main.rs",
            "src/module/b.rs",
            "src/module/mod.rs",
            "tests/cases.rs",
            "tests/support/mod.rs",
        ]
    );
    let second = export(&root, Print::checked(2)).expect("chapter 2");
    let more = names(&second.folder);
    let first = names(&first.folder);
    let added: Vec<_> = more.iter().filter(|it| !first.contains(it)).collect();
    assert_eq!(
        added,
        ["chapters/02-b/cases/b.smp", "src/later/inner.rs", "src/later.rs", "tests/later.rs"]
    );
}

#[test]
fn texts_are_views_and_formatted() {
    let root = repository("texts");
    let exported = export(&root, Print::checked(1)).expect("chapter 1");
    let read = |path: &str| fs::read_to_string(exported.folder.join(path)).expect("a file");
    assert_eq!(read("src/lib.rs"), "//! L.\nmod module;\n");
    assert_eq!(read("src/a.rules"), "rule a: A => a\n");
    if exported.warning.is_none() {
        assert_eq!(read("src/module/b.rs"), "//! B.\nconst C: &[u8] = &[1];\n");
    }
    assert_eq!((exported.lines, exported.code), (13, 8));
}

#[test]
fn only_changed_files_are_written_and_old_ones_are_removed() {
    let root = repository("again");
    let folder = export(&root, Print::checked(1)).expect("chapter 1").folder;
    let written = |path: &str| folder.join(path).metadata().and_then(|it| it.modified()).ok();
    let (kept, changed) = (written("src/main.rs"), "//! R.\n");
    fs::write(root.join("src/module/mod.rs"), changed).expect("a change");
    export(&root, Print::checked(1)).expect("chapter 1 again");
    assert_eq!(written("src/main.rs"), kept);
    assert_eq!(fs::read_to_string(folder.join("src/module/mod.rs")).ok().as_deref(), Some(changed));
    assert_eq!(written("src/module/b.rs"), None);
    assert_eq!(written("src/a.rules"), None);
}

#[test]
fn a_misplaced_tag_is_reported_with_its_position() {
    let root = repository("error");
    let text = "//! B.\nconst C: bool = cfg!(feature = \"ch02\");\n";
    fs::write(root.join("src/module/b.rs"), text).expect("a change");
    let reason = export(&root, Print::checked(1)).expect_err("no view of this");
    assert!(reason.starts_with("src/module/b.rs:2: a tag is written"), "{reason}");
}

#[test]
fn a_printed_crate_has_no_tests() {
    let root = repository("reading");
    let text = "//! B.\nmod c;\n#[cfg(test)]\nmod tests;\n";
    fs::write(root.join("src/module/b.rs"), text).expect("a change");
    fs::create_dir_all(root.join("src/module/b")).expect("a folder");
    fs::write(root.join("src/module/b/c.rs"), "//! C.\n").expect("a file");
    fs::write(root.join("src/module/b/tests.rs"), "//! T.\n").expect("a file");
    let tests = |folder: &Path| {
        let named = names(folder).into_iter().filter(|it| it.contains("tests"));
        named.collect::<Vec<_>>()
    };
    let folder = export(&root, Print::new(1)).expect("chapter 1").folder;
    assert_eq!(tests(&folder), Vec::<String>::new());
    assert!(folder.join("src/module/b/c.rs").is_file());
    let print = Print { tests: true, ..Print::new(1) };
    let again = export(&root, print).expect("chapter 1 again").folder;
    assert_eq!(again, folder);
    assert_eq!(tests(&folder), ["src/module/b/tests.rs", "tests/cases.rs", "tests/support/mod.rs"]);
}
