//! Laws as questions to an SMT solver, in the theory of bit vectors: those of the peepholes and of
//! regions, and of the regrouping of constants.
//!
//! Each question is whether the two sides of a law can differ, so each answer has to be `unsat`.
//! The guards of peepholes are left out: the laws hold without them. The first questions are
//! whether the operators of the solver and those of `arith.rs` yield different results for edge
//! values.
//! Source: C. Barrett, P. Fontaine, C. Tinelli, "The SMT-LIB Standard", version 2.6.
use crate::arith::{Binary, Relation, Unary, Width};
#[cfg(feature = "ch28")]
use crate::egraph::REGION_LAWS;
use crate::peephole::{LAWS, Law, Operation, Slot, Term};
use std::fmt;

const WIDTHS: [Width; 2] = [Width(32), Width(64)];

/// A question: whether values of the variables exist for which all conditions hold.
pub struct Question {
    pub name: String,
    pub width: Width,
    pub variables: Vec<String>,
    pub conditions: Vec<String>,
}

impl fmt::Display for Question {
    /// The question, after its name, which the solver repeats.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let bits = self.width.0;
        writeln!(f, "\n(echo \"{}, {bits} bits\")\n(push 1)", self.name)?;
        for variable in &self.variables {
            writeln!(f, "(declare-const {variable} (_ BitVec {bits}))")?;
        }
        for condition in &self.conditions {
            writeln!(f, "(assert {condition})")?;
        }
        writeln!(f, "(check-sat)\n(pop 1)")
    }
}

/// The questions about operators, all laws and the regrouping of constants.
pub fn questions() -> impl Iterator<Item = Question> {
    WIDTHS.into_iter().flat_map(|width| {
        let operators = operations().map(move |operation| edge_values(width, operation));
        operators.chain(laws().flat_map(move |law| sides(law, width))).chain(regrouping(width))
    })
}

/// All laws.
fn laws() -> impl Iterator<Item = &'static Law> {
    let laws = LAWS.iter();
    #[cfg(feature = "ch28")]
    let laws = laws.chain(REGION_LAWS.iter());
    laws
}

/// Whether the sides of a law can differ, for each relation of its root.
fn sides(law: &Law, width: Width) -> impl Iterator<Item = Question> {
    relations(law.root).iter().map(move |&relation| {
        let sides = Sides::new(law, width, relation);
        let sign = relation.row().symbol;
        let sign = if law.root == Operation::Compare(None) { sign } else { "" };
        let name = format!("{} {sign}", law.name).trim_end().to_string();
        let variables = sides.variables.iter().map(|slot| format!("x{slot}")).collect();
        let differs = format!("(distinct {} {})", sides.before, sides.after);
        Question { name, width, variables, conditions: vec![differs] }
    })
}

/// Folding regroups `(z op a) op b` for every operator that commutes, in any order of operands.
fn regrouping(width: Width) -> impl Iterator<Item = Question> {
    let commuting = (0..Binary::COUNT).map(Binary::at).filter(|op| op.row().commutes);
    commuting.map(move |op| {
        let of = |a: &str, b: &str| {
            let operands = [a.to_string(), b.to_string()];
            apply(width, Operation::Binary(op), Relation::ALL[0], &operands)
        };
        let (before, after) = (of(&of("z", "a"), "b"), of("z", &of("a", "b")));
        let differ = |a: String, b: String| format!("(distinct {a} {b})");
        let swapped = differ(of("a", "b"), of("b", "a"));
        Question {
            name: format!("reassociate {}", op.row().name),
            width,
            variables: ["z", "a", "b"].map(String::from).to_vec(),
            conditions: vec![format!("(or {} {swapped})", differ(before, after))],
        }
    })
}

/// The two sides of a law as terms of the solver.
struct Sides {
    before: String,
    after: String,
    /// The names that are not those of operations.
    variables: Vec<Slot>,
}

impl Sides {
    fn new(law: &Law, width: Width, relation: Relation) -> Sides {
        let mut writer = Writer { width, relation, named: Vec::new(), variables: Vec::new() };
        let before = writer.term(&law.pattern);
        let after = writer.term(&law.replacement);
        Sides { before, after, variables: writer.variables }
    }
}

struct Writer {
    width: Width,
    relation: Relation,
    /// The names of operations, and the operations.
    named: Vec<(Slot, String)>,
    variables: Vec<Slot>,
}

impl Writer {
    fn term(&mut self, term: &Term) -> String {
        match term {
            Term::Number(number) => constant(self.width, *number),
            Term::Name(name) | Term::Constant(name) => {
                if let Some((_, operation)) = self.named.iter().find(|(known, _)| known == name) {
                    return operation.clone();
                }
                if !self.variables.contains(name) {
                    self.variables.push(*name);
                }
                format!("x{name}")
            }
            Term::Operation(operation, operands, name) => {
                let operands: Vec<_> = operands.iter().map(|it| self.term(it)).collect();
                let text = apply(self.width, *operation, self.relation, &operands);
                self.named.extend(name.map(|name| (name, text.clone())));
                text
            }
        }
    }
}

