//! Runs an executable on this machine, from a file in memory, so that nothing stays behind.
use crate::arguments::Become;
use crate::files::{Failure, Outcome};
use crate::system;
use std::io::{Error, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus};

/// Runs an executable; nothing if this machine cannot, for whatever reason.
pub fn run(executable: &[u8], argument: i32) -> Option<Outcome> {
    let able = std::env::consts::OS == "linux" && std::env::consts::ARCH.starts_with("x86");
    let (mut file, path) = able.then(system::file_in_memory)?.ok()?;
    file.write_all(executable).ok()?;
    let status = start(&path, argument).ok()?.wait();
    let was_executed = file.metadata().is_ok_and(|it| it.len() > 0);
    was_executed.then(|| status.map_err(|error| lost(&error)).and_then(judge))
}

/// Starts this very command again, to become the program: only a process itself can ask the kernel
/// that it ends with us, and it asks before it is the program.
fn start(path: &Path, argument: i32) -> Result<Child, Error> {
    let mut command = Command::new("/proc/self/exe");
    command.arg("become").arg(path).arg(argument.to_string()).spawn()
}

impl Become {
    pub fn execute(self) -> Outcome {
        let ended = system::become_program(&self.program, &self.argument.to_string());
        ended.map_err(|error| {
            let program = self.program.display();
            Failure::Message(format!("cannot execute `{program}`: {error}"))
        })
    }
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
