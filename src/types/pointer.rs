//! Pointers to objects, and the structs that objects belong to.
//!
//! ```text
//!                Top
//!      null      *S       *T        the null pointer; an object of this struct
//!           *S?       *T?   *any    null or an object of S; an object of some struct
//!                *any?              any pointer
//! ```
#[cfg(feature = "ch18")]
use super::{FunctionId, SignatureId};
use super::{Type, TypeKind, Types};
#[cfg(feature = "ch14")]
use crate::arith;
#[cfg(feature = "ch14")]
use crate::heap::Narrow;
#[cfg(feature = "ch12")]
use crate::heap::ValueFormat;
use crate::heap::{FieldFormat, ObjectFormat, ResultFormat, WORD};
#[cfg(feature = "ch15")]
use arena::FxHashMap;
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
    /// One function.
    #[cfg(feature = "ch18")]
    Function { id: FunctionId, signature: SignatureId },
    /// The functions with a signature.
    #[cfg(feature = "ch18")]
    Functions(SignatureId),
    /// Those of several structs.
    Unknown,
}

impl Target {
    pub fn meet(self, other: Target) -> Target {
        match (self, other) {
            _ if self == other => self,
            (Target::Nothing, it) | (it, Target::Nothing) => it,
            #[cfg(feature = "ch18")]
            (one, other) if let Some(both) = one.functions_of_both(other) => both,
            (_, _) => Target::Unknown,
        }
    }
}

#[cfg(feature = "ch18")]
impl Target {
    /// The functions that two different targets have in common: those with one signature.
    fn functions_of_both(self, other: Target) -> Option<Target> {
        let signature = |target| match target {
            Target::Function { signature, .. } | Target::Functions(signature) => Some(signature),
            _ => None,
        };
        match (signature(self), signature(other)) {
            (Some(one), Some(other)) if one == other => Some(Target::Functions(one)),
            _ => None,
        }
    }
}

/// The fields of a struct are numbered one after the other.
#[derive(Clone, Debug)]
pub struct Struct {
    pub name: String,
    pub fields: Vec<FieldId>,
    /// The bytes of its fields.
    /// @ch15 Those of an element, if the objects are arrays.
    pub(super) size: u32,
    /// The type of the elements, if the objects are arrays. The elements are the only field.
    #[cfg(feature = "ch15")]
    pub element: Option<Type>,
}

#[derive(Clone, Debug)]
pub(super) struct Field {
    pub name: String,
    pub ty: Type,
    /// Its distance from the start of an object, in bytes.
    pub offset: u32,
}

/// All structs of a program, and their fields.
#[derive(Clone, Debug, Default)]
pub struct Structs {
    pub(super) structs: Arena<StructId, Struct>,
    pub(super) fields: Arena<FieldId, Field>,
    /// Objects start at multiples of this number of bytes.
    pub(super) alignment: u32,
    /// The arrays of elements of each type.
    #[cfg(feature = "ch15")]
    pub(super) arrays: FxHashMap<Type, StructId>,
}

