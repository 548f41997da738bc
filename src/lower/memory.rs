//! Memory: the fields' memories of the sea become one state of memory, in the order of the
//! schedule.
//!
//! In the sea, each field has a memory of its own, so that accesses to different fields are
//! independent. The machine has one memory. In Firm, a node that accesses memory takes the state of
//! memory before it, and is the state after it; where several edges of control meet, a Phi selects
//! the state.
use super::control::predecessors;
use super::lowering::Lowering;
use crate::arith::Binary;
#[cfg(feature = "ch14")]
use crate::arith::Width;
use crate::firm;
use crate::firm::{Access, Mode};
use crate::heap::NEXT;
#[cfg(feature = "ch14")]
use crate::heap::Narrow;
use crate::schedule::BlockId;
use crate::sea;
#[cfg(feature = "ch12")]
use crate::types::Type;
use crate::types::{FieldId, StructId};
use arena::SideTable;

impl Lowering<'_> {
    /// The address of a new object: the next one of the heap, which moves on by the object's size.
    /// The store to the object fails if the heap is full.
    pub fn allocation(&mut self, of: StructId) -> firm::NodeId {
        let size = self.sea.types.structs.object_size(of);
        let next = self.word(NEXT.into());
        let object = self.load_value(next, Mode::Is);
        let size = self.word(size.into());
        let following = self.binary(Binary::Add, object, size);
        self.store_value(next, following);
        let zero = self.word(0);
        self.store_value(object, zero);
        object
    }

    pub fn load(&mut self, object: firm::NodeId, field: FieldId) -> firm::NodeId {
        let address = self.address(object, field);
        #[cfg(feature = "ch12")]
        let of = self.sea.types.structs.field_type(field);
        #[cfg(feature = "ch12")]
        if of == Type::FLOAT {
            return self.load_value(address, Mode::D);
        }
        #[cfg(feature = "ch14")]
        if let Some(number) = self.load_sized(address, of) {
            return number;
        }
        self.load_value(address, Mode::Is)
    }

    /// The value at an address, if the type is one of integers, or of short floats.
    #[cfg(feature = "ch14")]
    fn load_sized(&mut self, address: firm::NodeId, of: Type) -> Option<firm::NodeId> {
        match of {
            Type::INTEGER => return Some(self.load_value(address, self.integer)),
            Type::SINGLE => return Some(self.load_value(address, Mode::F)),
            _ => {}
        }
        let narrow = self.sea.types.narrow(of)?;
        let word = self.load_value(address, narrow_mode(narrow));
        Some(self.integer_of_word(word, narrow.values()))
    }

    pub fn store(&mut self, object: firm::NodeId, field: FieldId, value: sea::NodeId) {
        let address = self.address(object, field);
        #[cfg(feature = "ch14")]
        if let Some(mode) = self.narrow(field) {
            let value = self.value(stored_value(self.sea, field, value));
            let value = self.word_of(value);
            self.store_narrow(address, mode, value);
            return;
        }
        let value = self.value(value);
        self.store_value(address, value);
    }

    /// The address of a field of an object.
    fn address(&mut self, object: firm::NodeId, field: FieldId) -> firm::NodeId {
        match self.sea.types.structs.field_offset(field) {
            0 => object,
            offset => {
                let offset = self.word(offset.into());
                self.binary(Binary::Add, object, offset)
            }
        }
    }

    /// The mode with which a field is stored, if its number has another form in memory than in a
    /// register.
    #[cfg(feature = "ch14")]
    fn narrow(&self, field: FieldId) -> Option<Mode> {
        let of = self.sea.types.structs.field_type(field);
        if of == Type::SINGLE {
            return Some(Mode::F);
        }
        let narrow = self.sea.types.narrow(of)?;
        Some(narrow_mode(Narrow { has_sign: false, ..narrow }))
    }

    #[cfg(feature = "ch14")]
    pub fn store_narrow(&mut self, address: firm::NodeId, mode: Mode, value: firm::NodeId) {
        let store = firm::Op::Store(Access::Plain);
        self.memory = self.add(store, mode, &[self.memory, address, value]);
    }

    pub fn load_value(&mut self, address: firm::NodeId, mode: Mode) -> firm::NodeId {
        let load = firm::Op::Load(Access::Plain);
        self.memory = self.add(load, mode, &[self.memory, address]);
        self.memory
    }

    pub fn store_value(&mut self, address: firm::NodeId, value: firm::NodeId) {
        let (store, mode) = (firm::Op::Store(Access::Plain), self.firm.value_mode(value));
        self.memory = self.add(store, mode, &[self.memory, address, value]);
    }

    /// The state of memory at the beginning of a block: a Phi, if there are several edges.
    pub fn begin_memory(&mut self, block: BlockId, is_forwarder: &SideTable<BlockId, bool>) {
        if self.is_entry(block) || !self.accesses_memory {
            return;
        }
        let sources = predecessors(self.schedule, is_forwarder, block);
        let known = sources.iter().map(|&it| self.control.memories[it]).collect::<Vec<_>>();
        if let [Some(only)] = known[..] {
            self.memory = only;
            return;
        }
        let operands: Vec<_> = known.iter().map(|it| it.unwrap_or(self.firm.start)).collect();
        let phi = self.add(firm::Op::Phi, Mode::M, &operands);
        for (at, &source) in sources.iter().enumerate() {
            if known[at].is_none() {
                self.control.later_memories.push((phi, at, source));
            }
        }
        self.memory = phi;
    }

    pub fn end_memory(&mut self, block: BlockId) {
        self.control.memories[block] = Some(self.memory);
    }

    /// Adds the operands of Phis for back edges.
    pub fn close_memories(&mut self) {
        for (phi, at, source) in std::mem::take(&mut self.control.later_memories) {
            let memory = self.control.memories[source].expect("every block has been lowered");
            self.firm.set_operand(phi, at, memory);
        }
    }
}

#[cfg(feature = "ch14")]
fn narrow_mode(narrow: Narrow) -> Mode {
    match (narrow.bytes, narrow.has_sign) {
        (1, true) => Mode::Bs,
        (1, false) => Mode::Bu,
        (2, true) => Mode::Hs,
        (2, false) => Mode::Hu,
        _ => Mode::Is,
    }
}

/// The value that a store to a field reads: one of less bits than a word is not converted before,
/// because only its lowest bits are stored. A float is rounded by the store.
#[cfg(feature = "ch14")]
pub fn stored_value(graph: &sea::Graph, field: FieldId, value: sea::NodeId) -> sea::NodeId {
    if graph.op(value) == sea::Op::Float(crate::floats::FloatOp::Round) {
        return graph.input(value, 0);
    }
    let Some(Narrow { bytes, .. }) = graph.types.narrow(graph.types.structs.field_type(field))
    else {
        return value;
    };
    let is_shift = |id: sea::NodeId, op: Binary| {
        graph.op(id) == sea::Op::Binary(op)
            && graph.value(graph.input(id, 1)) == Some(i64::from(graph.types.int.0 - 8 * bytes))
    };
    match graph.op(value) {
        sea::Op::Binary(Binary::And) => {
            let [x, mask] = graph.operands(value);
            let is_whole = |mask: i64| mask & Width(8 * bytes).mask() == Width(8 * bytes).mask();
            if graph.value(mask).is_some_and(is_whole) { x } else { value }
        }
        sea::Op::Binary(Binary::Shrs) if is_shift(value, Binary::Shrs) => {
            let shifted = graph.input(value, 0);
            if is_shift(shifted, Binary::Shl) { graph.input(shifted, 0) } else { value }
        }
        _ => value,
    }
}
