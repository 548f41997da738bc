//! The rules of IA-32 as questions to an SMT solver: whether the instructions of a rule can compute
//! anything but its pattern.
//!
//! The instructions of the rule are executed on terms of the solver, with 32 bits. A number that
//! the pattern binds is a variable, unless a guard fixes it or the rule applies a function to it
//! that the theory lacks, such as `log2`: then there is a question for each power of two, with
//! either sign. Other guards are left out. Rules that multiply by the inverse of a divisor are left
//! to the other tests, since solvers do not answer in time, and so are rules that access memory or
//! call functions. The first questions are whether the instructions of the solver and those of
//! `instruction_table.rs` yield different results for edge values.
use super::smt::{Question, apply, constant, edges};
use super::smt_terms::{below, function, quotient, remainder, sign, word};
use super::values::relations;
use crate::arith::{Binary, Relation, Traps, WORD};
use crate::firm;
use crate::ia32::effects::is_sum;
use crate::ia32::instruction::{Op, PairSemantics, Row, Semantics};
use crate::ia32::instruction_table::ROWS;
use crate::ia32::register::NAMES;
use crate::peephole::Operation;
use crate::rules::semantics::{Kind, PatternSemantics};
use crate::rules::{
    AddressTemplate, Immediate, InstructionTemplate, NameId, OperandTemplate, ResultLocation, Rule,
    RuleSet,
};
use crate::rules::{are_complements, counts_with_complement};

const EAX: usize = 0;
const EDX: usize = 2;

/// The names of the functions of numbers that the theory has.
const KNOWN_FUNCTIONS: &[&str] = &["", "negative"];

/// The questions about instructions, then those about rules.
pub fn questions(rules: &RuleSet) -> impl Iterator<Item = Question> {
    let instructions = (0..ROWS.len()).filter_map(edge_values);
    instructions.chain(rules.catalogue().flat_map(questions_of))
}

/// Whether the results of an instruction differ from the solver's for some edge values.
fn edge_values(number: usize) -> Option<Question> {
    let row = &ROWS[number];
    let mut differs = String::new();
    for a in edges(WORD).map(|it| it as i32) {
        for b in edges(WORD).map(|it| it as i32) {
            let ours = match row.semantics {
                Semantics::Unary(of) => of(a),
                Semantics::Binary(of) | Semantics::Ternary(of) => of(a, b),
                _ => return None,
            };
            let theirs = function(row.op, &[a, b].map(word))?;
            differs += &format!("(distinct {theirs} {})\n", word(ours));
        }
    }
    let name = format!("instruction {:?}", row.op);
    let conditions = vec![format!("(or {differs})")];
    Some(Question { name, width: WORD, variables: Vec::new(), conditions })
}

/// The questions about a rule; none if it is not arithmetic.
fn questions_of(rule: &Rule) -> Vec<Question> {
    let semantics = PatternSemantics::new(rule);
    let cases = cases(rule, &semantics);
    cases.iter().filter_map(|case| question(rule, &semantics, case)).collect()
}

/// The numbers for which a rule is proved: for each name of the pattern its number, if that is
/// fixed. Those of relations are.
type Case = Vec<Option<i64>>;

fn cases(rule: &Rule, semantics: &PatternSemantics) -> Vec<Case> {
    let powers = (0..31).map(|k| 1i64 << k).flat_map(|power| [power, -power]);
    let powers: Vec<i64> = powers.chain([i64::from(i32::MIN)]).collect();
    let counts: Vec<i64> = counts_with_complement().collect();
    let names = semantics.names.iter().enumerate();
    let mut choices = vec![Vec::new()];
    for (at, name) in names {
        let is_open = name.kind == Kind::Number;
        let fixed = semantics.required_constant(at).filter(|_| is_open);
        let is_enumerated = semantics.is_count(at)
            || semantics.has_property(at)
            || name.rule_name.is_some_and(|it| needs_number(rule, it));
        let of: Vec<Option<i64>> = match fixed {
            _ if name.kind == Kind::Relation => {
                semantics.allowed(at, &relations(name.mode)).into_iter().map(Some).collect()
            }
            None if is_open && is_enumerated => {
                let numbers = if semantics.is_count(at) { &counts } else { &powers };
                semantics.allowed(at, numbers).into_iter().map(Some).collect()
            }
            fixed => vec![fixed],
        };
        let extended = |choice: &Vec<Option<i64>>| {
            of.iter().map(|it| [choice.as_slice(), &[*it]].concat()).collect::<Vec<_>>()
        };
        choices = choices.iter().flat_map(extended).collect();
    }
    choices.retain(|case| {
        let number = |at: usize| case[at].unwrap_or_default();
        semantics.complements().all(|[a, b]| are_complements(number(a), number(b)))
    });
    choices
}

