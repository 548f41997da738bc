//! Checks the instructions of a rule in order: registers are written before they are read, clobbers
//! are declared, and the result has a location. With a rule that passes them, selection makes sound
//! code.
use super::pattern::{NameId, Pattern};
use super::resolve::{Body, Resolver};
use super::result::yields_nothing;
use super::{InstructionTemplate, OperandTemplate, ResultLocation};
use crate::diagnostics::{Code, Diagnostic};
use crate::firm::Op;
use crate::target::{Effect, Flags, InstructionForm, OperandConstraint, RegisterConstraint};
use rule_text::{Identifier, RuleAst};

/// The maximal number of real registers of a rule. The other registers hold the values that are
/// live across it.
const MAX_REGISTERS: usize = 3;

/// The contents of real registers and flags between two instructions of a rule.
struct RegisterState {
    /// For each real register: whether it was written, and whether it holds an operand that has not
    /// been read.
    real: Vec<(bool, bool)>,
    /// Whether the flags are those of a comparison.
    compared: bool,
    /// Whether the carry is that of a sum, a difference or a comparison.
    carried: bool,
}

/// An instruction of a rule.
#[derive(Clone, Copy)]
struct CheckedInstruction<'a> {
    pattern: &'a Pattern,
    step: &'a InstructionTemplate,
    row: &'static InstructionForm,
    word: &'a Identifier,
}

