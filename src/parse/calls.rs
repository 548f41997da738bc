//! Calls, and the types of functions.
use super::Parser;
use super::static_types::{StaticType, type_name};
use super::token::Token;
use crate::diagnostics::{Code, Diagnostic};
use crate::sea::{NodeId, Op};
use crate::types::{SignatureId, Type};
use arena::Id;
use source::Span;

/// The types of functions in types of functions that distinguish a type from a block.
const MAX_NESTED: usize = 8;

/// Calls.
impl<'s> Parser<'s> {
    /// ```text
    /// call = "(" , [ expression , { "," , expression } ] , ")" ;
    /// ```
    /// Calls the function that was parsed last.
    pub fn call(&mut self, callee: NodeId) -> Result<NodeId, Diagnostic> {
        let span = self.cursor.span();
        let of = self.top_type();
        let Some(signature) = self.graph.types.signature_of(of.ty) else {
            let ty = type_name(&self.graph.types, of.ty);
            let message = format!("Expected a function but got {ty}");
            return Err(Diagnostic::new(Code::Type, span, message, "this is called"));
        };
        let callee = self.expect_function(callee, of, span);
        self.enter()?;
        self.cursor.take();
        let held = self.graph.create(Op::Scope, &[callee]);
        let count = self.arguments(signature, held)?;
        self.cursor.expect(Token::CloseParenthesis, ")")?;
        self.depth -= 1;
        let expected = self.graph.types.functions.get(signature).parameters.len();
        if count != expected {
            let message = format!("Expecting {expected} arguments, but found {count}");
            let label = "each parameter has one argument";
            let diag = Diagnostic::new(Code::Type, span, message, label);
            return Err(Diagnostic { help: self.parameters_of(of.ty), ..diag });
        }
        self.graph.set_origin(Some(span));
        let arguments: Vec<_> = self.graph.inputs(held).skip(1).collect();
        let result = self.called(signature, callee, &arguments);
        self.graph.kill_unless_used(held, result);
        let ty = self.graph.types.functions.get(signature).result;
        self.retype(StaticType::of(ty).assuming(of.assumed));
        #[cfg(feature = "ch28")]
        self.record_operation(result, false);
        Ok(result)
    }

    /// The names of the parameters of a function, where it is known.
    fn parameters_of(&self, function: Type) -> Option<String> {
        let function = self.graph.types.known_function(function)?;
        let names: Vec<_> =
            self.graph.parameters.get(&function)?.iter().map(|it| format!("`{it}`")).collect();
        Some(match names[..] {
            [] => "the function has no parameters".to_string(),
            [_] => format!("the parameter is {}", names[0]),
            _ => format!("the parameters are {}", names.join(", ")),
        })
    }

    /// A function that is called must not be null.
    fn expect_function(&mut self, callee: NodeId, of: StaticType, span: Span) -> NodeId {
        if !self.graph.types.may_be_null(of.ty) {
            return callee;
        }
        let name = self.graph.types.name(of.ty);
        self.expect_object(callee, of.not_null, |_| {
            let message = format!("Might be null calling {name}");
            let diag = Diagnostic::new(Code::Type, span, message, "the function may be null");
            diag.with_help("test it first: `if (function)`")
        })
    }

    /// Parses the arguments, which `held` gets as inputs; returns their number.
    fn arguments(&mut self, signature: SignatureId, held: NodeId) -> Result<usize, Diagnostic> {
        let parameters = self.graph.types.functions.get(signature).parameters.clone();
        let mut count = 0;
        while self.cursor.peek() != Token::CloseParenthesis {
            let value = self.expression()?;
            match parameters.get(count) {
                Some(&ty) => {
                    let value = self.argument(value, ty, count)?;
                    self.graph.add_input(held, value);
                }
                None => _ = self.take_type(),
            }
            count += 1;
            if !self.cursor.eat(Token::Comma) {
                break;
            }
        }
        Ok(count)
    }

    /// The argument for a parameter of a type.
    fn argument(&mut self, value: NodeId, ty: Type, number: usize) -> Result<NodeId, Diagnostic> {
        let span = self.cursor.last();
        let error = |parser: &Parser, given| {
            let [given, ty] = [given, ty].map(|it| type_name(&parser.graph.types, it));
            let message = format!("Argument #{number} isa {given}, but must be a {ty}");
            Diagnostic::new(Code::Type, span, message, "the parameter has another type")
        };
        let given = self.top_type().ty;
        let types = &self.graph.types;
        if let (Some(given), Some(all)) = (types.interval_of(given), types.interval_of(ty))
            && given.intersect(all) != Some(given)
        {
            return Err(error(self, self.top_type().ty));
        }
        Ok(self.assigned(value, ty, error)?.0)
    }

