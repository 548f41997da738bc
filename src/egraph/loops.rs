//! The rules of loops: a loop becomes a smaller one, or none.
//!
//! All rules need facts about the arguments in one loop only, so each makes the loop anew by
//! substitution, and the outputs of both loops are equal.
use super::loop_node::Loop;
use super::node::{Id, Node};
use super::saturation::Saturation;
use super::sums::Polynomials;
use super::trip_count;
use crate::region::Head;
use arena::{FxHashMap, FxHashSet};

/// The limit for attempts to find equal variables.
const MAX_ATTEMPTS: usize = 16;

/// Applies the rules to a loop whose forms are new.
pub fn apply(saturation: &mut Saturation, polynomials: &Polynomials, tuple: Id, node: &Node) {
    let looped = Loop::new(saturation, tuple, node);
    if saturation.is_on("loop-once") && once(saturation, &looped) {
        return saturation.retire(tuple, node, None);
    }
    if trip_count::apply(saturation, polynomials, &looped) {
        return;
    }
    let Some((assumed, results)) = equal_variables(saturation, &looped) else { return };
    if let Some(new) = rebuild(saturation, &looped, &assumed, &results) {
        saturation.retire(tuple, node, new);
    }
}

/// The rule `loop-once`: the predicate is 0 after the first iteration.
fn once(saturation: &mut Saturation, looped: &Loop) -> bool {
    let mut made = FxHashMap::default();
    let predicate = saturation.substitute(&[looped.predicate()], &looped.inits, &mut made);
    let is_once = predicate.is_some_and(|it| saturation.constant(it[0]) == Some(0));
    if !is_once {
        return false;
    }
    let count = looped.inits.len();
    let values = saturation.substitute(&looped.last_results(saturation), &looped.inits, &mut made);
    let Some(mut values) = values else { return false };
    let used: Vec<usize> = (0..count).filter(|at| looped.outputs[*at].is_some()).collect();
    if !saturation.keep_operands(&looped.inits, &used, &mut values) {
        return false;
    }
    looped.finish(saturation, "loop-once", &values);
    true
}

/// The rules `loop-constant` and `loop-equal`: assume that variables that begin as the same
/// constant, or equal, remain so; where that is false, assume less. Returns the value of each
/// variable in terms of the representatives, and the results for them.
///
/// Source: B. Alpern, M. Wegman, F. Zadeck, "Detecting Equality of Variables in Programs", POPL
/// 1988 (partition refinement).
fn equal_variables(saturation: &mut Saturation, looped: &Loop) -> Option<(Vec<Id>, Vec<Id>)> {
    let count = looped.inits.len();
    let init = |at: usize| usize::from(saturation.graph.find(looped.inits[at]));
    let (mut groups, varying): (Vec<Group>, Vec<Group>) = match saturation.is_on("loop-equal") {
        true => (0..count).map(|at| (Group::Init(init(at)), Group::Varying(init(at)))).unzip(),
        false => (0..count).map(|at| (Group::Part(at), Group::Part(at))).unzip(),
    };
    let is_on = saturation.is_on("loop-constant");
    let mut is_constant: Vec<bool> =
        looped.inits.iter().map(|it| is_on && is_known(saturation, *it)).collect();
    for attempt in 0..=MAX_ATTEMPTS {
        if attempt == MAX_ATTEMPTS {
            groups = (0..count).map(Group::Part).collect();
            is_constant = vec![false; count];
        }
        let mut first: FxHashMap<Group, usize> = FxHashMap::default();
        let mut assumed = Vec::with_capacity(count);
        for at in 0..count {
            let representative = *first.entry(groups[at]).or_insert(at);
            assumed.push(match is_constant[at] {
                true => looped.inits[at],
                false => saturation.argument(representative),
            });
        }
        let results =
            saturation.substitute(&looped.results, &assumed, &mut FxHashMap::default())?;
        let mut parts: FxHashMap<(Group, Id), usize> = FxHashMap::default();
        let mut is_stable = true;
        let refined: Vec<Group> = (0..count)
            .map(|at| {
                let result = saturation.graph.find(results[at]);
                if is_constant[at] && saturation.is_same(result, looped.inits[at]) {
                    return groups[at];
                }
                if is_constant[at] {
                    is_stable = false;
                    is_constant[at] = false;
                    return varying[at];
                }
                let representative = *parts.entry((groups[at], result)).or_insert(at);
                is_stable &= first[&groups[at]] == representative;
                Group::Part(representative)
            })
            .collect();
        if is_stable {
            return Some((assumed, results));
        }
        groups = refined;
    }
    None
}

