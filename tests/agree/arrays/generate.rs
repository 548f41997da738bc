//! Random programs with arrays.
use super::super::random::Random;
use super::{Expression, Site, Statement};

/// The arrays, and the types of their elements.
const ARRAYS: [(&str, &str); 8] = [
    ("a", "int"),
    ("b", "int"),
    ("u", "u8"),
    ("c", "i8"),
    ("h", "u16"),
    ("d", "i16"),
    ("f", "flt"),
    ("n", "int[]?"),
];
const INTEGERS: [&str; 6] = ["a", "b", "u", "c", "h", "d"];
const VARIABLES: [&str; 4] = ["v", "w", "x", "arg"];
const COUNTERS: [&str; 4] = ["i", "j", "k", "l"];
const ROWS: [&str; 3] = ["r", "s", "t"];
const NUMBERS: [i32; 14] = [0, 1, 2, 3, 4, 5, 7, 255, 256, -1, -2, i32::MAX, i32::MIN, 1 << 30];

pub fn element_of(array: &str) -> &'static str {
    ARRAYS.iter().find(|it| it.0 == array).map_or("int", |it| it.1)
}

struct Generator {
    random: Random,
    sites: Site,
    counters: usize,
    rows: usize,
    left: usize,
    /// All results have one type.
    returns_integers: bool,
}

pub fn program(seed: u64) -> Vec<Statement> {
    let random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut generator =
        Generator { random, sites: 0, counters: 0, rows: 0, left: 30, returns_integers: false };
    let mut body: Vec<_> =
        VARIABLES[..3].iter().map(|name| Statement::Declare(name, generator.number())).collect();
    for (name, element) in ARRAYS {
        let length = generator.length();
        body.push(Statement::New(generator.site(), Some(element), name, length));
    }
    while generator.left > 0 {
        body.push(generator.statement(3));
    }
    let end = match generator.random.below(4) {
        0 if !generator.returns_integers => {
            Statement::ReturnArray(generator.random.pick(&ARRAYS).0)
        }
        _ => Statement::Return(generator.expression(3)),
    };
    body.push(end);
    body
}

impl Generator {
    fn site(&mut self) -> Site {
        self.sites += 1;
        self.sites - 1
    }

    fn number(&mut self) -> Expression {
        Expression::Literal(*self.random.pick(&NUMBERS))
    }

    fn binary(&self, sign: &'static str, left: Expression, right: Expression) -> Expression {
        Expression::Binary(sign, Box::new([left, right]))
    }

    fn variable(&mut self) -> Expression {
        if self.counters > 0 && !self.random.once_in(3) {
            return Expression::Variable(COUNTERS[self.random.below(self.counters)]);
        }
        Expression::Variable(self.random.pick::<&str>(&VARIABLES))
    }

