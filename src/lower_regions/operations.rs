//! The operations inside of a block.
use super::effects::quotient;
use super::lowering::{Lowering, outputs};
use crate::arith::{Binary, INT, Relation};
use crate::firm::{self, EdgeKind, External, Mode};
use crate::region::{NodeId, Op, Operator, Value};

impl Lowering<'_> {
    pub fn node(&mut self, id: NodeId) {
        let operands = self.graph.operands(id);
        let lowered = match self.graph.op(id) {
            Op::Arguments => return,
            Op::Number(number) => self.constant(number),
            Op::Operator(Operator::Compare(relation)) => {
                let [a, b] = [operands[0], operands[1]].map(|it| self.value(it));
                self.compare(relation, a, b)
            }
            Op::Operator(Operator::Binary(binary)) => {
                let [a, b] = [operands[0], operands[1]].map(|it| self.value(it));
                if quotient(self.graph, id).is_some() {
                    self.trap_unless_defined(a, b);
                }
                self.binary(binary, a, b)
            }
            Op::Use => return self.write(operands),
            Op::Force => return self.force(id),
            // One with constant inputs has no address, only calls.
            Op::Function if !operands.is_empty() => return,
            Op::Function => self.address(id),
            Op::Call => return self.call(id),
            Op::Loop | Op::Switch => unreachable!("these have regions of their own"),
        };
        self.set(Value { node: id, output: 0 }, lowered);
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

    /// A Cond for predicate ≠ 0; a comparison is 0 or 1 already.
    pub fn cond(&mut self, predicate: Value) -> firm::NodeId {
        let value = self.value(predicate);
        let is_compare = |op| matches!(op, Op::Operator(Operator::Compare(_)));
        let condition = match is_compare(self.graph.op(predicate.node)) {
            true => value,
            false => {
                let zero = self.constant(0);
                self.compare(Relation::NotEqual, value, zero)
            }
        };
        self.firm.add(firm::Op::Cond, Mode::X, self.block, &[condition])
    }

    pub fn cond_equal(&mut self, predicate: Value, number: i64) -> firm::NodeId {
        let condition = self.equals(self.value(predicate), number);
        self.firm.add(firm::Op::Cond, Mode::X, self.block, &[condition])
    }

    /// Leaves the block, and traps if b = 0, or a is the smallest integer and b = -1.
    fn trap_unless_defined(&mut self, a: firm::NodeId, b: firm::NodeId) {
        let is_zero = self.equals(b, 0);
        let is_minimum = self.equals(a, INT.min());
        let is_minus_one = self.equals(b, -1);
        let overflows = self.binary(Binary::Mul, is_minimum, is_minus_one);
        let traps = self.binary(Binary::Add, is_zero, overflows);
        let cond = self.firm.add(firm::Op::Cond, Mode::X, self.block, &[traps]);
        self.block = self.add_block(&[cond], EdgeKind::True);
        let memory = self.memory;
        self.external(External::Trap, &[]);
        let zero = self.constant(0);
        let results = vec![zero; self.firm.signature.results as usize];
        let end = self.firm.return_values(self.block, self.memory, &results);
        self.returns.push(end);
        self.memory = memory;
        self.block = self.add_block(&[cond], EdgeKind::False);
    }

    /// The operands have been computed, and traps are a part of the chain of memory.
    fn force(&mut self, id: NodeId) {
        for (&operand, output) in self.graph.operands(id).iter().zip(outputs(self.graph, id)) {
            if self.is_word(operand) {
                let value = self.value(operand);
                self.set(output, value);
            }
        }
    }

    /// Writes a line.
    fn write(&mut self, operands: &[Value]) {
        let words = self.words(operands);
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

    /// Calls a function; its constant inputs are its last arguments.
    fn call(&mut self, id: NodeId) {
        let operands = self.graph.operands(id);
        let function = operands[0].node;
        let mut arguments = self.words(&operands[1..]);
        let address = if self.graph.op(function) == Op::Function {
            arguments.extend(self.words(self.graph.operands(function)));
            self.address(function)
        } else {
            self.value(operands[0])
        };
        let words: Vec<_> = outputs(self.graph, id).filter(|&it| self.is_word(it)).collect();
        let results = words.len().max(1) as u32;
        self.memory = self.firm.call(self.block, self.memory, address, &arguments, results);
        for (number, &word) in words.iter().enumerate() {
            let result = self.firm.result(self.memory, number as u32);
            self.set(word, result);
        }
    }
}
