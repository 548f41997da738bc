//! Components, and parts of a graph as problems.
use super::*;

#[test]
fn components_contain_each_node_with_edges_once() {
    for seed in 0..50 {
        let problem = (FAMILIES[2].draw)(&mut Random(seed), 40);
        let mut graph = Graph::new(&problem);
        (0..20).for_each(|x| graph.eliminate(NodeId::from_index(x)));
        let mut component = vec![None; 40];
        for (at, nodes) in components(&graph).iter().enumerate() {
            for x in nodes {
                assert_eq!(component[x.index()].replace(at), None, "{seed}");
            }
        }
        for x in graph.remaining_nodes() {
            let neighbours = graph.edges_of(x).iter().map(|it| it.other);
            neighbours.for_each(|y| assert_eq!(component[x.index()], component[y.index()]));
            assert_eq!(component[x.index()].is_some(), graph.degree(x) > 0, "{seed}");
        }
    }
}

#[test]
fn a_subproblem_has_the_costs_of_its_nodes() {
    let mut compared = 0;
    for seed in 0..50 {
        let random = &mut Random(seed);
        let problem = (FAMILIES[5].draw)(random, 20);
        let Ok(solution) = solve(&problem) else { continue };
        let mut choice = solution.choice;
        let graph = Graph::new(&problem);
        let mut extractor = SubproblemExtractor::new(&graph);
        let nodes = extractor.neighbourhood(&graph, NodeId::from_index(3), 4, usize::MAX);
        assert!(nodes.len() <= 4 && nodes[0] == NodeId::from_index(3));
        let part = extractor.extract(&graph, nodes, &choice);
        let of_part = part.nodes.iter().map(|x| choice[x.index()]);
        let others = solution.cost - part.problem.cost(&of_part.collect::<Vec<_>>());
        for _ in 0..100 {
            let inside: Vec<u32> = part.nodes.iter().map(|_| random.below(3) as u32).collect();
            part.in_graph(&inside).for_each(|(x, i)| choice[x.index()] = i);
            let cost = problem.cost(&choice);
            assert_eq!(cost, others + part.problem.cost(&inside), "{seed}");
            compared += u32::from(cost.is_finite());
        }
    }
    assert!(compared > 100, "{compared}");
}
