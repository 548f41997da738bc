//! Functions: each becomes a graph of its own, with the blocks below its entry.
//!
//! In the schedule, a call ends a block. In Firm it is a node of the state of memory, so the block
//! after the call goes on in the same block.
use super::lowering::Lowering;
use crate::firm::{self, Mode};
use crate::schedule::{BlockId, Schedule};
use crate::sea;
use crate::types::{FunctionId, Type};
use arena::{Id, SideTable};

/// The functions of a program, and the one that is lowered.
pub struct Functions {
    /// The blocks of the program, and those of each function.
    blocks: Vec<Vec<BlockId>>,
    /// The number of each function among them.
    numbers: SideTable<FunctionId, u32>,
    /// The one that is lowered.
    current: usize,
    /// The type of its result.
    pub result: Type,
}

impl Functions {
    pub fn new(graph: &sea::Graph, schedule: &Schedule) -> Functions {
        let mut numbers = SideTable::new(0);
        let mut blocks: Vec<Vec<BlockId>> = Vec::new();
        let mut function_of: SideTable<BlockId, usize> = SideTable::new(schedule.blocks.len());
        for block in schedule.blocks.ids() {
            let begins = match graph.op(schedule.blocks[block].head) {
                sea::Op::Function(function) => {
                    numbers[function] = blocks.len() as u32;
                    true
                }
                _ => block.index() == 0,
            };
            function_of[block] = match schedule.predecessors[block].iter().next() {
                Some(&before) if !begins => function_of[before],
                _ => {
                    blocks.push(Vec::new());
                    blocks.len() - 1
                }
            };
            blocks[function_of[block]].push(block);
        }
        Functions { blocks, numbers, current: 0, result: graph.result }
    }

    /// The blocks of the function that is lowered.
    pub fn blocks(&self) -> Vec<BlockId> {
        self.blocks[self.current].clone()
    }

    /// The number of functions, with the program itself.
    pub fn count(&self) -> usize {
        self.blocks.len()
    }

    /// The symbol of a function.
    pub fn symbol(&self, function: FunctionId) -> u32 {
        self.numbers[function]
    }
}

/// Lowers the program, and then each function.
pub fn lower_all(mut lowering: Lowering) -> Vec<firm::Graph> {
    let first_block = lowering.schedule.nodes(Id::from_index(0));
    lowering.nodes(first_block);
    lowering.blocks();
    lowering.finish();
    let mut graphs = vec![std::mem::replace(&mut lowering.firm, firm::Graph::new())];
    for function in 1..lowering.functions.count() {
        lowering.begin_function(function);
        lowering.blocks();
        lowering.finish();
        graphs.push(std::mem::replace(&mut lowering.firm, firm::Graph::new()));
    }
    graphs
}

impl Lowering<'_> {
    fn begin_function(&mut self, number: usize) {
        self.functions.current = number;
        self.block = self.firm.start_block;
        self.memory = self.firm.start;
        self.returns.clear();
        let entry = self.functions.blocks[number][0];
        let head = self.schedule.blocks[entry].head;
        let sea::Op::Function(function) = self.sea.op(head) else { return };
        let functions = &self.sea.types.functions;
        let signature = functions.get(functions.signature_of(function));
        self.functions.result = signature.result;
        self.firm.name = self.unique_name(function);
        self.firm.signature.parameters = signature.parameters.len() as u32;
        self.lower_constants();
    }

    /// Functions without a name, and several of one name, have a number in their name.
    fn unique_name(&self, function: FunctionId) -> String {
        let name = self.sea.types.functions.name(function);
        let is_same = |number: usize| {
            self.sea.types.functions.name(FunctionId::from_index(number)) == name
        };
        match (0..function.index()).filter(|&it| is_same(it)).count() {
            0 if !name.is_empty() && name != firm::Graph::new().name => name.to_string(),
            _ => format!("{name}.{}", function.index() + 1),
        }
    }

    /// The values of the first block that the function uses: constants.
    fn lower_constants(&mut self) {
        let (sea, schedule) = (self.sea, self.schedule);
        let first = BlockId::from_index(0);
        let own = self.functions.blocks();
        let used = own.iter().flat_map(|&block| {
            let end = schedule.blocks[block].end;
            schedule.nodes(block).iter().copied().chain([end])
        });
        let is_constant = |id: &sea::NodeId| schedule.block_of[*id] == Some(first);
        let inputs = used.flat_map(|id| schedule.values(sea, id)).filter(is_constant);
        let needed = flow::dependencies(inputs, sea.len(), |id| schedule.values(sea, id));
        let nodes = schedule.nodes(first);
        let needed: Vec<_> = nodes.iter().copied().filter(|&id| needed[id]).collect();
        needed.iter().for_each(|&id| self.lowered[id] = None);
        self.nodes(&needed);
    }

    /// Whether the function begins with the block.
    pub fn is_entry(&self, block: BlockId) -> bool {
        self.functions.blocks[self.functions.current][0] == block
    }

    /// Whether the block goes on after a call; if so, goes on with it.
    pub fn continues(&mut self, block: BlockId) -> bool {
        let head = self.schedule.blocks[block].head;
        let is_after_call = self.sea.op(head) == sea::Op::Projection(0) && block.index() > 0;
        if is_after_call {
            let before = self.schedule.predecessors[block][0];
            self.block = self.control.blocks[before].expect("it has been lowered");
            self.control.blocks[block] = Some(self.block);
        }
        is_after_call
    }

    pub fn parameter(&mut self, _: sea::NodeId, number: u32) -> firm::NodeId {
        self.add(firm::Op::Argument(number), Mode::Is, &[self.firm.start])
    }

    /// The state of memory after the call, and the word that it returns.
    pub fn call(&mut self, id: sea::NodeId) -> firm::NodeId {
        let address = self.input(id, 1);
        let arguments: Vec<_> = self.sea.arguments(id).map(|it| self.value(it)).collect();
        self.memory = self.firm.call(self.block, self.memory, address, &arguments, 1);
        self.memory
    }
}
