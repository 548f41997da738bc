//! Shared matrices.
use super::*;

#[test]
fn equal_matrices_are_stored_once() {
    let costs = |values: &[u64]| values.iter().map(|&v| Cost::new(v)).collect::<Vec<_>>();
    let mut matrices = MatrixPool::default();
    let first = matrices.intern(&costs(&[1, 2, 3, 4]));
    let other = matrices.intern(&costs(&[1, 2, 3, 5]));
    assert_eq!(matrices.intern(&costs(&[1, 2, 3, 4])), first);
    assert_ne!(first, other);
    assert_eq!(matrices.len(), 8);
    assert_eq!(matrices.from(other)[..4], costs(&[1, 2, 3, 5]));
}
