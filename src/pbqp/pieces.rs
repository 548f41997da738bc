//! Pieces of a graph as problems of their own: connected components, and surroundings of a node.
use super::cost::Cost;
use super::graph::{Graph, Link};
use super::problem::{NodeId, Problem};
use arena::Id;

/// A piece: its node n is `nodes[n]` of the graph, and dead alternatives are left out.
pub struct Piece {
    pub problem: Problem,
    pub nodes: Vec<NodeId>,
    /// What the alternatives are called in the graph, those of all nodes one after the other.
    names: Vec<u32>,
}

impl Piece {
    /// What a choice in the piece is called in the graph, node by node.
    pub fn named(&self, choice: &[u32]) -> impl Iterator<Item = (NodeId, u32)> {
        self.problem.nodes().map(|x| {
            let at = self.problem.alternatives(x).start + choice[x.index()] as usize;
            (self.nodes[x.index()], self.names[at])
        })
    }
}

/// Cuts pieces out of a graph.
pub struct Scissors {
    /// The number of each node in the piece that is being cut, one more than it is; or 0.
    places: Vec<u32>,
}

impl Scissors {
    pub fn new(graph: &Graph) -> Scissors {
        Scissors { places: vec![0; graph.nodes().count()] }
    }

    /// The nodes around `seed`, nearest first, `seed` included: at most `size`, and none but
    /// `seed` with more edges than `edges`.
    pub fn around(
        &mut self,
        graph: &Graph,
        seed: NodeId,
        size: usize,
        edges: usize,
    ) -> Vec<NodeId> {
        let mut nodes = vec![seed];
        self.places[seed.index()] = 1;
        let mut at = 0;
        while let Some(&x) = nodes.get(at) {
            at += 1;
            for &Link { other: y, .. } in graph.edges_of(x) {
                let fits = nodes.len() < size && graph.degree(y) <= edges;
                if fits && self.places[y.index()] == 0 {
                    nodes.push(y);
                    self.places[y.index()] = 1;
                }
            }
        }
        nodes.iter().for_each(|x| self.places[x.index()] = 0);
        nodes
    }

    /// The problem of some nodes, smallest first, while all others do what `choice` says.
    pub fn cut(&mut self, graph: &Graph, mut nodes: Vec<NodeId>, choice: &[u32]) -> Piece {
        nodes.sort_unstable();
        for (at, x) in nodes.iter().enumerate() {
            self.places[x.index()] = at as u32 + 1;
        }
        let (mut problem, mut names, mut costs) = (Problem::new(), Vec::new(), Vec::new());
        for &x in &nodes {
            costs.clear();
            for (i, &cost) in graph.vector(x).iter().enumerate().filter(|it| it.1.is_finite()) {
                costs.push(cost + self.outside(graph, x, i, choice));
                names.push(i as u32);
            }
            problem.add_node(&costs);
        }
        for &x in &nodes {
            for &Link { edge, other: y } in graph.edges_of(x) {
                let Some(place) = self.places[y.index()].checked_sub(1).filter(|_| x < y) else {
                    continue;
                };
                costs.clear();
                let (matrix, others) = (graph.view(edge, x), graph.vector(y));
                for i in (0..graph.vector(x).len()).filter(|&i| graph.is_alive(x, i)) {
                    let row = others.iter().zip(matrix.row(i));
                    costs.extend(row.filter(|(other, _)| other.is_finite()).map(|(_, it)| it));
                }
                let ends = [self.places[x.index()] - 1, place];
                let [u, v] = ends.map(|end| NodeId::from_index(end as usize));
                problem.add_edge(u, v, &costs);
            }
        }
        nodes.iter().for_each(|x| self.places[x.index()] = 0);
        Piece { problem, nodes, names }
    }

    /// What alternative `i` of `x` costs with the neighbours outside of the piece.
    fn outside(&self, graph: &Graph, x: NodeId, i: usize, choice: &[u32]) -> Cost {
        let links = graph.edges_of(x).iter();
        let outside = links.filter(|link| self.places[link.other.index()] == 0);
        let chosen = |x: NodeId| choice[x.index()] as usize;
        outside.map(|link| graph.view(link.edge, x).at(i, chosen(link.other))).sum()
    }
}

/// The connected components of what is left of a graph, without nodes that have no edge.
pub fn components(graph: &Graph) -> Vec<Vec<NodeId>> {
    let mut seen = vec![false; graph.nodes().count()];
    let mut components = Vec::new();
    for seed in graph.nodes().filter(|&x| !graph.is_gone(x) && graph.degree(x) > 0) {
        if std::mem::replace(&mut seen[seed.index()], true) {
            continue;
        }
        let mut nodes = vec![seed];
        let mut at = 0;
        while let Some(&x) = nodes.get(at) {
            at += 1;
            for &Link { other: y, .. } in graph.edges_of(x) {
                if !std::mem::replace(&mut seen[y.index()], true) {
                    nodes.push(y);
                }
            }
        }
        components.push(nodes);
    }
    components
}

#[cfg(test)]
mod tests {
    use super::super::random::{FAMILIES, Random};
    use super::super::solve::solve;
    use super::*;

    #[test]
    fn components_are_all_nodes_with_edges_each_once() {
        for seed in 0..50 {
            let problem = (FAMILIES[2].draw)(&mut Random(seed), 40);
            let mut graph = Graph::new(&problem);
            (0..20).for_each(|x| graph.retire(NodeId::from_index(x)));
            let mut component = vec![None; 40];
            for (at, nodes) in components(&graph).iter().enumerate() {
                for x in nodes {
                    assert_eq!(component[x.index()].replace(at), None, "{seed}");
                }
            }
            for x in graph.nodes().filter(|&x| !graph.is_gone(x)) {
                let near = graph.edges_of(x).iter().map(|link| link.other);
                near.for_each(|y| assert_eq!(component[x.index()], component[y.index()]));
                assert_eq!(component[x.index()].is_some(), graph.degree(x) > 0, "{seed}");
            }
        }
    }

    #[test]
    fn a_piece_costs_what_its_nodes_make_the_whole_cost() {
        let mut compared = 0;
        for seed in 0..50 {
            let random = &mut Random(seed);
            let problem = (FAMILIES[5].draw)(random, 20);
            let Ok(solution) = solve(&problem) else { continue };
            let mut choice = solution.choice;
            let graph = Graph::new(&problem);
            let mut scissors = Scissors::new(&graph);
            let nodes = scissors.around(&graph, NodeId::from_index(3), 4, usize::MAX);
            assert!(nodes.len() <= 4 && nodes[0] == NodeId::from_index(3));
            let piece = scissors.cut(&graph, nodes, &choice);
            let of_nodes = piece.nodes.iter().map(|x| choice[x.index()]);
            let others = solution.cost - piece.problem.cost(&of_nodes.collect::<Vec<_>>());
            for _ in 0..100 {
                let inside: Vec<u32> = piece.nodes.iter().map(|_| random.below(3) as u32).collect();
                piece.named(&inside).for_each(|(x, i)| choice[x.index()] = i);
                let cost = problem.cost(&choice);
                assert_eq!(cost, others + piece.problem.cost(&inside), "{seed}");
                compared += u32::from(cost.is_finite());
            }
        }
        assert!(compared > 100, "{compared}");
    }
}
