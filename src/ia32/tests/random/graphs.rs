//! Random code with blocks, for tests: unstructured branches and joins, nested loops that are
//! entered at their headers and left anywhere, and parameters.
use crate::arith::Relation;
use crate::ia32::code::BlockId;
use crate::ia32::random::Writer;
use crate::ia32::{Code, Op, Operand, Register};
use crate::random::Random;
use arena::Id;
use flow::Dominators;

/// The successors of each block, and the loops.
pub struct ControlFlowGraph {
    random: Random,
    exits: Vec<Vec<usize>>,
    /// The header and the last block of each loop.
    loops: Vec<(usize, usize)>,
    /// Whether the function calls another one.
    #[cfg(feature = "ch14")]
    pub has_calls: bool,
}

impl ControlFlowGraph {
    pub fn new(seed: u64, count: usize) -> ControlFlowGraph {
        let random = Random::new(seed);
        let mut shape = ControlFlowGraph {
            random,
            exits: vec![Vec::new(); count],
            loops: Vec::new(),
            #[cfg(feature = "ch14")]
            has_calls: false,
        };
        #[cfg(feature = "ch07")]
        shape.choose_loops(count);
        for block in 0..count - 1 {
            shape.choose_exits(block);
        }
        shape.split_critical_edges();
        shape
    }

    /// Loops that are nested or disjoint, without the entry and the exit.
    #[cfg(feature = "ch07")]
    fn choose_loops(&mut self, count: usize) {
        for _ in 0..count / 3 {
            let header = 1 + self.random.below(count);
            let last = header + self.random.below(6);
            let is_nested = self.loops.iter().all(|&(h, l)| {
                (h < header && last <= l) || (header < h && l <= last) || last < h || l < header
            });
            let depth = self.loops.iter().filter(|&&(h, l)| h <= header && last <= l).count();
            if is_nested && last + 1 < count && depth < 3 {
                self.loops.push((header, last));
            }
        }
        self.loops.sort_unstable_by_key(|&(header, last)| (header, usize::MAX - last));
    }

    fn choose_exits(&mut self, block: usize) {
        let reached = self.exits[..block].iter().flatten().any(|&target| target == block + 1);
        let mut exits = vec![block + 1 + self.random.below(4)];
        if self.random.below(2) == 0 {
            exits.push(block + 1 + self.random.below(12));
        }
        if !reached {
            exits[0] = block + 1;
        }
        let mut inside =
            self.loops.iter().filter(|&&(header, last)| header <= block && block <= last);
        if let Some(&(header, last)) = inside.next_back()
            && (block == last || self.random.below(4) == 0)
        {
            exits.truncate(1);
            exits.push(header);
        }
        for target in &mut exits {
            *target = self.outside(block, (*target).min(self.exits.len() - 1));
        }
        exits.dedup();
        self.exits[block] = exits;
    }

    /// The target, or the header of the outermost loop around it that does not contain the block.
    fn outside(&self, block: usize, target: usize) -> usize {
        let entered = |&&(header, last): &&(usize, usize)| {
            header <= target && target <= last && !(header <= block && block <= last)
        };
        self.loops.iter().find(entered).map_or(target, |&(header, _)| header)
    }

    /// Splits the critical edges: puts a block on each.
    fn split_critical_edges(&mut self) {
        let mut numbers = Vec::new();
        let mut predecessor_counts = vec![0; self.exits.len()];
        self.exits.iter().flatten().for_each(|&target| predecessor_counts[target] += 1);
        let mut exits = Vec::<Vec<usize>>::new();
        for targets in &self.exits {
            numbers.push(exits.len());
            let critical = |target: &usize| targets.len() > 1 && predecessor_counts[*target] > 1;
            let split = targets.iter().copied().filter(critical).collect::<Vec<_>>();
            let mut next = exits.len();
            let split_targets = targets.iter().map(|target| {
                next += usize::from(critical(target));
                if critical(target) { usize::MAX - next } else { *target }
            });
            exits.push(split_targets.collect());
            exits.extend(split.into_iter().map(|target| vec![target]));
        }
        numbers.push(exits.len());
        for target in exits.iter_mut().flatten() {
            let number = numbers.get(*target).copied();
            *target = number.unwrap_or(usize::MAX - *target);
        }
        self.exits = exits;
        self.loops.iter_mut().for_each(|(header, last)| {
            (*header, *last) = (numbers[*header], numbers[*last + 1] - 1);
        });
    }

    /// Fills the blocks with instructions.
    pub fn code(self, seed: u64, live: usize, length: usize) -> Code {
        let skeleton = self.skeleton();
        let mut filler = Filler {
            writer: Writer::new(seed, live),
            dominators: Dominators::of(&skeleton.predecessors()),
            pools: Vec::new(),
            counters: vec![None; self.exits.len()],
            parameters: Vec::new(),
            shape: self,
        };
        filler.writer.code = Code::new("simple");
        filler.writer.pool.clear();
        filler.choose_parameters();
        (0..filler.shape.exits.len()).for_each(|block| filler.block(block, length));
        filler.writer.code
    }

