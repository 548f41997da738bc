//! The sea as a picture.
//! @ch02 Every node shows its type.
//! @ch04 A node that yields several values contains its projections as cells.
//! @ch03 A scope is a table of names; dotted edges connect each name with its value.
//! @ch09 In steps, each name is a node of its own, in boxes for the blocks, so that it keeps its
//! @ch09 place from step to step.
use super::graph::Graph;
use super::op::{NodeId, Op};
use super::print::{label, names};
use super::walk::{postorder, reachable_nodes};
#[cfg(feature = "ch09")]
use crate::stage::MAX_STEP_NODES;
use crate::types::Type;
#[cfg(feature = "ch09")]
use arena::Id;
use arena::SideTable;
use picture::{Cell, Endpoint, Kind, Label, Node, Picture};

/// A picture of the program.
pub fn picture(graph: &Graph) -> Picture {
    Canvas::new(graph, reachable_nodes(graph)).draw()
}

/// Whether a graph is small enough for pictures of its steps.
#[cfg(feature = "ch09")]
pub fn has_pictures_of_steps(graph: &Graph) -> bool {
    graph.len() <= MAX_STEP_NODES
}

/// A picture of a graph after a step of its rewriting, if it is small. It contains nodes without
/// users, too, if they are `new` or have inputs. A node has the same name in all steps.
#[cfg(feature = "ch09")]
pub fn picture_of_step(graph: &Graph, new: NodeId, bindings: Option<&Bindings>) -> Option<Picture> {
    if !has_pictures_of_steps(graph) {
        return None;
    }
    let is_killed = |id| id != new && graph.uses(id) == 0 && graph.inputs(id).len() == 0;
    let is_drawn = |id: &NodeId| graph.op(*id) != Op::Scope && !is_killed(*id);
    let order: Vec<NodeId> = graph.ids().filter(is_drawn).collect();
    let mut canvas = Canvas::new(graph, order);
    for &id in &canvas.order {
        canvas.names[id] = name_in_steps(id);
    }
    if let Some(bindings) = bindings {
        draw_variables(&mut canvas, bindings);
    }
    Some(canvas.draw())
}

#[cfg(feature = "ch09")]
pub fn name_in_steps(id: NodeId) -> String {
    format!("n{}", id.index())
}

/// The bindings of all names at one point of the program.
#[cfg(feature = "ch03")]
pub struct Bindings {
    /// The scope node; its inputs are the values of all names, outermost block first.
    pub scope: NodeId,
    pub levels: Vec<Vec<String>>,
    /// Scope nodes that hold old values of variables, with their names.
    #[cfg(feature = "ch05")]
    pub undo_logs: Vec<(NodeId, Vec<String>)>,
}

#[cfg(feature = "ch03")]
impl Bindings {
    /// All Scope nodes.
    fn nodes(&self) -> Vec<NodeId> {
        let nodes = [
            vec![self.scope],
            #[cfg(feature = "ch05")]
            self.undo_logs.iter().map(|&(node, _)| node).collect(),
        ];
        nodes.concat()
    }
}

/// A picture of a program that is still being parsed: all nodes that its names depend on.
#[cfg(feature = "ch03")]
pub fn picture_of_scope(graph: &Graph, bindings: &Bindings) -> Picture {
    let scopes = bindings.nodes();
    let mut order = postorder(graph, scopes.iter().copied());
    order.retain(|&id| graph.op(id) != Op::Scope);
    let mut canvas = Canvas::new(graph, order);
    draw_scope(&mut canvas, bindings);
    #[cfg(feature = "ch05")]
    draw_undo_logs(&mut canvas, bindings);
    canvas.draw()
}

struct Canvas<'g> {
    graph: &'g Graph,
    order: Vec<NodeId>,
    names: SideTable<NodeId, String>,
    picture: Picture,
    /// The box of each node that belongs to a function.
    #[cfg(feature = "ch18")]
    boxes: SideTable<NodeId, Option<usize>>,
}

