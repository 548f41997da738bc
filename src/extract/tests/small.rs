//! Small problems, by hand.
use crate::extract::{
    Form, Method, NoExpression, Problem, extract, greedy_dag, greedy_tree, instance,
};

fn problem(classes: &[&[(u32, &[u32])]], roots: &[u32]) -> Problem {
    let form = |&(cost, children): &(u32, &[u32])| Form { cost, children: children.to_vec() };
    let classes = classes.iter().map(|forms| forms.iter().map(form).collect()).collect();
    Problem { classes, roots: roots.to_vec() }
}

/// Checks the cost of the extraction and of the greedy ones, and that the first is proved optimal.
fn check(problem: &Problem, [cost, tree, dag]: [u64; 3]) {
    let extraction = extract(problem).expect("an extraction");
    super::random::verify(problem, &extraction);
    assert_eq!([extraction.cost, extraction.bound], [cost; 2]);
    assert_eq!(greedy_tree(problem).expect("an extraction").cost, tree);
    assert_eq!(greedy_dag(problem).expect("an extraction").cost, dag);
}

#[test]
fn a_shared_class_costs_once() {
    // f(s, s) with s for 5, or two leaves of 4.
    let shared =
        problem(&[&[(1, &[1, 1]), (1, &[2, 3])], &[(5, &[])], &[(4, &[])], &[(4, &[])]], &[0]);
    check(&shared, [6, 9, 6]);
}

#[test]
fn a_class_sees_the_needs_of_others() {
    // Both roots may share class 4, which is dearer for each alone.
    let beside = problem(
        &[&[(0, &[2]), (0, &[4])], &[(0, &[3]), (0, &[4])], &[(4, &[])], &[(4, &[])], &[(6, &[])]],
        &[0, 1],
    );
    check(&beside, [6, 8, 8]);
}

#[test]
fn cycles_are_forbidden() {
    // Two classes that are each other, and three that need the next one; the leaves are dear.
    let two = problem(&[&[(0, &[1]), (5, &[])], &[(0, &[0]), (7, &[])]], &[0, 1]);
    check(&two, [5, 5, 5]);
    let three = problem(
        &[&[(1, &[1]), (12, &[])], &[(1, &[2]), (8, &[])], &[(1, &[0]), (12, &[])]],
        &[0, 1, 2],
    );
    check(&three, [10, 10, 10]);
}

#[test]
fn a_root_without_a_finite_expression_is_an_error() {
    let endless = problem(&[&[(1, &[1])], &[(1, &[0]), (2, &[2])], &[]], &[0]);
    assert_eq!(extract(&endless), Err(NoExpression { class: 0 }));
}

#[test]
fn an_instance_has_a_node_for_each_class() {
    let shared = problem(&[&[(1, &[1]), (3, &[])], &[(1, &[0]), (4, &[])]], &[0]);
    let text = "pbqp 2 1\n3 inf 1 3\n3 0 1 4\n0 1 0 inf 0 inf inf 0 0 0 0\n";
    assert_eq!(pbqp::print(&instance(&shared)), text);
    assert_eq!(extract(&shared).expect("an extraction").method, Method::Pbqp);
}
