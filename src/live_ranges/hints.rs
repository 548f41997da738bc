//! Register hints: values that should share a register, so that a copy between them is not needed.
use crate::ia32::code::{Code, Instruction};
use crate::ia32::{Operand, Register};
use crate::live_ranges::Position;
use crate::live_ranges::intervals::Intervals;
use arena::{Id, SideTable};

/// The number of copies from one value of a variable to the next that are followed.
const MAX_COPIES: usize = 4;

/// The copies at which values end.
#[derive(Default)]
pub struct Copies {
    /// The register that each value is copied to at its end.
    pub to: SideTable<Register, Option<Register>>,
    /// For each value, the value or real register that ends in a copy to it.
    pub from: SideTable<Register, Option<Register>>,
}

/// The target of the copy for each value that ends at a copy, and the source for each target.
pub fn copies(code: &Code, intervals: &Intervals) -> Copies {
    let mut copies = Copies::default();
    for (at, instruction) in code.instructions.iter().enumerate() {
        if let Some((target, source)) = copy(instruction)
            && (source.is_real() || !intervals.of(source).covers(2 * at as Position + 1))
        {
            copies.to[source] = Some(target).filter(|_| !source.is_real());
            copies.from[target] = Some(source);
        }
    }
    #[cfg(feature = "ch05")]
    for block in code.blocks.ids() {
        let successors = intervals.flow.successors[block].iter();
        let parameters = successors.flat_map(|to| &code.blocks[*to].parameters);
        let end = 2 * code.range(block).end as Position - 1;
        for (&argument, &parameter) in code.blocks[block].arguments.iter().zip(parameters) {
            if !intervals.of(argument).covers(end) && argument != parameter {
                copies.to[argument] = Some(parameter);
            }
        }
    }
    copies
}

/// Commutes operands: `mov d,x` and `add d,y` become `mov d,y` and `add d,x` if y ends there and x
/// does not, or if d is the next value of y in a loop. Then d can have y's register and no copy is
/// needed.
pub fn commute(code: &mut Code, intervals: &mut Intervals) {
    let copies = copies(code, intervals);
    // A variable of a loop is numbered before the values of an iteration. A copy to a register
    // before it belongs to the next iteration.
    let is_before = |first: Register, second: Register| first.index() < second.index();
    let is_next = |value, of| {
        let copied =
            std::iter::successors(Some(value), |&it| copies.to[it].filter(|_| is_before(of, it)));
        copied.take(MAX_COPIES).any(|it| it == of)
    };
    for at in 1..code.instructions.len() {
        let [copied, instruction] = &mut code.instructions[at - 1..=at] else { continue };
        let (Some((target, source)), true) = (copy(copied), instruction.op.row().commutes) else {
            continue;
        };
        let [Operand::Register(updated), Operand::Register(ending), _] = instruction.operands
        else {
            continue;
        };
        let position = 2 * at as Position;
        let distinct = updated == target && ending != target;
        let distinct = distinct && !ending.is_real() && !source.is_real();
        let ends = |register: Register| !intervals.of(register).covers(position + 1);
        let is_shorter =
            |source| !ends(source) || is_next(target, ending) && !is_next(target, source);
        if distinct && ends(ending) && is_shorter(source) {
            copied.operands[1] = Operand::Register(ending);
            instruction.operands[1] = Operand::Register(source);
            intervals.move_read(ending, position, position - 2);
            intervals.move_read(source, position - 2, position);
        }
    }
}

/// Target and source of a copy.
fn copy(instruction: &Instruction) -> Option<(Register, Register)> {
    match instruction.operands {
        [Operand::Register(target), Operand::Register(source), _] if instruction.op.is_copy() => {
            Some((target, source))
        }
        _ => None,
    }
}