    /// The name of an array of integers.
    fn integers(&mut self) -> &'static str {
        if self.rows > 0 && self.random.once_in(2) {
            return ROWS[self.random.below(self.rows)];
        }
        self.random.pick::<&str>(&INTEGERS)
    }

    /// Mostly small.
    fn length(&mut self) -> Expression {
        match self.random.below(8) {
            0 => Expression::Variable("arg"),
            1 => {
                let number = self.number();
                self.binary("+", Expression::Variable("arg"), number)
            }
            2 | 3 => self.binary("&", Expression::Variable("arg"), Expression::Literal(7)),
            _ => Expression::Literal(1 + self.random.below(6) as i32),
        }
    }

    /// Mostly inside.
    fn index(&mut self, array: &'static str) -> Expression {
        match self.random.below(12) {
            0 => self.expression(2),
            1 | 2 => Expression::Literal(self.random.below(4) as i32),
            3 => self.binary("-", Expression::Length(array), Expression::Literal(1)),
            4 => {
                let variable = self.variable();
                let last = self.binary("-", Expression::Length(array), Expression::Literal(1));
                self.binary("-", last, variable)
            }
            5 => {
                let variable = self.variable();
                self.binary("&", variable, Expression::Literal(3))
            }
            6 => {
                let (variable, by) = (self.variable(), self.random.below(5) as i32 - 2);
                self.binary("+", variable, Expression::Literal(by))
            }
            7 => {
                let (variable, other) = (self.variable(), self.variable());
                let sum = self.binary("+", variable, other);
                self.binary(">>", sum, Expression::Literal(1))
            }
            _ => self.variable(),
        }
    }

    fn expression(&mut self, depth: usize) -> Expression {
        match self.random.below(if depth == 0 { 3 } else { 9 }) {
            0 => self.number(),
            1 => self.variable(),
            2 => Expression::Length(self.random.pick(&ARRAYS).0),
            3..=5 => {
                let array = self.integers();
                let index = self.index(array);
                Expression::Element(self.site(), array, Box::new(index))
            }
            _ => {
                let sign = *self.random.pick(&["+", "-", "*", "&", "<", "==", ">="]);
                let (left, right) = (self.expression(depth - 1), self.expression(depth - 1));
                self.binary(sign, left, right)
            }
        }
    }

    /// Mostly a test of an index.
    fn condition(&mut self) -> Expression {
        let (variable, array) = (self.variable(), self.integers());
        match self.random.below(4) {
            0 => self.expression(2),
            1 => self.binary(">=", variable, Expression::Literal(0)),
            2 => self.binary("<", variable, Expression::Length(array)),
            _ => self.binary(">=", variable, Expression::Length(array)),
        }
    }

    /// A loop in which an index and the array of a name stay for the next iteration.
    fn carried(&mut self) -> Statement {
        self.returns_integers = true;
        let [name, other] = [0, 1].map(|_| self.integers_of_words());
        let variable = VARIABLES[self.random.below(3)];
        let index = Expression::Variable(variable);
        let is_natural = self.binary(">=", index.clone(), Expression::Literal(0));
        let is_large = self.binary(">=", index.clone(), Expression::Length(name));
        let store = Statement::Store(self.site(), name, index, self.expression(1));
        let mut body = vec![
            Statement::If(is_natural, vec![store], Vec::new()),
            Statement::Assign(variable, self.index(name)),
            Statement::If(is_large, vec![Statement::Return(self.number())], Vec::new()),
            Statement::Alias(name, other),
            self.other_array(),
        ];
        for _ in 0..3 {
            let [one, other] = [0, 1].map(|_| self.random.below(body.len()));
            body.swap(one, other);
        }
        let counter = COUNTERS[self.counters];
        let condition = self.binary("<", Expression::Variable(counter), Expression::Literal(3));
        Statement::While(counter, Expression::Literal(0), condition, 1, body)
    }

    fn block(&mut self, depth: usize) -> Vec<Statement> {
        (0..self.random.below(4)).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: usize) -> Statement {
        self.left = self.left.saturating_sub(1);
        match self.random.below(if depth == 0 || self.left == 0 { 6 } else { 14 }) {
            0 => Statement::Assign(VARIABLES[self.random.below(4)], self.expression(2)),
            1 | 2 => self.store(),
            3 => self.other_array(),
            4 => {
                let (index, kept) = (self.index("n"), self.integers_of_words());
                Statement::Keep(self.site(), "n", index, kept)
            }
            5 | 6 => {
                let index = self.index("f");
                Statement::Store(self.site(), "f", index, self.expression(1))
            }
            7 => {
                let condition = self.condition();
                Statement::If(condition, self.block(depth - 1), self.block(depth - 1))
            }
            8 if self.counters < COUNTERS.len() => self.carried(),
            9 if self.rows < ROWS.len() => {
                let index = self.index("n");
                let site = self.site();
                self.rows += 1;
                let body = self.block(depth - 1);
                self.rows -= 1;
                Statement::Visit(site, ROWS[self.rows], "n", index, body)
            }
            _ if self.counters < COUNTERS.len() => self.counted(depth - 1),
            _ => self.store(),
        }
    }

    fn store(&mut self) -> Statement {
        let array = self.integers();
        let index = self.index(array);
        let value = match self.random.below(3) {
            // The same element again.
            0 => {
                let same = self.again(&index);
                let old = Expression::Element(self.site(), array, Box::new(same));
                let other = self.expression(1);
                self.binary("+", old, other)
            }
            _ => self.expression(2),
        };
        Statement::Store(self.site(), array, index, value)
    }

    /// The same expression at another place.
    fn again(&mut self, expression: &Expression) -> Expression {
        match expression {
            Expression::Binary(sign, operands) => {
                let [left, right] = &**operands;
                let (left, right) = (self.again(left), self.again(right));
                self.binary(sign, left, right)
            }
            Expression::Element(_, array, index) => {
                let index = Box::new(self.again(index));
                Expression::Element(self.site(), array, index)
            }
            other => other.clone(),
        }
    }

    fn integers_of_words(&mut self) -> &'static str {
        self.random.pick::<&str>(&["a", "b"])
    }

    /// Another array for a name.
    fn other_array(&mut self) -> Statement {
        if self.random.once_in(2) {
            let [name, other] = [0, 1].map(|_| self.integers_of_words());
            return Statement::Alias(name, other);
        }
        let (name, length) = (self.random.pick(&ARRAYS).0, self.length());
        Statement::New(self.site(), None, name, length)
    }

    /// A loop with a counter, up or down.
    fn counted(&mut self, depth: usize) -> Statement {
        let counter = Expression::Variable(COUNTERS[self.counters]);
        let array = self.integers();
        let limit = match self.random.below(4) {
            0 => Expression::Literal(self.random.below(5) as i32),
            1 => self.binary("-", Expression::Length(array), Expression::Literal(1)),
            _ => Expression::Length(array),
        };
        let first = self.random.below(3) as i32;
        let (first, condition, step) = if self.random.once_in(3) {
            let last = Expression::Literal(1 - first);
            (limit, self.binary(">=", counter, last), -1)
        } else {
            (Expression::Literal(first), self.binary("<", counter, limit), 1)
        };
        self.counters += 1;
        let body = (0..1 + self.random.below(3)).map(|_| self.statement(depth)).collect();
        self.counters -= 1;
        Statement::While(COUNTERS[self.counters], first, condition, step, body)
    }
}
