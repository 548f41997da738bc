//! From Firm back to a control-flow graph: every value becomes a variable, every Phi an assignment
//! at the end of each predecessor.
//!
//! The Phis of a block take their operands all at once. So each has two variables: predecessors
//! assign the first one, and the block itself copies it to the second one.
#[cfg(test)]
mod tests;

use crate::diagnostics::{Code, Diagnostic};
use crate::firm::{self, ControlFlow, Mode, NodeId, Op};
use crate::flow_graph::{Block, BlockId, End, Graph, Instruction, Operand, Operation, VariableId};
use crate::heap::ResultFormat;
use crate::region::Operator;
use arena::{FxHashMap, Id};
use source::Span;

/// The control-flow graph of a program of one function with one parameter, which returns a word.
///
/// # Errors
/// Operations that are not arithmetic on words: accesses to memory, calls and floating point.
pub fn raise(program: &firm::Program) -> Result<Graph, Vec<Diagnostic>> {
    if program.functions.len() > 1 {
        let label = "the program has functions that are not inlined";
        return Err(vec![Diagnostic::new(Code::Type, Span::default(), NO_FUNCTIONS, label)]);
    }
    if program.functions[0].signature.parameters > 1 {
        let label = "the integers of the program have 64 bits";
        return Err(vec![Diagnostic::new(Code::Type, Span::default(), NO_PAIRS, label)]);
    }
    match program.result {
        ResultFormat::Integer | ResultFormat::Wide => raise_function(&program.functions[0]),
        ResultFormat::Float => {
            let label = "the program returns floats";
            Err(vec![Diagnostic::new(Code::Type, Span::default(), NO_FLOATS, label)])
        }
        ResultFormat::Object(_) | ResultFormat::Array(_) => {
            let label = "the program returns objects";
            Err(vec![Diagnostic::new(Code::Type, Span::default(), NO_MEMORY, label)])
        }
    }
}

const NO_PAIRS: &str = "this has no form as regions: they compute words";
const NO_FUNCTIONS: &str = "this has no form as regions: it becomes one function of them";
const NO_FLOATS: &str = "this has no form as regions: they compute words, and have no floats";
const NO_MEMORY: &str = "this has no form as regions: they compute words, and have no memory";

fn raise_function(firm: &firm::Graph) -> Result<Graph, Vec<Diagnostic>> {
    let flow = ControlFlow::new(firm);
    let mut raising = Raising {
        firm,
        flow: &flow,
        graph: Graph::default(),
        variables: FxHashMap::default(),
        blocks: FxHashMap::default(),
        diagnostics: Vec::new(),
    };
    let parameter = raising.graph.variables.push("arg".to_string());
    raising.graph.parameters.push(parameter);
    let order = flow.reverse_postorder(firm);
    for &block in &order {
        raising.begin(block);
    }
    for &block in &order {
        raising.block(block);
    }
    let Raising { graph, diagnostics, .. } = raising;
    if diagnostics.is_empty() { Ok(graph) } else { Err(diagnostics) }
}

struct Raising<'f> {
    firm: &'f firm::Graph,
    flow: &'f ControlFlow,
    graph: Graph,
    /// The variable of each value; a Phi's second one is its value.
    variables: FxHashMap<NodeId, VariableId>,
    blocks: FxHashMap<NodeId, BlockId>,
    diagnostics: Vec<Diagnostic>,
}

