//! What a Firm node can be, and everything about a kind of node that is data.
use super::mode::Mode;
#[cfg(feature = "ch02")]
use crate::arith::Binary;
#[cfg(feature = "ch04")]
use crate::arith::Relation;

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
    /// What the program is for: its end, and the blocks that are kept though no way leads from
    /// them to the end.
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
    /// The operand whose number is that of the way on which control came to its block.
    #[cfg(feature = "ch05")]
    Phi,
    /// Control goes to another block.
    #[cfg(feature = "ch05")]
    Jmp,
    /// Control goes to one block if the operand is 1, to another if it is 0.
    #[cfg(feature = "ch05")]
    Cond,
    /// Ends the program with a state of memory and a value.
    Return,
    /// The address of the symbol with this number.
    #[cfg(feature = "ch25")]
    SymConst(u32),
    /// The complement, bit by bit.
    #[cfg(feature = "ch25")]
    Not,
    /// What stands in memory at an address; also the state of memory behind it.
    #[cfg(feature = "ch25")]
    Load(Access),
    /// The state of memory when a value has been written to an address.
    #[cfg(feature = "ch25")]
    Store(Access),
    /// A state of memory that comes after several others.
    #[cfg(feature = "ch25")]
    Sync,
    /// Stands where something is missing: it was not there, or it has been removed.
    #[cfg(feature = "ch25")]
    Bad,
}

/// Whether others may see that memory is accessed.
#[cfg(feature = "ch25")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Access {
    #[default]
    Plain,
    Volatile,
}

/// Everything about a kind of node that is data.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub name: &'static str,
    /// The modes of the operands, in order; `None` where there may be any number of one mode.
    pub operands: &'static [Mode],
    /// Any number of further operands of this mode may follow.
    pub more: Option<Mode>,
    pub mode: Mode,
    /// Where the node may stand.
    pub place: Place,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// It is a block.
    Block,
    StartBlock,
    EndBlock,
    /// In any block but the last.
    Anywhere,
    /// Nowhere: it is not really there.
    #[cfg(feature = "ch25")]
    Nowhere,
}

impl Place {
    /// Whether it is inside of a block.
    #[cfg(feature = "ch05")]
    pub fn is_in_block(self) -> bool {
        matches!(self, Place::StartBlock | Place::EndBlock | Place::Anywhere)
    }
}

impl Op {
    /// One of each kind, whatever its attribute.
    pub const KINDS: &[Op] = &kinds();

    /// Whether only files bring it: no program of the language has it yet.
    #[cfg(feature = "ch25")]
    pub fn is_foreign(self) -> bool {
        match self {
            Op::Binary(binary) => binary.row().precedence == 0,
            Op::SymConst(_) | Op::Not | Op::Load(_) | Op::Store(_) | Op::Sync | Op::Bad => true,
            _ => false,
        }
    }

    /// Whether memory is read or written: the node stands for the state behind it, too.
    #[cfg(feature = "ch25")]
    pub fn accesses_memory(self) -> bool {
        matches!(self, Op::Load(_) | Op::Store(_))
    }

