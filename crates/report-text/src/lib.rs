#![doc = include_str!("../README.md")]
#![warn(missing_docs)]
mod closest;
mod mistake;
mod report;

pub use closest::closest;
pub use mistake::{Mistake, escaped, explain};
pub use report::{Line, Report, is_invisible};
