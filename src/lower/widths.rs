//! Integers of the language that have two words, and those of one word: in memory, in addresses,
//! and as arguments and results.
//!
//! Arithmetic has the mode of an `int`. A value is converted where it comes from a word or where
//! only its lowest bits are used; legalization makes words of all modes, so that a conversion costs
//! nothing where one word is enough.
use super::lowering::Lowering;
use crate::arith::{Binary, Interval, WORD};
use crate::firm::{Mode, Signature};
use crate::types::{Type, Types};
use crate::{firm, sea};

/// The mode of the result of the program.
pub fn mode_of_result(graph: &sea::Graph) -> Mode {
    match graph.result {
        Type::FLOAT => Mode::D,
        result if words(&graph.types, result) == 2 => Mode::Ls,
        _ => Mode::Is,
    }
}

/// The graph with the signature of the program, whose argument is an `int`.
pub fn with_signature(mut firm: firm::Graph, graph: &sea::Graph) -> firm::Graph {
    let parameters = words(&graph.types, Type::INTEGER);
    let results = if mode_of_result(graph) == Mode::Ls { 2 } else { 1 };
    firm.signature = Signature::new(parameters, results);
    firm
}

/// The number of words that a value of a type has as an argument or a result.
pub fn words(types: &Types, of: Type) -> u32 {
    match types.interval_of(of) {
        Some(values) => 1 + u32::from(!fits_word(values)),
        None => 1 + u32::from(of == Type::FLOAT),
    }
}

fn fits_word(values: Interval) -> bool {
    let is_signed = WORD.min() <= values.min && values.max <= WORD.max();
    is_signed || (0 <= values.min && values.max <= WORD.mask())
}

impl Lowering<'_> {
    /// The lowest word of an integer.
    pub fn word_of(&mut self, value: firm::NodeId) -> firm::NodeId {
        match self.firm.op(value) {
            _ if self.firm.value_mode(value) != Mode::Ls => value,
            firm::Op::Const(number) => self.add(firm::Op::Const(WORD.wrap(number)), Mode::Is, &[]),
            firm::Op::Conv(_) => self.firm.operands(value)[0],
            _ => self.add(firm::Op::Conv(Mode::Is), Mode::Ls, &[value]),
        }
    }

    /// The lowest bits of an integer, in the mode of another one.
    pub fn in_mode_of(&mut self, other: firm::NodeId, value: firm::NodeId) -> firm::NodeId {
        match self.firm.value_mode(other) {
            Mode::Is => self.word_of(value),
            _ => value,
        }
    }

    /// A word as an integer of the language.
    pub fn extended(&mut self, word: firm::NodeId) -> firm::NodeId {
        if self.firm.value_mode(word) == self.integer {
            return word;
        }
        self.add(firm::Op::Conv(self.integer), Mode::Is, &[word])
    }

    /// The integer of a type whose lowest bits are a word.
    pub fn integer_of_word(&mut self, word: firm::NodeId, of: Interval) -> firm::NodeId {
        let value = self.extended(word);
        if of.max <= WORD.max() || self.integer != Mode::Ls {
            return value;
        }
        let mask = self.constant(WORD.mask());
        self.binary(Binary::And, value, mask)
    }

    /// The words of an integer, the low one first.
    #[cfg(feature = "ch15")]
    pub fn words_of(&mut self, value: firm::NodeId) -> [firm::NodeId; 2] {
        let count = self.constant(WORD.0.into());
        let high = self.binary(Binary::Shrs, value, count);
        [value, high].map(|it| self.word_of(it))
    }

    /// The integer of two words, the low one first.
    #[cfg(feature = "ch18")]
    pub fn integer_of_words(&mut self, [low, high]: [firm::NodeId; 2]) -> firm::NodeId {
        let low = self.integer_of_word(low, Interval::new(0, WORD.mask()));
        let (high, count) = (self.extended(high), self.constant(WORD.0.into()));
        let high = self.binary(Binary::Shl, high, count);
        self.binary(Binary::Or, high, low)
    }
}
