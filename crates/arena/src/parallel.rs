//! A loop over `0..n` on several threads: each thread gets a range, results come in order.
use std::ops::Range;
use std::thread;

/// Splits `0..len` into `threads` ranges of nearly equal size and applies `f` to all of them at
/// the same time; the results are in the order of the ranges. With one thread, or none, `f` runs
/// on the caller's.
pub fn map_ranges<T: Send>(
    threads: usize,
    len: usize,
    f: impl Fn(Range<usize>) -> T + Sync,
) -> Vec<T> {
    let count = threads.clamp(1, len.max(1));
    let range = |at: usize| len * at / count..len * (at + 1) / count;
    if count == 1 {
        return vec![f(range(0))];
    }
    thread::scope(|scope| {
        let f = &f;
        let others: Vec<_> = (1..count).map(|at| scope.spawn(move || f(range(at)))).collect();
        let mut all = vec![f(range(0))];
        all.extend(others.into_iter().map(|it| it.join().expect("no thread panics")));
        all
    })
}

#[cfg(test)]
#[path = "tests/parallel.rs"]
mod tests;
