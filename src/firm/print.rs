//! A Firm graph as text: one block after the other, one node a line.
#[cfg(feature = "ch25")]
use super::graph::Form;
#[cfg(feature = "ch05")]
use super::graph::Way;
use super::graph::{Graph, NodeId};
use super::mode::Mode;
#[cfg(feature = "ch25")]
use super::op::Access;
use super::op::{Op, Place};
use arena::{Id, SideTable};

/// Every block with the nodes that stand in it, as in `n4: Is = Add n2, n3`.
pub fn print(graph: &Graph) -> String {
    let mut lines: SideTable<NodeId, String> = SideTable::new(graph.len());
    // Constants are made while later blocks are filled, and stand before the jump nevertheless.
    let is_jump = |id: &NodeId| graph.node(*id).mode == Mode::X;
    let jumps = graph.ids().filter(is_jump);
    for id in graph.ids().filter(|id| !is_jump(id)).chain(jumps) {
        let node = graph.node(id);
        let line = match node.op.row().place {
            Place::Block => format!("{}{}:\n", title(graph, id), operands(graph, id, " from ")),
            #[cfg(feature = "ch25")]
            Place::Nowhere => continue,
            Place::StartBlock | Place::EndBlock | Place::Anywhere => {
                let (mode, operands) = (node.mode.name(), operands(graph, id, " "));
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

/// What the node is, with its attribute: `Const 7`.
pub fn label(graph: &Graph, id: NodeId) -> String {
    let all = LABELS.iter().map(|label| label(graph, id));
    all.collect()
}

/// What is said of a node, one after the other.
const LABELS: &[fn(&Graph, NodeId) -> String] = &[
    operation,
    // The instruction that was selected for it, as the case names it: `AddI 5`.
    #[cfg(feature = "ch25")]
    |graph, id| match graph.form(id) {
        Form::Source => String::new(),
        Form::Plain => " (target)".to_string(),
        Form::Number(number) => format!(" (target, {number})"),
        Form::Symbol(symbol) => format!(" (target, {})", graph.symbols.name(symbol)),
    },
];

fn operation(graph: &Graph, id: NodeId) -> String {
    let op = graph.op(id);
    match op {
        Op::Const(value) => format!("Const {value}"),
        #[cfg(feature = "ch04")]
        Op::Argument(number) => format!("Argument {number}"),
        #[cfg(feature = "ch04")]
        Op::Cmp(relation) => format!("Cmp {}", relation.row().symbol),
        #[cfg(feature = "ch25")]
        Op::SymConst(symbol) => format!("SymConst {}", graph.symbols.name(symbol)),
        #[cfg(feature = "ch25")]
        Op::Load(Access::Volatile) | Op::Store(Access::Volatile) => {
            format!("{} volatile", op.row().name)
        }
        _ => op.row().name.to_string(),
    }
}

/// How a block is called; others than the first and the last are told apart by their number.
pub fn title(graph: &Graph, block: NodeId) -> String {
    match graph.op(block) {
        #[cfg(feature = "ch05")]
        Op::Block => format!("Block {}", name(block)),
        _ => label(graph, block),
    }
}

/// What is said of the way between a block and a predecessor of it; the last one counts.
pub const SIDES: &[fn(&Graph, NodeId, usize) -> &'static str] = &[
    |_, _, _| "",
    #[cfg(feature = "ch05")]
    |graph, id, at| match graph.way(id, at) {
        Way::Always => "",
        Way::True => " true",
        Way::False => " false",
    },
];

fn operands(graph: &Graph, id: NodeId, before: &str) -> String {
    let side = SIDES[SIDES.len() - 1];
    let all = graph.operands(id).iter().enumerate();
    let names: Vec<_> = all.map(|(at, &it)| name(it) + side(graph, id, at)).collect();
    if names.is_empty() { String::new() } else { format!("{before}{}", names.join(", ")) }
}
