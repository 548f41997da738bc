//! One block that computes a constant: a tree of operations, with constants for leaves.
use super::Frame;
use super::random::Random;
use crate::arith::Binary;
use crate::firm::graph::{Graph, NodeId};

/// The deepest tree: a graph of some hundred million nodes.
pub const DEEPEST: u32 = 26;

/// A tree of this depth; one in fifty operations is a leaf already. None, if it is too deep.
pub fn tree(depth: u32, seed: u64) -> Option<Graph> {
    if depth > DEEPEST {
        return None;
    }
    let (mut frame, mut random) = (Frame::new(), Random::new(seed));
    let value = grow(&mut frame, &mut random, depth, true);
    let start = frame.graph.start;
    Some(frame.finish(start, value, true))
}

/// A tree, its left operand first; it is never deep, so this recurses.
fn grow(frame: &mut Frame, random: &mut Random, depth: u32, is_root: bool) -> NodeId {
    if depth == 0 || !is_root && random.chance(1, 50) {
        return frame.constant(random.below(201) as i64 - 100);
    }
    let op = match random.below(10) {
        0..5 => Binary::Add,
        5..9 => Binary::Sub,
        _ => Binary::Mul,
    };
    let left = grow(frame, random, depth - 1, false);
    let right = grow(frame, random, depth - 1, false);
    frame.binary(op, left, right)
}
