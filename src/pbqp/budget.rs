//! How much a search may do, counted in steps, and news of it on the way.
//!
//! A step is a node or an edge that is looked at once more. Nothing here depends on the time: the
//! same problem and the same budget give the same answer and the same news.
use super::cost::Cost;
use std::fmt;

/// News of a search that goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// How many steps have been taken, and how many there may be.
    pub steps: [u64; 2],
    /// How many nodes are searched through.
    pub nodes: usize,
    /// What they cost at least.
    pub lower: Cost,
    /// What the best selection for them costs that is known; infinite if there is none.
    pub best: Cost,
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Progress { steps: [taken, all], nodes, lower, best } = self;
        write!(f, "{taken} of {all} steps: {nodes} nodes cost at least {lower}, ")?;
        match best.is_finite() {
            true => write!(f, "at most {best}"),
            false => write!(f, "no solution yet"),
        }
    }
}

/// The steps that a search may take.
pub struct Budget<'b> {
    all: u64,
    taken: u64,
    /// How many may still be taken.
    left: u64,
    /// There is news whenever so many have been taken.
    every: u64,
    tell: Option<&'b mut dyn FnMut(Progress)>,
}

impl<'b> Budget<'b> {
    /// So many steps.
    pub fn new(steps: u64) -> Budget<'b> {
        Budget { all: steps, taken: 0, left: steps, every: u64::MAX, tell: None }
    }

    /// So many steps, and `tell` gets the news whenever so many have been taken.
    pub fn told(steps: u64, every: u64, tell: &'b mut dyn FnMut(Progress)) -> Budget<'b> {
        Budget { every, tell: Some(tell), ..Budget::new(steps) }
    }

    /// Takes so many steps; false if there are not so many left. What is known of the search is
    /// asked for only if there is news.
    pub fn take(&mut self, steps: u64, known: impl FnOnce() -> Known) -> bool {
        let Some(left) = self.left.checked_sub(steps) else { return false };
        let is_news = (self.taken + steps) / self.every > self.taken / self.every;
        self.left = left;
        self.taken += steps;
        if let Some(tell) = self.tell.as_mut().filter(|_| is_news) {
            let Known { nodes, lower, best } = known();
            tell(Progress { steps: [self.taken, self.all], nodes, lower, best });
        }
        true
    }

    /// Takes so many steps, or all that are left.
    #[cfg(feature = "ch19")]
    pub fn take_up_to(&mut self, steps: u64) {
        self.taken += steps.min(self.left);
        self.left = self.left.saturating_sub(steps);
    }

    /// Leaves one of so many equal parts. What is kept is to be given back.
    #[cfg(feature = "ch19")]
    pub fn keep(&mut self, parts: u64) -> u64 {
        let kept = self.left - self.left / parts;
        self.left -= kept;
        kept
    }

    /// The same, but so many steps are left; none if there were none before.
    #[cfg(feature = "ch19")]
    pub fn keep_all_but(&mut self, steps: u64) -> Option<u64> {
        let kept = self.left.saturating_sub(steps);
        self.left -= kept;
        (self.left > 0).then_some(kept)
    }

    #[cfg(feature = "ch19")]
    pub fn give_back(&mut self, kept: u64) {
        self.left += kept;
    }
}

/// What is known of a search, as in `Progress`.
pub struct Known {
    pub nodes: usize,
    pub lower: Cost,
    pub best: Cost,
}
