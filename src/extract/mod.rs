//! Extraction: the cheapest expression in classes of equal forms.
//!
//! Extraction is instruction selection once more. A class is a node of a PBQP, its forms are the
//! alternatives, and "not needed" is one more alternative of cost 0. An edge leads from each class
//! to each class that one of its forms needs; its cost is infinite where the form is chosen and the
//! other class is not needed. The cost of a selection is that of each needed class once, however
//! many forms share it.
//!
//! A selection may have a cycle: a form that, by way of its children, needs its own class. Such
//! selections are forbidden lazily: the instance is solved, the cycles of its solution are
//! forbidden, and it is solved again. The first solution without a cycle is as cheap as the
//! instance allows. The greedy methods provide a solution if this takes too long.
//! Sources: R. Tate, M. Stepp, Z. Tatlock, S. Lerner, "Equality Saturation: A New Approach to
//! Optimization", POPL 2009 (extraction as an integer program); Y. Yang, P. M. Phothilimthana, Y.
//! R. Wang, M. Willsey, S. Roy, J. Pienaar, "Equality Saturation for Tensor Graph
//! Superoptimization", MLSys 2021 (cycles).
mod cycles;
mod greedy;
mod instance;
mod necessary;
mod prepare;
#[cfg(test)]
mod tests;

#[cfg(test)]
use greedy::{greedy_dag, greedy_tree};
pub use instance::instance;

use prepare::prepare;

/// One form of a class: its own cost and the classes that it needs, maybe several times.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Form {
    pub cost: u32,
    pub children: Vec<u32>,
}

/// Classes of equal forms, numbered from 0, and the classes that are needed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Problem {
    pub classes: Vec<Vec<Form>>,
    pub roots: Vec<u32>,
}

/// A form for each needed class, without a cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extraction {
    /// The number of the chosen form of each class; none if the class is not needed.
    pub choices: Vec<Option<u32>>,
    /// The sum of the costs of the chosen forms.
    pub cost: u64,
    /// No extraction costs less. The greedy methods have no such bound: theirs is 0.
    pub bound: u64,
    pub method: Method,
}

impl Extraction {
    /// Whether it is proved that no extraction is cheaper.
    pub fn is_optimal(&self) -> bool {
        self.bound == self.cost
    }
}

/// The method that has found an extraction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// The cheapest expression of each class, if nothing is shared.
    GreedyTree,
    /// The form of each class whose needed classes are the cheapest together.
    GreedyDag,
    Pbqp,
}

/// No finite expression computes a root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoExpression {
    pub class: u32,
}

/// A cheapest extraction, or one with a bound on its distance from the optimum.
///
/// Time and memory are near-linear: the searches have budgets.
///
/// # Errors
/// A root has no finite expression.
///
/// # Panics
/// If a root or a child is not the number of a class.
pub fn extract(problem: &Problem) -> Result<Extraction, NoExpression> {
    let prepared = prepare(problem)?;
    let (choice, bound) = instance::solve(&prepared.problem);
    let original = |method, choices: &[Option<u32>]| {
        greedy::extraction(problem, method, &prepared.restore(problem, choices))
    };
    let mut best = match choice {
        Some(choice) => original(Method::Pbqp, &choice)?,
        None => original(Method::GreedyTree, &greedy::tree(&prepared.problem))?,
    };
    if bound < best.cost {
        let tree = original(Method::GreedyTree, &greedy::tree(&prepared.problem))?;
        let dag = original(Method::GreedyDag, &greedy::dag(&prepared.problem))?;
        // Of equal ones the first: that of the solver.
        best = [best, tree, dag].into_iter().min_by_key(|it| it.cost).expect("there are three");
    }
    Ok(Extraction { bound, ..best })
}
