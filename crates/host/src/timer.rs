//! The times of the parts of a run.
use std::time::{Duration, Instant};

/// The time of each part of a run, in rows with names.
pub struct Timer {
    since: Instant,
    rows: Vec<(&'static str, Duration)>,
}

impl Default for Timer {
    fn default() -> Self {
        Timer { since: Instant::now(), rows: Vec::new() }
    }
}

impl Timer {
    /// The next part begins.
    pub fn start(&mut self) {
        self.since = Instant::now();
    }

    /// The part with this name ends, and the next one begins.
    pub fn stop(&mut self, row: &'static str) {
        self.rows.push((row, self.since.elapsed()));
        self.start();
    }

    /// One row a line, and the total.
    pub fn table(&self) -> String {
        let total: Duration = self.rows.iter().map(|(_, time)| *time).sum();
        let rows = self.rows.iter().copied().chain([("total", total)]);
        rows.map(|(name, time)| format!("{name:<10} {:>12.1?}\n", time)).collect()
    }
}