impl Raising<'_> {
    /// Adds a block and its variables.
    fn begin(&mut self, block: NodeId) {
        let label = format!("b{}", self.blocks.len());
        let end = End::Return(Vec::new());
        let (instructions, end_origin) = (Vec::new(), Span::default());
        let id = self.graph.blocks.push(Block { label, instructions, end, end_origin });
        self.blocks.insert(block, id);
        for &node in self.flow.nodes(block) {
            if self.firm.node(node).mode != Mode::Is {
                continue;
            }
            let number = self.graph.variables.len();
            let names = match self.firm.op(node) {
                Op::Phi => vec![format!("i{number}"), format!("p{number}")],
                Op::Binary(_) | Op::Cmp(_) => vec![format!("v{number}")],
                _ => continue,
            };
            for name in names {
                self.variables.insert(node, self.graph.variables.push(name));
            }
        }
    }

    fn block(&mut self, block: NodeId) {
        let mut instructions = Vec::new();
        for &node in self.flow.nodes(block) {
            instructions.extend(self.instruction(node));
        }
        let mut end = End::Return(Vec::new());
        if let Some(jump) = self.flow.jump(block) {
            end = self.end(jump);
            for condition in [true, false] {
                instructions.extend(self.assignments(jump, condition));
            }
        }
        let own = &mut self.graph.blocks[self.blocks[&block]];
        (own.instructions, own.end) = (instructions, end);
    }

    /// The instruction of a node, if it needs one.
    fn instruction(&mut self, node: NodeId) -> Option<Instruction> {
        let operands = self.firm.operands(node);
        let origin = self.firm.origin(node).unwrap_or_default();
        let operation = match (self.firm.op(node), self.firm.node(node).mode) {
            (Op::Phi, Mode::Is) => {
                let value = self.variables[&node];
                let input = Operand::Variable(input(value));
                return Some(assignment(input, value, origin));
            }
            (Op::Binary(binary), Mode::Is) => Operator::Binary(binary),
            (Op::Cmp(relation), Mode::Is) => Operator::Compare(relation),
            (Op::Const(_) | Op::Argument(_), Mode::Is)
            | (Op::Phi, Mode::M)
            | (Op::Start | Op::Jmp | Op::Cond | Op::Return, _) => return None,
            (op, mode) => return self.unsupported(node, op, mode),
        };
        let operation = Operation::Operator(operation);
        let operands = operands.iter().map(|&it| self.operand(it)).collect();
        Some(Instruction { operation, operands, result: Some(self.variables[&node]), origin })
    }

    fn unsupported(&mut self, node: NodeId, op: Op, mode: Mode) -> Option<Instruction> {
        let span = self.firm.origin(node).unwrap_or_default();
        let label = format!("a {} of mode {mode:?}", op.row().name);
        if self.diagnostics.iter().all(|it| it.span != span) {
            self.diagnostics.push(Diagnostic::new(Code::Type, span, NO_MEMORY, label));
        }
        None
    }

    fn operand(&self, node: NodeId) -> Operand {
        match self.firm.op(node) {
            Op::Const(number) => Operand::Number(number),
            Op::Argument(_) => Operand::Variable(self.graph.parameters[0]),
            _ => match self.variables.get(&node) {
                Some(&variable) => Operand::Variable(variable),
                // It was reported.
                None => Operand::Number(0),
            },
        }
    }

    fn end(&self, jump: NodeId) -> End {
        let target = |condition: bool| {
            let target = self.flow.target(jump, condition).expect("a jump has a target");
            self.blocks[&target.block]
        };
        match self.firm.op(jump) {
            Op::Return => {
                let values = &self.firm.operands(jump)[1..];
                End::Return(values.iter().map(|&it| self.operand(it)).collect())
            }
            Op::Cond => {
                let condition = self.operand(self.firm.operands(jump)[0]);
                End::Switch(condition, vec![target(false), target(true)])
            }
            _ => End::Goto(target(true)),
        }
    }

    /// The values of the Phis in a block that a jump leads to.
    fn assignments(&self, jump: NodeId, condition: bool) -> Vec<Instruction> {
        let Some(target) = self.flow.target(jump, condition) else { return Vec::new() };
        let is_phi =
            |id: &&NodeId| self.firm.op(**id) == Op::Phi && self.firm.node(**id).mode == Mode::Is;
        let phis = self.flow.nodes(target.block).iter().filter(is_phi);
        let value = |phi: &NodeId| self.firm.operands(*phi)[target.predecessor_index as usize];
        let assignment = |phi: &NodeId| {
            let origin = self.firm.origin(*phi).unwrap_or_default();
            assignment(self.operand(value(phi)), input(self.variables[phi]), origin)
        };
        phis.map(assignment).collect()
    }
}

/// The variable before a Phi's own one, which predecessors assign.
fn input(phi: VariableId) -> VariableId {
    VariableId::from_index(phi.index() - 1)
}

fn assignment(value: Operand, to: VariableId, origin: Span) -> Instruction {
    Instruction { operation: Operation::Copy, operands: vec![value], result: Some(to), origin }
}
