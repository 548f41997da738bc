//! Runs executables from memory, without a file on disk.
use crate::{Error, system};
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};

/// The end of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Its exit status is 0.
    Success,
    /// Another exit status, or a signal.
    Failure(ExitStatus),
    /// It wrote to a closed pipe.
    Closed,
}

/// Runs an executable with arguments. It inherits the standard streams of this process.
///
/// `None` if this machine cannot execute it.
///
/// # Errors
/// Waiting for the program fails.
pub fn run(executable: &[u8], arguments: &[String]) -> Option<Result<End, Error>> {
    let able = std::env::consts::OS == "linux" && std::env::consts::ARCH.starts_with("x86");
    let (mut file, path) = able.then(system::file_in_memory)?.ok()?;
    file.write_all(executable).ok()?;
    let status = spawn(&path, arguments).ok()?.wait();
    let was_executed = file.metadata().is_ok_and(|it| it.len() > 0);
    let lost = |error| Error::Failed(format!("cannot wait for the program: {error}"));
    was_executed.then(|| status.map(end).map_err(lost))
}

/// The first argument of a process that will execute a program from memory.
const BECOME: &str = "--become-program";

/// Starts this tool again, and the new process executes the program. Only the process itself can
/// request that the kernel ends it with its parent, and it does so before it executes the program.
fn spawn(path: &Path, arguments: &[String]) -> std::io::Result<Child> {
    Command::new("/proc/self/exe").arg(BECOME).arg(path).args(arguments).spawn()
}

/// In a process that `run` has started, executes the program.
pub fn execute_if_requested() {
    let words: Vec<_> = std::env::args_os().collect();
    if let [_, first, path, arguments @ ..] = &words[..]
        && first == BECOME
    {
        let ended = system::become_program(path.as_ref(), arguments);
        let message = ended.err().map(|error| format!("cannot execute the program: {error}"));
        message.iter().for_each(|it| eprintln!("error: {it}"));
        std::process::exit(1);
    }
}

fn end(status: ExitStatus) -> End {
    match status.code() {
        Some(0) => End::Success,
        None if is_closed_pipe(status) => End::Closed,
        _ => End::Failure(status),
    }
}

#[cfg(unix)]
fn is_closed_pipe(status: ExitStatus) -> bool {
    const SIGPIPE: i32 = 13;
    std::os::unix::process::ExitStatusExt::signal(&status) == Some(SIGPIPE)
}

#[cfg(not(unix))]
fn is_closed_pipe(_: ExitStatus) -> bool {
    false
}
