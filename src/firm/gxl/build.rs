//! Makes a graph of the nodes and edges of a file, which may come in any order.
//!
//! While the file is read, nodes and edges are only noted down: an edge may lead to what is yet to
//! come. Then the edges are gone through twice, to count the operands of each node and to put each
//! operand in its place; as in counting sort, this needs no more than one array.
use super::Fault;
use super::element::{Attribute, Element, Kind, referred};
use super::ids::Ids;
use super::read::Imported;
use super::types::{Link, Property, RELATIONS, Type, properties, type_name, types, wanted};
use crate::firm::symbols::Symbols;
use crate::firm::{Access, Form, Graph, Mode, NodeId, Op, Place, Way};
use arena::{FxHashMap, Id};

pub struct Builder {
    types: Vec<Type>,
    /// Where in `types` the type of a name is.
    named: FxHashMap<Vec<u8>, usize>,
    ids: Ids,
    /// What has each id.
    owners: Vec<Owner>,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    symbols: Symbols,
}

/// What has an id.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// It was only referred to so far.
    Nobody,
    Node(u32),
    Edge,
}

struct Node {
    op: Op,
    form: Form,
    at: u64,
}

struct Edge {
    /// The numbers of ids.
    from: u32,
    to: u32,
    position: i32,
    link: Link,
    at: u64,
}

/// The values of an element's properties, all as numbers; by the properties' own.
type Values = [Option<i64>; 7];

impl Builder {
    pub fn new() -> Builder {
        let types = types();
        let named = types.iter().enumerate().map(|(at, it)| (it.name.clone().into_bytes(), at));
        Builder {
            named: named.collect(),
            types,
            ids: Ids::default(),
            owners: Vec::new(),
            nodes: Vec::new(),
            edges: Vec::new(),
            symbols: Symbols::default(),
        }
    }

    /// Takes what the file says of a node or an edge that stands at `at`.
    pub fn add(&mut self, element: &Element, at: u64) -> Result<(), Fault> {
        match element.kind {
            Kind::Node => self.node(element, at),
            Kind::Edge => self.edge(element, at),
        }
    }

    fn node(&mut self, element: &Element, at: u64) -> Result<(), Fault> {
        let Some(id) = element.id else { return Err(Fault::new(at, "A node without id", "this")) };
        self.own(id, Owner::Node(self.nodes.len() as u32), at)?;
        let named = referred(element.type_).and_then(|name| self.named.get(name));
        let Some(&named) = named else { return Err(unknown_type(element, at)) };
        let Type { op, form, .. } = self.types[named];
        let wanted = properties(op, form);
        let values = values(element, wanted, &mut self.symbols, at)?;
        check_flags(op, &values, at)?;
        let op = completed(op, &values).ok_or_else(|| negative(at))?;
        let number = || values[Property::Value as usize].unwrap_or_default() as i32;
        let symbol = || values[Property::Symbol as usize].unwrap_or_default() as u32;
        let form = match form {
            Form::Source | Form::Plain => form,
            Form::Number(_) => Form::Number(number()),
            Form::Symbol(_) => Form::Symbol(symbol()),
        };
        self.nodes.push(Node { op, form, at });
        Ok(())
    }

    fn edge(&mut self, element: &Element, at: u64) -> Result<(), Fault> {
        let (Some(from), Some(to)) = (element.from, element.to) else {
            return Err(Fault::new(at, "An edge without both ends", "`from` or `to` is missing"));
        };
        if let Some(id) = element.id {
            self.own(id, Owner::Edge, at)?;
        }
        let link = referred(element.type_).and_then(Link::named);
        let Some(link) = link else { return Err(unknown_type(element, at)) };
        let values = values(element, &[Property::Position], &mut self.symbols, at)?;
        let position = values[Property::Position as usize].unwrap_or_default() as i32;
        let (from, to) = (self.number(from, at)?, self.number(to, at)?);
        self.edges.push(Edge { from, to, position, link, at });
        Ok(())
    }

    /// Gives an id to what stands at `at`.
    fn own(&mut self, id: &[u8], owner: Owner, at: u64) -> Result<(), Fault> {
        let number = self.number(id, at)? as usize;
        if self.owners[number] != Owner::Nobody {
            let message = format!("The id `{}` stands twice", shown(id));
            return Err(Fault::new(at, message, "here for the second time"));
        }
        self.owners[number] = owner;
        Ok(())
    }

