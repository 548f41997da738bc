//! The rules of switches: a switch becomes a smaller one, or arithmetic, or one of its cases.
//!
//! As for loops, facts about one case are used by substitution.
use super::fact::Fact;
use super::node::{Id, Node};
use super::saturation::Saturation;
use super::sums::Polynomials;
use crate::arith::{Binary, Relation};
use crate::region::{Head, Operator};
use arena::FxHashMap;

/// The limit for the bits of a factor: the product takes a shift and an addition at most.
const MAX_BITS: u32 = 2;

/// A switch of the e-graph.
struct Switch {
    tuple: Id,
    predicate: Id,
    inputs: Vec<Id>,
    cases: Vec<Case>,
    /// The classes of the outputs that are used.
    outputs: Vec<Option<Id>>,
}

struct Case {
    /// The results as the program has them.
    plain: Vec<Id>,
    /// The results with all that is known in the case: it may make results different that were
    /// equal, so no rule reads these only.
    informed: Vec<Id>,
    /// The classes that are constants in the case.
    known: Vec<(Id, i64)>,
}

impl Switch {
    /// The results of an output in all cases: the plain ones, and the informed ones.
    fn results(&self, output: usize) -> [Vec<Id>; 2] {
        let plain = self.cases.iter().map(|it| it.plain[output]).collect();
        [plain, self.informed_results(output)]
    }

    fn informed_results(&self, output: usize) -> Vec<Id> {
        self.cases.iter().map(|it| it.informed[output]).collect()
    }
}

/// Applies the rules to a switch whose forms are new.
pub fn apply(saturation: &mut Saturation, polynomials: &Polynomials, tuple: Id, node: &Node) {
    let Head::Switch { cases, outputs } = node.head else { return };
    let (outside, results) = node.split();
    let outputs = outputs as usize;
    let mut switch = Switch {
        tuple,
        predicate: outside[0],
        inputs: outside[1..].to_vec(),
        cases: (0..cases as usize).map(|at| case(&results[at * outputs..][..outputs])).collect(),
        outputs: (0..outputs).map(|at| saturation.used_output(tuple, at)).collect(),
    };
    if known_case(saturation, &switch) {
        return saturation.retire(tuple, node, None);
    }
    note_known_values(saturation, &mut switch);
    let mut rules = Vec::new();
    rules.extend(unreachable_cases(saturation, &mut switch));
    if let Some(rule) = simpler_predicate(saturation, &mut switch) {
        rules.push(rule);
        note_known_values(saturation, &mut switch);
    }
    if inform_cases(saturation, &mut switch).is_none() {
        return;
    }
    let mut results = switch.cases.iter().flat_map(|it| it.plain.iter().zip(&it.informed));
    if results.any(|(plain, informed)| !saturation.is_same(*plain, *informed)) {
        rules.push("switch-inside");
    }
    let rest = lifted_outputs(saturation, polynomials, &switch);
    let new = match rest.is_empty() {
        true => None,
        false => rebuild(saturation, &switch, &rest, rules),
    };
    if rest.is_empty() || new.is_some() {
        saturation.retire(tuple, node, new);
    }
}

fn case(results: &[Id]) -> Case {
    Case { plain: results.to_vec(), informed: results.to_vec(), known: Vec::new() }
}

/// The rule `switch-known`: only one case is possible.
fn known_case(saturation: &mut Saturation, switch: &Switch) -> bool {
    let fact = saturation.fact(switch.predicate);
    let last = switch.cases.len() as i64 - 1;
    let number = |value: i64| if (0..last).contains(&value) { value } else { last };
    let is_known = last == 0 || fact.min == fact.max || fact.min >= last || fact.max < 0;
    if !is_known || !saturation.is_on("switch-known") {
        return false;
    }
    let case = &switch.cases[number(fact.min) as usize].plain;
    let results = saturation.substitute(case, &switch.inputs, &mut FxHashMap::default());
    let Some(mut results) = results else { return false };
    let used = (0..results.len()).filter(|at| switch.outputs[*at].is_some());
    let used: Vec<usize> = used.collect();
    let outside = [&[switch.predicate], switch.inputs.as_slice()].concat();
    if !saturation.keep_operands(&outside, &used, &mut results) {
        return false;
    }
    for (output, result) in switch.outputs.iter().zip(results) {
        if let Some(output) = output {
            saturation.union("switch-known", *output, result);
        }
    }
    true
}

