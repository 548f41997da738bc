//! @ch01-01 Types: what is known about the value of a node.
//! @ch02 The lattice of types: what is known about the value of a node.
//!
//! @ch02 ```text
//! @ch02                 Top                    no value yet, so any may be assumed
//! @ch02     Ctrl   … -1   0   1   2 …   [a,b]  a known value
//! @ch14            [0-255]                 an integer between two bounds
//! @ch14            F32Bot                  a float that 32 bits can hold
//! @ch02                 Int                    some integer
//! @ch02                Bottom                  anything at all
//! @ch02 ```
//! Types are interned: equal types have equal ids, so comparing two types is comparing two numbers.
//! @ch02 The meet of two types is the most precise type that allows the values of both.
//! @ch02 Source: C. Click,
//! @ch02 K. D. Cooper, "Combining Analyses, Combining Optimizations", TOPLAS 1995.
#[cfg(feature = "ch15")]
mod arrays;
#[cfg(feature = "ch18")]
mod functions;
#[cfg(feature = "ch14")]
mod integers;
#[cfg(feature = "ch10")]
mod pointer;

use crate::arith::{INT, Width};
#[cfg(feature = "ch14")]
use crate::arith::{Interval, KnownBits};
#[cfg(feature = "ch12")]
use crate::floats;
use arena::{Arena, FxHashMap, id};
#[cfg(feature = "ch15")]
pub use arrays::ArrayLayout;
#[cfg(feature = "ch18")]
pub use functions::{FunctionId, Functions, Signature, SignatureId};
#[cfg(feature = "ch14")]
use integers::integers_name;
#[cfg(feature = "ch14")]
pub use integers::{FLOAT_TYPES, INTEGER_TYPES};
#[cfg(feature = "ch10")]
pub use pointer::{FieldId, StructId, Target};

id! {
    /// A type: what is known about a value.
    Type
}

/// The structure of a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TypeKind {
    /// Nothing has been computed yet.
    #[cfg(feature = "ch02")]
    Top,
    /// Nothing is known.
    #[cfg(feature = "ch02")]
    Bottom,
    /// An integer in `min..=max`; a constant if they are equal.
    Integer {
        min: i64,
        max: i64,
        #[cfg(feature = "ch14")]
        bits: KnownBits,
    },
    /// A floating-point number: the one with these bits, or any.
    #[cfg(feature = "ch12")]
    Float(Option<i64>),
    /// A floating-point number that 32 bits can hold.
    #[cfg(feature = "ch14")]
    Single,
    /// Control reaches this node.
    #[cfg(feature = "ch04")]
    Control,
    /// Control never reaches this node.
    #[cfg(feature = "ch05")]
    DeadControl,
    /// Two values at once, one for each projection.
    #[cfg(feature = "ch04")]
    Tuple([Type; 2]),
    /// A state of the memory of one field.
    #[cfg(feature = "ch10")]
    Memory,
    /// The address of an object, or null if that is allowed.
    #[cfg(feature = "ch10")]
    Pointer { target: Target, nullable: bool },
}

/// All types of one compilation, without duplicates.
#[derive(Clone, Debug)]
pub struct Types {
    /// The width of `int`.
    pub int: Width,
    shapes: Arena<Type, TypeKind>,
    known: FxHashMap<TypeKind, Type>,
    /// The structs of the program.
    #[cfg(feature = "ch10")]
    pub structs: pointer::Structs,
    /// Its functions.
    #[cfg(feature = "ch18")]
    pub functions: Functions,
}

#[cfg(feature = "ch02")]
impl Type {
    pub const TOP: Type = Type(0);
    /// Any integer of the language.
    pub const INTEGER: Type = Type(1);
    pub const BOTTOM: Type = Type(2);
    #[cfg(feature = "ch04")]
    pub const CONTROL: Type = Type(3);
    #[cfg(feature = "ch05")]
    pub const DEAD_CONTROL: Type = Type(4);
    #[cfg(feature = "ch10")]
    pub const MEMORY: Type = Type(5);
    #[cfg(feature = "ch10")]
    pub const NULL: Type = Type(6);
    /// Any floating-point number.
    #[cfg(feature = "ch12")]
    pub const FLOAT: Type = Type(7);
    /// 0 or 1.
    #[cfg(feature = "ch14")]
    pub const BOOL: Type = Type(8);
    /// Any floating-point number of 32 bits.
    #[cfg(feature = "ch14")]
    pub const SINGLE: Type = Type(9);
}

impl Default for Types {
    fn default() -> Types {
        Types::new(INT)
    }
}

