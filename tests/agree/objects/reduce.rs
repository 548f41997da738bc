//! Smaller replacements of expressions and statements with objects.
use super::super::program::{Expression, Statement};
use super::super::reduce::smaller_expressions;
use super::{Declaration, ObjectExpression, ObjectStatement};

pub fn smaller_objects(expression: &ObjectExpression) -> Vec<Expression> {
    let number = Expression::Number;
    match expression {
        ObjectExpression::Null => Vec::new(),
        ObjectExpression::New(_) => vec![null()],
        ObjectExpression::Field(object, field) => {
            let make = |it| ObjectExpression::Field(Box::new(it), field.clone());
            with_parts(vec![number(0), number(1)], object, make)
        }
        ObjectExpression::Set(object, field, value) => {
            let make = |it| ObjectExpression::Set(Box::new(it), field.clone(), value.clone());
            let all = with_parts(vec![(**object).clone()], object, make);
            let make = |it| ObjectExpression::Set(object.clone(), field.clone(), Box::new(it));
            with_parts(all, value, make)
        }
        ObjectExpression::Not(inner) => {
            let all = vec![(**inner).clone(), number(0), number(1)];
            with_parts(all, inner, |it| ObjectExpression::Not(Box::new(it)))
        }
    }
}

pub fn null() -> Expression {
    Expression::Object(ObjectExpression::Null)
}

/// Adds the expressions that `make` makes of the smaller versions of a part.
fn with_parts(
    mut all: Vec<Expression>,
    part: &Expression,
    make: impl Fn(Expression) -> ObjectExpression,
) -> Vec<Expression> {
    all.extend(smaller_expressions(part).into_iter().map(|it| Expression::Object(make(it))));
    all
}

pub fn smaller_object_statements(statement: &ObjectStatement) -> Vec<Vec<Statement>> {
    let smaller: Vec<ObjectStatement> = match statement {
        ObjectStatement::Struct(name, fields) => {
            let without = (0..fields.len()).map(|at| {
                let mut fields = fields.clone();
                fields.remove(at);
                ObjectStatement::Struct(name.clone(), fields)
            });
            without.collect()
        }
        ObjectStatement::Declare(declaration) => {
            let values = declaration.value.iter().flat_map(smaller_expressions);
            let with = |value| Declaration { value: Some(value), ..declaration.clone() };
            values.map(|value| ObjectStatement::Declare(with(value))).collect()
        }
        ObjectStatement::Do(expression) => {
            smaller_expressions(expression).into_iter().map(ObjectStatement::Do).collect()
        }
    };
    smaller.into_iter().map(|it| vec![Statement::Object(it)]).collect()
}
