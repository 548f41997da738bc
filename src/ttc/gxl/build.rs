//! Builds a graph from the nodes and edges of a file, which may come in any order.
//!
//! Nodes and edges are collected while the file is read, since an edge may precede its ends. Then
//! two passes over the edges count the operands of each node and store them; as in a counting sort,
//! one array is enough.
use super::types::{EdgeType, Property, RELATIONS, Type, edge_type, properties, type_name, types};
use crate::firm::{self, Access, EdgeKind, Mode, NodeId, Op};
use crate::ttc::{Graph, SelectedForm, Symbols};
use arena::{FxHashMap, Id};
use gxl::{Attribute, Element, IdTable, Kind, ReadError, referred};
use std::io::BufRead;

/// A graph from a file.
pub struct Imported {
    pub graph: Graph,
    /// For each node of the file, in the order of their ids, the number of bytes before it.
    pub offsets: Vec<u64>,
}

/// Reads a graph of the case. Nodes are numbered in the order of the file; if an operand, a block
/// or the start is missing, the last node is a `Bad`.
///
/// # Errors
/// Texts that are not XML, GXL or a graph of the case, and operands with the same position.
pub fn read(input: &mut dyn BufRead) -> Result<Imported, ReadError> {
    let mut builder = Builder::new();
    gxl::read(input, &["Firm", "InstructionSelection"], &mut |element| builder.add(element))?;
    builder.build()
}

struct Builder {
    types: Vec<Type>,
    /// The index in `types` of each name.
    named: FxHashMap<Vec<u8>, usize>,
    ids: IdTable,
    /// The element with each id.
    owners: Vec<Owner>,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    symbols: Symbols,
}

/// The element with an id.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// Only edges refer to it so far.
    Undefined,
    Node(u32),
    Edge,
}

struct Node {
    op: Op,
    form: SelectedForm,
    offset: u64,
}

struct Edge {
    /// The numbers of ids.
    from: u32,
    to: u32,
    position: i32,
    type_: EdgeType,
    offset: u64,
}

/// The values of an element's properties, all as numbers, indexed by the properties.
type Values = [Option<i64>; 7];

impl Builder {
    fn new() -> Builder {
        let types = types();
        let named = types.iter().enumerate().map(|(at, it)| (it.name.clone().into_bytes(), at));
        Builder {
            named: named.collect(),
            types,
            ids: IdTable::default(),
            owners: Vec::new(),
            nodes: Vec::new(),
            edges: Vec::new(),
            symbols: Symbols::default(),
        }
    }

    fn add(&mut self, element: &Element) -> Result<(), ReadError> {
        match element.kind {
            Kind::Node => self.node(element, element.offset),
            Kind::Edge => self.edge(element, element.offset),
        }
    }

    fn node(&mut self, element: &Element, at: u64) -> Result<(), ReadError> {
        let Some(id) = element.id else {
            return Err(ReadError::new(at, "A node without id", "this"));
        };
        self.own(id, Owner::Node(self.nodes.len() as u32), at)?;
        let named = referred(element.type_).and_then(|name| self.named.get(name));
        let Some(&named) = named else { return Err(unknown_type(element, at)) };
        let Type { op, form, .. } = self.types[named];
        let values = values(element, properties(op, form), &mut self.symbols, at)?;
        check_flags(op, &values, at)?;
        let op = completed(op, &values).ok_or_else(|| negative(at))?;
        let number = || values[Property::Value as usize].unwrap_or_default() as i32;
        let symbol = || values[Property::Symbol as usize].unwrap_or_default() as u32;
        let form = match form {
            SelectedForm::Source | SelectedForm::Plain => form,
            SelectedForm::Number(_) => SelectedForm::Number(number()),
            SelectedForm::Symbol(_) => SelectedForm::Symbol(symbol()),
        };
        self.nodes.push(Node { op, form, offset: at });
        Ok(())
    }

