//! The canonical text of trees, on one line and without tags.
use crate::tree::*;
use std::fmt::{self, Display, Formatter};

impl Display for RuleAst {
    fn fmt(&self, out: &mut Formatter) -> fmt::Result {
        let RuleAst { name, roots, guards, instructions, cycles, .. } = self;
        write!(out, "rule {name}: {}{} => ", joined(roots, ", "), conditions(guards))?;
        for instruction in instructions {
            write!(out, "{instruction}; ")?;
        }
        for (keyword, registers) in [("out", &self.out), ("clobbers", &self.clobbers)] {
            if !registers.is_empty() {
                write!(out, "{keyword} {}; ", joined(registers, " "))?;
            }
        }
        write!(out, "cycles {cycles}")
    }
}

impl Display for FormAst {
    fn fmt(&self, out: &mut Formatter) -> fmt::Result {
        let FormAst { name, operand, guards, result, instructions, clobbers, cycles, .. } = self;
        write!(out, "form {name}: {operand}{} => {result}", conditions(guards))?;
        if !instructions.is_empty() {
            write!(out, " after {}", joined(instructions, "; "))?;
        }
        if !clobbers.is_empty() {
            write!(out, "; clobbers {}", joined(clobbers, " "))?;
        }
        if *cycles > 0 { write!(out, "; cycles {cycles}") } else { Ok(()) }
    }
}

impl Display for PeepholeAst {
    fn fmt(&self, out: &mut Formatter) -> fmt::Result {
        let (before, after) = &self.example;
        write!(out, "peephole {}: {}; ", self.name, self.law())?;
        write!(out, "decreases {}; example \"{before}\" => \"{after}\"", self.decreases)
    }
}

impl PeepholeAst {
    /// Pattern, guards and replacement.
    pub fn law(&self) -> String {
        format!("{}{} => {}", self.pattern, conditions(&self.guards), self.replacement)
    }
}

/// Empty without guards, else with a leading space.
fn conditions(guards: &[GuardAst]) -> String {
    if guards.is_empty() { String::new() } else { format!(" if {}", joined(guards, " and ")) }
}

fn joined<T: Display>(items: &[T], separator: &str) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(separator)
}

impl Display for Identifier {
    fn fmt(&self, out: &mut Formatter) -> fmt::Result {
        out.write_str(&self.text)
    }
}

impl Display for PatternAst {
    fn fmt(&self, out: &mut Formatter) -> fmt::Result {
        let PatternAst { name, ordered, operation, relation, attribute, mode, operands } = self;
        if let Some(name) = name {
            write!(out, "{name} = ")?;
        }
        if ordered.is_some() {
            out.write_str("ordered ")?;
        }
        write!(out, "{operation}")?;
        for (sign, part) in [(".", relation), (" ", attribute), (":", mode)] {
            if let Some(part) = part {
                write!(out, "{sign}{part}")?;
            }
        }
        if operands.is_empty() { Ok(()) } else { write!(out, "({})", joined(operands, ", ")) }
    }
}

impl Display for OperandAst {
    fn fmt(&self, out: &mut Formatter) -> fmt::Result {
        match self {
            OperandAst::Pattern(pattern) => write!(out, "{pattern}"),
            OperandAst::Value(name, None) => write!(out, "{name}"),
            OperandAst::Value(name, Some(register)) => write!(out, "{name} in {register}"),
            OperandAst::Number(number, _) => write!(out, "{number}"),
        }
    }
}

impl Display for GuardAst {
    fn fmt(&self, out: &mut Formatter) -> fmt::Result {
        match self {
            GuardAst::Property(property, of) => write!(out, "{property}({})", joined(of, ", ")),
            GuardAst::Equal(name, number) => write!(out, "{name} == {number}"),
        }
    }
}

impl Display for InstructionAst {
    fn fmt(&self, out: &mut Formatter) -> fmt::Result {
        write!(out, "{}", self.mnemonic)?;
        if let Some(relation) = &self.relation {
            write!(out, ".{relation}")?;
        }
        let space = if self.operands.is_empty() { "" } else { " " };
        write!(out, "{space}{}", joined(&self.operands, ", "))
    }
}

impl Display for ArgumentAst {
    fn fmt(&self, out: &mut Formatter) -> fmt::Result {
        match self {
            ArgumentAst::Name(name) => write!(out, "{name}"),
            ArgumentAst::Immediate(immediate) => write!(out, "{immediate}"),
            ArgumentAst::Address(terms, _) => write!(out, "[{}]", joined(terms, " + ")),
        }
    }
}

impl Display for ImmediateAst {
    fn fmt(&self, out: &mut Formatter) -> fmt::Result {
        match self {
            ImmediateAst::Number(number, _) => write!(out, "{number}"),
            ImmediateAst::Function(function, of) if function.text == NEGATIVE => {
                write!(out, "-{of}")
            }
            ImmediateAst::Function(function, of) => write!(out, "{function}({of})"),
            ImmediateAst::Name(name) => write!(out, "{name}"),
        }
    }
}

/// The function that is written as a sign.
pub const NEGATIVE: &str = "negative";

impl Display for TermAst {
    fn fmt(&self, out: &mut Formatter) -> fmt::Result {
        match self {
            TermAst::Name(name, None) => write!(out, "{name}"),
            TermAst::Name(name, Some(scale)) => write!(out, "{name}*{scale}"),
            TermAst::Immediate(immediate) => write!(out, "{immediate}"),
            TermAst::Argument(name) => write!(out, "argument {name}"),
        }
    }
}
