//! How to solve.

#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Whether neighbours hear that an alternative has died. Without it, guesses go astray where
    /// they need not, and nobody goes back: for demonstration only.
    pub propagate: bool,
    /// Whether more is done than R1 and R2 before a node is guessed: the sweep, and the search
    /// through what is left.
    pub search: bool,
}

/// So many steps all searches together may take, if nothing else is said.
pub const USUAL_STEPS: u64 = 4_000_000;

impl Settings {
    /// Whether there is more to be done before a guess than R1 and R2.
    pub fn goes_on(self) -> bool {
        self.propagate && self.search
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { propagate: true, search: true }
    }
}
