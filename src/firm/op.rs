//! The operations of Firm, and everything about an operation that is data.
use super::mode::Mode;
#[cfg(feature = "ch04")]
use super::mode::Values;
#[cfg(feature = "ch02")]
use crate::arith::Binary;
#[cfg(feature = "ch04")]
use crate::arith::Relation;
#[cfg(feature = "ch12")]
use crate::floats;

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
    #[cfg(feature = "ch29")]
    Mux,
    /// Ends the function with a state of memory and a value.
    Return,
    /// The address of the symbol with this number.
    #[cfg(feature = "ch14")]
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
    /// The operand as a number of this mode.
    /// @ch14 If the mode of the node is F, the operand is rounded to 32 bits.
    #[cfg(feature = "ch12")]
    Conv(Mode),
    /// The state of memory after several others.
    #[cfg(feature = "ch25")]
    Sync,
    /// The place of a node that is missing or was removed.
    #[cfg(feature = "ch25")]
    Bad,
    /// The first result of the function at an address, which returns this number of words. The
    /// further operands are its arguments. It is also the state of memory after the call.
    /// @ch15 A known function that returns no word does not return.
    #[cfg(feature = "ch14")]
    Call(u32),
    /// The result of a call with this number. Number 0 is the call itself.
    #[cfg(feature = "ch14")]
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
    /// The modes that a node of this kind may have.
    pub modes: &'static [Mode],
    /// The modes of the operands, in order.
    pub operands: &'static [RowMode],
    /// Any number of further operands of this mode may follow.
    pub more: Option<RowMode>,
    /// The mode of its value.
    pub value: RowMode,
    pub block: AllowedBlock,
}

/// The mode of an operand or of a value.
#[derive(Clone, Copy, Debug)]
pub enum RowMode {
    /// That of the node.
    /// @ch14 That of the node; for a number in memory, that of a register with this number.
    Own,
    Fixed(Mode),
}

impl RowMode {
    /// The mode, for a node of mode `own`.
    #[inline]
    pub fn of(self, own: Mode) -> Mode {
        #[cfg(feature = "ch14")]
        let own = own.in_register();
        if let RowMode::Fixed(mode) = self { mode } else { own }
    }
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
    #[cfg(feature = "ch02")]
    pub fn kinds() -> impl Iterator<Item = Op> {
        let kinds = KINDS.iter().copied();
        kinds.chain((0..Binary::COUNT).map(|at| Op::Binary(Binary::at(at))))
    }

    /// The position of its kind in `kinds`.
    #[cfg(feature = "ch02")]
    pub fn kind(self) -> usize {
        if let Op::Binary(binary) = self {
            return KINDS.len() + binary as usize;
        }
        let own = std::mem::discriminant(&self);
        let known = KINDS.iter().position(|other| std::mem::discriminant(other) == own);
        known.expect("every operation is of a kind")
    }

    /// Its name, followed by the mode if that is not its first one.
    #[cfg(feature = "ch04")]
    pub fn name_in(self, mode: Mode) -> String {
        let Row { name, modes, .. } = self.row();
        if mode == modes[0] { name.to_string() } else { format!("{name}:{}", mode.name()) }
    }

    /// The mode of the value of a node of mode `own`.
    pub fn value_mode(self, own: Mode) -> Mode {
        self.row().value.of(own)
    }

    pub fn is_block(self) -> bool {
        self.row().block == AllowedBlock::Itself
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
        #[cfg(feature = "ch14")]
        if let Op::Call(_) = self {
            return true;
        }
        self.is_load() || self.is_store()
    }

    /// Whether it yields a value from memory.
    #[cfg(feature = "ch10")]
    pub fn is_load(self) -> bool {
        matches!(self, Op::Load(_))
    }

    /// Whether it writes a value to memory.
    #[cfg(feature = "ch10")]
    pub fn is_store(self) -> bool {
        matches!(self, Op::Store(_))
    }

