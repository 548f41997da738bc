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
mod users;
mod wavefront;

use super::graph::{Graph, NodeId};
use super::op::Op;
use super::print::{self, Label};
use crate::stage::Step;
use arena::SideTable;
use rewriter::Rewriter;

/// A rule: a pattern and its replacement.
pub struct Rule {
    pub name: &'static str,
    /// The rewrite, in short.
    pub law: &'static str,
    pub root: RootKind,
    /// The phase of the paper's program in which it is tried.
    pub phase: Phase,
    /// Whether the pattern matches at this root.
    pub matches: fn(&Rewriter, NodeId) -> bool,
    /// Rewrites the match at this root.
    pub apply: fn(&mut Rewriter, NodeId),
}

/// The nodes that a rule is tried on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RootKind {
    Const,
    Not,
    /// Arithmetic on two operands.
    Binary,
    Cmp,
    Phi,
    Cond,
    /// Blocks other than the first and the last.
    Block,
    /// All nodes but blocks.
    Inside,
    /// All nodes.
    Any,
}

/// The phases of the paper's program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Constants propagate to their users.
    Constants,
    Reassociate,
    Control,
    /// Nodes are removed after edges; these rules cannot be switched off.
    Dead,
    /// Equal nodes become one.
    Share,
    /// Nodes without users are removed.
    Unused,
    /// Invariants of compiled programs are restored; these rules cannot be switched off.
    Program,
    /// Blocks in a row become one. This is the last phase: others may still remove a Phi.
    Merge,
}

/// Every rule, in the order in which they are tried.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    [constants::RULES, control::RULES, cleanup::RULES, program::RULES].into_iter().flatten()
}

impl Rule {
    /// Whether graphs are sound without it.
    pub fn is_optional(&self) -> bool {
        self.phase != Phase::Dead && self.phase != Phase::Program
    }
}

/// Options of the folding.
pub struct Options<'o> {
    /// Whether each wave is the whole graph, phase by phase, as in the paper.
    pub paper_order: bool,
    /// Whether the graph is a compiled program: then no Phi has one operand, and End keeps every
    /// infinite loop.
    pub program: bool,
    /// The number of threads that search for matches. The result does not depend on it.
    pub threads: usize,
    /// The names of optional rules that are switched off.
    pub without: &'o [String],
    /// Constants that rules do not replace, since instructions were selected for them.
    pub opaque: SideTable<NodeId, bool>,
    /// The words for nodes in rewrites.
    pub label: &'o Label<'o>,
    /// Is called after every rewrite.
    pub observe: Option<&'o mut Observer<'o>>,
}

/// Takes a rewrite and the graph after it.
pub type Observer<'o> = dyn FnMut(&Step, &Graph) + 'o;

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            paper_order: false,
            program: false,
            threads: 1,
            without: &[],
            opaque: SideTable::new(0),
            label: &print::label,
            observe: None,
        }
    }
}

/// The rewrites of a folding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Folded {
    /// The number of applications of each rule.
    pub counts: Vec<(&'static str, u64)>,
    pub waves: u64,
    /// For each node, its id before; new nodes have ids that no node had.
    pub origins: Vec<NodeId>,
}

impl Folded {
    pub fn rewrites(&self) -> u64 {
        self.counts.iter().map(|(_, count)| count).sum()
    }
}

/// Rewrites a graph until no rule matches.
///
/// Every node must have the operands of its row and be in a block, and every cycle of values must
/// have a Phi.
pub fn fold(graph: Graph, options: Options) -> (Graph, Folded) {
    wavefront::fold_wavefront(graph, options)
}

impl RootKind {
    /// The number of the group of an operation; rules do not distinguish the members of a group.
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
            RootKind::Const => group == 0,
            RootKind::Not => group == 1,
            RootKind::Binary => group == 2,
            RootKind::Cmp => group == 3,
            RootKind::Phi => group == 4,
            RootKind::Cond => group == 5,
            RootKind::Block => group == 6,
            RootKind::Inside => group != 6 && group != 7,
            RootKind::Any => true,
        }
    }
}
