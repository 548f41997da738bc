//! Which values would best share a register: then no instruction is needed to copy one to another.
use crate::allocate::Position;
use crate::allocate::intervals::Intervals;
use crate::ia32::code::{Code, Instruction};
use crate::ia32::{Op, Operand, Register};

/// Notes for each value that ends in a copy the target of the copy, and the reverse.
pub fn note_copies(code: &Code, intervals: &mut Intervals) {
    for (at, instruction) in code.instructions.iter().enumerate() {
        if let Some((target, source)) = copy(instruction)
            && (source.is_real() || !intervals[source].covers(2 * at as Position + 1))
        {
            intervals.of[source].copied_to = Some(target).filter(|_| !source.is_real());
            intervals.of[target].copied_from = Some(source);
        }
    }
    #[cfg(feature = "ch05")]
    for block in code.blocks.ids() {
        let parameters = code.successors(block).flat_map(|to| &code.blocks[to].parameters);
        let behind = 2 * code.range(block).end as Position - 1;
        for (&argument, &parameter) in code.blocks[block].arguments.iter().zip(parameters) {
            if !intervals[argument].covers(behind) && argument != parameter {
                intervals.of[argument].copied_to = Some(parameter);
            }
        }
    }
}

/// Exchanges operands: `mov d,x` and `add d,y` become `mov d,y` and `add d,x` where y ends and x
/// lives on. Then d can have y's register and nothing is copied.
pub fn commute(code: &mut Code, intervals: &mut Intervals) {
    for at in 1..code.instructions.len() {
        let [copied, instruction] = &mut code.instructions[at - 1..=at] else { continue };
        let (Some((target, kept)), true) = (copy(copied), instruction.op.row().commutes) else {
            continue;
        };
        let [Operand::Register(updated), Operand::Register(ending), _] = instruction.operands
        else {
            continue;
        };
        let position = 2 * at as Position;
        let distinct = updated == target && ending != target;
        let distinct = distinct && !ending.is_real() && !kept.is_real();
        let ends = |register: Register| !intervals[register].covers(position + 1);
        if distinct && ends(ending) && !ends(kept) {
            copied.operands[1] = Operand::Register(ending);
            instruction.operands[1] = Operand::Register(kept);
            intervals.of[ending].move_read(position, position - 2);
            intervals.of[kept].move_read(position - 2, position);
        }
    }
}

/// Target and source of a copy.
fn copy(instruction: &Instruction) -> Option<(Register, Register)> {
    match (instruction.op, instruction.operands) {
        (Op::Mov, [Operand::Register(target), Operand::Register(source), _]) => {
            Some((target, source))
        }
        _ => None,
    }
}
