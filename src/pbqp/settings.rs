//! How to solve.

#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Whether neighbours hear that an alternative has died. Without it, guesses go astray where
    /// they need not, and nobody goes back: for demonstration only.
    pub propagate: bool,
    /// Whether more is done than R1 and R2 before a node is guessed: the sweep, and the search
    /// through what is left.
    pub search: bool,
    /// How much all searches together may do; a unit is a node or an edge that is looked at
    /// once more.
    pub work: u64,
}

impl Settings {
    /// Whether there is more to be done before a guess than R1 and R2.
    pub fn goes_on(self) -> bool {
        self.propagate && self.search
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { propagate: true, search: true, work: 4_000_000 }
    }
}
