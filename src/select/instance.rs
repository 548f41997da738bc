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
use crate::base::ids::Id;
use crate::base::lists::Lists;
use crate::diag::Diag;
use crate::pbqp::{self, Problem};
use crate::rules::{Match, Program, ProgramId, RuleSet, Shape, fits, matches};
use std::ops::Index;

/// A role an operation can play.
#[derive(Clone, Copy, Debug)]
pub struct Alternative {
    pub role: Role,
    /// The pattern, or the part of one, that begins here: what it asks of the operands.
    pub shape: Shape,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The root of a match: where the fit with this number is.
    Root(u32),
    /// Part of the match of a user.
    Inner,
    /// In a register, without a rule.
    #[cfg(feature = "ch05")]
    Given,
}

/// The instance of a program: node n of the problem is node n of the program.
pub struct Instance {
    pub problem: Problem,
    pub alternatives: Alternatives,
    pub fits: Vec<Fit>,
}

/// That a rule fits somewhere. Matches say more, but there are many, and few are chosen.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    pub variant: u32,
    root: ProgramId,
    cost: pbqp::Cost,
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
    let chosen = instance.chosen(&program, rules, &solution.choice);
    Ok(Selection { program, rules, chosen, solved: Some((instance, solution)) })
}

impl Instance {
    fn new(program: &Program, rules: &RuleSet, cost: Cost) -> Instance {
        let (mut fits, mut inner) = (Vec::new(), Vec::new());
        for found in program.ids().flat_map(|id| matches(rules, program, id)) {
            let Match { variant, root, .. } = found;
            let cost = pbqp::Cost::new(cost.of(&found, rules, program));
            fits.push(Fit { variant, root, cost });
            inner.extend(
                found.inner().iter().copied().zip(rules.shapes_of(variant)[1..].iter().copied()),
            );
        }
        let alternatives = Alternatives::new(program, rules, &fits, inner);
        let mut problem = Problem::new();
        let cost = |alternative: &Alternative| match alternative.role {
            Role::Root(fit) => fits[fit as usize].cost,
            Role::Inner => pbqp::Cost::ZERO,
            #[cfg(feature = "ch05")]
            Role::Given => pbqp::Cost::ZERO,
        };
        let mut costs = Vec::new();
        for id in program.ids() {
            costs.clear();
            costs.extend(alternatives[id.index()].iter().map(cost));
            problem.add_node(&costs);
        }
        let mut instance = Instance { problem, alternatives, fits };
        let mut matrix = Vec::new();
        program.ids().for_each(|user| instance.add_edges(program, rules, user, &mut matrix));
        instance
    }

    /// The edges from a user to its operands; `matrix` is room to write in.
    fn add_edges(
        &mut self,
        program: &Program,
        rules: &RuleSet,
        user: ProgramId,
        matrix: &mut Vec<pbqp::Cost>,
    ) {
        for (at, &operand) in program.operands(user).iter().enumerate() {
            let Some(operand) = operand else { continue };
            matrix.clear();
            // The operand stands first in the program, and gets the rows.
            for to in &self.alternatives[operand.index()] {
                let provided = match to.role {
                    Role::Root(_) => rules.shapes.register,
                    Role::Inner => to.shape,
                    #[cfg(feature = "ch05")]
                    Role::Given => rules.shapes.register,
                };
                matrix.extend(self.alternatives[user.index()].iter().map(|from| {
                    let agree = rules.shapes.operand(from.shape, at) == provided;
                    if agree { pbqp::Cost::ZERO } else { pbqp::Cost::INFINITY }
                }));
            }
            let [user, operand] = [user, operand].map(|id| Id::from_index(id.index()));
            self.problem.add_edge(operand, user, matrix);
        }
    }

    /// The matches whose roots were chosen, in the order of the program.
    fn chosen(&self, program: &Program, rules: &RuleSet, choice: &[u32]) -> Vec<Match> {
        let roots = choice.iter().enumerate().filter_map(|(node, &at)| {
            match self.alternatives[node][at as usize].role {
                Role::Root(fit) => {
                    let Fit { variant, root, .. } = self.fits[fit as usize];
                    fits(rules, variant as usize, program, root)
                }
                Role::Inner => None,
                #[cfg(feature = "ch05")]
                Role::Given => None,
            }
        });
        roots.collect()
    }
}

/// What each operation can be: roots in the order of the rules, then inner roles, each once.
/// They stand one after the other; indexed by the number of an operation they are its own.
pub struct Alternatives {
    all: Vec<Alternative>,
    /// Where those of each operation begin, and where the last end.
    starts: Vec<u32>,
}

impl Alternatives {
    /// The fits stand in the order of their roots; `inner` are the inner roles of all of them.
    fn new(
        program: &Program,
        rules: &RuleSet,
        fits: &[Fit],
        inner: Vec<(ProgramId, Shape)>,
    ) -> Alternatives {
        let inner = Lists::group(program.len(), inner.iter().copied());
        let mut shapes = Vec::new();
        let mut roots = fits.iter().enumerate().peekable();
        let mut alternatives = Alternatives { all: Vec::new(), starts: vec![0] };
        for id in program.ids() {
            while let Some((number, fit)) = roots.next_if(|(_, fit)| fit.root == id) {
                let (role, shape) = (Role::Root(number as u32), rules.shapes_of(fit.variant)[0]);
                alternatives.all.push(Alternative { role, shape });
            }
            shapes.clear();
            shapes.extend_from_slice(&inner[id]);
            shapes.sort_unstable();
            shapes.dedup();
            let inner = shapes.iter().map(|&shape| Alternative { role: Role::Inner, shape });
            alternatives.all.extend(inner);
            alternatives.all.extend(GIVEN.iter().filter_map(|given| given(program, rules, id)));
            alternatives.starts.push(alternatives.all.len() as u32);
        }
        alternatives
    }
}

/// What is in a register though no rule puts it there.
const GIVEN: &[fn(&Program, &RuleSet, ProgramId) -> Option<Alternative>] = &[
    #[cfg(feature = "ch05")]
    |program, rules, id| {
        let given = Alternative { role: Role::Given, shape: rules.shapes.register };
        (!program.op(id).is_selected()).then_some(given)
    },
];

impl Index<usize> for Alternatives {
    type Output = [Alternative];

    fn index(&self, node: usize) -> &[Alternative] {
        &self.all[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
}
