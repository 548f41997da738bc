//! The operations of regions, and their words in the text.
use crate::arith::{Binary, Relation, WORD};

/// An operation on integers. Its result is an integer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operator {
    Binary(Binary),
    /// 1 where the relation holds, 0 elsewhere.
    Compare(Relation),
}

/// The word of an operator.
pub struct OperatorRow {
    pub word: &'static str,
    pub operator: Operator,
}

const OPERATORS: &[OperatorRow] = &[
    binary("+", Binary::Add),
    binary("-", Binary::Sub),
    binary("*", Binary::Mul),
    binary("/", Binary::Div),
    binary("%", Binary::Mod),
    binary("&", Binary::And),
    binary("|", Binary::Or),
    binary("^", Binary::Eor),
    binary("<<", Binary::Shl),
    binary(">>", Binary::Shr),
    binary(">>s", Binary::Shrs),
    binary("mulh", Binary::Mulh),
    binary("mulhu", Binary::Mulhu),
    compare("=", Relation::Equal),
    compare("!=", Relation::NotEqual),
    compare("<", Relation::Less),
    compare("<=", Relation::LessEqual),
    compare(">", Relation::Greater),
    compare(">=", Relation::GreaterEqual),
];

const fn binary(word: &'static str, op: Binary) -> OperatorRow {
    OperatorRow { word, operator: Operator::Binary(op) }
}

const fn compare(word: &'static str, relation: Relation) -> OperatorRow {
    OperatorRow { word, operator: Operator::Compare(relation) }
}

impl Operator {
    pub fn all() -> impl Iterator<Item = &'static OperatorRow> {
        OPERATORS.iter()
    }

    pub fn of_word(word: &str) -> Option<Operator> {
        OPERATORS.iter().find(|row| row.word == word).map(|row| row.operator)
    }

    pub fn word(self) -> &'static str {
        let row = OPERATORS.iter().find(|row| row.operator == self);
        row.expect("each operator of the text has a row").word
    }

    /// The result; none if the operation traps for these operands.
    pub fn evaluate(self, a: i64, b: i64) -> Option<i64> {
        match self {
            Operator::Binary(op) => op.evaluate_checked(WORD, a, b),
            Operator::Compare(relation) => Some(i64::from(relation.holds(a, b))),
        }
    }
}

/// The operation of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// The arguments of a region; each is an output.
    Arguments,
    Number(i64),
    Operator(Operator),
    /// Writes its operands as a line, if any is a word; yields the state after that.
    Use,
    /// Yields its operands, the first of which is a state: whatever comes after this state comes
    /// after the computation of all operands, which may trap.
    Force,
    /// Executes its region until the region's last result is 0. The operands are the first
    /// arguments; the other results are the arguments of the next iteration, and at last the
    /// outputs.
    Loop,
    /// Executes the region with the number of the first operand, or the last region if there is
    /// none with this number. The other operands are the arguments.
    Switch,
    /// A function. Its region's last arguments are the operands of this node.
    Function,
    /// Calls its first operand; the others are the arguments.
    Call,
}

impl Op {
    /// The name in pictures and messages.
    pub fn name(self) -> String {
        match self {
            Op::Arguments => "arguments".to_string(),
            Op::Number(number) => number.to_string(),
            Op::Operator(operator) => operator.word().to_string(),
            Op::Use => "use".to_string(),
            Op::Force => "force".to_string(),
            Op::Loop => "loop".to_string(),
            Op::Switch => "switch".to_string(),
            Op::Function => "func".to_string(),
            Op::Call => "call".to_string(),
        }
    }
}
