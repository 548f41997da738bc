//! Constant folding as graph rewriting: rules that match a few nodes, and what they put there.
//!
//! The rules are those of the case "Compiler Optimization" of the Transformation Tool Contest
//! 2011, as S. Buchwald and E. Jakumeit solved it ("Compiler Optimization: A Case for the
//! Transformation Tool Contest", EPTCS 74, 2011), applied until none of them fits anywhere.
//!
//! A constant is replaced in all its users at once, and every node becomes a constant at most
//! once: so the work is linear in nodes and edges, if a node is looked at again only when
//! something next to it has changed. Such nodes form a *wave*: it is first asked where rules fit,
//! then the rules are applied, and who has been touched by that is the next wave.
mod blocks;
mod clean;
mod control;
mod data;
mod drive;
mod program;
mod rewriter;
#[cfg(test)]
mod tests;
mod users;

use super::graph::{Graph, NodeId};
use super::op::Op;
use crate::stage::{Artifact, Rewrite};
use rewriter::Rewriter;

/// A rule: a pattern, and what is done where it fits.
pub struct Rule {
    pub name: &'static str,
    /// What it does, in short.
    pub law: &'static str,
    pub on: On,
    /// When it is tried, if the waves go as in the paper.
    pub part: Part,
    /// Whether the pattern fits with its root here.
    pub fits: fn(&Rewriter, NodeId) -> bool,
    /// Rewrites what it fits.
    pub apply: fn(&mut Rewriter, NodeId),
}

/// The nodes that a rule is tried on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum On {
    Const,
    Not,
    /// Arithmetic on two operands.
    Binary,
    Cmp,
    Phi,
    Cond,
    /// Blocks other than the first and the last.
    Block,
    /// Whatever stands in a block.
    Inside,
    /// Everything.
    Any,
}

/// The parts of the paper's program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// What spreads from constants to their users.
    Data,
    Reassociate,
    Control,
    /// What is left behind by ways that are gone: these rules cannot be switched off.
    Dead,
    /// What is there twice.
    Share,
    /// What nobody uses.
    Unused,
    /// What only programs of the compiler need: these rules cannot be switched off.
    Program,
    /// Blocks that are one. Last of all: it is not known as long as there may be a Phi too many.
    Merge,
}

/// Every rule, in the order in which they are tried.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    [data::RULES, control::RULES, clean::RULES, program::RULES].into_iter().flatten()
}

impl Rule {
    /// Whether graphs are sound without it.
    pub fn is_optional(&self) -> bool {
        self.part != Part::Dead && self.part != Part::Program
    }
}

/// How a graph is folded.
pub struct Options<'o> {
    /// Whether the waves go as in the paper, over and over the whole graph.
    pub literal: bool,
    /// Whether the graph is a program of the compiler: then no Phi is left with one operand, and
    /// End keeps every loop that never ends. The case has neither.
    pub program: bool,
    /// How many threads look for places where rules fit. The result is the same for any number.
    pub threads: usize,
    /// Names of optional rules that are switched off.
    pub without: &'o [String],
    /// Sees every rewrite and the graph behind it.
    pub observe: Option<&'o mut Observer<'o>>,
}

/// Hears of a rewrite, and sees the graph behind it.
pub type Observer<'o> = dyn FnMut(&Rewrite, &dyn Artifact) + 'o;

impl Default for Options<'_> {
    fn default() -> Self {
        Options { literal: false, program: false, threads: 1, without: &[], observe: None }
    }
}

/// What has been done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Folded {
    /// How often each rule was applied.
    pub counts: Vec<(&'static str, u64)>,
    pub waves: u64,
}

impl Folded {
    pub fn rewrites(&self) -> u64 {
        self.counts.iter().map(|(_, count)| count).sum()
    }
}

/// The graph when no rule fits any more.
///
/// Every node must have the operands of its row and stand in a block, and no value may need itself
/// but by way of a Phi.
pub fn fold(graph: Graph, options: Options) -> (Graph, Folded) {
    drive::drive(graph, options)
}

impl On {
    /// Every group of operations that rules tell apart; the number of a group is its place here.
    fn group(op: Op) -> usize {
        match op {
            Op::Const(_) => 0,
            Op::Not => 1,
            Op::Binary(_) => 2,
            Op::Cmp(_) => 3,
            Op::Phi => 4,
            Op::Cond => 5,
            Op::Block => 6,
            Op::StartBlock | Op::EndBlock => 7,
            _ => 8,
        }
    }

    const GROUPS: usize = 9;

    /// Whether a rule is tried on the operations of a group.
    fn takes(self, group: usize) -> bool {
        match self {
            On::Const => group == 0,
            On::Not => group == 1,
            On::Binary => group == 2,
            On::Cmp => group == 3,
            On::Phi => group == 4,
            On::Cond => group == 5,
            On::Block => group == 6,
            On::Inside => group != 6 && group != 7,
            On::Any => true,
        }
    }
}
