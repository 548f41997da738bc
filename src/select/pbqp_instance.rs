//! Selection as a PBQP: every operation has alternatives, and neighbours must agree.
//!
//! An alternative of an operation is a role that it can have. It may be the *root* of a match: then
//! its value is in a register, at the cost of the rule. Or it may be an *inner* operation of a
//! match of its users: then it is computed by their instruction, at no cost of its own. Inner roles
//! with the same subpattern are one alternative, for all rules: the part of the pattern that begins
//! at the operation, without its names, is the key.
//!
//! An edge connects a user and an operand. The user's alternative *requires* a role of the operand,
//! the operand's alternative *provides* one. The matrix is 0 where they agree and ∞ elsewhere.
//! Source: S. Buchwald, A. Zwinkau, "Instruction Selection by Graph Transformation", CASES 2010.
use super::options::{Method, SelectionOptions};
use super::uncovered;
use crate::diagnostics::Diagnostic;
use crate::rules::{Match, ProgramGraph, ProgramId, RuleSet, Shape, match_variant, matches};
use arena::{Id, ListTable};
use pbqp::{Problem, Solution};
use std::ops::Index;

/// A role that an operation can have.
#[derive(Clone, Copy, Debug)]
pub struct Alternative {
    pub role: Role,
    /// The pattern, or the part of one, that begins here. It determines the required roles of the
    /// operands.
    pub shape: Shape,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The root of a match: the candidate with this number.
    Root(u32),
    /// Part of the match of a user.
    Inner,
    /// In a register, without a rule.
    #[cfg(feature = "ch05")]
    InRegister,
}

/// The instance of a program: node n of the problem is node n of the program.
pub struct Instance {
    pub problem: Problem,
    pub alternatives: Alternatives,
    pub candidates: Vec<Candidate>,
    method: Method,
}

/// A possible match. Matches themselves are larger, there are many, and few are chosen.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub variant: u32,
    pub root: ProgramId,
    cost: pbqp::Cost,
}

/// A solution of an instance, and the chosen matches in the order of their execution.
pub type Choice = (Solution, Vec<Match>);

impl Instance {
    pub fn new(program: &ProgramGraph, rules: &RuleSet, options: SelectionOptions) -> Instance {
        let SelectionOptions { objective, method } = options;
        let (mut candidates, mut roots, mut inner) = (Vec::new(), Vec::new(), Vec::new());
        for id in program.ids() {
            matches(rules, program, id).for_each(|found| {
                let Match { variant, root, .. } = found;
                let role = Role::Root(candidates.len() as u32);
                let shapes = rules.root_shapes(variant);
                roots.extend(found.roots().zip(shapes.map(|shape| Alternative { role, shape })));
                let shapes = rules.inner_shapes(variant).iter();
                inner.extend(found.inner().iter().copied().zip(shapes.copied()));
                let cost = pbqp::Cost::new(objective.of(&found, rules, program));
                candidates.push(Candidate { variant, root, cost });
            });
        }
        #[cfg(feature = "ch05")]
        roots.extend(in_registers(program, rules));
        let alternatives = Alternatives::new(program, roots, inner);
        let mut problem = Problem::new();
        let cost = |id: ProgramId, alternative: &Alternative| match alternative.role {
            Role::Root(candidate) if candidates[candidate as usize].root == id => {
                candidates[candidate as usize].cost
            }
            Role::Root(_) => pbqp::Cost::ZERO,
            Role::Inner => pbqp::Cost::ZERO,
            #[cfg(feature = "ch05")]
            Role::InRegister => pbqp::Cost::ZERO,
        };
        let mut costs = Vec::new();
        for id in program.ids() {
            costs.clear();
            costs.extend(alternatives[id.index()].iter().map(|it| cost(id, it)));
            problem.add_node(&costs);
        }
        let mut instance = Instance { problem, alternatives, candidates, method };
        let mut matrix = Vec::new();
        program.ids().for_each(|user| instance.add_edges(program, rules, user, &mut matrix));
        instance
    }

