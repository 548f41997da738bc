//! The examples of a text: the programs that it quotes.
use crate::weave::{Filling, weave};
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// A program, and an argument with which the text runs it.
#[derive(PartialEq, Eq, Debug)]
pub struct Example {
    /// Below the folder of the text.
    pub path: PathBuf,
    pub argument: i32,
}

/// The programs in the fences `simple PATH` of a text. Programs with errors have no stages, and
/// those whose meaning a later chapter changes are not for the last compiler.
pub fn examples(text: &str) -> Vec<Example> {
    let found = RefCell::new(Vec::new());
    let note = |fence: &crate::weave::Fence| -> Filling {
        let path = fence.info.strip_prefix("simple ")?.split(' ').next()?;
        let path = Some(path).filter(|it| it.ends_with(".smp"))?;
        let is_skipped = |it: &&str| it.starts_with("// error") || it.starts_with("// until");
        let arguments = fence.body.iter().filter_map(|it| argument(it)).next();
        let example = Example { path: path.into(), argument: arguments.unwrap_or(0) };
        if !fence.body.iter().any(is_skipped) && !found.borrow().contains(&example) {
            found.borrow_mut().push(example);
        }
        None
    };
    // Errors in fences are found by the test of the text.
    let _ = weave(text, note);
    found.into_inner()
}

/// The argument in `// 7 -> 49`.
fn argument(line: &str) -> Option<i32> {
    line.strip_prefix("// ")?.split_once(" -> ")?.0.trim().parse().ok()
}

/// The folder of the site of the book, below the root.
pub const SITE: &str = "target/book";

/// The text of the list of a chapter's examples, beside its README; links lead to their pages.
pub fn list(folder: &Path, examples: &[Example]) -> (PathBuf, String) {
    let mut text = String::from("# Examples\n\nEach page shows all stages of a program.\n\n");
    for Example { path, argument } in examples {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let page = page(path);
        text += &format!("- [{name}]({}), with the argument {argument}\n", page.display());
    }
    text += "\n[The chapter](README.md)\n";
    (folder.join("examples.md"), text)
}

/// The page of a program in the site of the book.
pub fn page(program: &Path) -> PathBuf {
    program.with_extension("html")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_leads_to_pages() {
        let example = Example { path: "cases/a.smp".into(), argument: 7 };
        let (path, text) = list(Path::new("chapters/01-a"), &[example]);
        assert_eq!(path, Path::new("chapters/01-a/examples.md"));
        assert!(text.contains("- [a](cases/a.html), with the argument 7\n"), "{text}");
    }

    #[test]
    fn programs_have_their_first_argument() {
        let text = "```simple cases/a.smp\n// -3 -> 9\n// 4 -> 16\nreturn arg*arg;\n```\n\
                    ```simple cases/b.smp\n// error: syntax\nreturn\n```\n\
                    ```simple\nreturn 1;\n```\n\
                    ```simple cases/c.smp\nreturn 2;\n```\n";
        let example = |path: &str, argument| Example { path: path.into(), argument };
        assert_eq!(examples(text), [example("cases/a.smp", -3), example("cases/c.smp", 0)]);
    }
}
