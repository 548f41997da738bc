//! The graph as a list: a line for each node, with the name that it has in the picture, and the
//! lines of its regions below it.
use super::graph::{Graph, NodeId, RegionId, Value};
use super::op::Op;
use arena::Id;
use std::collections::BTreeSet;

/// Deeper lines are not indented further.
const MAX_INDENT: usize = 40;

/// The lines of the program, then those of the functions.
pub fn listing(graph: &Graph) -> String {
    let mut listing = Listing { graph, text: String::new(), open: Vec::new() };
    listing.function(graph.main, "program");
    let functions = graph.ids().filter(|&id| graph.op(id) == Op::Function);
    let bodies: BTreeSet<_> = functions.map(|id| graph.inner(id)[0]).collect();
    for body in bodies {
        listing.function(body, &function(body));
    }
    listing.text
}

/// A list while it is written.
struct Listing<'g> {
    graph: &'g Graph,
    text: String,
    /// The regions around the next line.
    open: Vec<Open>,
}

/// A region of which some nodes are written.
struct Open {
    region: RegionId,
    next: usize,
    /// The number of the node's region that is written next.
    inner: usize,
}

impl Listing<'_> {
    fn function(&mut self, region: RegionId, title: &str) {
        self.line(title);
        self.open.push(Open { region, next: 0, inner: 0 });
        while let Some(open) = self.open.last_mut() {
            let nodes = &self.graph.region(open.region).nodes;
            let Some(&node) = nodes.get(open.next) else {
                self.close();
                continue;
            };
            let inner = open.inner;
            open.inner += 1;
            if inner == 0 {
                let line = line(self.graph, node);
                self.line(&line);
            }
            self.inner(node, inner);
        }
    }

    /// Opens the region of this number in the last node, or goes on to the next node.
    fn inner(&mut self, node: NodeId, number: usize) {
        let op = self.graph.op(node);
        let inner = if op == Op::Function { &[] } else { self.graph.inner(node) };
        match inner.get(number) {
            Some(&region) => {
                if op == Op::Switch {
                    self.line(&format!("case {number}"));
                }
                self.open.push(Open { region, next: 0, inner: 0 });
            }
            None => {
                let open = self.open.last_mut().expect("the region of the node is open");
                (open.next, open.inner) = (open.next + 1, 0);
            }
        }
    }

    /// Writes the results of the innermost region, and closes it.
    fn close(&mut self) {
        let region = self.open.last().expect("a region is open").region;
        let results = values(self.graph, &self.graph.region(region).results);
        self.line(&format!("r{}: results{results}", region.index()));
        self.open.pop();
    }

    fn line(&mut self, line: &str) {
        let indent = (2 * self.open.len()).min(MAX_INDENT);
        self.text += &format!("{}{line}\n", " ".repeat(indent));
    }
}

fn function(body: RegionId) -> String {
    format!("func {}", body.index())
}

/// `n5: * n1.0 n1.2`.
fn line(graph: &Graph, id: NodeId) -> String {
    let name = match (graph.op(id), graph.inner(id)) {
        (Op::Function, &[body]) => function(body),
        (Op::Arguments, _) => format!("arguments {}", graph.node(id).outputs),
        (op, _) => op.name(),
    };
    format!("n{}: {name}{}", id.index(), values(graph, graph.operands(id)))
}

/// The names of values; an output of several is `n1.0`.
fn values(graph: &Graph, values: &[Value]) -> String {
    let name = |it: &Value| match graph.op(it.node) {
        Op::Number(_) | Op::Operator(_) | Op::Use | Op::Function => {
            format!(" n{}", it.node.index())
        }
        Op::Arguments | Op::Loop | Op::Switch | Op::Call | Op::Force => {
            format!(" n{}.{}", it.node.index(), it.output)
        }
    };
    values.iter().map(name).collect()
}
