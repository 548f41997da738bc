//! Operations on words, and pairs of them. Operations on constants are computed at once: half of a
//! small constant is 0 or -1.
use crate::arith::{Binary, Relation, WORD, split};
use crate::firm::{Graph, Mode, NodeId, Op};
use arena::FxHashMap;

/// The low and the high word of a value.
#[derive(Clone, Copy)]
pub struct Words {
    pub low: NodeId,
    pub high: NodeId,
}

/// Adds operations on words to a graph.
pub struct WordBuilder {
    pub graph: Graph,
    /// The block of new nodes.
    pub block: NodeId,
    constants: FxHashMap<i64, NodeId>,
}

/// Operations on words.
impl WordBuilder {
    pub fn new(graph: Graph) -> WordBuilder {
        WordBuilder { block: graph.start_block, graph, constants: FxHashMap::default() }
    }

    pub fn constant(&mut self, value: i64) -> NodeId {
        let value = WORD.wrap(value);
        if let Some(&known) = self.constants.get(&value) {
            return known;
        }
        let block = self.graph.start_block;
        let constant = self.graph.add(Op::Const(value), Mode::Is, block, &[]);
        self.constants.insert(value, constant);
        constant
    }

    pub fn value(&self, id: NodeId) -> Option<i64> {
        match self.graph.op(id) {
            Op::Const(value) => Some(value),
            _ => None,
        }
    }

    /// An operation in the current block.
    pub fn binary(&mut self, op: Binary, x: NodeId, y: NodeId) -> NodeId {
        match (self.value(x), self.value(y)) {
            (Some(a), Some(b)) if let Some(value) = op.evaluate_checked(WORD, a, b) => {
                self.constant(value)
            }
            (_, Some(b)) if is_right_identity(op, b) => x,
            (_, Some(b)) if is_right_zero(op, b) => self.constant(b),
            (Some(a), _) if op.row().commutes && is_right_identity(op, a) => y,
            (Some(a), _) if op.row().commutes && is_right_zero(op, a) => self.constant(a),
            (Some(_), None) if op.row().commutes => self.add(Op::Binary(op), &[y, x]),
            _ => self.add(Op::Binary(op), &[x, y]),
        }
    }

    pub fn binary_with(&mut self, op: Binary, x: NodeId, constant: i64) -> NodeId {
        let constant = self.constant(constant);
        self.binary(op, x, constant)
    }

    /// 1 if the relation holds, else 0.
    pub fn compare(&mut self, relation: Relation, x: NodeId, y: NodeId) -> NodeId {
        match (self.value(x), self.value(y)) {
            (Some(a), Some(b)) => self.constant(relation.holds(a, b).into()),
            // Nothing is below 0.
            (_, Some(0)) if relation == Relation::Below => self.constant(0),
            _ => self.add(Op::Cmp(relation), &[x, y]),
        }
    }

    /// A comparison that yields a truth value.
    pub fn is_true(&mut self, truth: NodeId) -> NodeId {
        let zero = self.constant(0);
        self.add(Op::Cmp(Relation::NotEqual), &[truth, zero])
    }

    pub fn not(&mut self, x: NodeId) -> NodeId {
        self.binary_with(Binary::Eor, x, -1)
    }

    fn add(&mut self, op: Op, operands: &[NodeId]) -> NodeId {
        self.graph.add(op, Mode::Is, self.block, operands)
    }
}

/// Whether x op `constant` is x.
fn is_right_identity(op: Binary, constant: i64) -> bool {
    match op {
        Binary::Mul | Binary::Div => constant == 1,
        Binary::And => constant == -1,
        Binary::Shl | Binary::Shr | Binary::Shrs => constant % 32 == 0,
        Binary::Add | Binary::Sub | Binary::Or | Binary::Eor => constant == 0,
        _ => false,
    }
}

