//! What each node of the sea becomes.
#[cfg(feature = "ch04")]
use crate::arith::Relation;
#[cfg(feature = "ch02")]
use crate::arith::{Binary, Traps, Unary};
use crate::firm::Mode;
#[cfg(feature = "ch14")]
use crate::ranges::SeaRanges;
#[cfg(feature = "ch05")]
use crate::schedule::BlockId;
use crate::schedule::Schedule;
use crate::types::Type;
use crate::{firm, sea};
use arena::{SideTable, SparseTable};

/// A graph while it is lowered.
pub struct Lowering<'g> {
    pub sea: &'g sea::Graph,
    pub schedule: &'g Schedule,
    pub firm: firm::Graph,
    /// The block to which nodes are added.
    pub block: firm::NodeId,
    /// The current state of memory.
    pub memory: firm::NodeId,
    /// The mode of integers of the language.
    pub integer: Mode,
    /// The node for each node of the sea; none for control, which becomes blocks.
    pub lowered: SideTable<sea::NodeId, Option<firm::NodeId>>,
    pub returns: Vec<firm::NodeId>,
    /// @ch04-13 Whether a condition is needed as a value.
    /// @ch14 Whether a condition or a conversion is needed as a value.
    #[cfg(feature = "ch04")]
    pub needed_as_value: SideTable<sea::NodeId, bool>,
    #[cfg(feature = "ch05")]
    pub control: Control,
    /// The blocks that become the graph.
    #[cfg(feature = "ch05")]
    pub own_blocks: Vec<BlockId>,
    /// The number of functions of the program.
    #[cfg(feature = "ch15")]
    pub function_count: usize,
    /// The mode of what the graph returns, and the number of values.
    #[cfg(feature = "ch15")]
    pub returned: (Mode, usize),
    /// The number of iterations that each counter counts.
    #[cfg(feature = "ch29")]
    pub counters: SparseTable<sea::NodeId, Option<Iterations>>,
    /// The possible values, if a division has needed them.
    #[cfg(feature = "ch14")]
    pub ranges: Option<SeaRanges>,
    /// Whether the program accesses memory.
    #[cfg(feature = "ch10")]
    pub accesses_memory: bool,
    #[cfg(feature = "ch18")]
    pub functions: super::functions::Functions,
}

/// The number of iterations of a loop.
#[cfg(feature = "ch29")]
#[derive(Clone, Copy)]
pub enum Iterations {
    /// It is at least 0.
    Number(i64),
    /// The loop is not entered if it is not above 0.
    Value(sea::NodeId),
}

/// The blocks that were lowered, and operands that are added later.
#[cfg(feature = "ch05")]
pub struct Control {
    /// The jump at the end of each block.
    pub jumps: SideTable<BlockId, Option<firm::NodeId>>,
    /// The block of Firm for each block.
    pub blocks: SideTable<BlockId, Option<firm::NodeId>>,
    /// The block of Firm with the call at the end of each block: a division begins other blocks.
    #[cfg(feature = "ch18")]
    pub blocks_of_calls: SideTable<BlockId, Option<firm::NodeId>>,
    /// Predecessors that were lowered after their block.
    pub later_jumps: Vec<(firm::NodeId, usize, BlockId)>,
    /// Operands of Phis that were lowered after the Phi.
    pub later_values: Vec<(firm::NodeId, usize, sea::NodeId)>,
    /// The state of memory at the end of each block.
    #[cfg(feature = "ch10")]
    pub memories: SideTable<BlockId, Option<firm::NodeId>>,
    /// Operands of memory's Phis that were lowered after the Phi.
    #[cfg(feature = "ch10")]
    pub later_memories: Vec<(firm::NodeId, usize, BlockId)>,
}

#[cfg(feature = "ch05")]
impl Control {
    pub fn new(schedule: &Schedule) -> Control {
        let count = schedule.blocks.len();
        let (jumps, blocks) = (SideTable::new(count), SideTable::new(count));
        Control {
            jumps,
            blocks,
            #[cfg(feature = "ch18")]
            blocks_of_calls: SideTable::new(count),
            later_jumps: Vec::new(),
            later_values: Vec::new(),
            #[cfg(feature = "ch10")]
            memories: SideTable::new(count),
            #[cfg(feature = "ch10")]
            later_memories: Vec::new(),
        }
    }
}