/// The variables that are assumed to be equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Group {
    /// They begin as this class.
    Init(usize),
    /// They begin as this class, which is a constant, and change.
    Varying(usize),
    /// A part of a group, named by its first variable.
    Part(usize),
}

/// A number, or a function without constant inputs.
fn is_known(saturation: &Saturation, id: Id) -> bool {
    saturation.form(id).is_some_and(|form| {
        form.is_closed && matches!(form.node.head, Head::Number(_) | Head::Function { .. })
    })
}

/// Which variables the new loop has.
struct Plan {
    /// The representative of each variable; none for constants.
    representatives: Vec<Option<usize>>,
    /// Whether the value of a variable is known outside of the loop.
    is_value: Vec<bool>,
    /// The expressions that are computed outside, and their classes there.
    hoisted: Vec<Id>,
    inits: Vec<Id>,
}

/// Makes the loop without constant, equal, invariant and dead variables, and with invariant
/// expressions outside: the rules `loop-invariant`, `loop-hoist` and `loop-dead`, too. If all
/// outputs have other forms then, returns the new loop, which is none if it is not needed.
fn rebuild(
    saturation: &mut Saturation,
    looped: &Loop,
    assumed: &[Id],
    results: &[Id],
) -> Option<Option<Id>> {
    let plan = plan(saturation, looped, assumed, results);
    let count = looped.inits.len();
    let is_live = |at: &usize| looped.outputs[*at].is_some() && !plan.is_value[*at];
    let live = (0..count).filter(is_live).filter_map(|at| plan.representatives[at]).collect();
    let (needed, kept) = needed(saturation, results, live, &plan.hoisted)?;
    // A variable that is dropped takes its first value with it.
    let is_kept = |at: usize| match plan.is_value[at] {
        true => looped.outputs[at].is_some(),
        false => plan.representatives[at].is_some_and(|it| needed.contains(&it)),
    };
    let may_trap = |at: &usize| saturation.fact(looped.inits[*at]).may_trap;
    let drops_safely =
        saturation.keeps_traps(&kept, results) && (0..count).filter(may_trap).all(is_kept);
    // A value outside of the loop keeps no trap for a scope that needs nothing else.
    let used: Vec<usize> = (0..count).filter(|at| looped.outputs[*at].is_some()).collect();
    let has_values = used.len() > 1 && used.iter().any(|at| plan.is_value[*at]);
    let traps = results.iter().chain(&looped.inits).any(|it| saturation.fact(*it).traps);
    let drops_safely = drops_safely && !(has_values && traps);
    if drops_safely {
        union_values(saturation, looped, &plan, assumed);
        if kept.is_empty() {
            return Some(None);
        }
    }
    // The loop is informed about a constant, even if it has to remain because something traps.
    let is_variable = |at: &usize| match plan.representatives[*at] {
        Some(representative) => representative == *at,
        None => !drops_safely && looped.outputs[*at].is_some(),
    };
    let all: Vec<usize> = (0..count).filter(is_variable).collect();
    let is_smaller = drops_safely && saturation.is_on("loop-dead");
    let variables = if is_smaller { needed } else { all.clone() };
    let tuple = new_loop(saturation, looped, &plan, &variables, (assumed, results))?;
    let rules = plan.rules(all.len() > variables.len());
    let position: FxHashMap<usize, usize> = variables.iter().copied().zip(0..).collect();
    let is_done = |at: &usize| drops_safely && plan.is_value[*at];
    let variable = |at: usize| plan.representatives[at].unwrap_or(at);
    let rest = (0..count).filter(|at| !is_done(at));
    let rest = rest.filter_map(|at| Some((looped.outputs[at]?, variable(at))));
    let new = rest.map(|(output, it)| (output, position.get(&it).copied()));
    let new: Vec<(Id, Option<usize>)> = new.collect();
    let is_replaced = new.iter().all(|it| it.1.is_some());
    // Two loops for the outputs of one would write its lines twice.
    if !is_replaced && looped.results.iter().any(|it| saturation.fact(*it).writes) {
        return None;
    }
    for (output, new) in new {
        if let Some(new) = new {
            let same = saturation.output(tuple, new);
            saturation.union_by(&rules, output, same);
        }
    }
    is_replaced.then_some(Some(tuple))
}

