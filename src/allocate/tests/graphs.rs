//! Random code with blocks, for tests: branches and joins without structure, loops in loops that
//! are entered at their heads and left anywhere, and parameters.
use crate::allocate::tests::random::Writer;
use crate::arith::Relation;
use crate::ia32::code::BlockId;
use crate::ia32::{Code, Op, Operand, Register};
use crate::random::Random;
use arena::Id;
use flow::Dominators;

/// Where control goes from each block, and in which loops the blocks are.
pub struct Shape {
    random: Random,
    exits: Vec<Vec<usize>>,
    /// From each head to the last block.
    loops: Vec<(usize, usize)>,
}

impl Shape {
    pub fn new(seed: u64, count: usize) -> Shape {
        let random = Random::new(seed);
        let mut shape = Shape { random, exits: vec![Vec::new(); count], loops: Vec::new() };
        shape.choose_loops(count);
        for block in 0..count - 1 {
            shape.choose_exits(block);
        }
        shape.split();
        shape
    }

    /// Loops that contain each other or have nothing in common, and not the entry or the end.
    fn choose_loops(&mut self, count: usize) {
        for _ in 0..count / 3 {
            let head = 1 + self.random.below(count);
            let last = head + self.random.below(6);
            let fits = self.loops.iter().all(|&(h, l)| {
                (h < head && last <= l) || (head < h && l <= last) || last < h || l < head
            });
            let depth = self.loops.iter().filter(|&&(h, l)| h <= head && last <= l).count();
            if fits && last + 1 < count && depth < 3 {
                self.loops.push((head, last));
            }
        }
        self.loops.sort_unstable_by_key(|&(head, last)| (head, usize::MAX - last));
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
        let mut inside = self.loops.iter().filter(|&&(head, last)| head <= block && block <= last);
        if let Some(&(head, last)) = inside.next_back()
            && (block == last || self.random.below(4) == 0)
        {
            exits.truncate(1);
            exits.push(head);
        }
        for target in &mut exits {
            *target = self.outside(block, (*target).min(self.exits.len() - 1));
        }
        exits.dedup();
        self.exits[block] = exits;
    }

    /// The target, or the head of the outermost loop around it that the block is not in.
    fn outside(&self, block: usize, target: usize) -> usize {
        let entered = |&&(head, last): &&(usize, usize)| {
            head <= target && target <= last && !(head <= block && block <= last)
        };
        self.loops.iter().find(entered).map_or(target, |&(head, _)| head)
    }

    /// Puts a block on each way from a branch to a join.
    fn split(&mut self) {
        let mut numbers = Vec::new();
        let mut entries = vec![0; self.exits.len()];
        self.exits.iter().flatten().for_each(|&target| entries[target] += 1);
        let mut exits = Vec::<Vec<usize>>::new();
        for targets in &self.exits {
            numbers.push(exits.len());
            let critical = |target: &usize| targets.len() > 1 && entries[*target] > 1;
            let split = targets.iter().copied().filter(critical).collect::<Vec<_>>();
            let mut next = exits.len();
            let around = targets.iter().map(|target| {
                next += usize::from(critical(target));
                if critical(target) { usize::MAX - next } else { *target }
            });
            exits.push(around.collect());
            exits.extend(split.into_iter().map(|target| vec![target]));
        }
        numbers.push(exits.len());
        for target in exits.iter_mut().flatten() {
            let number = numbers.get(*target).copied();
            *target = number.unwrap_or(usize::MAX - *target);
        }
        self.exits = exits;
        self.loops.iter_mut().for_each(|(head, last)| {
            (*head, *last) = (numbers[*head], numbers[*last + 1] - 1);
        });
    }

    /// Fills the blocks with instructions.
    pub fn code(self, seed: u64, live: usize, length: usize) -> Code {
        let mut filler = Filler {
            writer: Writer::new(seed, live),
            dominators: self.skeleton().dominators(),
            pools: Vec::new(),
            counters: vec![None; self.exits.len()],
            parameters: Vec::new(),
            shape: self,
        };
        filler.writer.code = Code::new();
        filler.writer.pool.clear();
        filler.choose_parameters();
        (0..filler.shape.exits.len()).for_each(|block| filler.block(block, length));
        filler.writer.code
    }

