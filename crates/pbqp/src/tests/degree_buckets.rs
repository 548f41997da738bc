//! The order in which RN decides nodes.
use super::*;

#[test]
fn the_first_node_of_the_highest_degree_is_next() {
    for seed in 0..50 {
        let problem = (FAMILIES[3].draw)(&mut Random(seed), 30);
        let mut graph = Graph::new(&problem);
        let mut buckets = DegreeBuckets::new(&graph);
        loop {
            let expected = graph.connected_nodes().max_by_key(|&x| (graph.degree(x), Reverse(x)));
            assert_eq!(buckets.next(&graph), expected, "{seed}");
            let Some(x) = expected else { break };
            graph.eliminate(x);
        }
    }
}
