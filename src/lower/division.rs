//! Division by an unknown divisor: the cases that trap are tested, and computed out of line.
//!
//! The machine's division traps for a divisor of 0, and for the smallest integer and -1. In Simple
//! x / 0 = 0 and x / -1 = -x, so for both divisors the quotient is x · y. The remainder
//! x - x / y · y is lowered in both branches, so one instruction computes it with the quotient.
//!
//! @ch14 Operands that fit words are divided as words, whatever the width of the language's
//! @ch14 integers: the machine has no division of longer ones.
use super::lowering::Lowering;
use crate::arith::{Binary, Relation};
#[cfg(feature = "ch14")]
use crate::arith::{Interval, WORD, Width};
use crate::firm::{EdgeKind, Mode};
#[cfg(feature = "ch14")]
use crate::ranges::{SeaRanges, ranges_in_sea};
#[cfg(feature = "ch14")]
use crate::schedule::BlockId;
use crate::{firm, sea};

/// The nodes of x - x / y · y for a quotient x / y.
#[derive(Clone, Copy)]
struct Remainder {
    product: sea::NodeId,
    difference: sea::NodeId,
}

/// One of the two branches, with its values.
struct Branch {
    jump: firm::NodeId,
    quotient: firm::NodeId,
    /// The product and the difference of the remainder.
    remainder: Option<[firm::NodeId; 2]>,
}

