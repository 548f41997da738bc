//! Regions as a picture: boxes in boxes, arguments at the top, results at the bottom.
//!
//! A loop is its region's box. A switch is a box with a box for each case, between a row of its
//! inputs and a row of its outputs. The regions of functions have boxes of their own, because
//! several nodes may share one.
use super::graph::{Graph, NodeId, RegionId, Value};
use super::op::Op;
use super::types::{self, Kind as TypeKind, Types};
use arena::{Id, SideTable};
use picture::{Cell, Endpoint, Kind, Label, Node, Picture};
use std::collections::BTreeSet;
use std::ops::Range;

/// The limit for nested boxes; regions inside of the innermost ones are not drawn.
const MAX_DEPTH: usize = 20;

/// A picture of the program.
pub fn picture(graph: &Graph) -> Picture {
    let mut picture = Picture::new("regions");
    let types = types::infer(graph).ok();
    let mut canvas = Canvas {
        graph,
        types,
        picture: &mut picture,
        open: Vec::new(),
        closed: SideTable::default(),
    };
    canvas.function(graph.main, "program");
    let functions = graph.ids().filter(|&id| graph.op(id) == Op::Function);
    let bodies: BTreeSet<_> = functions.map(|id| graph.inner(id)[0]).collect();
    for body in bodies {
        canvas.function(body, &format!("func {}", body.index()));
    }
    while let Some((region, cluster, depth)) = canvas.open.pop() {
        canvas.region(region, cluster, depth);
    }
    without_single_ports(&mut picture);
    picture.origins = graph.ids().filter_map(|id| origin(graph, id)).collect();
    picture
}

/// The place of a node in the text; a loop is drawn as the row of its results.
fn origin(graph: &Graph, id: NodeId) -> Option<(String, Range<usize>)> {
    let name = match (graph.op(id), graph.inner(id)) {
        (Op::Loop, &[body]) => results_name(body),
        _ => node_name(id),
    };
    Some((name, graph.origin(id)?.range()))
}

/// A node with one cell is drawn as a plain shape, which has no ports.
fn without_single_ports(picture: &mut Picture) {
    let is_plain = |node: &&Node| node.rows.len() == 1 && node.rows[0].len() == 1;
    let plain = picture.nodes.iter().filter(is_plain).map(|node| node.name.clone());
    let plain: BTreeSet<_> = plain.collect();
    let ends = picture.edges.iter_mut().flat_map(|edge| [&mut edge.from, &mut edge.to]);
    for end in ends.filter(|end| plain.contains(&end.node)) {
        end.port = None;
    }
}

struct Canvas<'g> {
    graph: &'g Graph,
    types: Option<Types>,
    picture: &'g mut Picture,
    /// Regions whose nodes are not drawn yet, their boxes, and the number of boxes around.
    open: Vec<(RegionId, usize, usize)>,
    /// Loops and switches whose regions are not drawn.
    closed: SideTable<NodeId, bool>,
}