impl Lowering<'_> {
    pub fn nodes(&mut self, nodes: &[sea::NodeId]) {
        for &id in nodes {
            // A remainder is lowered with its quotient.
            #[cfg(feature = "ch05")]
            if self.lowered[id].is_some() {
                continue;
            }
            #[cfg(feature = "ch09")]
            self.firm.set_origin(self.sea.origin(id));
            self.lowered[id] = self.node(id);
        }
        #[cfg(feature = "ch09")]
        self.firm.set_origin(None);
    }

    fn node(&mut self, id: sea::NodeId) -> Option<firm::NodeId> {
        match self.sea.op(id) {
            sea::Op::Start => None,
            sea::Op::Return => Some(self.end(id)),
            #[cfg(feature = "ch12")]
            sea::Op::Constant(ty) if self.sea.types.is_float(ty) => Some(self.float_constant(ty)),
            #[cfg(feature = "ch18")]
            sea::Op::Constant(ty) if let Some(function) = self.sea.types.known_function(ty) => {
                Some(self.firm.function_address(self.functions.symbol(function)))
            }
            #[cfg(feature = "ch10")]
            sea::Op::Constant(ty) if self.sea.types.is_pointer(ty) => Some(self.word(0)),
            sea::Op::Constant(ty) => {
                let value = self.sea.types.value(ty).expect("a constant is one integer");
                Some(self.constant(value))
            }
            // Only its increment has a counter as its first input.
            #[cfg(feature = "ch29")]
            sea::Op::Binary(_) if self.counters[self.sea.input(id, 0)].is_some() => {
                Some(self.count_down(self.sea.input(id, 0)))
            }
            // A conversion that only stores of its lowest bits read.
            #[cfg(feature = "ch14")]
            sea::Op::Binary(_) if !self.needed_as_value[id] => None,
            #[cfg(feature = "ch02")]
            sea::Op::Binary(binary) => Some(self.arithmetic(id, binary)),
            #[cfg(feature = "ch02")]
            sea::Op::Unary(Unary::Minus) => Some(self.negated(self.input(id, 0))),
            #[cfg(feature = "ch03")]
            sea::Op::Scope => unreachable!("a scope is gone when its program has been read"),
            #[cfg(feature = "ch04")]
            sea::Op::Unary(Unary::Not) | sea::Op::Compare(_) => {
                self.needed_as_value[id].then(|| self.truth(id))
            }
            #[cfg(feature = "ch12")]
            sea::Op::Float(float) if float.relation().is_some() => {
                self.needed_as_value[id].then(|| self.truth(id))
            }
            #[cfg(feature = "ch12")]
            sea::Op::Float(float) => Some(self.float_operation(id, float)),
            #[cfg(feature = "ch04")]
            sea::Op::Projection(0) => None,
            // The memory of a field: there is one state of memory for all fields.
            #[cfg(feature = "ch10")]
            sea::Op::Projection(2..) => None,
            #[cfg(feature = "ch04")]
            sea::Op::Projection(_) => {
                Some(self.add(firm::Op::Argument(0), self.integer, &[self.firm.start]))
            }
            #[cfg(feature = "ch05")]
            sea::Op::If => self.branch(id),
            #[cfg(feature = "ch10")]
            sea::Op::Phi(_) if self.sea.ty(id) == Type::MEMORY => None,
            #[cfg(feature = "ch12")]
            sea::Op::Phi(_) if self.is_float(id) => Some(self.phi(id, Mode::D)),
            #[cfg(feature = "ch10")]
            sea::Op::Phi(_) if self.sea.types.is_pointer(self.sea.ty(id)) => {
                Some(self.phi(id, Mode::Is))
            }
            #[cfg(feature = "ch05")]
            sea::Op::Phi(_) => Some(self.phi(id, self.integer)),
            #[cfg(feature = "ch05")]
            sea::Op::Stop
            | sea::Op::DeadControl
            | sea::Op::ControlProjection(_)
            | sea::Op::Region => None,
            #[cfg(feature = "ch07")]
            sea::Op::Loop => None,
            #[cfg(feature = "ch10")]
            sea::Op::New(of) => Some(self.allocation(of)),
            // The pages of the heap are zero.
            #[cfg(feature = "ch10")]
            sea::Op::Clear(_) => None,
            #[cfg(feature = "ch10")]
            sea::Op::Store(field) => {
                self.store(self.input(id, 2), field, self.sea.input(id, 3));
                None
            }
            #[cfg(feature = "ch10")]
            sea::Op::Load(field) => Some(self.load(self.input(id, 1), field)),
            #[cfg(feature = "ch10")]
            sea::Op::Cast => Some(self.input(id, 1)),
            #[cfg(feature = "ch15")]
            sea::Op::NewArray(of) => {
                let length = self.word_of(self.input(id, 1));
                Some(self.new_array(of, length))
            }
            #[cfg(feature = "ch15")]
            sea::Op::Length => Some(self.length(self.sea.input(id, 0))),
            #[cfg(feature = "ch15")]
            sea::Op::Element => Some(self.element(id)),
            #[cfg(feature = "ch15")]
            sea::Op::Trap(trap) => Some(self.trap(id, trap)),
            #[cfg(feature = "ch18")]
            sea::Op::Parameter(number) => Some(self.parameter(id, number)),
            #[cfg(feature = "ch18")]
            sea::Op::Call(_) => Some(self.call(id)),
            #[cfg(feature = "ch18")]
            sea::Op::Result => Some(self.result(id)),
            #[cfg(feature = "ch18")]
            sea::Op::Function(_) | sea::Op::Rest => None,
        }
    }

    /// The value of the input of `id` at `at`.
    pub fn input(&self, id: sea::NodeId, at: usize) -> firm::NodeId {
        self.value(self.sea.input(id, at))
    }

    /// The value of `id`.
    pub fn value(&self, id: sea::NodeId) -> firm::NodeId {
        self.lowered[id].expect("the schedule puts inputs first")
    }

    /// A Return; the program may have several.
    fn end(&mut self, id: sea::NodeId) -> firm::NodeId {
        let value = self.input(id, 1);
        let operands = vec![self.memory, value];
        #[cfg(feature = "ch18")]
        let operands = self.with_words(operands);
        let mode = self.firm.value_mode(operands[1]);
        let end = self.add(firm::Op::Return, mode, &operands);
        self.returns.push(end);
        end
    }

    /// Adds the EndBlock, to which all Returns lead, and the End.
    pub fn finish(&mut self) {
        let block = self.firm.add_block(firm::Op::EndBlock, &self.returns);
        self.firm.add(firm::Op::End, Mode::X, block, &[]);
        #[cfg(feature = "ch07")]
        self.keep_infinite_loops();
    }

    pub fn constant(&mut self, value: i64) -> firm::NodeId {
        self.add(firm::Op::Const(value), self.integer, &[])
    }

    /// An address, or a number of bytes.
    #[cfg(feature = "ch10")]
    pub fn word(&mut self, value: i64) -> firm::NodeId {
        self.add(firm::Op::Const(value), Mode::Is, &[])
    }

    /// Adds a node to the current block, or to the StartBlock if it must be there.
    pub fn add(&mut self, op: firm::Op, mode: Mode, operands: &[firm::NodeId]) -> firm::NodeId {
        let is_pinned = op.row().block == firm::AllowedBlock::StartBlock;
        let block = if is_pinned { self.firm.start_block } else { self.block };
        self.firm.add(op, mode, block, operands)
    }
}

