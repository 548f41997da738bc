//! Random statements: a table of kinds, with weights for each style of program.
#[cfg(feature = "ch05")]
use super::control;
use super::generate::Generator;
#[cfg(feature = "ch05")]
use super::late;
#[cfg(feature = "ch07")]
use super::loops;
#[cfg(feature = "ch10")]
use super::objects::generate::{self as objects, Objects, Pointer};
use super::program::Statement::{Assign, Block, Declare, Empty};
use super::program::{Expression, Program, Statement};
use super::random::Random;

/// A style of programs.
struct Style {
    /// The number of variables declared at the start.
    variables: usize,
    /// The approximate number of statements.
    statements: usize,
    /// The nesting limit of blocks, arms and bodies.
    nesting: usize,
    /// The nesting limit of operators.
    depth: usize,
}

/// The weights of `KINDS` are in this order.
const STYLES: &[Style] = &[
    // A bit of everything.
    Style { variables: 2, statements: 20, nesting: 3, depth: 4 },
    // Long live ranges, more values than registers.
    Style { variables: 16, statements: 60, nesting: 3, depth: 3 },
    // Branches in branches.
    #[cfg(feature = "ch05")]
    Style { variables: 4, statements: 40, nesting: 6, depth: 2 },
    // Loops in loops.
    #[cfg(feature = "ch07")]
    Style { variables: 4, statements: 40, nesting: 7, depth: 2 },
    // Tests that are decided late, and more values than registers at joins.
    #[cfg(feature = "ch07")]
    Style { variables: 12, statements: 30, nesting: 4, depth: 2 },
    // Objects, and several names of one.
    #[cfg(feature = "ch10")]
    Style { variables: 2, statements: 40, nesting: 3, depth: 3 },
    // Objects in branches and loops.
    #[cfg(feature = "ch10")]
    Style { variables: 3, statements: 40, nesting: 6, depth: 2 },
];

/// The number of styles without objects.
#[cfg(feature = "ch10")]
const OF_INTEGERS: usize = 5;

/// A kind of statement, or of a short sequence.
struct Kind {
    weights: [usize; 7],
    make: fn(&mut Generator) -> Program,
}

const fn kind(weights: [usize; 7], make: fn(&mut Generator) -> Program) -> Kind {
    Kind { weights, make }
}

const KINDS: &[Kind] = &[
    kind([6, 10, 5, 4, 8, 3, 2], Generator::assignment),
    kind([6, 3, 2, 2, 2, 1, 1], Generator::declaration),
    kind([3, 1, 1, 1, 1, 1, 1], Generator::block),
    kind([1, 0, 1, 0, 0, 0, 0], |_| vec![Empty]),
    kind([1, 0, 1, 1, 0, 0, 1], Generator::early_return),
    kind([1, 2, 1, 2, 2, 0, 1], Generator::swap),
    kind([0, 1, 0, 1, 1, 0, 0], Generator::rotation),
    kind([0, 1, 1, 2, 1, 1, 1], Generator::saved_and_changed),
    #[cfg(feature = "ch05")]
    kind([3, 2, 8, 3, 3, 3, 5], control::branch),
    #[cfg(feature = "ch05")]
    kind([1, 1, 2, 1, 2, 1, 1], control::change_in_one_arm),
    #[cfg(feature = "ch05")]
    kind([1, 1, 2, 1, 1, 0, 1], control::same_test_twice),
    #[cfg(feature = "ch05")]
    kind([0, 0, 1, 0, 0, 0, 0], control::ladder),
    #[cfg(feature = "ch05")]
    kind([1, 1, 2, 0, 6, 0, 1], late::branch),
    #[cfg(feature = "ch05")]
    kind([0, 1, 1, 1, 3, 0, 0], late::known_through_variable),
    #[cfg(feature = "ch07")]
    kind([0, 0, 0, 1, 2, 0, 1], late::iterations),
    #[cfg(feature = "ch07")]
    kind([3, 1, 2, 7, 2, 2, 5], loops::any),
    #[cfg(feature = "ch08")]
    kind([1, 1, 2, 4, 2, 1, 2], loops::leave),
    #[cfg(feature = "ch10")]
    kind([0, 0, 0, 0, 0, 8, 6], objects::store),
    #[cfg(feature = "ch10")]
    kind([0, 0, 0, 0, 0, 4, 3], objects::load),
    #[cfg(feature = "ch10")]
    kind([0, 0, 0, 0, 0, 5, 4], objects::assignment),
    #[cfg(feature = "ch10")]
    kind([0, 0, 0, 0, 0, 2, 1], objects::declaration),
    #[cfg(feature = "ch10")]
    kind([0, 0, 0, 0, 0, 1, 2], objects::swap),
    #[cfg(feature = "ch10")]
    kind([0, 0, 0, 0, 0, 2, 3], objects::accumulation),
    #[cfg(feature = "ch10")]
    kind([0, 0, 0, 0, 0, 3, 4], objects::null_test),
    #[cfg(feature = "ch10")]
    kind([0, 0, 0, 0, 0, 1, 2], objects::guard),
    #[cfg(feature = "ch10")]
    kind([0, 0, 0, 0, 0, 1, 2], objects::while_not_null),
    #[cfg(feature = "ch10")]
    kind([0, 0, 0, 0, 0, 1, 2], objects::store_in_one_arm),
];

