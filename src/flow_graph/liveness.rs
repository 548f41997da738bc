//! Which instructions are live: they have an effect, or an effect, a jump or a result depends on
//! them. A trap is an effect.
//!
//! A variable is live where its value may be needed later by a live instruction (strong liveness:
//! R. Giegerich, U. Möncke, R. Wilhelm, "Invariance of Approximate Semantics", 1981).
use super::graph::{BlockId, End, Graph, Operand, Operation, VariableId};
use arena::{FxHashMap, Id, ListTable, SideTable};

/// Whether each instruction of each block is live.
pub fn live_instructions(graph: &Graph) -> SideTable<BlockId, Vec<bool>> {
    let jump =
        |block: BlockId| graph.blocks[block].end.targets().iter().map(move |&it| (it, block));
    let jumps = graph.blocks.ids().flat_map(jump);
    let predecessors = ListTable::group(graph.blocks.len(), jumps);
    let mut liveness = Liveness { predecessors, ..Liveness::new(graph) };
    for block in graph.blocks.ids() {
        let operands: &[Operand] = match &graph.blocks[block].end {
            End::Goto(_) => &[],
            End::Switch(operand, _) => std::slice::from_ref(operand),
            End::Return(operands) => operands,
        };
        operands.iter().for_each(|&it| liveness.needed_after(block, it));
        for (at, instruction) in graph.blocks[block].instructions.iter().enumerate() {
            if instruction.operation == Operation::Use || instruction.may_trap() {
                liveness.mark(block, at);
            }
        }
    }
    liveness.propagate();
    liveness.live
}

struct Liveness<'g> {
    graph: &'g Graph,
    predecessors: ListTable<BlockId, BlockId>,
    live: SideTable<BlockId, Vec<bool>>,
    /// For each operand of each instruction, the definition before it in the block.
    definitions: SideTable<BlockId, Vec<Vec<Option<usize>>>>,
    /// The last definition in a block.
    last: FxHashMap<(BlockId, VariableId), usize>,
    /// The blocks at whose beginning a variable is live, 64 blocks in a word.
    live_in: FxHashMap<(VariableId, usize), u64>,
    marked: Vec<(BlockId, usize)>,
    open: Vec<(BlockId, VariableId)>,
}

impl<'g> Liveness<'g> {
    fn new(graph: &'g Graph) -> Liveness<'g> {
        let mut liveness = Liveness {
            graph,
            predecessors: ListTable::default(),
            live: SideTable::default(),
            definitions: SideTable::default(),
            last: FxHashMap::default(),
            live_in: FxHashMap::default(),
            marked: Vec::new(),
            open: Vec::new(),
        };
        for block in graph.blocks.ids() {
            let instructions = &graph.blocks[block].instructions;
            liveness.live[block] = vec![false; instructions.len()];
            for (at, instruction) in instructions.iter().enumerate() {
                let definition = |operand: &Operand| match operand {
                    Operand::Variable(variable) => liveness.last.get(&(block, *variable)).copied(),
                    Operand::Number(_) => None,
                };
                let definitions = instruction.operands.iter().map(definition).collect();
                liveness.definitions[block].push(definitions);
                if let Some(result) = instruction.result {
                    liveness.last.insert((block, result), at);
                }
            }
        }
        liveness
    }

    fn propagate(&mut self) {
        loop {
            if let Some((block, at)) = self.marked.pop() {
                for (number, operand) in
                    self.graph.blocks[block].instructions[at].operands.iter().enumerate()
                {
                    match (operand, self.definitions[block][at][number]) {
                        (_, Some(definition)) => self.mark(block, definition),
                        (Operand::Variable(variable), None) => self.needed_before(block, *variable),
                        (Operand::Number(_), None) => {}
                    }
                }
            } else if let Some((block, variable)) = self.open.pop() {
                for at in 0..self.predecessors[block].len() {
                    let before = self.predecessors[block][at];
                    self.needed_after(before, Operand::Variable(variable));
                }
            } else {
                return;
            }
        }
    }

    fn mark(&mut self, block: BlockId, at: usize) {
        if !std::mem::replace(&mut self.live[block][at], true) {
            self.marked.push((block, at));
        }
    }

    fn needed_before(&mut self, block: BlockId, variable: VariableId) {
        let word = self.live_in.entry((variable, block.index() / 64)).or_default();
        let bit = 1 << (block.index() % 64);
        if *word & bit == 0 {
            *word |= bit;
            self.open.push((block, variable));
        }
    }

    fn needed_after(&mut self, block: BlockId, operand: Operand) {
        let Operand::Variable(variable) = operand else { return };
        match self.last.get(&(block, variable)) {
            Some(&definition) => self.mark(block, definition),
            None => self.needed_before(block, variable),
        }
    }
}
