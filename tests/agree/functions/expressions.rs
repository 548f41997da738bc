//! Random expressions with calls.
use super::generate::{CONSTANTS, Generator, Known, Level};
use super::meaning::result_of;
use super::{Expression, SIGNATURES, Type};

const NUMBERS: [i32; 13] = [0, 1, 2, 3, 4, 5, 7, 255, 256, -1, -2, i32::MAX, i32::MIN];

impl Generator {
    pub fn binary(&self, sign: &'static str, left: Expression, right: Expression) -> Expression {
        Expression::Binary(sign, Box::new([left, right]))
    }

    /// A value of exactly this type.
    pub fn value(&mut self, ty: Type, depth: usize) -> Expression {
        match ty {
            Type::Integer => self.integer(depth),
            Type::Byte => self.byte(depth),
            Type::Float => self.float(depth),
            Type::Object | Type::Integers | Type::Bytes | Type::Holder | Type::Late => {
                self.reference(ty, depth)
            }
            Type::ObjectOrNull => self.object_or_null(depth),
            Type::Function(signature) => self.function_value(signature, depth),
            Type::FunctionOrNull(signature) => {
                if self.random.once_in(3) {
                    return self.variable(ty).unwrap_or(Expression::Null);
                }
                self.function_value(signature, depth)
            }
        }
    }

    /// A value that a variable of this type takes.
    pub fn fitting(&mut self, ty: Type, depth: usize) -> Expression {
        match ty {
            Type::Float if self.random.once_in(3) => self.integer(depth),
            Type::ObjectOrNull if self.random.once_in(3) => self.value(Type::Object, depth),
            _ => self.value(ty, depth),
        }
    }

    /// A value that is returned: the type of a tested variable is the declared one.
    pub fn result(&mut self, ty: Type, depth: usize) -> Expression {
        let tested = std::mem::take(&mut self.frame().tested);
        let value = self.value(ty, depth);
        self.frame().tested = tested;
        value
    }

