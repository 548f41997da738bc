//! Random programs with functions.
//!
//! A function with fuel, its first parameter, calls functions with less fuel, itself included. One
//! without fuel calls only functions of higher numbers, so all programs end.
use super::super::random::Random;
use super::{Expression, Function, Site, Statement, Type};

/// Who may call a function.
#[derive(Clone, Copy, PartialEq)]
pub enum Level {
    /// It gives fuel to others.
    Top,
    /// Its first parameter is fuel.
    Fuel,
    /// It calls neither of both.
    Leaf,
}

/// A declared function.
#[derive(Clone)]
pub struct Known {
    pub name: String,
    pub parameters: Vec<Type>,
    pub result: Type,
    pub level: Level,
    pub number: usize,
    /// Whether it is declared after the late struct.
    pub is_late: bool,
}

#[derive(Clone)]
pub struct Variable {
    pub ty: Type,
    pub name: String,
    pub is_assigned: bool,
}

/// The function whose body is made.
pub struct Frame {
    pub variables: Vec<Variable>,
    /// Variables that are not null here.
    pub tested: Vec<String>,
    pub level: Level,
    pub number: usize,
    pub is_late: bool,
    pub result: Type,
    /// The number of declared variables.
    names: usize,
    /// Whether a loop is open.
    is_in_loop: bool,
}

pub struct Generator {
    pub random: Random,
    pub functions: Vec<Known>,
    /// Functions that are declared in functions or blocks.
    pub inner: Vec<Known>,
    pub frames: Vec<Frame>,
    sites: Site,
    names: usize,
    /// The number of statements and calls that may still be made.
    pub left: usize,
}

pub const PARAMETERS: [Type; 10] = [
    Type::Integer,
    Type::Integer,
    Type::Float,
    Type::Object,
    Type::ObjectOrNull,
    Type::Integers,
    Type::Bytes,
    Type::Byte,
    Type::Holder,
    Type::Object,
];

const RESULTS: [Type; 9] = [
    Type::Integer,
    Type::Integer,
    Type::Integer,
    Type::Float,
    Type::Float,
    Type::Object,
    Type::ObjectOrNull,
    Type::Integers,
    Type::Bytes,
];

pub const CONSTANTS: [(&str, Expression); 3] =
    [("c0", Expression::Literal(7)), ("c1", Expression::Literal(3)), ("d0", Expression::Half(5))];

pub fn program(seed: u64) -> Vec<Statement> {
    let random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut generator = Generator {
        random,
        functions: Vec::new(),
        inner: Vec::new(),
        frames: Vec::new(),
        sites: 0,
        names: 0,
        left: 60,
    };
    let count = 1 + generator.random.below(6);
    for number in 0..count {
        let known = generator.planned(number + 1);
        generator.functions.push(known);
    }
    let mut functions = Vec::new();
    for known in generator.functions.clone() {
        generator.left = 14;
        let function = generator.function(&known);
        functions.push(Statement::Function(known.name, function));
    }
    generator.main(functions)
}

impl Generator {
    fn planned(&mut self, number: usize) -> Known {
        let level = *self.random.pick(&[Level::Fuel, Level::Fuel, Level::Leaf, Level::Top]);
        let count = self.random.below(7);
        let mut parameters: Vec<_> = (0..count).map(|_| *self.random.pick(&PARAMETERS)).collect();
        if self.random.once_in(4) {
            let signature = self.random.below(super::SIGNATURES.len());
            parameters.push(match self.random.once_in(2) {
                true => Type::Function(signature),
                false => Type::FunctionOrNull(signature),
            });
        }
        if level == Level::Fuel {
            parameters.insert(0, Type::Integer);
        }
        let mut result = *self.random.pick(&RESULTS);
        if self.random.once_in(16) {
            result = Type::Function(self.random.below(super::SIGNATURES.len()));
        }
        if self.random.once_in(4) {
            // A function that may be a value.
            let (given, of) = *self.random.pick(&super::SIGNATURES);
            (parameters, result) = (given.to_vec(), of);
        }
        let level = match parameters.first() {
            Some(Type::Integer) => level,
            _ if level == Level::Fuel => Level::Leaf,
            _ => level,
        };
        parameters.truncate(6);
        let is_late = self.random.once_in(2);
        if is_late && self.random.once_in(3) && parameters.len() < 6 {
            parameters.push(Type::Late);
        }
        Known { name: format!("f{number}"), parameters, result, level, number, is_late }
    }