    fn edge(&mut self, element: &Element, at: u64) -> Result<(), ReadError> {
        let (Some(from), Some(to)) = (element.from, element.to) else {
            return Err(ReadError::new(
                at,
                "An edge without both ends",
                "`from` or `to` is missing",
            ));
        };
        if let Some(id) = element.id {
            self.own(id, Owner::Edge, at)?;
        }
        let type_ = referred(element.type_).and_then(EdgeType::named);
        let Some(type_) = type_ else { return Err(unknown_type(element, at)) };
        let values = values(element, &[Property::Position], &mut self.symbols, at)?;
        let position = values[Property::Position as usize].unwrap_or_default() as i32;
        let (from, to) = (self.number(from, at)?, self.number(to, at)?);
        self.edges.push(Edge { from, to, position, type_, offset: at });
        Ok(())
    }

    /// Notes that an element has an id.
    fn own(&mut self, id: &[u8], owner: Owner, at: u64) -> Result<(), ReadError> {
        let number = self.number(id, at)? as usize;
        if self.owners[number] != Owner::Undefined {
            let message = format!("The id `{}` stands twice", shown(id));
            return Err(ReadError::new(at, message, "here for the second time"));
        }
        self.owners[number] = owner;
        Ok(())
    }

    fn number(&mut self, id: &[u8], at: u64) -> Result<u32, ReadError> {
        let Some((number, is_new)) = self.ids.number(id) else { return Err(too_many(at)) };
        if is_new {
            self.owners.push(Owner::Undefined);
        }
        Ok(number)
    }

    /// The graph of all nodes and edges.
    fn build(mut self) -> Result<Imported, ReadError> {
        self.resolve()?;
        let shapes = self.shapes()?;
        (self.ids, self.owners) = (IdTable::default(), Vec::new());
        let operands = shapes.iter().map(|it| it.count as usize).sum();
        let firm = firm::Graph::with_capacity(self.nodes.len() + 1, operands);
        let mut graph = Graph { symbols: std::mem::take(&mut self.symbols), ..Graph::from(firm) };
        // All operands that the file does not have.
        let bad = NodeId::from_index(self.nodes.len());
        (graph.firm.start_block, graph.firm.start) = (bad, bad);
        for (node, shape) in self.nodes.iter().zip(shapes) {
            add(&mut graph, node, &shape, bad);
        }
        let holes = self.connect(&mut graph.firm, operands, bad)?;
        let offsets = self.nodes.iter().map(|node| node.offset).collect();
        if holes > 0 || graph.firm.start_block == bad || graph.firm.start == bad {
            graph.firm.add_later(Op::Bad, Mode::BB, 0, bad);
        }
        Ok(Imported { graph, offsets })
    }

    /// Replaces the ids at the ends of edges by nodes.
    fn resolve(&mut self) -> Result<(), ReadError> {
        for edge in &mut self.edges {
            for end in [&mut edge.from, &mut edge.to] {
                let Owner::Node(node) = self.owners[*end as usize] else {
                    let id = self.ids.get(*end);
                    let message = format!("There is no node with the id `{id}`");
                    return Err(ReadError::new(
                        edge.offset,
                        message,
                        "this edge begins or ends there",
                    ));
                };
                *end = node;
            }
        }
        Ok(())
    }

    /// The number of operands of each node. All together are limited by the number of edges, so a
    /// large position does not use up the memory.
    fn shapes(&self) -> Result<Vec<Shape>, ReadError> {
        let mut shapes = vec![Shape::default(); self.nodes.len()];
        let (mut total, limit) = (0, self.edges.len() as u64 * 2 + 1000);
        for edge in &self.edges {
            let shape = &mut shapes[edge.from as usize];
            let Some(at) = self.operand(edge, shape)? else { continue };
            let count = at + 1;
            total += u64::from(count.saturating_sub(shape.count));
            if total > limit.min(u64::from(IdTable::MAX_IDS)) {
                return Err(too_many(edge.offset));
            }
            shape.count = shape.count.max(count);
            shape.type_ = Some(edge.type_);
        }
        Ok(shapes)
    }

