//! A graph of the case: a Firm graph with the names of its symbols and the selected instructions.
use super::symbols::Symbols;
use crate::firm::{self, Mode, NodeId, Op};
use crate::stage::Outcome;
use arena::SideTable;
use std::borrow::Cow;

#[derive(Clone)]
pub struct Graph {
    pub firm: firm::Graph,
    pub symbols: Symbols,
    /// The instruction for each node.
    pub forms: SideTable<NodeId, SelectedForm>,
}

/// The instruction that was selected for a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum SelectedForm {
    /// None, or none is needed.
    #[default]
    Source,
    /// The instruction for the operation.
    Plain,
    /// The one with this number instead of the operand at 1.
    Number(i32),
    /// The one with the address of this symbol instead of the operand at 1.
    Symbol(u32),
}

impl From<firm::Graph> for Graph {
    /// A graph without symbols and without instructions.
    fn from(firm: firm::Graph) -> Graph {
        Graph { firm, symbols: Symbols::default(), forms: SideTable::new(0) }
    }
}

impl Graph {
    /// The operation of a node with its attribute and the selected instruction.
    pub fn label(&self, id: NodeId) -> String {
        label(&self.firm, id, &self.symbols, &self.forms)
    }

    /// The same graph with each operand that is part of an instruction as a node. These nodes are
    /// the last ones, so all others keep their ids.
    pub fn with_all_operands(&self) -> Cow<'_, firm::Graph> {
        let immediate = |id: NodeId| match self.forms[id] {
            SelectedForm::Source | SelectedForm::Plain => None,
            SelectedForm::Number(number) => Some(Op::Const(i64::from(number))),
            SelectedForm::Symbol(symbol) => Some(Op::SymConst(symbol)),
        };
        let mut graph = Cow::Borrowed(&self.firm);
        for (id, op) in self.firm.ids().filter_map(|id| Some((id, immediate(id)?))) {
            let mut operands = self.firm.operands(id).to_vec();
            let graph = graph.to_mut();
            let operand = graph.add(op, Mode::Is, graph.start_block, &[]);
            operands.insert(operands.len().min(1), operand);
            let node = graph.node(id);
            graph.rewrite(id, node.op, node.mode, 0);
            graph.add_operands(id, &operands);
        }
        graph
    }

    /// Executes the program; none, if a cycle of values has no Phi.
    pub fn run(&self, arguments: &[i64]) -> Option<Outcome> {
        let (firm, order) = firm::sort_all(&self.firm)?;
        let forms = SideTable::of(order.iter().map(|&id| self.forms[id]).collect());
        let sorted = Graph { firm, symbols: self.symbols.clone(), forms };
        let mut linked = sorted.with_all_operands().into_owned();
        for id in linked.ids() {
            if let Op::SymConst(symbol) = linked.op(id) {
                linked.rewrite(id, Op::Const(self.symbols.address(symbol)), Mode::Is, 0);
            }
        }
        Some(firm::eval(&linked, arguments))
    }
}

/// The same for a graph that is being rewritten.
pub fn label(
    graph: &firm::Graph,
    id: NodeId,
    symbols: &Symbols,
    forms: &SideTable<NodeId, SelectedForm>,
) -> String {
    let operation = match graph.op(id) {
        Op::SymConst(symbol) => format!("SymConst {}", symbols.name(symbol)),
        _ => firm::label(graph, id),
    };
    match forms[id] {
        SelectedForm::Source => operation,
        SelectedForm::Plain => operation + " (target)",
        SelectedForm::Number(number) => format!("{operation} (target, {number})"),
        SelectedForm::Symbol(symbol) => format!("{operation} (target, {})", symbols.name(symbol)),
    }
}
