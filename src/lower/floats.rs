//! Floating-point numbers.
use super::lowering::Lowering;
use crate::arith::Binary;
use crate::firm::Mode;
use crate::floats::{FloatOp, Meaning, NEGATIVE_ZERO};
use crate::types::Type;
use crate::{firm, sea};

impl Lowering<'_> {
    pub fn is_float(&self, id: sea::NodeId) -> bool {
        self.sea.types.is_float(self.sea.ty(id))
    }

    pub fn float_constant(&mut self, ty: Type) -> firm::NodeId {
        let bits = self.sea.types.value(ty).expect("a constant is one number");
        self.add(firm::Op::Const(bits), Mode::D, &[])
    }

    /// -x = -0 - x: Firm has no negation. 0 - x is not -x for x = 0.
    pub fn float_operation(&mut self, id: sea::NodeId, op: FloatOp) -> firm::NodeId {
        let operands: Vec<_> = self.sea.inputs(id).map(|it| self.value(it)).collect();
        match op.row().meaning {
            Meaning::Arithmetic(binary) => self.add(firm::Op::Binary(binary), Mode::D, &operands),
            Meaning::Compare(relation) => self.add(firm::Op::Cmp(relation), Mode::D, &operands),
            Meaning::Minus => {
                let zero = self.add(firm::Op::Const(NEGATIVE_ZERO), Mode::D, &[]);
                self.add(firm::Op::Binary(Binary::Sub), Mode::D, &[zero, operands[0]])
            }
            Meaning::FromInteger => {
                let mode = self.firm.value_mode(operands[0]);
                self.add(firm::Op::Conv(Mode::D), mode, &operands)
            }
            #[cfg(feature = "ch14")]
            Meaning::Round => self.add(firm::Op::Conv(Mode::D), Mode::F, &operands),
        }
    }
}