    /// Its number, if its kind has one.
    #[cfg(feature = "ch02")]
    pub fn number(self) -> Option<i64> {
        match self {
            Op::Const(value) => Some(value),
            #[cfg(feature = "ch04")]
            Op::Argument(index) => Some(i64::from(index)),
            #[cfg(feature = "ch14")]
            Op::SymConst(symbol) => Some(i64::from(symbol)),
            #[cfg(feature = "ch14")]
            Op::Call(count) | Op::Result(count) => Some(i64::from(count)),
            _ => None,
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

    /// Whether its two operands may be swapped; for a comparison, with the relation mirrored. That
    /// of floats has no mirrored relation.
    #[cfg(feature = "ch02")]
    pub fn commutes(self, mode: Mode) -> bool {
        match self {
            Op::Binary(binary) => mode.values().commute(binary),
            #[cfg(feature = "ch04")]
            Op::Cmp(_) => matches!(mode.values(), Values::Integers(_)),
            _ => false,
        }
    }

    /// Whether instructions are selected for it: it computes a value, or it jumps.
    #[cfg(feature = "ch02")]
    pub fn is_selected(self) -> bool {
        match self {
            Op::Start | Op::End => false,
            // A Phi's value is in a register when the block is entered.
            #[cfg(feature = "ch05")]
            Op::Phi => false,
            // States of memory are not in registers.
            #[cfg(feature = "ch25")]
            Op::Sync | Op::Bad => false,
            // The call puts it into a register.
            #[cfg(feature = "ch14")]
            Op::Result(_) => false,
            _ => !self.is_block(),
        }
    }

    /// Inlined, so that only the columns that are read are computed.
    #[inline(always)]
    pub fn row(self) -> Row {
        use AllowedBlock::{Any, EndBlock, Itself, StartBlock};
        use Mode::*;
        use RowMode::{Fixed, Own};
        let row = |name, modes, operands, block| Row {
            name,
            modes,
            operands,
            more: None,
            value: Own,
            block,
        };
        match self {
            Op::StartBlock => row("StartBlock", &[BB], &[], Itself),
            Op::EndBlock => Row { more: Some(Fixed(X)), ..row("EndBlock", &[BB], &[], Itself) },
            #[cfg(feature = "ch05")]
            Op::Block => Row { more: Some(Fixed(X)), ..row("Block", &[BB], &[], Itself) },
            Op::Start => row("Start", &[M], &[], StartBlock),
            Op::End => Row { more: Some(Fixed(BB)), ..row("End", &[X], &[], EndBlock) },
            #[cfg(feature = "ch04")]
            Op::Argument(_) => row("Argument", PASSED, &[Fixed(M)], StartBlock),
            Op::Const(_) => row("Const", NUMBERS, &[], StartBlock),
            // Floats have only some of the operators.
            #[cfg(feature = "ch12")]
            Op::Binary(binary) if floats::arithmetic(binary).is_none() => {
                row(binary.row().name, INTEGERS, &[Own, Own], Any)
            }
            #[cfg(feature = "ch02")]
            Op::Binary(binary) => row(binary.row().name, NUMBERS, &[Own, Own], Any),
            #[cfg(feature = "ch04")]
            Op::Cmp(_) => Row { value: Fixed(Is), ..row("Cmp", NUMBERS, &[Own, Own], Any) },
            #[cfg(feature = "ch05")]
            Op::Phi => Row { more: Some(Own), ..row("Phi", PHI_MODES, &[], Any) },
            #[cfg(feature = "ch05")]
            Op::Jmp => row("Jmp", &[X], &[], Any),
            #[cfg(feature = "ch05")]
            Op::Cond => row("Cond", &[X], &[Fixed(Is)], Any),
            #[cfg(feature = "ch29")]
            Op::Mux => row("Mux", INTEGERS, &[Fixed(Is), Own, Own], Any),
            Op::Return => Row { value: Fixed(X), ..row("Return", NUMBERS, &[Fixed(M), Own], Any) },
            #[cfg(feature = "ch14")]
            Op::SymConst(_) => row("SymConst", &[Is], &[], StartBlock),
            #[cfg(feature = "ch25")]
            Op::Not => row("Not", &[Is], &[Own], Any),
            #[cfg(feature = "ch10")]
            Op::Load(_) => row("Load", LOADED, ADDRESSED, Any),
            #[cfg(feature = "ch10")]
            Op::Store(_) => Row { value: Fixed(M), ..row("Store", STORED, STORE_OPERANDS, Any) },
            #[cfg(feature = "ch12")]
            Op::Conv(to) => Row { value: Fixed(to), ..row("Conv", CONVERTED, &[Own], Any) },
            #[cfg(feature = "ch25")]
            Op::Sync => Row { more: Some(Own), ..row("Sync", &[M], &[], Any) },
            #[cfg(feature = "ch25")]
            Op::Bad => row("Bad", &[BB], &[], AllowedBlock::None),
            #[cfg(feature = "ch14")]
            Op::Call(_) => Row { more: Some(Own), ..row("Call", RETURNED, ADDRESSED, Any) },
            #[cfg(feature = "ch14")]
            Op::Result(_) => row("Result", &[Is], &[Own], Any),
        }
    }
}

/// The operands of a load and of a call: memory and an address.
#[cfg(feature = "ch10")]
const ADDRESSED: &[RowMode] = &[RowMode::Fixed(Mode::M), RowMode::Fixed(Mode::Is)];

/// The operands of a store: memory, an address, and the number.
#[cfg(feature = "ch10")]
const STORE_OPERANDS: &[RowMode] =
    &[RowMode::Fixed(Mode::M), RowMode::Fixed(Mode::Is), RowMode::Own];

/// The modes of numbers that are loaded from memory.
#[cfg(feature = "ch10")]
const LOADED: &[Mode] = &[
    Mode::Is,
    #[cfg(feature = "ch14")]
    Mode::Ls,
    #[cfg(feature = "ch12")]
    Mode::D,
    #[cfg(feature = "ch14")]
    Mode::F,
    #[cfg(feature = "ch14")]
    Mode::Bs,
    #[cfg(feature = "ch14")]
    Mode::Bu,
    #[cfg(feature = "ch14")]
    Mode::Hs,
    #[cfg(feature = "ch14")]
    Mode::Hu,
];

/// The modes of numbers that are stored.
/// @ch14 A narrow one has no sign: its bits are the same with one. A float of 32 bits is rounded.
#[cfg(feature = "ch10")]
const STORED: &[Mode] = &[
    Mode::Is,
    #[cfg(feature = "ch14")]
    Mode::Ls,
    #[cfg(feature = "ch12")]
    Mode::D,
    #[cfg(feature = "ch14")]
    Mode::F,
    #[cfg(feature = "ch14")]
    Mode::Bu,
    #[cfg(feature = "ch14")]
    Mode::Hu,
];

/// The modes of integers.
#[cfg(feature = "ch12")]
const INTEGERS: &[Mode] = &[
    Mode::Is,
    #[cfg(feature = "ch14")]
    Mode::Ls,
];

/// The modes of arguments.
#[cfg(feature = "ch04")]
const PASSED: &[Mode] = &[
    Mode::Is,
    #[cfg(feature = "ch14")]
    Mode::Ls,
    #[cfg(feature = "ch18")]
    Mode::D,
];

/// The modes of the first result of a call.
#[cfg(feature = "ch14")]
const RETURNED: &[Mode] = &[
    Mode::Is,
    #[cfg(feature = "ch18")]
    Mode::D,
];

/// The modes of numbers that are converted.
#[cfg(feature = "ch12")]
const CONVERTED: &[Mode] = &[
    Mode::Is,
    #[cfg(feature = "ch14")]
    Mode::Ls,
    #[cfg(feature = "ch14")]
    Mode::F,
];

/// The modes of numbers.
const NUMBERS: &[Mode] = &[
    Mode::Is,
    #[cfg(feature = "ch14")]
    Mode::Ls,
    #[cfg(feature = "ch12")]
    Mode::D,
];

/// A Phi selects a value or a state of memory.
#[cfg(feature = "ch05")]
const PHI_MODES: &[Mode] = &[
    Mode::Is,
    #[cfg(feature = "ch14")]
    Mode::Ls,
    #[cfg(feature = "ch10")]
    Mode::M,
    #[cfg(feature = "ch12")]
    Mode::D,
];

/// One operation of each kind but arithmetic.
#[cfg(feature = "ch02")]
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
    #[cfg(feature = "ch29")]
    Op::Mux,
    Op::Return,
    #[cfg(feature = "ch14")]
    Op::SymConst(0),
    #[cfg(feature = "ch25")]
    Op::Not,
    #[cfg(feature = "ch10")]
    Op::Load(Access::Plain),
    #[cfg(feature = "ch10")]
    Op::Store(Access::Plain),
    #[cfg(feature = "ch12")]
    Op::Conv(Mode::D),
    #[cfg(feature = "ch25")]
    Op::Sync,
    #[cfg(feature = "ch25")]
    Op::Bad,
    #[cfg(feature = "ch14")]
    Op::Call(1),
    #[cfg(feature = "ch14")]
    Op::Result(1),
];