    /// The number of the operand of an edge; none, if it leads to the block.
    fn operand(&self, edge: &Edge, shape: &Shape) -> Result<Option<u32>, ReadError> {
        let op = self.nodes[edge.from as usize].op;
        let is_block = op.is_block();
        let at = u32::try_from(edge.position).ok();
        let fits = match (edge.type_, at) {
            (EdgeType::Data, None) => edge.position == -1 && !is_block,
            (EdgeType::Memory | EdgeType::Control(_) | EdgeType::Keep, None) => false,
            (EdgeType::Control(_), Some(_)) => is_block,
            (EdgeType::Keep, Some(_)) => op == Op::End,
            (EdgeType::Data | EdgeType::Memory, Some(_)) if is_block => false,
            // A Phi of values or of states of memory, as its first edge says.
            (type_, Some(_)) if op == Op::Phi => shape.type_.is_none_or(|first| first == type_),
            (type_, Some(at)) => type_ == edge_type(op, at as usize, false),
        };
        if fits {
            return Ok(at);
        }
        let (type_, name) = (edge.type_.name(), type_name(op, SelectedForm::Source));
        let message = format!("No {type_} edge with position {} leaves this node", edge.position);
        Err(ReadError::new(edge.offset, message, format!("it is a node of type {name}")))
    }

    /// Stores all operands and blocks; the number of missing ones.
    fn connect(
        &self,
        graph: &mut firm::Graph,
        operands: usize,
        bad: NodeId,
    ) -> Result<usize, ReadError> {
        let blocks = graph.ids().filter(|&id| graph.value_mode(id) != Mode::BB).count();
        for edge in &self.edges {
            let [from, to] = [edge.from, edge.to].map(|it| NodeId::from_index(it as usize));
            let at = usize::try_from(edge.position).ok();
            let old = at.map_or(graph.node(from).block, |at| graph.operands(from)[at]);
            if old != bad {
                let message = format!("There are two edges with position {}", edge.position);
                return Err(ReadError::new(
                    edge.offset,
                    message,
                    "this is the second one of its node",
                ));
            }
            match (at, edge.type_) {
                (None, _) => graph.set_block(from, to),
                (Some(at), EdgeType::Control(kind @ (EdgeKind::True | EdgeKind::False))) => {
                    graph.set_operand(from, at, to);
                    graph.set_edge_kind(from, at, kind);
                }
                (Some(at), _) => graph.set_operand(from, at, to),
            }
        }
        Ok(operands + blocks - self.edges.len())
    }
}

/// The operands of a node, before it is added.
#[derive(Clone, Copy, Default)]
struct Shape {
    count: u32,
    /// The type of the edge to one of them.
    type_: Option<EdgeType>,
}

fn add(graph: &mut Graph, node: &Node, shape: &Shape, bad: NodeId) {
    // Files have no modes: all values are words, and the first mode of an operation is theirs.
    let is_memory = node.op == Op::Phi && shape.type_ == Some(EdgeType::Memory);
    let mode = if is_memory { Mode::M } else { node.op.row().modes[0] };
    let id = graph.firm.add_later(node.op, mode, shape.count as usize, bad);
    if node.form != SelectedForm::Source {
        graph.forms[id] = node.form;
    }
    match node.op {
        Op::StartBlock if graph.firm.start_block == bad => graph.firm.start_block = id,
        Op::Start if graph.firm.start == bad => graph.firm.start = id,
        _ => {}
    }
}

/// The values of an element; it must have these properties and no others.
fn values(
    element: &Element,
    expected: &[Property],
    symbols: &mut Symbols,
    at: u64,
) -> Result<Values, ReadError> {
    let mut values = Values::default();
    for attribute in element.attributes {
        let property = Property::named(attribute.name).filter(|it| expected.contains(it));
        let Some(property) = property else {
            let name = shown(attribute.name);
            let message = format!("Unexpected attribute `{name}`");
            return Err(ReadError::new(at, message, "things of this type do not have it"));
        };
        let Some(value) = value(attribute, property, symbols) else {
            return Err(not_a_value(attribute, property, at));
        };
        if values[property as usize].replace(value).is_some() {
            let message = format!("The attribute `{}` stands twice", property.name());
            return Err(ReadError::new(at, message, "here"));
        }
    }
    match expected.iter().find(|&&property| values[property as usize].is_none()) {
        Some(missing) => {
            let message = format!("The attribute `{}` is missing", missing.name());
            Err(ReadError::new(at, message, "things of this type have it"))
        }
        None => Ok(values),
    }
}

