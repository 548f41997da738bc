//! The command line, tried as a person would: right and wrong commands, input and machines.
#[path = "../support/chapter.rs"]
mod chapter;
mod commands;
mod outputs;
mod refusals;
mod sandbox;
mod sizes;
mod streams;
