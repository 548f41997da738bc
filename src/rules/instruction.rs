//! Resolves the instructions of a rule: each becomes a form of a machine instruction.
use super::function::PLAIN;
#[cfg(feature = "ch12")]
use super::function::RELATION_FUNCTIONS;
#[cfg(feature = "ch04")]
use super::function::{FUNCTIONS, Function};
#[cfg(feature = "ch05")]
use super::jump;
use super::pattern::NameId;
use super::resolve::{NameKind, Resolver};
use super::{Immediate, InstructionTemplate, OperandTemplate};
use crate::firm::Op;
use crate::target::InstructionForm;
use rule_text::{ArgumentAst, Identifier, ImmediateAst, InstructionAst};

impl Resolver<'_> {
    pub fn instruction(&mut self, tree: &InstructionAst) -> Option<InstructionTemplate> {
        let mut operands = Vec::new();
        #[cfg(feature = "ch04")]
        if let Some(word) = &tree.relation {
            operands.push(self.relation(word)?);
        }
        // Names are looked up before anything new is named, so that a row can be found first.
        for argument in &tree.operands {
            operands.push(self.argument(argument)?);
        }
        let mnemonic = &tree.mnemonic;
        let has_name = |row: &InstructionForm| row.mnemonic == mnemonic.text;
        let takes_operands = |row: &InstructionForm| {
            row.operands.len() == operands.len()
                && row
                    .operands
                    .iter()
                    .zip(&operands)
                    .all(|(slot, operand)| operand.has_kind_of(*slot))
        };
        let rows = self.target.instructions;
        let found = rows.iter().position(|row| has_name(row) && takes_operands(row));
        let Some(instruction) = found else {
            self.no_instruction(mnemonic, !rows.iter().any(has_name));
            return None;
        };
        let step = InstructionTemplate { instruction, operands };
        #[cfg(feature = "ch10")]
        self.note_names(mnemonic, &step);
        Some(step)
    }

    fn no_instruction(&mut self, mnemonic: &Identifier, unknown: bool) {
        if unknown {
            let known: Vec<_> = self.target.instructions.iter().map(|row| row.mnemonic).collect();
            let category = format!("{} instruction", self.target.name);
            return self.unknown(&category, mnemonic, &known);
        }
        let message = format!("`{}` does not take these operands", mnemonic.text);
        self.report(mnemonic.span, message, "no form of this instruction fits");
    }

    /// A register may be read only if the pattern or an earlier instruction has written it. A
    /// register that an instruction writes is known from then on.
    #[cfg(feature = "ch10")]
    fn note_names(&mut self, word: &Identifier, step: &InstructionTemplate) {
        let row = self.row(step);
        let pairs = || row.operands.iter().zip(&step.operands);
        for name in pairs().flat_map(|(slot, operand)| operand.names_read(*slot)) {
            let (text, kind) = &self.names[name as usize];
            if *kind == NameKind::Fresh {
                let message = format!("`{text}` is read before anything is in it");
                self.report(word.span, message, "by this instruction");
            }
        }
        for (slot, operand) in pairs() {
            if let (true, OperandTemplate::Register(name)) = (slot.writes(), operand) {
                let kind = &mut self.names[*name as usize].1;
                if *kind == NameKind::Fresh {
                    *kind = NameKind::Value;
                }
            }
        }
    }

    #[cfg(feature = "ch04")]
    fn relation(&mut self, word: &Identifier) -> Option<OperandTemplate> {
        let found = self.condition(word);
        #[cfg(feature = "ch05")]
        let found = found.or_else(|| jump::relation(word));
        if found.is_none() {
            let message = format!("`{}` is no relation of the pattern", word.text);
            self.report(word.span, message, "a relation is bound by `Cmp.`");
        }
        found
    }

    #[cfg(feature = "ch04")]
    pub fn binds_argument(&self, name_id: NameId) -> bool {
        matches!(self.names[name_id as usize].1, NameKind::Attribute(Op::Argument(_), _))
    }

    #[cfg(feature = "ch04")]
    fn condition(&self, word: &Identifier) -> Option<OperandTemplate> {
        let name_id = self.find_name(&word.text)?;
        match self.names[name_id as usize].1 {
            NameKind::Attribute(op, _) if op.has_relation() => {
                Some(OperandTemplate::Condition(name_id))
            }
            _ => None,
        }
    }

    fn argument(&mut self, argument: &ArgumentAst) -> Option<OperandTemplate> {
        match argument {
            ArgumentAst::Name(word) => self.named(word),
            ArgumentAst::Immediate(tree) => self.immediate(tree).map(OperandTemplate::Immediate),
            #[cfg(feature = "ch04")]
            ArgumentAst::Address(terms, span) => self.address(terms, *span),
            other => self.not_supported(other.span()),
        }
    }

    pub fn named(&mut self, word: &Identifier) -> Option<OperandTemplate> {
        if self.target.registers.contains(&word.text.as_str()) {
            return self.register(word).map(OperandTemplate::Real);
        }
        #[cfg(feature = "ch05")]
        if let Some(block) = self.block(word) {
            return Some(block);
        }
        match self.find_name(&word.text) {
            None => self.fresh(word, NameKind::Fresh).map(OperandTemplate::Register),
            Some(name_id) => match self.names[name_id as usize].1 {
                NameKind::Value | NameKind::Fresh => Some(OperandTemplate::Register(name_id)),
                #[cfg(feature = "ch10")]
                NameKind::Operation => self.report_not_in_register(word),
                #[cfg(feature = "ch14")]
                NameKind::Attribute(Op::SymConst(_), _) => Some(OperandTemplate::Symbol(name_id)),
                NameKind::Attribute(..) => {
                    #[cfg(feature = "ch04")]
                    let name_id = self.number(word)?;
                    Some(OperandTemplate::Immediate(Immediate::Of(&PLAIN, name_id)))
                }
            },
        }
    }

    pub fn immediate(&mut self, tree: &ImmediateAst) -> Option<Immediate> {
        match tree {
            ImmediateAst::Number(number, _) if i32::try_from(*number).is_ok() => {
                Some(Immediate::Number(*number as i32))
            }
            #[cfg(feature = "ch19")]
            ImmediateAst::Number(number, span) => {
                self.report(*span, format!("{number} does not fit 32 bits"), "too large");
                None
            }
            #[cfg(feature = "ch04")]
            ImmediateAst::Name(of) => self.number(of).map(|it| Immediate::Of(&PLAIN, it)),
            #[cfg(feature = "ch04")]
            ImmediateAst::Function(name, of) => {
                #[cfg(feature = "ch12")]
                if let Some(row) = RELATION_FUNCTIONS.iter().find(|row| row.name == name.text) {
                    return Some(Immediate::Of(row, self.relation_name(of)?));
                }
                let name_id = self.number(of)?;
                let row = FUNCTIONS.iter().find(|row| row.name == name.text);
                if row.is_none() {
                    let known: Vec<_> = FUNCTIONS.iter().map(|row: &Function| row.name).collect();
                    self.unknown("function", name, &known);
                }
                row.map(|row| Immediate::Of(row, name_id))
            }
            other => self.not_supported(other.span()),
        }
    }
}
