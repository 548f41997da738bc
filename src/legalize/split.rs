//! Splitting: each value of 64 bits becomes a low word, and a high one where it is needed.
use super::narrow::Narrowing;
use super::placement;
use super::words::{WordBuilder, Words};
use crate::arith::{Binary, Relation, joined, split};
use crate::firm::{External, Graph, Mode, NodeId, Op};
use crate::floats;
use arena::SideTable;

/// A graph while its values are split. New nodes are added after the old ones.
pub struct Splitting {
    words: WordBuilder,
    narrowing: Narrowing,
    /// The number of functions of the program; the symbols of the routines follow.
    functions: usize,
    /// The low word of each value of 64 bits; the replacement of a word.
    low: SideTable<NodeId, Option<NodeId>>,
    high: SideTable<NodeId, Option<NodeId>>,
    /// The high words that are signs of the low ones.
    signs: Vec<NodeId>,
}

impl Splitting {
    pub fn new(graph: Graph, narrowing: Narrowing, functions: usize) -> Splitting {
        let count = graph.len();
        Splitting {
            narrowing,
            words: WordBuilder::new(graph),
            functions,
            low: SideTable::new(count),
            high: SideTable::new(count),
            signs: Vec::new(),
        }
    }

    /// The graph with words. It contains the old nodes, too.
    pub fn run(mut self) -> Graph {
        let ids: Vec<_> = self.words.graph.ids().collect();
        for &id in &ids {
            self.words.block = self.words.graph.node(id).block;
            self.words.graph.set_origin(self.words.graph.origin(id));
            self.node(id);
        }
        self.words.graph.set_origin(None);
        ids.into_iter().for_each(|id| self.complete_phi(id));
        self.replace_operands();
        placement::sink(&mut self.words.graph, self.signs);
        self.words.graph
    }

    fn node(&mut self, id: NodeId) {
        let (node, operands) = (self.words.graph.node(id), self.words.graph.operands(id).to_vec());
        match (node.op, node.mode, &operands[..]) {
            (Op::Conv(Mode::Ls), Mode::Is, &[x]) => self.low[id] = Some(x),
            (_, mode, _) if mode != Mode::Ls => {}
            (Op::Const(value), ..) => {
                let words = split(value).map(|it| self.words.constant(it));
                [self.low[id], self.high[id]] = words.map(Some);
            }
            (Op::Argument(number), ..) => self.argument(id, number, &operands),
            (Op::Binary(Binary::Div), _, &[x, y]) => self.divide(id, [x, y]),
            #[cfg(feature = "ch17")]
            (Op::Binary(Binary::Mod), _, &[x, y]) => self.divide(id, [x, y]),
            (Op::Binary(binary), _, &[x, y]) => self.arithmetic(id, binary, [x, y]),
            (Op::Cmp(relation), _, &[x, y]) => {
                let truth = self.comparison(relation, [x, y]);
                let is_comparison = is_comparison(&self.words.graph, truth);
                let truth = if is_comparison { truth } else { self.words.is_true(truth) };
                self.low[id] = Some(truth);
            }
            (Op::Conv(Mode::Is), _, &[x]) => self.low[id] = Some(self.low(x)),
            (Op::Conv(_), _, &[x]) => self.low[id] = Some(self.float_of(x)),
            (Op::Phi, ..) => self.phi(id, &operands),
            #[cfg(feature = "ch29")]
            (Op::Mux, _, &[selector, no, yes]) => {
                let mux = |it: &mut Splitting, no, yes| {
                    it.words.graph.add(Op::Mux, Mode::Is, it.words.block, &[selector, no, yes])
                };
                self.low[id] = Some(mux(self, self.low(no), self.low(yes)));
                if self.narrowing.needs_high(id) {
                    let [no, yes] = [no, yes].map(|it| self.high(it));
                    self.high[id] = Some(mux(self, no, yes));
                }
            }
            (Op::Return, _, &[memory, value]) => {
                let Words { low, high } = self.pair(value);
                self.words.graph.replace(id, Op::Return, Mode::Is, &[memory, low]);
                self.words.graph.add_operands(id, &[high]);
            }
            (Op::Load(access), _, &[memory, address]) => {
                let above = self.words.binary_with(Binary::Add, address, 4);
                let high =
                    self.words.graph.add(node.op, Mode::Is, self.words.block, &[memory, above]);
                self.words.graph.replace(id, Op::Load(access), Mode::Is, &[high, address]);
                [self.low[id], self.high[id]] = [id, high].map(Some);
            }
            (Op::Store(access), _, &[memory, address, value]) => {
                let Words { low, high } = self.pair(value);
                let above = self.words.binary_with(Binary::Add, address, 4);
                let first = self.words.graph.add(
                    node.op,
                    Mode::Is,
                    self.words.block,
                    &[memory, above, high],
                );
                self.words.graph.replace(id, Op::Store(access), Mode::Is, &[first, address, low]);
            }
            (op, ..) => unreachable!("{op:?} has no form for integers of 64 bits"),
        }
    }

