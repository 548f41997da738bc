//! Matrices in one flat array; equal ones are stored once.
//!
//! Matrices are shared by their entries alone. The shape of a matrix follows from the nodes of its
//! edge.
use crate::cost::Cost;
use crate::ids::{FxHashMap, FxHasher, Id, id};
use alloc::vec;
use alloc::vec::Vec;
use core::hash::{BuildHasher, BuildHasherDefault};

id! {
    /// The position of a matrix's first entry.
    MatrixId
}

#[derive(Clone, Default)]
pub struct MatrixPool {
    entries: Vec<Cost>,
    /// From the hash of the entries to a matrix with this hash.
    known: FxHashMap<u64, MatrixId>,
    /// The largest matrix of zeros, and its length.
    zeros: Option<(MatrixId, usize)>,
}

impl MatrixPool {
    /// A matrix with these entries. Different matrices with the same hash are stored without
    /// sharing, which costs memory only.
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

    /// A matrix of zeros. A larger one begins with it.
    pub fn zeros(&mut self, len: usize) -> MatrixId {
        match self.zeros {
            Some((zeros, known)) if len <= known => zeros,
            _ => {
                let zeros = self.intern(&vec![Cost::ZERO; len]);
                self.zeros = Some((zeros, len));
                zeros
            }
        }
    }

    /// The entries of a matrix and of all matrices after it.
    pub fn from(&self, matrix: MatrixId) -> &[Cost] {
        &self.entries[matrix.index()..]
    }

    /// The number of entries stored.
    pub fn len(&self) -> usize {
        self.entries.len()
    }
}
