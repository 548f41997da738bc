//! Pointers to objects, and the structs that objects belong to.
//!
//! ```text
//!                Top
//!      null      *S       *T        the null pointer; an object of this struct
//!           *S?       *T?   *any    null or an object of S; an object of some struct
//!                *any?              any pointer
//! ```
use super::{Type, TypeKind, Types};
use crate::heap::{ObjectFormat, ResultFormat};
use arena::{Arena, id};

id! {
    /// A struct that the program declares.
    StructId
}

id! {
    /// A field of a struct. Each field has a memory of its own: an access to one field never
    /// touches another.
    FieldId
}

/// The objects that a pointer may point to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// No object: the pointer is null.
    Nothing,
    /// Those of one struct.
    Struct(StructId),
    /// Those of several structs.
    Unknown,
}

impl Target {
    pub fn meet(self, other: Target) -> Target {
        match (self, other) {
            _ if self == other => self,
            (Target::Nothing, it) | (it, Target::Nothing) => it,
            (_, _) => Target::Unknown,
        }
    }
}

/// The fields of a struct are numbered one after the other.
#[derive(Clone, Debug)]
pub struct Struct {
    pub name: String,
    pub fields: Vec<FieldId>,
}

#[derive(Clone, Debug)]
struct Field {
    name: String,
    /// Its number in its struct.
    number: u32,
}

/// All structs of a program, and their fields.
#[derive(Clone, Debug, Default)]
pub struct Structs {
    structs: Arena<StructId, Struct>,
    fields: Arena<FieldId, Field>,
}

impl Structs {
    /// Adds a struct with these fields.
    pub fn declare(&mut self, name: &str, fields: &[&str]) -> StructId {
        let field = |(number, name): (usize, &&str)| Field {
            name: name.to_string(),
            number: number as u32,
        };
        let fields = fields.iter().enumerate().map(field);
        let fields = fields.map(|field| self.fields.push(field)).collect();
        self.structs.push(Struct { name: name.to_string(), fields })
    }

    pub fn get(&self, id: StructId) -> &Struct {
        &self.structs[id]
    }

    pub fn field_name(&self, field: FieldId) -> &str {
        &self.fields[field].name
    }

    /// The number of a field in its struct.
    pub fn field_number(&self, field: FieldId) -> u32 {
        self.fields[field].number
    }
}

impl Types {
    /// A pointer to objects of `target`, or null if it is nullable. There is no pointer that is
    /// neither.
    pub fn pointer(&mut self, target: Target, nullable: bool) -> Type {
        match (target, nullable) {
            (Target::Nothing, false) => Type::TOP,
            _ => self.intern(TypeKind::Pointer { target, nullable }),
        }
    }

    /// The type of a pointer of type `of` after a test has found that it is not null.
    pub fn not_null(&mut self, of: Type) -> Type {
        match *self.kind(of) {
            TypeKind::Pointer { target, .. } => self.pointer(target, false),
            _ => of,
        }
    }

    /// The fields of the objects to which pointers of the type point, if that is one struct.
    pub fn fields(&self, of: Type) -> &[FieldId] {
        match *self.kind(of) {
            TypeKind::Pointer { target: Target::Struct(id), .. } => &self.structs.get(id).fields,
            _ => &[],
        }
    }

    /// How values of the type are printed.
    pub fn result_format(&self, of: Type) -> ResultFormat {
        #[cfg(feature = "ch12")]
        if self.is_float(of) {
            return ResultFormat::Float;
        }
        let TypeKind::Pointer { target, .. } = *self.kind(of) else {
            return ResultFormat::Integer;
        };
        let name = match target {
            Target::Struct(id) => self.structs.get(id).name.clone(),
            Target::Nothing | Target::Unknown => String::new(),
        };
        let fields = self.fields(of).iter().map(|&it| self.structs.field_name(it).to_string());
        ResultFormat::Object(ObjectFormat { name, fields: fields.collect() })
    }

    /// Whether values of the type are pointers.
    pub fn is_pointer(&self, of: Type) -> bool {
        matches!(self.kind(of), TypeKind::Pointer { .. })
    }

    /// Whether a value of the type may be null, or an integer, or anything.
    pub fn may_be_null(&self, of: Type) -> bool {
        !matches!(self.kind(of), TypeKind::Pointer { nullable: false, .. } | TypeKind::Top)
    }

    /// Whether every value of type `of` is one of type `wanted`.
    pub fn is_a(&mut self, of: Type, wanted: Type) -> bool {
        self.meet(of, wanted) == wanted
    }

    pub(super) fn pointer_name(&self, target: Target, nullable: bool) -> String {
        let name = match target {
            Target::Nothing => return "null".to_string(),
            Target::Struct(id) => &self.structs.get(id).name,
            Target::Unknown => "any",
        };
        format!("*{name}{}", if nullable { "?" } else { "" })
    }
}
