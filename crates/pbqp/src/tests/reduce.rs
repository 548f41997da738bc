//! Each reduction alone, compared with brute force.
use super::*;

/// The cost of `choice` in the remaining graph.
fn remaining_cost(graph: &Graph, choice: &[u32]) -> Cost {
    let chosen = |x: NodeId| choice[x.index()] as usize;
    let of_node = |x| {
        let edges = graph.edges_of(x).iter().filter(|it| x < it.other);
        let entry = |it: &Incidence| graph.view(it.edge, x).at(chosen(x), chosen(it.other));
        graph.vector(x)[chosen(x)] + edges.map(entry).sum()
    };
    graph.remaining_nodes().map(of_node).sum()
}

/// The least cost of the remaining graph.
fn least_remaining_cost(graph: &Graph, problem: &Problem) -> Cost {
    let mut least = INF;
    each_selection(problem, &mut |choice| least = least.min(remaining_cost(graph, choice)));
    least
}

/// Normalizes all edges, checks the graph after each, and counts the pruned alternatives.
fn normalize_all(graph: &mut Graph, check: &mut dyn FnMut(&Graph)) -> usize {
    let (mut pruned, mut count) = (Vec::new(), 0);
    while let Some(edge) = graph.next_to_normalize() {
        let is_independent = !is_reducible(graph, edge) && normalize(graph, edge, &mut Vec::new());
        graph.take_pruned(&mut pruned);
        count += pruned.len();
        pruned.iter().for_each(|&(x, _)| graph.propagate(x));
        graph.set_normalized(edge);
        if is_independent {
            graph.remove(edge);
        }
        check(graph);
    }
    count
}

#[test]
fn normalization_keeps_the_cost_of_every_selection() {
    for seed in 0..200 {
        let problem = (FAMILIES[seed % FAMILIES.len()].draw)(&mut Random(seed as u64), 4);
        let mut graph = Graph::new(&problem);
        normalize_all(&mut graph, &mut |graph| {
            each_selection(&problem, &mut |choice| {
                assert_eq!(remaining_cost(graph, choice), problem.cost(choice), "{seed}");
            });
        });
    }
}

#[test]
fn all_reductions_but_rn_keep_the_least_cost() {
    for seed in 0..800 {
        let problem = (FAMILIES[seed % FAMILIES.len()].draw)(&mut Random(seed as u64), 6);
        let least = brute_force(&problem);
        let mut graph = Graph::new(&problem);
        loop {
            normalize_all(&mut graph, &mut |_| {});
            if let Some(x) = graph.next_of_degree(1) {
                r1(&mut graph, x, &mut ReductionStack::default());
            } else if let Some(x) = graph.next_of_degree(2) {
                r2(&mut graph, x, &mut ReductionStack::default(), &mut Scratch::default());
            } else {
                break;
            }
            assert_eq!(least_remaining_cost(&graph, &problem), least, "{seed}");
        }
    }
}

/// Three nodes in a row; x is the middle one.
fn row() -> (Problem, [NodeId; 3]) {
    let mut problem = Problem::new();
    let y = problem.add_node(&costs(&[1, 2]));
    let x = problem.add_node(&costs(&[10, 20]));
    let z = problem.add_node(&costs(&[3, 4]));
    problem.add_edge(y, x, &[Cost::new(5), INF, Cost::new(7), Cost::ZERO]);
    problem.add_edge(x, z, &costs(&[0, 30, 20, 0]));
    (problem, [y, x, z])
}

#[test]
fn an_edge_whose_rows_are_constant_is_independent() {
    let mut problem = Problem::new();
    let u = problem.add_node(&costs(&[1, 2]));
    let v = problem.add_node(&[Cost::new(3), Cost::new(4), INF]);
    // Rows 2 + (1, 6) and 0 + (1, 6), and a pruned column.
    problem.add_edge(u, v, &costs(&[3, 8, 0, 1, 6, 9]));
    // More neighbours, so that R1 and R2 do not apply.
    for end in [u, u, v, v] {
        let other = problem.add_node(&costs(&[0]));
        let column = vec![Cost::new(1); problem.vector(end).len()];
        problem.add_edge(end, other, &column);
    }
    let mut graph = Graph::new(&problem);
    let edge = graph.between(u, v).unwrap();
    assert!(normalize(&mut graph, edge, &mut Vec::new()));
    assert_eq!(graph.vector(u), costs(&[4, 3]));
    assert_eq!(graph.vector(v), [Cost::new(3), Cost::new(9), INF]);
}