    /// The number of an argument is that of its first word.
    fn argument(&mut self, id: NodeId, number: u32, operands: &[NodeId]) {
        let words = [number, number + 1]
            .map(|it| self.words.graph.add(Op::Argument(it), Mode::Is, self.words.block, operands));
        [self.low[id], self.high[id]] = words.map(Some);
    }

    /// The words of a Phi get their operands later.
    fn phi(&mut self, id: NodeId, operands: &[NodeId]) {
        let block = self.words.block;
        self.low[id] = Some(self.words.graph.add(Op::Phi, Mode::Is, block, operands));
        if self.narrowing.needs_high(id) {
            self.high[id] = Some(self.words.graph.add(Op::Phi, Mode::Is, block, operands));
        }
    }

    /// The low word of a value.
    fn low(&self, id: NodeId) -> NodeId {
        self.low[id].expect("operands are split before their users")
    }

    /// The high word of a value; one that follows from the low word is computed when it is needed.
    fn high(&mut self, id: NodeId) -> NodeId {
        if let Some(high) = self.high[id] {
            return high;
        }
        let extension = self.narrowing.extension(id);
        debug_assert!(extension.is_known(), "the high word of {id:?} is not computed");
        let high = if extension.by_zeros {
            self.words.constant(0)
        } else {
            let here = std::mem::replace(&mut self.words.block, self.words.graph.node(id).block);
            let sign = self.words.binary_with(Binary::Shrs, self.low(id), 31);
            self.words.block = here;
            self.signs.push(sign);
            sign
        };
        self.high[id] = Some(high);
        high
    }

    /// Both words of a value.
    fn pair(&mut self, id: NodeId) -> Words {
        Words { low: self.low(id), high: self.high(id) }
    }

    /// Gives the words of a Phi their operands; those of loops are split after it.
    fn complete_phi(&mut self, id: NodeId) {
        if (self.words.graph.op(id), self.words.graph.node(id).mode) != (Op::Phi, Mode::Ls) {
            return;
        }
        let phis = [self.low[id], self.high[id].filter(|_| self.narrowing.needs_high(id))];
        for (at, operand) in self.words.graph.operands(id).to_vec().into_iter().enumerate() {
            if let [Some(low), _] = phis {
                self.words.graph.set_operand(low, at, self.low(operand));
            }
            if let [_, Some(phi)] = phis {
                let high = self.high(operand);
                self.words.graph.set_operand(phi, at, high);
            }
        }
    }

    /// Words that were replaced may be operands of any node.
    fn replace_operands(&mut self) {
        for id in self.words.graph.ids() {
            for at in 0..self.words.graph.operands(id).len() {
                let mut operand = self.words.graph.operands(id)[at];
                while let Some(low) = self.low[operand].filter(|&low| low != operand) {
                    operand = low;
                }
                self.words.graph.set_operand(id, at, operand);
            }
        }
    }
}

/// Arithmetic.
impl Splitting {
    fn arithmetic(&mut self, id: NodeId, binary: Binary, [x, y]: [NodeId; 2]) {
        let low = self.low_of(binary, x, y);
        self.low[id] = Some(low);
        if self.narrowing.needs_high(id) {
            let high = self.high_of(binary, [x, y], low);
            self.high[id] = Some(high);
        }
    }

