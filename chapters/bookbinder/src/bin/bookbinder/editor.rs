//! `cargo chapter N --editor`: settings with which an editor shows the code of one chapter.
use std::io::ErrorKind;
use std::path::Path;
use std::{fs, io};

const FILE: &str = ".vscode/settings.json";

/// Writes the settings of rust-analyzer for a chapter. A file with other settings is kept.
pub fn write_settings(root: &Path, chapter: u32) -> Result<(), String> {
    let path = root.join(FILE);
    let text = settings(chapter);
    match fs::read_to_string(&path) {
        Ok(old) if !(1..100).any(|chapter| old == settings(chapter)) => {
            return Err(format!("`{FILE}` has other settings; these are to be added:\n{text}"));
        }
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(failure(error)),
        _ => {}
    }
    let folder = path.parent().unwrap_or(root);
    fs::create_dir_all(folder).and_then(|()| fs::write(&path, text)).map_err(failure)
}

fn failure(error: io::Error) -> String {
    format!("{FILE}: {error}")
}

fn settings(chapter: u32) -> String {
    let features = format!("\"rust-analyzer.cargo.features\": [\"ch{chapter:02}\"]");
    format!("{{\n  \"rust-analyzer.cargo.noDefaultFeatures\": true,\n  {features}\n}}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_replaced_unless_there_are_others() {
        let name = format!("bookbinder-editor-{}", std::process::id());
        let root = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&root);
        let read = || fs::read_to_string(root.join(FILE)).expect("it is there");
        for chapter in [5, 12] {
            assert_eq!(write_settings(&root, chapter), Ok(()));
            assert_eq!(read(), settings(chapter));
        }
        let expected = "{\n  \"rust-analyzer.cargo.noDefaultFeatures\": true,\n  \
                        \"rust-analyzer.cargo.features\": [\"ch12\"]\n}\n";
        assert_eq!(read(), expected);
        fs::write(root.join(FILE), "{}").expect("other settings");
        let refused = write_settings(&root, 5).expect_err("it is kept");
        assert!(refused.contains("other settings") && refused.contains("\"ch05\""), "{refused}");
        assert_eq!(read(), "{}");
        fs::remove_dir_all(root).expect("it can be removed");
    }
}
