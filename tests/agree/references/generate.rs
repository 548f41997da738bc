//! Random programs with references.
use super::super::random::Random;
use super::{FLOATS, Float, INTEGERS, Integer, Kind, Outcome, Place, Program, Reference};
use super::{Statement, Struct};

const NAMES: [&str; 3] = ["A", "B", "C"];

/// From chapter 16 on a field that is never null needs a value in each constructor.
#[cfg(feature = "ch16")]
const HAS_CONSTRUCTORS: bool = true;
#[cfg(not(feature = "ch16"))]
const HAS_CONSTRUCTORS: bool = false;

/// The types of fields beside `int`.
#[cfg(feature = "ch14")]
const NARROW: &[&str] = &["bool", "u8", "i8", "u16", "i16", "i32"];
#[cfg(not(feature = "ch14"))]
const NARROW: &[&str] = &["int"];

struct Generator {
    random: Random,
    is_careless: bool,
    structs: Vec<Struct>,
    variables: Vec<(usize, bool)>,
    counters: usize,
    /// The visible variables, and whether they are known to be objects.
    visible: Vec<(usize, bool)>,
    /// The variables that may be assigned: those that no test narrows.
    declared: usize,
}

pub fn program(seed: u64, is_careless: bool) -> Program {
    let mut generator = Generator {
        random: Random(seed),
        is_careless,
        structs: Vec::new(),
        variables: Vec::new(),
        counters: 0,
        visible: Vec::new(),
        declared: 0,
    };
    generator.declare();
    let body = (0..3).flat_map(|_| generator.body(3)).collect();
    let result = match generator.random.below(4) {
        0 => Outcome::Float(generator.float(3)),
        1 => Outcome::Reference(generator.random.below(generator.declared)),
        _ => Outcome::Integer(generator.integer(3)),
    };
    let Generator { structs, variables, declared, .. } = generator;
    Program { structs, variables, declared, body, result }
}

impl Generator {
    /// Structs, and at least one variable that is never null for each.
    fn declare(&mut self) {
        let count = 1 + self.random.below(NAMES.len());
        for name in &NAMES[..count] {
            let fields = 1 + self.random.below(5);
            let fields = (0..fields).map(|at| (format!("m{at}"), self.kind(count))).collect();
            self.structs.push(Struct { name, fields });
        }
        for of in 0..count {
            let (objects, others) = (1 + self.random.below(2), self.random.below(3));
            self.variables.extend((0..objects).map(|_| (of, false)));
            self.variables.extend((0..others).map(|_| (of, true)));
        }
        self.declared = self.variables.len();
        let known = self.variables.iter().enumerate().map(|(at, it)| (at, !it.1));
        self.visible = known.collect();
    }

    fn kind(&mut self, structs: usize) -> Kind {
        match self.random.below(5) {
            0 => Kind::Integer("int"),
            1 => Kind::Integer(self.random.pick::<&str>(NARROW)),
            2 => Kind::Float,
            _ => Kind::Reference {
                of: self.random.below(structs),
                nullable: !self.random.once_in(4) || HAS_CONSTRUCTORS,
            },
        }
    }

    /// A field of this kind of an object that is known; in careless programs, sometimes of any.
    fn place(&mut self, is_good: impl Fn(Kind) -> bool) -> Option<Place> {
        let is_careless = self.is_careless && self.random.once_in(12);
        let known = self.visible.iter().filter(|it| it.1 || is_careless);
        let mut places = Vec::new();
        for &(object, _) in known {
            let fields = self.structs[self.variables[object].0].fields.iter().enumerate();
            let good = fields.filter(|(_, field)| is_good(field.1));
            places.extend(good.map(|(field, _)| Place { object, field }));
        }
        (!places.is_empty()).then(|| *self.random.pick(&places))
    }

    fn integer(&mut self, depth: usize) -> Integer {
        match self.random.below(if depth == 0 { 5 } else { 10 }) {
            0 => Integer::Argument,
            1 => Integer::Literal(self.random.below(9) as i32),
            2 => Integer::Variable(self.random.below(INTEGERS)),
            3 | 4 => match self.place(|kind| matches!(kind, Kind::Integer(_))) {
                Some(place) => Integer::Field(place),
                None => Integer::Argument,
            },
            5..8 => {
                let sign = *self.random.pick(&["+", "-", "*", "<", "=="]);
                let operands = [self.integer(depth - 1), self.integer(depth - 1)];
                Integer::Binary(sign, Box::new(operands))
            }
            8 => Integer::Less(Box::new([self.float(depth - 1), self.float(depth - 1)])),
            _ => {
                let of = self.random.below(self.structs.len());
                Integer::Same(self.reference(of, false), self.reference(of, true))
            }
        }
    }