/// The rule `switch-range`: cases above the range of the predicate are never executed. Returns the
/// rule if it applies.
fn unreachable_cases(saturation: &Saturation, switch: &mut Switch) -> Option<&'static str> {
    let fact = saturation.fact(switch.predicate);
    let is_less = fact.min >= 0 && fact.max + 1 < switch.cases.len() as i64;
    if !is_less || !saturation.is_on("switch-range") {
        return None;
    }
    switch.cases.truncate(fact.max as usize + 1);
    Some("switch-range")
}

/// The rule `switch-predicate`, for two cases: the predicates x != 0 and x = 0 become x. Returns
/// the rule if it applies.
fn simpler_predicate(saturation: &Saturation, switch: &mut Switch) -> Option<&'static str> {
    if switch.cases.len() != 2 || !saturation.is_on("switch-predicate") {
        return None;
    }
    let nodes = saturation.graph[switch.predicate].nodes.iter();
    let is_test_of_zero = |node: &&Node| {
        let is_equality = [Relation::Equal, Relation::NotEqual].map(Operator::Compare);
        let is_equality = is_equality.map(Head::Operator).contains(&node.head);
        is_equality && saturation.constant(node.operands[1]) == Some(0)
    };
    let node = nodes.clone().find(is_test_of_zero)?;
    if node.head == Head::Operator(Operator::Compare(Relation::Equal)) {
        switch.cases.reverse();
    }
    switch.predicate = node.operands[0];
    Some("switch-predicate")
}

/// Notes the classes that are constants in the cases, because of the predicate.
fn note_known_values(saturation: &Saturation, switch: &mut Switch) {
    for number in 0..switch.cases.len() {
        let known = known_values(saturation, switch, number);
        switch.cases[number].known.extend(known);
    }
}

/// The rule `switch-inside`: the results of the cases with all that is known there, which is
/// constants, equal inputs and the predicate; none if a budget is exhausted.
fn inform_cases(saturation: &mut Saturation, switch: &mut Switch) -> Option<()> {
    if !saturation.is_on("switch-inside") {
        return Some(());
    }
    let mut first: FxHashMap<Id, usize> = FxHashMap::default();
    let mut common = Vec::with_capacity(switch.inputs.len());
    for (at, &input) in switch.inputs.iter().enumerate() {
        let is_known = saturation.form(input).is_some_and(|form| {
            form.is_closed && matches!(form.node.head, Head::Number(_) | Head::Function { .. })
        });
        let representative = *first.entry(saturation.graph.find(input)).or_insert(at);
        common.push(if is_known { input } else { saturation.argument(representative) });
    }
    for case in &mut switch.cases {
        let mut arguments = common.clone();
        for (argument, &input) in arguments.iter_mut().zip(&switch.inputs) {
            if let Some((_, value)) = case.known.iter().find(|it| saturation.is_same(it.0, input)) {
                *argument = saturation.number(*value);
            }
        }
        let made = &mut FxHashMap::default();
        case.informed = saturation.substitute(&case.plain, &arguments, made)?;
    }
    Some(())
}

/// Classes that are constant in a case, by its number and by the predicate's comparison.
fn known_values(saturation: &Saturation, switch: &Switch, number: usize) -> Vec<(Id, i64)> {
    let Fact { min, max, .. } = saturation.fact(switch.predicate);
    let last = switch.cases.len() - 1;
    let mut known = Vec::new();
    if number < last || (min >= 0 && max <= last as i64) {
        known.push((switch.predicate, number as i64));
    }
    for node in &saturation.graph[switch.predicate].nodes {
        let Head::Operator(Operator::Compare(relation)) = node.head else { continue };
        let holds = match relation {
            Relation::Equal => number == 1,
            Relation::NotEqual => number == 0,
            _ => false,
        };
        if let (true, 1, Some(value)) = (holds, last, saturation.constant(node.operands[1])) {
            known.push((node.operands[0], value));
        }
    }
    known
}

