//! Arrays: their allocation, the addresses of elements, and the ends of programs with a message.
use super::lowering::Lowering;
use crate::arith::{Binary, WORD};
use crate::firm::{self, External, Mode};
use crate::heap::NEXT;
use crate::sea;
use crate::traps::TrapId;
use crate::types::{ArrayLayout, StructId};

impl Lowering<'_> {
    /// The address of a new array, whose length has been checked. The store to its last word fails
    /// if the heap is full.
    pub fn new_array(&mut self, of: StructId, length: firm::NodeId) -> firm::NodeId {
        let layout = self.sea.types.structs.layout(of);
        let next = self.word(NEXT.into());
        let array = self.load_value(next, Mode::Is);
        let size = self.array_size(layout, length);
        let end = self.binary(Binary::Add, array, size);
        self.store_value(next, end);
        let minus_word = self.word(-4);
        let last = self.binary(Binary::Add, end, minus_word);
        let zero = self.word(0);
        self.store_value(last, zero);
        self.store_value(array, length);
        array
    }

    /// The length of an array: that of a new one is known, and others are in their first words.
    pub fn length(&mut self, array: sea::NodeId) -> firm::NodeId {
        if let sea::Op::NewArray(_) = self.sea.op(array) {
            return self.input(array, 1);
        }
        let length = self.load_value(self.value(array), Mode::Is);
        self.extended(length)
    }

    /// The bytes of an array.
    fn array_size(&mut self, layout: ArrayLayout, length: firm::NodeId) -> firm::NodeId {
        let ArrayLayout { first, element, alignment } = layout;
        let padding = if element < alignment { alignment - 1 } else { 0 };
        let mask = -i64::from(alignment);
        if let firm::Op::Const(length) = self.firm.op(length) {
            let size = length * i64::from(element) + i64::from(first + padding);
            return self.word(WORD.wrap(if padding == 0 { size } else { size & mask }));
        }
        let elements = self.times(length, element);
        let rest = self.word((first + padding).into());
        let size = self.binary(Binary::Add, elements, rest);
        if padding == 0 {
            return size;
        }
        let mask = self.word(mask);
        self.binary(Binary::And, size, mask)
    }

    fn times(&mut self, number: firm::NodeId, size: u32) -> firm::NodeId {
        if size == 1 {
            return number;
        }
        let size = self.word(size.into());
        self.binary(Binary::Mul, number, size)
    }

    /// The address of an element: array + index * size + distance of the first one. A number that
    /// is added to the index becomes a part of the distance.
    pub fn element(&mut self, id: sea::NodeId) -> firm::NodeId {
        let array = self.sea.types.array_of(self.sea.ty(id)).expect("it has elements");
        let ArrayLayout { first, element, .. } = self.sea.types.structs.layout(array);
        let (index, number) = self.index(self.sea.input(id, 2));
        let mut address = self.input(id, 1);
        if let Some(index) = index {
            let index = self.word_of(self.value(index));
            let index = self.times(index, element);
            address = self.binary(Binary::Add, address, index);
        }
        let distance = WORD.wrap(number.wrapping_mul(element.into()).wrapping_add(first.into()));
        let distance = self.word(distance);
        self.binary(Binary::Add, address, distance)
    }

    /// An index as a sum of a value and a number.
    fn index(&self, index: sea::NodeId) -> (Option<sea::NodeId>, i64) {
        if let Some(number) = self.sea.value(index) {
            return (None, number);
        }
        let sea::Op::Binary(Binary::Add) = self.sea.op(index) else { return (Some(index), 0) };
        let [value, number] = self.sea.operands(index);
        match self.sea.value(number) {
            Some(number) if self.lowered[value].is_some() => (Some(value), number),
            _ => (Some(index), 0),
        }
    }

    /// Calls the function that reports the failure, and does not return.
    pub fn trap(&mut self, id: sea::NodeId, trap: TrapId) -> firm::NodeId {
        let trap = self.sea.traps[trap];
        let place = [trap.line, trap.column].map(|it| self.word(it.into()));
        let is_wide = self.integer == Mode::Ls;
        let mut arguments = place.to_vec();
        for (at, number) in self.sea.inputs(id).skip(1).enumerate() {
            let number = self.value(number);
            match at {
                0 if is_wide => arguments.extend(self.words_of(number)),
                _ => arguments.push(self.word_of(number)),
            }
        }
        let function = External::that_reports(trap.failure, is_wide).symbol(self.function_count);
        let function = self.firm.function_address(function);
        self.memory = self.firm.call(self.block, self.memory, function, &arguments, 0);
        let (mode, words) = self.returned;
        let never = self.add(firm::Op::Const(0), mode, &[]);
        let operands = [&[self.memory][..], &vec![never; words]].concat();
        let end = self.add(firm::Op::Return, mode, &operands);
        self.returns.push(end);
        end
    }
}
