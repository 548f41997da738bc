//! The order of each layer, with few crossings.
//!
//! The first order is that of a depth-first search from the lowest vertices, so a tree has no
//! crossings. Then layers are sorted by the barycenters of their neighbours, downwards and upwards
//! in turn, and neighbours are exchanged where this saves crossings (Gansner, Koutsofios, North
//! and Vo: A technique for drawing directed graphs, 1993). The best order is kept.
use super::layered::{Layers, Segment};

const SWEEPS: usize = 14;
/// The number of segments up to which neighbours are exchanged.
const EXCHANGED: usize = 6_000;

/// Fills the layers.
pub fn order(layers: &mut Layers) {
    let mut ordering = Ordering::new(layers);
    ordering.start();
    let mut best = (ordering.crossings(), ordering.layers.clone());
    for sweep in 0..SWEEPS {
        if best.0 == 0 {
            break;
        }
        ordering.sweep(sweep % 2 == 0);
        if ordering.segments.len() <= EXCHANGED {
            ordering.exchange();
        }
        let crossings = ordering.crossings();
        if crossings < best.0 {
            best = (crossings, ordering.layers.clone());
        }
    }
    layers.layers = best.1;
}

struct Ordering<'l> {
    layers: Vec<Vec<usize>>,
    /// The index of each vertex in its layer.
    position: Vec<usize>,
    /// The left side of each vertex if its layer is packed.
    left: Vec<i64>,
    width: Vec<i64>,
    rank: Vec<usize>,
    segments: &'l [Segment],
    above: Vec<Vec<Segment>>,
    below: Vec<Vec<Segment>>,
}

