//! The rule language: how instructions are chosen for Firm graphs, as text.
pub mod target;
