//! Pointers to objects, and the structs that objects belong to.
//!
//! ```text
//!                Top
//!      null      *S       *T        the null pointer; an object of this struct
//!           *S?       *T?   *any    null or an object of S; an object of some struct
//!                *any?              any pointer
//! ```
use super::{Type, TypeKind, Types};
#[cfg(feature = "ch12")]
use crate::heap::ValueFormat;
use crate::heap::{FieldFormat, ObjectFormat, ResultFormat, WORD};
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
    /// The bytes of its fields.
    size: u32,
}

#[derive(Clone, Debug)]
struct Field {
    name: String,
    ty: Type,
    /// Its distance from the start of an object, in bytes.
    offset: u32,
}

/// All structs of a program, and their fields.
#[derive(Clone, Debug, Default)]
pub struct Structs {
    structs: Arena<StructId, Struct>,
    fields: Arena<FieldId, Field>,
    /// Objects start at multiples of this number of bytes.
    alignment: u32,
}

impl Structs {
    /// Adds a struct without fields.
    pub fn add(&mut self, name: &str) -> StructId {
        self.structs.push(Struct { name: name.to_string(), fields: Vec::new(), size: 0 })
    }

    /// Adds a field to a struct, at the next offset that is divisible by the field's size.
    pub fn add_field(&mut self, of: StructId, name: &str, ty: Type) -> FieldId {
        let size = WORD;
        #[cfg(feature = "ch12")]
        let size = if ty == Type::FLOAT { 2 * WORD } else { size };
        let offset = self.structs[of].size.next_multiple_of(size);
        let field = self.fields.push(Field { name: name.to_string(), ty, offset });
        let parent = &mut self.structs[of];
        parent.fields.push(field);
        parent.size = offset + size;
        self.alignment = self.alignment.max(size);
        field
    }

    /// The bytes of an object. All objects of a program have sizes that the size of each field
    /// divides, since they lie one behind the other. One without fields has an address of its own,
    /// so it has a size, too.
    pub fn object_size(&self, of: StructId) -> u32 {
        let alignment = self.alignment.max(WORD);
        self.structs[of].size.max(1).next_multiple_of(alignment)
    }

    pub fn get(&self, id: StructId) -> &Struct {
        &self.structs[id]
    }

    pub fn field_name(&self, field: FieldId) -> &str {
        &self.fields[field].name
    }

    pub fn field_type(&self, field: FieldId) -> Type {
        self.fields[field].ty
    }

    /// The distance of a field from the start of an object, in bytes.
    pub fn field_offset(&self, field: FieldId) -> u32 {
        self.fields[field].offset
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

    /// The type of the values that loads of a field yield. A field may be null as long as nothing
    /// was stored to it, even if no null may be stored.
    pub fn loaded(&mut self, field: FieldId) -> Type {
        let ty = self.structs.field_type(field);
        #[cfg(feature = "ch13")]
        let ty = self.or_null(ty);
        ty
    }

    /// The type of a pointer of type `of` that may also be null; another type stays.
    #[cfg(feature = "ch13")]
    fn or_null(&mut self, of: Type) -> Type {
        match *self.kind(of) {
            TypeKind::Pointer { target, .. } => self.pointer(target, true),
            _ => of,
        }
    }

    /// The fields of the objects to which pointers of the type point, if that is one struct.
    pub fn fields(&self, of: Type) -> &[FieldId] {
        self.target_struct(of).map_or(&[], |id| &self.structs.get(id).fields)
    }

    /// The struct of the objects to which pointers of the type point, if that is one.
    fn target_struct(&self, of: Type) -> Option<StructId> {
        match *self.kind(of) {
            TypeKind::Pointer { target: Target::Struct(id), .. } => Some(id),
            _ => None,
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
        let fields = self.fields(of).iter().map(|&it| self.field_format(it));
        ResultFormat::Object(ObjectFormat { name, fields: fields.collect() })
    }

    fn field_format(&self, field: FieldId) -> FieldFormat {
        FieldFormat {
            name: self.structs.field_name(field).to_string(),
            offset: self.structs.field_offset(field),
            #[cfg(feature = "ch12")]
            value: self.value_format(self.structs.field_type(field)),
        }
    }

    /// How a field of the type is printed.
    #[cfg(feature = "ch12")]
    fn value_format(&self, of: Type) -> ValueFormat {
        #[cfg(feature = "ch13")]
        if let Some(id) = self.target_struct(of) {
            return ValueFormat::Reference(self.structs.get(id).name.clone());
        }
        if self.is_float(of) { ValueFormat::Float } else { ValueFormat::Integer }
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
