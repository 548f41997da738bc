//! The texts of programs with functions.
use super::super::arrays::MARK;
use super::{Expression, Function, SIGNATURES, Site, Statement, Type};

impl Type {
    pub fn text(self) -> String {
        match self {
            Type::Integer => "int".to_string(),
            Type::Byte => "u8".to_string(),
            Type::Float => "flt".to_string(),
            Type::Object => "S".to_string(),
            Type::ObjectOrNull => "S?".to_string(),
            Type::Integers => "int[]".to_string(),
            Type::Bytes => "u8[]".to_string(),
            Type::Holder => "H".to_string(),
            Type::Late => "L".to_string(),
            Type::Function(number) => {
                let (parameters, result) = SIGNATURES[number];
                let parameters: Vec<_> = parameters.iter().map(|it| it.text()).collect();
                let arrow = if parameters.is_empty() { "" } else { "->" };
                format!("{{{}{arrow}{}}}", parameters.join(" "), result.text())
            }
            Type::FunctionOrNull(number) => Type::Function(number).text() + "?",
        }
    }

    /// The first letter of the names of variables.
    pub fn letter(self) -> char {
        match self {
            Type::Integer => 'v',
            Type::Byte => 'w',
            Type::Float => 'x',
            Type::Object => 's',
            Type::ObjectOrNull => 'n',
            Type::Integers => 'a',
            Type::Bytes => 'y',
            Type::Holder => 'k',
            Type::Late => 'e',
            Type::Function(_) => 'g',
            Type::FunctionOrNull(_) => 'm',
        }
    }
}

/// The declarations at the beginning of each program.
const STRUCTS: &str = "struct S { int i; flt x; S? n; u8 b; int j; }
struct H { {int->int}? g; int k; }
";

/// The text of a program, with the number of each site.
pub fn marked(program: &[Statement]) -> String {
    STRUCTS.to_string() + &lines(program)
}

fn lines(statements: &[Statement]) -> String {
    statements.iter().map(|it| it.text() + "\n").collect()
}

fn block(statements: &[Statement]) -> String {
    format!("{{\n{}}}", lines(statements))
}

fn site(number: Site) -> String {
    format!("{MARK}{number}{MARK}")
}

impl Expression {
    fn text(&self) -> String {
        match self {
            Expression::Literal(value) if *value == i32::MIN => "(-2147483647-1)".to_string(),
            Expression::Literal(value) if *value < 0 => format!("(-{})", value.unsigned_abs()),
            Expression::Literal(value) => value.to_string(),
            Expression::Half(double) => format!("{:?}", f64::from(*double) / 2.0),
            Expression::Null => "null".to_string(),
            Expression::Name(name) => name.clone(),
            Expression::Binary(sign, operands) => {
                format!("({} {sign} {})", operands[0].text(), operands[1].text())
            }
            Expression::Not(value) => format!("(!{})", value.text()),
            Expression::Choice(parts) => {
                let [condition, one, other] = [0, 1, 2].map(|it| parts[it].text());
                format!("({condition} ? {one} : {other})")
            }
            Expression::Field(object, name) => format!("{}.{name}", object.operand()),
            Expression::Element(number, parts) => {
                format!("{}{}[{}]", parts[0].operand(), site(*number), parts[1].text())
            }
            Expression::Length(array) => format!("{}#", array.operand()),
            Expression::New(of) => format!("new {of}"),
            Expression::NewArray(number, of, length) => {
                format!("new {of}{}[{}]", site(*number), length.text())
            }
            Expression::Call(_, function, arguments) => {
                let arguments: Vec<_> = arguments.iter().map(Expression::text).collect();
                format!("{}({})", function.operand(), arguments.join(", "))
            }
            Expression::Function(function) => function.text(),
        }
    }

    /// The text before an access.
    fn operand(&self) -> String {
        match self {
            Expression::New(_) | Expression::NewArray(..) | Expression::Function(_) => {
                format!("({})", self.text())
            }
            _ => self.text(),
        }
    }
}

impl Function {
    fn text(&self) -> String {
        let parameters = self.parameters.iter().map(|(ty, name)| format!("{} {name}", ty.text()));
        let parameters: Vec<_> = parameters.collect();
        format!("{{ {} ->\n{}}}", parameters.join(", "), lines(&self.body))
    }
}

impl Statement {
    fn text(&self) -> String {
        match self {
            Statement::Declare(ty, name, value) => {
                format!("{} {name} = {};", ty.text(), value.text())
            }
            Statement::Struct => "struct L { int l; flt z; }".to_string(),
            Statement::Constant(name, value) => format!("val {name} = {};", value.text()),
            Statement::Function(name, function) => format!("val {name} = {};", function.text()),
            Statement::Assign(name, sign, value) => format!("{name} {sign}= {};", value.text()),
            Statement::SetField(object, name, sign, value) => {
                format!("{}.{name} {sign}= {};", object.operand(), value.text())
            }
            Statement::SetElement(number, array, index, sign, value) => {
                let (array, index, value) = (array.operand(), index.text(), value.text());
                format!("{array}{}[{index}] {sign}= {value};", site(*number))
            }
            Statement::If(condition, then, otherwise) => {
                format!("if ({}) {} else {}", condition.text(), block(then), block(otherwise))
            }
            Statement::For(name, limit, body) => {
                let limit = limit.text();
                format!("for (int {name} = 0; {name} < {limit}; {name}++) {}", block(body))
            }
            Statement::Break => "break;".to_string(),
            Statement::Continue => "continue;".to_string(),
            Statement::Return(value) => format!("return {};", value.text()),
            Statement::Do(value) => format!("{};", value.text()),
        }
    }
}
