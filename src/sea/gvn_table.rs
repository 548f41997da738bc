//! The table of value numbering: finds a node with the same operation and the same inputs.
//!
//! The key of a node is the hash of its operation and its inputs. A node in the table is *locked*:
//! before one of its edges changes, the graph removes it from the table. Open addressing with
//! linear probing; a removal moves later entries of the probe sequence into the gap. Source: J.
//! Cocke, J. T. Schwartz, "Programming Languages and Their Compilers", 1970; removal: D. E. Knuth,
//! "The Art of Computer Programming", volume 3, algorithm 6.4R.
use super::op::{NodeId, Op};
use arena::{FxHasher, Id};
use std::hash::{Hash, Hasher};

#[derive(Clone, Debug, Default)]
pub struct GvnTable {
    /// The length is a power of two; at most half of the entries are occupied.
    entries: Vec<Entry>,
    count: usize,
}

/// A node and its hash; hash 0 marks a free entry.
#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u32,
    node: NodeId,
}

impl GvnTable {
    /// All nodes with this hash.
    pub fn candidates(&self, hash: u32) -> impl Iterator<Item = NodeId> {
        let probes = (0..self.entries.len()).map(move |step| self.entries[self.probe(hash, step)]);
        let occupied = probes.take_while(|entry| entry.hash != 0);
        occupied.filter(move |entry| entry.hash == hash).map(|entry| entry.node)
    }

    pub fn insert(&mut self, hash: u32, node: NodeId) {
        if 2 * self.count >= self.entries.len() {
            let size = (2 * self.entries.len()).max(64);
            let old = std::mem::replace(&mut self.entries, vec![Entry::empty(); size]);
            old.into_iter().filter(|entry| entry.hash != 0).for_each(|it| self.put(it));
        }
        self.put(Entry { hash, node });
        self.count += 1;
    }

    fn put(&mut self, new: Entry) {
        let mut at = self.probe(new.hash, 0);
        while self.entries[at].hash != 0 {
            at = self.probe(at as u32, 1);
        }
        self.entries[at] = new;
    }

    pub fn remove(&mut self, hash: u32, node: NodeId) {
        let mut gap = self.probe(hash, 0);
        while self.entries[gap].hash == 0 || self.entries[gap].node != node {
            gap = self.probe(gap as u32, 1);
        }
        self.count -= 1;
        let mut at = gap;
        loop {
            self.entries[gap] = Entry::empty();
            loop {
                at = self.probe(at as u32, 1);
                let hash = self.entries[at].hash;
                if hash == 0 {
                    return;
                }
                // It may move into the gap unless its probe sequence begins after the gap.
                if self.distance(hash, at) >= self.distance(gap as u32, at) {
                    break;
                }
            }
            self.entries[gap] = self.entries[at];
            gap = at;
        }
    }

    /// The index of the entry `far` steps after the first one for this hash.
    fn probe(&self, hash: u32, step: usize) -> usize {
        (hash as usize).wrapping_add(step) & (self.entries.len() - 1)
    }

    /// The number of steps from the first entry for this hash to `at`.
    fn distance(&self, hash: u32, at: usize) -> usize {
        at.wrapping_sub(hash as usize) & (self.entries.len() - 1)
    }
}

impl Entry {
    fn empty() -> Entry {
        Entry { hash: 0, node: Id::from_index(0) }
    }
}

/// The hash of an operation and its inputs; never 0.
pub fn hash(op: Op, inputs: impl Iterator<Item = NodeId>) -> u32 {
    let mut hasher = FxHasher::default();
    op.without_label().hash(&mut hasher);
    inputs.for_each(|input| input.hash(&mut hasher));
    (hasher.finish() as u32).max(1)
}

#[cfg(test)]
#[path = "tests/gvn_table.rs"]
mod tests;
