//! What a rule's instructions do, walked through in order: nothing may be read that nobody wrote,
//! nothing be overwritten that is not declared, and the result must be somewhere.
use super::ast::Identifier;
use super::pattern::{NameId, Pattern};
use super::resolve::{Body, Resolver};
use super::target::{self, Effect, InstructionForm};
use super::{Place, Step, Template};
use crate::diagnostics::{Code, Diagnostic};
use crate::firm::{Mode, Op};

/// How many real registers a rule may name: the others are for the values around it.
const MAX_REGISTERS: usize = 3;

/// What real registers and flags hold at some place of a rule.
struct State {
    /// Of each real register: whether something is in it, and whether that is yet to be read.
    real: Vec<(bool, bool)>,
    /// Whether the flags tell of a comparison.
    #[cfg(feature = "ch04")]
    compared: bool,
}

/// An instruction of a rule.
#[derive(Clone, Copy)]
struct At<'a> {
    pattern: &'a Pattern,
    step: &'a Step,
    row: &'static InstructionForm,
    word: &'a Identifier,
}

type Check = fn(&mut Resolver, At, &mut State);

/// What is asked of an instruction, in this order.
const CHECKS: &[Check] = &[
    |resolver, at, _| resolver.check_effect(at),
    |resolver, at, _| resolver.check_classes(at),
    #[cfg(feature = "ch04")]
    check_flags,
    |resolver, at, state| resolver.check_reads(at, state),
    |resolver, at, state| resolver.check_writes(at, state),
];

/// Whether the operation of a pattern is an effect, not a value.
fn yields_nothing(pattern: &Pattern) -> bool {
    matches!(pattern.op.row().mode, Mode::X | Mode::M)
}

#[cfg(feature = "ch04")]
fn check_flags(resolver: &mut Resolver, at: At, state: &mut State) {
    if at.row.flags == target::Flags::Read && !state.compared {
        let message = format!("`{}` reads flags that no comparison has left", at.word.text);
        resolver.report(at.word.span, message, "compare before, and let nothing come between");
    }
    state.compared = match at.row.flags {
        target::Flags::Compared => true,
        target::Flags::Undefined | target::Flags::Zero | target::Flags::Result => false,
        target::Flags::Untouched | target::Flags::Read => state.compared,
    };
}

