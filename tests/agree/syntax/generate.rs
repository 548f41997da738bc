//! Random programs in the comfortable syntax.
use super::super::random::Random;
use super::{Expression, Place, Program, Statement, Struct};

const NAMES: [&str; 7] = ["a", "b", "c", "d", "e", "f", "g"];
const COUNTERS: [&str; 5] = ["i1", "i2", "i3", "i4", "i5"];
const OBJECTS: [&str; 6] = ["p", "q", "r", "s", "t", "u"];
const FIELDS: [&str; 4] = ["w", "x", "y", "z"];
const TYPES: [&str; 8] = ["int", "int", "var", "u8", "i8", "u16", "i16", "bool"];
const STRUCTS: [&str; 3] = ["A", "B", "C"];
const COMPOUND: [&str; 11] = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", ">>>"];
const NUMBERS: [i32; 18] =
    [0, 1, 2, 3, 5, 7, 8, 16, 100, 127, 128, 255, 256, -1, -2, -7, i32::MAX, i32::MIN];

struct Generator {
    random: Random,
    /// The fields of each struct.
    structs: Vec<Vec<&'static str>>,
    /// For each open block, its names: whether they may be assigned, and for objects the struct.
    blocks: Vec<Vec<(&'static str, bool, Option<usize>)>>,
    loops: usize,
    left: usize,
    /// Whether declarations here would be fields.
    is_struct: bool,
}

pub fn program(seed: u64) -> Program {
    let mut generator = Generator {
        random: Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
        structs: Vec::new(),
        blocks: vec![vec![("arg", true, None)], Vec::new()],
        loops: 0,
        left: 40,
        is_struct: false,
    };
    let mut structs = Vec::new();
    for name in &STRUCTS[..1 + generator.random.below(2)] {
        structs.push(generator.declare_struct(name));
    }
    let mut body: Vec<_> = (0..3).map(|_| generator.declaration()).collect();
    body.extend((0..2).map(|_| generator.object()));
    while generator.left > 0 {
        body.push(generator.statement(3));
    }
    body.push(Statement::Return(generator.sum()));
    Program { structs, body }
}

impl Generator {
    fn number(&mut self) -> Expression {
        Expression::Literal(*self.random.pick(&NUMBERS))
    }

    /// The visible places; those that may be assigned.
    fn places(&self, is_assigned: bool) -> Vec<Place> {
        let mut places = Vec::new();
        let mut seen = Vec::new();
        for &(name, is_mutable, of) in self.blocks.iter().rev().flatten() {
            if seen.contains(&name) {
                continue;
            }
            seen.push(name);
            match of {
                Some(of) => {
                    places.extend(self.structs[of].iter().map(|field| Place::Field(name, field)));
                }
                None if is_mutable || !is_assigned => places.push(Place::Variable(name)),
                None => {}
            }
        }
        places
    }

    fn place(&mut self, is_assigned: bool) -> Place {
        let places = self.places(is_assigned);
        self.random.pick(&places).clone()
    }

    fn variable(&mut self) -> Place {
        let places: Vec<_> = self.places(true);
        let places = places.into_iter().filter(|it| matches!(it, Place::Variable(_)));
        let places: Vec<_> = places.collect();
        self.random.pick(&places).clone()
    }

    fn expression(&mut self, depth: usize) -> Expression {
        match self.random.below(if depth == 0 { 3 } else { 12 }) {
            0 => self.number(),
            1 | 2 => Expression::Read(self.place(false)),
            3 => Expression::Minus(Box::new(self.expression(depth - 1))),
            4 => {
                let both = [self.expression(depth - 1), self.expression(depth - 1)];
                let has_other = !self.random.once_in(5);
                let other = has_other.then(|| Box::new(self.expression(depth - 1)));
                Expression::Choice(Box::new(both), other)
            }
            5 => self.change(depth - 1),
            6 => self.step(),
            _ => {
                let signs = [&COMPOUND[..], &["==", "!=", "<", ">=", "+", "%"]].concat();
                let sign = *self.random.pick(&signs);
                let both = [self.expression(depth - 1), self.expression(depth - 1)];
                Expression::Binary(sign, Box::new(both))
            }
        }
    }

