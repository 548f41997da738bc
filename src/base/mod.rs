//! The cellar: dense ids, places in a source text, pictures. Nothing here knows of compilers.
#[cfg(feature = "ch05")]
pub mod dominators;
pub mod hash;
pub mod ids;
#[cfg(feature = "ch02")]
pub mod lists;
pub mod picture;
#[cfg(test)]
pub mod random;
pub mod span;
#[cfg(feature = "ch25")]
pub mod threads;