/// What an operation is called in the theory. Division by zero yields zero, and counts of shifts
/// are taken modulo the width.
pub fn apply(
    width: Width,
    operation: Operation,
    relation: Relation,
    operands: &[String],
) -> String {
    let (a, b) = (&operands[0], operands.last().expect("an operation has operands"));
    let zero = constant(width, 0);
    let truth = |condition: &str| format!("(ite {condition} {} {zero})", constant(width, 1));
    let quotient = |function: &str| format!("(ite (= {b} {zero}) {zero} ({function} {a} {b}))");
    let simple = |function: &str| format!("({function} {a} {b})");
    match operation {
        Operation::Unary(Unary::Minus) => format!("(bvneg {a})"),
        Operation::Unary(Unary::Not) => truth(&format!("(= {a} {zero})")),
        Operation::Binary(Binary::Add) => simple("bvadd"),
        Operation::Binary(Binary::Sub) => simple("bvsub"),
        Operation::Binary(Binary::Mul) => simple("bvmul"),
        Operation::Binary(Binary::Div) => quotient("bvsdiv"),
        // By 0 it is the dividend.
        Operation::Binary(Binary::Mod) => simple("bvsrem"),
        Operation::Binary(Binary::And) => simple("bvand"),
        Operation::Binary(Binary::Or) => simple("bvor"),
        Operation::Binary(Binary::Eor) => simple("bvxor"),
        Operation::Binary(Binary::Shl) => shift(width, "bvshl", a, b),
        Operation::Binary(Binary::Shr) => shift(width, "bvlshr", a, b),
        Operation::Binary(Binary::Shrs) => shift(width, "bvashr", a, b),
        Operation::Binary(Binary::Mulh) => upper_half(width, "sign_extend", a, b),
        Operation::Binary(Binary::Mulhu) => upper_half(width, "zero_extend", a, b),
        Operation::Compare(own) => truth(&match own.unwrap_or(relation) {
            Relation::Greater => simple("bvsgt"),
            Relation::Equal => simple("="),
            Relation::GreaterEqual => simple("bvsge"),
            Relation::Less => simple("bvslt"),
            Relation::NotEqual => simple("distinct"),
            Relation::LessEqual => simple("bvsle"),
            Relation::Above => simple("bvugt"),
            Relation::AboveEqual => simple("bvuge"),
            Relation::Below => simple("bvult"),
            Relation::BelowEqual => simple("bvule"),
            Relation::NotLess | Relation::NotLessEqual => unreachable!("no law is about floats"),
            #[cfg(feature = "ch29")]
            Relation::Negative | Relation::NotNegative => {
                unreachable!("neither laws nor rules have them")
            }
            #[cfg(feature = "ch25")]
            Relation::Always => "true".to_string(),
            #[cfg(feature = "ch25")]
            Relation::Never => "false".to_string(),
        }),
    }
}

/// A shift, whose count is taken modulo the width.
fn shift(width: Width, function: &str, a: &str, b: &str) -> String {
    format!("({function} {a} (bvand {b} {}))", constant(width, i64::from(width.0) - 1))
}

/// The upper half of a product of extended operands.
fn upper_half(width: Width, extend: &str, a: &str, b: &str) -> String {
    let [a, b] = [a, b].map(|it| format!("((_ {extend} {}) {it})", width.0));
    format!("((_ extract {} {}) (bvmul {a} {b}))", 2 * width.0 - 1, width.0)
}

/// A number as a bit vector: its bits, read without a sign.
pub fn constant(width: Width, number: i64) -> String {
    let unused = 64 - width.0;
    format!("(_ bv{} {})", (number.cast_unsigned() << unused) >> unused, width.0)
}

/// The relations to try: any one for an operation that has none.
fn relations(operation: Operation) -> &'static [Relation] {
    if operation == Operation::Compare(None) { &Relation::ALL } else { &Relation::ALL[..1] }
}

fn operations() -> impl Iterator<Item = Operation> {
    let unary = [Unary::Minus, Unary::Not].map(Operation::Unary);
    let binary = (0..Binary::COUNT).map(|at| Operation::Binary(Binary::at(at)));
    unary.into_iter().chain(binary).chain([Operation::Compare(None)])
}

/// Values at the edges of arithmetic.
pub fn edges(width: Width) -> [i64; 9] {
    [0, 1, -1, 2, -3, 7, 33, width.min(), width.max()]
}

/// Whether the solver's results differ from ours for some edge values.
fn edge_values(width: Width, operation: Operation) -> Question {
    let values = edges(width);
    let mut differs = String::new();
    for a in values {
        for b in values {
            for &relation in relations(operation) {
                let operands = [a, b].map(|it| constant(width, it));
                let theirs = apply(width, operation, relation, &operands[..operation.operands()]);
                let ours = operation.evaluate(width, Some(relation), &[a, b]);
                differs += &format!("(distinct {theirs} {})\n", constant(width, ours));
            }
        }
    }
    Question {
        name: format!("{operation:?}"),
        width,
        variables: Vec::new(),
        conditions: vec![format!("(or {differs})")],
    }
}