impl<'l> Ordering<'l> {
    fn new(layers: &'l Layers) -> Ordering<'l> {
        let vertices = &layers.vertices;
        let ranks = vertices.iter().map(|vertex| vertex.rank + 1).max().unwrap_or(0);
        let mut above: Vec<Vec<Segment>> = vec![Vec::new(); vertices.len()];
        let mut below = above.clone();
        for &segment in &layers.segments {
            above[segment.lower.0].push(segment);
            below[segment.upper.0].push(segment);
        }
        above.iter_mut().for_each(|segments| segments.sort_by_key(|it| it.lower.1));
        Ordering {
            layers: vec![Vec::new(); ranks],
            position: vec![0; vertices.len()],
            left: vec![0; vertices.len()],
            width: vertices.iter().map(|vertex| vertex.width + 16).collect(),
            rank: vertices.iter().map(|vertex| vertex.rank).collect(),
            segments: &layers.segments,
            above,
            below,
        }
    }

    fn start(&mut self) {
        let mut roots: Vec<usize> = (0..self.rank.len()).collect();
        roots.sort_by_key(|&at| (self.below[at].len().min(1), std::cmp::Reverse(self.rank[at])));
        let mut is_placed = vec![false; self.rank.len()];
        for root in roots {
            let mut pending = vec![root];
            while let Some(at) = pending.pop() {
                if !std::mem::replace(&mut is_placed[at], true) {
                    self.layers[self.rank[at]].push(at);
                    pending.extend(self.above[at].iter().rev().map(|segment| segment.upper.0));
                }
            }
        }
        (0..self.layers.len()).for_each(|rank| self.pack(rank));
    }

    /// Notes the positions of a layer's vertices.
    fn pack(&mut self, rank: usize) {
        let mut x = 0;
        for (position, &at) in self.layers[rank].iter().enumerate() {
            (self.position[at], self.left[at]) = (position, x);
            x += self.width[at];
        }
        let shift = x / 2;
        self.layers[rank].iter().for_each(|&at| self.left[at] -= shift);
    }

    /// Sorts all layers by their neighbours above, or below.
    fn sweep(&mut self, down: bool) {
        let count = self.layers.len();
        for step in 1..count {
            let rank = if down { step } else { count - 1 - step };
            let mut layer = std::mem::take(&mut self.layers[rank]);
            let keys: Vec<(i64, usize)> =
                layer.iter().map(|&at| (self.barycenter(at, down), self.position[at])).collect();
            let mut sorted: Vec<usize> = (0..layer.len()).collect();
            sorted.sort_by_key(|&at| keys[at]);
            layer = sorted.into_iter().map(|at| layer[at]).collect();
            self.layers[rank] = layer;
            self.pack(rank);
        }
    }

    /// The mean of the neighbours; the vertex stays if it has none.
    fn barycenter(&self, at: usize, down: bool) -> i64 {
        let end = |segment: &Segment| if down { segment.upper } else { segment.lower };
        let own = |segment: &Segment| if down { segment.lower.1 } else { segment.upper.1 };
        let segments = if down { &self.above[at] } else { &self.below[at] };
        let middle = self.width[at] / 2;
        if segments.is_empty() {
            return (self.left[at] + middle) * 16;
        }
        let place = |segment: &Segment| {
            let (vertex, x) = end(segment);
            (self.left[vertex] + x - own(segment) + middle) * 16
        };
        segments.iter().map(place).sum::<i64>() / segments.len() as i64
    }

    /// Exchanges neighbours while this saves crossings.
    fn exchange(&mut self) {
        for _ in 0..3 {
            let mut improved = false;
            for rank in 0..self.layers.len() {
                for at in 1..self.layers[rank].len() {
                    let (one, other) = (self.layers[rank][at - 1], self.layers[rank][at]);
                    if self.crossings_of(other, one) < self.crossings_of(one, other) {
                        self.layers[rank].swap(at - 1, at);
                        (self.position[one], self.position[other]) = (at, at - 1);
                        improved = true;
                    }
                }
                self.pack(rank);
            }
            if !improved {
                return;
            }
        }
    }

    /// The crossings of the segments of two neighbours, if the first is on the left.
    fn crossings_of(&self, left: usize, right: usize) -> usize {
        let key = |(vertex, x): (usize, i64)| (self.position[vertex], x);
        let count = |left: &[Segment], right: &[Segment], end: fn(&Segment) -> (usize, i64)| {
            let pairs = left.iter().flat_map(|one| right.iter().map(move |other| (one, other)));
            pairs.filter(|(one, other)| key(end(one)) > key(end(other))).count()
        };
        count(&self.above[left], &self.above[right], |segment| segment.upper)
            + count(&self.below[left], &self.below[right], |segment| segment.lower)
    }

    /// The number of crossings: the inversions among the segments of each layer, by a Fenwick tree.
    fn crossings(&self) -> usize {
        let key = |(vertex, x): (usize, i64)| (self.position[vertex], x);
        let mut total = 0;
        let mut by_rank: Vec<Vec<&Segment>> = vec![Vec::new(); self.layers.len()];
        self.segments.iter().for_each(|it| by_rank[self.rank[it.upper.0]].push(it));
        for mut segments in by_rank {
            let mut ends: Vec<_> = segments.iter().map(|segment| key(segment.lower)).collect();
            ends.sort_unstable();
            ends.dedup();
            segments.sort_by_key(|segment| (key(segment.upper), key(segment.lower)));
            let mut tree = vec![0usize; ends.len() + 1];
            let mut start = 0;
            for group in segments.chunk_by(|a, b| key(a.upper) == key(b.upper)) {
                let index =
                    |segment: &Segment| 1 + ends.partition_point(|it| *it < key(segment.lower));
                for segment in group {
                    total += start - prefix(&tree, index(segment));
                }
                group.iter().for_each(|segment| add(&mut tree, index(segment)));
                start += group.len();
            }
        }
        total
    }
}

/// The number of entries up to an index.
fn prefix(tree: &[usize], mut index: usize) -> usize {
    let mut sum = 0;
    while index > 0 {
        sum += tree[index];
        index &= index - 1;
    }
    sum
}

fn add(tree: &mut [usize], mut index: usize) {
    while index < tree.len() {
        tree[index] += 1;
        index += index & index.wrapping_neg();
    }
}
