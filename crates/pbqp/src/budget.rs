//! The budget of a search, counted in steps, and reports of its progress.
//!
//! A step looks at one node or one edge once more. Nothing depends on the time: the same problem
//! and the same budget give the same solution and the same reports.
use crate::cost::Cost;
use core::fmt;

/// The steps that the searches may take together.
pub struct Budget<'b> {
    total: u64,
    taken: u64,
    /// How many may still be taken; fewer than `total - taken` while some are reserved.
    remaining: u64,
    /// The number of steps between two reports.
    interval: u64,
    report: Option<&'b mut dyn FnMut(Progress)>,
}

/// The state of a search that is still running.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Progress {
    /// The steps taken so far.
    pub taken: u64,
    /// The steps allowed in total.
    pub total: u64,
    /// The nodes of the component that is searched.
    pub nodes: usize,
    /// A lower bound for the cost of the component.
    pub lower_bound: Cost,
    /// The cost of the best known selection for the component; infinite if there is none.
    pub best: Cost,
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Progress { taken, total, nodes, lower_bound, best } = self;
        write!(f, "{taken} of {total} steps: {nodes} nodes cost at least {lower_bound}, ")?;
        match best.is_finite() {
            true => write!(f, "at most {best}"),
            false => write!(f, "no solution yet"),
        }
    }
}

/// What a search knows when it reports: the last three fields of [`Progress`].
pub(crate) struct Bounds {
    pub nodes: usize,
    pub lower_bound: Cost,
    pub best: Cost,
}

impl<'b> Budget<'b> {
    /// A budget of `steps` steps.
    pub fn new(steps: u64) -> Budget<'b> {
        Budget { total: steps, taken: 0, remaining: steps, interval: u64::MAX, report: None }
    }

    /// A budget of `steps` steps that calls `report` after each `interval` steps.
    pub fn with_progress(
        steps: u64,
        interval: u64,
        report: &'b mut dyn FnMut(Progress),
    ) -> Budget<'b> {
        Budget { interval: interval.max(1), report: Some(report), ..Budget::new(steps) }
    }

    /// Takes `steps` steps; false if fewer remain. `bounds` is called only for a report.
    pub(crate) fn take(&mut self, steps: u64, bounds: impl FnOnce() -> Bounds) -> bool {
        let Some(remaining) = self.remaining.checked_sub(steps) else { return false };
        let is_due = (self.taken + steps) / self.interval > self.taken / self.interval;
        self.remaining = remaining;
        self.taken += steps;
        if let Some(report) = self.report.as_mut().filter(|_| is_due) {
            let Bounds { nodes, lower_bound, best } = bounds();
            report(Progress { taken: self.taken, total: self.total, nodes, lower_bound, best });
        }
        true
    }

    /// Takes `steps` steps, or all that remain.
    pub(crate) fn take_up_to(&mut self, steps: u64) {
        self.taken += steps.min(self.remaining);
        self.remaining = self.remaining.saturating_sub(steps);
    }

    /// Reserves all steps but `steps`, and returns how many; none if none remained before.
    pub(crate) fn reserve_all_but(&mut self, steps: u64) -> Option<u64> {
        let reserved = self.remaining.saturating_sub(steps);
        self.remaining -= reserved;
        (self.remaining > 0).then_some(reserved)
    }

    /// Reserves all steps but one of `parts` equal parts, and returns how many.
    pub(crate) fn reserve_all_but_part(&mut self, parts: u64) -> u64 {
        let reserved = self.remaining - self.remaining / parts;
        self.remaining -= reserved;
        reserved
    }

    /// Returns reserved steps to the budget.
    pub(crate) fn release(&mut self, reserved: u64) {
        self.remaining += reserved;
    }
}
