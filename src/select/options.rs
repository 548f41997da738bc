//! The options of a selection.

/// The objective and the method.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SelectionOptions {
    pub objective: Objective,
    #[cfg(feature = "ch04")]
    pub method: Method,
}

/// The property of the code that is minimized.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Objective {
    Size,
    #[default]
    Speed,
}

#[cfg(feature = "ch04")]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// At each node the locally best match.
    Greedy,
    /// The cheapest cover.
    #[default]
    Pbqp,
    /// The same, but irreducible parts of the instance are decided by RN.
    #[cfg(feature = "ch19")]
    Heuristic,
}
