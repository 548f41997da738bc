//! `cargo chapter 3..4`: what one chapter adds to another.
use bookbinder::export_crate::{Print, export};
use bookbinder::tree;
use similar::TextDiff;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Prints a unified diff of the compilers of two chapters.
pub fn difference(root: &Path, from: u32, to: u32) -> Result<(), String> {
    let [old, new] = [export(root, Print::new(from))?.folder, export(root, Print::new(to))?.folder];
    let paths: BTreeSet<PathBuf> = files(&old).chain(files(&new)).collect();
    // The version contains the chapter; this difference is left out.
    let versions = [format!("+ch{from:02}"), format!("+ch{to:02}")];
    let [old, new] = [(old, &versions[0]), (new, &versions[1])];
    let read = |(folder, version): &(PathBuf, &String), path: &Path| {
        Some(fs::read_to_string(folder.join(path)).ok()?.replace(*version, ""))
    };
    let diffs = paths.iter().map(|it| diff(it, &read(&old, it), &read(&new, it)));
    super::say(&diffs.collect::<String>())
}

/// The compiler's own files and the manifest, by their paths below `folder`.
fn files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let src = tree::walk(&folder.join("src"));
    src.into_iter().map(|it| tree::below(folder, &it)).chain(["Cargo.toml".into()])
}

fn diff(path: &Path, old: &Option<String>, new: &Option<String>) -> String {
    let name = |side: &str, text: &Option<String>| match text {
        Some(_) => format!("{side}/{}", path.display()),
        None => "/dev/null".to_string(),
    };
    let (from, to) = (name("a", old), name("b", new));
    let (old, new) = (old.as_deref().unwrap_or(""), new.as_deref().unwrap_or(""));
    TextDiff::from_lines(old, new).unified_diff().header(&from, &to).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_is_all_additions() {
        let text = diff(Path::new("a.rs"), &None, &Some("x\n".to_string()));
        assert_eq!(text, "--- /dev/null\n+++ b/a.rs\n@@ -0,0 +1 @@\n+x\n");
        let same = Some("x\n".to_string());
        assert_eq!(diff(Path::new("a.rs"), &same, &same), "");
    }
}
