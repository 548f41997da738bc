//! Inlining: a call of a known function is its results, with the arguments substituted.
use super::node::{Id, Node, function};
use super::saturation::Saturation;
use crate::region::Head;
use arena::{FxHashMap, FxHashSet};

const RULE: &str = "call-known";

/// The depth of copies of functions that contain calls.
const MAX_DEPTH: u32 = 3;

/// Inlines the call `node`, a tuple of the class `tuple`, unless the function itself contains a
/// call that can be inlined: that comes first, so no such call is copied.
pub fn apply(saturation: &mut Saturation, tuple: Id, node: &Node) {
    let depth = saturation.depths.get(node).copied().unwrap_or(0);
    if !saturation.is_on(RULE) || saturation.seen.contains_key(node) || depth >= MAX_DEPTH {
        return;
    }
    let Some(function) = function(&saturation.graph, node.operands[0]).cloned() else { return };
    let (constants, results) = function.split();
    let Head::Function { inputs, .. } = function.head else { return };
    if inputs as usize != node.operands.len() - 1 || contains_open_call(saturation, results) {
        return;
    }
    let iteration = saturation.iteration;
    saturation.seen.insert(node.clone(), iteration);
    let arguments = [&node.operands[1..], constants].concat();
    saturation.depth = depth + 1;
    let made = saturation.substitute(results, &arguments, &mut FxHashMap::default());
    saturation.depth = 0;
    let Some(mut made) = made else { return };
    let used = (0..made.len()).filter(|at| saturation.used_output(tuple, *at).is_some());
    let used: Vec<usize> = used.collect();
    if !saturation.keep_operands(&arguments, &used, &mut made) {
        return;
    }
    for (at, &result) in made.iter().enumerate() {
        if let Some(output) = saturation.used_output(tuple, at) {
            saturation.union(RULE, output, result);
        }
    }
    saturation.retire(tuple, node, None);
}

/// Whether the forms of a function's results contain a call that will be inlined.
fn contains_open_call(saturation: &mut Saturation, results: &[Id]) -> bool {
    let mut seen: FxHashSet<Id> = FxHashSet::default();
    let mut open = results.to_vec();
    while let Some(id) = open.pop() {
        if saturation.without_calls.contains(&id) || !seen.insert(id) {
            continue;
        }
        let Some(form) = saturation.form(id) else { continue };
        let node = &form.node;
        if node.head == Head::Call && is_open(saturation, node) {
            return true;
        }
        open.extend(node.operands.iter());
    }
    saturation.without_calls.extend(seen);
    false
}

/// A call that was inlined in this iteration has a form without it only in the next one.
fn is_open(saturation: &Saturation, node: &Node) -> bool {
    let seen = saturation.seen.get(node);
    function(&saturation.graph, node.operands[0]).is_some()
        && seen.is_none_or(|it| *it == saturation.iteration)
        && saturation.depths.get(node).copied().unwrap_or(0) < MAX_DEPTH
}
