//! The variables of a structured program, and those that each block uses and assigns.
use super::structured::Variable;
use crate::flow_graph::{
    Block, BlockId, End, Graph, Instruction, Operand, Operation, VariableId, live_instructions,
};
use arena::{Id, SideTable};

pub struct Variables<'g> {
    graph: &'g Graph,
    live: SideTable<BlockId, Vec<bool>>,
    used: SideTable<BlockId, Vec<Variable>>,
    assigned: SideTable<BlockId, Vec<Variable>>,
}

impl<'g> Variables<'g> {
    pub fn new(graph: &'g Graph) -> Variables<'g> {
        let live = live_instructions(graph);
        let (used, assigned) = (SideTable::default(), SideTable::default());
        let mut variables = Variables { graph, live, used, assigned };
        for block in graph.blocks.ids() {
            variables.block(block);
        }
        variables
    }

    /// The number of variables: the state, those of the graph, and the results.
    pub fn count(&self) -> usize {
        1 + self.graph.variables.len() + self.graph.results()
    }

    pub fn of(&self, variable: VariableId) -> Variable {
        Variable::from_index(1 + variable.index())
    }

    pub fn result(&self, number: usize) -> Variable {
        Variable::from_index(1 + self.graph.variables.len() + number)
    }

    /// The state after all lines, traps and loops so far.
    pub fn state() -> Variable {
        Variable::from_index(0)
    }

    /// The results of the program.
    pub fn results(&self) -> impl Iterator<Item = Variable> {
        (0..self.graph.results()).map(|it| self.result(it))
    }

    /// The live instructions of a block.
    pub fn instructions(&self, block: BlockId) -> impl Iterator<Item = &'g Instruction> {
        let instructions = self.graph.blocks[block].instructions.iter();
        instructions.zip(&self.live[block]).filter(|(_, is_live)| **is_live).map(|(it, _)| it)
    }

    pub fn end(&self, block: BlockId) -> &'g End {
        &self.graph.blocks[block].end
    }

    /// The variables whose values at the beginning of the block it uses; a jump's operand is none.
    pub fn used(&self, block: BlockId) -> &[Variable] {
        &self.used[block]
    }

    pub fn assigned(&self, block: BlockId) -> &[Variable] {
        &self.assigned[block]
    }

    fn block(&mut self, block: BlockId) {
        let (mut used, mut assigned): (Vec<Variable>, Vec<Variable>) = Default::default();
        let Block { end, .. } = &self.graph.blocks[block];
        let mut read = |operand: Operand, assigned: &[Variable]| {
            if let Operand::Variable(variable) = operand {
                let variable = self.of(variable);
                if !assigned.contains(&variable) {
                    used.push(variable);
                }
            }
        };
        let mut state = None;
        for instruction in self.instructions(block) {
            instruction.operands.iter().for_each(|&it| read(it, &assigned));
            if instruction.operation == Operation::Use || instruction.may_trap() {
                state = Some(Variables::state());
            }
            assigned.extend(instruction.result.map(|it| self.of(it)));
        }
        if let End::Return(operands) = end {
            operands.iter().for_each(|&it| read(it, &assigned));
            assigned.extend((0..operands.len()).map(|it| self.result(it)));
        }
        used.extend(state);
        assigned.extend(state);
        self.used[block] = used;
        self.assigned[block] = assigned;
    }
}
