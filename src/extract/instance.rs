//! Extraction as a PBQP: nodes are classes, alternatives are forms and "not needed".
//!
//! ```text
//! c_x(0) = 0,  c_x(1 + f) = cost(f);    C_xy(1 + f, 0) = ∞ if y is a child of f
//! ```
//!
//! The alternative "not needed" of a root costs ∞. A cycle of two classes is forbidden in their
//! matrix. A cycle of more classes c_1 → c_2 → … → c_k → c_1 gets a node of its own, whose
//! alternatives name the step that the selection leaves out: alternative i is incompatible with the
//! forms of c_i that need the next class.
use super::Problem;
use super::cycles::chosen_cycles;
use super::greedy::without_cycles;
use pbqp::{Budget, Cost, NodeId, Settings, solve_with};

/// The instance of a problem: node n is class n, alternative 0 is "not needed", and alternative
/// 1 + f is the form f. Cycles of more than two classes are not forbidden.
pub fn instance(problem: &Problem) -> pbqp::Problem {
    scaled(problem, 1)
}

/// The instance with costs times `scale`.
fn scaled(problem: &Problem, scale: u64) -> pbqp::Problem {
    let mut instance = pbqp::Problem::new();
    let mut costs = Vec::new();
    for forms in &problem.classes {
        costs.clear();
        costs.push(Cost::ZERO);
        costs.extend(forms.iter().map(|form| Cost::new(scale * u64::from(form.cost))));
        instance.add_node(&costs);
    }
    for &root in &problem.roots {
        instance.add_cost(node(root), 0, Cost::INFINITY);
    }
    let mut children = Vec::new();
    for (class, forms) in (0..).zip(&problem.classes) {
        children.clear();
        children.extend(forms.iter().flat_map(|form| &form.children));
        children.sort_unstable();
        children.dedup();
        for &child in &children {
            let others = &problem.classes[child as usize];
            instance.add_edge_with(node(class), node(child), |i, j| {
                let needs_child = i > 0 && forms[i - 1].children.contains(&child);
                let is_cycle = || j > 0 && others[j - 1].children.contains(&class);
                let is_forbidden = needs_child && (j == 0 || is_cycle());
                if is_forbidden { Cost::INFINITY } else { Cost::ZERO }
            });
        }
    }
    instance
}

/// A choice without cycles and a lower bound for the costs of all. `None` if the solver gave up
/// before it found any.
pub fn solve(problem: &Problem) -> (Option<Vec<Option<u32>>>, u64) {
    let forms = || problem.classes.iter().flatten();
    let largest = forms().map(|form| u64::from(form.cost)).max().unwrap_or(0);
    let scale = (Cost::MAX_INPUT / largest.max(1)).min(MAX_SCALE);
    let mut instance = scaled(problem, scale);
    let rounds = (FORMS_OF_ALL_ROUNDS / (1 + forms().count())).clamp(MIN_ROUNDS, MAX_ROUNDS);
    let (mut last, mut bound, mut steps) = (None, 0, STEPS);
    for _ in 0..rounds {
        let settings = Settings { budget: Budget::new(steps), ..Settings::default() };
        let Ok(solution) = solve_with(&instance, settings) else { break };
        let least = solution.lower_bound().value().expect("a solution has a finite cost");
        bound = bound.max(least.div_ceil(scale));
        let alternatives = &solution.choice[..problem.classes.len()];
        let choices: Vec<_> = alternatives.iter().map(|it| it.checked_sub(1)).collect();
        let cycles = chosen_cycles(problem, &choices);
        if cycles.is_empty() {
            return (Some(choices), bound);
        }
        if !solution.is_optimal() {
            steps = STEPS_WITHOUT_PROOF;
        }
        cycles.iter().for_each(|cycle| forbid(&mut instance, problem, cycle));
        last = Some(without_cycles(problem, &choices));
    }
    (last, bound)
}

/// The bounds of the solver divide costs among neighbours, and costs are integers: larger ones have
/// better bounds.
const MAX_SCALE: u64 = 720;

/// An instance is solved so many times, fewer if there are many forms.
const MIN_ROUNDS: usize = 3;
const MAX_ROUNDS: usize = 64;
const FORMS_OF_ALL_ROUNDS: usize = 300_000;

/// The steps of a search, and those of later ones after one that has proved no optimum.
const STEPS: u64 = 8_000_000;
const STEPS_WITHOUT_PROOF: u64 = 1_000_000;

/// Adds a node that forbids a cycle. Cycles of two classes are forbidden by their edge.
fn forbid(instance: &mut pbqp::Problem, problem: &Problem, cycle: &[u32]) {
    let steps = instance.add_node(&vec![Cost::ZERO; cycle.len()]);
    for (at, &class) in cycle.iter().enumerate() {
        let next = cycle[(at + 1) % cycle.len()];
        let forms = &problem.classes[class as usize];
        instance.add_edge_with(steps, node(class), |i, j| {
            let takes_step = 0 < j && forms[j - 1].children.contains(&next);
            if i == at && takes_step { Cost::INFINITY } else { Cost::ZERO }
        });
    }
}

fn node(class: u32) -> NodeId {
    NodeId::from_index(class as usize)
}