    /// The jumps alone.
    fn skeleton(&self) -> Code {
        let mut code = Code::new();
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
    shape: Shape,
    writer: Writer,
    dominators: Dominators<BlockId>,
    /// What may be read at the end of each block.
    pools: Vec<Vec<Register>>,
    /// How often each loop may still begin another round.
    counters: Vec<Option<Register>>,
    parameters: Vec<Vec<Register>>,
}

impl Filler {
    fn choose_parameters(&mut self) {
        let mut entries = vec![0; self.shape.exits.len()];
        self.shape.exits.iter().flatten().for_each(|&target| entries[target] += 1);
        for (block, &entries) in entries.iter().enumerate() {
            let is_head = self.shape.loops.iter().any(|&(head, _)| head == block);
            let many = self.shape.random.below(12) == 0;
            let count = self.shape.random.below(if many { 20 } else { 4 });
            let count = if entries > 1 { count + usize::from(is_head) } else { 0 };
            let parameters = (0..count).map(|_| self.writer.code.virtual_register());
            self.parameters.push(parameters.collect());
            if is_head {
                self.counters[block] = self.parameters[block].first().copied();
            }
        }
    }

    fn block(&mut self, block: usize, length: usize) {
        let id = self.writer.code.begin_block();
        let above = (block > 0).then(|| self.dominators.immediate_dominator(id));
        self.writer.pool = above.map_or(Vec::new(), |above| self.pools[above.index()].clone());
        self.writer.pool.extend(&self.parameters[block]);
        self.writer.code.blocks[id].parameters.clone_from(&self.parameters[block]);
        self.writer.begun = self.writer.code.virtuals;
        if block == 0 {
            self.writer.number(42);
        }
        let end = self.writer.code.instructions.len() + self.writer.random.below(length);
        while self.writer.code.instructions.len() < end {
            self.writer.write();
        }
        self.leave(id);
        self.pools.push(std::mem::take(&mut self.writer.pool));
    }

    fn leave(&mut self, id: BlockId) {
        let block = id.index();
        let exits = self.shape.exits[block].clone();
        match exits[..] {
            [] => return self.finish(),
            [target] => self.hand_over(id, target),
            // What leads back is on the way where the counter is positive.
            [_, back, ..] => {
                let back = self.head_behind(block, back);
                let tested = back.and_then(|head| self.counters[head]);
                let tested = tested.map_or_else(|| self.writer.value(), Operand::Register);
                self.writer.push(Op::CmpImmediate, &[tested, Operand::Immediate(0)]);
            }
        }
        push_jumps(&mut self.writer.code, &exits);
    }

    fn finish(&mut self) {
        self.writer.finish();
    }

    /// The head that a way leads back to, through a block that splits it at most.
    fn head_behind(&self, block: usize, exit: usize) -> Option<usize> {
        let next = if exit <= block { exit } else { *self.shape.exits[exit].first()? };
        (next <= block).then_some(next)
    }

    fn hand_over(&mut self, id: BlockId, target: usize) {
        let parameters = self.parameters[target].clone();
        let mut arguments = Vec::new();
        for parameter in parameters {
            let is_counter = self.counters[target] == Some(parameter);
            let argument = if is_counter && target <= id.index() {
                self.count_down(parameter)
            } else if is_counter {
                let rounds = self.writer.random.below(4) as i32;
                self.writer.number(rounds);
                self.writer.pool.pop().expect("the number")
            } else {
                self.writer.pool[self.writer.random.below(self.writer.pool.len())]
            };
            arguments.push(argument);
        }
        self.writer.code.blocks[id].arguments = arguments;
    }

    fn count_down(&mut self, counter: Register) -> Register {
        let next = self.writer.code.virtual_register();
        self.writer.push(Op::Mov, &[Operand::Register(next), Operand::Register(counter)]);
        self.writer.push(Op::SubImmediate, &[Operand::Register(next), Operand::Immediate(1)]);
        next
    }
}