#[test]
fn r1_moves_the_least_costs_to_the_neighbour() {
    let (problem, [y, x, z]) = row();
    let mut graph = Graph::new(&problem);
    let stack = &mut ReductionStack::default();
    assert_eq!(r1(&mut graph, y, stack), x);
    // min(1 + 5, 2 + 7) and min(∞, 2 + 0)
    assert_eq!(graph.vector(x), costs(&[16, 22]));
    assert_eq!((graph.degree(x), graph.vector(z)), (1, &costs(&[3, 4])[..]));
    assert!(graph.is_eliminated(y));
    // In backpropagation, y takes the best alternative for that of x.
    for chosen in [0, 1] {
        let mut choice = [7, chosen, 0];
        stack.clone().backpropagate(&mut choice);
        assert_eq!(choice, [chosen, chosen, 0]);
    }
}

#[test]
fn r2_moves_the_least_costs_between_the_neighbours() {
    let (problem, [y, x, z]) = row();
    let mut graph = Graph::new(&problem);
    let stack = &mut ReductionStack::default();
    assert_eq!(r2(&mut graph, x, stack, &mut Scratch::default()), [y, z]);
    let edge = graph.between(z, y).expect("a new edge");
    let matrix = graph.view(edge, y);
    let entries = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(j, l)| matrix.at(j, l));
    // min(15 + 0, ∞), min(15 + 30, ∞), min(17 + 0, 20 + 20), min(17 + 30, 20 + 0)
    assert_eq!(entries[..], costs(&[15, 45, 17, 20]));
    assert_eq!((graph.degree(y), graph.degree(z)), (1, 1));
    for (chosen, best) in [([0, 0], 0), ([0, 1], 0), ([1, 0], 0), ([1, 1], 1)] {
        let mut choice = [chosen[0], 7, chosen[1]];
        stack.clone().backpropagate(&mut choice);
        assert_eq!(choice[1], best);
    }
}

#[test]
fn rn_considers_neighbours_and_takes_the_first_of_equals() {
    let (problem, [y, x, z]) = row();
    // h(0) = 10 + min(1 + 5, 2 + 7) + min(3 + 0, 4 + 30) = 19
    // h(1) = 20 + min(∞, 2 + 0) + min(3 + 20, 4 + 0) = 26
    let mut graph = Graph::new(&problem);
    assert_eq!(rn(&mut graph, x), 0);
    assert_eq!((graph.vector(y), graph.vector(z)), (&costs(&[6, 9])[..], &costs(&[3, 34])[..]));
    assert_eq!((graph.degree(y), graph.degree(z)), (0, 0));
    let mut problem = Problem::new();
    let x = problem.add_node(&[INF, Cost::new(5), Cost::new(4), Cost::new(4)]);
    assert_eq!(rn(&mut Graph::new(&problem), x), 2);
}

#[test]
fn infinities_propagate_along_all_edges() {
    let mut problem = Problem::new();
    let count = 100_000;
    let equal = [Cost::ZERO, INF, INF, Cost::ZERO];
    let nodes: Vec<NodeId> = (0..count).map(|_| problem.add_node(&costs(&[0, 1]))).collect();
    for (at, step) in (0..count).flat_map(|at| [(at, 1), (at, 2)]) {
        problem.add_edge(nodes[at], nodes[(at + step) % count], &equal);
    }
    // One node cannot take its first alternative, so no node of the ring can.
    let last = nodes[count - 1];
    problem.add_edge(last, last, &[INF, INF, INF, Cost::ZERO]);
    let mut graph = Graph::new(&problem);
    let pruned = normalize_all(&mut graph, &mut |_| {});
    assert!(nodes.iter().all(|&x| !graph.is_allowed(x, 0) && graph.is_allowed(x, 1)));
    assert_eq!(pruned, count - 1);
}