    fn low_of(&mut self, binary: Binary, x: NodeId, y: NodeId) -> NodeId {
        let (low, count) = (self.low(x), self.low(y));
        match binary {
            Binary::Shl => self.words.low_of_left(low, count),
            Binary::Shrs
                if self.narrowing.extension(x).by_sign && self.words.value(count).is_some() =>
            {
                let count = self.words.value(count).map_or(31, |it| (it & 63).min(31));
                self.words.binary_with(Binary::Shrs, low, count)
            }
            Binary::Shr | Binary::Shrs => {
                let words = self.pair(x);
                self.words.low_of_right(binary, words, count)
            }
            // Add, Sub and Mul, and operators that work bit by bit.
            _ => self.words.binary(binary, low, count),
        }
    }

    fn high_of(&mut self, binary: Binary, [x, y]: [NodeId; 2], low: NodeId) -> NodeId {
        match binary {
            // All bits of the high word are from the low one. Counts of words are taken modulo 32.
            Binary::Shl if self.words.value(self.low(y)).is_some_and(|it| it & 32 != 0) => {
                self.words.binary(Binary::Shl, self.low(x), self.low(y))
            }
            Binary::Shl => {
                let (x, count) = (self.pair(x), self.low(y));
                self.words.high_of_left(x, count)
            }
            Binary::Shr | Binary::Shrs => {
                let (high, count) = (self.high(x), self.low(y));
                self.words.high_of_right(binary, high, count)
            }
            Binary::Mul
                if self.narrowing.are_words(&self.words.graph, [x, y], self.words.block) =>
            {
                self.words.binary(Binary::Mulh, self.low(x), self.low(y))
            }
            _ => {
                let [x, y] = [x, y].map(|it| self.pair(it));
                match binary {
                    Binary::Add => self.words.high_of_sum(x, y, low),
                    Binary::Sub => self.words.high_of_difference(x, y),
                    Binary::Mul => self.words.high_of_product(x, y),
                    _ => self.words.binary(binary, x.high, y.high),
                }
            }
        }
    }

    /// Whether a relation holds. A constant is on the right, and its order is that of `<` or `>=`:
    /// x <= c is x < c + 1.
    fn comparison(&mut self, relation: Relation, [x, y]: [NodeId; 2]) -> NodeId {
        let [a, b] = [x, y].map(|it| self.low(it));
        if self.narrowing.are_words(&self.words.graph, [x, y], self.words.block) {
            return self.words.compare(relation, a, b);
        }
        if self.narrowing.are_natural_words(&self.words.graph, [x, y], self.words.block) {
            return self.words.compare(relation.unsigned(), a, b);
        }
        // The machine subtracts: x - y for these two, y - x for the other two.
        let x_is_left = matches!(relation, Relation::Less | Relation::GreaterEqual);
        let y_is_left = matches!(relation, Relation::LessEqual | Relation::Greater);
        let x = self.compared(x, x_is_left);
        let y = self.compared(y, y_is_left);
        let is_constant =
            |it: Words| self.words.value(it.low).is_some() && self.words.value(it.high).is_some();
        if is_constant(x) && !is_constant(y) {
            return self.ordered(relation.swapped(), y, x);
        }
        self.ordered(relation, x, y)
    }

    /// An operand of a comparison. The right one is subtracted from the left one, so the high word
    /// of that is in a register: the sign of the low word, even if it is known to be 0.
    fn compared(&mut self, id: NodeId, is_left: bool) -> Words {
        let Words { low, high } = self.pair(id);
        if !is_left || self.words.value(high).is_none() || !self.narrowing.extension(id).by_sign {
            return Words { low, high };
        }
        Words { low, high: self.words.binary_with(Binary::Shrs, low, 31) }
    }

    fn ordered(&mut self, relation: Relation, x: Words, y: Words) -> NodeId {
        // The sign of the high word decides alone.
        if self.words.value(y.low) == Some(0)
            && matches!(relation, Relation::Less | Relation::GreaterEqual)
        {
            return self.words.compare(relation, x.high, y.high);
        }
        match (relation, self.successor(y)) {
            (Relation::Less, _) => self.words.less(true, x, y),
            (Relation::GreaterEqual, _) => self.words.not_less(true, x, y),
            (Relation::LessEqual, Some(next)) => self.ordered(Relation::Less, x, next),
            (Relation::Greater, Some(next)) => self.ordered(Relation::GreaterEqual, x, next),
            (Relation::LessEqual, None) => self.words.not_less(true, y, x),
            (Relation::Greater, None) => self.words.less(true, y, x),
            (Relation::Below, _) => self.words.less(false, x, y),
            (Relation::AboveEqual, _) => self.words.not_less(false, x, y),
            (Relation::BelowEqual, _) => self.words.not_less(false, y, x),
            (Relation::Above, _) => self.words.less(false, y, x),
            _ => self.words.compare_equal(relation, x, y),
        }
    }

