//! The rule language: patterns over Firm, and the instructions they become.
pub mod target;
