//! The operations of Firm, and everything about an operation that is data.
use super::mode::Mode;
#[cfg(feature = "ch02")]
use crate::arith::Binary;
#[cfg(feature = "ch04")]
use crate::arith::Relation;
#[cfg(feature = "ch12")]
use crate::floats::FloatOp;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// The block where the program begins; holds Start, Argument and Const.
    StartBlock,
    /// The block where it ends; its predecessors are the Returns.
    EndBlock,
    /// Any other block; its predecessors are the jumps that lead to it.
    #[cfg(feature = "ch05")]
    Block,
    /// The state of memory before the program.
    Start,
    /// The end of the program; it keeps the infinite loops, from which no path leads to it.
    End,
    /// The argument with this number.
    #[cfg(feature = "ch04")]
    Argument(u32),
    Const(i64),
    /// Division is undefined for a divisor of 0 and for the smallest integer by -1.
    #[cfg(feature = "ch02")]
    Binary(Binary),
    /// 1 where the relation holds, 0 elsewhere.
    #[cfg(feature = "ch04")]
    Cmp(Relation),
    /// The operand with the number of the predecessor from which control entered the block.
    #[cfg(feature = "ch05")]
    Phi,
    /// Jumps to another block.
    #[cfg(feature = "ch05")]
    Jmp,
    /// Jumps to one block if the operand is 1, to another if it is 0.
    #[cfg(feature = "ch05")]
    Cond,
    /// The second operand if the first is 0, else the third.
    #[cfg(feature = "ch20")]
    Mux,
    /// Ends the function with a state of memory and a value.
    Return,
    /// The address of the symbol with this number.
    #[cfg(feature = "ch25")]
    SymConst(u32),
    /// The complement, bit by bit.
    #[cfg(feature = "ch25")]
    Not,
    /// The value in memory at an address; also the state of memory after it.
    #[cfg(feature = "ch10")]
    Load(Access),
    /// The state of memory after a value was written to an address.
    #[cfg(feature = "ch10")]
    Store(Access),
    /// An operation with floating-point numbers.
    #[cfg(feature = "ch12")]
    Float(Float),
    /// The state of memory after several others.
    #[cfg(feature = "ch25")]
    Sync,
    /// The place of a node that is missing or was removed.
    #[cfg(feature = "ch25")]
    Bad,
    /// The first result of the function at an address, which returns this number of words. The
    /// further operands are its arguments. It is also the state of memory after the call.
    #[cfg(feature = "ch26")]
    Call(u32),
    /// The result of a call with this number. Number 0 is the call itself.
    #[cfg(feature = "ch26")]
    Result(u32),
}

/// Whether a memory access is visible from outside of the program.
#[cfg(feature = "ch10")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Access {
    #[default]
    Plain,
    #[cfg(feature = "ch25")]
    Volatile,
}

/// Everything about an operation that is data.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub name: &'static str,
    /// The modes of the operands, in order.
    pub operands: &'static [Mode],
    /// Any number of further operands of this mode may follow.
    pub more: Option<Mode>,
    /// The modes that a node of this kind may have.
    pub modes: &'static [Mode],
    pub block: AllowedBlock,
}

/// The blocks in which a node may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AllowedBlock {
    /// It is a block itself.
    Itself,
    StartBlock,
    EndBlock,
    /// Any block but the EndBlock.
    Any,
    /// None: the node is missing.
    #[cfg(feature = "ch25")]
    None,
}

impl Op {
    /// One operation of each kind, with any attribute.
    pub fn kinds() -> impl Iterator<Item = Op> {
        let kinds = KINDS.iter().copied();
        #[cfg(feature = "ch02")]
        let kinds = kinds.chain((0..Binary::COUNT).map(|at| Op::Binary(Binary::at(at))));
        #[cfg(feature = "ch12")]
        let kinds = kinds.chain(Float::kinds().map(Op::Float));
        kinds
    }

    /// The position of its kind in `kinds`.
    pub fn kind(self) -> usize {
        #[cfg(feature = "ch02")]
        if let Op::Binary(binary) = self {
            return KINDS.len() + binary as usize;
        }
        #[cfg(feature = "ch12")]
        if let Op::Float(float) = self {
            return KINDS.len() + Binary::COUNT + float.kind();
        }
        let own = std::mem::discriminant(&self);
        let known = KINDS.iter().position(|other| std::mem::discriminant(other) == own);
        known.expect("every operation is of a kind")
    }

