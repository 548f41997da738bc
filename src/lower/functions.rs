//! Functions: each becomes a graph of its own, with the blocks below its entry.
//!
//! In the schedule, a call ends a block. In Firm it is a node of the state of memory, so the block
//! after the call goes on in the same block.
use super::lowering::Lowering;
use crate::firm::{self, Mode};
use crate::heap::FLOAT;
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

    /// The mode of the words that a Return of a value of mode `own` returns, and their number.
    pub fn never(&self, own: Mode) -> (Mode, usize) {
        match own {
            Mode::D if self.current > 0 => (Mode::Is, 2),
            _ => (own, 1),
        }
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
        self.firm.signature.parameters = words(&signature.parameters);
        self.firm.signature.results = words(&[signature.result]);
        self.lower_constants();
        self.lower_parameters(entry);
    }

    /// Parameters come first: they stay in the first block, and a division begins others.
    fn lower_parameters(&mut self, entry: BlockId) {
        let (sea, schedule) = (self.sea, self.schedule);
        let is_parameter = |id: &sea::NodeId| matches!(sea.op(*id), sea::Op::Parameter(_));
        let parameters = schedule.nodes(entry).iter().copied().filter(is_parameter);
        self.nodes(&parameters.collect::<Vec<_>>());
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
            self.block = self.control.blocks_of_calls[before].expect("it has been lowered");
            self.control.blocks[block] = Some(self.block);
        }
        is_after_call
    }

    /// The parameter with this number.
    pub fn parameter(&mut self, id: sea::NodeId, number: u32) -> firm::NodeId {
        let sea::Op::Function(function) = self.sea.op(self.sea.input(id, 0)) else {
            unreachable!("a function has parameters")
        };
        let functions = &self.sea.types.functions;
        let signature = functions.get(functions.signature_of(function));
        let word = words(&signature.parameters[..number as usize]);
        let first = self.argument(word);
        if signature.parameters[number as usize] != Type::FLOAT {
            return first;
        }
        let second = self.argument(word + 1);
        self.float_of_words([first, second])
    }

    fn argument(&mut self, word: u32) -> firm::NodeId {
        self.add(firm::Op::Argument(word), Mode::Is, &[self.firm.start])
    }

    /// Calls a function; the node is the first word of its result.
    pub fn call(&mut self, id: sea::NodeId) -> firm::NodeId {
        let address = self.input(id, 1);
        let mut arguments = Vec::new();
        for value in self.sea.arguments(id).map(|it| self.value(it)).collect::<Vec<_>>() {
            match self.firm.value_mode(value) {
                Mode::D => arguments.extend(self.words_of_float(value)),
                _ => arguments.push(value),
            }
        }
        let results = words(&[self.result_of(id)]);
        self.memory = self.firm.call(self.block, self.memory, address, &arguments, results);
        self.memory
    }

    fn result_of(&self, call: sea::NodeId) -> Type {
        let sea::Op::Call(signature) = self.sea.op(call) else { return Type::INTEGER };
        self.sea.types.functions.get(signature).result
    }

    /// The value that a call returns.
    pub fn result(&mut self, id: sea::NodeId) -> firm::NodeId {
        let call = self.sea.input(id, 0);
        let first = self.value(call);
        if self.result_of(call) != Type::FLOAT {
            return first;
        }
        let second = self.firm.result(first, 1);
        self.float_of_words([first, second])
    }

    /// The words that a Return of a function returns.
    pub fn returned(&mut self, value: firm::NodeId) -> Vec<firm::NodeId> {
        match self.firm.value_mode(value) {
            Mode::D if self.functions.current > 0 => self.words_of_float(value).to_vec(),
            _ => vec![value],
        }
    }

    /// The two words of a float, by way of memory.
    fn words_of_float(&mut self, float: firm::NodeId) -> [firm::NodeId; 2] {
        let address = self.word(FLOAT.into());
        self.store_value(address, float);
        [0, 4].map(|at| {
            let address = self.word(i64::from(FLOAT) + at);
            self.load_value(address, Mode::Is)
        })
    }

    /// The float of two words.
    fn float_of_words(&mut self, words: [firm::NodeId; 2]) -> firm::NodeId {
        for (at, word) in words.into_iter().enumerate() {
            let address = self.word(i64::from(FLOAT) + 4 * at as i64);
            self.store_value(address, word);
        }
        let address = self.word(FLOAT.into());
        self.load_value(address, Mode::D)
    }
}

/// The number of words of values of these types.
fn words(types: &[Type]) -> u32 {
    types.iter().map(|&it| if it == Type::FLOAT { 2 } else { 1 }).sum()
}
