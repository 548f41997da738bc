//! Functions: each becomes a graph of its own, with the blocks below its entry.
//!
//! In the schedule, a call ends a block. In Firm it is a node of the state of memory, so the block
//! after the call goes on in the same block.
use super::lowering::Lowering;
use super::widths::words;
use crate::firm::{self, External, Mode};
use crate::heap::FLOAT;
use crate::schedule::{BlockId, Schedule};
use crate::sea;
use crate::types::{FunctionId, SignatureId, Type, Types};
use arena::{FxHashMap, FxHashSet, Id, SideTable};

/// The functions of a program, and the one that is lowered.
#[derive(Default)]
pub struct Functions {
    /// The blocks of the program, and those of each function.
    blocks: Vec<Vec<BlockId>>,
    /// The number of each function among them.
    numbers: SideTable<FunctionId, u32>,
    /// The place of each value of the first block.
    places: FxHashMap<sea::NodeId, usize>,
    /// The names of the functions that were lowered.
    names: FxHashSet<String>,
    /// The number of the one that is lowered, and the type of its result.
    current: usize,
    result: Option<Type>,
}

impl Functions {
    fn new(graph: &sea::Graph, schedule: &Schedule) -> Functions {
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
        let first = schedule.nodes(Id::from_index(0)).iter().enumerate();
        let places = first.map(|(at, &id)| (id, at)).collect();
        let names = External::taken_names().map(String::from);
        let names = names.chain([firm::Graph::new().name]).collect();
        Functions { blocks, numbers, places, names, current: 0, result: None }
    }

    /// The symbol of a function.
    pub fn symbol(&self, function: FunctionId) -> u32 {
        self.numbers[function]
    }
}

/// Adds the graphs of the functions to that of the program.
pub fn with_functions(mut graphs: Vec<firm::Graph>, mut lowering: Lowering) -> Vec<firm::Graph> {
    lowering.begin_program();
    for number in 1..lowering.function_count {
        lowering.begin_function(number);
        lowering.blocks();
        lowering.finish();
        graphs.push(std::mem::replace(&mut lowering.firm, firm::Graph::new()));
    }
    graphs
}

