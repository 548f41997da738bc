//! One block of arithmetic, loads and stores, with an exact number of nodes. The mixture is that
//! of the case's graph of about 2,500 nodes.
use super::graph_builder::GraphBuilder;
use super::random::Random;
use crate::arith::Binary;
use crate::firm::{Access, Mode, NodeId, Op};
use crate::ttc::Graph;
use std::collections::VecDeque;

/// The numbers of nodes, altogether and of some kinds.
pub struct StraightLine {
    pub nodes: usize,
    pub constants: usize,
    pub nots: usize,
    pub stores: usize,
    pub loads: usize,
    /// The approximate number of operations.
    operations: usize,
}

impl StraightLine {
    /// The mixture of the case's graph, for this number of nodes.
    pub fn of(nodes: usize) -> StraightLine {
        let scale = nodes as f64 / 2564.0;
        let many = |count: f64| (count * scale).round_ties_even() as usize;
        let operations = (1245.0 * scale) as usize;
        let [constants, nots, stores, loads] = [95.0, 28.0, 115.0, 275.0].map(many);
        StraightLine { nodes, constants, nots, stores, loads, operations }
    }
}

#[derive(Clone, Copy)]
enum Planned {
    Load,
    Store,
    Not,
}

/// The operations and their weights. The case's Shr fills with the sign.
const OPERATIONS: &[(Binary, usize)] = &[
    (Binary::Sub, 98),
    (Binary::And, 142),
    (Binary::Or, 137),
    (Binary::Eor, 143),
    (Binary::Shl, 161),
    (Binary::Shrs, 144),
    (Binary::Add, 420),
];

/// None, if there is no graph with these numbers.
pub fn straight_line(wanted: &StraightLine, seed: u64) -> Option<Graph> {
    let StraightLine { nodes, constants, nots, stores, loads, .. } = *wanted;
    let all = [constants, nots, stores, loads].into_iter().try_fold(0, usize::checked_add);
    // Some nodes need a constant.
    if constants == 0 || all.is_none_or(|all| all > nodes) {
        return None;
    }
    let mut generator = Generator::new(wanted, seed);
    let planned = generator.plan();
    generator.fill(&planned);
    generator.join()
}

struct Generator<'w> {
    counts: &'w StraightLine,
    builder: GraphBuilder,
    random: Random,
    memory: NodeId,
    symbols: [NodeId; 2],
    constants: Vec<NodeId>,
    constants_used: usize,
    /// All values, in their order.
    values: Vec<NodeId>,
    /// The indices of values that may be unused, oldest first.
    fresh: VecDeque<usize>,
    is_used: Vec<bool>,
    unused: usize,
}