    pub fn is_block(self) -> bool {
        self.row().block == AllowedBlock::Itself
    }

    /// Whether it ends the function.
    #[cfg(feature = "ch05")]
    pub fn is_return(self) -> bool {
        #[cfg(feature = "ch12")]
        if self == Op::Float(Float::Return) {
            return true;
        }
        self == Op::Return
    }

    /// Whether nodes of this kind are inside of a block.
    #[cfg(feature = "ch05")]
    pub fn is_in_block(self) -> bool {
        use AllowedBlock::*;
        matches!(self.row().block, StartBlock | EndBlock | Any)
    }

    /// Whether memory is read or written: the node is also the state of memory after it.
    #[cfg(feature = "ch10")]
    pub fn accesses_memory(self) -> bool {
        #[cfg(feature = "ch26")]
        if let Op::Call(_) = self {
            return true;
        }
        self.is_load() || self.is_store()
    }

    /// Whether it yields a value from memory.
    #[cfg(feature = "ch10")]
    pub fn is_load(self) -> bool {
        #[cfg(feature = "ch12")]
        if self == Op::Float(Float::Load) {
            return true;
        }
        matches!(self, Op::Load(_))
    }

    /// Whether it writes a value to memory.
    #[cfg(feature = "ch10")]
    pub fn is_store(self) -> bool {
        #[cfg(feature = "ch12")]
        if self == Op::Float(Float::Store) {
            return true;
        }
        matches!(self, Op::Store(_))
    }

    /// Its number, if its kind has one.
    pub fn number(self) -> Option<i64> {
        match self {
            Op::Const(value) => Some(value),
            #[cfg(feature = "ch04")]
            Op::Argument(index) => Some(i64::from(index)),
            Op::StartBlock | Op::EndBlock | Op::Start | Op::End | Op::Return => None,
            #[cfg(feature = "ch02")]
            Op::Binary(_) => None,
            #[cfg(feature = "ch04")]
            Op::Cmp(_) => None,
            #[cfg(feature = "ch05")]
            Op::Block | Op::Phi | Op::Jmp | Op::Cond => None,
            #[cfg(feature = "ch20")]
            Op::Mux => None,
            #[cfg(feature = "ch25")]
            Op::SymConst(symbol) => Some(i64::from(symbol)),
            #[cfg(feature = "ch10")]
            Op::Load(_) | Op::Store(_) => None,
            #[cfg(feature = "ch12")]
            Op::Float(float) => float.number(),
            #[cfg(feature = "ch25")]
            Op::Not | Op::Sync | Op::Bad => None,
            #[cfg(feature = "ch26")]
            Op::Call(count) | Op::Result(count) => Some(i64::from(count)),
        }
    }

    /// Whether it has a relation.
    #[cfg(feature = "ch04")]
    pub fn has_relation(self) -> bool {
        matches!(self, Op::Cmp(_))
    }

    /// Its relation; mirrored, if the operands are read in the other order.
    #[cfg(feature = "ch04")]
    pub fn relation(self, mirrored: bool) -> Option<Relation> {
        match self {
            Op::Cmp(relation) if mirrored => Some(relation.swapped()),
            Op::Cmp(relation) => Some(relation),
            _ => None,
        }
    }

    /// Whether its two operands may be swapped; for a comparison, with the relation mirrored.
    #[cfg(feature = "ch02")]
    pub fn commutes(self) -> bool {
        match self {
            #[cfg(feature = "ch02")]
            Op::Binary(binary) => binary.row().commutes,
            #[cfg(feature = "ch04")]
            Op::Cmp(_) => true,
            #[cfg(feature = "ch04")]
            Op::Argument(_) => false,
            Op::StartBlock | Op::EndBlock | Op::Start | Op::End | Op::Return | Op::Const(_) => {
                false
            }
            #[cfg(feature = "ch05")]
            Op::Block | Op::Phi | Op::Jmp | Op::Cond => false,
            #[cfg(feature = "ch20")]
            Op::Mux => false,
            #[cfg(feature = "ch10")]
            Op::Load(_) | Op::Store(_) => false,
            #[cfg(feature = "ch12")]
            Op::Float(float) => float.commutes(),
            #[cfg(feature = "ch25")]
            Op::SymConst(_) | Op::Not | Op::Sync | Op::Bad => false,
            #[cfg(feature = "ch26")]
            Op::Call(_) | Op::Result(_) => false,
        }
    }

