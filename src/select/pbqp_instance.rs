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
use super::no_rule_covers;
use super::options::{Method, SelectionOptions};
use crate::diagnostics::Diagnostic;
use crate::rules::{MatchKey, Matcher, ProgramGraph, ProgramId, RuleSet, Shape};
use arena::{Id, ListTable, SideTable};
#[cfg(feature = "ch19")]
use pbqp::Settings;
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

/// A possible match. There are many, and few are chosen.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub key: MatchKey,
    cost: pbqp::Cost,
}

/// The nodes of an operand and its user.
type Ends = [pbqp::NodeId; 2];

/// A solution of an instance, and the chosen matches in the order of their execution.
pub type Choice = (Solution, Vec<MatchKey>);

impl Instance {
    /// The instance of a program, without edges.
    pub fn new(program: &ProgramGraph, rules: &RuleSet, options: SelectionOptions) -> Instance {
        let SelectionOptions { objective, method, .. } = options;
        // Most operations have two matches or fewer.
        let mut candidates = Vec::with_capacity(2 * program.len());
        let (mut roots, mut inner) = (Vec::with_capacity(2 * program.len()), Vec::new());
        let mut matcher = Matcher::new(rules, program);
        for id in program.ids() {
            matcher.for_each_match(id, |found| {
                let MatchKey { variant, root } = found.key();
                let role = Role::Root(candidates.len() as u32);
                roots.push((root, Alternative { role, shape: rules.shape(variant) }));
                #[cfg(feature = "ch10")]
                for (&root, &shape) in found.extra_roots().iter().zip(rules.extra_shapes(variant)) {
                    roots.push((root, Alternative { role, shape }));
                }
                let shapes = rules.inner_shapes(variant).iter();
                inner.extend(found.inner().iter().copied().zip(shapes.copied()));
                let cost = pbqp::Cost::new(program.cost(found, rules, objective));
                candidates.push(Candidate { key: found.key(), cost });
            });
            // The value is in a register without a rule.
            #[cfg(feature = "ch05")]
            if !program.op(id).is_selected() {
                let shape = rules.shapes.register;
                roots.push((id, Alternative { role: Role::InRegister, shape }));
            }
        }
        let alternatives = Alternatives::new(program, roots, inner);
        let mut problem = Problem::with_capacity(program.len(), alternatives.all.len());
        let cost = |id: ProgramId, alternative: &Alternative| match alternative.role {
            Role::Root(candidate) if candidates[candidate as usize].key.root == id => {
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
        Instance { problem, alternatives, candidates, method }
    }

    /// Adds the edges from all users to their operands. An edge without influence is stated only
    /// for pictures, or if there is another edge between the same two: so the order of the others
    /// is always the same.
    pub fn add_edges(&mut self, program: &ProgramGraph, rules: &RuleSet, states_all: bool) {
        let mut matrix = Vec::new();
        // Of the operands of the current user: a jump may have any number of them.
        let mut last_positions: SideTable<ProgramId, usize> = SideTable::new(program.len());
        for user in program.ids() {
            let operands = program.operands(user).iter().enumerate();
            let operands = operands.filter_map(|(at, operand)| Some((at, (*operand)?)));
            operands.clone().for_each(|(at, operand)| last_positions[operand] = at);
            for (at, operand) in operands {
                let is_repeated = last_positions[operand] > at;
                let ends = [operand, user].map(|id| Id::from_index(id.index()));
                if self.has_influence(rules, ends, at) {
                    self.write_matrix(rules, ends, at, &mut matrix);
                    self.problem.add_edge(ends[0], ends[1], &matrix);
                } else if states_all || is_repeated {
                    self.problem.add_zero_edge(ends[0], ends[1]);
                }
            }
        }
    }

    /// A solution, and the matches of the chosen roots in the order of the program.
    pub fn choose(&self, program: &ProgramGraph) -> Result<Choice, Vec<Diagnostic>> {
        let solve = match self.method {
            Method::Greedy | Method::Pbqp => pbqp::solve,
            #[cfg(feature = "ch19")]
            Method::Heuristic => pbqp::solve_heuristically,
        };
        match solve(&self.problem) {
            Ok(solution) => {
                let chosen = self.chosen(&solution.choice);
                Ok((solution, chosen))
            }
            Err(wrong) => {
                let id = Id::from_index(wrong.node.index());
                Err(no_rule_covers(program.op(id), program.own_mode(id)))
            }
        }
    }

    /// Solves the problem in the same steps as before.
    #[cfg(feature = "ch19")]
    pub fn solve_again(&self, observer: pbqp::Observer) {
        let search = match self.method {
            Method::Greedy | Method::Pbqp => true,
            #[cfg(feature = "ch19")]
            Method::Heuristic => false,
        };
        let settings = Settings { search, trace: Some(observer), ..Settings::default() };
        pbqp::solve_with(&self.problem, settings).expect("it has a solution");
    }

    /// Whether an alternative of the operand at `at` and one of the user do not agree.
    fn has_influence(&self, rules: &RuleSet, [operand, user]: Ends, at: usize) -> bool {
        let is_inner = |it: &Alternative| it.role == Role::Inner;
        let register = rules.shapes.register;
        self.alternatives[operand.index()].last().is_some_and(is_inner)
            || self.alternatives[user.index()]
                .iter()
                .any(|from| rules.shapes.operand(from.shape, at) != register)
    }

    /// The matrix between a user and its operand at `at`. The operand is first in the program and
    /// gets the rows.
    fn write_matrix(
        &self,
        rules: &RuleSet,
        [operand, user]: Ends,
        at: usize,
        matrix: &mut Vec<pbqp::Cost>,
    ) {
        matrix.clear();
        let register = rules.shapes.register;
        for to in &self.alternatives[operand.index()] {
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
    }

    /// The matches whose roots were chosen, in the order of the program.
    fn chosen(&self, choice: &[u32]) -> Vec<MatchKey> {
        let mut chosen = Vec::with_capacity(choice.len());
        for (node, &at) in choice.iter().enumerate() {
            if let Role::Root(number) = self.alternatives[node][at as usize].role {
                let key = self.candidates[number as usize].key;
                chosen.extend(Some(key).filter(|it| it.root.index() == node));
            }
        }
        chosen
    }
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
        mut roots: Vec<(ProgramId, Alternative)>,
        inner: Vec<(ProgramId, Shape)>,
    ) -> Alternatives {
        // All are in order but further roots.
        roots.sort_by_key(|it| it.0);
        let inner = ListTable::group(program.len(), inner.iter().copied());
        let (mut roots, mut shapes) = (roots.into_iter().peekable(), Vec::new());
        let mut all = Vec::with_capacity(roots.len() + inner.len());
        let mut starts = Vec::with_capacity(program.len() + 1);
        for id in program.ids() {
            starts.push(all.len() as u32);
            while let Some((_, root)) = roots.next_if(|it| it.0 == id) {
                all.push(root);
            }
            shapes.clear();
            shapes.extend_from_slice(&inner[id]);
            shapes.sort_unstable();
            shapes.dedup();
            all.extend(shapes.iter().map(|&shape| Alternative { role: Role::Inner, shape }));
        }
        starts.push(all.len() as u32);
        Alternatives { all, starts }
    }
}

impl Index<usize> for Alternatives {
    type Output = [Alternative];

    fn index(&self, node: usize) -> &[Alternative] {
        &self.all[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
}
