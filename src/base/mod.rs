//! The cellar: dense ids, places in a source text, pictures. Nothing here knows of compilers.
pub mod ids;
pub mod picture;
pub mod span;
