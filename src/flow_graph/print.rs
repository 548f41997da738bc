//! The graph as text.
use super::graph::{End, Graph, Instruction, Operand, Operation};

pub fn print(graph: &Graph) -> String {
    let names = |operands: &[Operand]| -> String {
        operands.iter().map(|&it| format!(" {}", operand(graph, it))).collect()
    };
    let mut text = "function ->".to_string();
    graph.parameters.iter().for_each(|&it| text += &format!(" {}", graph.variables[it]));
    text += "\n";
    for block in graph.blocks.ids() {
        let block = &graph.blocks[block];
        text += &format!("label {}\n", block.label);
        for Instruction { operation, operands, result } in &block.instructions {
            let word = match operation {
                Operation::Operator(operator) => operator.word(),
                Operation::Copy => "mov",
                Operation::Use => "use",
            };
            text += &format!("{word}{}", names(operands));
            result.iter().for_each(|&it| text += &format!(" -> {}", graph.variables[it]));
            text += "\n";
        }
        text += &match &block.end {
            End::Goto(target) => format!("goto {}\n", graph.blocks[*target].label),
            End::Switch(on, targets) => {
                let targets = targets.iter().map(|&it| format!(" {}", graph.blocks[it].label));
                format!("switch {}{}\n", operand(graph, *on), targets.collect::<String>())
            }
            End::Return(operands) => format!("return{}\n", names(operands)),
        };
    }
    text
}

fn operand(graph: &Graph, operand: Operand) -> String {
    match operand {
        Operand::Variable(variable) => graph.variables[variable].clone(),
        Operand::Number(number) => number.to_string(),
    }
}
