//! The length of the instructions of a match. The encoder of the machine computes it, with the
//! numbers of the match and with registers that stand for any other.
use super::operand::Places;
use super::{
    Binding, Immediate, InstructionTemplate, Match, NameId, OperandTemplate, Rule, RuleSet,
};
#[cfg(feature = "ch04")]
use crate::arith::Relation;
use crate::target::Target;
#[cfg(feature = "ch05")]
use crate::target::blocks::BlockId;
use crate::target::code_builder::{Operand, Register};

/// The length of the instructions of a rule.
#[derive(Clone, Debug)]
pub struct Length {
    /// The bytes of those whose length is always the same.
    fixed: u32,
    /// The other ones, by their places in the rule.
    variable: Vec<usize>,
    /// The bytes of all with numbers of four bytes.
    #[cfg(feature = "ch19")]
    longest: u32,
}

impl Length {
    pub fn new<'s>(
        target: &Target,
        steps: impl Iterator<Item = &'s InstructionTemplate>,
    ) -> Length {
        let mut length = Length {
            fixed: 0,
            variable: Vec::new(),
            #[cfg(feature = "ch19")]
            longest: 0,
        };
        for (at, step) in steps.enumerate() {
            let bytes = NUMBERS.map(|number| with_number(step, number).bytes(target, &ANY));
            let longest = bytes.into_iter().max().unwrap_or_default();
            if bytes == [longest; NUMBERS.len()] {
                length.fixed += longest;
            } else {
                length.variable.push(at);
            }
            #[cfg(feature = "ch19")]
            {
                length.longest += longest;
            }
        }
        length
    }

    /// The same for all matches.
    #[cfg(test)]
    #[cfg(feature = "ch19")]
    pub fn fixed(bytes: u32) -> Length {
        Length { fixed: bytes, variable: Vec::new(), longest: bytes }
    }
}

/// Numbers of all lengths: some instructions have forms for 0 and 1, and for one byte.
const NUMBERS: [i32; 4] = [0, 1, 100, 1000];

impl RuleSet {
    /// The bytes of the instructions of a match.
    pub fn bytes(&self, found: &Match) -> u32 {
        let rule = self.rule(found.variant);
        let variable = rule.length.variable.iter().map(|&at| &rule.steps[at]);
        let variable = variable.map(|step| step.bytes(&self.target, &found.bindings));
        rule.length.fixed + variable.sum::<u32>()
    }
}

#[cfg(feature = "ch19")]
impl Rule {
    /// The bytes of its instructions with numbers of four bytes.
    pub fn longest(&self) -> u32 {
        self.length.longest
    }
}

/// No instruction has more operands.
const MAX_OPERANDS: usize = 4;

impl InstructionTemplate {
    fn bytes(&self, target: &Target, bindings: &[Binding]) -> u32 {
        let mut operands = [Operand::Immediate(0); MAX_OPERANDS];
        for (operand, template) in operands.iter_mut().zip(&self.operands) {
            *operand = template.operand(bindings, &AnyPlaces);
        }
        (target.length)(self.instruction, &operands[..self.operands.len()])
    }
}

/// The instruction with `number` in the place of all numbers of the pattern.
fn with_number(step: &InstructionTemplate, number: i32) -> InstructionTemplate {
    let mut step = step.clone();
    for operand in &mut step.operands {
        match operand {
            OperandTemplate::Immediate(immediate) => immediate.fix(number),
            #[cfg(feature = "ch04")]
            OperandTemplate::Address(address) => {
                address.displacement.iter_mut().for_each(|it| it.fix(number));
                address.index.iter_mut().for_each(|(_, scale)| scale.fix(MAX_SCALE));
            }
            #[cfg(feature = "ch04")]
            OperandTemplate::Condition(_) => *operand = OperandTemplate::Relation(Relation::Equal),
            _ => {}
        }
    }
    step
}

#[cfg(feature = "ch04")]
const MAX_SCALE: i32 = 8;

impl Immediate {
    fn fix(&mut self, number: i32) {
        if let Immediate::Of(..) = self {
            *self = Immediate::Number(number);
        }
    }
}

/// Bindings of the names that no encoding depends on.
const ANY: [Binding; Rule::MAX_NAMES] = [Binding::Number(0); _];

/// One register and one block for all.
struct AnyPlaces;

impl Places for AnyPlaces {
    fn register(&self, _: NameId) -> Register {
        Register::Virtual(0)
    }

    #[cfg(feature = "ch05")]
    fn block(&self, _: bool) -> BlockId {
        BlockId::ENTRY
    }
}
