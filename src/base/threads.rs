//! Work on many things of one kind, shared among threads: each gets a range of them.
//!
//! What the ranges yield comes back in their order, so that nobody sees how many there were.
use std::ops::Range;
use std::thread;

/// Splits `0..len` into as many ranges of about one size as there are threads, and applies `f` to
/// each of them at the same time. One thread, or none, is the one that asks.
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
mod tests {
    use super::*;

    #[test]
    fn the_ranges_are_everything_in_order_whatever_their_count() {
        for len in [0, 1, 2, 7, 100] {
            for threads in [0, 1, 2, 3, 7, 200] {
                let ranges = map_ranges(threads, len, |range| range);
                assert!(ranges.iter().cloned().flatten().eq(0..len), "{len} by {threads}");
                assert_eq!(ranges.len(), threads.clamp(1, len.max(1)));
                let sizes = ranges.iter().map(|range| range.len());
                let (least, most) = (sizes.clone().min(), sizes.max());
                assert!(most <= least.map(|least| least + 1), "{len} by {threads}");
            }
        }
    }
}