/// Outputs whose values are known outside of the loop have these as forms.
fn union_values(saturation: &mut Saturation, looped: &Loop, plan: &Plan, assumed: &[Id]) {
    for at in (0..looped.inits.len()).filter(|at| plan.is_value[*at]) {
        let (rule, value) = match plan.representatives[at] {
            Some(it) => ("loop-invariant", looped.inits[it]),
            None => ("loop-constant", assumed[at]),
        };
        if let Some(output) = looped.outputs[at] {
            saturation.union(rule, output, value);
        }
    }
}

fn plan(saturation: &mut Saturation, looped: &Loop, assumed: &[Id], results: &[Id]) -> Plan {
    let count = looped.inits.len();
    let argument_of = |id: &Id| match saturation.form(*id)?.node.head {
        Head::Argument(at) => Some(at as usize),
        _ => None,
    };
    let representatives: Vec<Option<usize>> = assumed.iter().map(argument_of).collect();
    let arguments: Vec<Id> = (0..count).map(|at| saturation.argument(at)).collect();
    let is_invariant: Vec<bool> = (0..count)
        .map(|at| representatives[at] == Some(at) && saturation.is_same(results[at], arguments[at]))
        .collect();
    let is_on = saturation.is_on("loop-invariant");
    let is_value = |it: &Option<usize>| it.is_none_or(|it| is_on && is_invariant[it]);
    let is_value = representatives.iter().map(is_value).collect();
    let hoisted = match saturation.is_on("loop-hoist") {
        true => hoistable(saturation, results, &is_invariant),
        false => Vec::new(),
    };
    let inits = saturation.substitute(&hoisted, &looped.inits, &mut FxHashMap::default());
    let hoisted = if inits.is_some() { hoisted } else { Vec::new() };
    Plan { representatives, is_value, hoisted, inits: inits.unwrap_or_default() }
}

/// The loop of these variables, and then of the hoisted expressions.
fn new_loop(
    saturation: &mut Saturation,
    looped: &Loop,
    plan: &Plan,
    variables: &[usize],
    (assumed, results): (&[Id], &[Id]),
) -> Option<Id> {
    let mut arguments = assumed.to_vec();
    let position: FxHashMap<usize, usize> = variables.iter().copied().zip(0..).collect();
    for (argument, representative) in arguments.iter_mut().zip(&plan.representatives) {
        if let Some(new) = representative.and_then(|it| position.get(&it)) {
            *argument = saturation.argument(*new);
        }
    }
    let mut made: FxHashMap<Id, Id> = FxHashMap::default();
    let mut unique: FxHashMap<Id, usize> = FxHashMap::default();
    let mut extra: Vec<Id> = Vec::new();
    for (expression, init) in plan.hoisted.iter().zip(&plan.inits) {
        let next = variables.len() + extra.len();
        let at = *unique.entry(saturation.graph.find(*init)).or_insert(next);
        if at == next {
            extra.push(*init);
        }
        made.insert(*expression, saturation.argument(at));
    }
    let predicate = results[looped.inits.len()];
    let roots: Vec<Id> = variables.iter().map(|at| results[*at]).chain([predicate]).collect();
    let mut new = saturation.substitute(&roots, &arguments, &mut made)?;
    let predicate = new.pop()?;
    for at in 0..extra.len() {
        new.push(saturation.argument(variables.len() + at));
    }
    new.push(predicate);
    let starts = variables.iter().map(|at| looped.inits[*at]).chain(extra);
    let operands: Vec<Id> = starts.chain(new).collect();
    Some(saturation.add(Node::new(Head::Loop, &operands)))
}