/// Whether the instructions apply a function to the number that the theory lacks.
fn needs_number(rule: &Rule, name: NameId) -> bool {
    let is_unknown = |immediate: &Immediate| match immediate {
        Immediate::Of(function, of) => *of == name && !KNOWN_FUNCTIONS.contains(&function.name),
        Immediate::Number(_) => false,
    };
    rule.steps.iter().flat_map(|step| &step.operands).any(|operand| match operand {
        OperandTemplate::Immediate(immediate) => is_unknown(immediate),
        OperandTemplate::Address(address) => address.displacement.iter().any(is_unknown),
        _ => false,
    })
}

/// Whether the instructions can compute anything but the pattern.
fn question(rule: &Rule, semantics: &PatternSemantics, case: &Case) -> Option<Question> {
    let (mut name, mut terms) = (format!("rule {}", rule.name), Vec::new());
    let (mut variables, mut conditions) = (Vec::new(), Vec::new());
    for (at, named) in semantics.names.iter().enumerate() {
        let variable = format!("x{at}");
        terms.push(match case[at] {
            Some(number) if named.kind == Kind::Relation => {
                name += &format!(" {}", Relation::of_number(number).row().symbol);
                variable.clone()
            }
            Some(number) => {
                name += &format!(", {number}");
                constant(WORD, number)
            }
            None => variable.clone(),
        });
        match named.kind {
            Kind::Truth => conditions.push(format!("(bvule {variable} {})", word(1))),
            // The theory has no floating-point numbers.
            _ if named.mode.is_float() => return None,
            Kind::Value if semantics.is_natural(at) => {
                conditions.push(format!("(bvsle {} {variable})", word(0)));
            }
            Kind::Number if case[at].is_none() && semantics.is_positive(at) => {
                conditions.push(format!("(bvslt {} {variable})", word(0)));
            }
            Kind::Value | Kind::Number | Kind::Argument | Kind::Relation => {}
        }
        let is_variable = case[at].is_none();
        variables.extend(is_variable.then_some(variable));
    }
    let expected = semantics
        .terms(&terms, case, &mut |op, operands| operation(op, operands, &mut conditions))?;
    let found = Machine::new(rule, semantics, case, &terms).run(&mut variables)?;
    let differ = expected.iter().zip(&found).map(|(a, b)| format!("(distinct {a} {b})"));
    conditions.push(format!("(or false {})", differ.collect::<Vec<_>>().join(" ")));
    Some(Question { name, width: WORD, variables, conditions })
}

/// The term of an operation of the pattern; adds the conditions under which it is defined.
fn operation(op: firm::Op, operands: &[String], conditions: &mut Vec<String>) -> Option<String> {
    match op {
        firm::Op::Binary(binary) => {
            if !matches!(binary.row().traps, Traps::Never) {
                let (a, b) = (&operands[0], &operands[1]);
                let (least, minus_one) = (constant(WORD, WORD.min()), word(-1));
                conditions.push(format!("(distinct {b} {})", word(0)));
                conditions.push(format!("(not (and (= {a} {least}) (= {b} {minus_one})))"));
            }
            #[cfg(feature = "ch17")]
            if binary == Binary::Mod {
                return Some(remainder(&operands[0], &operands[1]));
            }
            Some(apply(WORD, Operation::Binary(binary), Relation::Equal, operands))
        }
        firm::Op::Cmp(relation) => Some(apply(WORD, Operation::Compare(None), relation, operands)),
        #[cfg(feature = "ch25")]
        firm::Op::Not => Some(format!("(bvnot {})", operands[0])),
        #[cfg(feature = "ch29")]
        firm::Op::Mux => {
            let [condition, otherwise, chosen] = operands else { return None };
            Some(format!("(ite (= {condition} {}) {otherwise} {chosen})", word(0)))
        }
        firm::Op::Cond | firm::Op::Return => operands.first().cloned(),
        firm::Op::Jmp => Some(word(1)),
        _ => None,
    }
}

