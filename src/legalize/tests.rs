//! Tests of legalization: random graphs have the same results before and after it.
use super::*;
use crate::arith::{Binary, Relation, split};
use crate::firm::{EdgeKind, Signature};
use crate::heap::ResultFormat;
use crate::random::Random;
use crate::stage::Artifact;

/// Numbers near the bounds of all widths.
pub const EDGES: [i64; 20] = [
    0,
    1,
    -1,
    2,
    31,
    32,
    63,
    64,
    127,
    -128,
    255,
    i32::MAX as i64,
    i32::MIN as i64,
    u32::MAX as i64,
    1 << 32,
    -1 << 32,
    (1 << 33) - 1,
    i64::MAX,
    i64::MIN,
    0x1234_5678_9abc_def0,
];

const DIVISIONS: &[Binary] = &[
    Binary::Div,
    #[cfg(feature = "ch17")]
    Binary::Mod,
];

/// A random function from an integer of 64 bits to one: operations, choices and a loop.
pub struct Generator {
    random: Random,
    graph: Graph,
    block: NodeId,
    /// The integers of 64 bits that are known in the block.
    wide: Vec<NodeId>,
}

impl Generator {
    pub fn graph(seed: u64) -> Graph {
        let mut graph = Graph::new();
        graph.signature = Signature::new(2, 2);
        let argument = graph.add(Op::Argument(0), Mode::Ls, graph.start_block, &[graph.start]);
        let block = graph.start_block;
        let mut it = Generator { random: Random::new(seed), graph, block, wide: vec![argument] };
        for _ in 0..4 {
            let constant = it.number();
            it.constant(constant);
        }
        it.operations(6);
        for _ in 0..it.random.below(3) {
            if it.random.below(2) == 0 {
                it.choice()
            } else {
                it.repeat()
            }
            it.operations(3);
        }
        let value = *it.wide.last().expect("there is the argument");
        let memory = it.graph.start;
        let end = it.graph.add(Op::Return, Mode::Ls, it.block, &[memory, value]);
        it.graph.finish(&[end]);
        it.graph
    }

    fn number(&mut self) -> i64 {
        match self.random.below(3) {
            0 => self.random.below(80) as i64 - 8,
            1 => self.random.pick(&EDGES),
            _ => i64::from(self.random.word()) << self.random.below(33),
        }
    }

    fn constant(&mut self, value: i64) -> NodeId {
        let id = self.graph.add(Op::Const(value), Mode::Ls, self.graph.start_block, &[]);
        self.wide.push(id);
        id
    }

    fn pick(&mut self) -> NodeId {
        let recent = self.wide.len().min(5);
        let known = self.wide.len();
        if self.random.below(3) == 0 {
            self.wide[self.random.below(known)]
        } else {
            self.wide[known - 1 - self.random.below(recent)]
        }
    }

    fn add(&mut self, op: Op, mode: Mode, operands: &[NodeId]) -> NodeId {
        self.graph.add(op, mode, self.block, operands)
    }

    fn operations(&mut self, count: usize) {
        for _ in 0..count {
            let new = self.operation();
            self.wide.push(new);
        }
    }

    fn operation(&mut self) -> NodeId {
        use Binary::*;
        let (x, y) = (self.pick(), self.pick());
        match self.random.below(8) {
            0 => {
                let truth = self.comparison();
                self.add(Op::Conv(Mode::Ls), Mode::Is, &[truth])
            }
            1 => {
                let word = self.add(Op::Conv(Mode::Is), Mode::Ls, &[x]);
                self.add(Op::Conv(Mode::Ls), Mode::Is, &[word])
            }
            2 => {
                // A divisor that is neither 0 nor -1.
                let mask = self.constant(0xff_ffff_ffff);
                let divisor = self.add(Op::Binary(And), Mode::Ls, &[y, mask]);
                let one = self.constant(1);
                let divisor = self.add(Op::Binary(Or), Mode::Ls, &[divisor, one]);
                let op = self.random.pick(DIVISIONS);
                self.add(Op::Binary(op), Mode::Ls, &[x, divisor])
            }
            3 | 4 => {
                let op = self.random.pick(&[Shl, Shr, Shrs]);
                let number = self.number();
                let count = if self.random.below(3) == 0 { y } else { self.constant(number) };
                self.add(Op::Binary(op), Mode::Ls, &[x, count])
            }
            _ => {
                let op = self.random.pick(&[Add, Sub, Mul, And, Or, Eor, Add, Sub]);
                self.add(Op::Binary(op), Mode::Ls, &[x, y])
            }
        }
    }