impl<'g> Canvas<'g> {
    fn new(graph: &'g Graph, order: Vec<NodeId>) -> Canvas<'g> {
        let names = names(graph, &order);
        let picture = Picture::new("sea of nodes");
        Canvas {
            graph,
            order,
            names,
            picture,
            #[cfg(feature = "ch18")]
            boxes: SideTable::new(graph.len()),
        }
    }

    fn draw(mut self) -> Picture {
        #[cfg(feature = "ch18")]
        self.draw_functions();
        for id in std::mem::take(&mut self.order) {
            #[cfg(feature = "ch04")]
            if self.graph.op(id).port().is_some() {
                continue;
            }
            self.draw_node(id);
        }
        self.picture
    }

    fn draw_node(&mut self, id: NodeId) {
        let kind = self.graph.kind(id);
        let name = self.names[id].clone();
        let rows = vec![vec![Cell::new(caption(self.graph, id), kind)]];
        #[cfg(feature = "ch04")]
        let rows = [rows, self.rows_of_cells(id)].concat();
        self.draw_inputs(id);
        #[cfg(feature = "ch09")]
        self.picture.origins.extend(self.graph.origin(id).map(|it| (name.clone(), it.range())));
        let cluster = None;
        #[cfg(feature = "ch18")]
        let cluster = cluster.or(self.boxes[id]);
        self.picture.nodes.push(Node { name, kind, rows, cluster });
    }

    fn draw_inputs(&mut self, id: NodeId) {
        for (at, input) in self.graph.inputs(id).enumerate() {
            let from = Endpoint::node(self.names[id].clone());
            let label = Label::Tail(at.to_string());
            let kind = self.graph.kind(input);
            let to = self.endpoint(input);
            #[cfg(feature = "ch07")]
            if is_back_edge(self.graph, id, at) {
                self.picture.back_edge(from, to, kind, label);
                continue;
            }
            self.picture.edge(from, to, kind, label);
        }
    }

    /// The target of an edge to `id`: its own box, or its cell in the box of another node.
    fn endpoint(&self, id: NodeId) -> Endpoint {
        #[cfg(feature = "ch04")]
        if let Some(port) = self.graph.op(id).port() {
            let node = self.names[self.graph.input(id, 0)].clone();
            return Endpoint { node, port: Some(port) };
        }
        Endpoint::node(self.names[id].clone())
    }

    /// The cells of `id`, in the order of their ports: one row, or none.
    #[cfg(feature = "ch04")]
    fn rows_of_cells(&self, id: NodeId) -> Vec<Vec<Cell>> {
        let drawn = |user: &NodeId| !self.names[*user].is_empty();
        let mut cells: Vec<Cell> = self
            .graph
            .users(id)
            .filter(drawn)
            .filter_map(|user| {
                let op = self.graph.op(user);
                let port = Some(op.port()?);
                Some(Cell { port, ..Cell::new(caption(self.graph, user), self.graph.kind(user)) })
            })
            .collect();
        cells.sort_by(|a, b| a.port.cmp(&b.port));
        if cells.is_empty() { Vec::new() } else { vec![cells] }
    }
}

/// Whether input `at` of `id` is computed in a loop of which `id` is at the header. Drawn upwards,
/// such edges would pull the body of the loop above `Start`.
#[cfg(feature = "ch07")]
fn is_back_edge(graph: &Graph, id: NodeId, at: usize) -> bool {
    let is_loop = |id| graph.op(id) == Op::Loop;
    let is_phi_of_loop = graph.op(id).is_phi() && is_loop(graph.input(id, 0));
    is_loop(id) && at == 1 || is_phi_of_loop && at == 2
}

/// One row for each block, the outermost first.
#[cfg(feature = "ch03")]
fn draw_scope(canvas: &mut Canvas, bindings: &Bindings) {
    let mut values = canvas.graph.inputs(bindings.scope).enumerate();
    let mut rows = Vec::new();
    for (level, names) in bindings.levels.iter().enumerate() {
        rows.push(canvas.bound("scope", &level.to_string(), names, &mut values));
    }
    let name = "scope".to_string();
    canvas.picture.nodes.push(Node { name, kind: Kind::Scope, rows, cluster: None });
}

/// One table for each open undo log: the changed variables and their old values.
#[cfg(feature = "ch05")]
fn draw_undo_logs(canvas: &mut Canvas, bindings: &Bindings) {
    for (number, (node, names)) in bindings.undo_logs.iter().enumerate() {
        let name = format!("past{number}");
        let mut values = canvas.graph.inputs(*node).enumerate();
        let rows = vec![canvas.bound(&name, "before", names, &mut values)];
        canvas.picture.nodes.push(Node { name, kind: Kind::Scope, rows, cluster: None });
    }
}

/// The scope as nested boxes, one for each block, and a box for the old values in each undo log.
/// Names of blocks and branches that have ended since have no values.
#[cfg(feature = "ch09")]
fn draw_variables(canvas: &mut Canvas, bindings: &Bindings) {
    let mut values = canvas.graph.inputs(bindings.scope);
    let mut outer = None;
    for (level, names) in bindings.levels.iter().enumerate() {
        let bound: Vec<_> = names.iter().zip(&mut values).collect();
        outer = canvas.draw_box(format!("scope {level}"), outer, &bound);
    }
    for (number, (node, names)) in bindings.undo_logs.iter().enumerate() {
        let bound: Vec<_> = names.iter().zip(canvas.graph.inputs(*node)).collect();
        canvas.draw_box(format!("before {number}"), None, &bound);
    }
}

#[cfg(feature = "ch18")]
impl Canvas<'_> {
    /// A box for each function, with the nodes that have control in it, its parameters and its
    /// Phis. Other nodes are in no function before they are placed.
    fn draw_functions(&mut self) {
        for at in 0..self.order.len() {
            let id = self.order[at];
            self.boxes[id] = match self.graph.op(id) {
                Op::Function(function) => {
                    let name = self.graph.types.functions.name(function);
                    Some(self.picture.cluster(name, None))
                }
                Op::Stop => None, // It has the Returns of all functions.
                _ => {
                    let inputs = self.graph.inputs(id);
                    let controls = inputs.filter(|&it| self.graph.kind(it) == Kind::Control);
                    controls.filter_map(|it| self.boxes[it]).next()
                }
            };
        }
    }
}

