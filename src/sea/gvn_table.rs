//! The table of value numbering: which node does what, so that nothing need be done twice.
//!
//! A node stands in the table under the hash of its operation and its inputs. While it stands
//! there it is *locked*: before one of its edges changes, the graph takes it out. Open
//! addressing; whoever is taken out leaves no gap before those that were put in behind it.
//! Source: J. Cocke, J. T. Schwartz, "Programming Languages and Their Compilers", 1970; the gaps:
//! D. E. Knuth, "The Art of Computer Programming", volume 3, algorithm 6.4R.
use super::op::{NodeId, Op};
use arena::{FxHasher, Id};
use std::hash::{Hash, Hasher};

#[derive(Clone, Debug, Default)]
pub struct GvnTable {
    /// A power of two, of which at most half are taken.
    places: Vec<Entry>,
    count: usize,
}

/// A node and its hash; where the hash is 0, there is none.
#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u32,
    node: NodeId,
}

impl GvnTable {
    /// All nodes with this hash.
    pub fn candidates(&self, hash: u32) -> impl Iterator<Item = NodeId> {
        let probes = (0..self.places.len()).map(move |far| self.places[self.probe(hash, far)]);
        let taken = probes.take_while(|place| place.hash != 0);
        taken.filter(move |place| place.hash == hash).map(|place| place.node)
    }

    pub fn insert(&mut self, hash: u32, node: NodeId) {
        if 2 * self.count >= self.places.len() {
            let size = (2 * self.places.len()).max(64);
            let old = std::mem::replace(&mut self.places, vec![Entry::empty(); size]);
            old.into_iter().filter(|place| place.hash != 0).for_each(|it| self.put(it));
        }
        self.put(Entry { hash, node });
        self.count += 1;
    }

    fn put(&mut self, new: Entry) {
        let mut at = self.probe(new.hash, 0);
        while self.places[at].hash != 0 {
            at = self.probe(at as u32, 1);
        }
        self.places[at] = new;
    }

    pub fn remove(&mut self, hash: u32, node: NodeId) {
        let mut gap = self.probe(hash, 0);
        while self.places[gap].hash == 0 || self.places[gap].node != node {
            gap = self.probe(gap as u32, 1);
        }
        self.count -= 1;
        let mut at = gap;
        loop {
            self.places[gap] = Entry::empty();
            loop {
                at = self.probe(at as u32, 1);
                let hash = self.places[at].hash;
                if hash == 0 {
                    return;
                }
                // It may move into the gap unless its search begins behind the gap.
                if self.distance(hash, at) >= self.distance(gap as u32, at) {
                    break;
                }
            }
            self.places[gap] = self.places[at];
            gap = at;
        }
    }

    /// The place `far` steps behind the first one for this hash.
    fn probe(&self, hash: u32, far: usize) -> usize {
        (hash as usize).wrapping_add(far) & (self.places.len() - 1)
    }

    /// How many steps lead from the first place for this hash to `at`.
    fn distance(&self, hash: u32, at: usize) -> usize {
        at.wrapping_sub(hash as usize) & (self.places.len() - 1)
    }
}

impl Entry {
    fn empty() -> Entry {
        Entry { hash: 0, node: Id::from_index(0) }
    }
}

/// The hash of an operation on some inputs; never 0.
pub fn hash(op: Op, inputs: impl Iterator<Item = NodeId>) -> u32 {
    let mut hasher = FxHasher::default();
    op.hash(&mut hasher);
    inputs.for_each(|input| input.hash(&mut hasher));
    (hasher.finish() as u32).max(1)
}

#[cfg(test)]
#[path = "tests/gvn_table.rs"]
mod tests;