    /// Whether instructions are selected for it: it computes a value, or it jumps.
    pub fn is_selected(self) -> bool {
        match self {
            Op::StartBlock | Op::EndBlock | Op::Start | Op::End => false,
            // A Phi's value is in a register when the block is entered.
            #[cfg(feature = "ch05")]
            Op::Block | Op::Phi => false,
            #[cfg(feature = "ch04")]
            Op::Argument(_) | Op::Cmp(_) => true,
            #[cfg(feature = "ch02")]
            Op::Binary(_) => true,
            #[cfg(feature = "ch05")]
            Op::Jmp | Op::Cond => true,
            #[cfg(feature = "ch20")]
            Op::Mux => true,
            Op::Const(_) | Op::Return => true,
            #[cfg(feature = "ch10")]
            Op::Load(_) | Op::Store(_) => true,
            #[cfg(feature = "ch12")]
            Op::Float(float) => float.is_selected(),
            #[cfg(feature = "ch25")]
            Op::SymConst(_) | Op::Not => true,
            // States of memory are not in registers.
            #[cfg(feature = "ch25")]
            Op::Sync | Op::Bad => false,
            #[cfg(feature = "ch26")]
            Op::Call(_) => true,
            // The call puts it into a register.
            #[cfg(feature = "ch26")]
            Op::Result(_) => false,
        }
    }

    /// Inlined, so that only the columns that are read are computed.
    #[inline(always)]
    pub fn row(self) -> Row {
        use Mode::*;
        let row = |name, operands, modes, block| Row { name, operands, more: None, modes, block };
        match self {
            Op::StartBlock => row("StartBlock", &[], &[BB], AllowedBlock::Itself),
            Op::EndBlock => {
                Row { more: Some(X), ..row("EndBlock", &[], &[BB], AllowedBlock::Itself) }
            }
            #[cfg(feature = "ch05")]
            Op::Block => Row { more: Some(X), ..row("Block", &[], &[BB], AllowedBlock::Itself) },
            Op::Start => row("Start", &[], &[M], AllowedBlock::StartBlock),
            Op::End => Row { more: Some(BB), ..row("End", &[], &[X], AllowedBlock::EndBlock) },
            #[cfg(feature = "ch04")]
            Op::Argument(_) => row("Argument", &[M], &[Is], AllowedBlock::StartBlock),
            Op::Const(_) => row("Const", &[], &[Is], AllowedBlock::StartBlock),
            #[cfg(feature = "ch02")]
            Op::Binary(binary) => row(binary.row().name, &[Is, Is], &[Is], AllowedBlock::Any),
            #[cfg(feature = "ch04")]
            Op::Cmp(_) => row("Cmp", &[Is, Is], &[Is], AllowedBlock::Any),
            #[cfg(feature = "ch05")]
            Op::Phi => Row { more: Some(Is), ..row("Phi", &[], PHI_MODES, AllowedBlock::Any) },
            #[cfg(feature = "ch05")]
            Op::Jmp => row("Jmp", &[], &[X], AllowedBlock::Any),
            #[cfg(feature = "ch05")]
            Op::Cond => row("Cond", &[Is], &[X], AllowedBlock::Any),
            #[cfg(feature = "ch20")]
            Op::Mux => row("Mux", &[Is, Is, Is], &[Is], AllowedBlock::Any),
            Op::Return => row("Return", &[M, Is], &[X], AllowedBlock::Any),
            #[cfg(feature = "ch25")]
            Op::SymConst(_) => row("SymConst", &[], &[Is], AllowedBlock::StartBlock),
            #[cfg(feature = "ch25")]
            Op::Not => row("Not", &[Is], &[Is], AllowedBlock::Any),
            #[cfg(feature = "ch10")]
            Op::Load(_) => row("Load", &[M, Is], &[Is], AllowedBlock::Any),
            #[cfg(feature = "ch10")]
            Op::Store(_) => row("Store", &[M, Is, Is], &[M], AllowedBlock::Any),
            #[cfg(feature = "ch12")]
            Op::Float(float) => float.row(),
            #[cfg(feature = "ch25")]
            Op::Sync => Row { more: Some(M), ..row("Sync", &[], &[M], AllowedBlock::Any) },
            #[cfg(feature = "ch25")]
            Op::Bad => row("Bad", &[], &[BB], AllowedBlock::None),
            #[cfg(feature = "ch26")]
            Op::Call(_) => {
                Row { more: Some(Is), ..row("Call", &[M, Is], &[Is], AllowedBlock::Any) }
            }
            #[cfg(feature = "ch26")]
            Op::Result(_) => row("Result", &[Is], &[Is], AllowedBlock::Any),
        }
    }
}