impl Resolver<'_> {
    /// Checks the instructions of a rule and the declarations about them.
    pub fn check_rule(
        &mut self,
        tree: &RuleAst,
        pattern: &Pattern,
        body: &Body,
        result: Option<ResultLocation>,
    ) {
        self.check_result(tree, pattern, body, result);
        self.check_instructions(pattern, &tree.name, body);
        self.check_clobbers(&tree.name, body);
    }

    /// Checks the instructions in order and reports all errors.
    fn check_instructions(&mut self, pattern: &Pattern, name: &Identifier, body: &Body) {
        let mut state = self.entry(name);
        for (step, word) in &body.steps {
            let at = CheckedInstruction { pattern, step, row: self.row(step), word };
            self.check_effect(at);
            self.check_classes(at);
            self.check_flags(at, &mut state);
            self.check_reads(at, &mut state);
            self.check_writes(at, &mut state);
        }
        match pattern.op {
            Op::Return => self.check_leaves(name, body),
            Op::Jmp | Op::Cond => self.check_jumps(pattern.op, name, body),
            Op::Call(_) => self.check_calls(name, body),
            _ => {}
        }
        for &(location, span) in &body.out {
            let (name, is_written) = match location {
                ResultLocation::Real(register) => {
                    (self.register_name(register), state.real[register as usize].0)
                }
                ResultLocation::Name(name) => {
                    (&*self.names[name as usize].0, self.is_written(body, name))
                }
            };
            if !is_written {
                let message = format!("{name} was never written");
                self.report(span, message, "the result cannot be there");
            }
        }
        self.check_count(name, body);
    }

    /// Whether an instruction writes the register of a name.
    fn is_written(&self, body: &Body, name: NameId) -> bool {
        body.steps.iter().any(|(step, _)| {
            let mut operands = self.row(step).operands.iter().zip(&step.operands);
            operands.any(|(slot, operand)| {
                slot.writes() && matches!(operand, OperandTemplate::Register(it) if *it == name)
            })
        })
    }

    /// The rule of `Return` ends with an instruction that returns.
    fn check_leaves(&mut self, name: &Identifier, body: &Body) {
        let leaves = |(step, _): &(InstructionTemplate, &Identifier)| {
            self.row(step).effect == Effect::Leaves
        };
        if !body.steps.last().is_some_and(leaves) {
            let message = "the instructions of this rule do not return".to_string();
            self.report(name.span, message, "the last one must return");
        }
    }

    /// The rule of `Call` calls once.
    fn check_calls(&mut self, name: &Identifier, body: &Body) {
        let calls = |(step, _): &&(InstructionTemplate, &Identifier)| {
            matches!(self.row(step).effect, Effect::Calls { .. })
        };
        let count = body.steps.iter().filter(calls).count();
        if count != 1 {
            let message = format!("the instructions of this rule call {count} times");
            self.report(name.span, message, "one of them must call");
        }
    }

    /// At entry, fixed operands are in their registers.
    fn entry(&mut self, name: &Identifier) -> RegisterState {
        let mut real = vec![(false, false); self.target.registers.len()];
        for (_, register) in self.fixed.clone() {
            if real[register as usize].0 {
                let message = format!("two operands must be in {}", self.register_name(register));
                self.report(name.span, message, "by this rule");
            }
            real[register as usize] = (true, true);
        }
        RegisterState { real, compared: false, carried: false }
    }

    fn register_name(&self, register: u8) -> &'static str {
        self.target.registers[register as usize]
    }

    /// Only the rule of `Return` may leave the function, and no rule may change the stack.
    fn check_effect(&mut self, at: CheckedInstruction) {
        let reason = match at.row.effect {
            Effect::None => return,
            Effect::Leaves if at.pattern.op == Op::Return => return,
            Effect::Jumps if matches!(at.pattern.op, Op::Jmp | Op::Cond) => return,
            Effect::Memory if self.accesses_memory(at.pattern) => return,
            Effect::Memory if is_argument_or_constant(at.step) => return,
            Effect::Memory => "only a rule for `Load` or `Store` may access memory",
            Effect::Jumps => "only a rule for `Jmp` or `Cond` may jump",
            Effect::Leaves => "only a rule for `Return` may return",
            Effect::Stack => "a rule may not change the stack",
            Effect::Calls { .. } if matches!(at.pattern.op, Op::Call(_)) => return,
            Effect::Calls { .. } => "only a rule for `Call` may call",
        };
        self.report(at.word.span, format!("`{}` is not allowed here", at.word.text), reason);
    }

    /// Whether a pattern of the rule accesses memory; `last` is the last one.
    fn accesses_memory(&self, last: &Pattern) -> bool {
        self.extra_roots.iter().chain([last]).any(Pattern::accesses_memory)
    }

    fn check_flags(&mut self, at: CheckedInstruction, state: &mut RegisterState) {
        let is_carry = matches!(at.row.flags, Flags::Carry | Flags::Borrow);
        if at.row.flags == Flags::Read && !state.compared || is_carry && !state.carried {
            let message = format!("`{}` reads flags that no comparison has set", at.word.text);
            let needed =
                if is_carry { "a sum, a difference or a comparison" } else { "a comparison" };
            let reason = format!("{needed} must come directly before it");
            self.report(at.word.span, message, &reason);
        }
        if at.row.flags.writes() {
            let compares = at.row.flags.are_of_a_comparison();
            state.compared = compares || at.row.flags == Flags::Borrow;
            state.carried = compares || at.row.carries;
        }
    }

    fn check_reads(
        &mut self,
        CheckedInstruction { step, row, word, .. }: CheckedInstruction,
        state: &mut RegisterState,
    ) {
        let named = step.operands.iter().zip(row.operands).filter(|(_, slot)| slot.reads());
        let reals = named.filter_map(|(operand, _)| operand.real());
        for register in reals.chain(row.reads.iter().copied()) {
            let (written, unread) = &mut state.real[register as usize];
            *unread = false;
            if !std::mem::replace(written, true) {
                let name = self.register_name(register);
                let message = format!("`{}` reads {name}, which was never written", word.text);
                self.report(word.span, message, "by this instruction");
            }
        }
    }

    fn check_writes(
        &mut self,
        CheckedInstruction { step, row, word, .. }: CheckedInstruction,
        state: &mut RegisterState,
    ) {
        let named = step.operands.iter().zip(row.operands).filter(|(_, slot)| slot.writes());
        let reals = named.filter_map(|(operand, _)| operand.real());
        for register in reals.chain(row.overwritten()) {
            if state.real[register as usize].1 {
                let name = self.register_name(register);
                let message = format!("`{}` overwrites the operand in {name}", word.text);
                self.report(word.span, message, "it has not been read yet");
            }
            state.real[register as usize] = (true, false);
        }
    }

    /// An operand that may be in some registers only must be a name. One that may be in a single
    /// register must be that register.
    fn check_classes(&mut self, CheckedInstruction { step, row, word, .. }: CheckedInstruction) {
        for (slot, operand) in row.operands.iter().zip(&step.operands) {
            let OperandConstraint::Register(_, class) = slot else { continue };
            match class {
                RegisterConstraint::Any | RegisterConstraint::Float => {}
                #[cfg(feature = "ch14")]
                RegisterConstraint::Half => {}
                RegisterConstraint::Byte => {
                    if operand.real().is_some() {
                        let message = format!("`{}` needs a name, not a real register", word.text);
                        self.report(word.span, message, "only some registers are possible");
                    }
                }
                RegisterConstraint::Only(register) => {
                    if operand.real() != Some(*register) {
                        let name = self.register_name(*register);
                        let message = format!("`{}` takes this operand in {name}", word.text);
                        self.report(word.span, message, "by this instruction");
                    }
                }
            }
        }
    }

    fn check_count(&mut self, name: &Identifier, body: &Body) {
        let mut used: Vec<u8> = self.fixed.iter().map(|(_, register)| *register).collect();
        for (step, _) in &body.steps {
            let row = self.row(step);
            used.extend(step.operands.iter().filter_map(OperandTemplate::real));
            // Those that a called function changes hold no operand.
            used.extend(row.reads.iter().chain(row.writes).copied());
        }
        used.sort_unstable();
        used.dedup();
        if used.len() > MAX_REGISTERS {
            let message = format!("a rule may use {MAX_REGISTERS} registers by their names");
            self.report(name.span, message, &format!("this one uses {}", used.len()));
        }
    }

    /// A pattern has a result if and only if it yields a value.
    fn check_result(
        &mut self,
        tree: &RuleAst,
        pattern: &Pattern,
        body: &Body,
        result: Option<ResultLocation>,
    ) {
        let Some(root) = tree.roots.last() else { return };
        let (operation, nothing) = (&root.operation, yields_nothing(pattern));
        let results = usize::from(!nothing) + self.extra_roots.len();
        if let Some((_, span)) = body.out.get(results) {
            let message = match body.out.len() {
                1 => format!("{} yields no value", operation.text),
                _ => "`out` names more registers than there are results".to_string(),
            };
            self.report(*span, message, "there is no result");
        } else if !nothing && result.is_none() {
            let message = "this rule has no result".to_string();
            self.report(operation.span, message, "this operation yields a value");
        }
    }

    /// Overwritten real registers must be declared as clobbers, except that of the result.
    fn check_clobbers(&mut self, name: &Identifier, body: &Body) {
        let mut written = Vec::new();
        for (step, _) in &body.steps {
            let row = self.row(step);
            let named = step.operands.iter().zip(row.operands).filter(|(_, slot)| slot.writes());
            written.extend(named.filter_map(|(operand, _)| operand.real()));
            written.extend(row.overwritten());
        }
        written.sort_unstable();
        written.dedup();
        let is_out = |it: &u8| body.out.iter().any(|out| out.0 == ResultLocation::Real(*it));
        let declared = |it: &u8| body.clobbers.iter().any(|(register, _)| register == it);
        for register in written.iter().filter(|it| !is_out(it) && !declared(it)) {
            let real = self.register_name(*register);
            let message = format!("this rule overwrites {real} without declaring it");
            let diagnostic = Diagnostic::new(Code::Rule, name.span, message, "by its instructions");
            self.diagnostics.push(diagnostic.with_help(format!("add `clobbers {real}`")));
        }
        for &(register, span) in &body.clobbers {
            let real = self.register_name(register);
            if is_out(&register) {
                let message = format!("{real} holds the result");
                self.report(span, message, "so it is no clobber");
            } else if !written.contains(&register) {
                let message = format!("{real} is declared as overwritten, but is not");
                self.report(span, message, "no instruction of this rule does it");
            }
        }
    }
}

/// Whether the memory that an instruction accesses is that of an argument or of a constant.
fn is_argument_or_constant(step: &InstructionTemplate) -> bool {
    let is_argument_or_constant = |operand: &OperandTemplate| match operand {
        OperandTemplate::Address(it) => it.argument.is_some() || it.constant.is_some(),
        _ => false,
    };
    step.operands.iter().any(is_argument_or_constant)
}