    fn number(&mut self, id: &[u8], at: u64) -> Result<u32, Fault> {
        let Some((number, is_new)) = self.ids.number(id) else { return Err(too_many(at)) };
        if is_new {
            self.owners.push(Owner::Nobody);
        }
        Ok(number)
    }

    /// The graph of all that has been added.
    pub fn build(mut self) -> Result<Imported, Fault> {
        self.resolve()?;
        let shapes = self.shapes()?;
        (self.ids, self.owners) = (Ids::default(), Vec::new());
        let operands = shapes.iter().map(|it| it.count as usize).sum();
        let mut graph = Graph::with_capacity(self.nodes.len() + 1, operands);
        graph.symbols = std::mem::take(&mut self.symbols);
        // What is still to be found, and what is nowhere.
        let bad = NodeId::from_index(self.nodes.len());
        (graph.start_block, graph.start) = (bad, bad);
        for (node, shape) in self.nodes.iter().zip(shapes) {
            add(&mut graph, node, &shape, bad);
        }
        let holes = self.connect(&mut graph, operands, bad)?;
        let places = self.nodes.iter().map(|node| node.at).collect();
        if holes > 0 || graph.start_block == bad || graph.start == bad {
            graph.add_later(Op::Bad, Mode::BB, 0, bad);
        }
        Ok(Imported { graph, places })
    }

    /// Replaces the ids at the ends of edges by nodes.
    fn resolve(&mut self) -> Result<(), Fault> {
        for edge in &mut self.edges {
            for end in [&mut edge.from, &mut edge.to] {
                let Owner::Node(node) = self.owners[*end as usize] else {
                    let id = self.ids.get(*end);
                    let message = format!("There is no node with the id `{id}`");
                    return Err(Fault::new(edge.at, message, "this edge begins or ends there"));
                };
                *end = node;
            }
        }
        Ok(())
    }

    /// How many operands each node has. There are not more places for operands than edges and
    /// nodes together: who numbers operands with gaps of thousands, means no graph.
    fn shapes(&self) -> Result<Vec<Shape>, Fault> {
        let mut shapes = vec![Shape::default(); self.nodes.len()];
        let (mut total, most) = (0, self.edges.len() as u64 * 2 + 1000);
        for edge in &self.edges {
            let shape = &mut shapes[edge.from as usize];
            let Some(at) = self.operand(edge, shape)? else { continue };
            let count = at + 1;
            total += u64::from(count.saturating_sub(shape.count));
            if total > most.min(u64::from(Ids::MOST)) {
                return Err(too_many(edge.at));
            }
            shape.count = shape.count.max(count);
            shape.link = Some(edge.link);
        }
        Ok(shapes)
    }

    /// Which operand the edge leads to; none, if to the block. Complains about one that does not
    /// belong where it is.
    fn operand(&self, edge: &Edge, shape: &Shape) -> Result<Option<u32>, Fault> {
        let op = self.nodes[edge.from as usize].op;
        let is_block = op.row().place == Place::Block;
        let at = u32::try_from(edge.position).ok();
        let fits = match (edge.link, at) {
            (Link::Data, None) => edge.position == -1 && !is_block,
            (Link::Memory | Link::Control(_) | Link::Keep, None) => false,
            (Link::Control(_), Some(_)) => is_block,
            (Link::Keep, Some(_)) => op == Op::End,
            (Link::Data | Link::Memory, Some(_)) if is_block => false,
            // A Phi of values or of states of memory, as its first edge says.
            (link, Some(_)) if op == Op::Phi => shape.link.is_none_or(|first| first == link),
            (link, Some(at)) => link == wanted(op, at as usize, false),
        };
        if fits {
            return Ok(at);
        }
        let (link, name) = (edge.link.name(), type_name(op, Form::Source));
        let message = format!("No {link} edge with position {} leaves this node", edge.position);
        Err(Fault::new(edge.at, message, format!("it is a node of type {name}")))
    }

