//! Linearizes the blocks in a given order, with the minimal number of jumps.
use super::control_flow::ControlFlow;
use crate::arith::Relation;
use crate::ia32::code::{BlockId, Code, Form, Instruction};
use crate::ia32::terminator::Terminator;
use crate::ia32::{Op, Operand};
use arena::{Id, SideTable};

pub fn linearize(
    mut flow: ControlFlow,
    order: &[BlockId],
    frequencies: &SideTable<BlockId, u64>,
) -> Code {
    let following = order[1..].iter().copied().map(Some).chain([None]);
    #[cfg(feature = "ch18")]
    let jumps = take_jumps(&mut flow, order);
    let ends = order.iter().zip(following);
    let ends = ends.map(|(&id, next)| self::ends(&flow, id, next, frequencies[id]));
    let ends = ends.collect::<Vec<_>>();
    let begins = begins(&flow, order, &ends);
    let mut code = Code { form: Form::Allocated, ..Code::new("simple") };
    let count = order.iter().map(|&id| flow.blocks[id].body.len() + 2).sum();
    code.instructions.reserve_exact(count);
    for (&id, ends) in order.iter().zip(&ends) {
        if begins[id].is_some_and(|begins| begins.index() == code.blocks.len()) {
            let new = code.begin_block();
            code.blocks[new].depth = flow.blocks[id].depth;
        }
        let body = std::mem::take(&mut flow.blocks[id].body);
        code.instructions.extend(body.into_iter().map(|it| *it));
        #[cfg(feature = "ch18")]
        if let Some(jump) = jumps[id] {
            code.instructions.push(jump);
            continue;
        }
        for end in ends.iter().flatten() {
            code.instructions.push(end.instruction(flow.blocks[id].origin, &begins));
        }
    }
    code
}

/// Takes the jumps to other functions out of the bodies; each is in place of a return.
#[cfg(feature = "ch18")]
fn take_jumps(
    flow: &mut ControlFlow,
    order: &[BlockId],
) -> SideTable<BlockId, Option<Instruction>> {
    let mut jumps = SideTable::new(flow.blocks.len());
    for &id in order {
        let body = &mut flow.blocks[id].body;
        jumps[id] = body.pop_if(|it| it.op.jumps_to_function()).map(|it| *it);
    }
    jumps
}

/// An instruction at the end of a block.
#[derive(Clone, Copy)]
enum EndInstruction {
    Return(Op),
    Goto(BlockId),
    /// If the relation holds.
    Branch(Relation, BlockId),
}

/// The instructions at the end of a block: a branch and a jump at most.
type Ends = [Option<EndInstruction>; 2];

/// The instructions at the end of a block that is followed by `next` and executed `times` times.
fn ends(flow: &ControlFlow, id: BlockId, next: Option<BlockId>, times: u64) -> Ends {
    match flow.blocks[id].terminator {
        Terminator::Return => [Some(EndInstruction::Return(flow.returns)), None],
        #[cfg(feature = "ch15")]
        Terminator::NoReturn => [None, None],
        Terminator::Goto(target) if Some(target) == next => [None, None],
        Terminator::Goto(target) => [Some(EndInstruction::Goto(target)), None],
        Terminator::Branch(relation, yes, no) if Some(no) == next => {
            [Some(EndInstruction::Branch(relation, yes)), None]
        }
        Terminator::Branch(relation, yes, no) if Some(yes) == next => {
            [Some(EndInstruction::Branch(relation.negated(), no)), None]
        }
        Terminator::Branch(relation, yes, no) => {
            let is_often = |&(_, taken): &(BlockId, u64)| times <= 2 * taken;
            let often = flow.edges(id, times).find(is_often).map_or(yes, |(to, _)| to);
            let seldom = if often == yes { no } else { yes };
            let relation = if often == yes { relation } else { relation.negated() };
            let last = EndInstruction::Goto(seldom);
            [Some(EndInstruction::Branch(relation, often)), Some(last)]
        }
    }
}

/// The new number of each block that is a jump target or follows a jump. Other blocks extend the
/// block before them. An empty block and its successor share a number.
fn begins(
    flow: &ControlFlow,
    order: &[BlockId],
    ends: &[Ends],
) -> SideTable<BlockId, Option<BlockId>> {
    let mut begins = SideTable::<BlockId, bool>::new(0);
    let mut after_jump = true;
    for (&id, ends) in order.iter().zip(ends) {
        begins[id] |= after_jump;
        after_jump = ends[0].is_some();
        for target in ends.iter().flatten().filter_map(|end| end.target()) {
            begins[target] = true;
        }
    }
    let mut numbers = SideTable::new(flow.blocks.len());
    let mut count = 0;
    let mut is_empty = false;
    for (&id, ends) in order.iter().zip(ends) {
        if begins[id] {
            count += usize::from(!is_empty);
            numbers[id] = Some(BlockId::from_index(count - 1));
            is_empty = true;
        }
        is_empty &= flow.blocks[id].body.is_empty() && ends[0].is_none();
    }
    numbers
}

impl EndInstruction {
    fn target(self) -> Option<BlockId> {
        match self {
            EndInstruction::Return(_) => None,
            EndInstruction::Goto(target) | EndInstruction::Branch(_, target) => Some(target),
        }
    }

    fn instruction(self, origin: u32, begins: &SideTable<BlockId, Option<BlockId>>) -> Instruction {
        let block = |id| Operand::Block(begins[id].expect("a jump target has a number"));
        match self {
            EndInstruction::Return(op) => Instruction::new(op, &[], origin),
            EndInstruction::Goto(target) => Instruction::new(Op::Jmp, &[block(target)], origin),
            EndInstruction::Branch(relation, target) => {
                let operands = [Operand::Condition(relation), block(target)];
                Instruction::new(Op::Jcc, &operands, origin)
            }
        }
    }
}
