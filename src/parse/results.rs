//! The results of functions.
//!
//! A function may be called before its result is known: in its own body, or before its declaration.
//! Then an integer is assumed, and the parser notes the result that the function has in fact. Calls
//! after the body have that one. If it is another one than was assumed, the program is parsed again
//! with all results that have been found. A function that only returns the results of other calls
//! has the result of those.
use super::cursor::Cursor;
use super::static_types::StaticType;
use super::{Input, Parser};
use crate::arith::Interval;
use crate::diagnostics::{Code, Diagnostic};
use crate::peephole::Engine;
use crate::sea::NodeId;
use crate::types::{FunctionId, Signature, Target, Type, TypeKind};
use arena::{FxHashMap, Id};
use source::Span;

/// A type without numbers of structs: these differ from parse to parse.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape<'s> {
    /// All integers.
    Integer,
    Integers(i64, i64),
    Float,
    Single,
    Null,
    Struct(&'s str),
    Array(Box<Shape<'s>>),
    Functions(Vec<Shape<'s>>, Box<Shape<'s>>),
    OrNull(Box<Shape<'s>>),
}

/// The results of functions, by the places of their literals.
#[derive(Default)]
pub struct Results<'s> {
    /// Those that are known from an earlier parse.
    known: FxHashMap<u32, Shape<'s>>,
    /// The place of each function, and the result that it has.
    functions: Vec<(u32, Option<Shape<'s>>)>,
    /// The calls whose unknown results each function returns.
    assumed: FxHashMap<FunctionId, Vec<FunctionId>>,
    /// Whether only the results are sought.
    pub is_inference: bool,
}

/// Finds the results of all functions by parsing the program, without optimizations, until the
/// results are those that were assumed at calls before.
///
/// # Errors
/// After many parses, there are still others.
pub fn infer_results<'s>(program: &Input<'s>) -> Result<FxHashMap<u32, Shape<'s>>, Diagnostic> {
    const MAX_PARSES: usize = 100;
    let (mut before, mut known) = (FxHashMap::default(), FxHashMap::default());
    for _ in 0..MAX_PARSES {
        let engine = Engine::new(Vec::new(), false);
        let &Input { text, argument, int, .. } = program;
        let input = Input { text, engine, show: Box::new(|_| ()), argument, int };
        let mut parser = Parser::new(input);
        parser.functions.results = Results::assuming(known.clone());
        parser.program();
        match parser.functions.results.found() {
            None => return Ok(known),
            Some(found) => before = std::mem::replace(&mut known, found),
        }
    }
    Err(too_many_parses(&before, &known))
}

/// The error of a program whose results are not found: those of the last two parses differ.
fn too_many_parses(before: &FxHashMap<u32, Shape>, known: &FxHashMap<u32, Shape>) -> Diagnostic {
    let changed = known.iter().filter(|(place, result)| before.get(place) != Some(*result));
    let place = changed.map(|(&place, _)| place).min().unwrap_or_default();
    let span = Span { start: place, end: place + 1 };
    let message = "The results of too many functions depend on functions that are declared later";
    let diagnostic = Diagnostic::new(Code::Type, span, message, "the result of this one changes");
    diagnostic.with_help("declare a function before those that call it")
}

impl<'s> Results<'s> {
    /// Results that are sought, where some are known.
    pub fn assuming(known: FxHashMap<u32, Shape<'s>>) -> Results<'s> {
        Results { known, is_inference: true, ..Results::default() }
    }

    /// Results that are known.
    pub fn of(known: FxHashMap<u32, Shape<'s>>) -> Results<'s> {
        Results { known, ..Results::default() }
    }

    pub fn add(&mut self, function: FunctionId, place: u32) {
        debug_assert_eq!(function.index(), self.functions.len());
        self.functions.push((place, None));
    }

    pub fn known(&self, place: u32) -> Option<Shape<'s>> {
        self.known.get(&place).cloned()
    }

    /// Whether the result of a call of the function is assumed: its body has not been parsed.
    pub fn is_assumed(&self, function: FunctionId) -> bool {
        let (place, result) = &self.functions[function.index()];
        !self.known.contains_key(place) && result.is_none()
    }

    /// The result of `function` is that of a call, which is assumed.
    pub fn note_assumed(&mut self, function: FunctionId, called: FunctionId) {
        self.assumed.entry(function).or_default().push(called);
    }

    pub fn has_only_assumed(&self, function: FunctionId) -> bool {
        self.assumed.contains_key(&function)
    }

    /// The function has been parsed.
    pub fn note(&mut self, function: FunctionId, result: Shape<'s>) {
        self.functions[function.index()].1 = Some(result);
    }

    /// The results that were found; None if they are those that were assumed.
    pub fn found(&self) -> Option<FxHashMap<u32, Shape<'s>>> {
        let is_new = |(place, result): &(u32, Option<Shape>)| {
            let assumed = self.known.get(place).unwrap_or(&Shape::Integer);
            result.as_ref().is_some_and(|it| it != assumed)
        };
        let waits = |function: &usize| {
            self.functions[*function].1.is_none()
                && self.returned(*function).is_some()
                && !self.known.contains_key(&self.functions[*function].0)
        };
        if !self.functions.iter().any(is_new) && !(0..self.functions.len()).any(|it| waits(&it)) {
            return None;
        }
        let found = (0..self.functions.len())
            .filter_map(|it| Some((self.functions[it].0, self.returned(it)?)))
            .collect();
        Some(found)
    }

