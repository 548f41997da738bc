//! Generated files that stay current: they are compared, or rewritten on demand.
use crate::tree::below;
use std::path::Path;
use std::{env, fs, io};

/// Compares a file with its new text; with `UPDATE_EXPECT` in the environment it writes the text.
///
/// # Errors
/// The first line that differs, or the reason why the file cannot be read or written.
pub fn check(root: &Path, path: &Path, new: &str) -> Result<(), String> {
    let named = |reason: String| format!("{}: {reason}", below(root, path).display());
    let old = match fs::read_to_string(path) {
        Err(err) if err.kind() == io::ErrorKind::NotFound => String::new(),
        read => read.map_err(|err| named(err.to_string()))?,
    };
    match old == new {
        true => Ok(()),
        false if env::var_os("UPDATE_EXPECT").is_some() => {
            let folder = path.parent().unwrap_or(root);
            let written = fs::create_dir_all(folder).and_then(|()| fs::write(path, new));
            written.map_err(|err| named(err.to_string()))
        }
        false => Err(named(first_difference(&old, new))),
    }
}

/// The first line in which two texts differ.
fn first_difference(expected: &str, found: &str) -> String {
    let at = expected.lines().zip(found.lines()).take_while(|(one, other)| one == other).count();
    let [expected, found] = [expected, found].map(|text| text.lines().nth(at).unwrap_or("(end)"));
    format!("line {}: expected `{expected}`, found `{found}`", at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_names_its_line() {
        let root = env::temp_dir().join(format!("bookbinder-current-{}", std::process::id()));
        fs::create_dir_all(&root).expect("a new folder");
        let path = root.join("a.md");
        fs::write(&path, "a\nb\n").expect("a new file");
        assert_eq!(check(&root, &path, "a\nb\n"), Ok(()));
        let found = check(&root, &path, "a\nc\n");
        assert_eq!(found, Err("a.md: line 2: expected `b`, found `c`".to_string()));
        let found = check(&root, &path, "a\n");
        assert_eq!(found, Err("a.md: line 2: expected `b`, found `(end)`".to_string()));
        let missing = check(&root, &root.join("b.md"), "a\n");
        assert_eq!(missing, Err("b.md: line 1: expected `(end)`, found `a`".to_string()));
        fs::remove_dir_all(root).expect("it can be removed");
    }
}