    /// Puts all operands and blocks in their places; yields how many places are empty.
    fn connect(&self, graph: &mut Graph, operands: usize, bad: NodeId) -> Result<usize, Fault> {
        let blocks = graph.ids().filter(|&id| graph.node(id).mode != Mode::BB).count();
        for edge in &self.edges {
            let [from, to] = [edge.from, edge.to].map(|it| NodeId::from_index(it as usize));
            let at = usize::try_from(edge.position).ok();
            let old = at.map_or(graph.node(from).block, |at| graph.operands(from)[at]);
            if old != bad {
                let message = format!("There are two edges with position {}", edge.position);
                return Err(Fault::new(edge.at, message, "this is the second one of its node"));
            }
            match (at, edge.link) {
                (None, _) => graph.set_block(from, to),
                (Some(at), Link::Control(way @ (Way::True | Way::False))) => {
                    graph.set_operand(from, at, to);
                    graph.set_way(from, at, way);
                }
                (Some(at), _) => graph.set_operand(from, at, to),
            }
        }
        Ok(operands + blocks - self.edges.len())
    }
}

/// What is known of a node's operands before they are.
#[derive(Clone, Copy, Default)]
struct Shape {
    count: u32,
    /// Which edge leads to one of them.
    link: Option<Link>,
}

fn add(graph: &mut Graph, node: &Node, shape: &Shape, bad: NodeId) {
    let is_memory = node.op == Op::Phi && shape.link == Some(Link::Memory);
    let mode = if is_memory { Mode::M } else { node.op.row().mode };
    let id = graph.add_later(node.op, mode, shape.count as usize, bad);
    if node.form != Form::Source {
        graph.set_form(id, node.form);
    }
    match node.op {
        Op::StartBlock if graph.start_block == bad => graph.start_block = id,
        Op::Start if graph.start == bad => graph.start = id,
        _ => {}
    }
}

/// The values of an element that has to have these properties and no others.
fn values(
    element: &Element,
    wanted: &[Property],
    symbols: &mut Symbols,
    at: u64,
) -> Result<Values, Fault> {
    let mut values = Values::default();
    for attribute in element.attributes {
        let property = Property::named(attribute.name).filter(|it| wanted.contains(it));
        let Some(property) = property else {
            let name = shown(attribute.name);
            let message = format!("Unexpected attribute `{name}`");
            return Err(Fault::new(at, message, "things of this type do not have it"));
        };
        let Some(value) = value(attribute, property, symbols) else {
            return Err(not_a_value(attribute, property, at));
        };
        if values[property as usize].replace(value).is_some() {
            let message = format!("The attribute `{}` stands twice", property.name());
            return Err(Fault::new(at, message, "here"));
        }
    }
    match wanted.iter().find(|&&property| values[property as usize].is_none()) {
        Some(missing) => {
            let message = format!("The attribute `{}` is missing", missing.name());
            Err(Fault::new(at, message, "things of this type have it"))
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

/// Which operations may be regrouped and turned around is ours to know; a file has to agree.
fn check_flags(op: Op, values: &Values, at: u64) -> Result<(), Fault> {
    let wanted = matches!(op, Op::Binary(_)) && op.commutes();
    for flag in [Property::Associative, Property::Commutative] {
        if values[flag as usize].is_some_and(|value| value != i64::from(wanted)) {
            let name = type_name(op, Form::Source);
            let message = format!("The attribute `{}` of a {name} is {wanted}", flag.name());
            return Err(Fault::new(at, message, "here it is not"));
        }
    }
    Ok(())
}

/// The operation with its attribute; none, if that is an argument with a negative number.
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

fn unknown_type(element: &Element, at: u64) -> Fault {
    let message = format!("Unknown type `{}`", shown(element.type_));
    Fault::new(at, message, format!("there is no such type of {}s", element.kind.name()))
}

fn not_a_value(attribute: &Attribute, property: Property, at: u64) -> Fault {
    let [name, text] = [attribute.name, attribute.text].map(shown);
    let message = format!("`{text}` is no value of the attribute `{name}`");
    let label = format!("it has to be of the type `{}`", property.element());
    let wide = property.element() == "int";
    Fault::new(at, message, label + if wide { " and has 32 bits" } else { "" })
}

fn negative(at: u64) -> Fault {
    Fault::new(at, "An argument with a negative position", "the first one has position 0")
}

fn too_many(at: u64) -> Fault {
    Fault::new(at, "There are too many nodes, or too large positions", "here are more than fit")
}

fn shown(words: &[u8]) -> String {
    String::from_utf8_lossy(words).into_owned()
}
