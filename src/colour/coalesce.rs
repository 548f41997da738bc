//! Coalescing: first by recolouring, then by PBQPs around the copies that remain.
//!
//! In a PBQP the live ranges are nodes, their registers are alternatives. An edge between ranges
//! that interfere forbids equal registers. An edge between ranges that are copied costs the
//! executions of the copy, unless the registers are equal. The colouring is one solution. The
//! ranges around one copy at a time are solved, and all others keep their registers. (Buchwald,
//! Zwinkau & Bersch, 2011, solve whole functions heuristically; subproblems: P. Shaw, Large
//! Neighbourhood Search, 1998.)
use crate::colour::color::Colours;
use crate::colour::interference::Graph;
use crate::colour::recolour::Recolouring;
use crate::ia32::Register;
use crate::ia32::register::{CALLEE_SAVED, NAMES, RegisterSet};
use arena::Id;
use pbqp::{Budget, Cost, NodeId, Problem, Settings, solve_with};
use std::collections::VecDeque;

/// The number of live ranges in a problem.
const NEIGHBOURHOOD_SIZE: usize = 8;

/// A function has so many problems, and one more for some number of live ranges.
const MIN_PROBLEMS: usize = 4;
const RANGES_PER_PROBLEM: usize = 1024;

/// The steps of a search.
const STEPS: u64 = 500;

/// How the problems of a function were solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    pub problems: usize,
    /// The problems whose solution is proved optimal.
    pub optimal: usize,
    /// The cost of all copies, before and after.
    pub before: u64,
    pub after: u64,
}

/// Registers that need fewer copies.
pub fn coalesce(graph: &Graph, colours: Colours) -> (Colours, Statistics) {
    let used = colours.used();
    let mut available = RegisterSet::EMPTY;
    // Another register that must be saved would cost more than most copies.
    let all = (0..NAMES.len()).map(Register::from_index);
    all.filter(|it| used.contains(*it) || !CALLEE_SAVED.contains(it))
        .for_each(|it| available.insert(it));
    let before = cost(graph, &colours);
    let mut recolouring = Recolouring::new(graph, colours, available);
    for &(_, a, b) in &graph.copies {
        if recolouring.colour(a) != recolouring.colour(b) && !graph.interfere(a, b) {
            recolouring.join(a, b);
        }
    }
    let colours = recolouring.finish();
    let statistics = Statistics { before, ..Statistics::default() };
    let mut coalescing = Coalescing { graph, colours, available, statistics };
    coalescing.solve_neighbourhoods();
    let Coalescing { colours, mut statistics, .. } = coalescing;
    statistics.after = cost(graph, &colours);
    (colours, statistics)
}

/// The executions of all copies between different registers.
pub fn cost(graph: &Graph, colours: &Colours) -> u64 {
    let differ = graph.copies.iter().filter(|&&(_, a, b)| colours.of(a) != colours.of(b));
    differ.map(|it| it.0).sum()
}

struct Coalescing<'g> {
    graph: &'g Graph,
    colours: Colours,
    available: RegisterSet,
    statistics: Statistics,
}