/// A machine that executes instructions on terms. A step is `None` if it is not arithmetic.
struct Machine<'r> {
    rule: &'r Rule,
    /// The terms of registers, and those of numbers with their values if they are fixed, by name.
    names: [Option<String>; Rule::MAX_NAMES],
    numbers: [Option<(String, Option<i64>)>; Rule::MAX_NAMES],
    real: [Option<String>; NAMES.len()],
    /// The two terms that were compared last.
    compared: Option<(String, String)>,
    /// The condition for a carry, if it is that of a sum, a difference or a comparison.
    carry: Option<String>,
    /// The conditions of the branches, and the outcome of each if it is taken.
    branches: Vec<(String, String)>,
    /// The outcome of the last jump, or the returned value.
    outcome: Option<String>,
    /// The number of registers whose upper bits are not known.
    unknown: usize,
}

impl<'r> Machine<'r> {
    fn new(
        rule: &'r Rule,
        semantics: &PatternSemantics,
        case: &Case,
        terms: &[String],
    ) -> Machine<'r> {
        let mut names = [const { None }; Rule::MAX_NAMES];
        let mut numbers = [const { None }; Rule::MAX_NAMES];
        for ((name, term), number) in semantics.names.iter().zip(terms).zip(case) {
            let Some(name_id) = name.rule_name.map(usize::from) else { continue };
            match name.kind {
                Kind::Value | Kind::Truth => names[name_id] = Some(term.clone()),
                Kind::Number | Kind::Argument | Kind::Relation => {
                    numbers[name_id] = Some((term.clone(), *number));
                }
            }
        }
        let mut real = [const { None }; NAMES.len()];
        for &(name_id, register) in &rule.fixed {
            real[usize::from(register)] = names[usize::from(name_id)].clone();
        }
        Machine {
            rule,
            names,
            numbers,
            real,
            compared: None,
            carry: None,
            branches: Vec::new(),
            outcome: None,
            unknown: 0,
        }
    }

    /// The results of the rule. Adds a variable for each register with unknown bits.
    fn run(mut self, variables: &mut Vec<String>) -> Option<Vec<String>> {
        let mut steps = self.rule.steps.iter();
        while let (None, Some(step)) = (&self.outcome, steps.next()) {
            self.step(step)?;
        }
        variables.extend((0..self.unknown).map(|number| format!("u{number}")));
        let branches = std::mem::take(&mut self.branches).into_iter().rev();
        let outcome = self.outcome.take().map(|last| {
            branches.fold(last, |rest, (taken, value)| format!("(ite {taken} {value} {rest})"))
        });
        let result = |location: Option<ResultLocation>| match location {
            Some(ResultLocation::Name(name_id)) => self.names[usize::from(name_id)].clone(),
            Some(ResultLocation::Real(register)) => self.real[usize::from(register)].clone(),
            None => outcome.clone(),
        };
        self.rule.results().map(result).collect()
    }

    fn step(&mut self, step: &InstructionTemplate) -> Option<()> {
        let row = &ROWS[step.instruction];
        let at = |at: usize| &step.operands[at];
        if row.instruction.flags.writes() && !row.instruction.flags.reads() {
            self.carry = None;
        }
        match row.semantics {
            Semantics::Move => self.write(at(0), self.read(at(1))?),
            Semantics::LoadAddress => self.write(at(0), self.address(at(1))?),
            Semantics::Constant(value) => self.write(at(0), word(value)),
            Semantics::Unary(_) => self.write(at(0), function(row.op, &[self.read(at(0))?])?),
            Semantics::Binary(_) => self.binary(row, [at(0), at(1)]),
            Semantics::Pair(pair) => self.pair(pair, &step.operands),
            Semantics::Ternary(_) => {
                let operands = [self.read(at(1))?, self.read(at(2))?];
                self.write(at(0), function(row.op, &operands)?)
            }
            Semantics::MultiplyWide => self.multiply("sign_extend", &self.read(at(0))?),
            Semantics::MultiplyWideUnsigned => self.multiply("zero_extend", &self.read(at(0))?),
            Semantics::SignExtend => {
                self.real[EDX] = Some(sign(self.real[EAX].as_ref()?));
                Some(())
            }
            Semantics::Divide => self.divide(&self.read(at(0))?),
            Semantics::Compare(_) => self.compare(row.op, [self.read(at(0))?, self.read(at(1))?]),
            Semantics::Set => {
                let (holds, upper) = (self.holds(at(0))?, format!("u{}", self.unknown));
                self.unknown += 1;
                let bit = format!("(ite {holds} (_ bv1 8) (_ bv0 8))");
                self.write(at(1), format!("(concat ((_ extract 31 8) {upper}) {bit})"))
            }
            #[cfg(feature = "ch29")]
            Semantics::Choose => self.choose([0, 1, 2].map(at)),
            Semantics::Convert(_) => self.write(at(0), function(row.op, &[self.read(at(1))?])?),
            Semantics::Jump => {
                self.outcome = Some(branch_outcome(at(0))?);
                Some(())
            }
            Semantics::Branch => {
                self.branches.push((self.holds(at(0))?, branch_outcome(at(1))?));
                Some(())
            }
            Semantics::Return => {
                self.outcome = Some(self.real[EAX].clone()?);
                Some(())
            }
            Semantics::Call | Semantics::Narrow(_) => None,
            Semantics::Push | Semantics::Pop | Semantics::Float(_) => None,
            Semantics::JumpToFunction => None,
        }
    }

    #[cfg(feature = "ch29")]
    fn choose(&mut self, [relation, target, source]: [&OperandTemplate; 3]) -> Option<()> {
        let (old, new) = (self.read(target)?, self.read(source)?);
        self.write(target, format!("(ite {} {new} {old})", self.holds(relation)?))
    }

    /// The factors are extended to 64 bits by an operation of the theory.
    fn multiply(&mut self, extend: &str, factor: &str) -> Option<()> {
        let wide = |term: &str| format!("((_ {extend} 32) {term})");
        let product = format!("(bvmul {} {})", wide(self.real[EAX].as_ref()?), wide(factor));
        self.real[EAX] = Some(format!("((_ extract 31 0) {product})"));
        self.real[EDX] = Some(format!("((_ extract 63 32) {product})"));
        Some(())
    }

    /// The dividend must be a word that was extended by its sign.
    fn divide(&mut self, divisor: &str) -> Option<()> {
        let dividend = self.real[EAX].clone()?;
        if self.real[EDX].as_ref() != Some(&sign(&dividend)) {
            return None;
        }
        self.real[EAX] = Some(quotient(&dividend, divisor));
        self.real[EDX] = Some(remainder(&dividend, divisor));
        Some(())
    }

    fn compare(&mut self, op: Op, [a, b]: [String; 2]) -> Option<()> {
        let (a, b) = match op {
            Op::Cmp | Op::CmpImmediate => (a, b),
            Op::Test | Op::TestImmediate => (format!("(bvand {a} {b})"), word(0)),
            _ => return None,
        };
        self.carry = Some(below(&a, &b));
        self.compared = Some((a, b));
        Some(())
    }

    /// A function of two operands, which may leave a carry.
    fn binary(&mut self, row: &Row, operands: [&OperandTemplate; 2]) -> Option<()> {
        let [x, y] = operands.map(|it| self.read(it));
        let terms = [x?, y?];
        let result = function(row.op, &terms)?;
        self.carry = row.instruction.carries.then(|| match is_sum(row.op) {
            true => below(&result, &terms[0]),
            false => below(&terms[0], &terms[1]),
        });
        self.write(operands[0], result)
    }

    /// A part of an operation on two words. After a difference, the left operand is compared with
    /// the exact sum of the right one and the borrow.
    fn pair(&mut self, pair: PairSemantics, operands: &[OperandTemplate]) -> Option<()> {
        let (x, y) = (self.read(&operands[0])?, self.read(&operands[1])?);
        let third = match operands.get(2) {
            Some(count) => {
                format!("(concat {} (bvand {} {}))", word(0), self.read(count)?, word(31))
            }
            None => format!("(ite {} {} {})", self.carry.take()?, word(1), word(0)),
        };
        let result = match pair {
            PairSemantics::AddCarry => format!("(bvadd (bvadd {x} {y}) {third})"),
            PairSemantics::SubBorrow => format!("(bvsub (bvsub {x} {y}) {third})"),
            PairSemantics::ShiftLeft => {
                format!("((_ extract 63 32) (bvshl (concat {x} {y}) {third}))")
            }
            PairSemantics::ShiftRight => {
                format!("((_ extract 31 0) (bvlshr (concat {y} {x}) {third}))")
            }
        };
        if pair == PairSemantics::SubBorrow {
            let wide = |term: &str| format!("((_ sign_extend 32) {term})");
            self.compared = Some((wide(&x), format!("(bvadd {} {})", wide(&y), wide(&third))));
        }
        self.write(&operands[0], result)
    }

    fn read(&self, operand: &OperandTemplate) -> Option<String> {
        match operand {
            OperandTemplate::Register(name_id) => self.names[usize::from(*name_id)].clone(),
            OperandTemplate::Real(register) => self.real[usize::from(*register)].clone(),
            OperandTemplate::Immediate(immediate) => self.number(immediate),
            OperandTemplate::Address(AddressTemplate { argument: Some(name_id), .. }) => {
                self.numbers[usize::from(*name_id)].as_ref().map(|(term, _)| term.clone())
            }
            _ => None,
        }
    }

    fn number(&self, immediate: &Immediate) -> Option<String> {
        match immediate {
            Immediate::Number(number) => Some(word(*number)),
            Immediate::Of(function, name_id) => {
                match (self.numbers[usize::from(*name_id)].as_ref()?, function.name) {
                    ((_, Some(number)), _) => Some(word((function.of)(*number) as i32)),
                    ((term, None), "") => Some(term.clone()),
                    ((term, None), "negative") => Some(format!("(bvneg {term})")),
                    ((_, None), _) => None,
                }
            }
        }
    }

    fn address(&self, operand: &OperandTemplate) -> Option<String> {
        let OperandTemplate::Address(address) = operand else { return None };
        let mut sum = word(0);
        let mut add = |term: String| sum = format!("(bvadd {sum} {term})");
        for immediate in &address.displacement {
            add(self.number(immediate)?);
        }
        if let Some(base) = address.base {
            add(self.names[usize::from(base)].clone()?);
        }
        if let Some((index, scale)) = address.index {
            let index = self.names[usize::from(index)].as_ref()?;
            add(format!("(bvmul {index} {})", self.number(&scale)?));
        }
        address.argument.is_none().then_some(sum)
    }

    fn write(&mut self, operand: &OperandTemplate, term: String) -> Option<()> {
        match operand {
            OperandTemplate::Register(name_id) => self.names[usize::from(*name_id)] = Some(term),
            OperandTemplate::Real(register) => self.real[usize::from(*register)] = Some(term),
            _ => return None,
        }
        Some(())
    }

    /// Whether the last comparison satisfies a relation.
    fn holds(&self, relation: &OperandTemplate) -> Option<String> {
        let relation = match relation {
            OperandTemplate::Condition(name_id) => {
                let (_, number) = self.numbers[usize::from(*name_id)].as_ref()?;
                Relation::of_number((*number)?)
            }
            OperandTemplate::Relation(relation) => *relation,
            _ => return None,
        };
        let (a, b) = self.compared.clone()?;
        let truth = apply(WORD, Operation::Compare(None), relation, &[a, b]);
        Some(format!("(= {truth} {})", word(1)))
    }
}

fn branch_outcome(block: &OperandTemplate) -> Option<String> {
    match block {
        OperandTemplate::Block(truth) => Some(word(i32::from(*truth))),
        _ => None,
    }
}
