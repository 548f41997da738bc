//! The graph as text.
use super::graph::{End, Graph, Instruction, Operand, Operation};

pub fn print(graph: &Graph) -> String {
    let mut text = "function ->".to_string();
    graph.parameters.iter().for_each(|&it| text += &format!(" {}", graph.variables[it]));
    text += "\n";
    for id in graph.blocks.ids() {
        let block = &graph.blocks[id];
        text += &format!("label {}\n", block.label);
        for it in &block.instructions {
            text += &(instruction(graph, it) + "\n");
        }
        text += &(end(graph, &block.end) + "\n");
    }
    text
}

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
