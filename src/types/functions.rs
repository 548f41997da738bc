//! Functions: their signatures, and the types of pointers to them.
//!
//! ```text
//!     null     { f}      { g}       the null pointer; the address of one function
//!          { int -> int}            that of some function with this signature
//!          { int -> int}?           or null
//! ```
use super::{Target, Type, Types};
use arena::{Arena, FxHashMap, id};

id! {
    /// A function of the program.
    FunctionId
}

id! {
    /// A signature: the types of parameters, and that of the result.
    SignatureId
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Signature {
    pub parameters: Vec<Type>,
    pub result: Type,
}

/// All signatures and functions of a program.
#[derive(Clone, Debug, Default)]
pub struct Functions {
    signatures: Arena<SignatureId, Signature>,
    known: FxHashMap<Signature, SignatureId>,
    functions: Arena<FunctionId, Function>,
}

#[derive(Clone, Debug)]
struct Function {
    /// Empty if it has none.
    name: String,
    signature: SignatureId,
}

impl Functions {
    /// The number of a signature.
    pub fn signature(&mut self, signature: Signature) -> SignatureId {
        if let Some(&known) = self.known.get(&signature) {
            return known;
        }
        let new = self.signatures.push(signature.clone());
        self.known.insert(signature, new);
        new
    }

    pub fn get(&self, id: SignatureId) -> &Signature {
        &self.signatures[id]
    }

    /// Adds a function; without a name, the name is empty.
    pub fn add(&mut self, name: &str, signature: SignatureId) -> FunctionId {
        self.functions.push(Function { name: name.to_string(), signature })
    }

    pub fn name(&self, id: FunctionId) -> &str {
        &self.functions[id].name
    }

    pub fn signature_of(&self, id: FunctionId) -> SignatureId {
        self.functions[id].signature
    }

    /// Gives a function another result. Types of its address that exist already keep the old one.
    pub fn set_result(&mut self, id: FunctionId, result: Type) {
        let parameters = self.get(self.signature_of(id)).parameters.clone();
        self.functions[id].signature = self.signature(Signature { parameters, result });
    }

    /// The number of functions.
    pub fn len(&self) -> usize {
        self.functions.len()
    }
}

impl Types {
    /// The type of the address of a function.
    pub fn function(&mut self, id: FunctionId) -> Type {
        let signature = self.functions.signature_of(id);
        self.pointer(Target::Function { id, signature }, false)
    }

    /// The signature of the functions to which pointers of the type point.
    pub fn signature_of(&self, of: Type) -> Option<SignatureId> {
        match self.target(of)? {
            Target::Function { signature, .. } | Target::Functions(signature) => Some(signature),
            _ => None,
        }
    }

    /// The only function to which pointers of the type point.
    pub fn known_function(&self, of: Type) -> Option<FunctionId> {
        match self.target(of)? {
            Target::Function { id, .. } => Some(id),
            _ => None,
        }
    }

    /// The type without the knowledge which function it is.
    pub fn any_function(&mut self, of: Type) -> Type {
        match self.signature_of(of) {
            Some(signature) => {
                let nullable = self.may_be_null(of);
                self.pointer(Target::Functions(signature), nullable)
            }
            None => of,
        }
    }

    /// `{ name}`, or for several functions `{ int flt -> int}`.
    pub(super) fn function_name(&self, target: Target) -> Option<String> {
        let signature = match target {
            Target::Function { id, .. } if !self.functions.name(id).is_empty() => {
                return Some(format!("{{ {}}}", self.functions.name(id)));
            }
            Target::Function { signature, .. } | Target::Functions(signature) => signature,
            _ => return None,
        };
        let Signature { parameters, result } = self.functions.get(signature);
        let result = self.short_name(*result);
        if parameters.is_empty() {
            return Some(format!("{{ {result}}}"));
        }
        let parameters: Vec<_> = parameters.iter().map(|&it| self.short_name(it)).collect();
        Some(format!("{{ {} -> {result}}}", parameters.join(" ")))
    }

    /// The name of a type as programs write it.
    fn short_name(&self, of: Type) -> String {
        match of {
            Type::INTEGER => "int".to_string(),
            Type::FLOAT => "flt".to_string(),
            Type::SINGLE => "f32".to_string(),
            _ => self.name(of).trim_start_matches('*').to_string(),
        }
    }
}
