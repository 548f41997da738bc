//! Random programs: every name is declared before it is used, and nothing else is promised.
#[cfg(feature = "ch03")]
use super::program::Statement::{Assign, Block, Declare, Empty};
use super::program::{Expression, Program, Statement};

/// SplitMix64 (G. Steele, D. Lea, C. Flood, 2014): small, fast, the same everywhere.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }
}

/// Numbers at which arithmetic tends to break.
const NUMBERS: &[&[i32]] = &[
    &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 25, 31, 32, 100, 127, 128, 129, 255, 256, 641],
    &[1000, 32767, 65535, 65536, 715_827_883, 1 << 20, 1 << 30, i32::MAX - 1, i32::MAX],
    &[-1, -2, -3, -4, -7, -8, -128, -129, -65536, i32::MIN, i32::MIN + 1],
];

const SIGNS: &[&str] = &[
    "+",
    "-",
    "*",
    "/",
    "+",
    #[cfg(feature = "ch04")]
    "==",
    #[cfg(feature = "ch04")]
    "!=",
    #[cfg(feature = "ch04")]
    "<",
    #[cfg(feature = "ch04")]
    "<=",
    #[cfg(feature = "ch04")]
    ">",
    #[cfg(feature = "ch04")]
    ">=",
];

pub struct Generator {
    random: Random,
    /// The names of each open block.
    #[cfg(feature = "ch03")]
    scopes: Vec<Vec<String>>,
}

/// The program with this seed.
pub fn program(seed: u64) -> Program {
    let mut generator = Generator {
        random: Random(seed.wrapping_mul(0x1234_5678_9abc_def1)),
        #[cfg(feature = "ch03")]
        scopes: vec![outermost()],
    };
    let size = 1 + generator.random.below(12);
    let mut program = generator.statements(size);
    let depth = 1 + generator.random.below(5);
    program.push(Statement::Return(generator.expression(depth)));
    program
}

/// The names every program begins with.
#[cfg(feature = "ch03")]
fn outermost() -> Vec<String> {
    let names: &[&str] = &[
        #[cfg(feature = "ch04")]
        "arg",
    ];
    names.iter().map(|name| name.to_string()).collect()
}

impl Generator {
    fn number(&mut self) -> Expression {
        let known: Vec<i32> = NUMBERS.concat();
        Expression::Number(match self.random.below(8) {
            0 => self.random.next() as i32 & i32::MAX,
            _ => *self.random.pick(&known),
        })
    }
}

impl Generator {
    fn expression(&mut self, depth: usize) -> Expression {
        if depth == 0 || self.random.below(8) == 0 {
            return self.leaf();
        }
        if self.random.below(9) == 0 {
            return Expression::Minus(Box::new(self.expression(depth - 1)));
        }
        let sign = *self.random.pick(SIGNS);
        let left = self.expression(depth - 1);
        // Equal operands, which many a rule looks for, are rare by chance alone.
        let same = self.random.below(8) == 0;
        let right = if same { left.clone() } else { self.expression(depth - 1) };
        Expression::Binary(sign, Box::new(left), Box::new(right))
    }
}

#[cfg(not(feature = "ch03"))]
impl Generator {
    fn leaf(&mut self) -> Expression {
        self.number()
    }

    fn statements(&mut self, _: usize) -> Program {
        Vec::new()
    }
}

#[cfg(feature = "ch03")]
impl Generator {
    fn leaf(&mut self) -> Expression {
        let visible: Vec<String> = self.scopes.concat();
        match self.random.below(3) {
            0 => self.number(),
            _ if visible.is_empty() => self.number(),
            _ => Expression::Name(self.random.pick(&visible).clone()),
        }
    }

    fn statements(&mut self, count: usize) -> Program {
        (0..count).map(|_| self.statement(count)).collect()
    }

    fn statement(&mut self, count: usize) -> Statement {
        let depth = self.random.below(4);
        let visible: Vec<String> = self.scopes.concat();
        match self.random.below(20) {
            0 => Empty,
            1 if count > 3 => Statement::Return(self.expression(depth)),
            2..5 if count > 1 => {
                self.scopes.push(Vec::new());
                let inner = self.statements(count / 2);
                self.scopes.pop();
                Block(inner)
            }
            5..12 if !visible.is_empty() => {
                let name = self.random.pick(&visible).clone();
                Assign(name, self.expression(depth))
            }
            _ => self.declaration(depth),
        }
    }

    fn declaration(&mut self, depth: usize) -> Statement {
        let value = self.expression(depth);
        let own = self.scopes.last().expect("a block is open");
        let fresh = |name: &String| !own.contains(name) && (name != "arg" || self.scopes.len() > 1);
        let names = ["a", "b", "c", "d", "e", "f", "g"].map(String::from);
        let free: Vec<String> = names.into_iter().filter(fresh).collect();
        if free.is_empty() {
            return Empty;
        }
        let name = self.random.pick(&free).clone();
        self.scopes.last_mut().expect("a block is open").push(name.clone());
        Declare(name, value)
    }
}