    fn float(&mut self, depth: usize) -> Float {
        match self.random.below(if depth == 0 { 4 } else { 8 }) {
            0 => Float::Literal(self.random.below(20) as i32),
            1 => Float::Variable(self.random.below(FLOATS)),
            2 | 3 => match self.place(|kind| kind == Kind::Float) {
                Some(place) => Float::Field(place),
                None => Float::Literal(2),
            },
            4 => Float::Of(self.integer(depth - 1)),
            _ => {
                let sign = *self.random.pick(&["+", "-", "*", "/"]);
                let operands = [self.float(depth - 1), self.float(depth - 1)];
                Float::Binary(sign, Box::new(operands))
            }
        }
    }

    /// A reference to objects of a struct, which is not null, or may be.
    fn reference(&mut self, of: usize, may_be_null: bool) -> Reference {
        let is_of = |kind| matches!(kind, Kind::Reference { of: other, .. } if other == of);
        if may_be_null {
            match self.random.below(6) {
                0 => return Reference::Null,
                1..4 => {
                    if let Some(place) = self.place(is_of) {
                        return Reference::Field(place);
                    }
                }
                _ => {}
            }
        }
        let is_good = |it: &&(usize, bool)| self.variables[it.0].0 == of && (it.1 || may_be_null);
        let good: Vec<usize> = self.visible.iter().filter(is_good).map(|it| it.0).collect();
        match good.is_empty() || self.random.once_in(4) {
            true => Reference::New(of),
            false => Reference::Variable(*self.random.pick(&good)),
        }
    }

    fn body(&mut self, depth: usize) -> Vec<Statement> {
        (0..1 + self.random.below(4)).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: usize) -> Statement {
        match self.random.below(if depth == 0 { 10 } else { 16 }) {
            0 => Statement::Integer(self.random.below(INTEGERS), self.integer(3)),
            1 => Statement::Float(self.random.below(FLOATS), self.float(3)),
            2..4 => self.assignment(),
            4..10 => self.store(),
            10 => {
                let test = self.integer(2);
                Statement::If(test, self.body(depth - 1), self.body(depth - 1))
            }
            11 | 12 => self.test(depth),
            13 => {
                self.counters += 1;
                let (counter, count) = (self.counters, 1 + self.random.below(4) as u32);
                self.forget();
                Statement::Repeat(counter, count, self.body(depth - 1))
            }
            _ => self.walk(depth),
        }
    }

    fn assignment(&mut self) -> Statement {
        let to = self.random.below(self.declared);
        let (of, nullable) = self.variables[to];
        Statement::Reference(to, self.reference(of, nullable))
    }

    fn store(&mut self) -> Statement {
        let Some(place) = self.place(|_| true) else { return self.assignment() };
        let of = self.variables[place.object].0;
        match self.structs[of].fields[place.field].1 {
            Kind::Integer(_) => Statement::StoreInteger(place, self.integer(2)),
            Kind::Float => Statement::StoreFloat(place, self.float(2)),
            Kind::Reference { of, nullable } => {
                Statement::StoreReference(place, self.reference(of, nullable))
            }
        }
    }

    /// A new variable for references to objects of a struct.
    fn variable(&mut self, of: usize) -> usize {
        self.variables.push((of, true));
        self.variables.len() - 1
    }

    /// Statements in which a variable is visible.
    fn inside(&mut self, variable: usize, is_known: bool, depth: usize) -> Vec<Statement> {
        self.visible.push((variable, is_known));
        let body = self.body(depth);
        self.visible.pop();
        body
    }

    /// In a loop and after it, the compiler knows of a variable only its declared type.
    fn forget(&mut self) {
        for (variable, is_known) in &mut self.visible {
            *is_known &= !self.variables[*variable].1;
        }
    }

    fn test(&mut self, depth: usize) -> Statement {
        let of = self.random.below(self.structs.len());
        let value = self.reference(of, true);
        let variable = self.variable(of);
        let form = self.random.below(4);
        let yes = self.inside(variable, true, depth - 1);
        let no = self.inside(variable, false, depth - 1);
        Statement::Test(variable, value, form, yes, no)
    }

    /// A walk along a list; a test, if no struct refers to itself.
    fn walk(&mut self, depth: usize) -> Statement {
        let mut lists = Vec::new();
        for (of, it) in self.structs.iter().enumerate() {
            let is_next = |kind| matches!(kind, Kind::Reference { of: other, .. } if other == of);
            let next = it.fields.iter().enumerate().filter(|(_, field)| is_next(field.1));
            lists.extend(next.map(|(field, _)| (of, field)));
        }
        if lists.is_empty() {
            return self.test(depth);
        }
        let (of, field) = *self.random.pick(&lists);
        let from = self.reference(of, true);
        self.forget();
        self.counters += 1;
        let (variable, counter) = (self.variable(of), self.counters);
        let body = self.inside(variable, true, depth - 1);
        Statement::Walk(variable, from, field, counter, body)
    }
}
