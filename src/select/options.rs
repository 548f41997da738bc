//! What a selection is asked for.

/// What is preferred, and how it is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SelectionOptions {
    pub cost: Objective,
    #[cfg(feature = "ch04")]
    pub method: Method,
}

/// What instructions should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Objective {
    Size,
    #[default]
    Speed,
}

#[cfg(feature = "ch04")]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// At each node what looks best.
    Greedy,
    /// What is best together.
    #[default]
    Pbqp,
    /// The same, but what cannot be reduced is guessed.
    #[cfg(feature = "ch19")]
    Heuristic,
}