impl Coalescing<'_> {
    /// Solves the neighbourhoods of copies that remain.
    fn solve_neighbourhoods(&mut self) {
        let most = MIN_PROBLEMS + self.graph.groups.len() / RANGES_PER_PROBLEM;
        for &(_, a, b) in &self.graph.copies {
            if self.statistics.problems == most {
                return;
            }
            if self.colours.of(a) != self.colours.of(b) && !self.graph.interfere(a, b) {
                let neighbourhood = self.neighbourhood(a, b);
                self.solve(&neighbourhood);
            }
        }
    }

    /// The ranges near a copy: first those that are copied, too, then those that interfere.
    fn neighbourhood(&self, a: Register, b: Register) -> Vec<Register> {
        let can_change = |it: &Register| !it.is_real() && self.graph.is_movable(*it);
        let mut found = [a, b].into_iter().filter(can_change).collect::<Vec<_>>();
        let mut pending = found.iter().copied().collect::<VecDeque<_>>();
        while let Some(range) = pending.pop_front() {
            let copied = self.graph.affinities[range].iter().map(|it| it.0);
            let near = copied.chain(self.graph.neighbours[range].iter().copied());
            for other in near.filter(can_change) {
                if found.len() == NEIGHBOURHOOD_SIZE {
                    break;
                }
                if !found.contains(&other) {
                    found.push(other);
                    pending.push_back(other);
                }
            }
        }
        found.sort_unstable();
        found
    }

    /// Replaces the registers of some live ranges if that needs fewer copies.
    ///
    /// First, only ranges that are copied to or from others may interfere. This relaxed problem is
    /// easy, and its minimum is a bound: most often, it proves that the copies are necessary.
    fn solve(&mut self, chosen: &[Register]) {
        let alternatives = chosen.iter().map(|&it| self.alternatives(it, chosen));
        let alternatives = alternatives.collect::<Vec<_>>();
        let current = current_choice(chosen, &alternatives, &self.colours);
        self.statistics.problems += 1;
        for is_relaxed in [true, false] {
            let problem = self.problem(chosen, &alternatives, is_relaxed);
            let settings = Settings { budget: Budget::new(STEPS), ..Settings::default() };
            let Ok(solution) = solve_with(&problem, settings) else { return };
            let is_better = solution.cost < problem.cost(&current);
            if is_relaxed && (is_better || !solution.is_optimal()) {
                continue;
            }
            self.statistics.optimal += usize::from(solution.is_optimal());
            if is_better {
                for (at, &range) in chosen.iter().enumerate() {
                    self.colours.set(range, alternatives[at][solution.choice[at] as usize]);
                }
            }
            return;
        }
    }

    /// The problem; the registers of each node are its alternatives.
    fn problem(
        &self,
        chosen: &[Register],
        alternatives: &[Vec<Register>],
        is_relaxed: bool,
    ) -> Problem {
        let is_chosen = |it: &(Register, u64)| chosen.binary_search(&it.0).is_ok();
        let is_copied = |it: &Register| self.graph.affinities[*it].iter().any(is_chosen);
        let is_copied = chosen.iter().map(is_copied).collect::<Vec<_>>();
        let mut problem = Problem::new();
        for (&range, registers) in chosen.iter().zip(alternatives) {
            let costs = registers.iter().map(|&it| self.fixed_cost(range, it, chosen));
            problem.add_node(&costs.collect::<Vec<_>>());
        }
        for (at, &range) in chosen.iter().enumerate() {
            let node = NodeId::from_index(at);
            let position =
                |other: &Register| chosen.binary_search(other).ok().filter(|it| *it < at);
            let is_stated = |other: &usize| !is_relaxed || is_copied[at] && is_copied[*other];
            let neighbours = self.graph.neighbours[range].iter().filter_map(position);
            for other in neighbours.filter(is_stated) {
                let (a, b) = (&alternatives[at], &alternatives[other]);
                problem.add_edge_with(node, NodeId::from_index(other), |i, j| {
                    if a[i] == b[j] { Cost::INFINITY } else { Cost::ZERO }
                });
            }
            for (other, weight) in &self.graph.affinities[range] {
                let Some(other) = position(other) else { continue };
                let (a, b) = (&alternatives[at], &alternatives[other]);
                problem.add_edge_with(node, NodeId::from_index(other), |i, j| {
                    if a[i] == b[j] { Cost::ZERO } else { Cost::new(*weight) }
                });
            }
        }
        problem
    }

    /// The registers that a range may have while all others but the chosen ones keep theirs.
    fn alternatives(&self, range: Register, chosen: &[Register]) -> Vec<Register> {
        let neighbours = self.graph.neighbours[range].iter();
        let outside = neighbours.filter(|it| chosen.binary_search(it).is_err());
        let mut free = self.graph.allowed[range];
        outside.for_each(|&it| free.remove(self.colours.of(it)));
        self.available.intersect(free).iter().collect()
    }

    /// The cost of the copies between a range in a register and all that is not chosen.
    fn fixed_cost(&self, range: Register, register: Register, chosen: &[Register]) -> Cost {
        let affinities = self.graph.affinities[range].iter();
        let outside =
            affinities.filter(|it| it.0.is_real() || chosen.binary_search(&it.0).is_err());
        let differ = outside.filter(|it| self.colours.of(it.0) != register);
        differ.map(|it| Cost::new(it.1)).sum()
    }
}

/// The alternatives that are chosen now.
fn current_choice(
    chosen: &[Register],
    alternatives: &[Vec<Register>],
    colours: &Colours,
) -> Vec<u32> {
    let pairs = chosen.iter().zip(alternatives);
    let position = |(range, registers): (&Register, &Vec<Register>)| {
        let at = registers.iter().position(|&it| it == colours.of(*range));
        at.expect("the colouring is a solution") as u32
    };
    pairs.map(position).collect()
}
