//! Whether a program with objects is valid: its types fit, and no pointer that is accessed may be
//! null. The compiler may accept more programs, but never fewer.
use super::super::program::{Expression, Statement};
use super::meaning::ASSIGNED_VALUE;
use super::{Declaration, ObjectExpression, ObjectStatement};

/// Whether the compiler must accept the types and the accesses of a program without free names.
pub fn is_typed(program: &[Statement]) -> bool {
    let mut checker = Checker {
        structs: Vec::new(),
        variables: vec![Variable { name: "arg", ty: Type::Integer }],
        state: State { is_reachable: true, may_be_null: vec![false] },
        result: None,
        breaks: Vec::new(),
    };
    let is_valid = checker.statements(program).is_some();
    let ends = || matches!(program.last(), Some(Statement::Return(_)));
    is_valid && (matches!(checker.result, None | Some(Type::Integer)) || ends())
}

#[derive(Clone, Copy, PartialEq)]
enum Type<'p> {
    Integer,
    /// A pointer to objects of a struct; that of null is any.
    Pointer {
        of: Option<&'p str>,
        may_be_null: bool,
    },
}

struct Variable<'p> {
    name: &'p str,
    ty: Type<'p>,
}

/// What is known at a point of the program.
#[derive(Clone)]
struct State {
    is_reachable: bool,
    /// For each variable.
    may_be_null: Vec<bool>,
}

struct Checker<'p> {
    structs: Vec<(&'p str, &'p [String])>,
    variables: Vec<Variable<'p>>,
    state: State,
    result: Option<Type<'p>>,
    /// For each open loop, the states of its breaks.
    breaks: Vec<Vec<State>>,
}

impl<'p> Checker<'p> {
    fn block(&mut self, block: &'p [Statement]) -> Option<()> {
        let outer = self.variables.len();
        self.statements(block)?;
        self.variables.truncate(outer);
        self.state.may_be_null.truncate(outer);
        Some(())
    }

    /// Code after a return or a jump is checked as if it were reachable.
    fn statements(&mut self, statements: &'p [Statement]) -> Option<()> {
        let mut is_reachable = self.state.is_reachable;
        for statement in statements {
            self.state.is_reachable = true;
            self.statement(statement)?;
            is_reachable &= self.state.is_reachable;
        }
        self.state.is_reachable = is_reachable;
        Some(())
    }

    /// `None` if the statement is not valid.
    fn statement(&mut self, statement: &'p Statement) -> Option<()> {
        match statement {
            Statement::Return(value) => {
                let ty = self.expression(value)?;
                let result = *self.result.get_or_insert(ty);
                self.result = Some(common(result, ty)?);
                self.state.is_reachable = false;
            }
            Statement::Declare(name, value) => {
                self.integer(value)?;
                self.declare(name, Type::Integer, false);
            }
            Statement::Assign(name, value) => {
                let at = self.variable(name)?;
                let value = self.expression(value)?;
                let may_be_null = fits(value, self.variables[at].ty)?;
                self.state.may_be_null[at] = may_be_null;
            }
            Statement::Block(inner) => self.block(inner)?,
            Statement::Empty => {}
            Statement::If(condition, then, otherwise) => {
                self.expression(condition)?;
                let before = self.state.clone();
                self.narrow(condition, true);
                self.block(then)?;
                let after = std::mem::replace(&mut self.state, before);
                self.narrow(condition, false);
                self.block(otherwise)?;
                self.join(after);
            }
            Statement::While(condition, body) => self.turns(condition, body)?,
            Statement::Break => {
                self.breaks.last_mut()?.push(self.state.clone());
                self.state.is_reachable = false;
            }
            Statement::Continue => self.state.is_reachable = false,
            Statement::Object(statement) => self.object_statement(statement)?,
        }
        Some(())
    }

    /// In a loop, the compiler knows of a variable only its declared type.
    fn turns(&mut self, condition: &'p Expression, body: &'p [Statement]) -> Option<()> {
        self.forget();
        self.expression(condition)?;
        let exit = self.state.clone();
        self.breaks.push(Vec::new());
        self.narrow(condition, true);
        self.block(body)?;
        self.state = exit;
        for state in self.breaks.pop()? {
            self.join(state);
        }
        self.forget();
        Some(())
    }

    fn forget(&mut self) {
        for (variable, may_be_null) in self.variables.iter().zip(&mut self.state.may_be_null) {
            *may_be_null = is_nullable(variable.ty);
        }
    }

    fn join(&mut self, mut other: State) {
        other.may_be_null.truncate(self.variables.len());
        match (self.state.is_reachable, other.is_reachable) {
            (false, true) => self.state = other,
            (true, false) => {}
            _ => {
                let both = self.state.may_be_null.iter_mut().zip(other.may_be_null);
                both.for_each(|(one, other)| *one |= other);
            }
        }
    }

    fn declare(&mut self, name: &'p str, ty: Type<'p>, may_be_null: bool) {
        self.variables.push(Variable { name, ty });
        self.state.may_be_null.push(may_be_null);
    }

    fn variable(&self, name: &str) -> Option<usize> {
        self.variables.iter().rposition(|variable| variable.name == name)
    }

    /// After a test of a variable, it is null or it is not.
    fn narrow(&mut self, condition: &Expression, truth: bool) {
        if let Some((name, is_for_null)) = null_test(condition)
            && let Some(at) = self.variable(name)
        {
            self.state.may_be_null[at] &= truth == is_for_null;
        }
    }