/// The rules `switch-equal` (an output that is equal in all cases) and `switch-arithmetic`. Returns
/// the outputs that remain.
fn lifted_outputs(
    saturation: &mut Saturation,
    polynomials: &Polynomials,
    switch: &Switch,
) -> Vec<usize> {
    let mut rest = Vec::new();
    let is_total = outputs_keep_traps(saturation, switch);
    let equal_results = |saturation: &Saturation, at: usize| {
        let is_equal =
            |results: &Vec<Id>| results.iter().all(|it| saturation.is_same(*it, results[0]));
        let equal = switch.results(at).into_iter().find(is_equal);
        equal.filter(|_| saturation.is_on("switch-equal"))
    };
    let mut used = (0..switch.outputs.len()).filter(|at| switch.outputs[*at].is_some());
    let are_all_equal = used.all(|at| equal_results(saturation, at).is_some());
    for at in 0..switch.outputs.len() {
        let results = switch.informed_results(at);
        let Some(output) = switch.outputs[at] else {
            if results.iter().any(|it| saturation.fact(*it).may_trap) {
                rest.push(at);
            }
            continue;
        };
        // A line is either written outside or inside: all outputs go, or none that needs the line.
        let may_go = are_all_equal || !saturation.fact(results[0]).writes;
        let equal = equal_results(saturation, at).filter(|_| is_total && may_go);
        if let Some(equal) = equal {
            let mut made = FxHashMap::default();
            if let Some(same) = saturation.substitute(&equal[..1], &switch.inputs, &mut made) {
                saturation.union("switch-equal", output, same[0]);
                continue;
            }
        }
        rest.push(at);
    }
    if is_total && !rest.is_empty() && saturation.is_on("switch-arithmetic") {
        arithmetic(saturation, polynomials, switch, &rest);
    }
    rest
}

/// Whether all that may trap is computed for the output that is used, so that no trap is lost if
/// the switch is; nothing may trap if several are. The predicate is needed by no lifted output.
fn outputs_keep_traps(saturation: &Saturation, switch: &Switch) -> bool {
    let may_trap = |id: &Id| saturation.fact(*id).may_trap;
    let (used, unused): (Vec<usize>, Vec<usize>) =
        (0..switch.outputs.len()).partition(|at| switch.outputs[*at].is_some());
    let is_lost = |case: &Case| unused.iter().any(|at| may_trap(&case.informed[*at]));
    if may_trap(&switch.predicate) || switch.cases.iter().any(is_lost) {
        return false;
    }
    let traps = |id: &Id| saturation.fact(*id).traps;
    let results = switch.cases.iter().flat_map(|it| &it.informed);
    if used.len() > 1 && switch.inputs.iter().chain(results).any(traps) {
        return false;
    }
    let inputs = switch.inputs.iter().enumerate().filter(|it| may_trap(it.1));
    let trapping: Vec<usize> = inputs.map(|it| it.0).collect();
    trapping.is_empty()
        || switch.cases.iter().all(|case| {
            let results: Vec<Id> = used.iter().map(|at| case.informed[*at]).collect();
            let needed = saturation.used_arguments(&results);
            trapping.iter().all(|it| needed.contains(it))
        })
}

