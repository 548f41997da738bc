//! Results: a selection with the quality of its cost, or the reason why there is none.
use crate::cost::Cost;
use crate::problem::NodeId;
use crate::report::{Rule, Statistics};
use alloc::format;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;
use core::ops::Index;

/// A selection of finite cost. `solution[node]` is the alternative of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Solution {
    /// The alternative of each node.
    pub choice: Vec<u32>,
    /// The cost of the selection.
    pub cost: Cost,
    /// No selection costs less than `cost` minus this: zero if the selection is proved optimal.
    pub gap: Cost,
    /// How often each rule was applied.
    pub statistics: Statistics,
}

impl Solution {
    /// Whether it is proved that no selection is cheaper.
    pub fn is_optimal(&self) -> bool {
        self.gap == Cost::ZERO
    }

    /// No selection costs less than this.
    pub fn lower_bound(&self) -> Cost {
        self.cost - self.gap
    }

    /// A text: how often each rule was applied, and the quality of the cost.
    pub fn report(&self) -> String {
        let count = |rule: Rule| format!("{} {}\n", rule.name(), self.statistics.count(rule));
        let counts: String = Rule::ALL.into_iter().map(count).collect();
        let nodes = self.choice.len();
        let exact = nodes - self.statistics.count(Rule::RN) as usize;
        let quality = match self.is_optimal() {
            true => "optimal\n".to_string(),
            false => format!("not proven optimal\nat least {}\n", self.lower_bound()),
        };
        format!("{counts}{exact} of {nodes} nodes without a heuristic choice\n{quality}")
    }
}

impl Index<NodeId> for Solution {
    type Output = u32;

    fn index(&self, node: NodeId) -> &u32 {
        &self.choice[node.index()]
    }
}

/// No selection of finite cost was found.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Infeasible {
    /// A node for which no alternative is left, or none whose cost is finite in sum.
    pub node: NodeId,
    /// Whether it is proved that there is no selection of finite cost. Otherwise a heuristic choice
    /// may be the reason, or the budget was too small.
    pub proven: bool,
}

impl fmt::Display for Infeasible {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let what = if self.proven { "there is no solution" } else { "no solution found" };
        write!(f, "{what}: node {} has no alternative left", self.node.index())
    }
}

impl Error for Infeasible {}