    /// A solution, and the matches of the chosen roots in the order of the program.
    pub fn choose(
        &self,
        program: &ProgramGraph,
        rules: &RuleSet,
    ) -> Result<Choice, Vec<Diagnostic>> {
        let solve = match self.method {
            Method::Greedy | Method::Pbqp => pbqp::solve,
            #[cfg(feature = "ch19")]
            Method::Heuristic => pbqp::solve_heuristically,
        };
        match solve(&self.problem) {
            Ok(solution) => {
                let chosen = self.chosen(program, rules, &solution.choice);
                Ok((solution, chosen))
            }
            Err(wrong) => Err(uncovered(program, Id::from_index(wrong.node.index()))),
        }
    }

    /// Adds the edges from a user to its operands; `matrix` is a buffer.
    fn add_edges(
        &mut self,
        program: &ProgramGraph,
        rules: &RuleSet,
        user: ProgramId,
        matrix: &mut Vec<pbqp::Cost>,
    ) {
        for (at, &operand) in program.operands(user).iter().enumerate() {
            let Some(operand) = operand else { continue };
            matrix.clear();
            // The operand is first in the program and gets the rows.
            for to in &self.alternatives[operand.index()] {
                let register = rules.shapes.register;
                let provided = match to.role {
                    #[cfg(not(feature = "ch19"))]
                    Role::Root(_) => [register; 2],
                    // It may also be inside the matches of its users, which compute it again.
                    #[cfg(feature = "ch19")]
                    Role::Root(_) => [register, to.shape],
                    Role::Inner => [to.shape; 2],
                    #[cfg(feature = "ch05")]
                    Role::InRegister => [register; 2],
                };
                matrix.extend(self.alternatives[user.index()].iter().map(|from| {
                    let agree = provided.contains(&rules.shapes.operand(from.shape, at));
                    if agree { pbqp::Cost::ZERO } else { pbqp::Cost::INFINITY }
                }));
            }
            let [user, operand] = [user, operand].map(|id| Id::from_index(id.index()));
            self.problem.add_edge(operand, user, matrix);
        }
    }

    /// The matches whose roots were chosen, in the order of the program.
    fn chosen(&self, program: &ProgramGraph, rules: &RuleSet, choice: &[u32]) -> Vec<Match> {
        let roots = choice.iter().enumerate().filter_map(|(node, &at)| {
            match self.alternatives[node][at as usize].role {
                Role::Root(candidate) => {
                    let Candidate { variant, root, .. } = self.candidates[candidate as usize];
                    let is_here = root.index() == node;
                    is_here.then(|| match_variant(rules, variant as usize, program, root)).flatten()
                }
                Role::Inner => None,
                #[cfg(feature = "ch05")]
                Role::InRegister => None,
            }
        });
        roots.collect()
    }
}

/// The operations whose values are in registers without a rule.
#[cfg(feature = "ch05")]
fn in_registers(
    program: &ProgramGraph,
    rules: &RuleSet,
) -> impl Iterator<Item = (ProgramId, Alternative)> {
    let alternative = Alternative { role: Role::InRegister, shape: rules.shapes.register };
    program.ids().filter(|&id| !program.op(id).is_selected()).map(move |id| (id, alternative))
}

/// The alternatives of each operation: roots in the order of the rules, then inner roles, each
/// once. Indexed by the number of an operation.
pub struct Alternatives {
    all: Vec<Alternative>,
    /// The start of each operation's alternatives, and the end of the last.
    starts: Vec<u32>,
}

impl Alternatives {
    /// The alternatives of all matches: the roles of their roots, and the shapes of their inner
    /// operations.
    fn new(
        program: &ProgramGraph,
        roots: Vec<(ProgramId, Alternative)>,
        inner: Vec<(ProgramId, Shape)>,
    ) -> Alternatives {
        let roots = ListTable::group(program.len(), roots.iter().copied());
        let inner = ListTable::group(program.len(), inner.iter().copied());
        let mut shapes = Vec::new();
        let mut alternatives = Alternatives { all: Vec::new(), starts: vec![0] };
        for id in program.ids() {
            alternatives.all.extend_from_slice(&roots[id]);
            shapes.clear();
            shapes.extend_from_slice(&inner[id]);
            shapes.sort_unstable();
            shapes.dedup();
            let inner = shapes.iter().map(|&shape| Alternative { role: Role::Inner, shape });
            alternatives.all.extend(inner);
            alternatives.starts.push(alternatives.all.len() as u32);
        }
        alternatives
    }
}

impl Index<usize> for Alternatives {
    type Output = [Alternative];

    fn index(&self, node: usize) -> &[Alternative] {
        &self.all[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
}
