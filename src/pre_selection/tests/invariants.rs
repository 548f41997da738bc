//! Sums and products in loops: the operations that leave the loop.
use super::{checked, lowered};
use crate::arith::Binary;
use crate::firm::{Graph, NodeId, Op};
use crate::pre_selection::if_conversion::convert;
use crate::pre_selection::invariants::combine;
use crate::random::Random;
use crate::stage::Artifact;

fn combined(graph: Graph) -> Graph {
    combine(graph, |_, _| Some(1))
}

/// The numbers of sums, differences and products in loops, before and after.
fn in_loops(text: &str) -> [usize; 2] {
    let graph = lowered(text);
    let combined = checked(&graph, combined);
    [graph, combined].map(|graph| {
        let is_counted = |op| matches!(op, Op::Binary(Binary::Add | Binary::Sub | Binary::Mul));
        let is_in_loop = |id| graph.depth(graph.node(id).block) > 0;
        graph.ids().filter(|&id| is_counted(graph.op(id)) && is_in_loop(id)).count()
    })
}

/// A loop with this body, in which a, b and c are invariant, s and t change.
fn repeated(body: &str) -> String {
    format!(
        "int a = arg / 3; int b = arg / 5; int c = arg / 7; int s = 0; int t = 1;
         while (t < arg) {{ {body} t = t + t / 3 + 1; }} return s;"
    )
}

#[test]
fn invariant_terms_leave_the_loop() {
    let own = in_loops(&repeated(""))[0];
    for (body, expected) in [
        ("s = s + a + b;", [2, 1]),
        ("s = s + a + t + b;", [3, 2]),
        ("s = s - a - b;", [2, 1]),
        ("s = s + a - b + c;", [3, 1]),
        ("s = a - s - b;", [2, 1]),
        ("s = s * a * b * c;", [3, 1]),
        ("s = s + t + a + 7;", [3, 2]),
        ("s = s - a - 7;", [2, 1]),
        // One invariant term, and a number that an address may add.
        ("s = s + a;", [1, 1]),
        ("s = s + a + 7;", [2, 2]),
        ("s = s * a * 3;", [2, 2]),
        // A partial result with other uses.
        ("int u = s + a; s = u + b + u / 9;", [3, 3]),
    ] {
        let found = in_loops(&repeated(body)).map(|count| count - own);
        assert_eq!(found, expected, "{body}");
    }
}

#[test]
fn terms_leave_several_loops() {
    let text = "int a = arg / 3; int b = arg / 5; int s = 0; int i = 0;
        while (i < arg) {
            int j = 0; int c = i / 7;
            while (j < arg) { s = s + a + j + b + c; j = j + 1; }
            i = i + 1;
        } return s;";
    // Both increments, and j and s; the outer loop adds c to a + b.
    assert_eq!(in_loops(text), [6, 5]);
}

#[test]
fn the_value_that_a_sum_replaces_is_its_last_term() {
    let graph = checked(&lowered(&repeated("s = s + t + a + b;")), combined);
    let replaces = |id, value| graph.op(value) == Op::Phi && graph.operands(value).contains(&id);
    let is_last = |&id: &_| {
        let is_sum = graph.op(id) == Op::Binary(Binary::Add);
        is_sum && graph.operands(id).get(1).is_some_and(|&last| replaces(id, last))
    };
    // `a + b` is one term, which is added to `t`; then `s` is added.
    assert_eq!(graph.ids().filter(is_last).count(), 1, "{}", graph.print());
}

/// A choice between the sum and another number is as good as the sum.
#[test]
fn the_value_that_a_sum_may_replace_is_its_last_term() {
    let graph = lowered(&repeated("s = s + t - a * t; if (s > 900) s = t;"));
    let graph = checked(&convert(graph, |_, _| Some(1)), combined);
    let is_choice = |id, value| graph.op(id) == Op::Mux && graph.operands(id).contains(&value);
    let is_last = |&id: &_| {
        let last = graph.operands(id).get(1).copied().filter(|&last| graph.op(last) == Op::Phi);
        let mut next = last.into_iter().flat_map(|phi| graph.operands(phi));
        graph.op(id) == Op::Binary(Binary::Add) && next.any(|&next| is_choice(next, id))
    };
    assert_eq!(graph.ids().filter(is_last).count(), 1, "{}", graph.print());
}

/// The product needs the last result, too, and is known later than it. A remainder is one term.
#[test]
fn the_latest_term_of_a_sum_is_its_last_term() {
    for body in ["s = t + s * (s + 9) + s;", "s = s * (s + 9) + (t - t / 8 * 8) + s;"] {
        let graph = checked(&lowered(&repeated(body)), combined);
        let is_product = |id: NodeId| graph.op(id) == Op::Binary(Binary::Mul);
        let is_last = |&id: &NodeId| {
            let is_sum = graph.op(id) == Op::Binary(Binary::Add);
            let next = || graph.ids().filter(|&it| graph.op(it) == Op::Phi);
            is_sum
                && is_product(graph.operands(id)[1])
                && next().any(|phi| graph.operands(phi).contains(&id))
        };
        assert_eq!(graph.ids().filter(is_last).count(), 1, "{}", graph.print());
    }
}

/// A sum of random terms and products.
fn sum(random: &mut Random) -> String {
    let mut text = random.pick(&TERMS).to_string();
    for _ in 0..2 + random.below(8) {
        text += random.pick(&[" + ", " + ", " - ", " * "]);
        text += random.pick(&TERMS);
    }
    text
}

const TERMS: [&str; 7] = ["a", "b", "c", "s", "t", "arg", "7"];

#[test]
fn random_sums_keep_their_results() {
    let mut random = Random::new(33);
    let mut fewer = 0;
    for _ in 0..400 {
        let [first, second] = [(); 2].map(|()| sum(&mut random));
        let text = repeated(&format!("s = {first}; if (s < t) s = {second};"));
        let [before, after] = in_loops(&text);
        assert!(after <= before, "{text}");
        fewer += usize::from(after < before);
    }
    assert!(fewer > 100, "{fewer}");
}