impl Types {
    /// The types of a program whose integers have this width.
    pub fn new(int: Width) -> Types {
        let types = Types {
            int,
            shapes: Arena::default(),
            known: FxHashMap::default(),
            #[cfg(feature = "ch10")]
            structs: pointer::Structs::default(),
            #[cfg(feature = "ch18")]
            functions: Functions::default(),
        };
        #[cfg(feature = "ch02")]
        let types = types.with_constants();
        types
    }
}

/// Any integer between two bounds.
const fn integer(min: i64, max: i64) -> TypeKind {
    TypeKind::Integer {
        min,
        max,
        #[cfg(feature = "ch14")]
        bits: KnownBits::of_bounds(min, max),
    }
}

impl Types {
    #[cfg(feature = "ch02")]
    /// Adds the types whose ids are constants, in the order of their ids.
    fn with_constants(mut self) -> Types {
        let constants = [
            TypeKind::Top,
            integer(self.int.min(), self.int.max()),
            TypeKind::Bottom,
            #[cfg(feature = "ch04")]
            TypeKind::Control,
            #[cfg(feature = "ch05")]
            TypeKind::DeadControl,
            #[cfg(feature = "ch10")]
            TypeKind::Memory,
            #[cfg(feature = "ch10")]
            TypeKind::Pointer { target: Target::Nothing, nullable: true },
            #[cfg(feature = "ch12")]
            TypeKind::Float(None),
            #[cfg(feature = "ch14")]
            integer(0, 1),
            #[cfg(feature = "ch14")]
            TypeKind::Single,
        ];
        constants.into_iter().for_each(|kind| _ = self.intern(kind));
        self
    }

    pub fn intern(&mut self, shape: TypeKind) -> Type {
        if let Some(&known) = self.known.get(&shape) {
            return known;
        }
        let new = self.shapes.push(shape);
        self.known.insert(shape, new);
        new
    }

    /// The type of the integer `value`.
    pub fn constant(&mut self, value: i64) -> Type {
        self.intern(integer(value, value))
    }

    /// The type of the integers of an interval.
    #[cfg(feature = "ch14")]
    pub fn interval(&mut self, Interval { min, max, bits }: Interval) -> Type {
        self.intern(TypeKind::Integer { min, max, bits })
    }

    /// The interval of the values of the type, if they are integers.
    #[cfg(feature = "ch14")]
    pub fn interval_of(&self, of: Type) -> Option<Interval> {
        match *self.kind(of) {
            TypeKind::Integer { min, max, bits } => Some(Interval { min, max, bits }),
            _ => None,
        }
    }

    /// The type of the floating-point number with these bits. All NaN are one.
    #[cfg(feature = "ch12")]
    pub fn float(&mut self, bits: i64) -> Type {
        self.intern(TypeKind::Float(Some(floats::bits(floats::float(bits)))))
    }

    /// Whether values of the type are floating-point numbers.
    #[cfg(feature = "ch12")]
    pub fn is_float(&self, of: Type) -> bool {
        #[cfg(feature = "ch14")]
        if of == Type::SINGLE {
            return true;
        }
        matches!(self.kind(of), TypeKind::Float(_))
    }

    pub fn kind(&self, of: Type) -> &TypeKind {
        &self.shapes[of]
    }

    /// The value that `of` allows, if there is only one: an integer, the bits of a floating-point
    /// number; null is 0.
    #[inline]
    pub fn value(&self, of: Type) -> Option<i64> {
        match *self.kind(of) {
            TypeKind::Integer { min, max, .. } if min == max => Some(min),
            TypeKind::Integer { .. } => None,
            #[cfg(feature = "ch02")]
            TypeKind::Top | TypeKind::Bottom => None,
            #[cfg(feature = "ch04")]
            TypeKind::Control | TypeKind::Tuple(_) => None,
            #[cfg(feature = "ch05")]
            TypeKind::DeadControl => None,
            #[cfg(feature = "ch10")]
            TypeKind::Pointer { .. } => (of == Type::NULL).then_some(0),
            #[cfg(feature = "ch10")]
            TypeKind::Memory => None,
            #[cfg(feature = "ch12")]
            TypeKind::Float(bits) => bits,
            #[cfg(feature = "ch14")]
            TypeKind::Single => None,
        }
    }