    fn comparison(&mut self) -> NodeId {
        let operands = [self.pick(), self.pick()];
        let relation = self.random.pick(&Relation::ALL);
        self.add(Op::Cmp(relation), Mode::Ls, &operands)
    }

    /// The blocks to which a branch jumps.
    fn branch(&mut self, condition: NodeId) -> [NodeId; 2] {
        let branch = self.add(Op::Cond, Mode::X, &[condition]);
        [EdgeKind::True, EdgeKind::False].map(|kind| {
            let block = self.graph.add_block(Op::Block, &[branch]);
            self.graph.set_edge_kind(block, 0, kind);
            block
        })
    }

    /// A value that depends on a condition.
    fn choice(&mut self) {
        let condition = self.comparison();
        let known = self.wide.len();
        let sides = self.branch(condition).map(|block| {
            self.block = block;
            self.operations(2);
            let value = self.pick();
            self.wide.truncate(known);
            (self.add(Op::Jmp, Mode::X, &[]), value)
        });
        self.block = self.graph.add_block(Op::Block, &sides.map(|it| it.0));
        let phi = self.add(Op::Phi, Mode::Ls, &sides.map(|it| it.1));
        self.wide.push(phi);
    }

    /// A loop of a few iterations with two values.
    fn repeat(&mut self) {
        let (first, zero) = (self.pick(), self.constant(0));
        let enter = self.add(Op::Jmp, Mode::X, &[]);
        self.block = self.graph.add_block(Op::Block, &[enter, enter]);
        let header = self.block;
        let [counter, value] =
            [zero, first].map(|it| self.graph.add(Op::Phi, Mode::Ls, header, &[it, it]));
        let limit = self.constant(5);
        let condition = self.add(Op::Cmp(Relation::Less), Mode::Ls, &[counter, limit]);
        self.wide.extend([counter, value]);
        self.operations(2);
        let known_after = self.wide.len();
        let [body, exit] = self.branch(condition);
        [header, body].into_iter().for_each(|it| self.graph.set_depth(it, 1));
        self.block = body;
        self.operations(3);
        let next = self.pick();
        let one = self.constant(1);
        let count = self.add(Op::Binary(Binary::Add), Mode::Ls, &[counter, one]);
        let back = self.add(Op::Jmp, Mode::X, &[]);
        self.graph.set_operand(header, 1, back);
        self.graph.set_operand(counter, 1, count);
        self.graph.set_operand(value, 1, next);
        self.wide.truncate(known_after);
        self.block = exit;
    }
}

fn program(graph: Graph) -> Program {
    Program { functions: vec![graph], result: ResultFormat::Integer }
}

#[test]
fn graphs_mean_the_same_after_it() {
    let count = 20_000;
    for seed in 0..count {
        let wide = program(Generator::graph(seed));
        assert_eq!(wide.verify(), [], "{seed}: {}", wide.print());
        let words = legalize(wide.clone());
        assert_eq!(words.verify(), [], "{seed}: {}\n{}", wide.print(), words.print());
        assert!(is_legal(&words.functions[0]), "{seed}");
        for argument in EDGES {
            let argument = split(argument);
            let (expected, found) = (wide.eval_all(&argument), words.eval_all(&argument));
            let texts = || format!("{seed}, {argument:?}:\n{}\n{}", wide.print(), words.print());
            assert_eq!(expected, found, "{}", texts());
        }
    }
}