#[cfg(feature = "ch09")]
impl Canvas<'_> {
    /// A node for each variable, bound to its value; returns the innermost box. Two structs may
    /// have fields of one name.
    fn draw_box(
        &mut self,
        title: String,
        outer: Option<usize>,
        bound: &[(&String, NodeId)],
    ) -> Option<usize> {
        if bound.is_empty() {
            return outer;
        }
        let prefix = title.replace(' ', "");
        let cluster = Some(self.picture.cluster(title, outer));
        for (at, &(variable, value)) in bound.iter().enumerate() {
            let letters: String = variable.chars().filter(char::is_ascii_alphanumeric).collect();
            let name = format!("{prefix}_{at}_{letters}");
            let (from, to) = (Endpoint::node(name.clone()), self.endpoint(value));
            self.picture.edge(from, to, Kind::Scope, Label::None);
            let rows = vec![vec![Cell::new(variable.clone(), Kind::Scope)]];
            self.picture.nodes.push(Node { name, kind: Kind::Scope, rows, cluster });
        }
        cluster
    }
}

#[cfg(feature = "ch03")]
impl Canvas<'_> {
    /// A row of the table `node`: a title, and a cell for each name, bound to its value.
    fn bound(
        &mut self,
        node: &str,
        title: &str,
        names: &[String],
        values: &mut impl Iterator<Item = (usize, NodeId)>,
    ) -> Vec<Cell> {
        let mut row = vec![Cell::new(title, Kind::Data)];
        for (name, (slot, value)) in names.iter().zip(values) {
            let port = format!("s{slot}");
            let from = Endpoint { node: node.to_string(), port: Some(port.clone()) };
            let to = self.endpoint(value);
            self.picture.edge(from, to, Kind::Scope, Label::None);
            row.push(Cell { port: Some(port), ..Cell::new(name.clone(), Kind::Scope) });
        }
        row
    }
}

#[cfg(feature = "ch04")]
impl Op {
    /// The port of a node that is drawn as a cell of its first input.
    fn port(self) -> Option<String> {
        if let Op::Projection(index) = self {
            return Some(format!("p{index}"));
        }
        #[cfg(feature = "ch05")]
        if let Op::ControlProjection(truth) = self {
            return Some(format!("p{}", u8::from(!truth)));
        }
        None
    }
}

impl Graph {
    /// The kind of a node in pictures.
    pub fn kind(&self, id: NodeId) -> Kind {
        #[cfg(feature = "ch10")]
        if self.ty(id) == Type::MEMORY {
            return Kind::Memory;
        }
        self.op(id).row().kind
    }
}

/// The text in the box of a node: its label, and its type if that is different.
fn caption(graph: &Graph, id: NodeId) -> String {
    let caption = label(graph, id);
    #[cfg(feature = "ch02")]
    let ty = graph.types.name(graph.ty(id));
    #[cfg(feature = "ch02")]
    let caption = if ty == caption { caption } else { format!("{caption}\n{ty}") };
    caption
}