    fn main(&mut self, functions: Vec<Statement>) -> Vec<Statement> {
        let result = *self.random.pick(&RESULTS);
        self.frames.push(Frame {
            variables: Vec::new(),
            tested: Vec::new(),
            level: Level::Top,
            number: 0,
            is_late: false,
            result,
            names: 0,
            is_in_loop: false,
        });
        let constants = CONSTANTS.into_iter();
        let constants = constants.map(|(name, value)| Statement::Constant(name.into(), value));
        let mut body: Vec<_> = constants.collect();
        let arg = Expression::Name("arg".to_string());
        self.frame().variables.push(Variable {
            ty: Type::Integer,
            name: "arg".into(),
            is_assigned: true,
        });
        body.push(self.declared(Type::Integer, arg));
        body.push(self.declared(Type::Object, Expression::New("S")));
        let zero = Expression::Literal(2 + self.random.below(3) as i32);
        let integers = self.new_array("int", zero.clone());
        body.push(self.declared(Type::Integers, integers));
        let bytes = self.new_array("u8", zero);
        body.push(self.declared(Type::Bytes, bytes));
        body.push(self.declared(Type::Holder, Expression::New("H")));
        for _ in 0..2 {
            self.left = 12;
            while self.left > 0 {
                body.extend(self.statement(3));
            }
            if !self.frame().is_late {
                body.push(Statement::Struct);
                self.frame().is_late = true;
                body.push(self.declared(Type::Late, Expression::New("L")));
            }
        }
        body.push(Statement::Return(self.result(result, 3)));
        for (known, function) in self.functions.clone().iter().zip(functions) {
            let late = body.iter().position(|it| *it == Statement::Struct);
            let late = late.expect("the struct is declared");
            let places = if known.is_late { late + 1..body.len() } else { CONSTANTS.len()..late };
            let place = places.start + self.random.below(places.len());
            body.insert(place, function);
        }
        body
    }