impl Lowering<'_> {
    /// x / y, where y is not known.
    pub fn guarded_division(
        &mut self,
        id: sea::NodeId,
        x: firm::NodeId,
        y: firm::NodeId,
    ) -> firm::NodeId {
        let traps = self.possible_traps(id);
        if traps == [false, false] {
            return self.binary(Binary::Div, x, y);
        }
        self.lower_start_values();
        let operands = [x, y];
        #[cfg(feature = "ch14")]
        let operands = self.operands_of_division(id, operands);
        let remainder = self.remainder(id);
        let depth = self.firm.depth(self.block);
        let (division, exception) = self.test_divisor(operands[1], traps);
        let branch = |lowering: &mut Self, block, operator| {
            lowering.block = block;
            lowering.branch_of_division(operator, operands, remainder.is_some())
        };
        let usual = branch(self, division, Binary::Div);
        let exception = branch(self, exception, Binary::Mul);
        self.block = self.firm.add_block(firm::Op::Block, &[usual.jump, exception.jump]);
        self.firm.set_depth(self.block, depth);
        let pairs = usual.remainder.zip(exception.remainder).zip(remainder);
        if let Some((([product, difference], [product_2, difference_2]), nodes)) = pairs {
            self.lowered[nodes.difference] = Some(self.either(difference, difference_2));
            let is_used_again = self.sea.uses(nodes.product) > 1;
            let product = if is_used_again { self.either(product, product_2) } else { product };
            self.lowered[nodes.product] = Some(product);
        }
        let quotient = self.either(usual.quotient, exception.quotient);
        #[cfg(feature = "ch14")]
        self.extend_remainder(remainder);
        quotient
    }

    /// x % y, where y is not known. For 0 it is x, and for -1 it is 0: in both cases x · (y + 1).
    #[cfg(feature = "ch17")]
    pub fn guarded_remainder(
        &mut self,
        id: sea::NodeId,
        x: firm::NodeId,
        y: firm::NodeId,
    ) -> firm::NodeId {
        let traps = self.possible_traps(id);
        if traps == [false, false] {
            return self.binary(Binary::Mod, x, y);
        }
        self.lower_start_values();
        let [x, y] = self.operands_of_division(id, [x, y]);
        let depth = self.firm.depth(self.block);
        let (division, exception) = self.test_divisor(y, traps);
        self.block = division;
        let usual = self.binary(Binary::Mod, x, y);
        let jump = self.add(firm::Op::Jmp, Mode::X, &[]);
        self.block = exception;
        let one = self.constant_like(y, 1);
        let next = self.binary(Binary::Add, y, one);
        let other = self.binary(Binary::Mul, x, next);
        let other_jump = self.add(firm::Op::Jmp, Mode::X, &[]);
        self.block = self.firm.add_block(firm::Op::Block, &[jump, other_jump]);
        self.firm.set_depth(self.block, depth);
        let remainder = self.either(usual, other);
        self.extended(remainder)
    }

    /// A division may end the StartBlock, where all values that Start yields must be.
    fn lower_start_values(&mut self) {
        if self.block == self.firm.start_block {
            let first = self.schedule.nodes(self.own_blocks[0]).iter().copied();
            let is_yielded = |id: &sea::NodeId| matches!(self.sea.op(*id), sea::Op::Projection(_));
            let yielded: Vec<_> = first.filter(is_yielded).collect();
            self.nodes(&yielded);
        }
    }

    /// Tests the divisor, and returns the block for the division and that for the exceptions.
    ///
    /// A positive divisor never traps, and most divisors are positive. So if both 0 and -1 are
    /// possible, that is tested first, and only other divisors need the exact test.
    fn test_divisor(&mut self, y: firm::NodeId, traps: [bool; 2]) -> (firm::NodeId, firm::NodeId) {
        let depth = self.firm.depth(self.block);
        if traps != [true, true] {
            let is_usual = self.is_usual_divisor(y, traps);
            return self.branches(is_usual, [depth, 0]);
        }
        let is_positive = self.compare(Relation::Greater, y, 0);
        let (positive, other) = self.branches(is_positive, [depth, 0]);
        self.block = other;
        let is_usual = self.is_usual_divisor(y, traps);
        let (negative, exception) = self.branches(is_usual, [0, 0]);
        let jumps = [positive, negative].map(|block| {
            self.block = block;
            self.add(firm::Op::Jmp, Mode::X, &[])
        });
        let division = self.firm.add_block(firm::Op::Block, &jumps);
        self.firm.set_depth(division, depth);
        (division, exception)
    }

    /// Ends the block with a branch. Returns the block where the condition holds, and the other
    /// one. Their depths estimate how often they are executed.
    fn branches(
        &mut self,
        condition: firm::NodeId,
        depths: [u32; 2],
    ) -> (firm::NodeId, firm::NodeId) {
        let test = self.add(firm::Op::Cond, Mode::X, &[condition]);
        let mut branch = |kind, depth| {
            let block = self.firm.add_block(firm::Op::Block, &[test]);
            self.firm.set_edge_kind(block, 0, kind);
            self.firm.set_depth(block, depth);
            block
        };
        (branch(EdgeKind::True, depths[0]), branch(EdgeKind::False, depths[1]))
    }

    /// The condition that the division does not trap, for the traps that are possible.
    ///
    /// y · (y + 1) = 0 holds for 0 and -1 alone: of two neighbours one is odd, so the other one
    /// must contain all factors 2 of 2³², or of 2⁶⁴.
    fn is_usual_divisor(&mut self, y: firm::NodeId, traps: [bool; 2]) -> firm::NodeId {
        let (tested, exception) = match traps {
            [true, true] => {
                let one = self.constant_like(y, 1);
                let next = self.binary(Binary::Add, y, one);
                (self.binary(Binary::Mul, y, next), 0)
            }
            [_, minus_one] => (y, if minus_one { -1 } else { 0 }),
        };
        self.compare(Relation::NotEqual, tested, exception)
    }

    /// Which of the traps are possible, for the divisor 0 and for the divisor -1.
    fn possible_traps(&mut self, id: sea::NodeId) -> [bool; 2] {
        let width = self.sea.types.int;
        #[cfg(feature = "ch14")]
        let width = self.width_of_division(id, width);
        let traps = [true, self.known(id, 0).is_none_or(|x| x == width.min())];
        #[cfg(feature = "ch14")]
        let traps = self.traps_in_ranges(id, traps, width);
        traps
    }

    /// The same, for the values that the operands have there.
    #[cfg(feature = "ch14")]
    fn traps_in_ranges(
        &mut self,
        id: sea::NodeId,
        [zero, minus_one]: [bool; 2],
        width: Width,
    ) -> [bool; 2] {
        let (x, y) = (self.sea.input(id, 0), self.sea.input(id, 1));
        let (ranges, block) = self.ranges_at(id);
        let is_least = minus_one && ranges.may_be(x, block, width.min());
        [zero && ranges.may_be(y, block, 0), is_least && ranges.may_be(y, block, -1)]
    }

    /// The operands of a division, as words if they fit.
    #[cfg(feature = "ch14")]
    fn operands_of_division(
        &mut self,
        id: sea::NodeId,
        operands: [firm::NodeId; 2],
    ) -> [firm::NodeId; 2] {
        match self.width_of_division(id, self.sea.types.int) {
            WORD => operands.map(|it| self.word_of(it)),
            _ => operands,
        }
    }

    /// The width of a division of integers of this width: that of words if both operands fit.
    #[cfg(feature = "ch14")]
    fn width_of_division(&mut self, id: sea::NodeId, width: Width) -> Width {
        let (x, y) = (self.sea.input(id, 0), self.sea.input(id, 1));
        let (ranges, block) = self.ranges_at(id);
        let word = Interval::all(WORD);
        let is_word = |it| ranges.at(it, block).is_some_and(|it| word.contains_all(it));
        if is_word(x) && is_word(y) { WORD } else { width }
    }

    /// The ranges, and the block of a node.
    #[cfg(feature = "ch14")]
    fn ranges_at(&mut self, id: sea::NodeId) -> (&SeaRanges, BlockId) {
        let block = self.schedule.block_of[id].expect("every node is placed");
        let ranges = self.ranges.get_or_insert_with(|| ranges_in_sea(self.sea, self.schedule));
        (ranges, block)
    }

    /// The values of a branch in which `operator` computes the quotient, and its end.
    fn branch_of_division(
        &mut self,
        operator: Binary,
        operands: [firm::NodeId; 2],
        with_remainder: bool,
    ) -> Branch {
        let quotient = self.quotient(operator, operands);
        let remainder = with_remainder.then(|| self.remainder_by(quotient, operands));
        Branch { jump: self.add(firm::Op::Jmp, Mode::X, &[]), quotient, remainder }
    }

    /// The quotient that an operator computes.
    /// @ch14 That of words is an integer of the language: the smallest word divided by -1 is none.
    /// @ch14 For the divisors 0 and -1, x · y is -(x & y), whose bounds follow from those of x.
    fn quotient(&mut self, operator: Binary, [x, y]: [firm::NodeId; 2]) -> firm::NodeId {
        #[cfg(feature = "ch14")]
        if operator == Binary::Mul && self.firm.value_mode(x) != self.integer {
            let masked = self.binary(Binary::And, x, y);
            let masked = self.extended(masked);
            return self.negated(masked);
        }
        let quotient = self.binary(operator, x, y);
        #[cfg(feature = "ch14")]
        let quotient = self.extended(quotient);
        quotient
    }

    /// The product and the difference of the remainder.
    fn remainder_by(
        &mut self,
        quotient: firm::NodeId,
        [x, y]: [firm::NodeId; 2],
    ) -> [firm::NodeId; 2] {
        #[cfg(feature = "ch14")]
        let quotient = self.in_mode_of(y, quotient);
        let product = self.binary(Binary::Mul, quotient, y);
        [product, self.binary(Binary::Sub, x, product)]
    }

    /// The value of the branch that was taken.
    fn either(&mut self, usual: firm::NodeId, exception: firm::NodeId) -> firm::NodeId {
        self.add(firm::Op::Phi, self.firm.value_mode(usual), &[usual, exception])
    }

    /// The words of a remainder as integers of the language. Phis are before all other nodes.
    #[cfg(feature = "ch14")]
    fn extend_remainder(&mut self, remainder: Option<Remainder>) {
        for node in remainder.into_iter().flat_map(|it| [it.product, it.difference]) {
            let word = self.value(node);
            if self.firm.op(word) == firm::Op::Phi {
                self.lowered[node] = Some(self.extended(word));
            }
        }
    }

    /// The remainder of the division `id`, if it is computed in the same block.
    fn remainder(&self, id: sea::NodeId) -> Option<Remainder> {
        let (sea, block_of) = (self.sea, &self.schedule.block_of);
        let (x, y) = (sea.input(id, 0), sea.input(id, 1));
        let user = |of: sea::NodeId, binary: Binary, inputs: [sea::NodeId; 2]| {
            let fits = |it: &sea::NodeId| {
                sea.op(*it) == sea::Op::Binary(binary)
                    && sea.inputs(*it).eq(inputs)
                    && block_of[*it] == block_of[id]
            };
            sea.users(of).find(fits)
        };
        let product = user(id, Binary::Mul, [id, y]).or_else(|| user(id, Binary::Mul, [y, id]))?;
        let difference = user(product, Binary::Sub, [x, product])?;
        Some(Remainder { product, difference })
    }
}
