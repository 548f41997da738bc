//! What the solver tells: the names of its steps, each step, and how many there were.
use super::problem::NodeId;
use arena::Id;
use std::fmt;

/// What a reduction is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// An alternative cannot be part of any selection.
    Dead,
    /// Another alternative is never worse.
    #[cfg(feature = "ch19")]
    Dominated,
    RE,
    R0,
    R1,
    R2,
    #[cfg(feature = "ch19")]
    RM,
    /// Branch and bound.
    #[cfg(feature = "ch19")]
    BB,
    RN,
}

impl Rule {
    /// In the order of their declaration.
    pub const ALL: &[Rule] = &[
        Rule::Dead,
        #[cfg(feature = "ch19")]
        Rule::Dominated,
        Rule::RE,
        Rule::R0,
        Rule::R1,
        Rule::R2,
        #[cfg(feature = "ch19")]
        Rule::RM,
        #[cfg(feature = "ch19")]
        Rule::BB,
        Rule::RN,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Rule::Dead => "dead",
            #[cfg(feature = "ch19")]
            Rule::Dominated => "dominated",
            Rule::RE => "RE",
            Rule::R0 => "R0",
            Rule::R1 => "R1",
            Rule::R2 => "R2",
            #[cfg(feature = "ch19")]
            Rule::RM => "RM",
            #[cfg(feature = "ch19")]
            Rule::BB => "BB",
            Rule::RN => "RN",
        }
    }
}

/// How often each rule was used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics([u32; Rule::ALL.len()]);

impl Statistics {
    pub fn count(&self, rule: Rule) -> u32 {
        self.0[rule as usize]
    }

    pub(super) fn add(&mut self, rule: Rule) {
        self.0[rule as usize] += 1;
    }

    /// Whether nothing was guessed: then no selection is cheaper.
    pub fn is_optimal(&self) -> bool {
        self.count(Rule::RN) == 0
    }
}

/// One step of the solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reduction<'a> {
    pub rule: Rule,
    pub node: NodeId,
    /// Where the rest of the problem feels it: the other end of RE's edge, the nodes that R1 and
    /// R2 leave their costs to.
    pub others: &'a [NodeId],
    /// The alternative that is dead, or that R0 or RN takes.
    pub alternative: Option<u32>,
}

impl fmt::Display for Reduction<'_> {
    /// `RE 0-2`, `R1 3 into 5`, `R2 4 into 0-5`, `RN 7 takes 0`
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let joint = match self.rule {
            Rule::Dead => " alternative ",
            #[cfg(feature = "ch19")]
            Rule::Dominated => " alternative ",
            Rule::RE => "-",
            Rule::R0 | Rule::RN => " takes ",
            #[cfg(feature = "ch19")]
            Rule::BB => " takes ",
            Rule::R1 | Rule::R2 => " into ",
            #[cfg(feature = "ch19")]
            Rule::RM => " into ",
        };
        write!(f, "{} {}{joint}", self.rule.name(), self.node.index())?;
        let others = self.others.iter().map(|other| other.index().to_string());
        let others = others.chain(self.alternative.map(|alternative| alternative.to_string()));
        write!(f, "{}", others.collect::<Vec<_>>().join("-"))
    }
}
