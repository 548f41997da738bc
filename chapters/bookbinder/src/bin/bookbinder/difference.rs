//! `cargo chapter 3..4`: what one chapter adds to another, in reading order.
use bookbinder::export_crate::{Print, export};
use bookbinder::tree;
use similar::{ChangeTag, TextDiff};
use std::fs;
use std::path::{Path, PathBuf};

/// Prints the changes between the compilers of two chapters: a table of the changed files, then a
/// unified diff. `only` are beginnings of paths; if there are none, all files are shown.
pub fn difference(root: &Path, from: u32, to: u32, only: &[&str]) -> Result<(), String> {
    let [old, new] = [export(root, Print::new(from))?.folder, export(root, Print::new(to))?.folder];
    let mut paths = reading_order(&new);
    paths.extend(reading_order(&old).into_iter().filter(|it| !new.join(it).exists()));
    // The version contains the chapter; this difference is left out.
    let versions = [format!("+ch{from:02}"), format!("+ch{to:02}")];
    let [old, new] = [(old, &versions[0]), (new, &versions[1])];
    let read = |(folder, version): &(PathBuf, &String), path: &Path| {
        Some(fs::read_to_string(folder.join(path)).ok()?.replace(*version, ""))
    };
    let is_shown = |path: &&PathBuf| only.is_empty() || only.iter().any(|it| path.starts_with(it));
    let changes = paths.iter().filter(is_shown);
    let changes = changes.map(|it| Change::new(it, &read(&old, it), &read(&new, it)));
    let changes: Vec<Change> = changes.filter(|it| !it.diff.is_empty()).collect();
    if changes.is_empty() && !only.is_empty() {
        return Err(format!("no changed file is in {}", only.join(", ")));
    }
    let diffs = changes.iter().map(|it| it.diff.as_str()).collect::<String>();
    super::say(&format!("{}\n{diffs}", table(&changes)))
}

/// The files of a crate: the manifest, the modules in the order of the `mod` lines of `lib.rs`,
/// each followed by its own modules, and those of `main.rs`. After a folder's modules come its
/// other files.
fn reading_order(folder: &Path) -> Vec<PathBuf> {
    let mut order = vec![PathBuf::from("Cargo.toml")];
    for root in ["src/lib.rs", "src/main.rs"] {
        let mut pending = vec![PathBuf::from(root)];
        while let Some(path) = pending.pop() {
            let text = fs::read_to_string(folder.join(&path)).unwrap_or_default();
            pending.extend(modules(folder, &path, &text).into_iter().rev());
            order.push(path);
        }
    }
    let others = tree::walk(&folder.join("src")).into_iter().map(|it| tree::below(folder, &it));
    for other in others.collect::<Vec<_>>() {
        if !order.contains(&other) {
            let beside = order.iter().rposition(|it| it.starts_with(other.parent().unwrap_or(it)));
            order.insert(beside.map_or(order.len(), |it| it + 1), other);
        }
    }
    order
}

/// The files of the modules that a file declares.
fn modules(folder: &Path, path: &Path, text: &str) -> Vec<PathBuf> {
    let beside = path.parent().unwrap_or(Path::new(""));
    let is_root = ["lib.rs", "main.rs", "mod.rs"].iter().any(|it| path.ends_with(it));
    let below = if is_root { beside.to_path_buf() } else { path.with_extension("") };
    let (mut found, mut named) = (Vec::new(), None);
    for line in text.lines().map(str::trim) {
        let module = line.rsplit_once("mod ").and_then(|(before, rest)| {
            let is_module = before.is_empty() || before.starts_with("pub") && before.ends_with(' ');
            rest.strip_suffix(';').filter(|_| is_module)
        });
        if let Some(module) = module {
            let file = named.map_or(below.join(format!("{module}.rs")), |it| beside.join(it));
            let is_file = folder.join(&file).is_file();
            found.push(if is_file { file } else { below.join(module).join("mod.rs") });
        }
        named = line.strip_prefix("#[path = \"").and_then(|it| it.strip_suffix("\"]"));
    }
    found
}

