//! Floating-point numbers.
use super::lowering::Lowering;
use crate::firm::{Float, Mode};
use crate::floats::{FloatOp, NEGATIVE_ZERO};
use crate::types::{FieldId, Type};
use crate::{firm, sea};

impl Lowering<'_> {
    pub fn is_float(&self, id: sea::NodeId) -> bool {
        self.sea.types.is_float(self.sea.ty(id))
    }

    pub fn float_constant(&mut self, ty: Type) -> firm::NodeId {
        let bits = self.sea.types.value(ty).expect("a constant is one number");
        self.add_float(Float::Const(bits), Mode::D, &[])
    }

    /// -x = -0 - x: Firm has no negation. 0 - x is not -x for x = 0.
    pub fn float_operation(&mut self, id: sea::NodeId, op: FloatOp) -> firm::NodeId {
        let operands: Vec<_> = self.sea.inputs(id).map(|it| self.value(it)).collect();
        match op {
            FloatOp::Minus => {
                let zero = self.add_float(Float::Const(NEGATIVE_ZERO), Mode::D, &[]);
                let op = Float::Compute(FloatOp::Sub);
                self.add_float(op, Mode::D, &[zero, operands[0]])
            }
            op => self.add_float(Float::Compute(op), Mode::D, &operands),
        }
    }

    /// A relation between two numbers, as 0 or 1.
    pub fn compare_floats(&mut self, op: FloatOp, operands: [firm::NodeId; 2]) -> firm::NodeId {
        self.add_float(Float::Compute(op), Mode::Is, &operands)
    }

    pub fn has_float(&self, field: FieldId) -> bool {
        self.sea.types.structs.field_type(field) == Type::FLOAT
    }

    pub fn load_float(&mut self, address: firm::NodeId) -> firm::NodeId {
        self.memory = self.add_float(Float::Load, Mode::D, &[self.memory, address]);
        self.memory
    }

    pub fn store_float(&mut self, address: firm::NodeId, value: firm::NodeId) {
        self.memory = self.add_float(Float::Store, Mode::M, &[self.memory, address, value]);
    }

    fn add_float(&mut self, op: Float, mode: Mode, operands: &[firm::NodeId]) -> firm::NodeId {
        self.add(firm::Op::Float(op), mode, operands)
    }
}
