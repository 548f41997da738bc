//! Loops with a constant number of iterations: the variables that decide it are computed, sums
//! over them, too. A loop of few iterations is unrolled.
use super::loop_node::Loop;
use super::node::{Id, Node};
use super::saturation::Saturation;
use super::sums::Polynomials;
use crate::arith::{Binary, WORD};
use crate::region::Head;
use arena::FxHashMap;

/// The limit for iterations of a loop that is executed.
const MAX_TRIPS: u64 = 20_000;
/// The limit for iterations of a loop that is unrolled.
const MAX_UNROLLED: u64 = 8;

/// Applies the rules `loop-count`, `loop-sum` and `loop-unroll`; true if the loop is gone.
pub fn apply(saturation: &mut Saturation, polynomials: &Polynomials, looped: &Loop) -> bool {
    let Some(counters) = counters(saturation, looped) else { return false };
    let last = looped.last_results(saturation);
    if !is_arithmetic(saturation, looped, &last) {
        return false;
    }
    let sums = sums(saturation, polynomials, looped, &counters);
    let Some(run) = execute(saturation, looped, &counters, &sums) else { return false };
    let values: Vec<Option<(&str, Id)>> = (0..looped.inits.len())
        .map(|at| match is_passed(saturation, &last, at) {
            true => saturation.is_on("loop-count").then_some(("loop-count", looped.inits[at])),
            false => value_after(saturation, looped, &run, &sums, at),
        })
        .collect();
    let mut is_gone = true;
    for (at, output) in looped.outputs.iter().enumerate() {
        match (output, values[at]) {
            (Some(output), Some((rule, value))) => saturation.union(rule, *output, value),
            (Some(_), None) => is_gone = false,
            (None, _) => {}
        }
    }
    if !is_gone && run.trips <= MAX_UNROLLED && saturation.is_on("loop-unroll") {
        unroll(saturation, looped, &last, run.trips);
    }
    is_gone
}

/// Whether a variable has the same value in all iterations, which is its result.
fn is_passed(saturation: &mut Saturation, last: &[Id], at: usize) -> bool {
    let argument = saturation.argument(at);
    saturation.is_same(last[at], argument)
}

/// Whether the loop neither traps nor has an effect. A state may pass.
fn is_arithmetic(saturation: &mut Saturation, looped: &Loop, last: &[Id]) -> bool {
    let is_kept = |saturation: &mut Saturation, at: usize| {
        let fact = saturation.fact(looped.inits[at]);
        let passes = looped.outputs[at].is_some() && is_passed(saturation, last, at);
        !fact.may_trap || (!fact.traps && passes)
    };
    looped.results.iter().all(|it| !saturation.fact(*it).may_trap)
        && (0..looped.inits.len()).all(|at| is_kept(saturation, at))
}

/// The value of a variable after the loop, if it is a counter or a sum, and the rule.
fn value_after(
    saturation: &mut Saturation,
    looped: &Loop,
    run: &Run,
    sums: &[Sum],
    at: usize,
) -> Option<(&'static str, Id)> {
    if let Some(value) = run.finals.get(&at) {
        let value = saturation.number(*value);
        return saturation.is_on("loop-count").then_some(("loop-count", value));
    }
    if !saturation.is_on("loop-sum") {
        return None;
    }
    let sum = sums.iter().find(|it| it.variable == at)?;
    let mut value = looped.inits[at];
    for (variable, coefficient) in &sum.invariants {
        let by = saturation.number(WORD.wrap(coefficient * run.trips as i64));
        let product = saturation.binary(Binary::Mul, looped.inits[*variable], by);
        value = saturation.binary(Binary::Add, value, product);
    }
    let total = saturation.number(run.totals[&at]);
    Some(("loop-sum", saturation.binary(Binary::Add, value, total)))
}

/// The variables that the predicate depends on, if all begin with constants.
fn counters(saturation: &Saturation, looped: &Loop) -> Option<Vec<usize>> {
    let mut counters = Vec::new();
    let mut open = saturation.used_arguments(&[looped.predicate()]);
    while let Some(at) = open.pop() {
        if !counters.contains(&at) {
            saturation.constant(*looped.inits.get(at)?)?;
            counters.push(at);
            open.extend(saturation.used_arguments(&[looped.results[at]]));
        }
        if counters.len() > 8 {
            return None;
        }
    }
    counters.sort_unstable();
    Some(counters)
}

/// A variable to which each iteration adds a value that depends on counters, and multiples of
/// invariant variables.
struct Sum {
    variable: usize,
    invariants: Vec<(usize, i64)>,
}