    /// The type of a value that is an `a` or a `b`.
    ///
    /// a ∧ a = a, Top ∧ a = a, and two different integers meet in Int.
    /// @ch14 Two integers meet in the smallest interval that contains both, two floats in those of
    /// @ch14 32 bits if they are among them.
    #[cfg(feature = "ch02")]
    pub fn meet(&mut self, a: Type, b: Type) -> Type {
        if a == b {
            return a;
        }
        match (*self.kind(a), *self.kind(b)) {
            (TypeKind::Top, _) => b,
            (_, TypeKind::Top) => a,
            #[cfg(feature = "ch14")]
            _ if let Some((left, right)) = self.interval_of(a).zip(self.interval_of(b)) => {
                self.interval(left.union(right))
            }
            (TypeKind::Integer { .. }, TypeKind::Integer { .. }) => Type::INTEGER,
            #[cfg(feature = "ch14")]
            _ if [a, b].iter().all(|&it| self.is_single(it)) => Type::SINGLE,
            #[cfg(feature = "ch12")]
            _ if [a, b].iter().all(|&it| self.is_float(it)) => Type::FLOAT,
            #[cfg(feature = "ch04")]
            (TypeKind::Tuple(left), TypeKind::Tuple(right)) => {
                let met = [0, 1].map(|at| self.meet(left[at], right[at]));
                self.intern(TypeKind::Tuple(met))
            }
            #[cfg(feature = "ch05")]
            (TypeKind::Control, TypeKind::DeadControl)
            | (TypeKind::DeadControl, TypeKind::Control) => Type::CONTROL,
            #[cfg(feature = "ch10")]
            (
                TypeKind::Pointer { target: left, nullable: one },
                TypeKind::Pointer { target: right, nullable: other },
            ) => self.pointer(left.meet(right), one || other),
            (_, _) => Type::BOTTOM,
        }
    }

    /// The type of a value of which two types are known: the integers that both allow. Of other
    /// values the second type is the better one.
    #[cfg(feature = "ch14")]
    pub fn refined(&mut self, old: Type, new: Type) -> Type {
        match (self.interval_of(old), self.interval_of(new)) {
            (Some(left), Some(right)) => left.intersect(right).map_or(new, |it| self.interval(it)),
            _ => new,
        }
    }

    /// The type as in pictures and listings.
    #[cfg(feature = "ch02")]
    pub fn name(&self, of: Type) -> String {
        match self.kind(of) {
            TypeKind::Top => "Top".to_string(),
            TypeKind::Bottom => "Bot".to_string(),
            TypeKind::Integer { min, max, .. } if min == max => min.to_string(),
            #[cfg(not(feature = "ch14"))]
            TypeKind::Integer { .. } => "IntBot".to_string(),
            #[cfg(feature = "ch14")]
            &TypeKind::Integer { min, max, .. } => integers_name(self.int, min, max),
            #[cfg(feature = "ch04")]
            TypeKind::Control => "Ctrl".to_string(),
            #[cfg(feature = "ch05")]
            TypeKind::DeadControl => "~Ctrl".to_string(),
            #[cfg(feature = "ch04")]
            TypeKind::Tuple(types) => {
                let names: Vec<_> = types.iter().map(|&element| self.name(element)).collect();
                format!("[{}]", names.join(","))
            }
            #[cfg(feature = "ch12")]
            TypeKind::Float(None) => "FltBot".to_string(),
            #[cfg(feature = "ch12")]
            &TypeKind::Float(Some(bits)) => floats::text(bits),
            #[cfg(feature = "ch14")]
            TypeKind::Single => "F32Bot".to_string(),
            #[cfg(feature = "ch10")]
            TypeKind::Memory => "MEM".to_string(),
            #[cfg(feature = "ch10")]
            &TypeKind::Pointer { target, nullable } => self.pointer_name(target, nullable),
        }
    }
}

#[cfg(feature = "ch14")]
impl Types {
    /// Whether values of the type are integers or floating-point numbers.
    pub fn is_number(&self, of: Type) -> bool {
        matches!(self.kind(of), TypeKind::Integer { .. }) || self.is_float(of)
    }

    /// Whether 32 bits can hold every value of the type.
    pub fn is_single(&self, of: Type) -> bool {
        match *self.kind(of) {
            TypeKind::Single => true,
            TypeKind::Float(Some(bits)) => floats::widened(floats::narrowed(bits)) == bits,
            _ => false,
        }
    }
}

/// The class of a value for the choice of rules: unknown, 0, 1, or another number.
#[cfg(feature = "ch02")]
pub fn value_class(value: Option<i64>) -> u8 {
    match value {
        None => 0,
        Some(0) => 1,
        Some(1) => 2,
        Some(_) => 3,
    }
}

#[cfg(test)]
#[cfg(feature = "ch02")]
mod tests;
