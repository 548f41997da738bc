//! The statement of a problem and the cost of a selection.
use super::*;

fn two_by_three() -> (Problem, NodeId, NodeId) {
    let mut problem = Problem::new();
    let u = problem.add_node(&costs(&[1, 2]));
    let v = problem.add_node(&costs(&[10, 20, 30]));
    (problem, u, v)
}

#[test]
fn a_selection_costs_vectors_and_matrices() {
    let (mut problem, u, v) = two_by_three();
    problem.add_edge(u, v, &costs(&[100, 200, 300, 400, 500, 600]));
    assert_eq!(problem.cost(&[1, 2]), Cost::new(2 + 30 + 600));
}

#[test]
fn parallel_edges_add_up_in_either_direction() {
    let (mut problem, u, v) = two_by_three();
    problem.add_edge(u, v, &costs(&[100, 200, 300, 400, 500, 600]));
    problem.add_edge(v, u, &costs(&[1000, 2000, 3000, 4000, 5000, 6000]));
    assert_eq!(problem.edge_count(), 1);
    let (_, _, matrix) = problem.edges().next().unwrap();
    assert_eq!(matrix, costs(&[1100, 3200, 5300, 2400, 4500, 6600]));
    assert_eq!(problem.cost(&[1, 0]), Cost::new(2 + 10 + 400 + 2000));
}

#[test]
fn a_self_loop_adds_to_its_node() {
    let (mut problem, _, v) = two_by_three();
    let mut matrix = costs(&[7, 0, 0, 0, 8, 0, 0, 0, 9]);
    matrix[4] = Cost::INFINITY;
    problem.add_edge(v, v, &matrix);
    assert_eq!(problem.edge_count(), 0);
    assert_eq!(problem.vector(v), [Cost::new(17), Cost::INFINITY, Cost::new(39)]);
}

#[test]
fn costs_and_functions_state_the_same_problem_as_matrices() {
    let (mut problem, u, v) = two_by_three();
    problem.add_cost(v, 1, Cost::INFINITY);
    problem.add_edge_with(v, u, |j, i| Cost::new(10 * i as u64 + j as u64));
    assert_eq!(problem.vector(v), [Cost::new(10), INF, Cost::new(30)]);
    let (_, _, matrix) = problem.edges().next().unwrap();
    assert_eq!(matrix, costs(&[0, 1, 2, 10, 11, 12]));
}
