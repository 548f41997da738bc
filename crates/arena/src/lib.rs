#![doc = include_str!("../README.md")]
#![warn(missing_docs)]
mod def_use;
mod ids;
mod list_table;
mod parallel;
mod tables;

pub use def_use::DefUse;
pub use ids::{Arena, Id, SideTable, SparseTable};
pub use list_table::ListTable;
pub use parallel::map_ranges;
pub use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
pub use tables::{concatenated, total};