    /// The number it carries, if its kind carries one.
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
            #[cfg(feature = "ch25")]
            Op::SymConst(symbol) => Some(i64::from(symbol)),
            #[cfg(feature = "ch25")]
            Op::Not | Op::Load(_) | Op::Store(_) | Op::Sync | Op::Bad => None,
        }
    }

    /// Whether it carries a relation.
    pub fn has_relation(self) -> bool {
        match self {
            #[cfg(feature = "ch04")]
            Op::Cmp(_) => true,
            _ => false,
        }
    }

    /// The relation it carries; mirrored, if the operands are read in the other order.
    #[cfg(feature = "ch04")]
    pub fn relation(self, mirrored: bool) -> Option<Relation> {
        match self {
            Op::Cmp(relation) if mirrored => Some(relation.swapped()),
            Op::Cmp(relation) => Some(relation),
            _ => None,
        }
    }

    /// Whether its two operands may change places; for a comparison, with the relation mirrored.
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
            #[cfg(feature = "ch25")]
            Op::SymConst(_) | Op::Not | Op::Load(_) | Op::Store(_) | Op::Sync | Op::Bad => false,
        }
    }

    /// Whether instructions are made of it: it computes something, or it jumps.
    pub fn is_selected(self) -> bool {
        match self {
            Op::StartBlock | Op::EndBlock | Op::Start | Op::End => false,
            // What arrives with control is in a register already.
            #[cfg(feature = "ch05")]
            Op::Block | Op::Phi => false,
            #[cfg(feature = "ch04")]
            Op::Argument(_) | Op::Cmp(_) => true,
            #[cfg(feature = "ch02")]
            Op::Binary(_) => true,
            #[cfg(feature = "ch05")]
            Op::Jmp | Op::Cond => true,
            Op::Const(_) | Op::Return => true,
            #[cfg(feature = "ch25")]
            Op::SymConst(_) | Op::Not | Op::Load(_) | Op::Store(_) => true,
            // States of memory are not in registers.
            #[cfg(feature = "ch25")]
            Op::Sync | Op::Bad => false,
        }
    }

    pub fn row(self) -> Row {
        use Mode::*;
        let row = |name, operands, mode, place| Row { name, operands, more: None, mode, place };
        match self {
            Op::StartBlock => row("StartBlock", &[], BB, Place::Block),
            Op::EndBlock => Row { more: Some(X), ..row("EndBlock", &[], BB, Place::Block) },
            #[cfg(feature = "ch05")]
            Op::Block => Row { more: Some(X), ..row("Block", &[], BB, Place::Block) },
            Op::Start => row("Start", &[], M, Place::StartBlock),
            Op::End => Row { more: Some(BB), ..row("End", &[], X, Place::EndBlock) },
            #[cfg(feature = "ch04")]
            Op::Argument(_) => row("Argument", &[M], Is, Place::StartBlock),
            Op::Const(_) => row("Const", &[], Is, Place::StartBlock),
            #[cfg(feature = "ch02")]
            Op::Binary(binary) => row(binary.row().name, &[Is, Is], Is, Place::Anywhere),
            #[cfg(feature = "ch04")]
            Op::Cmp(_) => row("Cmp", &[Is, Is], Is, Place::Anywhere),
            #[cfg(feature = "ch05")]
            Op::Phi => Row { more: Some(Is), ..row("Phi", &[], Is, Place::Anywhere) },
            #[cfg(feature = "ch05")]
            Op::Jmp => row("Jmp", &[], X, Place::Anywhere),
            #[cfg(feature = "ch05")]
            Op::Cond => row("Cond", &[Is], X, Place::Anywhere),
            Op::Return => row("Return", &[M, Is], X, Place::Anywhere),
            #[cfg(feature = "ch25")]
            Op::SymConst(_) => row("SymConst", &[], Is, Place::StartBlock),
            #[cfg(feature = "ch25")]
            Op::Not => row("Not", &[Is], Is, Place::Anywhere),
            #[cfg(feature = "ch25")]
            Op::Load(_) => row("Load", &[M, Is], Is, Place::Anywhere),
            #[cfg(feature = "ch25")]
            Op::Store(_) => row("Store", &[M, Is, Is], M, Place::Anywhere),
            #[cfg(feature = "ch25")]
            Op::Sync => Row { more: Some(M), ..row("Sync", &[], M, Place::Anywhere) },
            #[cfg(feature = "ch25")]
            Op::Bad => row("Bad", &[], BB, Place::Nowhere),
        }
    }
}

/// All kinds, list after list.
const fn kinds() -> [Op; count()] {
    let mut kinds = [Op::Start; count()];
    let (mut at, mut list, mut of_list) = (0, 0, 0);
    while at < kinds.len() {
        if of_list < LISTS[list].len() {
            kinds[at] = LISTS[list][of_list];
            (at, of_list) = (at + 1, of_list + 1);
        } else {
            (list, of_list) = (list + 1, 0);
        }
    }
    kinds
}

/// How many there are.
const fn count() -> usize {
    let (mut count, mut list) = (0, 0);
    while list < LISTS.len() {
        (count, list) = (count + LISTS[list].len(), list + 1);
    }
    count
}

const LISTS: &[&[Op]] = &[
    OTHERS,
    #[cfg(feature = "ch02")]
    &ARITHMETIC,
];

/// One for each row of the operators.
#[cfg(feature = "ch02")]
const ARITHMETIC: [Op; Binary::COUNT] = {
    let mut kinds = [Op::Start; Binary::COUNT];
    let mut at = 0;
    while at < kinds.len() {
        (kinds[at], at) = (Op::Binary(Binary::at(at)), at + 1);
    }
    kinds
};

/// What is no arithmetic.
const OTHERS: &[Op] = &[
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
    Op::Return,
    #[cfg(feature = "ch25")]
    Op::SymConst(0),
    #[cfg(feature = "ch25")]
    Op::Not,
    #[cfg(feature = "ch25")]
    Op::Load(Access::Plain),
    #[cfg(feature = "ch25")]
    Op::Store(Access::Plain),
    #[cfg(feature = "ch25")]
    Op::Sync,
    #[cfg(feature = "ch25")]
    Op::Bad,
];
