//! The sea as a picture.
//!
//! Every node shows its type; a node that yields several values holds its projections as cells;
//! a scope is a table of names, and dotted edges lead from the names to what they are bound to.
use super::graph::{Graph, NodeId};
#[cfg(feature = "ch04")]
use super::op::Op;
use super::print::{label, names};
use super::walk::postorder;
use crate::base::ids::SideTable;
#[cfg(feature = "ch03")]
use crate::base::picture::Kind;
use crate::base::picture::{Cell, Edge, End, Label, Node, Picture};

/// A picture of everything the end needs.
pub fn picture(graph: &Graph) -> Picture {
    Canvas::new(graph, postorder(graph, graph.end)).draw()
}

/// What the names of a program are bound to at one point of it.
#[cfg(feature = "ch03")]
pub struct Bindings {
    /// The scope node; its inputs are the values of all names, outermost level first.
    pub scope: NodeId,
    pub levels: Vec<Vec<String>>,
}

/// A picture of a program that is still being read: what its names need.
#[cfg(feature = "ch03")]
pub fn picture_of_scope(graph: &Graph, bindings: &Bindings) -> Picture {
    let mut order = postorder(graph, bindings.scope);
    order.pop();
    let mut canvas = Canvas::new(graph, order);
    canvas.draw_scope(bindings);
    canvas.draw()
}

struct Canvas<'g> {
    graph: &'g Graph,
    order: Vec<NodeId>,
    names: SideTable<NodeId, String>,
    picture: Picture,
}

impl<'g> Canvas<'g> {
    fn new(graph: &'g Graph, order: Vec<NodeId>) -> Canvas<'g> {
        let names = names(graph, &order);
        Canvas { graph, order, names, picture: Picture::new("sea of nodes") }
    }

    fn draw(mut self) -> Picture {
        for id in std::mem::take(&mut self.order) {
            if cell_of(self.graph, id).is_none() {
                self.draw_node(id);
            }
        }
        self.picture
    }

    fn draw_node(&mut self, id: NodeId) {
        let kind = self.graph.op(id).row().kind;
        let name = self.names[id].clone();
        let mut rows = vec![vec![Cell::new(caption(self.graph, id), kind)]];
        rows.extend(Some(self.cells(id)).filter(|cells| !cells.is_empty()));
        for (at, input) in self.graph.inputs(id).enumerate() {
            let from = End::node(name.clone());
            let label = Label::Tail(at.to_string());
            let kind = self.graph.op(input).row().kind;
            self.picture.edges.push(Edge { from, to: self.end(input), kind, label });
        }
        self.picture.nodes.push(Node { name, kind, rows, group: None });
    }

    /// Where an edge to `id` ends: at its own box, or at its cell in the box of another node.
    fn end(&self, id: NodeId) -> End {
        match cell_of(self.graph, id) {
            Some((of, port)) => End { node: self.names[of].clone(), port: Some(port) },
            None => End::node(self.names[id].clone()),
        }
    }

    /// The cells of `id`, in the order of their ports.
    fn cells(&self, id: NodeId) -> Vec<Cell> {
        let drawn = |user: &NodeId| !self.names[*user].is_empty();
        let mut cells: Vec<Cell> = self
            .graph
            .users(id)
            .filter(drawn)
            .filter_map(|user| {
                let (_, port) = cell_of(self.graph, user)?;
                let kind = self.graph.op(user).row().kind;
                Some(Cell { port: Some(port), ..Cell::new(caption(self.graph, user), kind) })
            })
            .collect();
        cells.sort_by(|a, b| a.port.cmp(&b.port));
        cells
    }
}

#[cfg(feature = "ch03")]
impl Canvas<'_> {
    /// One row for each level of the scope, the outermost first.
    fn draw_scope(&mut self, bindings: &Bindings) {
        let mut rows = Vec::new();
        let mut values = self.graph.inputs(bindings.scope).enumerate();
        for (level, names) in bindings.levels.iter().enumerate() {
            let mut row = vec![Cell::new(level.to_string(), Kind::Control)];
            for (name, (slot, value)) in names.iter().zip(values.by_ref()) {
                let port = format!("s{slot}");
                let from = End { node: "scope".to_string(), port: Some(port.clone()) };
                let to = self.end(value);
                self.picture.edges.push(Edge { from, to, kind: Kind::Scope, label: Label::None });
                row.push(Cell { port: Some(port), ..Cell::new(name.clone(), Kind::Scope) });
            }
            rows.push(row);
        }
        let name = "scope".to_string();
        self.picture.nodes.push(Node { name, kind: Kind::Scope, rows, group: None });
    }
}

/// For a node that is drawn inside another: that node, and the port of its cell.
fn cell_of(graph: &Graph, id: NodeId) -> Option<(NodeId, String)> {
    match graph.op(id) {
        #[cfg(feature = "ch04")]
        Op::Projection(index) => Some((graph.input(id, 0), format!("p{index}"))),
        _ => None,
    }
}

/// What stands in the box of a node: its label, and its type where the label does not say it.
fn caption(graph: &Graph, id: NodeId) -> String {
    let lines = [
        label(graph, id),
        #[cfg(feature = "ch02")]
        graph.types.name(graph.ty(id)),
    ];
    let [first, rest @ ..] = &lines;
    let mut caption = first.clone();
    for line in rest.iter().filter(|&line| line != first) {
        caption += &format!("\n{line}");
    }
    caption
}
