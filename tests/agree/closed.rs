//! Whether a program is valid: names are declared before their use, jumps are inside loops, and
//! types fit.
#[cfg(feature = "ch10")]
use super::objects::{Declaration, ObjectStatement, typed::is_typed};
use super::program::{Expression, Statement};

/// Whether the compiler must accept a program.
pub fn is_closed(program: &[Statement]) -> bool {
    let mut names = Names {
        blocks: vec![vec!["arg"]],
        #[cfg(feature = "ch07")]
        loops: 0,
    };
    let is_closed = names.block(program);
    #[cfg(feature = "ch10")]
    let is_closed = is_closed && is_typed(program);
    is_closed
}

struct Names<'p> {
    /// The names of each open block.
    blocks: Vec<Vec<&'p str>>,
    /// The number of open loops.
    #[cfg(feature = "ch07")]
    loops: usize,
}

impl<'p> Names<'p> {
    fn block(&mut self, program: &'p [Statement]) -> bool {
        self.blocks.push(Vec::new());
        let closed = program.iter().all(|statement| self.statement(statement));
        self.blocks.pop();
        closed
    }

    fn statement(&mut self, statement: &'p Statement) -> bool {
        match statement {
            Statement::Return(value) => self.expression(value),
            #[cfg(feature = "ch03")]
            Statement::Declare(name, value) => self.expression(value) && self.declare(name),
            #[cfg(feature = "ch03")]
            Statement::Assign(name, value) => self.expression(value) && self.is_known(name),
            #[cfg(feature = "ch03")]
            Statement::Block(inner) => self.block(inner),
            #[cfg(feature = "ch03")]
            Statement::Empty => true,
            #[cfg(feature = "ch05")]
            Statement::If(condition, then, otherwise) => {
                self.expression(condition) && self.block(then) && self.block(otherwise)
            }
            #[cfg(feature = "ch07")]
            Statement::While(condition, body) => {
                self.loops += 1;
                let closed = self.expression(condition) && self.block(body);
                self.loops -= 1;
                closed
            }
            #[cfg(feature = "ch08")]
            Statement::Break | Statement::Continue => self.loops > 0,
            #[cfg(feature = "ch10")]
            Statement::Object(statement) => match statement {
                ObjectStatement::Struct(..) => true,
                ObjectStatement::Declare(Declaration { name, value, .. }) => {
                    value.iter().all(|value| self.expression(value)) && self.declare(name)
                }
                ObjectStatement::Do(expression) => self.expression(expression),
            },
        }
    }

    /// False if the innermost block has declared the name already.
    #[cfg(feature = "ch03")]
    fn declare(&mut self, name: &'p str) -> bool {
        let own = self.blocks.last_mut().expect("a block is open");
        let is_fresh = !own.contains(&name);
        own.push(name);
        is_fresh
    }

    fn expression(&self, expression: &Expression) -> bool {
        match expression {
            Expression::Number(_) => true,
            Expression::Minus(inner) => self.expression(inner),
            Expression::Binary(_, left, right) => self.expression(left) && self.expression(right),
            #[cfg(feature = "ch03")]
            Expression::Name(name) => self.is_known(name),
            #[cfg(feature = "ch05")]
            Expression::Truth(_) => true,
            #[cfg(feature = "ch10")]
            Expression::Object(object) => object.parts().iter().all(|it| self.expression(it)),
        }
    }

    #[cfg(feature = "ch03")]
    fn is_known(&self, name: &str) -> bool {
        self.blocks.iter().any(|block| block.contains(&name))
    }
}