impl Plan {
    /// The rules that make the new loop another one.
    fn rules(&self, is_smaller: bool) -> Vec<&'static str> {
        let mut others = self.representatives.iter().zip(0..);
        let is_equal = others.any(|(it, at)| it.is_some_and(|it| it != at));
        let applied = [
            ("loop-constant", self.representatives.contains(&None)),
            ("loop-equal", is_equal),
            ("loop-hoist", !self.hoisted.is_empty()),
            ("loop-dead", is_smaller),
        ];
        applied.into_iter().filter(|it| it.1).map(|it| it.0).collect()
    }
}

/// The maximal expressions that depend on invariant variables only.
fn hoistable(saturation: &Saturation, results: &[Id], is_invariant: &[bool]) -> Vec<Id> {
    let order = saturation.visit(results);
    let mut fixed: FxHashMap<Id, bool> = FxHashMap::default();
    for &id in &order {
        let Some(form) = saturation.form(id) else { continue };
        let is_fixed = match form.node.head {
            Head::Argument(at) => is_invariant.get(at as usize).copied().unwrap_or(false),
            Head::Use | Head::Force | Head::Call | Head::Function { .. } => false,
            Head::Number(_)
            | Head::Component(_)
            | Head::Operator(_)
            | Head::Loop
            | Head::Switch { .. } => {
                let outside = form.node.split().0;
                outside.iter().all(|it| fixed.get(it).copied().unwrap_or(false))
                    && !saturation.fact(id).may_trap
            }
        };
        fixed.insert(id, is_fixed);
    }
    // An expression is maximal if something that is not fixed uses it.
    let mut maximal = Vec::new();
    let mut is_taken: FxHashSet<Id> = FxHashSet::default();
    let mut take = |id: Id| {
        let Some(form) = saturation.form(id) else { return };
        let is_value = matches!(form.node.head, Head::Operator(_) | Head::Component(_));
        if is_value && fixed.get(&id) == Some(&true) && is_taken.insert(id) {
            maximal.push(id);
        }
    };
    results.iter().for_each(|it| take(*it));
    for id in order.iter().filter(|it| fixed.get(it) == Some(&false)) {
        if let Some(form) = saturation.form(*id) {
            form.node.split().0.iter().for_each(|it| take(*it));
        }
    }
    maximal
}

/// The variables that the predicate and the live variables need, if expressions are hoisted; and
/// their results. Without live variables, no result is needed. None if a form needs variables that
/// the loop does not have.
fn needed(
    saturation: &Saturation,
    results: &[Id],
    live: Vec<usize>,
    hoisted: &[Id],
) -> Option<(Vec<usize>, Vec<Id>)> {
    if live.is_empty() {
        return Some((Vec::new(), Vec::new()));
    }
    let count = results.len() - 1;
    let hoisted: FxHashSet<Id> = hoisted.iter().copied().collect();
    let mut is_needed = vec![false; count];
    let mut open: Vec<Id> = vec![results[count]];
    let mut kept = open.clone();
    for at in live {
        if !std::mem::replace(&mut is_needed[at], true) {
            open.push(results[at]);
            kept.push(results[at]);
        }
    }
    let mut seen: FxHashSet<Id> = FxHashSet::default();
    while let Some(id) = open.pop() {
        if hoisted.contains(&id) || !seen.insert(id) {
            continue;
        }
        let Some(form) = saturation.form(id) else { continue };
        if let Head::Argument(at) = form.node.head
            && !std::mem::replace(is_needed.get_mut(at as usize)?, true)
        {
            open.push(results[at as usize]);
            kept.push(results[at as usize]);
        }
        open.extend(form.node.split().0);
    }
    Some(((0..count).filter(|at| is_needed[*at]).collect(), kept))
}
