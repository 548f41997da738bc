//! Proofs that need many rooms: rules, selection, registers and bytes together. Tests only.
mod dags;
mod fuzz;
mod random;
mod rows;