/// The value of an attribute: a truth is 0 or 1, a relation or symbol is its number.
fn value(attribute: &Attribute, property: Property, symbols: &mut Symbols) -> Option<i64> {
    if attribute.element != property.element().as_bytes() {
        return None;
    }
    let text = attribute.text.trim_ascii();
    match property {
        Property::Associative | Property::Commutative | Property::Volatile => match text {
            b"true" => Some(1),
            b"false" => Some(0),
            _ => None,
        },
        Property::Value | Property::Position => number(text),
        Property::Relation => {
            let at = RELATIONS.iter().position(|(name, _)| name.as_bytes() == text);
            let at = at.map(|at| at as i64).or_else(|| number(text))?;
            (0..RELATIONS.len() as i64).contains(&at).then_some(at)
        }
        Property::Symbol => {
            let name = str::from_utf8(attribute.text).ok()?;
            let allowed = |letter: char| !letter.is_control() || "\t\n\r".contains(letter);
            name.chars().all(allowed).then(|| i64::from(symbols.number(name)))
        }
    }
}

/// A number of 32 bits.
fn number(text: &[u8]) -> Option<i64> {
    let text = str::from_utf8(text).ok()?;
    text.parse().ok().map(|number: i32| i64::from(number))
}

/// Whether an operation is associative and commutative is known; the file must agree.
fn check_flags(op: Op, values: &Values, at: u64) -> Result<(), ReadError> {
    let expected = matches!(op, Op::Binary(binary) if binary.row().commutes);
    for flag in [Property::Associative, Property::Commutative] {
        if values[flag as usize].is_some_and(|value| value != i64::from(expected)) {
            let name = type_name(op, SelectedForm::Source);
            let message = format!("The attribute `{}` of a {name} is {expected}", flag.name());
            return Err(ReadError::new(at, message, "here it is not"));
        }
    }
    Ok(())
}

/// The operation with its attribute; none, if it is an argument with a negative number.
fn completed(op: Op, values: &Values) -> Option<Op> {
    let of = |property: Property| values[property as usize].unwrap_or_default();
    let access = || if of(Property::Volatile) == 1 { Access::Volatile } else { Access::Plain };
    Some(match op {
        Op::Const(_) => Op::Const(of(Property::Value)),
        Op::Argument(_) => Op::Argument(u32::try_from(of(Property::Position)).ok()?),
        Op::SymConst(_) => Op::SymConst(of(Property::Symbol) as u32),
        Op::Cmp(_) => Op::Cmp(RELATIONS[of(Property::Relation) as usize].1),
        Op::Load(_) => Op::Load(access()),
        Op::Store(_) => Op::Store(access()),
        _ => op,
    })
}

fn unknown_type(element: &Element, at: u64) -> ReadError {
    let message = format!("Unknown type `{}`", shown(element.type_));
    ReadError::new(at, message, format!("there is no such type of {}s", element.kind.name()))
}

fn not_a_value(attribute: &Attribute, property: Property, at: u64) -> ReadError {
    let [name, text] = [attribute.name, attribute.text].map(shown);
    let message = format!("`{text}` is no value of the attribute `{name}`");
    let label = format!("it has to be of the type `{}`", property.element());
    let wide = property.element() == "int";
    ReadError::new(at, message, label + if wide { " and has 32 bits" } else { "" })
}

fn negative(at: u64) -> ReadError {
    ReadError::new(at, "An argument with a negative position", "the first one has position 0")
}

fn too_many(at: u64) -> ReadError {
    ReadError::new(at, "There are too many nodes, or too large positions", "here are more than fit")
}

fn shown(words: &[u8]) -> String {
    String::from_utf8_lossy(words).into_owned()
}