    /// The jumps alone.
    fn skeleton(&self) -> Code {
        let mut code = Code::new("simple");
        for exits in &self.exits {
            code.begin_block();
            push_jumps(&mut code, exits);
        }
        code
    }
}

fn push_jumps(code: &mut Code, exits: &[usize]) {
    let blocks = exits.iter().map(|&target| Operand::Block(BlockId::from_index(target)));
    match blocks.collect::<Vec<_>>()[..] {
        [] => code.push(Op::Ret, &[], 0),
        [only] => code.push(Op::Jmp, &[only], 0),
        [first, second, ..] => {
            let relation = Operand::Condition(Relation::Greater);
            code.push(Op::Jcc, &[relation, second], 0);
            code.push(Op::Jmp, &[first], 0);
        }
    }
}

struct Filler {
    shape: ControlFlowGraph,
    writer: Writer,
    dominators: Dominators<BlockId>,
    /// The values that are defined at the end of each block.
    pools: Vec<Vec<Register>>,
    /// The counter of remaining iterations of each loop.
    counters: Vec<Option<Register>>,
    parameters: Vec<Vec<Register>>,
}

impl Filler {
    fn choose_parameters(&mut self) {
        let mut predecessor_counts = vec![0; self.shape.exits.len()];
        self.shape.exits.iter().flatten().for_each(|&target| predecessor_counts[target] += 1);
        for (block, &predecessors) in predecessor_counts.iter().enumerate() {
            let is_head = self.shape.loops.iter().any(|&(header, _)| header == block);
            let many = self.shape.random.below(12) == 0;
            let count = self.shape.random.below(if many { 20 } else { 4 });
            let count = if predecessors > 1 { count + usize::from(is_head) } else { 0 };
            let parameters = (0..count).map(|_| self.writer.register());
            self.parameters.push(parameters.collect());
            if is_head {
                self.counters[block] = self.parameters[block].first().copied();
            }
        }
    }

    fn block(&mut self, block: usize, length: usize) {
        let id = self.writer.code.begin_block();
        let is_around = |&&(header, last): &&(usize, usize)| header <= block && block <= last;
        self.writer.code.blocks[id].depth =
            self.shape.loops.iter().filter(is_around).count() as u32;
        let dominator = (block > 0).then(|| self.dominators.immediate_dominator(id));
        self.writer.pool = dominator.map_or(Vec::new(), |it| self.pools[it.index()].clone());
        self.writer.pool.extend(&self.parameters[block]);
        self.writer.code.blocks[id].parameters.clone_from(&self.parameters[block]);
        self.writer.begun = self.writer.code.register_count();
        if block == 0 {
            self.writer.number(42);
        }
        let end = self.writer.code.instructions.len() + self.writer.random.below(length);
        while self.writer.code.instructions.len() < end {
            self.write();
        }
        self.leave(id);
        self.pools.push(std::mem::take(&mut self.writer.pool));
    }

    fn write(&mut self) {
        #[cfg(feature = "ch14")]
        if self.shape.has_calls && self.shape.random.below(16) == 0 {
            return self.writer.call();
        }
        self.writer.write();
    }

    fn leave(&mut self, id: BlockId) {
        let block = id.index();
        let exits = self.shape.exits[block].clone();
        match exits[..] {
            [] => return self.finish(),
            [target] => self.set_arguments(id, target),
            // The back edge is taken if the counter is positive.
            [_, back, ..] => {
                let back = self.header_of(block, back);
                let tested = back.and_then(|header| self.counters[header]);
                let tested = tested.map_or_else(|| self.writer.value(), Operand::Register);
                self.writer.push(Op::CmpImmediate, &[tested, Operand::Immediate(0)]);
            }
        }
        push_jumps(&mut self.writer.code, &exits);
    }

    fn finish(&mut self) {
        self.writer.finish();
    }

    /// The header that an exit jumps back to, perhaps through the block of a split edge.
    fn header_of(&self, block: usize, exit: usize) -> Option<usize> {
        let next = if exit <= block { exit } else { *self.shape.exits[exit].first()? };
        (next <= block).then_some(next)
    }

    fn set_arguments(&mut self, id: BlockId, target: usize) {
        let parameters = self.parameters[target].clone();
        let mut arguments = Vec::new();
        for parameter in parameters {
            let is_counter = self.counters[target] == Some(parameter);
            let argument = if is_counter && target <= id.index() {
                self.count_down(parameter)
            } else if is_counter {
                let iterations = self.writer.random.below(4) as i32;
                self.writer.number(iterations);
                self.writer.pool.pop().expect("the number")
            } else {
                self.writer.pool[self.writer.random.below(self.writer.pool.len())]
            };
            arguments.push(argument);
        }
        self.writer.code.blocks[id].arguments = arguments;
    }

    fn count_down(&mut self, counter: Register) -> Register {
        let next = self.writer.register();
        self.writer.push(Op::Mov, &[Operand::Register(next), Operand::Register(counter)]);
        self.writer.push(Op::SubImmediate, &[Operand::Register(next), Operand::Immediate(1)]);
        next
    }
}
