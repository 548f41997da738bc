//! How to solve.

#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Whether neighbours hear that an alternative has died. Without it, guesses go astray where
    /// they need not, and nobody goes back: for demonstration only.
    pub propagate: bool,
    /// How much all searches together may do; a unit is a node or an edge that is looked at
    /// once more.
    pub work: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { propagate: true, work: 4_000_000 }
    }
}