/// The context of the next statement.
pub struct Open {
    style: usize,
    /// The number of statements left to make.
    left: usize,
    nesting: usize,
    pub blocks: Vec<OpenBlock>,
    /// The number of loops so far, and of open ones.
    #[cfg(feature = "ch07")]
    pub loops: (usize, usize),
    #[cfg(feature = "ch10")]
    pub objects: Objects,
}

#[derive(Default)]
pub struct OpenBlock {
    names: Vec<String>,
    #[cfg(feature = "ch10")]
    pub pointers: Vec<Pointer>,
    /// The conditions of this block; while it is open, their names are visible.
    #[cfg(feature = "ch05")]
    pub conditions: Vec<Expression>,
}

impl Open {
    pub fn new(random: &mut Random) -> Open {
        let style = random.below(STYLES.len());
        let arguments: &[&str] = &[
            #[cfg(feature = "ch04")]
            "arg",
        ];
        Open {
            style,
            left: STYLES[style].statements,
            nesting: 0,
            blocks: vec![OpenBlock {
                names: arguments.iter().map(|name| name.to_string()).collect(),
                ..OpenBlock::default()
            }],
            #[cfg(feature = "ch07")]
            loops: (0, 0),
            #[cfg(feature = "ch10")]
            objects: Objects::default(),
        }
    }

    /// Changes to a style with objects, or to one without.
    #[cfg(feature = "ch10")]
    pub fn choose(&mut self, random: &mut Random, has_objects: bool) {
        self.style = match has_objects {
            true => OF_INTEGERS + random.below(STYLES.len() - OF_INTEGERS),
            false => random.below(OF_INTEGERS),
        };
        self.left = STYLES[self.style].statements;
    }

    #[cfg(feature = "ch10")]
    pub fn has_objects(&self) -> bool {
        self.style >= OF_INTEGERS
    }

    /// Every visible name.
    pub fn names(&self) -> Vec<String> {
        self.blocks.iter().flat_map(|block| block.names.clone()).collect()
    }

    /// The innermost block.
    pub fn block(&mut self) -> &mut OpenBlock {
        self.blocks.last_mut().expect("a block is open")
    }

    /// Whether a compound statement may be made.
    pub fn may_nest(&self) -> bool {
        self.left > 0 && self.nesting < STYLES[self.style].nesting
    }
}

impl Generator {
    /// Declarations, statements, and a return of an expression or of a sum of all variables.
    pub fn program(&mut self) -> Program {
        self.open.blocks.push(OpenBlock::default());
        let variables = STYLES[self.open.style].variables;
        let mut program: Program = Vec::new();
        #[cfg(feature = "ch10")]
        program.extend(objects::first(self));
        program.extend((0..variables).flat_map(|_| self.declaration()));
        let statements = program.len() + 1 + self.random.below(STYLES[self.open.style].statements);
        while self.open.left > 0 && program.len() < statements {
            program.extend(self.some());
        }
        let all = self.random.once_in(2);
        let value = if all { self.sum() } else { self.value() };
        program.push(self.result(value));
        program
    }

    /// The sum depends on every visible variable, each with a different weight.
    fn sum(&mut self) -> Expression {
        let names = self.open.names().into_iter();
        let values = names.map(Expression::Name);
        #[cfg(feature = "ch10")]
        let values = values.chain(objects::all_fields(self));
        let terms = values.enumerate().map(|(at, value)| {
            let factor = Expression::Number(2 * at as i32 + 1);
            binary("*", value, factor)
        });
        terms.reduce(|sum, term| binary("+", sum, term)).unwrap_or(Expression::Number(0))
    }

    /// A kind of statement, chosen by its weight.
    fn some(&mut self) -> Program {
        self.open.left = self.open.left.saturating_sub(1);
        let style = self.open.style;
        let weight = |kind: &Kind| kind.weights[style];
        let mut at = self.random.below(KINDS.iter().map(weight).sum());
        let chosen = KINDS.iter().find(|kind| {
            let found = at < weight(kind);
            at = at.saturating_sub(weight(kind));
            found
        });
        (chosen.expect("the weights add up").make)(self)
    }

