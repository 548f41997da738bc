//! Runs an executable on this machine, from a file that is gone before the program has ended.
use crate::files::{Failure, Outcome, create_new};
use std::io::{Error, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus};

/// Runs an executable; nothing if this machine cannot, for whatever reason.
pub fn run(executable: &[u8], argument: i32) -> Option<Outcome> {
    let able = std::env::consts::OS == "linux" && std::env::consts::ARCH.starts_with("x86");
    let child = able.then(|| start(executable, argument).ok()).flatten();
    let status = child?.wait();
    Some(status.map_err(|error| lost(&error)).and_then(judge))
}

/// Once the program runs nobody needs its file any more. So it is removed right away: then it
/// does not stay behind if somebody ends us while we wait.
fn start(executable: &[u8], argument: i32) -> Result<Child, Error> {
    let (path, mut file) = create_new(&std::env::temp_dir().join("sonc-run"))?;
    let own = std::env::current_exe().and_then(std::fs::metadata);
    let written = own
        .and_then(|own| file.set_permissions(own.permissions()))
        .and_then(|()| file.write_all(executable));
    drop(file);
    let child = written.and_then(|()| spawn(&path, argument));
    let _ = std::fs::remove_file(&path);
    child
}

fn spawn(path: &Path, argument: i32) -> Result<Child, Error> {
    Command::new(path).arg(argument.to_string()).spawn()
}

fn lost(error: &Error) -> Failure {
    Failure::Message(format!("cannot wait for the program: {error}"))
}

fn judge(status: ExitStatus) -> Outcome {
    match status.code() {
        Some(0) => Ok(()),
        Some(_) => Err(Failure::Message(format!("the program ended with {status}"))),
        None if is_closed_pipe(status) => Err(Failure::Closed),
        None => Err(Failure::Message(format!("the program was ended by {status}"))),
    }
}

/// Whether nobody has read what the program prints.
#[cfg(unix)]
fn is_closed_pipe(status: ExitStatus) -> bool {
    const SIGPIPE: i32 = 13;
    std::os::unix::process::ExitStatusExt::signal(&status) == Some(SIGPIPE)
}

#[cfg(not(unix))]
fn is_closed_pipe(_: ExitStatus) -> bool {
    false
}