    fn change(&mut self, depth: usize) -> Expression {
        let place = self.place(true);
        let sign = if self.random.once_in(3) { "" } else { *self.random.pick(&COMPOUND) };
        Expression::Change(place, sign, Box::new(self.expression(depth)))
    }

    fn step(&mut self) -> Expression {
        let is_before = self.random.once_in(2);
        let place = if is_before { self.variable() } else { self.place(true) };
        Expression::Step(place, is_before, if self.random.once_in(2) { 1 } else { -1 })
    }

    /// A name that the innermost block does not have.
    fn fresh(&mut self, names: &[&'static str]) -> Option<&'static str> {
        let own: Vec<_> = self.blocks.last().into_iter().flatten().map(|it| it.0).collect();
        let free: Vec<_> = names.iter().filter(|it| !own.contains(it)).copied().collect();
        (!free.is_empty()).then(|| *self.random.pick(&free))
    }

    fn add(&mut self, name: &'static str, is_mutable: bool, of: Option<usize>) {
        self.blocks.last_mut().expect("a block is open").push((name, is_mutable, of));
    }

    fn declaration(&mut self) -> Statement {
        self.declaration_of(&NAMES)
    }

    /// Each name is visible in the values after it.
    fn declaration_of(&mut self, names: &[&'static str]) -> Statement {
        let is_final = self.random.once_in(8);
        let ty = if is_final { "val" } else { *self.random.pick(&TYPES) };
        let mut variables = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let Some(name) = self.fresh(names) else { break };
            let needs_value = matches!(ty, "var" | "val");
            let has_value = needs_value || !self.random.once_in(3);
            let value = has_value.then(|| self.expression(2));
            self.add(name, !is_final, None);
            variables.push((name, value));
        }
        match variables.is_empty() {
            true => Statement::Do(self.step()),
            false => Statement::Declare(ty, variables),
        }
    }

    /// Declarations of fields, with other statements between them.
    fn declare_struct(&mut self, name: &'static str) -> Struct {
        self.blocks.push(Vec::new());
        let mut body = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            // Final fields are left to the cases.
            let mut declared = self.declaration_of(&FIELDS);
            if let Statement::Declare(ty @ "val", _) = &mut declared {
                *ty = "int";
            }
            body.push(declared);
            if self.random.once_in(3) {
                self.is_struct = true;
                body.push(self.statement(1));
                self.is_struct = false;
            }
        }
        let own = self.blocks.pop().expect("the body is open");
        self.structs.push(own.into_iter().map(|it| it.0).collect());
        Struct { name, body }
    }

    /// A variable for a new object.
    fn object(&mut self) -> Statement {
        if self.structs.is_empty() {
            return Statement::Do(self.change(2));
        }
        let Some(name) = self.fresh(&OBJECTS) else { return Statement::Do(self.change(2)) };
        let of = self.random.below(self.structs.len());
        let has_constructor = !self.random.once_in(4);
        let body = has_constructor.then(|| {
            let fields = self.structs[of].iter().map(|&field| (field, true, None)).collect();
            self.blocks.push(fields);
            let body = (0..self.random.below(4)).map(|_| self.statement(1)).collect();
            self.blocks.pop();
            body
        });
        self.add(name, true, Some(of));
        Statement::New(name, STRUCTS[of], body)
    }

    fn block(&mut self, depth: usize) -> Vec<Statement> {
        self.blocks.push(Vec::new());
        let block = (0..self.random.below(4)).map(|_| self.statement(depth)).collect();
        self.blocks.pop();
        block
    }

    fn statement(&mut self, depth: usize) -> Statement {
        self.left = self.left.saturating_sub(1);
        match self.random.below(if depth == 0 { 7 } else { 14 }) {
            0..3 => Statement::Do(self.change(3)),
            3 => Statement::Do(self.step()),
            4 if self.loops > 0 && self.random.once_in(2) => {
                let jump = self.random.once_in(2);
                let jump = if jump { Statement::Break } else { Statement::Continue };
                Statement::If(self.expression(1), vec![jump], Vec::new())
            }
            4..7 if self.is_struct => Statement::Do(self.change(2)),
            4 | 5 if self.blocks.len() > 2 || depth == 3 => self.declaration(),
            6 if depth == 3 || self.blocks.len() > 3 => self.object(),
            4..8 => Statement::Do(self.change(2)),
            8 if self.random.once_in(6) => Statement::Return(self.expression(2)),
            8..10 => {
                let condition = self.expression(2);
                Statement::If(condition, self.block(depth - 1), self.block(depth - 1))
            }
            10 => self.countdown(depth),
            _ => self.counting(depth),
        }
    }

    /// `for (int i = 0; i < 5; i++) { … }`
    fn counting(&mut self, depth: usize) -> Statement {
        self.blocks.push(Vec::new());
        let name = self.fresh(&COUNTERS).expect("the block is new");
        let counter = Place::Variable(name);
        let first = self.expression(1);
        let first = if self.random.once_in(3) { first } else { Expression::Literal(0) };
        self.add(name, false, None);
        let limit = Expression::Literal(self.random.below(6) as i32);
        let both = Box::new([Expression::Read(counter.clone()), limit]);
        let test = Expression::Binary("<", both);
        let last = match self.random.below(3) {
            0 => Expression::Change(counter, "+", Box::new(Expression::Literal(1))),
            1 => Expression::Step(counter, true, 1),
            _ => Expression::Step(counter, false, 1),
        };
        self.loops += 1;
        let body = self.block(depth - 1);
        self.loops -= 1;
        self.blocks.pop();
        let first = Statement::Declare("int", vec![(name, Some(first))]);
        Statement::For(Some(Box::new(first)), Some(test), Some(last), body)
    }

    /// `for (int i = 5; i-- > 0;) { … }`, or without a test but with a break.
    fn countdown(&mut self, depth: usize) -> Statement {
        self.blocks.push(Vec::new());
        let name = self.fresh(&COUNTERS).expect("the block is new");
        self.add(name, false, None);
        let first = Expression::Literal(self.random.below(6) as i32);
        let first = Statement::Declare("int", vec![(name, Some(first))]);
        let step = Expression::Step(Place::Variable(name), self.random.once_in(2), -1);
        let test = Expression::Binary(">=", Box::new([step, Expression::Literal(1)]));
        self.loops += 1;
        let mut body = self.block(depth - 1);
        self.loops -= 1;
        self.blocks.pop();
        let first = Some(Box::new(first));
        if self.random.once_in(3) {
            body.insert(0, Statement::If(test, Vec::new(), vec![Statement::Break]));
            return Statement::For(first, None, None, body);
        }
        match self.random.once_in(3) {
            true => {
                let inner = vec![Statement::While(test, body)];
                Statement::For(first, Some(Expression::Literal(1)), None, {
                    let mut all = inner;
                    all.push(Statement::Break);
                    all
                })
            }
            false => Statement::For(first, Some(test), None, body),
        }
    }

    /// The sum of all visible places, each with a different weight.
    fn sum(&mut self) -> Expression {
        let terms = self.places(false).into_iter().enumerate().map(|(at, place)| {
            let factor = Expression::Literal(2 * at as i32 + 1);
            Expression::Binary("*", Box::new([Expression::Read(place), factor]))
        });
        let sum = |sum, term| Expression::Binary("+", Box::new([sum, term]));
        terms.reduce(sum).unwrap_or(Expression::Literal(0))
    }
}