    pub fn sign(&mut self) -> &'static str {
        if self.random.once_in(3) { "+" } else { "" }
    }

    /// A statement begins with a name.
    pub fn named(&mut self, ty: Type) -> Option<Expression> {
        let object = self.value(ty, 1);
        matches!(object, Expression::Name(_) | Expression::Call(..)).then_some(object)
    }

    pub fn any_type(&mut self) -> Type {
        let signature = self.random.below(SIGNATURES.len());
        match self.random.below(8) {
            0 => Type::Function(signature),
            1 => Type::FunctionOrNull(signature),
            2 => Type::ObjectOrNull,
            _ => *self.random.pick(&super::generate::PARAMETERS),
        }
    }

    /// A variable of a type.
    fn variable(&mut self, ty: Type) -> Option<Expression> {
        let frame = self.frames.last().expect("a body is made");
        let fits = |name: &str, own: Type| match (own, ty) {
            (Type::ObjectOrNull, Type::Object) => frame.tested.iter().any(|it| it == name),
            (Type::FunctionOrNull(own), Type::Function(ty)) => {
                own == ty && frame.tested.iter().any(|it| it == name)
            }
            _ => own == ty,
        };
        let names = frame.variables.iter().filter(|it| fits(&it.name, it.ty));
        let names: Vec<_> = names.map(|it| it.name.clone()).collect();
        (!names.is_empty()).then(|| Expression::Name(self.random.pick(&names).clone()))
    }

    /// The functions that the current one may call.
    fn callable(&self) -> Vec<Known> {
        let frame = self.frames.last().expect("a body is made");
        let may_call = |it: &&Known| match (frame.level, it.level) {
            (Level::Top, Level::Top) | (Level::Leaf, Level::Leaf) => it.number > frame.number,
            (Level::Top, _) | (Level::Fuel, Level::Fuel | Level::Leaf) => true,
            _ => false,
        };
        let is_known = |it: &&Known| frame.is_late || !it.parameters.contains(&Type::Late);
        let functions = self.functions.iter().filter(may_call).filter(is_known);
        functions.chain(&self.inner).cloned().collect()
    }

    /// A call of a function with this result.
    fn call(&mut self, result: Type, depth: usize) -> Option<Expression> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        if self.random.once_in(4)
            && let Some(call) = self.call_of_value(result, depth)
        {
            return Some(call);
        }
        let all = self.callable().into_iter();
        let fitting: Vec<_> = all.filter(|it| it.result == result).collect();
        if fitting.is_empty() {
            return self.call_of_value(result, depth);
        }
        let known = self.random.pick(&fitting).clone();
        Some(self.call_of(&known, depth))
    }

    /// A call of any function.
    pub fn any_call(&mut self, depth: usize) -> Option<Expression> {
        let all = self.callable();
        if all.is_empty() {
            return None;
        }
        let known = self.random.pick(&all).clone();
        Some(self.call_of(&known, depth))
    }

    /// A call at the end of a function with fuel, of itself in most cases.
    pub fn last_call(&mut self) -> Option<Expression> {
        let frame = self.frames.last().expect("a body is made");
        let (number, result) = (frame.number, frame.result);
        let mut fitting = self.callable();
        fitting.retain(|it| it.result == result && it.level == Level::Fuel);
        let own = fitting.iter().find(|it| it.number == number).cloned();
        let own = own.filter(|_| !self.random.once_in(4));
        if fitting.is_empty() || self.frames.len() < 2 {
            return None;
        }
        let known = own.unwrap_or_else(|| self.random.pick(&fitting).clone());
        let tested = std::mem::take(&mut self.frame().tested);
        let call = self.call_of(&known, 2);
        self.frame().tested = tested;
        Some(call)
    }

    fn call_of(&mut self, known: &Known, depth: usize) -> Expression {
        let mut arguments = Vec::new();
        for (at, &ty) in known.parameters.iter().enumerate() {
            arguments.push(match known.level {
                Level::Fuel if at == 0 => self.fuel(),
                _ => self.fitting(ty, depth.saturating_sub(1)),
            });
        }
        let name = Expression::Name(known.name.clone());
        Expression::Call(known.result, Box::new(name), arguments)
    }

    fn fuel(&mut self) -> Expression {
        let frame = self.frame();
        if frame.level != Level::Fuel {
            return Expression::Literal(self.random.below(4) as i32);
        }
        let own = Expression::Name(frame.variables[0].name.clone());
        self.binary("-", own, Expression::Literal(1))
    }

    /// A call of a function that is the value of a variable, or of a literal.
    fn call_of_value(&mut self, result: Type, depth: usize) -> Option<Expression> {
        let all = (0..SIGNATURES.len()).filter(|&it| result_of(it) == result);
        let all: Vec<_> = all.collect();
        if all.is_empty() {
            return None;
        }
        let signature = *self.random.pick(&all);
        let given = SIGNATURES[signature].0.iter();
        let nullable = self.variable(Type::FunctionOrNull(signature));
        if let Some(nullable) = nullable
            && result == Type::Integer
            && self.random.once_in(2)
        {
            let arguments = given.map(|&ty| self.fitting(ty, depth.saturating_sub(1))).collect();
            let call = Expression::Call(result, Box::new(nullable.clone()), arguments);
            return Some(Expression::Choice(Box::new([nullable, call, self.number()])));
        }
        let function = match self.variable(Type::Function(signature)) {
            Some(function) => function,
            None if depth > 1 => self.function_value(signature, 0),
            None => return None,
        };
        let arguments = given.map(|&ty| self.fitting(ty, depth.saturating_sub(1))).collect();
        Some(Expression::Call(result, Box::new(function), arguments))
    }

    fn function_value(&mut self, signature: usize, depth: usize) -> Expression {
        let ty = Type::Function(signature);
        let (parameters, result) = SIGNATURES[signature];
        let fits = |it: &Known| it.parameters == parameters && it.result == result;
        let known: Vec<_> = self.callable().into_iter().filter(fits).collect();
        match self.random.below(6) {
            0..=2 if !known.is_empty() => {
                return Expression::Name(self.random.pick(&known).name.clone());
            }
            3 if depth > 0 => {
                if let Some(call) = self.call(ty, depth - 1) {
                    return call;
                }
            }
            _ => {}
        }
        if !self.random.once_in(3)
            && let Some(variable) = self.variable(ty)
        {
            return variable;
        }
        let number = self.inner_number();
        let (name, parameters) = (String::new(), parameters.to_vec());
        let is_late = self.frame().is_late;
        let known = Known { name, parameters, result, level: Level::Leaf, number, is_late };
        let left = self.left;
        self.left = self.left.min(2) * usize::from(self.frames.len() < 4);
        let function = self.function(&known);
        self.left = left.saturating_sub(2);
        Expression::Function(function)
    }

    fn reference(&mut self, ty: Type, depth: usize) -> Expression {
        if depth > 0
            && self.random.once_in(4)
            && let Some(call) = self.call(ty, depth - 1)
        {
            return call;
        }
        if depth > 1 && self.random.once_in(8) {
            let condition = self.integer(1);
            let [one, other] = [0, 1].map(|_| self.reference(ty, depth - 1));
            return Expression::Choice(Box::new([condition, one, other]));
        }
        if !self.random.once_in(8)
            && let Some(variable) = self.variable(ty)
        {
            return variable;
        }
        match ty {
            Type::Integers | Type::Bytes => {
                let length = match self.random.below(8) {
                    0 => self.integer(0),
                    _ => Expression::Literal(2 + self.random.below(3) as i32),
                };
                let of = if ty == Type::Bytes { "u8" } else { "int" };
                self.new_array(of, length)
            }
            Type::Holder => Expression::New("H"),
            Type::Late => Expression::New("L"),
            _ => Expression::New("S"),
        }
    }

    fn object_or_null(&mut self, depth: usize) -> Expression {
        let ty = Type::ObjectOrNull;
        match self.random.below(6) {
            0 => Expression::Null,
            1 | 2 => {
                let object = self.value(Type::Object, 0);
                Expression::Field(Box::new(object), "n")
            }
            3 if depth > 0 => self.call(ty, depth - 1).unwrap_or(Expression::Null),
            _ => self.variable(ty).unwrap_or(Expression::Null),
        }
    }

    /// An integer that a byte can be: the parameter takes no other one.
    fn byte(&mut self, depth: usize) -> Expression {
        match self.random.below(4) {
            0 | 1 => {
                let zero = Expression::Literal(self.random.below(256) as i32);
                self.variable(Type::Byte).unwrap_or(zero)
            }
            2 if depth > 0 => {
                let array = self.value(Type::Bytes, 0);
                let index = self.index(&array);
                Expression::Element(self.site(), Box::new([array, index]))
            }
            _ => Expression::Literal(self.random.below(256) as i32),
        }
    }

    /// Mostly inside.
    pub fn index(&mut self, array: &Expression) -> Expression {
        let length = match array {
            Expression::Name(_) => Expression::Length(Box::new(array.clone())),
            _ => Expression::Literal(2),
        };
        match self.random.below(24) {
            0 => self.integer(2),
            1..=5 => self.binary("-", length, Expression::Literal(1)),
            6..=10 => {
                let any = self.integer(1);
                self.binary("&", any, Expression::Literal(1))
            }
            11 | 12 => self.variable(Type::Integer).unwrap_or(Expression::Literal(0)),
            _ => Expression::Literal(self.random.below(2) as i32),
        }
    }

    fn number(&mut self) -> Expression {
        match self.random.below(4) {
            0 => Expression::Name(CONSTANTS[self.random.below(2)].0.to_string()),
            _ => Expression::Literal(*self.random.pick(&NUMBERS)),
        }
    }

    pub fn integer(&mut self, depth: usize) -> Expression {
        match self.random.below(if depth == 0 { 6 } else { 18 }) {
            0 => self.number(),
            1 | 2 => self.variable(Type::Integer).unwrap_or(Expression::Literal(2)),
            3 | 4 => self.integer_field(),
            5 => self.variable(Type::Byte).unwrap_or(Expression::Literal(9)),
            6 | 7 => {
                let ty = *self.random.pick(&[Type::Integers, Type::Bytes]);
                let array = self.value(ty, depth - 1);
                let index = self.index(&array);
                Expression::Element(self.site(), Box::new([array, index]))
            }
            8..=11 => match self.call(Type::Integer, depth - 1) {
                Some(call) => call,
                None => self.number(),
            },
            12 => {
                let sign = *self.random.pick(&["<", ">=", "==", "!="]);
                let (left, right) = (self.float(depth - 1), self.fitting(Type::Float, depth - 1));
                self.binary(sign, left, right)
            }
            13 => {
                let ty = *self.random.pick(&[Type::Object, Type::ObjectOrNull, Type::Integers]);
                let sign = *self.random.pick(&["==", "!="]);
                let (left, right) = (self.value(ty, depth - 1), self.value(ty, depth - 1));
                self.binary(sign, left, right)
            }
            14 => {
                let ty = *self.random.pick(&[Type::Integer, Type::ObjectOrNull, Type::Float]);
                Expression::Not(Box::new(self.value(ty, depth - 1)))
            }
            15 => {
                let parts = [0, 1, 2].map(|_| self.integer(depth - 1));
                Expression::Choice(Box::new(parts))
            }
            _ => {
                let signs = ["+", "-", "*", "&", "<", "==", ">=", "/"];
                let sign = *self.random.pick(&signs);
                let (left, right) = (self.integer(depth - 1), self.integer(depth - 1));
                self.binary(sign, left, right)
            }
        }
    }

    fn integer_field(&mut self) -> Expression {
        if self.frame().is_late && self.random.once_in(4) {
            let object = self.value(Type::Late, 0);
            return Expression::Field(Box::new(object), "l");
        }
        if self.random.once_in(6) {
            let holder = self.value(Type::Holder, 0);
            return Expression::Field(Box::new(holder), "k");
        }
        let object = Box::new(self.value(Type::Object, 0));
        Expression::Field(object, self.random.pick::<&str>(&["i", "i", "j", "b"]))
    }

    fn float(&mut self, depth: usize) -> Expression {
        match self.random.below(if depth == 0 { 4 } else { 10 }) {
            0 => match self.random.once_in(3) {
                true => Expression::Name(CONSTANTS[2].0.to_string()),
                false => Expression::Half(self.random.below(9) as i32),
            },
            1 | 2 => self.variable(Type::Float).unwrap_or(Expression::Half(3)),
            3 => {
                let object = Box::new(self.value(Type::Object, 0));
                Expression::Field(object, "x")
            }
            4..=6 => match self.call(Type::Float, depth - 1) {
                Some(call) => call,
                None => Expression::Half(1),
            },
            7 => {
                let condition = self.integer(depth - 1);
                let [one, other] = [0, 1].map(|_| self.float(depth - 1));
                Expression::Choice(Box::new([condition, one, other]))
            }
            _ => {
                let sign = *self.random.pick(&["+", "-", "*", "/"]);
                let (left, right) = (self.float(depth - 1), self.fitting(Type::Float, depth - 1));
                let (left, right) =
                    if self.random.once_in(2) { (left, right) } else { (right, left) };
                self.binary(sign, left, right)
            }
        }
    }
}
