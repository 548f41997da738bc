//! The graph as text.
use super::graph::{BlockId, End, Graph, Instruction, Operand, Operation};
use arena::Id;

pub fn print(graph: &Graph) -> String {
    lines(graph).map(|(_, line)| line + "\n").collect()
}

/// The text with a name before each line: that of the block, or of the instruction's cell in the
/// picture.
pub fn listing(graph: &Graph) -> String {
    lines(graph).map(|(name, line)| format!("{name:<8} {line}\n")).collect()
}

/// The lines and their names.
fn lines(graph: &Graph) -> impl Iterator<Item = (String, String)> {
    let parameters = graph.parameters.iter().map(|&it| format!(" {}", graph.variables[it]));
    let first = format!("function ->{}", parameters.collect::<String>());
    std::iter::once((String::new(), first)).chain(graph.blocks.ids().flat_map(|id| {
        let (block, name) = (&graph.blocks[id], block_name(id));
        let instructions =
            block.instructions.iter().enumerate().map(|(at, it)| {
                (format!("{name}:{}", instruction_port(at)), instruction(graph, it))
            });
        let mut lines = vec![(name.clone(), format!("label {}", block.label))];
        lines.extend(instructions);
        lines.push((format!("{name}:{END_PORT}"), end(graph, &block.end)));
        lines
    }))
}

/// The name of a block in pictures and listings.
pub fn block_name(id: BlockId) -> String {
    format!("b{}", id.index())
}

/// The name of an instruction's cell in its block.
pub fn instruction_port(at: usize) -> String {
    format!("i{at}")
}

/// The name of the cell for a block's end.
pub const END_PORT: &str = "end";

/// The line of an instruction.
pub fn instruction(graph: &Graph, instruction: &Instruction) -> String {
    let Instruction { operation, operands, result, .. } = instruction;
    let word = match operation {
        Operation::Operator(operator) => operator.word(),
        Operation::Copy => "mov",
        Operation::Use => "use",
    };
    let result = result.iter().map(|&it| format!(" -> {}", graph.variables[it]));
    format!("{word}{}{}", list(graph, operands), result.collect::<String>())
}

/// The line of a jump.
pub fn end(graph: &Graph, end: &End) -> String {
    match end {
        End::Goto(target) => format!("goto {}", graph.blocks[*target].label),
        End::Switch(on, targets) => {
            let targets = targets.iter().map(|&it| format!(" {}", graph.blocks[it].label));
            format!("switch {}{}", operand(graph, *on), targets.collect::<String>())
        }
        End::Return(operands) => format!("return{}", list(graph, operands)),
    }
}

fn list(graph: &Graph, operands: &[Operand]) -> String {
    operands.iter().map(|&it| format!(" {}", operand(graph, it))).collect()
}

pub fn operand(graph: &Graph, operand: Operand) -> String {
    match operand {
        Operand::Variable(variable) => graph.variables[variable].clone(),
        Operand::Number(number) => number.to_string(),
    }
}