impl Generator<'_> {
    fn new(wanted: &StraightLine, seed: u64) -> Generator<'_> {
        let mut builder = GraphBuilder::new();
        let arguments = [0, 1].map(|number| builder.argument(number));
        let symbols = ["global", "array"].map(|name| builder.symbol(name));
        let value = |at: usize| (at as i64 + 1) * if at.is_multiple_of(3) { -1 } else { 1 };
        let constants = (0..wanted.constants).map(|at| builder.constant(value(at))).collect();
        let mut generator = Generator {
            counts: wanted,
            memory: builder.graph.start,
            builder,
            random: Random::new(seed),
            symbols,
            constants,
            constants_used: 0,
            values: Vec::new(),
            fresh: VecDeque::new(),
            is_used: Vec::new(),
            unused: 0,
        };
        arguments.into_iter().for_each(|argument| generator.push(argument));
        generator
    }

    /// Loads, stores and complements in any order.
    fn plan(&mut self) -> Vec<Planned> {
        let StraightLine { loads, stores, nots, .. } = *self.counts;
        let mut planned = vec![Planned::Load; loads];
        planned.resize(loads + stores, Planned::Store);
        planned.resize(loads + stores + nots, Planned::Not);
        for at in (1..planned.len()).rev() {
            let other = self.random.below(at + 1);
            planned.swap(at, other);
        }
        planned
    }

    fn fill(&mut self, planned: &[Planned]) {
        let mut done = 0;
        loop {
            let left = planned.len() - done;
            let missing = self.missing();
            let all = planned.len() + self.counts.operations;
            if left > 0 && (self.random.chance(planned.len(), all) || missing < 4 * left as i64) {
                self.planned(planned[done]);
                done += 1;
            } else if left == 0 && missing <= self.unused as i64 {
                return;
            } else {
                self.operation(left == 0, missing);
            }
        }
    }

    /// The number of nodes to be added before the Return, the EndBlock and the End.
    fn missing(&self) -> i64 {
        self.counts.nodes as i64 - 3 - self.builder.graph.len() as i64
    }

    fn planned(&mut self, planned: Planned) {
        let made = match planned {
            Planned::Not => {
                let operand = self.value();
                self.builder.add(Op::Not, Mode::Is, &[operand])
            }
            Planned::Load => {
                let address = self.address([7, 10]);
                self.memory =
                    self.builder.add(Op::Load(Access::Plain), Mode::Is, &[self.memory, address]);
                self.memory
            }
            Planned::Store => {
                let address = self.address([1, 2]);
                let value = self.value();
                let operands = [self.memory, address, value];
                self.memory = self.builder.add(Op::Store(Access::Plain), Mode::Is, &operands);
                return;
            }
        };
        self.push(made);
    }

    /// A symbol in `many` of `of` cases, else a sum.
    fn address(&mut self, [many, of]: [usize; 2]) -> NodeId {
        if self.random.chance(many, of) {
            return self.symbols[self.random.below(2)];
        }
        let (base, offset) = (self.value(), self.constant());
        self.builder.binary(Binary::Add, base, offset)
    }

    fn operation(&mut self, is_last: bool, missing: i64) {
        let all = OPERATIONS.iter().map(|(_, weight)| weight).sum();
        let mut number = self.random.below(all);
        let chosen = OPERATIONS.iter().find(|(_, weight)| {
            let is_here = number < *weight;
            number = number.wrapping_sub(*weight);
            is_here
        });
        let (op, _) = chosen.expect("the number is below the sum of the weights");
        let left = self.value();
        let rest = (self.constants.len() - self.constants_used) as i64;
        let is_constant = self.random.chance(12, 100) || rest > 0 && is_last && missing < 3 * rest;
        let right = if is_constant { self.constant() } else { self.value() };
        let made = self.builder.binary(*op, left, right);
        self.push(made);
    }

    /// Each constant once, then any.
    fn constant(&mut self) -> NodeId {
        if self.constants_used < self.constants.len() {
            self.constants_used += 1;
            return self.constants[self.constants_used - 1];
        }
        self.constants[self.random.below(self.constants.len())]
    }

    /// The oldest value without users, or one of the last.
    fn value(&mut self) -> NodeId {
        while !self.fresh.is_empty() && self.random.chance(3, 5) {
            let oldest = self.fresh.pop_front().expect("there is one");
            if !self.is_used[oldest] {
                return self.used(oldest);
            }
        }
        let last = self.values.len().min(64);
        let at = self.values.len() - 1 - self.random.below(last);
        self.used(at)
    }

    fn used(&mut self, at: usize) -> NodeId {
        if !std::mem::replace(&mut self.is_used[at], true) {
            self.unused -= 1;
        }
        self.values[at]
    }

    fn push(&mut self, value: NodeId) {
        self.fresh.push_back(self.values.len());
        self.values.push(value);
        self.is_used.push(false);
        self.unused += 1;
    }

    /// Adds up all values without users, and returns the sum.
    fn join(mut self) -> Option<Graph> {
        let fresh = self.fresh.iter().filter(|&&at| !self.is_used[at]);
        let mut rest: VecDeque<NodeId> = fresh.map(|&at| self.values[at]).collect();
        while self.missing() > rest.len() as i64 - 1 {
            rest.push_back(self.values[self.random.below(self.values.len())]);
        }
        while let (Some(left), Some(right)) = (rest.pop_front(), rest.pop_front()) {
            let sum = self.builder.binary(Binary::Add, left, right);
            rest.push_back(sum);
            if rest.len() == 1 {
                break;
            }
        }
        let is_possible = self.missing() == 0 && self.constants_used == self.constants.len();
        let value = rest.pop_front()?;
        is_possible.then(|| self.builder.finish(self.memory, value, true))
    }
}
