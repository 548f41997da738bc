//! The sea as text: one line, as an expression; or a listing, one node per line.
use super::graph::Graph;
use super::op::{NodeId, Op, Text};
use super::walk::reachable_nodes;
#[cfg(feature = "ch10")]
use crate::types::FieldId;
use crate::types::Type;
#[cfg(feature = "ch10")]
use arena::Id;
use arena::SideTable;
use std::collections::HashSet;

/// Shared nodes are printed in full until the line is this long, and by their label after that: as
/// a tree, the graph may be exponentially larger.
#[cfg(not(feature = "ch07"))]
const MAX_LINE_LENGTH: usize = 10_000;

/// With loops the tree is infinite: each node is printed in full only once.
#[cfg(feature = "ch07")]
const MAX_LINE_LENGTH: usize = 0;

/// The remaining output.
enum Piece {
    Node(NodeId),
    Text(&'static str),
}

/// The length after which an excerpt prints labels only.
#[cfg(feature = "ch02")]
const MAX_EXCERPT_LENGTH: usize = 200;

/// The program as one line, such as `return (arg+3);`.
pub fn line(graph: &Graph, root: NodeId) -> String {
    write(graph, root, usize::MAX)
}

/// Like `line`, but shows only the beginning of a large expression.
#[cfg(feature = "ch02")]
pub fn excerpt(graph: &Graph, root: NodeId) -> String {
    write(graph, root, MAX_EXCERPT_LENGTH)
}

/// Prints an expression; once the line is longer than `length`, nodes are printed by their labels.
fn write(graph: &Graph, root: NodeId, length: usize) -> String {
    let mut seen = HashSet::new();
    let mut line = String::new();
    let mut rest = vec![Piece::Node(root)];
    while let Some(piece) = rest.pop() {
        match piece {
            Piece::Text(text) => line.push_str(text),
            Piece::Node(id) => {
                let again = !seen.insert(id) && line.len() > MAX_LINE_LENGTH;
                if again || line.len() > length {
                    line.push_str(&label(graph, id));
                } else {
                    expand(graph, id, &mut line, &mut rest);
                }
            }
        }
    }
    line
}

/// Prints the first piece of `id` and pushes the rest onto `rest`, last piece first.
fn expand(graph: &Graph, id: NodeId, line: &mut String, rest: &mut Vec<Piece>) {
    let node = |at| Piece::Node(graph.input(id, at));
    match graph.op(id).row().text {
        Text::Label => line.push_str(&label(graph, id)),
        Text::Return => {
            line.push_str("return ");
            rest.extend([Piece::Text(";"), node(1)]);
        }
        #[cfg(feature = "ch02")]
        Text::Prefix(symbol) => {
            line.push('(');
            rest.extend([Piece::Text(")"), node(0), Piece::Text(symbol)]);
        }
        #[cfg(feature = "ch02")]
        Text::Infix(symbol) => {
            line.push('(');
            rest.extend([Piece::Text(")"), node(1), Piece::Text(symbol), node(0)]);
        }
        #[cfg(feature = "ch05")]
        Text::Phi => {
            line.push_str("Phi(");
            rest.push(Piece::Text(")"));
            let inputs = (0..graph.inputs(id).len()).rev();
            rest.extend(inputs.flat_map(|at| [node(at), Piece::Text(",")]));
            rest.pop();
        }
        #[cfg(feature = "ch18")]
        Text::Parameter => parameter(graph, id, line, rest),
        #[cfg(feature = "ch18")]
        Text::Result => call(graph, graph.input(id, 0), line, rest),
        #[cfg(feature = "ch10")]
        Text::Store => {
            line.push_str(&label(graph, id));
            rest.extend([Piece::Text(";"), node(3)]);
        }
        #[cfg(feature = "ch10")]
        Text::Cast => {
            line.push_str(&label(graph, id));
            rest.push(node(1));
        }
        #[cfg(feature = "ch12")]
        Text::ToFloat => {
            line.push_str("(flt)");
            rest.push(node(0));
        }
        #[cfg(feature = "ch05")]
        Text::Stop => match &ends(graph, id)[..] {
            &[only] => rest.push(Piece::Node(only)),
            ends => {
                line.push_str("Stop[ ");
                rest.push(Piece::Text("]"));
                let ends = ends.iter().rev();
                rest.extend(ends.flat_map(|&end| [Piece::Text(" "), Piece::Node(end)]));
            }
        },
    }
}

/// `Parm_x(f,int,1,arg)`: the type of the parameter, and the argument of each known call.
#[cfg(feature = "ch18")]
fn parameter(graph: &Graph, id: NodeId, line: &mut String, rest: &mut Vec<Piece>) {
    let (entry, Op::Parameter(number)) = (graph.input(id, 0), graph.op(id)) else { return };
    let function = label(graph, entry);
    let ty = graph.types.name(graph.ty(id));
    line.push_str(&format!("Parm_{}({function},{ty}", label(graph, id)));
    rest.push(Piece::Text(")"));
    let Op::Function(called) = graph.op(entry) else { return };
    let is_call = |id: &NodeId| {
        matches!(graph.op(*id), Op::Call(_))
            && graph.uses(*id) > 0
            && graph.callee(*id) == Some(called)
    };
    for call in graph.ids().filter(is_call).collect::<Vec<_>>().into_iter().rev() {
        let argument = graph.arguments(call).nth(number as usize).expect("it has arguments");
        rest.extend([Piece::Node(argument), Piece::Text(",")]);
    }
}

/// `f( x,y)`
#[cfg(feature = "ch18")]
fn call(graph: &Graph, call: NodeId, line: &mut String, rest: &mut Vec<Piece>) {
    rest.push(Piece::Text(")"));
    let arguments = graph.arguments(call).rev();
    rest.extend(arguments.flat_map(|it| [Piece::Node(it), Piece::Text(",")]));
    if graph.arguments(call).next().is_some() {
        rest.pop();
    }
    rest.push(Piece::Text("( "));
    match graph.callee(call) {
        Some(function) => line.push_str(graph.function_name(function)),
        None => rest.push(Piece::Node(graph.input(call, 1))),
    }
}

/// The ends of a program.
/// @ch15 Traps are left out: every access to an array has one.
#[cfg(feature = "ch05")]
fn ends(graph: &Graph, stop: NodeId) -> Vec<NodeId> {
    let ends = graph.inputs(stop);
    #[cfg(feature = "ch15")]
    let ends = ends.filter(|&end| graph.op(end) == Op::Return);
    ends.collect()
}

/// The label of a node, which replaces it if it is not printed in full.
pub fn label(graph: &Graph, id: NodeId) -> String {
    match graph.op(id) {
        #[cfg(feature = "ch10")]
        Op::Constant(Type::NULL) => graph.types.name(Type::NULL),
        #[cfg(feature = "ch12")]
        Op::Constant(ty) if graph.types.is_float(ty) => graph.types.name(ty),
        #[cfg(feature = "ch18")]
        Op::Constant(ty) if graph.types.is_pointer(ty) => graph.types.name(ty),
        #[cfg(feature = "ch18")]
        Op::Function(function) => graph.function_name(function).to_string(),
        #[cfg(feature = "ch18")]
        Op::Parameter(number) => parameter_name(graph, id, number),
        #[cfg(feature = "ch18")]
        Op::Rest => "$rest".to_string(),
        Op::Constant(ty) => graph.types.value(ty).map_or("Constant".into(), |it| it.to_string()),
        #[cfg(feature = "ch04")]
        Op::Projection(0) => "$ctrl".to_string(),
        // The memory of a field; programs cannot spell its name.
        #[cfg(feature = "ch10")]
        Op::Projection(index @ 2..) => {
            let field = FieldId::from_index(index as usize - 2);
            format!("${}", graph.types.structs.field_name(field))
        }
        #[cfg(feature = "ch04")]
        Op::Projection(_) => "arg".to_string(),
        #[cfg(feature = "ch05")]
        Op::ControlProjection(truth) => if truth { "True" } else { "False" }.to_string(),
        #[cfg(feature = "ch05")]
        Op::Phi(label) => format!("Phi_{}", graph.labels.name(label)),
        #[cfg(feature = "ch10")]
        Op::New(of) => format!("new {}", graph.types.structs.get(of).name),
        #[cfg(feature = "ch10")]
        Op::Clear(field) => format!(".{}=0", graph.types.structs.field_name(field)),
        #[cfg(feature = "ch10")]
        Op::Store(field) => format!(".{}=", graph.types.structs.field_name(field)),
        #[cfg(feature = "ch10")]
        Op::Load(field) => format!(".{}", graph.types.structs.field_name(field)),
        #[cfg(feature = "ch10")]
        Op::Cast => "(*void)".to_string(),
        #[cfg(feature = "ch15")]
        Op::NewArray(of) => format!("new {}", graph.types.structs.get(of).name),
        #[cfg(feature = "ch15")]
        Op::Length => ".#".to_string(),
        #[cfg(feature = "ch15")]
        Op::Element => "&[]".to_string(),
        op => op.row().name.to_string(),
    }
}

#[cfg(feature = "ch18")]
fn parameter_name(graph: &Graph, id: NodeId, number: u32) -> String {
    let names = match graph.op(graph.input(id, 0)) {
        Op::Function(function) => graph.parameters.get(&function),
        _ => None,
    };
    let name = names.and_then(|names| names.get(number as usize));
    name.map_or_else(|| format!("${number}"), String::clone)
}

/// One node per line, inputs before users: name, label, inputs, `[[` users `]]`, type.
pub fn listing(graph: &Graph) -> String {
    let order = reachable_nodes(graph);
    let names = names(graph, &order);
    let mut text = String::new();
    for &id in &order {
        let inputs: Vec<_> = graph.inputs(id).map(|input| names[input].as_str()).collect();
        let users: Vec<_> = graph.users(id).map(|user| names[user].as_str()).collect();
        let (inputs, users) = (inputs.join(" "), users.join(" "));
        let columns = [
            format!("{:<5} {:<8} {inputs:<12} [[ {users} ]]", names[id], label(graph, id)),
            #[cfg(feature = "ch02")]
            graph.types.name(graph.ty(id)),
        ];
        text.push_str(columns.join(" ").trim_end());
        text.push('\n');
    }
    text
}

/// A name for each node: `n0`, `n1`, … in this order.
///
/// Nodes are renumbered for each listing, so the names do not depend on nodes that were removed.
pub fn names(graph: &Graph, order: &[NodeId]) -> SideTable<NodeId, String> {
    let mut names = SideTable::new(graph.len());
    for (number, &id) in order.iter().enumerate() {
        names[id] = format!("n{number}");
    }
    names
}