/// The rule `switch-arithmetic`: two cases whose results differ by constants, in all outputs that
/// remain. If another output needs the switch, its test is executed anyway, and one more output of
/// it is cheaper.
fn arithmetic(
    saturation: &mut Saturation,
    polynomials: &Polynomials,
    switch: &Switch,
    rest: &[usize],
) {
    // A number in each case, beside other outputs, becomes a jump if it is a predicate later.
    let is_number = |at: &usize| {
        let results = switch.informed_results(*at);
        results.iter().all(|it| saturation.constant(*it).is_some())
    };
    if rest.len() > 1 && rest.iter().any(is_number) {
        return;
    }
    let difference_of = |results: Vec<Id>| {
        let &[first, second] = &results[..] else { return None };
        let [low, high] = [first, second].map(|it| polynomials.of(saturation, it));
        let difference = high.minus(&low).constant()?;
        let is_cheap = difference.unsigned_abs().count_ones() <= MAX_BITS;
        Some((first, difference)).filter(|_| is_cheap && !saturation.fact(first).may_trap)
    };
    let difference = |&at: &usize| {
        let (first, difference) = switch.results(at).into_iter().rev().find_map(difference_of)?;
        Some((switch.outputs[at]?, first, difference))
    };
    let Some(differences) = rest.iter().map(difference).collect::<Option<Vec<_>>>() else { return };
    let zero = saturation.number(0);
    let is_second = match saturation.fact(switch.predicate).is_bool() {
        true => switch.predicate,
        false => saturation.operator(Operator::Compare(Relation::NotEqual), switch.predicate, zero),
    };
    for (output, first, difference) in differences {
        let mut made = FxHashMap::default();
        let Some(low) = saturation.substitute(&[first], &switch.inputs, &mut made) else { return };
        let whole = if (saturation.constant(first), difference) == (Some(1), -1) {
            saturation.operator(Operator::Compare(Relation::Equal), is_second, zero)
        } else {
            let by = saturation.number(difference);
            let scaled = saturation.binary(Binary::Mul, is_second, by);
            saturation.binary(Binary::Add, low[0], scaled)
        };
        saturation.union("switch-arithmetic", output, whole);
    }
}

/// Makes the switch of the outputs that remain, each once, with the inputs that they need. These
/// rules have changed its cases. Returns the new switch, none if a budget is exhausted.
fn rebuild(
    saturation: &mut Saturation,
    switch: &Switch,
    rest: &[usize],
    mut rules: Vec<&'static str>,
) -> Option<Id> {
    let is_smaller = saturation.is_on("switch-smaller");
    let all: Vec<usize> = (0..switch.outputs.len()).collect();
    let rest = if is_smaller { rest } else { &all };
    let mut unique: Vec<usize> = Vec::new();
    let mut position: FxHashMap<Vec<Id>, usize> = FxHashMap::default();
    let mut target: Vec<(usize, usize)> = Vec::new();
    for &at in rest {
        let results: Vec<Id> =
            switch.informed_results(at).iter().map(|it| saturation.graph.find(*it)).collect();
        let known = position.get(&results).copied().filter(|_| is_smaller);
        let new = known.unwrap_or(unique.len());
        if new == unique.len() {
            position.insert(results, new);
            unique.push(at);
        }
        target.push((at, new));
    }
    let roots: Vec<Id> =
        switch.cases.iter().flat_map(|it| unique.iter().map(|at| it.informed[*at])).collect();
    let mut used = saturation.used_arguments(&roots);
    if used.last().is_some_and(|it| *it >= switch.inputs.len()) {
        return None;
    }
    let is_kept = |at: &usize| !is_smaller || saturation.fact(switch.inputs[*at]).may_trap;
    let unneeded = (0..switch.inputs.len()).filter(|at| !used.contains(at) && is_kept(at));
    used.extend(unneeded.collect::<Vec<_>>());
    used.sort_unstable();
    if used.len() < switch.inputs.len() || unique.len() < switch.outputs.len() {
        rules.push("switch-smaller");
    }
    let mut arguments = vec![switch.predicate; switch.inputs.len()];
    for (new, &old) in used.iter().enumerate() {
        arguments[old] = saturation.argument(new);
    }
    let results = saturation.substitute(&roots, &arguments, &mut FxHashMap::default());
    let results = results?;
    let inputs = used.iter().map(|at| switch.inputs[*at]);
    let operands: Vec<Id> = [switch.predicate].into_iter().chain(inputs).chain(results).collect();
    let (cases, outputs) = (switch.cases.len() as u32, unique.len() as u32);
    let tuple = saturation.add(Node::new(Head::Switch { cases, outputs }, &operands));
    if saturation.is_same(tuple, switch.tuple) {
        return Some(tuple);
    }
    for (old, new) in target {
        if let Some(output) = switch.outputs[old] {
            let same = saturation.output(tuple, new);
            saturation.union_by(&rules, output, same);
        }
    }
    Some(tuple)
}