impl Resolver<'_> {
    /// Walks through the instructions; complains about all that cannot be.
    pub fn check_body(&mut self, pattern: &Pattern, name: &Identifier, body: &Body) {
        let mut state = self.entry(name);
        for (step, word) in &body.steps {
            let at = At { pattern, step, row: self.row(step), word };
            CHECKS.iter().for_each(|check| check(self, at, &mut state));
        }
        match pattern.op {
            Op::Return => self.check_leaves(name, body),
            #[cfg(feature = "ch05")]
            Op::Jmp | Op::Cond => self.check_jumps(pattern.op, name, body),
            _ => {}
        }
        for &(register, span) in body.out.iter().filter(|(it, _)| !state.real[*it as usize].0) {
            let message = format!("nothing is in {}", self.register_name(register));
            self.report(span, message, "the result cannot be there");
        }
        self.check_count(name, body);
    }

    /// The end of the program leaves the function.
    fn check_leaves(&mut self, name: &Identifier, body: &Body) {
        let leaves = |(step, _): &(Step, &Identifier)| self.row(step).effect == Effect::Leaves;
        if !body.steps.last().is_some_and(leaves) {
            let message = "the instructions of this rule do not leave".to_string();
            self.report(name.span, message, "the last of them must");
        }
    }

    /// Before the first instruction the fixed operands are where they must be.
    fn entry(&mut self, name: &Identifier) -> State {
        let mut real = vec![(false, false); self.target.registers.len()];
        for (_, register) in self.fixed.clone() {
            if real[register as usize].0 {
                let message = format!("two operands must be in {}", self.register_name(register));
                self.report(name.span, message, "by this rule");
            }
            real[register as usize] = (true, true);
        }
        State {
            real,
            #[cfg(feature = "ch04")]
            compared: false,
        }
    }

    pub fn row(&self, step: &Step) -> &'static InstructionForm {
        &self.target.instructions[step.instruction]
    }

    fn register_name(&self, register: u8) -> &'static str {
        self.target.registers[register as usize]
    }

    /// Only what ends the program may leave the function, and no rule may touch the stack.
    fn check_effect(&mut self, at: At) {
        let reason = match at.row.effect {
            Effect::None => return,
            Effect::Leaves if at.pattern.op == Op::Return => return,
            #[cfg(feature = "ch05")]
            Effect::Jumps if matches!(at.pattern.op, Op::Jmp | Op::Cond) => return,
            #[cfg(feature = "ch25")]
            Effect::Memory if at.pattern.op.accesses_memory() => return,
            #[cfg(feature = "ch25")]
            Effect::Memory => "only a rule for `Load` or `Store` may access memory",
            #[cfg(feature = "ch05")]
            Effect::Jumps => "only a rule for `Jmp` or `Cond` may jump",
            Effect::Leaves => "only a rule for `Return` may leave",
            #[cfg(feature = "ch02")]
            Effect::Stack => "the stack is not for rules",
        };
        self.report(at.word.span, format!("`{}` cannot stand here", at.word.text), reason);
    }

    fn check_reads(&mut self, At { step, row, word, .. }: At, state: &mut State) {
        let named = step.operands.iter().zip(row.operands).filter(|(_, slot)| slot.reads());
        let reals = named.filter_map(|(operand, _)| operand.real());
        for register in reals.chain(row.reads.iter().copied()) {
            let (written, unread) = &mut state.real[register as usize];
            *unread = false;
            if !std::mem::replace(written, true) {
                let name = self.register_name(register);
                let message = format!("`{}` reads {name}, and nothing is in it", word.text);
                self.report(word.span, message, "by this instruction");
            }
        }
    }

    fn check_writes(&mut self, At { step, row, word, .. }: At, state: &mut State) {
        let named = step.operands.iter().zip(row.operands).filter(|(_, slot)| slot.writes());
        let reals = named.filter_map(|(operand, _)| operand.real());
        for register in reals.chain(row.writes.iter().copied()) {
            if state.real[register as usize].1 {
                let name = self.register_name(register);
                let message = format!("`{}` overwrites the operand in {name}", word.text);
                self.report(word.span, message, "nobody has read it yet");
            }
            state.real[register as usize] = (true, false);
        }
    }

    /// Which real registers an operand may be, the machine decides: there a name must stand.
    fn check_classes(&mut self, At { step, row, word, .. }: At) {
        let narrow = |slot: &target::OperandConstraint| match slot {
            target::OperandConstraint::Register(_, class) => {
                *class != target::RegisterConstraint::Any
            }
            _ => false,
        };
        let mut pairs = row.operands.iter().zip(&step.operands);
        if pairs.any(|(slot, operand)| narrow(slot) && operand.real().is_some()) {
            let message = format!("`{}` asks for a name, not for a register", word.text);
            self.report(word.span, message, "not every register will do");
        }
    }

    fn check_count(&mut self, name: &Identifier, body: &Body) {
        let mut used: Vec<u8> = self.fixed.iter().map(|(_, register)| *register).collect();
        for (step, _) in &body.steps {
            let row = self.row(step);
            used.extend(step.operands.iter().filter_map(Template::real));
            used.extend(row.reads.iter().chain(row.writes));
        }
        used.sort_unstable();
        used.dedup();
        if used.len() > MAX_REGISTERS {
            let message = format!("a rule may use {MAX_REGISTERS} registers by their names");
            self.report(name.span, message, &format!("this one uses {}", used.len()));
        }
    }

    /// Where the result is: in the register `out` names, or where the last instruction that
    /// writes to a register puts it.
    pub fn result(&self, pattern: &Pattern, body: &Body) -> Option<Place> {
        if yields_nothing(pattern) {
            return None;
        }
        let written = |(step, _): &(Step, &Identifier)| {
            let mut operands = self.row(step).operands.iter().zip(&step.operands);
            operands.find_map(|(slot, operand)| match operand {
                Template::Register(name) if slot.writes() => Some(Place::Name(*name)),
                _ => None,
            })
        };
        let places = [
            body.out.last().map(|(register, _)| Place::Real(*register)),
            #[cfg(feature = "ch10")]
            self.named_result(pattern),
        ];
        let place = places.into_iter().flatten().next();
        place.or_else(|| body.steps.iter().rev().find_map(written))
    }

    /// What yields a value has a result, and nothing else has.
    pub fn check_result(
        &mut self,
        operation: &Identifier,
        pattern: &Pattern,
        body: &Body,
        result: Option<Place>,
    ) {
        let nothing = yields_nothing(pattern);
        let results = usize::from(!nothing);
        #[cfg(feature = "ch10")]
        let results = results + self.partners.len();
        if let Some((_, span)) = body.out.get(results) {
            let message = match body.out.len() {
                1 => format!("{} yields no value", operation.text),
                _ => "`out` names more registers than there are results".to_string(),
            };
            self.report(*span, message, "there is no result");
        } else if !nothing && result.is_none() {
            let message = "this rule makes no result".to_string();
            self.report(operation.span, message, "the value of this is asked for");
        }
    }

    /// The operand of the pattern that an instruction reads and overwrites; and the other one, if
    /// the rule is one instruction and it does not matter which stands first.
    pub fn tied(&self, pattern: &Pattern, body: &Body) -> Vec<NameId> {
        let values = pattern.values();
        let updated = |(step, _): &(Step, &Identifier)| {
            let mut operands = self.row(step).operands.iter().zip(&step.operands);
            operands.find_map(|(slot, operand)| match operand {
                Template::Register(name) if slot.reads() && slot.writes() => Some(*name),
                _ => None,
            })
        };
        let tied = body.steps.iter().find_map(updated).filter(|name| values.contains(name));
        let either = pattern.op.commutes() && pattern.size() == 1 && body.steps.len() == 1;
        if tied.is_some() && either { values } else { tied.into_iter().collect() }
    }

    /// Real registers that the instructions overwrite must be declared; the result's may not.
    pub fn check_clobbers(&mut self, name: &Identifier, body: &Body) {
        let mut written = Vec::new();
        for (step, _) in &body.steps {
            let row = self.row(step);
            let named = step.operands.iter().zip(row.operands).filter(|(_, slot)| slot.writes());
            written.extend(named.filter_map(|(operand, _)| operand.real()));
            written.extend(row.writes);
        }
        written.sort_unstable();
        written.dedup();
        let is_out = |it: &u8| body.out.iter().any(|(register, _)| register == it);
        let declared = |it: &u8| body.clobbers.iter().any(|(register, _)| register == it);
        for register in written.iter().filter(|it| !is_out(it) && !declared(it)) {
            let real = self.register_name(*register);
            let message = format!("this rule overwrites {real} and does not say so");
            let diag = Diagnostic::new(Code::Rule, name.span, message, "its instructions do it");
            self.complaints.push(diag.with_help(format!("add `clobbers {real}`")));
        }
        for &(register, span) in &body.clobbers {
            let real = self.register_name(register);
            if is_out(&register) {
                let message = format!("{real} holds the result");
                self.report(span, message, "it is not lost");
            } else if !written.contains(&register) {
                let message = format!("{real} is said to be overwritten, and is not");
                self.report(span, message, "no instruction of this rule does it");
            }
        }
    }
}