/// The difference of a file.
struct Change {
    path: PathBuf,
    added: usize,
    removed: usize,
    /// Empty if there is none.
    diff: String,
}

impl Change {
    fn new(path: &Path, old: &Option<String>, new: &Option<String>) -> Change {
        let name = |side: &str, text: &Option<String>| match text {
            Some(_) => format!("{side}/{}", path.display()),
            None => "/dev/null".to_string(),
        };
        let (from, to) = (name("a", old), name("b", new));
        let (old, new) = (old.as_deref().unwrap_or(""), new.as_deref().unwrap_or(""));
        let compared = TextDiff::from_lines(old, new);
        let count = |tag| compared.iter_all_changes().filter(|it| it.tag() == tag).count();
        Change {
            path: path.to_path_buf(),
            added: count(ChangeTag::Insert),
            removed: count(ChangeTag::Delete),
            diff: compared.unified_diff().header(&from, &to).to_string(),
        }
    }
}

/// The lines that each file gains and loses, and their sums.
fn table(changes: &[Change]) -> String {
    let row = |added, removed, name: String| format!("{added:>6} {removed:>6}  {name}\n");
    let sum = |of: fn(&Change) -> usize| changes.iter().map(of).sum::<usize>();
    let total = row(
        format!("+{}", sum(|it| it.added)),
        format!("-{}", sum(|it| it.removed)),
        format!("{} files", changes.len()),
    );
    let rows = changes.iter().map(|it| {
        row(format!("+{}", it.added), format!("-{}", it.removed), it.path.display().to_string())
    });
    rows.chain([total]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_is_all_additions() {
        let change = |old, new| Change::new(Path::new("a.rs"), &old, &new);
        let new = change(None, Some("x\n".to_string()));
        assert_eq!(new.diff, "--- /dev/null\n+++ b/a.rs\n@@ -0,0 +1 @@\n+x\n");
        let other = change(Some("x\ny\n".to_string()), Some("z\ny\n".to_string()));
        assert_eq!((other.added, other.removed), (1, 1));
        let expected = "    +1     -0  a.rs\n    +1     -1  a.rs\n    +2     -1  2 files\n";
        assert_eq!(table(&[new, other]), expected);
        let same = Some("x\n".to_string());
        assert_eq!(change(same.clone(), same).diff, "");
    }

    #[test]
    fn files_are_in_reading_order() {
        let name = format!("bookbinder-order-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&folder);
        for (path, text) in [
            ("Cargo.toml", ""),
            ("src/lib.rs", "//! L.\nmod words;\nmod parse;\npub mod allocate;\n"),
            ("src/words.rs", "mod inner;\n"),
            ("src/words/inner.rs", ""),
            ("src/parse/mod.rs", "mod token;\npub(crate) mod expr;\n"),
            ("src/parse/token.rs", "// a mod b;\n"),
            ("src/parse/expr.rs", ""),
            ("src/parse/a.rules", ""),
            ("src/allocate/mod.rs", ""),
            ("src/main.rs", "#[path = \"main/a.rs\"]\nmod a;\n"),
            ("src/main/a.rs", ""),
        ] {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a new folder");
            fs::write(path, text).expect("a new file");
        }
        let order = reading_order(&folder).into_iter();
        let names: Vec<_> = order.map(|it| it.display().to_string()).collect();
        fs::remove_dir_all(&folder).expect("it can be removed");
        assert_eq!(
            names,
            [
                "Cargo.toml",
                "src/lib.rs",
                "src/words.rs",
                "src/words/inner.rs",
                "src/parse/mod.rs",
                "src/parse/token.rs",
                "src/parse/expr.rs",
                "src/parse/a.rules",
                "src/allocate/mod.rs",
                "src/main.rs",
                "src/main/a.rs",
            ]
        );
    }
}
