//! Tests of `parallel.rs`.
use super::*;

#[test]
fn the_ranges_cover_everything_in_order() {
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
