//! The command line: valid and invalid commands, inputs and environments.
#[cfg(feature = "ch05")]
#[path = "../support/large.rs"]
mod large;
#[cfg(feature = "ch07")]
#[path = "../support/random.rs"]
mod random;
#[path = "../support/configuration.rs"]
mod configuration;
#[path = "../support/run.rs"]
mod run;
mod commands;
#[cfg(feature = "ch28")]
mod compare;
#[cfg(feature = "ch07")]
#[cfg(unix)]
mod ends;
#[cfg(feature = "ch28")]
mod counts;
#[cfg(feature = "ch25")]
mod firm;
#[cfg(feature = "ch18")]
mod functions;
#[cfg(feature = "ch28")]
mod generate;
mod inputs;
#[cfg(feature = "ch28")]
mod json;
#[cfg(feature = "ch28")]
mod language_server;
#[cfg(unix)]
mod limits;
mod outputs;
mod refusals;
#[cfg(feature = "ch19")]
mod rules;
#[cfg(feature = "ch07")]
mod running;
mod sandbox;
mod sizes;
mod streams;
#[cfg(feature = "ch19")]
mod targets;
#[cfg(feature = "ch10")]
mod watch;