/// Whether x op `constant` is `constant`.
fn is_right_zero(op: Binary, constant: i64) -> bool {
    match op {
        Binary::Mul | Binary::Mulh | Binary::Mulhu | Binary::And => constant == 0,
        Binary::Or => constant == -1,
        _ => false,
    }
}

/// The low word of results.
impl WordBuilder {
    /// That of a shift to the left; a count of 32 or more moves all bits to the high word.
    pub fn low_of_left(&mut self, low: NodeId, count: NodeId) -> NodeId {
        let shifted = self.binary(Binary::Shl, low, count);
        let far = self.far(count);
        let near = self.not(far);
        self.binary(Binary::And, shifted, near)
    }

    /// That of a shift to the right.
    pub fn low_of_right(&mut self, op: Binary, x: Words, count: NodeId) -> NodeId {
        let near = self.binary(Binary::Shr, x.low, count);
        let between = self.carried(Binary::Shl, x.high, count);
        let near = self.binary(Binary::Or, near, between);
        let shifted = self.binary(op, x.high, count);
        self.choose(count, near, shifted)
    }
}

/// The high word of results.
impl WordBuilder {
    /// That of a sum with this low word. The carry is 1 if it is below an operand (H. S. Warren,
    /// Hacker's Delight, 2-16).
    pub fn high_of_sum(&mut self, x: Words, y: Words, low: NodeId) -> NodeId {
        let carry = if self.value(y.low) == Some(0) {
            self.constant(0)
        } else {
            self.compare(Relation::Below, low, x.low)
        };
        let sum = self.binary(Binary::Add, x.high, y.high);
        self.binary(Binary::Add, sum, carry)
    }

    /// That of a difference: the borrow is 1 if the left operand is below the right one.
    pub fn high_of_difference(&mut self, x: Words, y: Words) -> NodeId {
        let borrow = self.compare(Relation::Below, x.low, y.low);
        let difference = self.binary(Binary::Sub, x.high, y.high);
        self.binary(Binary::Sub, difference, borrow)
    }

    /// That of a product (Hacker's Delight, 8-2): that of the low words, and the low words of the
    /// mixed products.
    pub fn high_of_product(&mut self, x: Words, y: Words) -> NodeId {
        let product = self.binary(Binary::Mulhu, x.low, y.low);
        let mixed = self.binary(Binary::Mul, x.low, y.high);
        let sum = self.binary(Binary::Add, product, mixed);
        let mixed = self.binary(Binary::Mul, x.high, y.low);
        self.binary(Binary::Add, sum, mixed)
    }

    /// That of a shift to the left.
    pub fn high_of_left(&mut self, x: Words, count: NodeId) -> NodeId {
        let near = self.binary(Binary::Shl, x.high, count);
        let between = self.carried(Binary::Shr, x.low, count);
        let near = self.binary(Binary::Or, near, between);
        let far = self.binary(Binary::Shl, x.low, count);
        self.choose(count, near, far)
    }

    /// That of a shift to the right, which fills with zeros or with the sign.
    pub fn high_of_right(&mut self, op: Binary, high: NodeId, count: NodeId) -> NodeId {
        let near = self.binary(op, high, count);
        let filled = match op {
            Binary::Shrs => self.binary_with(Binary::Shrs, high, 31),
            _ => self.constant(0),
        };
        self.choose(count, near, filled)
    }

    /// The bits that move to the other word, for a count below 32: word counts are taken modulo 32,
    /// so a shift by 32 - count is one by 1 and one by 31 - count, whose lowest bits are the
    /// complement of those of the count.
    fn carried(&mut self, op: Binary, word: NodeId, count: NodeId) -> NodeId {
        if let Some(count) = self.value(count) {
            return match count & 31 {
                0 => self.constant(0),
                count => self.binary_with(op, word, 32 - count),
            };
        }
        let by_one = self.binary_with(op, word, 1);
        let rest = self.not(count);
        self.binary(op, by_one, rest)
    }

