//! The node that RN decides next: one of the highest degree.
use crate::graph::Graph;
use crate::problem::NodeId;
use alloc::vec::Vec;
use core::cmp::Reverse;

/// The nodes that are not eliminated, by degree: a bucket for each degree.
///
/// Degrees only fall, so a bucket is complete when those of all higher degrees are empty, and is
/// sorted only then. A node whose degree has fallen is moved when it is found in the wrong bucket,
/// so it moves at most once for each edge that it loses.
pub struct DegreeBuckets {
    buckets: Vec<Vec<NodeId>>,
    /// Whether the highest bucket is sorted, smallest node last.
    is_sorted: bool,
}

impl DegreeBuckets {
    pub fn new(graph: &Graph) -> DegreeBuckets {
        let mut buckets = Vec::new();
        for x in graph.remaining_nodes() {
            let degree = graph.degree(x);
            if degree >= buckets.len() {
                buckets.resize(degree + 1, Vec::new());
            }
            buckets[degree].push(x);
        }
        DegreeBuckets { buckets, is_sorted: false }
    }

    /// The smallest node of the highest degree; none if there are no edges.
    pub fn next(&mut self, graph: &Graph) -> Option<NodeId> {
        while let Some(bucket) = self.buckets.last_mut() {
            if !core::mem::replace(&mut self.is_sorted, true) {
                bucket.sort_unstable_by_key(|&x| Reverse(x));
            }
            let Some(x) = bucket.pop() else {
                self.buckets.pop();
                self.is_sorted = false;
                continue;
            };
            let degree = graph.degree(x);
            if graph.is_eliminated(x) || degree == 0 {
                continue;
            }
            if degree + 1 == self.buckets.len() {
                return Some(x);
            }
            self.buckets[degree].push(x);
        }
        None
    }
}
