//! Proofs that need many rooms: rules, selection, registers and bytes together. Tests only.
mod dags;
mod fuzz;
mod random;
#[cfg(feature = "ch04")]
mod refused;
mod rows;
