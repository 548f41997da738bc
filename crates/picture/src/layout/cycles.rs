//! Back edges: the edges that close a cycle in a depth-first search from the top.

/// For each edge from an upper to a lower vertex, whether it is to be turned upside down. The
/// search visits vertices in their order, so the first one stays on top.
pub fn back_edges(count: usize, edges: &[(usize, usize)]) -> Vec<bool> {
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut has_upper = vec![false; count];
    for (at, &(upper, lower)) in edges.iter().enumerate() {
        below[upper].push(at);
        has_upper[lower] |= upper != lower;
    }
    let mut search = Search { edges, below, state: vec![State::New; count], is_back: Vec::new() };
    search.is_back.resize(edges.len(), false);
    let tops = (0..count).filter(|&vertex| !has_upper[vertex]);
    for vertex in tops.chain(0..count) {
        search.visit(vertex);
    }
    search.is_back
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

struct Search<'e> {
    edges: &'e [(usize, usize)],
    below: Vec<Vec<usize>>,
    state: Vec<State>,
    is_back: Vec<bool>,
}

impl Search<'_> {
    fn visit(&mut self, root: usize) {
        if self.state[root] != State::New {
            return;
        }
        self.state[root] = State::Open;
        let mut path = vec![(root, 0)];
        while let Some((vertex, next)) = path.last_mut() {
            let Some(&edge) = self.below[*vertex].get(*next) else {
                self.state[*vertex] = State::Done;
                path.pop();
                continue;
            };
            *next += 1;
            let lower = self.edges[edge].1;
            match self.state[lower] {
                State::New => {
                    self.state[lower] = State::Open;
                    path.push((lower, 0));
                }
                State::Open => self.is_back[edge] = true,
                State::Done => (),
            }
        }
    }
}