    /// A few statements in a block; sometimes none.
    pub fn inner(&mut self) -> Program {
        self.inner_after(|_| Vec::new())
    }

    /// A block that begins with certain statements.
    pub fn inner_after(&mut self, first: impl FnOnce(&mut Generator) -> Program) -> Program {
        #[cfg(feature = "ch10")]
        let known = objects::enter(self);
        self.open.nesting += 1;
        self.open.blocks.push(OpenBlock::default());
        let mut inner = first(self);
        let count = self.random.below(5);
        inner.extend((0..count).flat_map(|_| self.some()));
        self.open.blocks.pop();
        self.open.nesting -= 1;
        #[cfg(feature = "ch10")]
        objects::leave(self, known);
        inner
    }

    /// A return of `value`, or of an object if the program returns objects.
    pub fn result(&mut self, value: Expression) -> Statement {
        #[cfg(feature = "ch10")]
        let value = objects::result(self).unwrap_or(value);
        Statement::Return(value)
    }
}

/// Statements without control flow.
impl Generator {
    pub fn assignment(&mut self) -> Program {
        match self.variable() {
            Some(name) => vec![Assign(name, self.value())],
            None => self.declaration(),
        }
    }

    fn declaration(&mut self) -> Program {
        const NAMES: &str = "abcdefghjklmnopqrstuvwxyz";
        let value = self.value();
        let mut names: Vec<String> = NAMES.chars().map(String::from).collect();
        // Only a few names, so that inner ones hide outer ones.
        names.truncate(STYLES[self.open.style].variables + 5);
        if self.open.blocks.len() > 2 {
            names.push("arg".to_string());
        }
        let own = &mut self.open.block().names;
        names.retain(|name| !own.contains(name));
        if names.is_empty() {
            return vec![Empty];
        }
        let name = self.random.pick(&names).clone();
        vec![self.declare(name, value)]
    }

    pub fn declare(&mut self, name: String, value: Expression) -> Statement {
        self.open.block().names.push(name.clone());
        Declare(name, value)
    }

    fn block(&mut self) -> Program {
        if self.open.may_nest() { vec![Block(self.inner())] } else { self.assignment() }
    }

    /// The code after it is dead, so it is rare at the beginning.
    fn early_return(&mut self) -> Program {
        let rare = self.open.nesting == 0 && !self.random.once_in(8);
        if rare {
            return self.assignment();
        }
        let value = self.value();
        vec![self.result(value)]
    }

    /// Two variables are swapped; in a loop, two Phis.
    fn swap(&mut self) -> Program {
        let (Some(a), Some(b)) = (self.variable(), self.variable()) else {
            return self.declaration();
        };
        let temporary = Declare("t".to_string(), name(&a));
        vec![Block(vec![temporary, Assign(a, name(&b)), Assign(b, name("t"))])]
    }

    /// Three variables are rotated.
    fn rotation(&mut self) -> Program {
        let (Some(a), Some(b), Some(c)) = (self.variable(), self.variable(), self.variable())
        else {
            return self.declaration();
        };
        let temporary = Declare("t".to_string(), name(&a));
        let (first, second) = (Assign(a, name(&b)), Assign(b, name(&c)));
        vec![Block(vec![temporary, first, second, Assign(c, name("t"))])]
    }

    /// An old value is live after its variable changes: the lost copy problem, in a loop.
    fn saved_and_changed(&mut self) -> Program {
        let (Some(old), Some(changed)) = (self.variable(), self.variable()) else {
            return self.declaration();
        };
        let step = binary("+", name(&changed), self.leaf());
        vec![Assign(old, name(&changed)), Assign(changed, step)]
    }

    /// A name to assign to. Loop counters are rarely chosen.
    pub fn variable(&mut self) -> Option<String> {
        let counters_too = self.random.once_in(60);
        let mut visible = self.open.names();
        visible.retain(|name| counters_too || !is_counter(name));
        (!visible.is_empty()).then(|| self.random.pick(&visible).clone())
    }

    pub fn value(&mut self) -> Expression {
        let depth = self.random.below(STYLES[self.open.style].depth);
        self.expression(depth)
    }
}

fn is_counter(name: &str) -> bool {
    name.starts_with('i')
}

pub fn name(name: &str) -> Expression {
    Expression::Name(name.to_string())
}

pub fn binary(sign: &'static str, left: Expression, right: Expression) -> Expression {
    Expression::Binary(sign, Box::new(left), Box::new(right))
}
