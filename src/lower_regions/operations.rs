//! The operations inside of a block.
use super::effects::quotient;
use super::flow::{Source, Step};
use super::lowering::Lowering;
use crate::arith::{Binary, Relation, WORD};
use crate::firm::{self, EdgeKind, External, Mode};
use crate::region::{Kind, NodeId, Op, Operator, Value};

impl Lowering<'_> {
    pub fn step(&mut self, step: &Step) {
        let operands: Vec<_> = step.operands.iter().map(|&it| self.source(it)).collect();
        let lowered = match self.graph.op(step.node) {
            Op::Operator(Operator::Compare(relation)) => {
                self.compare(relation, operands[0], operands[1])
            }
            Op::Operator(Operator::Binary(binary)) => {
                if quotient(self.graph, step.node).is_some() {
                    self.trap_unless_defined(operands[0], operands[1]);
                }
                self.binary(binary, operands[0], operands[1])
            }
            Op::Use => return self.write(&operands),
            Op::Function => self.address(step.node),
            Op::Call => return self.call(step.node, &operands),
            Op::Arguments | Op::Number(_) | Op::Force | Op::Loop | Op::Switch => {
                unreachable!("these are no steps")
            }
        };
        self.set(Value { node: step.node, output: 0 }, lowered);
    }

    /// A constant is in the StartBlock, once.
    pub fn constant(&mut self, value: i64) -> firm::NodeId {
        if let Some(&constant) = self.constants.get(&value) {
            return constant;
        }
        let block = self.firm.start_block;
        let constant = self.firm.add(firm::Op::Const(value), Mode::Is, block, &[]);
        self.constants.insert(value, constant);
        constant
    }

    fn binary(&mut self, op: Binary, a: firm::NodeId, b: firm::NodeId) -> firm::NodeId {
        self.firm.add(firm::Op::Binary(op), Mode::Is, self.block, &[a, b])
    }

    fn compare(&mut self, relation: Relation, a: firm::NodeId, b: firm::NodeId) -> firm::NodeId {
        self.firm.add(firm::Op::Cmp(relation), Mode::Is, self.block, &[a, b])
    }

    fn equals(&mut self, a: firm::NodeId, number: i64) -> firm::NodeId {
        let number = self.constant(number);
        self.compare(Relation::Equal, a, number)
    }

    /// A Cond for a predicate ≠ 0; a comparison is 0 or 1 already.
    pub fn cond(&mut self, on: Source) -> firm::NodeId {
        let value = self.source(on);
        let condition = match self.firm.op(value) {
            firm::Op::Cmp(_) => value,
            _ => {
                let zero = self.constant(0);
                self.compare(Relation::NotEqual, value, zero)
            }
        };
        self.firm.add(firm::Op::Cond, Mode::X, self.block, &[condition])
    }

    pub fn cond_equal(&mut self, on: Source, number: i64) -> firm::NodeId {
        let value = self.source(on);
        let condition = self.equals(value, number);
        self.firm.add(firm::Op::Cond, Mode::X, self.block, &[condition])
    }

    /// Leaves the block, and traps if b = 0, or a is the smallest integer and b = -1. One test
    /// serves quotient and remainder.
    fn trap_unless_defined(&mut self, a: firm::NodeId, b: firm::NodeId) {
        if !self.is_first_test([a, b]) {
            return;
        }
        let is_zero = self.equals(b, 0);
        let is_minimum = self.equals(a, WORD.min());
        let is_minus_one = self.equals(b, -1);
        let overflows = self.binary(Binary::Mul, is_minimum, is_minus_one);
        let traps = self.binary(Binary::Add, is_zero, overflows);
        let cond = self.firm.add(firm::Op::Cond, Mode::X, self.block, &[traps]);
        self.add_block(cond, EdgeKind::True, self.depth());
        let memory = self.memory;
        self.external(External::Trap, &[]);
        let zero = self.constant(0);
        let results = vec![zero; self.firm.signature.results as usize];
        let end = self.firm.return_values(self.block, self.memory, &results);
        self.returns.push(end);
        self.memory = memory;
        self.add_block(cond, EdgeKind::False, self.depth());
    }

    /// Writes a line.
    fn write(&mut self, words: &[firm::NodeId]) {
        for (at, &word) in words.iter().enumerate() {
            let separator = if at + 1 == words.len() { '\n' } else { ' ' };
            let separator = self.constant(i64::from(u32::from(separator)));
            self.external(External::Write, &[word, separator]);
        }
    }

    fn external(&mut self, external: External, arguments: &[firm::NodeId]) {
        let symbol = self.symbols.1 + external as u32;
        let address = self.firm.function_address(symbol);
        self.memory = self.firm.call(self.block, self.memory, address, arguments, 1);
    }

    fn address(&mut self, function: NodeId) -> firm::NodeId {
        let body = self.graph.inner(function)[0];
        let number = self.symbols.0[body].expect("each region of a function has a number");
        self.firm.function_address(number)
    }

    /// Calls a function. If it is not known, its address is the first operand.
    fn call(&mut self, id: NodeId, operands: &[firm::NodeId]) {
        let callee = self.graph.operands(id)[0].node;
        let (address, arguments) = match self.graph.op(callee) {
            Op::Function => (self.address(callee), operands),
            _ => (operands[0], &operands[1..]),
        };
        let outputs = (0..self.graph.node(id).outputs).map(|output| Value { node: id, output });
        let words: Vec<_> = outputs.filter(|&it| self.types.kind(it) != Kind::State).collect();
        let results = words.len().max(1) as u32;
        self.memory = self.firm.call(self.block, self.memory, address, arguments, results);
        for (number, &word) in words.iter().enumerate() {
            let result = self.firm.result(self.memory, number as u32);
            self.set(word, result);
        }
    }
}
