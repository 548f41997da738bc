//! Constant folding as graph rewriting: rules with a pattern of a few nodes and a replacement.
//!
//! The rules and the wavefront are those of S. Buchwald and E. Jakumeit, "Compiler Optimization: A
//! Case for the Transformation Tool Contest", EPTCS 74, 2011, applied until no rule matches.
//!
//! All users of a constant are rewritten at once, and every node becomes a constant at most once.
//! So the work is linear in nodes and edges if a node is only tried again when a neighbour has
//! changed. Such nodes are a *wave*: first all matches in a wave are found, then the rules are
//! applied, and the nodes that they enqueue are the next wave.
mod cleanup;
mod constants;
mod control;
mod program;
mod reachability;
mod rewriter;
mod rule;
mod users;
mod wavefront;

pub use wavefront::{Folded, Observer, Options, fold, rules};
