#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod draft;
mod input;
mod output;
mod program;
mod terminal;
mod timer;
#[cfg_attr(not(target_os = "linux"), path = "elsewhere.rs")]
#[cfg_attr(target_os = "linux", path = "linux.rs")]
mod system;

pub use input::{MAX_TEXT, is_stream, open, read_text};
pub use output::{Content, Output, print, write_all};
pub use program::{End, run};
use std::fmt;
use std::path::PathBuf;
pub use system::thread_time;
pub use terminal::{print_text, say, shown, uses_color};
pub use timer::Timer;

/// The reason why a file was not read or written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The output is one of the inputs, perhaps under another name.
    IsInput(PathBuf),
    /// The message names the file and the reason.
    Failed(String),
    /// Standard output is a pipe that is closed.
    Closed,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Error::IsInput(path) => {
                write!(f, "`{}` is the input itself; name another file with -o", shown(path))
            }
            Error::Failed(message) => f.write_str(message),
            Error::Closed => f.write_str("standard output is closed"),
        }
    }
}

impl std::error::Error for Error {}

/// Prepares the process. A tool calls it first.
///
/// A write beyond the limit of a file's size fails from now on, instead of ending the process. In a
/// process that `run` has started, this function executes the program and does not return.
pub fn start() {
    system::outlive_limits();
    program::execute_if_requested();
}