    /// The result of a function, which may be that of the functions that it calls.
    fn returned(&self, function: usize) -> Option<Shape<'s>> {
        let (mut open, mut at) = (vec![function], 0);
        while let Some(&function) = open.get(at) {
            at += 1;
            if let Some(result) = &self.functions[function].1 {
                return Some(result.clone());
            }
            let calls = self.assumed.get(&FunctionId::from_index(function));
            for called in calls.into_iter().flatten().map(|it| it.index()) {
                if !open.contains(&called) {
                    open.push(called);
                }
            }
        }
        None
    }
}

impl<'s> Parser<'s> {
    /// The shape of a type.
    pub fn shape(&self, of: Type) -> Shape<'s> {
        let types = &self.graph.types;
        match *types.kind(of) {
            TypeKind::Float(_) => Shape::Float,
            TypeKind::Single => Shape::Single,
            TypeKind::Pointer { target, nullable } => {
                let shape = self.shape_of_target(target);
                let is_null = shape == Shape::Null;
                if nullable && !is_null { Shape::OrNull(Box::new(shape)) } else { shape }
            }
            _ if of == Type::INTEGER => Shape::Integer,
            _ => match types.interval_of(of) {
                Some(Interval { min, max, .. }) => Shape::Integers(min, max),
                None => Shape::Integer,
            },
        }
    }

    fn shape_of_target(&self, target: Target) -> Shape<'s> {
        let types = &self.graph.types;
        let signature = match target {
            Target::Struct(id) => {
                if let Some(element) = types.structs.get(id).element {
                    return Shape::Array(Box::new(self.shape(element)));
                }
                let names = self.objects.structs.iter().chain(&self.objects.forward);
                let name = names.filter(|it| *it.1 == id).map(|it| *it.0).min();
                return name.map_or(Shape::Null, Shape::Struct);
            }
            Target::Function { signature, .. } | Target::Functions(signature) => signature,
            Target::Nothing | Target::Unknown => return Shape::Null,
        };
        let Signature { parameters, result } = types.functions.get(signature);
        let parameters = parameters.iter().map(|&it| self.shape(it)).collect();
        Shape::Functions(parameters, Box::new(self.shape(*result)))
    }

    /// The type of a shape.
    pub fn type_of_shape(&mut self, shape: &Shape<'s>) -> Type {
        match shape {
            Shape::Integer => Type::INTEGER,
            &Shape::Integers(min, max) => self.graph.types.interval(Interval::new(min, max)),
            Shape::Float => Type::FLOAT,
            Shape::Single => Type::SINGLE,
            Shape::Null => Type::NULL,
            Shape::Struct(name) => {
                let of = self.named_struct(name);
                self.graph.types.pointer(Target::Struct(of), false)
            }
            Shape::Array(element) => {
                let element = self.type_of_shape(element);
                let span = self.cursor.span();
                self.array_of(element, span).unwrap_or(Type::NULL)
            }
            Shape::Functions(parameters, result) => {
                let parameters = parameters.iter().map(|it| self.type_of_shape(it)).collect();
                let result = self.type_of_shape(result);
                self.function_type(parameters, result)
            }
            Shape::OrNull(shape) => {
                let ty = self.type_of_shape(shape);
                self.graph.types.meet(ty, Type::NULL)
            }
        }
    }

    /// The type of a reference to some function with a signature.
    pub fn function_type(&mut self, parameters: Vec<Type>, result: Type) -> Type {
        let signature = self.graph.types.functions.signature(Signature { parameters, result });
        self.graph.types.pointer(Target::Functions(signature), false)
    }
}

/// Conditions.
impl<'s> Parser<'s> {
    /// A condition; where results are sought, an unknown one if it has an error: then its arms may
    /// have the results.
    pub fn unknown_if_sought(
        &mut self,
        condition: Result<NodeId, Diagnostic>,
        begin: Cursor<'s>,
    ) -> Result<NodeId, Diagnostic> {
        if condition.is_ok() || !self.functions.results.is_inference {
            return condition;
        }
        self.cursor = begin;
        self.skip_to_parenthesis();
        self.push_type(StaticType::of(Type::INTEGER));
        Ok(self.constant(0))
    }
}
