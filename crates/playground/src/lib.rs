#![doc = include_str!("../README.md")]
mod behaviour;
mod catalogue;
#[cfg(feature = "ch09")]
#[path = "../../../src/main/explore.rs"]
mod explore;
#[cfg(not(feature = "ch09"))]
mod explore;
#[cfg(target_family = "wasm")]
mod exports;
mod places;
mod request;

#[cfg(feature = "ch09")]
#[path = "../../../src/main/instructions.rs"]
mod instructions;

#[cfg(feature = "ch09")]
#[path = "../../../src/main/results.rs"]
mod results;
mod session;

pub use session::Session;
