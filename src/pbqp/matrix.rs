//! Matrices in one flat array, equal ones stored once.
//!
//! Sharing is by content alone; a matrix's shape is known from the nodes it stands between.
use super::cost::Cost;
use arena::{FxHashMap, FxHasher, Id, id};
use std::hash::{BuildHasher, BuildHasherDefault};

id! {
    /// The place of a matrix's first entry.
    MatrixId
}

#[derive(Default)]
pub struct Matrices {
    entries: Vec<Cost>,
    /// From the hash of a content to a matrix that has this hash.
    known: FxHashMap<u64, MatrixId>,
}

impl Matrices {
    /// A matrix with these entries. Two contents with one hash are not shared; nothing relies on
    /// sharing but memory.
    pub fn intern(&mut self, entries: &[Cost]) -> MatrixId {
        let fresh = MatrixId::from_index(self.entries.len());
        let hash = BuildHasherDefault::<FxHasher>::default().hash_one(entries);
        let known = *self.known.entry(hash).or_insert(fresh);
        if known != fresh && self.from(known).starts_with(entries) {
            return known;
        }
        self.entries.extend_from_slice(entries);
        fresh
    }

    /// The entries of a matrix, and whatever stands behind it.
    pub fn from(&self, matrix: MatrixId) -> &[Cost] {
        &self.entries[matrix.index()..]
    }

    /// The number of entries stored.
    pub fn len(&self) -> usize {
        self.entries.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_matrices_are_stored_once() {
        let costs = |values: &[u64]| values.iter().map(|&v| Cost::new(v)).collect::<Vec<_>>();
        let mut matrices = Matrices::default();
        let first = matrices.intern(&costs(&[1, 2, 3, 4]));
        let other = matrices.intern(&costs(&[1, 2, 3, 5]));
        assert_eq!(matrices.intern(&costs(&[1, 2, 3, 4])), first);
        assert_ne!(first, other);
        assert_eq!(matrices.len(), 8);
        assert_eq!(matrices.from(other)[..4], costs(&[1, 2, 3, 5]));
    }
}
