//! Writes a graph of the case: all nodes, then all edges, each in the order of the ids.
use super::types::{EdgeType, Property, RELATIONS, edge_type, properties, type_words};
use crate::firm::{Access, Mode, NodeId, Op};
use crate::ttc::{Graph, SelectedForm};
use arena::Id;
use gxl::{Value, Writer};
use std::io::{Result, Write};

/// Writes a graph. Nodes that are `Bad` and edges to them are left out, so that their places are
/// missing in the file, too. The file reads as the same graph.
///
/// # Errors
/// Those of `out`.
pub fn write(graph: &Graph, out: &mut dyn Write) -> Result<()> {
    let selected = graph.firm.ids().any(|id| graph.forms[id] != SelectedForm::Source);
    let model = if selected { "InstructionSelection" } else { "Firm" };
    let mut writer = Writer::new(out, model);
    let mut attributes = Vec::new();
    for id in nodes(graph) {
        let (op, form) = (graph.firm.op(id), graph.forms[id]);
        attributes.clear();
        for property in properties(op, form) {
            attributes.push((property.name(), value(graph, id, *property)));
        }
        writer.node(id.index() as u64, &type_words(op, form), &attributes)?;
    }
    for id in nodes(graph) {
        edges(graph, id, &mut |Edge { type_, position, to }| {
            let position = [(Property::Position.name(), Value::Int(position))];
            writer.edge(id.index() as u64, to.index() as u64, type_.name(), &position)
        })?;
    }
    writer.finish()
}

/// The numbers of nodes and edges in a file of this graph.
pub fn counts(graph: &Graph) -> [usize; 2] {
    let mut count = 0;
    for id in nodes(graph) {
        let mut add = |_| {
            count += 1;
            Ok(())
        };
        edges(graph, id, &mut add).expect("counting does not fail");
    }
    [nodes(graph).count(), count]
}

fn nodes(graph: &Graph) -> impl Iterator<Item = NodeId> {
    graph.firm.ids().filter(|&id| graph.firm.op(id) != Op::Bad)
}

struct Edge {
    type_: EdgeType,
    position: i64,
    to: NodeId,
}

/// The edges from a node, in the order in which they are written.
fn edges(graph: &Graph, id: NodeId, each: &mut dyn FnMut(Edge) -> Result<()>) -> Result<()> {
    let graph = &graph.firm;
    let node = graph.node(id);
    let is_block = node.op.is_block();
    let is_inside = !is_block && graph.op(node.block) != Op::Bad;
    let block = is_inside.then_some(Edge { type_: EdgeType::Data, position: -1, to: node.block });
    let (first, last) = match node.op {
        Op::Argument(_) | Op::End => (block, None),
        _ => (None, block),
    };
    first.into_iter().try_for_each(&mut *each)?;
    for (at, &to) in graph.operands(id).iter().enumerate() {
        if graph.op(to) == Op::Bad {
            continue;
        }
        let type_ = match is_block {
            true => EdgeType::Control(graph.edge_kind(id, at)),
            false => edge_type(node.op, at, graph.value_mode(id) == Mode::M),
        };
        each(Edge { type_, position: at as i64, to })?;
    }
    last.into_iter().try_for_each(each)
}

/// The value of a property of a node.
fn value(graph: &Graph, id: NodeId, property: Property) -> Value<'_> {
    let (op, form) = (graph.firm.op(id), graph.forms[id]);
    match property {
        Property::Associative | Property::Commutative => {
            Value::Bool(matches!(op, Op::Binary(binary) if binary.row().commutes))
        }
        Property::Volatile => {
            Value::Bool(matches!(op, Op::Load(Access::Volatile) | Op::Store(Access::Volatile)))
        }
        Property::Relation => {
            let relation = op.relation(false).map_or(0, |it| it as usize);
            Value::Enum(RELATIONS[relation].0)
        }
        Property::Value | Property::Symbol | Property::Position => match (form, op.number()) {
            (SelectedForm::Number(number), _) => Value::Int(i64::from(number)),
            (SelectedForm::Symbol(symbol), _) => Value::String(graph.symbols.name(symbol)),
            (_, Some(symbol)) if property == Property::Symbol => {
                Value::String(graph.symbols.name(symbol as u32))
            }
            (_, number) => Value::Int(number.unwrap_or_default()),
        },
    }
}
