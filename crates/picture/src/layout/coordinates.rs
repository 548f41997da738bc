//! The left side of each vertex.
//!
//! Each layer in turn is moved towards its neighbours: as near as the distances within the layer
//! permit, by least squares. The exact solution for one layer is an isotonic regression, by
//! pooling adjacent violators (Ayer and others: An empirical distribution function for sampling
//! with incomplete information, 1955). Then the passages of each long line become one block, so
//! long lines are straight (Brandes and Köpf: Fast and simple horizontal coordinate assignment,
//! 2001).
use super::blocks::Blocks;
use super::layered::{Layers, Segment};

const SWEEPS: usize = 12;
/// How often blocks are moved towards their neighbours.
const ROUNDS: usize = 6;
/// Positions are computed in this fraction of a unit.
pub const FINE: i64 = 16;

const NODE_DISTANCE: i64 = 22;
const PASSAGE_DISTANCE: i64 = 11;

/// The left sides; the least one is 0.
pub fn coordinates(layers: &Layers) -> Vec<i64> {
    let mut placement = Placement::new(layers);
    for sweep in 0..SWEEPS {
        placement.sweep(sweep % 2 == 0, sweep + 4 >= SWEEPS);
    }
    let blocks = Blocks::new(layers);
    placement.x = blocks.place(&placement.x, &vec![1; layers.vertices.len()]);
    for _ in 0..ROUNDS {
        let targets = (0..placement.x.len()).map(|at| placement.target(at, true, true));
        let (targets, weights): (Vec<_>, Vec<_>) = targets.unzip();
        placement.x = blocks.place(&targets, &weights);
    }
    placement.straighten();
    let least = placement.x.iter().copied().min().unwrap_or(0);
    placement.x.iter().map(|x| (x - least) / FINE).collect()
}

struct Placement<'l> {
    layers: &'l Layers,
    x: Vec<i64>,
    above: Vec<Vec<Segment>>,
    below: Vec<Vec<Segment>>,
}

impl<'l> Placement<'l> {
    fn new(layers: &'l Layers) -> Placement<'l> {
        let mut above: Vec<Vec<Segment>> = vec![Vec::new(); layers.vertices.len()];
        let mut below = above.clone();
        for &segment in &layers.segments {
            above[segment.lower.0].push(segment);
            below[segment.upper.0].push(segment);
        }
        let mut x = vec![0; layers.vertices.len()];
        for layer in &layers.layers {
            let mut right = 0;
            for pair in layer.windows(2) {
                right += layers.distance(pair[0], pair[1]) * FINE;
                x[pair[1]] = right;
            }
            let middle = right / 2;
            layer.iter().for_each(|&at| x[at] -= middle);
        }
        Placement { layers, x, above, below }
    }

    /// Moves each layer towards the one before it, or towards both neighbours.
    fn sweep(&mut self, down: bool, both: bool) {
        let count = self.layers.layers.len();
        for step in 0..count {
            let rank = if down { step } else { count - 1 - step };
            let layer = &self.layers.layers[rank];
            let wishes: Vec<_> =
                layer.iter().map(|&at| self.target(at, down || both, !down || both)).collect();
            self.place(layer, &wishes);
        }
    }

    /// The best place of a vertex, and its weight.
    fn target(&self, at: usize, uses_above: bool, uses_below: bool) -> (i64, i64) {
        let (mut sum, mut weight) = (0, 0);
        let mut add = |segment: &Segment, own: i64, (other, x): (usize, i64)| {
            let own_weight = self.weight(segment);
            sum += own_weight * (self.x[other] + (x - own) * FINE);
            weight += own_weight;
        };
        if uses_above {
            self.above[at].iter().for_each(|it| add(it, it.lower.1, it.upper));
        }
        if uses_below {
            self.below[at].iter().for_each(|it| add(it, it.upper.1, it.lower));
        }
        if weight == 0 { (self.x[at], 1) } else { (sum.div_euclid(weight), weight * 4) }
    }

    fn weight(&self, segment: &Segment) -> i64 {
        let is_passage = |at: usize| self.layers.vertices[at].is_passage;
        match (is_passage(segment.upper.0), is_passage(segment.lower.0)) {
            (true, true) => 8,
            (true, false) | (false, true) => 2,
            (false, false) => 2,
        }
    }

    /// Places a layer with least squares.
    fn place(&mut self, layer: &[usize], targets: &[(i64, i64)]) {
        let mut offset = 0;
        let mut offsets = Vec::new();
        let mut pools: Vec<Pool> = Vec::new();
        for (index, &at) in layer.iter().enumerate() {
            if index > 0 {
                offset += self.layers.distance(layer[index - 1], at) * FINE;
            }
            offsets.push(offset);
            let (target, weight) = targets[index];
            let mut pool = Pool { sum: (target - offset) * weight, weight, count: 1 };
            while let Some(last) = pools.pop_if(|last| last.mean() >= pool.mean()) {
                pool = pool.join(last);
            }
            pools.push(pool);
        }
        let means = pools.iter().flat_map(|pool| std::iter::repeat_n(pool.mean(), pool.count));
        for ((&at, offset), mean) in layer.iter().zip(offsets).zip(means) {
            self.x[at] = mean + offset;
        }
    }

    /// Moves vertices below their only neighbours, where there is room.
    fn straighten(&mut self) {
        let layers = self.layers;
        for _ in 0..3 {
            for layer in &layers.layers {
                for (index, &at) in layer.iter().enumerate() {
                    let target = self.straight_target(at);
                    let left = index.checked_sub(1).map(|it| layer[it]);
                    let least = left.map(|it| self.x[it] + layers.distance(it, at) * FINE);
                    let right = layer.get(index + 1);
                    let most = right.map(|&it| self.x[it] - layers.distance(at, it) * FINE);
                    let target =
                        target.min(most.unwrap_or(i64::MAX)).max(least.unwrap_or(i64::MIN));
                    self.x[at] = target;
                }
            }
        }
    }

    /// The place in which the line from above is straight, if the vertex has no other.
    fn straight_target(&self, at: usize) -> i64 {
        let [segment] = self.above[at][..] else { return self.x[at] };
        let straight = self.x[segment.upper.0] + (segment.upper.1 - segment.lower.1) * FINE;
        let is_near = (straight - self.x[at]).abs() <= 14 * FINE;
        if is_near && self.below[at].is_empty() { straight } else { self.x[at] }
    }
}

/// Vertices that touch each other.
#[derive(Clone, Copy)]
struct Pool {
    sum: i64,
    weight: i64,
    count: usize,
}

impl Pool {
    fn mean(self) -> i64 {
        self.sum.div_euclid(self.weight)
    }

    fn join(self, other: Pool) -> Pool {
        Pool {
            sum: self.sum + other.sum,
            weight: self.weight + other.weight,
            count: self.count + other.count,
        }
    }
}

impl Layers {
    /// The distance of the left sides of neighbours that are as near as permitted.
    pub fn distance(&self, left: usize, right: usize) -> i64 {
        let (left, right) = (&self.vertices[left], &self.vertices[right]);
        let is_narrow = left.is_passage && left.width == 0 || right.is_passage && right.width == 0;
        left.width + if is_narrow { PASSAGE_DISTANCE } else { NODE_DISTANCE }
    }
}
