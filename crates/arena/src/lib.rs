#![doc = include_str!("../README.md")]
#![warn(missing_docs)]
mod ids;
mod list_table;
mod parallel;

pub use ids::{Arena, Id, SideTable};
pub use list_table::ListTable;
pub use parallel::map_ranges;
pub use rustc_hash::{FxHashMap, FxHasher};
