//! Proofs that need many rooms: rules, selection, registers and bytes together. Tests only.
mod random;
mod rows;
