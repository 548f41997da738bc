//! Tests of TR.
mod dot;
mod eval;
mod instruction_table;
mod verify;
