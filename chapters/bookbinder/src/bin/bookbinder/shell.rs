//! Replays the commands of a `console shell` fence in a shell, as a reader types them.
//!
//! They run in the folder of the solutions. There, `sonc` is the chapter's compiler, and `made` is
//! the folder for their files: empty before the first command, removed after the last one.
use crate::build::Build;
use bookbinder::console;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs every `$ …` line of `body`. Returns the commands, each followed by its output.
pub fn replay(
    tags: &Build,
    compiler: &Path,
    folder: &Path,
    body: &[&str],
) -> Result<String, String> {
    let made = folder.join("made");
    let named = |err: std::io::Error| format!("{}: {err}", made.display());
    if made.exists() {
        fs::remove_dir_all(&made).map_err(named)?;
    }
    fs::create_dir(&made).map_err(named)?;
    let commands = body.iter().filter_map(|it| it.strip_prefix("$ "));
    let shown: Result<String, String> =
        commands.map(|it| replay_one(tags, compiler, folder, it)).collect();
    fs::remove_dir_all(&made).map_err(named)?;
    shown
}

fn replay_one(
    tags: &Build,
    compiler: &Path,
    folder: &Path,
    command: &str,
) -> Result<String, String> {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("sonc() {{ \"$SONC\" \"$@\"; }}\n{command}"));
    shell.current_dir(folder).env("SONC", compiler).env_remove("UPDATE_EXPECT");
    // Progress of builds is no output of a command.
    shell.env("CARGO_TERM_QUIET", "true");
    tags.share(&mut shell);
    let ran = console::run(&mut shell);
    let (output, status) = ran.map_err(|err| format!("`{command}`: {err}"))?;
    console::shown(command, folder, &output, &console::ending(status))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::env;

    #[test]
    fn commands_share_the_files_they_make() {
        let folder = env::temp_dir().join(format!("bookbinder-shell-{}", std::process::id()));
        fs::create_dir_all(folder.join("made/old")).expect("a new folder");
        let body = ["$ sonc made", "$ echo 1 > made/a", "old", "$ sonc made", "$ sonc b | wc -l"];
        let shown = replay(&Build::tags(&folder, 1), Path::new("ls"), &folder, &body);
        let shown = shown.expect("a shell");
        let start = "$ sonc made\n$ echo 1 > made/a\n$ sonc made\na\n$ sonc b | wc -l\n";
        assert!(shown.starts_with(start), "{shown}");
        assert!(!folder.join("made").exists());
        let failed = replay(&Build::tags(&folder, 1), Path::new("ls"), &folder, &["$ exit 3"]);
        assert_eq!(failed.as_deref(), Ok("$ exit 3\n[exit 3]\n"));
        fs::remove_dir_all(folder).expect("it can be removed");
    }
}
