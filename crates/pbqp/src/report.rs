//! The trace of the solver: its rules, each application of one, and how often each was applied.
use crate::graph::Graph;
use crate::problem::NodeId;
use crate::residual::Residual;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

/// A rule of the solver. All but [`Rule::RN`] keep the optimum.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// An alternative that is forbidden by a neighbour is removed: arc consistency.
    Pruned,
    /// An alternative is removed because another is never worse: dead-end elimination.
    Dominated,
    /// An edge whose matrix is the sum of a row vector and a column vector is removed.
    RE,
    /// A node without edges takes its cheapest alternative.
    R0,
    /// A node with one edge is eliminated: its costs move into its neighbour's vector.
    R1,
    /// A node with two edges is eliminated: its costs move into a matrix between its neighbours.
    R2,
    /// A node whose choice follows from a neighbour's is merged into that neighbour.
    RM,
    /// A node takes an alternative that branch and bound proved optimal.
    BB,
    /// A node takes an alternative chosen heuristically.
    RN,
}

impl Rule {
    /// All rules, in the order of their declaration.
    pub const ALL: [Rule; 9] = [
        Rule::Pruned,
        Rule::Dominated,
        Rule::RE,
        Rule::R0,
        Rule::R1,
        Rule::R2,
        Rule::RM,
        Rule::BB,
        Rule::RN,
    ];

    /// The name in traces and statistics.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Pruned => "pruned",
            Rule::Dominated => "dominated",
            Rule::RE => "RE",
            Rule::R0 => "R0",
            Rule::R1 => "R1",
            Rule::R2 => "R2",
            Rule::RM => "RM",
            Rule::BB => "BB",
            Rule::RN => "RN",
        }
    }

    /// The rule as mathematics: c are costs of nodes, C those of edges.
    pub fn law(self) -> &'static str {
        match self {
            Rule::Pruned => "c_x(i) = ∞ if C_xy(i, j) + c_y(j) = ∞ for all j",
            Rule::Dominated => "c_x(i) = ∞ if another i is never more expensive",
            Rule::RE => "C_xy(i, j) = a(i) + b(j): a moves into c_x, b into c_y",
            Rule::R0 => "x takes the i with the least c_x(i)",
            Rule::R1 => "c_y(j) += min_i (c_x(i) + C_xy(i, j))",
            Rule::R2 => "C_yz(j, l) += min_i (c_x(i) + C_xy(i, j) + C_xz(i, l))",
            Rule::RM => "x has one i for each j of y: its costs move to y",
            Rule::BB => "x takes the i of the best selection that a search found",
            Rule::RN => "x takes the i with the least c_x(i) + Σ_y min_j (c_y(j) + C_xy(i, j))",
        }
    }
}

/// How often each rule was applied.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics([u32; Rule::ALL.len()]);

impl Statistics {
    /// How often `rule` was applied.
    pub fn count(&self, rule: Rule) -> u32 {
        self.0[rule as usize]
    }

    /// Whether only rules were applied that keep the optimum.
    pub fn is_exact(&self) -> bool {
        self.count(Rule::RN) == 0
    }
}

/// One application of a rule. As text: `RE 0-2`, `R1 3 into 5`, `R2 4 into 0-5`, `RN 7 takes 0`.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Reduction<'a> {
    /// The rule.
    pub rule: Rule,
    /// The node that it is applied to.
    pub node: NodeId,
    /// The other nodes that change: the other end of RE's edge, or the nodes whose costs R1, R2
    /// or RM changes.
    pub others: &'a [NodeId],
    /// The alternative that is removed or taken.
    pub alternative: Option<u32>,
    /// The rest of the problem after it.
    pub residual: Residual<'a>,
}

impl fmt::Display for Reduction<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let separator = match self.rule {
            Rule::Pruned | Rule::Dominated => " alternative ",
            Rule::RE => "-",
            Rule::R0 | Rule::BB | Rule::RN => " takes ",
            Rule::R1 | Rule::R2 | Rule::RM => " into ",
        };
        write!(f, "{} {}{separator}", self.rule.name(), self.node.index())?;
        let others = self.others.iter().map(|other| other.index().to_string());
        let others = others.chain(self.alternative.map(|alternative| alternative.to_string()));
        write!(f, "{}", others.collect::<Vec<_>>().join("-"))
    }
}

/// A function that is called for each reduction.
pub type Observer<'o> = &'o mut dyn FnMut(Reduction);

/// Counts reductions and passes them on.
pub(crate) struct Reporter<'o> {
    pub observer: Option<Observer<'o>>,
    pub statistics: Statistics,
}

impl<'o> Reporter<'o> {
    pub fn new(observer: Option<Observer<'o>>) -> Reporter<'o> {
        Reporter { observer, statistics: Statistics::default() }
    }

    /// A reduction that involves several nodes.
    pub fn reduced(&mut self, graph: &Graph, rule: Rule, node: NodeId, others: &[NodeId]) {
        let residual = Residual(graph);
        self.report(Reduction { rule, node, others, alternative: None, residual });
    }

    /// A reduction that removes or takes an alternative.
    pub fn chosen(&mut self, graph: &Graph, rule: Rule, node: NodeId, alternative: u32) {
        let (others, alternative, residual) = (&[], Some(alternative), Residual(graph));
        self.report(Reduction { rule, node, others, alternative, residual });
    }

    fn report(&mut self, reduction: Reduction) {
        self.statistics.0[reduction.rule as usize] += 1;
        if let Some(observer) = &mut self.observer {
            observer(reduction);
        }
    }
}
