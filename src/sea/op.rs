//! The operations of the sea, and their properties as data.
#[cfg(feature = "ch04")]
use crate::arith::Relation;
#[cfg(feature = "ch02")]
use crate::arith::{Binary, Unary};
#[cfg(feature = "ch12")]
use crate::floats::FloatOp;
#[cfg(feature = "ch15")]
use crate::traps::TrapId;
use crate::types::Type;
#[cfg(feature = "ch10")]
use crate::types::{FieldId, StructId};
#[cfg(feature = "ch18")]
use crate::types::{FunctionId, SignatureId};
use arena::id;
use picture::Kind;

id! {
    /// A node of the sea.
    NodeId
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// The entry of the program.
    Start,
    /// Ends the program: control, value.
    Return,
    /// A constant; its type contains the value.
    Constant(Type),
    #[cfg(feature = "ch02")]
    Binary(Binary),
    #[cfg(feature = "ch02")]
    Unary(Unary),
    /// The bindings of the program: one input for each visible variable.
    #[cfg(feature = "ch03")]
    Scope,
    /// The element with this index of a node that yields several values.
    #[cfg(feature = "ch04")]
    Projection(u32),
    /// 1 if the relation holds between left and right, else 0.
    #[cfg(feature = "ch04")]
    Compare(Relation),
    /// Collects all Returns.
    #[cfg(feature = "ch05")]
    Stop,
    /// Unreachable control.
    #[cfg(feature = "ch05")]
    DeadControl,
    /// Branches to one of two successors: control, predicate.
    #[cfg(feature = "ch05")]
    If,
    /// The branch of an If that is taken if the predicate is not 0, or if it is 0.
    #[cfg(feature = "ch05")]
    ControlProjection(bool),
    /// A join: one control input for each predecessor.
    #[cfg(feature = "ch05")]
    Region,
    /// A loop header: the entry, then the back edge, which is missing while the body is parsed.
    #[cfg(feature = "ch07")]
    Loop,
    /// A value selected by the incoming control edge: a Region or a Loop, then one value
    /// for each of its inputs.
    #[cfg(feature = "ch05")]
    Phi(Label),
    /// The address of a new object: control.
    #[cfg(feature = "ch10")]
    New(StructId),
    /// The memory of a field after it was cleared in a new object: control, memory, pointer.
    #[cfg(feature = "ch10")]
    Clear(FieldId),
    /// The memory of a field after a value was written: control, memory, pointer, value.
    #[cfg(feature = "ch10")]
    Store(FieldId),
    /// The value of a field: memory, pointer.
    #[cfg(feature = "ch10")]
    Load(FieldId),
    /// A pointer that is not null where control passes: control, pointer.
    #[cfg(feature = "ch10")]
    Cast,
    /// An operation on floating-point numbers.
    #[cfg(feature = "ch12")]
    Float(FloatOp),
    /// The address of a new array: control, length.
    #[cfg(feature = "ch15")]
    NewArray(StructId),
    /// The length of an array: pointer.
    #[cfg(feature = "ch15")]
    Length,
    /// The address of an element: control where its index is known to be one of the array's,
    /// pointer, index.
    #[cfg(feature = "ch15")]
    Element,
    /// Ends the program with a message: control, and the numbers in the message.
    #[cfg(feature = "ch15")]
    Trap(TrapId),
    /// Control at the entry of a function: Start.
    #[cfg(feature = "ch18")]
    Function(FunctionId),
    /// The parameter with this number: the function.
    #[cfg(feature = "ch18")]
    Parameter(u32),
    /// Calls a function: control, its address, arguments, the memory that is left, and the memories
    /// of all fields.
    #[cfg(feature = "ch18")]
    Call(SignatureId),
    /// The value that a call returns: the call.
    #[cfg(feature = "ch18")]
    Result,
    /// The memory of all fields that are not declared yet: Start, a function or a call.
    #[cfg(feature = "ch18")]
    Rest,
}

