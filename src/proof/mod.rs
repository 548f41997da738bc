//! Proofs that need many rooms: rules, selection, registers and bytes together. Tests only.
#[cfg(feature = "ch02")]
mod dags;
#[cfg(feature = "ch02")]
mod fuzz;
mod random;
#[cfg(feature = "ch04")]
mod refused;
mod rows;
#[cfg(feature = "ch02")]
mod selection;