/// A Phi selects a value or a state of memory.
#[cfg(feature = "ch05")]
const PHI_MODES: &[Mode] = &[
    Mode::Is,
    #[cfg(feature = "ch10")]
    Mode::M,
    #[cfg(feature = "ch12")]
    Mode::D,
];

/// One operation of each kind but arithmetic.
const KINDS: &[Op] = &[
    Op::StartBlock,
    Op::EndBlock,
    #[cfg(feature = "ch05")]
    Op::Block,
    Op::Start,
    Op::End,
    #[cfg(feature = "ch04")]
    Op::Argument(0),
    Op::Const(0),
    #[cfg(feature = "ch04")]
    Op::Cmp(Relation::Equal),
    #[cfg(feature = "ch05")]
    Op::Phi,
    #[cfg(feature = "ch05")]
    Op::Jmp,
    #[cfg(feature = "ch05")]
    Op::Cond,
    #[cfg(feature = "ch20")]
    Op::Mux,
    Op::Return,
    #[cfg(feature = "ch25")]
    Op::SymConst(0),
    #[cfg(feature = "ch25")]
    Op::Not,
    #[cfg(feature = "ch10")]
    Op::Load(Access::Plain),
    #[cfg(feature = "ch10")]
    Op::Store(Access::Plain),
    #[cfg(feature = "ch25")]
    Op::Sync,
    #[cfg(feature = "ch25")]
    Op::Bad,
    #[cfg(feature = "ch26")]
    Op::Call(1),
    #[cfg(feature = "ch26")]
    Op::Result(1),
];

/// An operation with floating-point numbers, in mode D.
///
/// They are operations of their own, so that no rule for integers matches them, and each operand of
/// each operation has one mode.
#[cfg(feature = "ch12")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Float {
    /// The number with these bits.
    Const(i64),
    Compute(FloatOp),
    /// The number in memory at an address; also the state of memory after it.
    Load,
    /// The state of memory after a number was written to an address.
    Store,
    /// Ends the function with a state of memory and a number.
    Return,
}

#[cfg(feature = "ch12")]
impl Float {
    /// One operation of each kind, with any attribute.
    pub fn kinds() -> impl Iterator<Item = Float> {
        let others = [Float::Const(0), Float::Load, Float::Store, Float::Return];
        others.into_iter().chain(FloatOp::all().map(Float::Compute))
    }

    /// The position of its kind in `kinds`.
    fn kind(self) -> usize {
        match self {
            Float::Const(_) => 0,
            Float::Load => 1,
            Float::Store => 2,
            Float::Return => 3,
            Float::Compute(op) => 4 + op as usize,
        }
    }

    pub fn row(self) -> Row {
        use Mode::{D, Is, M, X};
        let row = |name, operands, modes, block| Row { name, operands, more: None, modes, block };
        match self {
            Float::Const(_) => row("ConstF", &[], &[D], AllowedBlock::StartBlock),
            Float::Compute(op) => row(op.row().name, operands(op), modes(op), AllowedBlock::Any),
            Float::Load => row("LoadF", &[M, Is], &[D], AllowedBlock::Any),
            Float::Store => row("StoreF", &[M, Is, D], &[M], AllowedBlock::Any),
            Float::Return => row("ReturnF", &[M, D], &[X], AllowedBlock::Any),
        }
    }

    pub fn number(self) -> Option<i64> {
        let Float::Const(bits) = self else { return None };
        Some(bits)
    }

    pub fn commutes(self) -> bool {
        matches!(self, Float::Compute(op) if op.commutes())
    }

    /// Whether programs may have it. -x becomes -0 - x.
    pub fn is_selected(self) -> bool {
        self != Float::Compute(FloatOp::Minus)
    }
}

#[cfg(feature = "ch12")]
fn operands(op: FloatOp) -> &'static [Mode] {
    match (op, op.row().operands) {
        (FloatOp::FromInteger, _) => &[Mode::Is],
        (_, 1) => &[Mode::D],
        (_, _) => &[Mode::D, Mode::D],
    }
}

#[cfg(feature = "ch12")]
fn modes(op: FloatOp) -> &'static [Mode] {
    if op.row().is_relation { &[Mode::Is] } else { &[Mode::D] }
}