#[cfg(feature = "ch05")]
id! {
    /// The name of a Phi's variable.
    Label
}

/// The properties of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub name: &'static str,
    pub kind: Kind,
    /// The number of inputs; `None` if it varies. A Return has further ones: the memory of the
    /// fields of a returned object.
    pub inputs: Option<usize>,
    pub text: Text,
}

/// How a node is printed on one line.
#[derive(Clone, Copy, Debug)]
pub enum Text {
    /// By its label alone.
    Label,
    /// `return x;`
    Return,
    /// `(-x)`
    #[cfg(feature = "ch02")]
    Prefix(&'static str),
    /// `(x+y)`
    #[cfg(feature = "ch02")]
    Infix(&'static str),
    /// `Phi(Region,1,2)`
    #[cfg(feature = "ch05")]
    Phi,
    /// `Stop[ return 1; return 2; ]`, or just the Return if there is only one.
    #[cfg(feature = "ch05")]
    Stop,
    /// `.x=1;`
    #[cfg(feature = "ch10")]
    Store,
    /// `(*void)p`
    #[cfg(feature = "ch10")]
    Cast,
    /// `(flt)x`
    #[cfg(feature = "ch12")]
    ToFloat,
    /// `Parm_x(f,int,1,arg)`, and `x` after that.
    #[cfg(feature = "ch18")]
    Parameter,
    /// `f( x,y)`
    #[cfg(feature = "ch18")]
    Result,
}

impl Op {
    /// Whether control sets its value, not its inputs.
    #[cfg(feature = "ch05")]
    pub fn is_phi(self) -> bool {
        matches!(self, Op::Phi(_))
    }

    /// Whether its first input is control, and it yields a value.
    #[cfg(feature = "ch10")]
    pub fn is_pinned(self) -> bool {
        #[cfg(feature = "ch15")]
        if matches!(self, Op::NewArray(_) | Op::Element) {
            return true;
        }
        matches!(self, Op::New(_) | Op::Clear(_) | Op::Store(_) | Op::Cast)
    }

    /// Whether it makes an object.
    #[cfg(feature = "ch10")]
    pub fn is_new(self) -> bool {
        #[cfg(feature = "ch15")]
        if let Op::NewArray(_) = self {
            return true;
        }
        matches!(self, Op::New(_))
    }

    /// Whether it yields the memory of a field.
    #[cfg(feature = "ch10")]
    pub fn writes_memory(self) -> bool {
        matches!(self, Op::Clear(_) | Op::Store(_))
    }

    /// The input that must be an object, not null.
    #[cfg(feature = "ch10")]
    pub fn object_input(self) -> Option<usize> {
        match self {
            Op::Load(_) | Op::Cast => Some(1),
            #[cfg(feature = "ch15")]
            Op::Length => Some(0),
            #[cfg(feature = "ch15")]
            Op::Element => Some(1),
            Op::Clear(_) | Op::Store(_) => Some(2),
            _ => None,
        }
    }

    /// Whether it is a value at the entry of the program or of a function, or after a call.
    #[cfg(feature = "ch04")]
    pub fn is_given(self) -> bool {
        #[cfg(feature = "ch18")]
        if matches!(self, Op::Parameter(_) | Op::Result | Op::Rest) {
            return true;
        }
        matches!(self, Op::Projection(_))
    }

    /// Whether the program ends there.
    /// @ch18 Or the function.
    pub fn ends_program(self) -> bool {
        #[cfg(feature = "ch15")]
        if let Op::Trap(_) = self {
            return true;
        }
        self == Op::Return
    }

    /// Whether control from several predecessors meets there.
    #[cfg(feature = "ch05")]
    pub fn is_join(self) -> bool {
        #[cfg(feature = "ch07")]
        if self == Op::Loop {
            return true;
        }
        self == Op::Region
    }

    /// A number for each kind of node, without its parameters.
    #[cfg(feature = "ch02")]
    #[inline]
    pub fn kind(self) -> u8 {
        match self {
            Op::Start => 0,
            Op::Return => 1,
            Op::Constant(_) => 2,
            Op::Unary(unary) => 20 + Binary::COUNT as u8 + unary as u8,
            #[cfg(feature = "ch03")]
            Op::Scope => 4,
            #[cfg(feature = "ch04")]
            Op::Projection(0) => 5,
            #[cfg(feature = "ch04")]
            Op::Projection(_) => 6,
            #[cfg(feature = "ch04")]
            Op::Compare(_) => 7,
            #[cfg(feature = "ch05")]
            Op::Stop => 8,
            #[cfg(feature = "ch05")]
            Op::DeadControl => 9,
            #[cfg(feature = "ch05")]
            Op::If => 10,
            #[cfg(feature = "ch05")]
            Op::ControlProjection(_) => 11,
            #[cfg(feature = "ch05")]
            Op::Region => 12,
            #[cfg(feature = "ch07")]
            Op::Loop => 13,
            #[cfg(feature = "ch05")]
            Op::Phi(_) => 14,
            Op::Binary(binary) => 20 + binary as u8,
            #[cfg(feature = "ch10")]
            Op::New(_) => 15,
            #[cfg(feature = "ch10")]
            Op::Clear(_) => 16,
            #[cfg(feature = "ch10")]
            Op::Store(_) => 17,
            #[cfg(feature = "ch10")]
            Op::Load(_) => 18,
            #[cfg(feature = "ch10")]
            Op::Cast => 19,
            #[cfg(feature = "ch12")]
            Op::Float(float) => 24 + Binary::COUNT as u8 + float as u8,
            #[cfg(feature = "ch15")]
            Op::NewArray(_) => 60,
            #[cfg(feature = "ch15")]
            Op::Length => 61,
            #[cfg(feature = "ch15")]
            Op::Element => 62,
            #[cfg(feature = "ch15")]
            Op::Trap(_) => 63,
            #[cfg(feature = "ch18")]
            Op::Function(_) => 55,
            #[cfg(feature = "ch18")]
            Op::Parameter(_) => 56,
            #[cfg(feature = "ch18")]
            Op::Call(_) => 57,
            #[cfg(feature = "ch18")]
            Op::Result => 58,
            #[cfg(feature = "ch18")]
            Op::Rest => 59,
        }
    }

    /// The operation without the Phi's label, which is only for the reader.
    #[cfg(feature = "ch09")]
    pub fn without_label(self) -> Op {
        match self {
            Op::Phi(_) => Op::Phi(arena::Id::from_index(0)),
            other => other,
        }
    }

    /// Inlined, so that only the columns that are read are computed.
    #[inline(always)]
    pub fn row(self) -> Row {
        match self {
            Op::Start => row("Start", Kind::Control, 0, Text::Label),
            Op::Return => row("Return", Kind::Control, 2, Text::Return),
            Op::Constant(_) => row("Constant", Kind::Data, 0, Text::Label),
            #[cfg(feature = "ch02")]
            Op::Binary(binary) => {
                row(binary.row().name, Kind::Data, 2, Text::Infix(binary.row().symbol))
            }
            #[cfg(feature = "ch02")]
            Op::Unary(unary) => {
                row(unary.row().name, Kind::Data, 1, Text::Prefix(unary.row().symbol))
            }
            #[cfg(feature = "ch03")]
            Op::Scope => Row { inputs: None, ..row("Scope", Kind::Scope, 0, Text::Label) },
            #[cfg(feature = "ch04")]
            Op::Projection(0) => row("Proj", Kind::Control, 1, Text::Label),
            #[cfg(feature = "ch04")]
            Op::Projection(_) => row("Proj", Kind::Data, 1, Text::Label),
            #[cfg(feature = "ch04")]
            Op::Compare(relation) => {
                row(relation.row().name, Kind::Data, 2, Text::Infix(relation.row().symbol))
            }
            #[cfg(feature = "ch05")]
            Op::Stop => Row { inputs: None, ..row("Stop", Kind::Control, 0, Text::Stop) },
            #[cfg(feature = "ch05")]
            Op::DeadControl => row("~Ctrl", Kind::Control, 0, Text::Label),
            #[cfg(feature = "ch05")]
            Op::If => row("If", Kind::Control, 2, Text::Label),
            #[cfg(feature = "ch05")]
            Op::ControlProjection(_) => row("Proj", Kind::Control, 1, Text::Label),
            #[cfg(feature = "ch05")]
            Op::Region => row("Region", Kind::Control, 2, Text::Label),
            #[cfg(feature = "ch07")]
            Op::Loop => row("Loop", Kind::Control, 2, Text::Label),
            #[cfg(feature = "ch05")]
            Op::Phi(_) => row("Phi", Kind::Data, 3, Text::Phi),
            #[cfg(feature = "ch10")]
            Op::New(_) => row("New", Kind::Data, 1, Text::Label),
            #[cfg(feature = "ch10")]
            Op::Clear(_) => row("Clear", Kind::Data, 3, Text::Label),
            #[cfg(feature = "ch10")]
            Op::Store(_) => row("Store", Kind::Data, 4, Text::Store),
            #[cfg(feature = "ch10")]
            Op::Load(_) => row("Load", Kind::Data, 2, Text::Label),
            #[cfg(feature = "ch10")]
            Op::Cast => row("Cast", Kind::Data, 2, Text::Cast),
            #[cfg(feature = "ch12")]
            Op::Float(float) => float_row(float),
            #[cfg(feature = "ch15")]
            Op::NewArray(_) => array_row("NewArray", Some(2)),
            #[cfg(feature = "ch15")]
            Op::Length => array_row("Length", Some(1)),
            #[cfg(feature = "ch15")]
            Op::Element => array_row("Element", Some(3)),
            #[cfg(feature = "ch15")]
            Op::Trap(_) => Row { kind: Kind::Control, ..array_row("Trap", None) },
            #[cfg(feature = "ch18")]
            Op::Function(_) | Op::Parameter(_) | Op::Call(_) | Op::Result | Op::Rest => {
                function_row(self)
            }
        }
    }
}

const fn row(name: &'static str, kind: Kind, inputs: usize, text: Text) -> Row {
    Row { name, kind, inputs: Some(inputs), text }
}

#[cfg(feature = "ch15")]
const fn array_row(name: &'static str, inputs: Option<usize>) -> Row {
    Row { name, kind: Kind::Data, inputs, text: Text::Label }
}

/// The row of an operation of functions and calls.
#[cfg(feature = "ch18")]
const fn function_row(op: Op) -> Row {
    let (name, kind, inputs, text) = match op {
        Op::Function(_) => ("Fun", Kind::Control, Some(1), Text::Label),
        Op::Call(_) => ("Call", Kind::Control, None, Text::Label),
        Op::Parameter(_) => ("Parm", Kind::Data, Some(1), Text::Parameter),
        Op::Result => ("Result", Kind::Data, Some(1), Text::Result),
        _ => ("Rest", Kind::Data, Some(1), Text::Label),
    };
    Row { name, kind, inputs, text }
}

/// The row of an operation on floating-point numbers.
#[cfg(feature = "ch12")]
fn float_row(float: FloatOp) -> Row {
    let row = float.row();
    let text = match float {
        FloatOp::FromInteger => Text::ToFloat,
        _ if row.operands == 1 => Text::Prefix(row.symbol),
        _ => Text::Infix(row.symbol),
    };
    Row { name: row.name, kind: Kind::Data, inputs: Some(row.operands), text }
}
