//! Rules, the nodes that they are tried on, and their phases.
use super::rewriter::Rewriter;
use crate::firm::graph::NodeId;
use crate::firm::op::Op;

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

impl Rule {
    /// Whether graphs are sound without it.
    pub fn is_optional(&self) -> bool {
        self.phase != Phase::Dead && self.phase != Phase::Program
    }
}

impl RootKind {
    /// The number of the group of an operation; rules do not distinguish the members of a group.
    pub fn group(op: Op) -> usize {
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

    pub const GROUPS: usize = 9;

    /// Whether a rule is tried on the operations of a group.
    pub fn takes(self, group: usize) -> bool {
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