/// Arithmetic.
#[cfg(feature = "ch02")]
impl Lowering<'_> {
    /// An operation, guarded where it is undefined in Firm.
    fn arithmetic(&mut self, id: sea::NodeId, binary: Binary) -> firm::NodeId {
        match binary.row().traps {
            Traps::Never => self.binary(binary, self.input(id, 0), self.input(id, 1)),
            Traps::Quotient => self.division(id),
            #[cfg(feature = "ch17")]
            Traps::Remainder => self.remainder_of(id),
        }
    }

    pub fn binary(&mut self, binary: Binary, x: firm::NodeId, y: firm::NodeId) -> firm::NodeId {
        self.add(firm::Op::Binary(binary), self.firm.value_mode(x), &[x, y])
    }

    /// -x = 0 - x: Firm has no negation.
    pub fn negated(&mut self, x: firm::NodeId) -> firm::NodeId {
        let zero = self.constant(0);
        self.binary(Binary::Sub, zero, x)
    }

    /// Division, which never traps in Simple, by Firm's, which traps for 0 and for min / -1.
    fn division(&mut self, id: sea::NodeId) -> firm::NodeId {
        let (x, y) = (self.input(id, 0), self.input(id, 1));
        match self.known(id, 1) {
            Some(0) => self.constant(0),
            Some(-1) => self.negated(x),
            #[cfg(feature = "ch04")]
            None => self.guarded_division(id, x, y),
            _ => self.binary(Binary::Div, x, y),
        }
    }

    /// A remainder; that by 0 is the dividend, and that by -1 is 0.
    #[cfg(feature = "ch17")]
    fn remainder_of(&mut self, id: sea::NodeId) -> firm::NodeId {
        let (x, y) = (self.input(id, 0), self.input(id, 1));
        match self.known(id, 1) {
            Some(0) => x,
            Some(1 | -1) => self.constant(0),
            None => self.guarded_remainder(id, x, y),
            _ => self.binary(Binary::Mod, x, y),
        }
    }

    /// The value of the input of `id` at `at`, if its type is a constant.
    pub fn known(&self, id: sea::NodeId, at: usize) -> Option<i64> {
        self.sea.value(self.sea.input(id, at))
    }
}