    fn object_statement(&mut self, statement: &'p ObjectStatement) -> Option<()> {
        match statement {
            ObjectStatement::Struct(name, fields) => self.structs.push((name, fields)),
            ObjectStatement::Declare(Declaration { of, nullable, name, value }) => {
                self.fields(of)?;
                let declared = Type::Pointer { of: Some(of), may_be_null: *nullable };
                let null = Type::Pointer { of: None, may_be_null: true };
                let value = value.as_ref().map_or(Some(null), |value| self.expression(value))?;
                let may_be_null = fits(value, declared)?;
                self.declare(name, declared, may_be_null);
            }
            ObjectStatement::Do(expression) => {
                let object = match expression {
                    Expression::Object(
                        ObjectExpression::Field(object, _) | ObjectExpression::Set(object, ..),
                    ) => object,
                    _ => return None,
                };
                self.expression(expression)?;
                return matches!(**object, Expression::Name(_)).then_some(());
            }
        }
        Some(())
    }

    fn fields(&self, of: &str) -> Option<&'p [String]> {
        self.structs.iter().find(|(name, _)| *name == of).map(|it| it.1)
    }

    fn integer(&mut self, expression: &'p Expression) -> Option<Type<'p>> {
        self.expression(expression).filter(|ty| *ty == Type::Integer)
    }

    /// The type of an expression; `None` if it is not valid.
    fn expression(&mut self, expression: &'p Expression) -> Option<Type<'p>> {
        match expression {
            Expression::Number(_) | Expression::Truth(_) => Some(Type::Integer),
            Expression::Minus(inner) => self.integer(inner),
            Expression::Binary(sign, left, right) => {
                let is_integer =
                    [left, right].map(|it| self.expression(it).map(|it| it == Type::Integer));
                let is_valid = match is_integer {
                    [Some(true), Some(true)] => true,
                    [Some(false), Some(false)] => matches!(*sign, "==" | "!="),
                    _ => false,
                };
                is_valid.then_some(Type::Integer)
            }
            Expression::Name(name) => {
                let at = self.variable(name)?;
                Some(match self.variables[at].ty {
                    Type::Pointer { of, .. } => {
                        Type::Pointer { of, may_be_null: self.state.may_be_null[at] }
                    }
                    Type::Integer => Type::Integer,
                })
            }
            Expression::Object(object) => self.object(object),
        }
    }

    fn object(&mut self, expression: &'p ObjectExpression) -> Option<Type<'p>> {
        match expression {
            ObjectExpression::Null => Some(Type::Pointer { of: None, may_be_null: true }),
            ObjectExpression::New(of) => {
                self.fields(of)?;
                Some(Type::Pointer { of: Some(of), may_be_null: false })
            }
            ObjectExpression::Field(object, field) => {
                self.access(object, field)?;
                Some(Type::Integer)
            }
            ObjectExpression::Set(object, field, value) => {
                let object = self.access(object, field)?;
                self.integer(value)?;
                Some(if ASSIGNED_VALUE { Type::Integer } else { object })
            }
            ObjectExpression::Not(inner) => {
                self.expression(inner)?;
                Some(Type::Integer)
            }
        }
    }

    /// The type of an object whose field is accessed.
    fn access(&mut self, object: &'p Expression, field: &str) -> Option<Type<'p>> {
        let ty = self.expression(object)?;
        match ty {
            Type::Pointer { of: Some(of), may_be_null: false } => {
                self.fields(of)?.iter().any(|name| name == field).then_some(ty)
            }
            _ => None,
        }
    }
}

fn is_nullable(ty: Type) -> bool {
    matches!(ty, Type::Pointer { may_be_null: true, .. })
}

/// Whether a value that is assigned may be null; `None` if it does not fit the variable.
fn fits(value: Type, declared: Type) -> Option<bool> {
    match (value, declared) {
        (Type::Integer, Type::Integer) => Some(false),
        (
            Type::Pointer { of: value, may_be_null },
            Type::Pointer { of: declared, may_be_null: nullable },
        ) => {
            let fits = (value.is_none() || value == declared) && (nullable || !may_be_null);
            fits.then_some(may_be_null)
        }
        _ => None,
    }
}

/// The type of two results.
fn common<'p>(one: Type<'p>, other: Type<'p>) -> Option<Type<'p>> {
    match (one, other) {
        (Type::Integer, Type::Integer) => Some(one),
        (
            Type::Pointer { of: left, may_be_null: first },
            Type::Pointer { of: right, may_be_null: second },
        ) => {
            let is_one = left.is_none() || right.is_none() || left == right;
            let of = left.or(right);
            is_one.then_some(Type::Pointer { of, may_be_null: first || second })
        }
        _ => None,
    }
}

/// The variable that a condition tests, and whether it is true for null.
fn null_test(condition: &Expression) -> Option<(&str, bool)> {
    let is_null = |it: &Expression| *it == Expression::Object(ObjectExpression::Null);
    match condition {
        Expression::Name(name) => Some((name, false)),
        Expression::Object(ObjectExpression::Not(inner)) => {
            null_test(inner).map(|(name, is_for_null)| (name, !is_for_null))
        }
        Expression::Binary(sign @ ("==" | "!="), left, right) => match (&**left, &**right) {
            (Expression::Name(name), null) | (null, Expression::Name(name)) if is_null(null) => {
                Some((name, *sign == "=="))
            }
            _ => None,
        },
        _ => None,
    }
}
