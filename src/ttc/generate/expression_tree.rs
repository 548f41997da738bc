//! One block that computes a constant: a tree of operations, with constants for leaves.
use super::graph_builder::GraphBuilder;
use super::random::Random;
use crate::arith::Binary;
use crate::firm::NodeId;
use crate::ttc::Graph;

/// The deepest tree, a graph of some hundred million nodes.
pub const MAX_DEPTH: u32 = 26;

/// A tree of this depth, in which one in fifty operations is a leaf. None, if it is too deep.
pub fn expression_tree(depth: u32, seed: u64) -> Option<Graph> {
    if depth > MAX_DEPTH {
        return None;
    }
    let (mut builder, mut random) = (GraphBuilder::new(), Random::new(seed));
    let value = grow(&mut builder, &mut random, depth, true);
    let start = builder.graph.start;
    Some(builder.finish(start, value, true))
}

/// A tree, its left operand first. The recursion is at most as deep as `MAX_DEPTH`.
fn grow(builder: &mut GraphBuilder, random: &mut Random, depth: u32, is_root: bool) -> NodeId {
    if depth == 0 || !is_root && random.chance(1, 50) {
        return builder.constant(random.below(201) as i64 - 100);
    }
    let op = match random.below(10) {
        0..5 => Binary::Add,
        5..9 => Binary::Sub,
        _ => Binary::Mul,
    };
    let left = grow(builder, random, depth - 1, false);
    let right = grow(builder, random, depth - 1, false);
    builder.binary(op, left, right)
}
