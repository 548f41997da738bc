//! Whether a program is valid: names are declared before their use, and jumps are inside loops.
use super::program::{Expression, Statement};

/// Whether every name is declared before its use, and no name twice in one block.
pub fn is_closed(program: &[Statement]) -> bool {
    let mut names = Names {
        blocks: vec![vec!["arg"]],
        #[cfg(feature = "ch07")]
        loops: 0,
    };
    names.block(program)
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
            Statement::Declare(name, value) => {
                let known = self.expression(value);
                let own = self.blocks.last_mut().expect("a block is open");
                let fresh = !own.contains(&name.as_str());
                own.push(name);
                known && fresh
            }
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
        }
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
        }
    }

    #[cfg(feature = "ch03")]
    fn is_known(&self, name: &str) -> bool {
        self.blocks.iter().any(|block| block.contains(&name))
    }
}
