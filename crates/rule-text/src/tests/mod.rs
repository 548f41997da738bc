//! Tests of reading and printing.
mod expand;
mod print;
mod read;