/// Division by an unknown divisor, without a branch.
#[cfg(feature = "ch04")]
#[cfg(not(feature = "ch05"))]
impl Lowering<'_> {
    /// With z = (y = 0) and m = (y = -1), which are 0 or 1:
    ///
    /// x / y = (x · (1 - z)) / (y + z + 2m) · (1 - 2m)
    ///
    /// A divisor of 0 becomes 0 / 1, and -1 becomes 1 with the sign restored afterwards. If the
    /// dividend is not the smallest integer, division by -1 is defined, and m is left out.
    fn guarded_division(
        &mut self,
        id: sea::NodeId,
        x: firm::NodeId,
        y: firm::NodeId,
    ) -> firm::NodeId {
        let zero = self.equals(y, 0);
        let not_zero = self.compare(Relation::NotEqual, y, 0);
        let dividend = self.binary(Binary::Mul, x, not_zero);
        let divisor = self.binary(Binary::Add, y, zero);
        if self.known(id, 0).is_some_and(|x| x != self.sea.types.int.min()) {
            return self.binary(Binary::Div, dividend, divisor);
        }
        let minus_one = self.equals(y, -1);
        let twice = self.scaled(minus_one, 2);
        let divisor = self.binary(Binary::Add, divisor, twice);
        let quotient = self.binary(Binary::Div, dividend, divisor);
        let one = self.constant(1);
        let twice = self.scaled(minus_one, 2);
        let sign = self.binary(Binary::Sub, one, twice);
        self.binary(Binary::Mul, quotient, sign)
    }

    /// x = c, as 0 or 1.
    fn equals(&mut self, x: firm::NodeId, constant: i64) -> firm::NodeId {
        self.compare(Relation::Equal, x, constant)
    }

    fn scaled(&mut self, x: firm::NodeId, factor: i64) -> firm::NodeId {
        let factor = self.constant(factor);
        self.binary(Binary::Mul, x, factor)
    }
}

#[cfg(feature = "ch04")]
impl Lowering<'_> {
    pub fn compare(&mut self, relation: Relation, x: firm::NodeId, constant: i64) -> firm::NodeId {
        let constant = self.constant_like(x, constant);
        self.add(firm::Op::Cmp(relation), self.firm.value_mode(x), &[x, constant])
    }

    /// A constant of the mode of another value.
    pub fn constant_like(&mut self, other: firm::NodeId, constant: i64) -> firm::NodeId {
        self.add(firm::Op::Const(constant), self.firm.value_mode(other), &[])
    }
}