    /// The value that a call returns. After the call, each field has another memory.
    fn called(&mut self, signature: SignatureId, callee: NodeId, arguments: &[NodeId]) -> NodeId {
        if self.graph.op(self.control()) == Op::DeadControl {
            return self.node(Op::Constant(Type::TOP), &[]);
        }
        let memories = self.all_memories();
        let inputs = [&[self.control(), callee], arguments, &memories].concat();
        let call = self.node(Op::Call(signature), &inputs);
        let control = self.node(Op::Projection(0), &[call]);
        self.scope.set_control(&mut self.graph, control);
        let rest = self.node(Op::Rest, &[call]);
        let slot = self.functions.rest.expect("the program has functions");
        self.scope.set(&mut self.graph, slot, rest);
        for field in self.graph.types.structs.all_fields() {
            let memory = self.node(Op::Projection(2 + field.index() as u32), &[call]);
            self.scope.set(&mut self.graph, self.objects.slots[field], memory);
        }
        self.node(Op::Result, &[call])
    }
}

/// Types.
impl<'s> Parser<'s> {
    /// Whether the type of a function begins here, not a block.
    pub fn begins_function_type(&self) -> bool {
        let mut cursor = self.cursor.clone();
        cursor.take();
        let mut count = 0;
        while cursor.skip_type(MAX_NESTED) {
            count += 1;
        }
        match cursor.peek() {
            Token::Arrow => count > 0,
            Token::CloseBrace => {
                count == 1 && matches!(cursor.second(), Token::Name | Token::Question | Token::Not)
            }
            _ => false,
        }
    }

    /// ```text
    /// function type = "{" , { type } , "->" , type , "}" | "{" , type , "}" ;
    /// ```
    pub fn function_type_of(&mut self) -> Result<Type, Diagnostic> {
        self.enter()?;
        self.cursor.expect(Token::OpenBrace, "{")?;
        let mut types = Vec::new();
        while !matches!(self.cursor.peek(), Token::Arrow | Token::CloseBrace | Token::End) {
            types.push(self.any_type()?);
        }
        let result = match self.cursor.eat(Token::Arrow) {
            true => Some(self.any_type()?),
            false => types.pop(),
        };
        self.cursor.expect(Token::CloseBrace, "}")?;
        self.depth -= 1;
        let Some(result) = result else { return Err(self.cursor.expected("a type")) };
        Ok(self.function_type(types, result))
    }

    /// ```text
    /// declaration = function type , [ "?" ] , declarators ;
    /// ```
    /// A function that is declared with its literal is a constant.
    pub fn function_declaration(&mut self) -> Result<(), Diagnostic> {
        let declared = self.any_type()?;
        let is_final = self.cursor.peek() != Token::Not && !self.graph.types.may_be_null(declared);
        let name = self.graph.types.name(declared);
        self.declarators(|parser| match is_final && parser.begins_named_function() {
            true => parser.named_function(Some(declared)),
            false => parser.declared_pointer(declared, &name),
        })
    }

    /// Whether the declarator of a function with its literal begins here.
    pub fn begins_named_function(&self) -> bool {
        self.cursor.second() == Token::Assign && self.cursor.third() == Token::OpenBrace
    }

    /// ```text
    /// declarator = name , "=" , function ;
    /// ```
    /// The function may call itself, so it is declared before its body.
    pub fn named_function(&mut self, declared: Option<Type>) -> Result<(), Diagnostic> {
        let (name, span) = self.name()?;
        self.cursor.expect(Token::Assign, "=")?;
        let function = self.begun_function(name);
        let function = function.inspect_err(|_| self.undeclared.push(name))?;
        let value = self.function_value(function);
        let own = self.take_type().ty;
        let count = self.scope.count();
        self.define(name, span, value, "val");
        if self.scope.count() > count {
            self.scope.declare(own, super::scope::Fact::NOT_NULL);
            self.scope.set_final(count, true);
            self.scope.set_constant(count, own);
            #[cfg(feature = "ch28")]
            self.record_function(count, declared.is_none());
        }
        self.function_body(function)?;
        #[cfg(feature = "ch28")]
        self.record_end(count);
        let Some(declared) = declared else { return Ok(()) };
        self.push_type(StaticType::of(own));
        self.value_of_type(value, declared).map(drop)
    }
}
