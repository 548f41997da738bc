#![doc = include_str!("../README.md")]
#![warn(missing_docs)]
mod arithmetic;
mod decode;
mod execute;
mod fault;
mod flags;
mod float;
mod load;
pub mod native;
mod process;
mod run;
mod width;

#[cfg(test)]
mod native_tests;
#[cfg(test)]
mod random_functions;
#[cfg(test)]
mod test_program;

pub use elf::{Function, Image};
pub use fault::Fault;
pub use process::Process;
pub use run::{Run, Termination, call, call_image, call_with_data, run};
