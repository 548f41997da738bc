#![doc = include_str!("../README.md")]
#![warn(missing_docs)]
mod closest;
mod report;

pub use closest::closest;
pub use report::{Line, Report};