impl Canvas<'_> {
    fn function(&mut self, region: RegionId, title: &str) {
        let cluster = self.picture.cluster(title, None);
        self.open.push((region, cluster, 1));
    }

    fn region(&mut self, region: RegionId, cluster: usize, depth: usize) {
        let graph = self.graph;
        for &id in &graph.region(region).nodes {
            self.node(id, cluster, depth);
        }
        let results = &graph.region(region).results;
        let cells = (0..results.len()).map(|at| format!("result {at}")).collect();
        self.row(&results_name(region), cells, results, cluster);
        for (at, &value) in results.iter().enumerate() {
            self.edge(&results_name(region), Some(at), value);
        }
    }

    fn node(&mut self, id: NodeId, cluster: usize, depth: usize) {
        let graph = self.graph;
        let operands = graph.operands(id);
        match graph.op(id) {
            Op::Arguments if graph.node(id).outputs == 0 => {}
            Op::Arguments => {
                let outputs = outputs(graph, id);
                let cells = (0..outputs.len()).map(|at| format!("get-{at}")).collect();
                self.row(&node_name(id), cells, &outputs, cluster);
            }
            Op::Loop if depth < MAX_DEPTH => self.enter_loop(id, cluster, depth),
            Op::Switch if depth < MAX_DEPTH => self.enter_switch(id, cluster, depth),
            Op::Number(_)
            | Op::Operator(_)
            | Op::Use
            | Op::Force
            | Op::Loop
            | Op::Switch
            | Op::Function
            | Op::Call => {
                self.plain(id, cluster);
                self.closed[id] = true;
                for (at, &value) in operands.iter().enumerate() {
                    let from = Endpoint::node(node_name(id));
                    let label = Label::Tail(at.to_string());
                    self.picture.edge(from, self.endpoint(value), self.kind(value), label);
                }
            }
        }
    }

    fn plain(&mut self, id: NodeId, cluster: usize) {
        let graph = self.graph;
        let outputs = outputs(graph, id);
        let kind = outputs.first().map_or(Kind::Data, |&it| self.kind(it));
        let text = match (graph.op(id), graph.inner(id)) {
            (Op::Function, [body]) => format!("func {}", body.index()),
            (op, []) => op.name(),
            (op, _) => format!("{} …", op.name()),
        };
        let mut rows = vec![vec![Cell::new(text, kind)]];
        if outputs.len() > 1 {
            let cell = |(at, &value)| {
                let port = Some(format!("p{at}"));
                Cell { port, ..Cell::new(format!("{at}"), self.kind(value)) }
            };
            rows.push(outputs.iter().enumerate().map(cell).collect());
        }
        self.picture.nodes.push(Node { name: node_name(id), kind, rows, cluster: Some(cluster) });
    }

    /// The arguments of a loop's region are the operands at first.
    fn enter_loop(&mut self, id: NodeId, cluster: usize, depth: usize) {
        let body = self.graph.inner(id)[0];
        let inside = self.picture.cluster("loop", Some(cluster));
        let arguments = node_name(self.graph.region(body).arguments);
        for (at, &value) in self.graph.operands(id).iter().enumerate() {
            self.edge(&arguments, Some(at), value);
        }
        self.open.push((body, inside, depth + 1));
    }

    fn enter_switch(&mut self, id: NodeId, cluster: usize, depth: usize) {
        let graph = self.graph;
        let around = self.picture.cluster("switch", Some(cluster));
        let operands = graph.operands(id);
        let inputs = format!("i{}", id.index());
        let cells = (0..operands.len()).map(|at| match at {
            0 => "predicate".to_string(),
            _ => format!("input {}", at - 1),
        });
        self.row(&inputs, cells.collect(), operands, around);
        for (at, &value) in operands.iter().enumerate() {
            self.edge(&inputs, Some(at), value);
        }
        let outputs = outputs(graph, id);
        let cells = (0..outputs.len()).map(|at| format!("output {at}")).collect();
        self.row(&node_name(id), cells, &outputs, around);
        for (number, &case) in graph.inner(id).iter().enumerate() {
            let inside = self.picture.cluster(format!("case {number}"), Some(around));
            let arguments = graph.region(case).arguments;
            for at in 0..graph.arity(case) as usize {
                let from = Endpoint { node: node_name(arguments), port: Some(format!("p{at}")) };
                let to = Endpoint { node: inputs.clone(), port: Some(format!("p{}", at + 1)) };
                self.picture.edge(from, to, self.kind(operands[at + 1]), Label::None);
            }
            for (at, &value) in outputs.iter().enumerate() {
                let from = Endpoint { node: node_name(id), port: Some(format!("p{at}")) };
                let to = Endpoint { node: results_name(case), port: Some(format!("p{at}")) };
                self.picture.edge(from, to, self.kind(value), Label::None);
            }
            self.open.push((case, inside, depth + 2));
        }
    }

    /// A row of cells, one for each value; nothing for no values.
    fn row(&mut self, name: &str, texts: Vec<String>, values: &[Value], cluster: usize) {
        let cell = |(at, text): (usize, String)| {
            let kind = self.kind(values[at]);
            Cell { port: Some(format!("p{at}")), ..Cell::new(text, kind) }
        };
        let cells: Vec<_> = texts.into_iter().enumerate().map(cell).collect();
        let rows =
            if cells.is_empty() { vec![vec![Cell::new("–", Kind::Data)]] } else { vec![cells] };
        let (name, kind, cluster) = (name.to_string(), Kind::Data, Some(cluster));
        self.picture.nodes.push(Node { name, kind, rows, cluster });
    }

    fn edge(&mut self, from: &str, port: Option<usize>, value: Value) {
        let port = port.map(|at| format!("p{at}"));
        let from = Endpoint { node: from.to_string(), port };
        self.picture.edge(from, self.endpoint(value), self.kind(value), Label::None);
    }

    /// The drawing of a value: for a loop it is in the row of its region's results.
    fn endpoint(&self, value: Value) -> Endpoint {
        let port = Some(format!("p{}", value.output));
        match (self.graph.op(value.node), self.graph.inner(value.node)) {
            (Op::Loop, &[body]) if !self.closed[value.node] => {
                Endpoint { node: results_name(body), port }
            }
            (Op::Number(_) | Op::Operator(_) | Op::Use | Op::Function, _) => {
                Endpoint::node(node_name(value.node))
            }
            (Op::Arguments | Op::Loop | Op::Switch | Op::Call | Op::Force, _) => {
                Endpoint { node: node_name(value.node), port }
            }
        }
    }

    fn kind(&self, value: Value) -> Kind {
        match self.types.as_ref().map(|it| it.kind(value)) {
            Some(TypeKind::State) => Kind::Memory,
            Some(TypeKind::Integer | TypeKind::Function) | None => Kind::Data,
        }
    }
}

fn outputs(graph: &Graph, node: NodeId) -> Vec<Value> {
    (0..graph.node(node).outputs).map(|output| Value { node, output }).collect()
}

fn node_name(id: NodeId) -> String {
    format!("n{}", id.index())
}

fn results_name(region: RegionId) -> String {
    format!("r{}", region.index())
}
