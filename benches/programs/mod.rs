//! Programs to measure, and how they are compiled.
mod compiling;

use crate::large;
pub use compiling::{compile, rules};

/// So many statements of a kind.
pub struct Program {
    pub kind: &'static str,
    pub statements: usize,
    pub text: fn(usize) -> String,
}

/// Sizes of one kind stand behind one another, each ten times as large as the one before.
pub const PROGRAMS: &[Program] = &[
    program("arithmetic, 5 variables", 2_000, |size| large::arithmetic(size, 5)),
    program("arithmetic, 5 variables", 20_000, |size| large::arithmetic(size, 5)),
    program("arithmetic, 5 variables", 200_000, |size| large::arithmetic(size, 5)),
    #[cfg(feature = "ch07")]
    program("mixed, 5 variables", 2_000, |size| large::mixed(size, 5)),
    #[cfg(feature = "ch07")]
    program("mixed, 5 variables", 20_000, |size| large::mixed(size, 5)),
    #[cfg(feature = "ch07")]
    program("mixed, 5 variables", 200_000, |size| large::mixed(size, 5)),
    #[cfg(feature = "ch07")]
    program("mixed, 2,000 variables", 20_000, |size| large::mixed(size, 2_000)),
    #[cfg(feature = "ch07")]
    program("mixed, 2,000 variables", 200_000, |size| large::mixed(size, 2_000)),
    #[cfg(feature = "ch05")]
    program("blocks in blocks", 2_000, |size| large::blocks(size / 4)),
    #[cfg(feature = "ch05")]
    program("blocks in blocks", 20_000, |size| large::blocks(size / 4)),
    #[cfg(feature = "ch05")]
    program("blocks in blocks", 200_000, |size| large::blocks(size / 4)),
    #[cfg(feature = "ch07")]
    program("flags that set each other", 2_000, |size| large::flags(size / 2)),
    #[cfg(feature = "ch07")]
    program("flags that set each other", 20_000, |size| large::flags(size / 2)),
    #[cfg(feature = "ch07")]
    program("flags that set each other", 200_000, |size| large::flags(size / 2)),
    #[cfg(feature = "ch08")]
    program("variables and breaks", 2_000, |size| large::breaks(size / 3)),
    #[cfg(feature = "ch08")]
    program("variables and breaks", 20_000, |size| large::breaks(size / 3)),
    #[cfg(feature = "ch08")]
    program("variables and breaks", 200_000, |size| large::breaks(size / 3)),
    program("divisions", 2_000, large::divisions),
    program("divisions", 20_000, large::divisions),
    program("divisions", 200_000, large::divisions),
    #[cfg(feature = "ch07")]
    program("loops in sequence", 2_000, |size| large::loops(size / 5)),
    #[cfg(feature = "ch07")]
    program("loops in sequence", 20_000, |size| large::loops(size / 5)),
    #[cfg(feature = "ch07")]
    program("loops in sequence", 200_000, |size| large::loops(size / 5)),
    #[cfg(feature = "ch08")]
    program("exits of a loop", 2_000, |size| large::exits(size / 3)),
    #[cfg(feature = "ch08")]
    program("exits of a loop", 20_000, |size| large::exits(size / 3)),
    #[cfg(feature = "ch08")]
    program("exits of a loop", 200_000, |size| large::exits(size / 3)),
];

const fn program(kind: &'static str, statements: usize, text: fn(usize) -> String) -> Program {
    Program { kind, statements, text }
}

impl std::fmt::Display for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}, {:>7} statements", self.kind, self.statements)
    }
}
