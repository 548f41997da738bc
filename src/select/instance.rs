//! Selection as a PBQP: every operation has alternatives, and neighbours must agree.
//!
//! An alternative of an operation is the role it can play. It may be the *root* of a match: then
//! its value ends up in a register, and that costs what the rule costs. Or it may be an *inner*
//! operation of a match of its users: then it is computed by their instruction, at no cost of its
//! own. Inner roles that look the same from below are one alternative, whatever rules they belong
//! to: the part of the pattern that begins at the operation, without its names, is its key.
//!
//! An edge leads from a user to an operand. The user's alternative *requires* a role there, the
//! operand's alternative *provides* one; the matrix is 0 where they agree and ∞ elsewhere.
//! Source: S. Buchwald, A. Zwinkau, "Instruction Selection by Graph Transformation", CASES 2010.
use super::{Cost, Selection, uncovered};
use crate::base::ids::{Id, SideTable};
use crate::diag::Diag;
use crate::pbqp::{self, Problem};
use crate::rules::{Match, Program, ProgramId, RuleSet, Shape, matches};

/// A role an operation can play.
#[derive(Clone, Copy, Debug)]
pub struct Alternative {
    pub role: Role,
    /// The pattern, or the part of one, that begins here: what it asks of the operands.
    pub shape: Shape,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The root of the match with this number.
    Root(u32),
    /// Part of the match of a user.
    Inner,
}

/// The instance of a program: node n of the problem is node n of the program.
pub struct Instance {
    pub problem: Problem,
    pub alternatives: Vec<Vec<Alternative>>,
    pub matches: Vec<Match>,
}

/// Covers a program by solving its instance.
pub fn solve<'g>(
    program: Program<'g>,
    rules: &'g RuleSet,
    cost: Cost,
) -> Result<Selection<'g>, Vec<Diag>> {
    let instance = Instance::new(&program, rules, cost);
    let solution = match pbqp::solve(&instance.problem) {
        Ok(solution) => solution,
        Err(wrong) => return Err(uncovered(&program, Id::from_index(wrong.node.index()))),
    };
    let chosen = instance.chosen(&solution.choice);
    Ok(Selection { program, rules, chosen, solved: Some((instance, solution)) })
}

impl Instance {
    fn new(program: &Program, rules: &RuleSet, cost: Cost) -> Instance {
        let matches: Vec<_> = program.ids().flat_map(|id| matches(rules, program, id)).collect();
        let alternatives = alternatives(program, rules, &matches);
        let mut problem = Problem::new();
        let cost = |alternative: &Alternative| match alternative.role {
            Role::Root(found) => pbqp::Cost::new(cost.of(&matches[found as usize], rules, program)),
            Role::Inner => pbqp::Cost::ZERO,
        };
        for roles in &alternatives {
            problem.add_node(&roles.iter().map(cost).collect::<Vec<_>>());
        }
        let mut instance = Instance { problem, alternatives, matches };
        program.ids().for_each(|user| instance.add_edges(program, rules, user));
        instance
    }

    /// The edges from a user to its operands.
    fn add_edges(&mut self, program: &Program, rules: &RuleSet, user: ProgramId) {
        for (at, &operand) in program.operands(user).iter().enumerate() {
            let Some(operand) = operand else { continue };
            let mut matrix = Vec::new();
            for from in &self.alternatives[user.index()] {
                let required = rules.shapes.operands(from.shape)[at];
                for to in &self.alternatives[operand.index()] {
                    let provided = match to.role {
                        Role::Root(_) => rules.shapes.register,
                        Role::Inner => to.shape,
                    };
                    let agree = required == provided;
                    matrix.push(if agree { pbqp::Cost::ZERO } else { pbqp::Cost::INFINITY });
                }
            }
            let [user, operand] = [user, operand].map(|id| Id::from_index(id.index()));
            self.problem.add_edge(user, operand, &matrix);
        }
    }

    /// The matches whose roots were chosen, in the order of the program.
    fn chosen(&self, choice: &[u32]) -> Vec<Match> {
        let pairs = self.alternatives.iter().zip(choice);
        let roots = pairs.filter_map(|(roles, &at)| match roles[at as usize].role {
            Role::Root(found) => Some(self.matches[found as usize].clone()),
            Role::Inner => None,
        });
        roots.collect()
    }
}

/// What each operation can be: roots in the order of the rules, then inner roles, each once.
fn alternatives(program: &Program, rules: &RuleSet, matches: &[Match]) -> Vec<Vec<Alternative>> {
    let mut all: SideTable<ProgramId, Vec<Alternative>> = SideTable::new(program.len());
    for (number, found) in matches.iter().enumerate() {
        let role = Role::Root(number as u32);
        all[found.root].push(Alternative { role, shape: rules.shapes_of(found)[0] });
    }
    for found in matches {
        let inner = found.inner.iter().zip(&rules.shapes_of(found)[1..]);
        for (&node, &shape) in inner {
            let known = |it: &Alternative| it.role == Role::Inner && it.shape == shape;
            if !all[node].iter().any(known) {
                all[node].push(Alternative { role: Role::Inner, shape });
            }
        }
    }
    program.ids().map(|id| std::mem::take(&mut all[id])).collect()
}