    /// The next constant, if there is one.
    fn successor(&mut self, y: Words) -> Option<Words> {
        let next = joined(self.words.value(y.low)?, self.words.value(y.high)?).checked_add(1)?;
        let [low, high] = split(next).map(|it| self.words.constant(it));
        Some(Words { low, high })
    }

    /// A quotient or a remainder: of words if that is defined, else by shifts or a routine.
    fn divide(&mut self, id: NodeId, [x, y]: [NodeId; 2]) {
        let node = self.words.graph.node(id);
        let overflows = self.narrowing.may_be(x, node.block, i32::MIN.into())
            && self.narrowing.may_be(y, node.block, -1);
        if self.narrowing.are_words(&self.words.graph, [x, y], node.block) && !overflows {
            let [x, y] = [x, y].map(|it| self.low(it));
            let result = self.words.graph.add(node.op, Mode::Is, self.words.block, &[x, y]);
            let sign = self.words.binary_with(Binary::Shrs, result, 31);
            self.signs.push(sign);
            [self.low[id], self.high[id]] = [result, sign].map(Some);
            return;
        }
        if let Op::Const(divisor) = self.words.graph.op(y)
            && divisor > 1
            && divisor & (divisor - 1) == 0
        {
            let x = self.pair(x);
            let Words { low, high } = self.words.divided(node.op, x, divisor.trailing_zeros());
            [self.low[id], self.high[id]] = [low, high].map(Some);
            return;
        }
        let routine = External::Quotient;
        #[cfg(feature = "ch17")]
        let routine = match node.op {
            Op::Binary(Binary::Mod) => External::Remainder,
            _ => routine,
        };
        let address = Op::SymConst(routine.symbol(self.functions));
        let address = self.words.graph.add(address, Mode::Is, self.words.graph.start_block, &[]);
        let [x, y] = [x, y].map(|it| self.pair(it));
        let arguments = [x.low, x.high, y.low, y.high];
        let call =
            self.words.graph.call(self.words.block, self.words.graph.start, address, &arguments, 2);
        [self.low[id], self.high[id]] = [call, self.words.graph.result(call, 1)].map(Some);
    }

    /// The number as a float. Two words are high · 2³² + low, of which only the sum is rounded; the
    /// low word has no sign, so it is 2³¹ more than the word with its highest bit changed.
    fn float_of(&mut self, x: NodeId) -> NodeId {
        let low = self.low(x);
        if self.narrowing.extension(x).by_sign {
            return self.converted(low);
        }
        let high = self.high(x);
        let high = self.converted(high);
        let moved = self.words.binary_with(Binary::Eor, low, i32::MIN.into());
        let moved = self.converted(moved);
        let [scale, half] = [(1_u64 << 32) as f64, (1_u64 << 31) as f64].map(|number| {
            let bits = Op::Const(floats::bits(number));
            self.words.graph.add(bits, Mode::D, self.words.graph.start_block, &[])
        });
        let float = |it: &mut Splitting, op, operands: [NodeId; 2]| {
            it.words.graph.add(Op::Binary(op), Mode::D, it.words.block, &operands)
        };
        let high = float(self, Binary::Mul, [high, scale]);
        let high = float(self, Binary::Add, [high, half]);
        float(self, Binary::Add, [high, moved])
    }

    fn converted(&mut self, word: NodeId) -> NodeId {
        self.words.graph.add(Op::Conv(Mode::D), Mode::Is, self.words.block, &[word])
    }
}

/// Whether a branch can test the value as it is: a comparison of words, or a signed one of pairs
/// whose left operand has a register for its high word.
fn is_comparison(graph: &Graph, id: NodeId) -> bool {
    if let Op::Cmp(_) = graph.op(id) {
        return true;
    }
    let Some(&first) = graph.operands(id).first() else { return false };
    let is_signed = matches!(graph.op(first), Op::Cmp(Relation::Less | Relation::Greater));
    is_signed && !matches!(graph.op(graph.operands(first)[0]), Op::Const(_))
}
