//! A Firm graph as text: one block after the other, one node a line.
#[cfg(feature = "ch05")]
use super::graph::EdgeKind;
use super::graph::{Graph, NodeId};
use super::mode::Mode;
#[cfg(feature = "ch25")]
use super::op::Access;
use super::op::{AllowedBlock, Op};
#[cfg(feature = "ch14")]
use super::{Program, Signature};
#[cfg(feature = "ch12")]
use crate::floats;
#[cfg(feature = "ch14")]
use crate::stage::FirmNode;
use crate::stage::Violation;
use arena::{Id, SideTable};

/// The operation of a node in words.
pub type Label<'l> = dyn Fn(&Graph, NodeId) -> String + 'l;

/// Every block with its nodes, as in `n2: Is = Const 7`.
pub fn print(graph: &Graph, label: &Label) -> String {
    let mut lines: SideTable<NodeId, String> = SideTable::new(graph.len());
    // Constants are added while later blocks are filled, but are printed before the jump.
    let is_jump = |id: &NodeId| graph.value_mode(*id) == Mode::X;
    let jumps = graph.ids().filter(is_jump);
    for id in graph.ids().filter(|id| !is_jump(id)).chain(jumps) {
        let node = graph.node(id);
        let line = match node.op.row().block {
            AllowedBlock::Itself => {
                format!("{}{}:\n", title(graph, id, label), operands(graph, id, " from "))
            }
            #[cfg(feature = "ch25")]
            AllowedBlock::None => continue,
            AllowedBlock::StartBlock | AllowedBlock::EndBlock | AllowedBlock::Any => {
                let (mode, operands) = (graph.value_mode(id).name(), operands(graph, id, " "));
                format!("  {}: {mode} = {}{operands}\n", name(id), label(graph, id))
            }
        };
        lines[node.block] += &line;
    }
    graph.ids().map(|id| lines[id].as_str()).collect()
}

/// The name of a node: `n7`.
pub fn name(id: NodeId) -> String {
    format!("n{}", id.index())
}

/// The operation of a node with its attribute: `Const 7`.
/// @ch12 If the mode of its value does not show its own one, that is part of the name: `Cmp:D <`.
pub fn label(graph: &Graph, id: NodeId) -> String {
    let op = graph.op(id);
    let name = op.row().name.to_string();
    #[cfg(feature = "ch12")]
    let mode = graph.node(id).mode;
    #[cfg(feature = "ch12")]
    let name = if graph.value_mode(id) == mode { name } else { op.name_in(mode) };
    match op {
        #[cfg(feature = "ch12")]
        Op::Const(bits) if mode.is_float() => format!("{name} {}", floats::text(bits)),
        Op::Const(value) => format!("{name} {value}"),
        #[cfg(feature = "ch04")]
        Op::Argument(number) => format!("{name} {number}"),
        #[cfg(feature = "ch04")]
        Op::Cmp(relation) => format!("{name} {}", relation.row().symbol),
        #[cfg(feature = "ch14")]
        Op::SymConst(symbol) => format!("{name} {symbol}"),
        #[cfg(feature = "ch25")]
        Op::Load(Access::Volatile) | Op::Store(Access::Volatile) => format!("{name} volatile"),
        #[cfg(feature = "ch14")]
        Op::Call(results) if results > 1 => format!("{name}, {results} results"),
        #[cfg(feature = "ch14")]
        Op::Result(number) => format!("{name} {number}"),
        _ => name,
    }
}

/// A broken invariant at a node.
pub fn violation(invariant: &'static str, graph: &Graph, id: NodeId) -> Violation {
    let detail = format!("{} {}", name(id), label(graph, id));
    Violation { invariant, detail }
}

/// The title of a block; all but the first and the last one have numbers.
pub fn title(graph: &Graph, block: NodeId, label: &Label) -> String {
    #[cfg(feature = "ch05")]
    if graph.op(block) == Op::Block {
        return format!("Block {}", name(block));
    }
    label(graph, block)
}

fn operands(graph: &Graph, id: NodeId, before: &str) -> String {
    let names = graph.operands(id).iter().map(|&operand| name(operand));
    #[cfg(feature = "ch05")]
    let names = names.enumerate().map(|(at, name)| name + edge(graph, id, at));
    let names: Vec<_> = names.collect();
    if names.is_empty() { String::new() } else { format!("{before}{}", names.join(", ")) }
}

/// The condition of the edge to the operand at `at`, if it has one.
#[cfg(feature = "ch05")]
pub fn edge(graph: &Graph, id: NodeId, at: usize) -> &'static str {
    match graph.edge_kind(id, at) {
        EdgeKind::Always => "",
        EdgeKind::True => " true",
        EdgeKind::False => " false",
    }
}

/// The nodes of the lines of `print_functions`.
#[cfg(feature = "ch14")]
pub fn line_nodes(text: &str) -> Vec<Option<FirmNode>> {
    let mut functions = 0;
    let node = |line: &str| {
        functions += usize::from(line.starts_with("function "));
        let (number, _) = line.strip_prefix("  n")?.split_once(':')?;
        Some((functions.checked_sub(1)?, number.parse().ok()?))
    };
    text.lines().map(node).collect()
}

/// Several functions.
#[cfg(feature = "ch14")]
impl Program {
    /// Each function with its name, and the numbers of its parameters and results.
    pub fn print_functions(&self) -> String {
        let texts = self.functions.iter().map(|graph| self.print_function(graph));
        texts.collect::<Vec<_>>().join("\n")
    }

    /// One of the functions, with its title.
    pub fn print_function(&self, graph: &Graph) -> String {
        let Graph { name, signature: Signature { parameters, results, .. }, .. } = graph;
        let text = print(graph, &|graph, id| self.label(graph, id));
        format!("function {name}: {parameters} -> {results}\n{text}")
    }

    /// The operation of a node; a symbol is the name of a function.
    pub fn label(&self, graph: &Graph, id: NodeId) -> String {
        let function = match graph.op(id) {
            Op::SymConst(symbol) => self.symbol(symbol),
            _ => None,
        };
        function.map_or_else(|| label(graph, id), |(name, _)| format!("SymConst {name}"))
    }
}
