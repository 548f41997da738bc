//! Random programs and their expressions. Names are declared before their use, and most loops end.
#[cfg(not(feature = "ch03"))]
use super::program::Statement;
use super::program::{Expression, Program};
use super::random::Random;
#[cfg(feature = "ch03")]
use super::statements::Open;

pub struct Generator {
    pub random: Random,
    #[cfg(feature = "ch03")]
    pub open: Open,
}

/// The program with this seed.
pub fn program(seed: u64) -> Program {
    Generator::new(seed).program()
}

impl Generator {
    fn new(seed: u64) -> Generator {
        let mut random = Random(seed.wrapping_mul(0x1234_5678_9abc_def1));
        Generator {
            #[cfg(feature = "ch03")]
            open: Open::new(&mut random),
            random: Random(random.next()),
        }
    }
}

/// A program with objects.
#[cfg(feature = "ch10")]
pub fn with_objects(seed: u64) -> Program {
    of_style(seed, true).program()
}

/// A program with objects. It may access fields of null.
#[cfg(feature = "ch10")]
pub fn unchecked(seed: u64) -> Program {
    let mut generator = of_style(seed, true);
    generator.open.objects.is_unchecked = true;
    generator.program()
}

/// A program without objects.
#[cfg(feature = "ch19")]
pub fn of_integers(seed: u64) -> Program {
    of_style(seed, false).program()
}

#[cfg(feature = "ch10")]
fn of_style(seed: u64, has_objects: bool) -> Generator {
    let mut generator = Generator::new(seed);
    generator.open.choose(&mut generator.random, has_objects);
    generator
}

#[cfg(not(feature = "ch03"))]
impl Generator {
    fn program(&mut self) -> Program {
        let depth = 1 + self.random.below(5);
        vec![Statement::Return(self.expression(depth))]
    }

    fn leaf(&mut self) -> Expression {
        self.number()
    }
}

#[cfg(feature = "ch03")]
impl Generator {
    pub fn leaf(&mut self) -> Expression {
        #[cfg(feature = "ch10")]
        if let Some(leaf) = super::objects::generate::leaf(self) {
            return leaf;
        }
        match self.name() {
            Some(name) if !self.random.once_in(3) => Expression::Name(name),
            Some(_) | None => self.number(),
        }
    }

    /// A visible name.
    pub fn name(&mut self) -> Option<String> {
        let visible = self.open.names();
        (!visible.is_empty()).then(|| self.random.pick(&visible).clone())
    }
}

/// Numbers near the limits of arithmetic.
const NUMBERS: &[&[i32]] = &[
    &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 25, 31, 32, 100, 127, 128, 129, 255, 256, 641],
    &[1000, 32767, 65535, 65536, 715_827_883, 1 << 20, 1 << 30, i32::MAX - 1, i32::MAX],
    &[-1, -2, -3, -4, -7, -8, -128, -129, -65536, i32::MIN, i32::MIN + 1],
];

/// A random operator symbol; sums are more frequent.
fn sign(random: &mut Random) -> &'static str {
    let signs: Vec<_> = sonc::operators().map(|(sign, _)| sign).chain(["+"]).collect();
    signs[random.below(signs.len())]
}

impl Generator {
    pub fn expression(&mut self, depth: usize) -> Expression {
        if depth == 0 || self.random.once_in(8) {
            return self.leaf();
        }
        if self.random.once_in(9) {
            return Expression::Minus(Box::new(self.expression(depth - 1)));
        }
        let sign = sign(&mut self.random);
        let left = self.expression(depth - 1);
        // Equal operands, which many rules match, are rare by chance alone.
        let same = self.random.once_in(8);
        let right = if same { left.clone() } else { self.expression(depth - 1) };
        Expression::Binary(sign, Box::new(left), Box::new(right))
    }

    fn number(&mut self) -> Expression {
        let known: Vec<i32> = NUMBERS.concat();
        Expression::Number(match self.random.below(8) {
            0 => self.random.next() as i32 & i32::MAX,
            _ => *self.random.pick(&known),
        })
    }
}
