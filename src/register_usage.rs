//! Interprocedural register allocation: callers know which registers a callee leaves alone.
//!
//! By convention, a call may change all caller-saved registers. Most functions change few of them.
//! So callees get their registers before their callers, and a call of a known function changes only
//! those that the callee, and the functions that it calls, write. A caller keeps values in the
//! others across the call. A function of a cycle of calls is not known yet where the cycle is
//! closed, and neither is the callee of a call through a value: there, the convention holds.
//!
//! (F. Chow: Minimizing Register Usage Penalty at Procedure Calls, 1988; LLVM: `RegUsageInfo`.)
use crate::ia32::code::Instruction;
use crate::ia32::register::RegisterSet;
use crate::ia32::{Code, Op, Operand};
use std::ops::Range;

/// Notes in the calls of a function which registers the callees leave alone: none, if a callee has
/// no registers yet.
pub fn note_in_calls(functions: &mut [Code], caller: usize) {
    for at in 0..functions[caller].instructions.len() {
        let call = &functions[caller].instructions[at];
        if let Some(callee) = callee(call).and_then(|callee| functions.get(callee)) {
            let preserved = Operand::Preserved(callee.preserved);
            functions[caller].instructions[at].operands[2] = preserved;
        }
    }
}

/// The caller-saved registers that no instruction writes, and no function that is called.
pub fn preserved(instructions: &[Instruction]) -> RegisterSet {
    let first = RegisterSet::changed_by_calls();
    instructions.iter().fold(first, |preserved, instruction| match instruction {
        // It is the last instruction, and its own writes are none of the caller.
        Instruction {
            op: Op::JmpFunction, operands: [_, _, Operand::Preserved(callee)], ..
        } => preserved.intersect(*callee),
        Instruction { op: Op::JmpFunction | Op::JmpValue, .. } => RegisterSet::EMPTY,
        _ => preserved.without(instruction.real_writes()),
    })
}

/// The number of the function that an instruction calls, if it is known.
pub fn callee(instruction: &Instruction) -> Option<usize> {
    let is_call = instruction.is_call();
    instruction.operands[0].symbol().filter(|_| is_call).map(|symbol| symbol as usize)
}

/// These functions: each is after its callees, unless they call it, too.
pub fn callees_first(functions: &[Code], numbers: Range<usize>) -> Vec<usize> {
    let callees = |number: usize| functions[number].instructions.iter().filter_map(callee);
    let mut order = Vec::with_capacity(functions.len());
    let mut seen = vec![false; functions.len()];
    for root in numbers {
        let mut open = Vec::new();
        if !std::mem::replace(&mut seen[root], true) {
            open.push((root, callees(root)));
        }
        while let Some((number, others)) = open.last_mut() {
            match others.find(|&it| seen.get(it) == Some(&false)) {
                Some(callee) => {
                    seen[callee] = true;
                    open.push((callee, callees(callee)));
                }
                None => {
                    order.push(*number);
                    open.pop();
                }
            }
        }
    }
    order
}

#[cfg(test)]
#[path = "tests/register_usage.rs"]
mod tests;
