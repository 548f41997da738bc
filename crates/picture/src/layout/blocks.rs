//! Blocks: the passages of a line, below each other. Other vertices are blocks by themselves.
use super::coordinates::FINE;
use super::layered::Layers;

pub struct Blocks {
    /// The block of each vertex.
    block: Vec<usize>,
    /// The left side of each vertex, relative to its block.
    shift: Vec<i64>,
    /// Each block after those on its left.
    order: Vec<usize>,
    /// The neighbours on the right, and the least distances from them.
    right: Vec<Vec<(usize, i64)>>,
}

impl Blocks {
    pub fn new(layers: &Layers) -> Blocks {
        let count = layers.vertices.len();
        let mut block: Vec<usize> = (0..count).collect();
        let mut inner = inner_segments(layers);
        inner.sort_unstable_by_key(|&(upper, _)| layers.vertices[upper].rank);
        for (upper, lower) in inner {
            block[lower] = block[upper];
        }
        let is_passage = |at: usize| layers.vertices[at].is_passage;
        let middle = |at: usize| layers.vertices[at].width / 2 * FINE;
        let shift: Vec<_> =
            (0..count).map(|at| if is_passage(at) { -middle(at) } else { 0 }).collect();
        let mut right: Vec<Vec<(usize, i64)>> = vec![Vec::new(); count];
        let mut on_left = vec![0; count];
        for pair in layers.layers.iter().flat_map(|layer| layer.windows(2)) {
            let distance = layers.distance(pair[0], pair[1]) * FINE;
            let distance = distance + shift[pair[0]] - shift[pair[1]];
            right[block[pair[0]]].push((block[pair[1]], distance));
            on_left[block[pair[1]]] += 1;
        }
        let mut order: Vec<usize> =
            (0..count).filter(|&at| block[at] == at && on_left[at] == 0).collect();
        let mut next = 0;
        while let Some(&at) = order.get(next) {
            for &(other, _) in &right[at] {
                on_left[other] -= 1;
                if on_left[other] == 0 {
                    order.push(other);
                }
            }
            next += 1;
        }
        Blocks { block, shift, order, right }
    }

    /// Places all vertices near their targets. The blocks are moved to the right as far as
    /// necessary, and to the left as far as necessary; the mean of both has all distances, too.
    pub fn place(&self, targets: &[i64], weights: &[i64]) -> Vec<i64> {
        let mut sums = vec![(0, 0); targets.len()];
        for (at, &block) in self.block.iter().enumerate() {
            sums[block].0 += (targets[at] - self.shift[at]) * weights[at];
            sums[block].1 += weights[at];
        }
        let mut low: Vec<i64> =
            sums.iter().map(|&(sum, weight)| sum.div_euclid(weight.max(1))).collect();
        let mut high = low.clone();
        for &at in &self.order {
            for &(other, distance) in &self.right[at] {
                high[other] = high[other].max(high[at] + distance);
            }
        }
        for &at in self.order.iter().rev() {
            for &(other, distance) in &self.right[at] {
                low[at] = low[at].min(low[other] - distance);
            }
        }
        let place = |(at, &block): (usize, &usize)| {
            (low[block] + high[block]).div_euclid(2) + self.shift[at]
        };
        self.block.iter().enumerate().map(place).collect()
    }
}

/// The parts of lines between two passages, without those that cross others of them.
fn inner_segments(layers: &Layers) -> Vec<(usize, usize)> {
    let mut position = vec![0; layers.vertices.len()];
    for layer in &layers.layers {
        layer.iter().enumerate().for_each(|(index, &at)| position[at] = index);
    }
    let mut by_rank: Vec<Vec<(usize, usize)>> = vec![Vec::new(); layers.layers.len()];
    for segment in &layers.segments {
        let (upper, lower) = (segment.upper.0, segment.lower.0);
        if layers.vertices[upper].is_passage && layers.vertices[lower].is_passage {
            by_rank[layers.vertices[upper].rank].push((upper, lower));
        }
    }
    let mut kept = Vec::new();
    for mut segments in by_rank {
        segments.sort_unstable_by_key(|&(upper, _)| position[upper]);
        let ends: Vec<usize> = segments.iter().map(|&(_, lower)| position[lower]).collect();
        kept.extend(longest_rise(&ends).into_iter().map(|index| segments[index]));
    }
    kept
}

/// The indices of a longest rising subsequence (Schensted 1961).
fn longest_rise(values: &[usize]) -> Vec<usize> {
    let mut tails: Vec<usize> = Vec::new();
    let mut before = vec![None; values.len()];
    for (index, value) in values.iter().enumerate() {
        let length = tails.partition_point(|&tail| values[tail] < *value);
        before[index] = length.checked_sub(1).map(|last| tails[last]);
        tails.truncate(tails.len().max(length));
        match tails.get_mut(length) {
            Some(tail) => *tail = index,
            None => tails.push(index),
        }
    }
    let mut rise = Vec::new();
    let mut next = tails.last().copied();
    while let Some(index) = next {
        rise.push(index);
        next = before[index];
    }
    rise.reverse();
    rise
}