    pub fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a body is made")
    }

    pub fn site(&mut self) -> Site {
        self.sites += 1;
        self.sites - 1
    }

    pub fn new_array(&mut self, of: &'static str, length: Expression) -> Expression {
        Expression::NewArray(self.site(), of, Box::new(length))
    }

    fn fresh(&mut self, ty: Type) -> String {
        let frame = self.frame();
        frame.names += 1;
        format!("{}{}", ty.letter(), frame.names - 1)
    }

    fn declared(&mut self, ty: Type, value: Expression) -> Statement {
        let name = self.fresh(ty);
        // A function that is declared with its literal is a constant.
        let is_literal = matches!(value, Expression::Function(_));
        let is_assigned = !is_literal || matches!(ty, Type::FunctionOrNull(_));
        self.frame().variables.push(Variable { ty, name: name.clone(), is_assigned });
        Statement::Declare(ty, name, value)
    }

    /// The literal of a function.
    pub fn function(&mut self, known: &Known) -> Function {
        let &Known { level, number, result, is_late, .. } = known;
        self.frames.push(Frame {
            variables: Vec::new(),
            tested: Vec::new(),
            level,
            number,
            is_late,
            result,
            names: 0,
            is_in_loop: false,
        });
        let mut parameters = Vec::new();
        for (at, &ty) in known.parameters.iter().enumerate() {
            let name = self.fresh(ty);
            parameters.push((ty, name.clone()));
            let is_assigned = at > 0 || level != Level::Fuel;
            self.frame().variables.push(Variable { ty, name, is_assigned });
        }
        let inner = self.inner.len();
        let mut body = Vec::new();
        if level == Level::Fuel {
            let fuel = Expression::Name(parameters[0].1.clone());
            let test = self.binary("<=", fuel, Expression::Literal(0));
            let left = std::mem::take(&mut self.left);
            let value = self.value(result, 1);
            self.left = left;
            body.push(Statement::If(test, vec![Statement::Return(value)], Vec::new()));
        }
        for _ in 0..self.random.below(5) {
            body.extend(self.statement(2));
        }
        body.extend(self.last(2));
        self.inner.truncate(inner);
        self.frames.pop();
        Function { parameters, body }
    }

    /// The last statements of a function.
    fn last(&mut self, depth: usize) -> Vec<Statement> {
        let result = self.frame().result;
        if self.random.once_in(3)
            && let Some(call) = self.last_call()
        {
            return vec![Statement::Return(call)];
        }
        match self.random.below(if depth == 0 { 4 } else { 6 }) {
            0..=2 => vec![Statement::Return(self.result(result, 3))],
            3 | 4 => match self.result(result, 3) {
                literal @ Expression::Function(_) => vec![Statement::Return(literal)],
                value => vec![Statement::Do(value)],
            },
            _ => {
                let condition = self.integer(2);
                let arms = [0, 1].map(|_| self.scoped(|it| it.last(depth - 1)));
                let [then, otherwise] = arms;
                vec![Statement::If(condition, then, otherwise)]
            }
        }
    }

    /// What is declared inside is not visible after it.
    fn scoped<T>(&mut self, inside: impl FnOnce(&mut Generator) -> T) -> T {
        let (variables, inner) = (self.frame().variables.len(), self.inner.len());
        let made = inside(self);
        self.frame().variables.truncate(variables);
        self.inner.truncate(inner);
        made
    }

    fn block(&mut self, depth: usize) -> Vec<Statement> {
        self.scoped(|it| (0..it.random.below(4)).flat_map(|_| it.statement(depth)).collect())
    }

    fn statement(&mut self, depth: usize) -> Vec<Statement> {
        self.left = self.left.saturating_sub(1);
        let is_inside = depth < 2;
        let one = match self.random.below(if depth == 0 || self.left == 0 { 9 } else { 16 }) {
            0 | 1 => self.assignment(),
            2 | 3 => self.field(),
            4 => self.element(),
            5 => {
                let ty = self.any_type();
                let value = self.fitting(ty, 2);
                self.declared(ty, value)
            }
            6 | 7 => match self.any_call(2) {
                Some(call) => Statement::Do(call),
                None => self.assignment(),
            },
            8 if is_inside && self.frame().is_in_loop && self.random.once_in(2) => {
                let leave = [Statement::Break, Statement::Continue][self.random.below(2)].clone();
                Statement::If(self.integer(1), vec![leave], Vec::new())
            }
            8 if is_inside || self.random.once_in(4) => {
                let (condition, result) = (self.integer(1), self.frame().result);
                let value = self.result(result, 2);
                Statement::If(condition, vec![Statement::Return(value)], Vec::new())
            }
            9 | 10 => {
                let condition = self.integer(2);
                Statement::If(condition, self.block(depth - 1), self.block(depth - 1))
            }
            11 | 12 => self.tested(depth - 1),
            13 if self.frames.len() < 3 => return self.inner_function(),
            _ if depth > 0 => self.repeated(depth - 1),
            _ => self.field(),
        };
        vec![one]
    }

    fn assignment(&mut self) -> Statement {
        let frame = self.frames.last().expect("a body is made");
        let variables = frame.variables.iter();
        let assigned = variables.filter(|it| it.is_assigned && !frame.tested.contains(&it.name));
        let assigned: Vec<_> = assigned.cloned().collect();
        if assigned.is_empty() {
            return self.field();
        }
        let Variable { ty, name, .. } = self.random.pick(&assigned).clone();
        let sign = match ty {
            Type::Integer | Type::Byte | Type::Float => self.sign(),
            _ => "",
        };
        let value = match ty {
            Type::Byte => self.integer(2),
            _ => self.fitting(ty, 3),
        };
        Statement::Assign(name, sign, value)
    }

    fn field(&mut self) -> Statement {
        if self.frame().is_late && self.random.once_in(4) {
            let Some(object) = self.named(Type::Late) else {
                return self.declared(Type::Late, Expression::New("L"));
            };
            return match self.random.once_in(3) {
                true => Statement::SetField(object, "z", "", self.fitting(Type::Float, 2)),
                false => Statement::SetField(object, "l", self.sign(), self.integer(2)),
            };
        }
        if self.random.once_in(6) {
            let Some(holder) = self.named(Type::Holder) else {
                return self.declared(Type::Holder, Expression::New("H"));
            };
            return match self.random.once_in(2) {
                true => Statement::SetField(holder, "k", self.sign(), self.integer(2)),
                false => {
                    let value = self.fitting(Type::FunctionOrNull(0), 2);
                    Statement::SetField(holder, "g", "", value)
                }
            };
        }
        let Some(object) = self.named(Type::Object) else {
            return self.declared(Type::Object, Expression::New("S"));
        };
        match self.random.below(8) {
            0 => Statement::SetField(object, "n", "", self.fitting(Type::ObjectOrNull, 2)),
            1 | 2 => {
                let sign = self.sign();
                Statement::SetField(object, "x", sign, self.fitting(Type::Float, 2))
            }
            3 => Statement::SetField(object, "b", "", self.integer(2)),
            4 => Statement::SetField(object, "j", self.sign(), self.integer(2)),
            _ => Statement::SetField(object, "i", self.sign(), self.integer(2)),
        }
    }

    fn element(&mut self) -> Statement {
        let ty = *self.random.pick(&[Type::Integers, Type::Bytes]);
        let array = self.value(ty, 1);
        let (Expression::Name(_) | Expression::Call(..)) = array else { return self.field() };
        let index = self.index(&array);
        let (site, sign) = (self.site(), self.sign());
        Statement::SetElement(site, array, index, sign, self.integer(2))
    }

    /// A test of a reference, and a block in which it is not null.
    fn tested(&mut self, depth: usize) -> Statement {
        let variables = &self.frames.last().expect("a body is made").variables;
        let is_nullable =
            |it: &&Variable| matches!(it.ty, Type::ObjectOrNull | Type::FunctionOrNull(_));
        let names: Vec<_> =
            variables.iter().filter(is_nullable).map(|it| it.name.clone()).collect();
        if names.is_empty() {
            let ty = *self.random.pick(&[Type::ObjectOrNull, Type::FunctionOrNull(0)]);
            let value = self.fitting(ty, 2);
            return self.declared(ty, value);
        }
        let name = self.random.pick(&names).clone();
        let tested = self.frame().tested.clone();
        self.frame().tested.push(name.clone());
        let then = self.block(depth);
        let frame = self.frame();
        // A loop inside forgets all tests.
        frame.tested = if frame.tested.contains(&name) { tested } else { Vec::new() };
        let otherwise = self.block(depth);
        Statement::If(Expression::Name(name), then, otherwise)
    }

    fn inner_function(&mut self) -> Vec<Statement> {
        self.names += 1;
        let (parameters, result) = *self.random.pick(&super::SIGNATURES);
        let known = Known {
            name: format!("h{}", self.names),
            parameters: parameters.to_vec(),
            result,
            level: Level::Leaf,
            number: self.inner_number(),
            is_late: self.frame().is_late,
        };
        let function = self.function(&known);
        self.inner.push(known.clone());
        vec![Statement::Function(known.name, function)]
    }

    /// Literals in a function call what this function may call without fuel.
    pub fn inner_number(&mut self) -> usize {
        let Frame { level, number, .. } = *self.frame();
        if level == Level::Leaf { number } else { 0 }
    }

    fn repeated(&mut self, depth: usize) -> Statement {
        // The limit is computed in each round, after the assignments of the body.
        self.frame().tested.clear();
        let limit = match self.random.below(4) {
            0 => {
                let array = self.value(Type::Integers, 0);
                Expression::Length(Box::new(array))
            }
            1 => {
                let any = self.integer(2);
                self.binary("&", any, Expression::Literal(3))
            }
            _ => Expression::Literal(1 + self.random.below(3) as i32),
        };
        let name = self.fresh(Type::Integer);
        let body = self.scoped(|it| {
            let counter = Variable { ty: Type::Integer, name: name.clone(), is_assigned: false };
            let frame = it.frame();
            frame.variables.push(counter);
            let outer = std::mem::replace(&mut frame.is_in_loop, true);
            let count = 1 + it.random.below(3);
            let body = (0..count).flat_map(|_| it.statement(depth)).collect();
            let frame = it.frame();
            frame.tested.clear();
            frame.is_in_loop = outer;
            body
        });
        Statement::For(name, limit, body)
    }
}
