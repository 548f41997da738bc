//! Code put together again, with no more jumps than its order needs.
use super::block_layout::inner_first;
use super::control_flow::{ControlFlow, Terminator};
use crate::arith::Relation;
use crate::ia32::code::{BlockId, Code, Form, Instruction};
use crate::ia32::{Op, Operand};
use arena::{Id, SideTable};

pub fn write(flow: &ControlFlow, order: &[BlockId]) -> Code {
    let following = order[1..].iter().copied().map(Some).chain([None]);
    let ends = order.iter().zip(following).map(|(&id, next)| ends(flow, id, next));
    let ends = ends.collect::<Vec<_>>();
    let begins = begins(flow, order, &ends);
    let mut code = Code { form: Form::Allocated, ..Code::new() };
    for (&id, ends) in order.iter().zip(&ends) {
        if begins[id].is_some_and(|begins| begins.index() == code.blocks.len()) {
            let new = code.begin_block();
            code.blocks[new].depth = flow.blocks[id].depth;
        }
        code.instructions.extend(&flow.blocks[id].body);
        for end in ends {
            code.instructions.push(end.instruction(flow.blocks[id].origin, &begins));
        }
    }
    code
}

/// An instruction at the end of a block.
#[derive(Clone, Copy)]
enum Last {
    Return,
    Goto(BlockId),
    /// If the relation holds.
    Branch(Relation, BlockId),
}

/// What a block needs at its end if `next` follows it.
fn ends(flow: &ControlFlow, id: BlockId, next: Option<BlockId>) -> Vec<Last> {
    match flow.blocks[id].end {
        Terminator::Return => vec![Last::Return],
        Terminator::Goto(target) if Some(target) == next => vec![],
        Terminator::Goto(target) => vec![Last::Goto(target)],
        Terminator::Branch(relation, yes, no) if Some(no) == next => {
            vec![Last::Branch(relation, yes)]
        }
        Terminator::Branch(relation, yes, no) if Some(yes) == next => {
            vec![Last::Branch(relation.negated(), no)]
        }
        Terminator::Branch(relation, yes, no) => {
            let [often, seldom] = inner_first(flow, yes, no);
            let relation = if often == yes { relation } else { relation.negated() };
            let returns = flow.only_returns(seldom);
            let last = if returns { Last::Return } else { Last::Goto(seldom) };
            vec![Last::Branch(relation, often), last]
        }
    }
}

/// The new number of each block that others jump to, or that stands behind a jump. The rest goes
/// on where the block before it ends. Behind a block in which nothing stands, none begins.
fn begins(
    flow: &ControlFlow,
    order: &[BlockId],
    ends: &[Vec<Last>],
) -> SideTable<BlockId, Option<BlockId>> {
    let mut begins = SideTable::<BlockId, bool>::new(0);
    let mut behind_jump = true;
    for (&id, ends) in order.iter().zip(ends) {
        begins[id] |= behind_jump;
        behind_jump = !ends.is_empty();
        for target in ends.iter().filter_map(|end| end.target()) {
            begins[target] = true;
        }
    }
    let mut numbers = SideTable::new(flow.blocks.len());
    let mut count = 0;
    let mut nothing_stands = false;
    for (&id, ends) in order.iter().zip(ends) {
        if begins[id] {
            count += usize::from(!nothing_stands);
            numbers[id] = Some(BlockId::from_index(count - 1));
            nothing_stands = true;
        }
        nothing_stands &= flow.blocks[id].body.is_empty() && ends.is_empty();
    }
    numbers
}

impl Last {
    fn target(self) -> Option<BlockId> {
        match self {
            Last::Return => None,
            Last::Goto(target) | Last::Branch(_, target) => Some(target),
        }
    }

    fn instruction(self, origin: u32, begins: &SideTable<BlockId, Option<BlockId>>) -> Instruction {
        let block = |id| Operand::Block(begins[id].expect("a block that is jumped to begins anew"));
        match self {
            Last::Return => Instruction::new(Op::Ret, &[], origin),
            Last::Goto(target) => Instruction::new(Op::Jmp, &[block(target)], origin),
            Last::Branch(relation, target) => {
                let operands = [Operand::Condition(relation), block(target)];
                Instruction::new(Op::Jcc, &operands, origin)
            }
        }
    }
}