impl Lowering<'_> {
    /// Finds the blocks of all functions.
    pub fn begin_program(&mut self) {
        if self.sea.types.functions.len() > 0 {
            self.functions = Functions::new(self.sea, self.schedule);
            self.function_count = self.functions.blocks.len();
            self.own_blocks = self.functions.blocks[0].clone();
        }
    }

    fn begin_function(&mut self, number: usize) {
        self.functions.current = number;
        self.own_blocks = self.functions.blocks[number].clone();
        self.block = self.firm.start_block;
        self.memory = self.firm.start;
        self.returns.clear();
        let entry = self.own_blocks[0];
        let head = self.schedule.blocks[entry].head;
        let sea::Op::Function(function) = self.sea.op(head) else { return };
        let types = &self.sea.types;
        let signature = types.functions.get(types.functions.signature_of(function));
        let results = results(types, signature.result);
        self.returned = (mode_of_first(signature.result), results as usize);
        self.functions.result = Some(signature.result);
        self.firm.name = self.unique_name(function);
        let parameters = words_of_all(types, &signature.parameters);
        self.firm.signature = firm::Signature::new(parameters, results);
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

    /// Functions without a name, several of one name, and those whose names are those of routines
    /// or words of assemblers, have a number in their name.
    fn unique_name(&mut self, function: FunctionId) -> String {
        let name = self.sea.types.functions.name(function);
        let name = match name.is_empty() || self.functions.names.contains(name) {
            true => format!("{name}.f{}", function.index() + 1),
            false => name.to_string(),
        };
        self.functions.names.insert(name.clone());
        name
    }

    /// The values of the first block that the function uses: constants.
    fn lower_constants(&mut self) {
        let (sea, schedule) = (self.sea, self.schedule);
        let first = BlockId::from_index(0);
        let is_constant = |id: &sea::NodeId| schedule.block_of[*id] == Some(first);
        let mut seen = FxHashSet::default();
        let mut open = Vec::new();
        for &block in &self.own_blocks {
            let end = schedule.blocks[block].end;
            for &id in schedule.nodes(block).iter().chain([&end]) {
                open.extend(schedule.values(sea, id).filter(is_constant));
            }
        }
        while let Some(id) = open.pop() {
            if seen.insert(id) {
                open.extend(schedule.values(sea, id));
            }
        }
        let mut needed: Vec<_> = seen.into_iter().collect();
        needed.sort_unstable_by_key(|&id| self.functions.places[&id]);
        needed.iter().for_each(|&id| self.lowered[id] = None);
        self.nodes(&needed);
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
        let types = &self.sea.types;
        let signature = types.functions.get(types.functions.signature_of(function));
        let (before, of) = signature.parameters.split_at(number as usize);
        let first = words_of_all(types, before);
        if of[0] == Type::FLOAT {
            return self.argument(first, Mode::D);
        }
        let all = first..first + words_of_all(types, &of[..1]);
        let words: Vec<_> = all.map(|it| self.argument(it, Mode::Is)).collect();
        self.value_of_words(&words, of[0])
    }

    fn argument(&mut self, word: u32, mode: Mode) -> firm::NodeId {
        self.add(firm::Op::Argument(word), mode, &[self.firm.start])
    }

    /// Calls a function; the node is its result, or the first word of it.
    pub fn call(&mut self, id: sea::NodeId) -> firm::NodeId {
        let address = self.input(id, 1);
        let sea = self.sea;
        let signature = sea.types.functions.get(self.signature(id));
        let mut arguments = Vec::new();
        for (value, &of) in sea.arguments(id).zip(&signature.parameters) {
            arguments.extend(self.words_of_value(self.value(value), of));
        }
        let results = results(&sea.types, signature.result);
        let mode = mode_of_first(signature.result);
        let operands = [&[self.memory, address][..], &arguments].concat();
        self.memory = self.add(firm::Op::Call(results), mode, &operands);
        self.memory
    }

    fn signature(&self, call: sea::NodeId) -> SignatureId {
        match self.sea.op(call) {
            sea::Op::Call(signature) => signature,
            other => unreachable!("{other:?} is no call"),
        }
    }

    /// The value that a call returns.
    pub fn result(&mut self, id: sea::NodeId) -> firm::NodeId {
        let (sea, call) = (self.sea, self.sea.input(id, 0));
        let of = sea.types.functions.get(self.signature(call)).result;
        let first = self.value(call);
        if of == Type::FLOAT {
            return first;
        }
        let others = 1..results(&sea.types, of);
        let words = [first].into_iter().chain(others.map(|it| self.firm.result(first, it)));
        let words: Vec<_> = words.collect();
        self.value_of_words(&words, of)
    }

    /// The operands of a Return, where a function returns a float or the words of a value.
    pub fn with_words(&mut self, operands: Vec<firm::NodeId>) -> Vec<firm::NodeId> {
        let Some(of) = self.functions.result else { return operands };
        let words = self.words_of_value(operands[1], of);
        [&[self.memory][..], &words].concat()
    }

    /// A float, or the words of a value as an argument or a result of this type, the low one first.
    fn words_of_value(&mut self, value: firm::NodeId, of: Type) -> Vec<firm::NodeId> {
        match self.firm.value_mode(value) {
            Mode::D if of == Type::SINGLE => vec![self.word_of_single(value)],
            Mode::Ls if words(&self.sea.types, of) == 2 => self.words_of(value).to_vec(),
            _ => vec![self.word_of(value)],
        }
    }

    /// The argument or result of this type with these words.
    fn value_of_words(&mut self, words: &[firm::NodeId], of: Type) -> firm::NodeId {
        match (words, self.sea.types.interval_of(of)) {
            (&[word], Some(values)) => self.integer_of_word(word, values),
            (&[low, high], Some(_)) => self.integer_of_words([low, high]),
            (&[word], None) if of == Type::SINGLE => self.single_of_word(word),
            _ => words[0],
        }
    }

    /// The 32 bits of a float that needs no more.
    fn word_of_single(&mut self, float: firm::NodeId) -> firm::NodeId {
        let address = self.word(FLOAT.into());
        self.store_narrow(address, Mode::F, float);
        self.load_value(address, Mode::Is)
    }

    fn single_of_word(&mut self, word: firm::NodeId) -> firm::NodeId {
        let address = self.word(FLOAT.into());
        self.store_value(address, word);
        self.load_value(address, Mode::F)
    }
}

/// The number of results of a function that returns a value of this type: a float is one, and
/// others are words.
fn results(types: &Types, of: Type) -> u32 {
    if of == Type::FLOAT { 1 } else { words(types, of) }
}

/// The mode of the first result of a function that returns a value of this type.
fn mode_of_first(of: Type) -> Mode {
    if of == Type::FLOAT { Mode::D } else { Mode::Is }
}

/// The number of words of values of these types.
fn words_of_all(types: &Types, all: &[Type]) -> u32 {
    all.iter().map(|&it| words(types, it)).sum()
}
