//! Tests of reading and printing.
mod print;
mod read;