fn sums(
    saturation: &mut Saturation,
    polynomials: &Polynomials,
    looped: &Loop,
    counters: &[usize],
) -> Vec<Sum> {
    let count = looped.inits.len();
    let arguments: Vec<Id> = (0..count).map(|at| saturation.argument(at)).collect();
    let is_invariant: Vec<bool> =
        (0..count).map(|at| saturation.is_same(looped.results[at], arguments[at])).collect();
    let mut sums = Vec::new();
    for variable in (0..count).filter(|at| !counters.contains(at)) {
        let whole = polynomials.of(saturation, looped.results[variable]);
        let own = saturation.graph.find(arguments[variable]);
        let Some((1, mut rest)) = whole.without(own) else { continue };
        let mut invariants = Vec::new();
        for at in (0..count).filter(|at| is_invariant[*at] && !counters.contains(at)) {
            let Some((by, others)) = rest.without(saturation.graph.find(arguments[at])) else {
                continue;
            };
            if by != 0 {
                invariants.push((at, by));
            }
            rest = others;
        }
        let units: Vec<Id> = rest.units().collect();
        let is_known = saturation.used_arguments(&units).iter().all(|it| counters.contains(it));
        if is_known {
            sums.push(Sum { variable, invariants });
        }
    }
    sums
}

/// The results of an execution.
struct Run {
    trips: u64,
    finals: FxHashMap<usize, i64>,
    /// The sum of what is added to each variable.
    totals: FxHashMap<usize, i64>,
}

/// Executes the loop for its counters; all other arguments are 0, so the result of a sum is what
/// is added. None if it is not only arithmetic, traps, or takes too long.
fn execute(
    saturation: &mut Saturation,
    looped: &Loop,
    counters: &[usize],
    sums: &[Sum],
) -> Option<Run> {
    let added: Vec<usize> = sums.iter().map(|it| it.variable).collect();
    let roots: Vec<Id> = counters.iter().chain(&added).map(|at| looped.results[*at]).collect();
    let roots = [roots, vec![looped.predicate()]].concat();
    let order = saturation.visit(&roots);
    let nodes = order.iter().map(|it| Some(saturation.form(*it)?.node.clone()));
    let nodes: Vec<Node> = nodes.collect::<Option<_>>()?;
    let position: FxHashMap<Id, usize> = order.iter().copied().zip(0..).collect();
    let mut variables: FxHashMap<usize, i64> = FxHashMap::default();
    for at in counters {
        variables.insert(*at, saturation.constant(looped.inits[*at])?);
    }
    let mut totals: FxHashMap<usize, i64> = added.iter().map(|it| (*it, 0)).collect();
    for trips in 1..=MAX_TRIPS {
        if !saturation.take_steps(nodes.len() as u64) {
            return None;
        }
        let mut values: Vec<i64> = Vec::with_capacity(nodes.len());
        for node in &nodes {
            values.push(value(node, &variables, |it| values.get(*position.get(&it)?).copied())?);
        }
        let result = |id: Id| values[position[&id]];
        for at in &added {
            let total = totals.get_mut(at)?;
            *total = WORD.wrap(*total + result(looped.results[*at]));
        }
        let next = counters.iter().map(|at| (*at, result(looped.results[*at]))).collect();
        variables = next;
        if result(looped.predicate()) == 0 {
            return Some(Run { trips, finals: variables, totals });
        }
    }
    None
}

/// The value of a form, if those of its operands are known: forms may be circular for a while.
fn value(
    node: &Node,
    variables: &FxHashMap<usize, i64>,
    of: impl Fn(Id) -> Option<i64>,
) -> Option<i64> {
    match node.head {
        Head::Number(value) => Some(value),
        Head::Argument(at) => Some(variables.get(&(at as usize)).copied().unwrap_or(0)),
        Head::Operator(operator) => operator.evaluate(of(node.operands[0])?, of(node.operands[1])?),
        Head::Component(_)
        | Head::Use
        | Head::Force
        | Head::Loop
        | Head::Switch { .. }
        | Head::Function { .. }
        | Head::Call => None,
    }
}

/// Puts the iterations one after the other.
fn unroll(saturation: &mut Saturation, looped: &Loop, results: &[Id], trips: u64) {
    let mut values = looped.inits.clone();
    for _ in 0..trips {
        let next = saturation.substitute(results, &values, &mut FxHashMap::default());
        let Some(next) = next else { return };
        values = next;
    }
    for (at, output) in looped.outputs.iter().enumerate() {
        if let Some(output) = output {
            saturation.union("loop-unroll", *output, values[at]);
        }
    }
}
