//! An exact method, the oracle: an integer program.
//!
//! ```text
//! minimize Σ cost(f) x_f,   x_f ∈ {0, 1},   0 ≤ t_c ≤ n
//! Σ_f x_f ≥ 1                          for the forms of a root
//! x_f ≤ Σ_g x_g                        for the forms g of each child of f
//! t_c ≥ t_d + 1 − (n + 1) (1 − x_f)    for each child d of a form f of c: no cycle
//! ```
use crate::extract::Problem;
use good_lp::{Expression, ProblemVariables, Solution, SolverModel, Variable, microlp, variable};

/// The least cost of an extraction; none if there is none.
pub fn least_cost(problem: &Problem) -> Option<u64> {
    let size = problem.classes.len() as f64;
    let mut variables = ProblemVariables::new();
    let mut take = |_| variables.add(variable().binary());
    let forms: Vec<Vec<Variable>> =
        problem.classes.iter().map(|forms| forms.iter().map(&mut take).collect()).collect();
    let level: Vec<Variable> =
        (problem.classes.iter()).map(|_| variables.add(variable().min(0.0).max(size))).collect();
    let pairs = || forms.iter().flatten().zip(problem.classes.iter().flatten());
    let total: Expression = pairs().map(|(&taken, form)| f64::from(form.cost) * taken).sum();
    let mut model = variables.minimise(total).using(microlp);
    let some_form = |class: u32| forms[class as usize].iter().copied().sum::<Expression>();
    for &root in &problem.roots {
        model = model.with(some_form(root).geq(1.0));
    }
    for (class, all) in problem.classes.iter().enumerate() {
        for (number, form) in all.iter().enumerate() {
            for &child in &form.children {
                let taken = forms[class][number];
                model = model.with((some_form(child) - taken).geq(0.0));
                let rise = level[class] - level[child as usize];
                model = model.with((rise - (size + 1.0) * taken).geq(-size));
            }
        }
    }
    let solution = model.solve().ok()?;
    let cost: f64 =
        pairs().map(|(&taken, form)| f64::from(form.cost) * solution.value(taken)).sum();
    Some(cost.round() as u64)
}