    /// All bits are 1 if the count is 32 or more, modulo 64: its bit 5.
    fn far(&mut self, count: NodeId) -> NodeId {
        let top = self.binary_with(Binary::Shl, count, 26);
        self.binary_with(Binary::Shrs, top, 31)
    }

    /// The first word if the count is below 32, else the second one.
    fn choose(&mut self, count: NodeId, near: NodeId, far: NodeId) -> NodeId {
        let is_far = self.far(count);
        let is_near = self.not(is_far);
        let near = self.binary(Binary::And, near, is_near);
        let far = self.binary(Binary::And, far, is_far);
        self.binary(Binary::Or, near, far)
    }
}

/// Divisions by powers of two.
impl WordBuilder {
    /// The quotient of x by 2ᵏ, or the remainder. A shift rounds down; a negative dividend is made
    /// larger by 2ᵏ - 1 first, so that its quotient is rounded up (Hacker's Delight, 10-1). For 2
    /// that is the sign bit itself.
    pub fn divided(&mut self, op: Op, x: Words, power: u32) -> Words {
        let power = i64::from(power);
        let sign = match power {
            1 => x.high,
            _ => self.binary_with(Binary::Shrs, x.high, 31),
        };
        let added = if power <= 32 {
            let zero = self.constant(0);
            Words { low: self.binary_with(Binary::Shr, sign, (32 - power) % 32), high: zero }
        } else {
            Words { low: sign, high: self.binary_with(Binary::Shr, sign, 64 - power) }
        };
        let low = self.binary(Binary::Add, x.low, added.low);
        let sum = Words { low, high: self.high_of_sum(x, added, low) };
        if op == Op::Binary(Binary::Div) {
            let count = self.constant(power);
            let low = self.low_of_right(Binary::Shrs, sum, count);
            return Words { low, high: self.high_of_right(Binary::Shrs, sum.high, count) };
        }
        let [low, high] = split(-1 << power);
        let low = self.binary_with(Binary::And, sum.low, low);
        let multiple = Words { low, high: self.binary_with(Binary::And, sum.high, high) };
        let low = self.binary(Binary::Sub, x.low, multiple.low);
        Words { low, high: self.high_of_difference(x, multiple) }
    }
}

/// Comparisons.
impl WordBuilder {
    /// 1 if two values are equal, or unequal, else 0: no bit may differ.
    pub fn compare_equal(&mut self, relation: Relation, x: Words, y: Words) -> NodeId {
        let low = self.binary(Binary::Eor, x.low, y.low);
        let high = self.binary(Binary::Eor, x.high, y.high);
        let differing = self.binary(Binary::Or, low, high);
        let zero = self.constant(0);
        self.compare(relation, differing, zero)
    }

    /// 1 if the first value is less, else 0: the high words decide, and if they are equal, the low
    /// ones, which have no sign.
    pub fn less(&mut self, has_sign: bool, x: Words, y: Words) -> NodeId {
        let high = if has_sign { Relation::Less } else { Relation::Below };
        self.compare_ordered([high, Relation::Below], x, y)
    }

    /// 1 if the first value is not less, else 0.
    pub fn not_less(&mut self, has_sign: bool, x: Words, y: Words) -> NodeId {
        let high = if has_sign { Relation::Greater } else { Relation::Above };
        self.compare_ordered([high, Relation::AboveEqual], x, y)
    }

    /// 1 if the first relation holds between the high words, or if these are equal and the second
    /// one holds between the low words.
    fn compare_ordered(&mut self, [high, low]: [Relation; 2], x: Words, y: Words) -> NodeId {
        let is_decided = self.compare(high, x.high, y.high);
        let is_open = self.compare(Relation::Equal, x.high, y.high);
        let by_low = self.compare(low, x.low, y.low);
        let by_low = self.binary(Binary::And, is_open, by_low);
        self.binary(Binary::Or, is_decided, by_low)
    }
}