impl Structs {
    /// Adds a struct without fields.
    pub fn add(&mut self, name: &str) -> StructId {
        self.structs.push(Struct {
            name: name.to_string(),
            fields: Vec::new(),
            size: 0,
            #[cfg(feature = "ch15")]
            element: None,
        })
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

    /// All fields of all structs.
    #[cfg(feature = "ch18")]
    pub fn all_fields(&self) -> impl Iterator<Item = FieldId> + use<> {
        self.fields.ids()
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
    /// Adds a field to a struct, at the next offset that is divisible by the field's size.
    pub fn add_field(&mut self, of: StructId, name: &str, ty: Type) -> FieldId {
        let size = WORD;
        #[cfg(feature = "ch12")]
        let size = if self.is_float(ty) { 2 * WORD } else { size };
        #[cfg(feature = "ch14")]
        let size = match ty {
            Type::INTEGER => self.int.0 / 8,
            Type::SINGLE => WORD,
            _ => size,
        };
        #[cfg(feature = "ch14")]
        let size = self.narrow(ty).map_or(size, |narrow| narrow.bytes);
        let Structs { structs, fields, alignment, .. } = &mut self.structs;
        let offset = structs[of].size.next_multiple_of(size);
        let field = fields.push(Field { name: name.to_string(), ty, offset });
        structs[of].fields.push(field);
        structs[of].size = offset + size;
        *alignment = (*alignment).max(size);
        field
    }

    /// The form of a value of the type in memory, if that is an integer of less bits than an `int`.
    #[cfg(feature = "ch14")]
    pub fn narrow(&self, of: Type) -> Option<Narrow> {
        let form = self.interval_of(of).and_then(Narrow::holding);
        form.filter(|it| 8 * it.bytes < self.int.0)
    }

    /// Whether values of the type are integers of two words.
    #[cfg(feature = "ch14")]
    fn is_wide(&self, of: Type) -> bool {
        self.int != arith::WORD && of == Type::INTEGER
    }

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

    /// The type of the values that loads of a field yield.
    /// @ch13-15 A field may be null as long as nothing was stored to it, even if no null may be
    /// @ch13-15 stored.
    pub fn loaded(&mut self, field: FieldId) -> Type {
        let ty = self.structs.field_type(field);
        #[cfg(feature = "ch13")]
        #[cfg(not(feature = "ch16"))]
        let ty = match *self.kind(ty) {
            TypeKind::Pointer { target, .. } => self.pointer(target, true),
            _ => ty,
        };
        ty
    }

    /// The fields of the objects to which pointers of the type point, if that is one struct.
    pub fn fields(&self, of: Type) -> &[FieldId] {
        self.target_struct(of).map_or(&[], |id| &self.structs.get(id).fields)
    }

    /// The struct of the objects to which pointers of the type point, if that is one.
    pub(super) fn target_struct(&self, of: Type) -> Option<StructId> {
        match *self.kind(of) {
            TypeKind::Pointer { target: Target::Struct(id), .. } => Some(id),
            _ => None,
        }
    }

    /// The objects or functions to which pointers of the type point.
    #[cfg(feature = "ch18")]
    pub(super) fn target(&self, of: Type) -> Option<Target> {
        match *self.kind(of) {
            TypeKind::Pointer { target, .. } => Some(target),
            _ => None,
        }
    }

    /// How values of the type are printed.
    pub fn result_format(&self, of: Type) -> ResultFormat {
        #[cfg(feature = "ch12")]
        if self.is_float(of) {
            return ResultFormat::Float;
        }
        #[cfg(feature = "ch14")]
        if self.is_wide(of) {
            return ResultFormat::Wide;
        }
        let TypeKind::Pointer { target, .. } = *self.kind(of) else {
            return ResultFormat::Integer;
        };
        #[cfg(feature = "ch15")]
        if let Some(format) = self.array_format(of) {
            return ResultFormat::Array(format);
        }
        let name = match target {
            Target::Struct(id) => self.structs.get(id).name.clone(),
            _ => String::new(),
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
    pub(super) fn value_format(&self, of: Type) -> ValueFormat {
        #[cfg(feature = "ch13")]
        if let Some(id) = self.target_struct(of) {
            return ValueFormat::Reference(self.structs.get(id).name.clone());
        }
        #[cfg(feature = "ch18")]
        if let Some(name) = self.target(of).and_then(|target| self.function_name(target)) {
            return ValueFormat::Reference(name);
        }
        #[cfg(feature = "ch14")]
        if let Some(format) = self.sized_format(of) {
            return format;
        }
        if self.is_float(of) { ValueFormat::Float } else { ValueFormat::Integer }
    }

    /// How a number is printed that has another size in memory than others of its kind.
    #[cfg(feature = "ch14")]
    fn sized_format(&self, of: Type) -> Option<ValueFormat> {
        if of == Type::SINGLE {
            return Some(ValueFormat::Single);
        }
        let wide = self.is_wide(of).then_some(ValueFormat::Wide);
        self.narrow(of).map(ValueFormat::Narrow).or(wide)
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
            #[cfg(feature = "ch18")]
            Target::Function { .. } | Target::Functions(_) => {
                let name = self.function_name(target).expect("it has a signature");
                return format!("{name}{}", if nullable { "?" } else { "" });
            }
        };
        format!("*{name}{}", if nullable { "?" } else { "" })
    }
}
