//! Jumps that lead to jumps lead where those lead, so that blocks which do nothing are passed by.
use super::control_flow::{Block, ControlFlow, Terminator};
use crate::ia32::code::BlockId;
use crate::rules::target::Flags;
use arena::SideTable;

/// From the last block to the first: what a block leads to is mostly simple already.
pub fn thread(flow: &mut ControlFlow) {
    let mut ways = Ways { targets: SideTable::new(flow.blocks.len()) };
    for id in flow.blocks.ids().rev() {
        simplify(flow, id, &mut ways);
    }
    // Jumps back have been passed over by now, too.
    let mut ways = Ways { targets: SideTable::new(flow.blocks.len()) };
    for id in flow.blocks.ids() {
        simplify(flow, id, &mut ways);
    }
}

fn simplify(flow: &mut ControlFlow, id: BlockId, ways: &mut Ways) {
    let end = match flow.blocks[id].end {
        Terminator::Return => return,
        Terminator::Goto(target) => Terminator::Goto(ways.resolve(flow, target)),
        Terminator::Branch(relation, yes, no) => {
            let (yes, no) = (ways.resolve(flow, yes), ways.resolve(flow, no));
            if yes == no { Terminator::Goto(yes) } else { Terminator::Branch(relation, yes, no) }
        }
    };
    let block = &mut flow.blocks[id];
    if matches!((block.end, end), (Terminator::Branch(..), Terminator::Goto(_))) {
        drop_compare(block);
    }
    block.end = end;
    if let Terminator::Goto(target) = end
        && flow.only_returns(target)
    {
        flow.blocks[id].end = Terminator::Return;
    }
}

/// Nobody reads what the last comparison has left.
fn drop_compare(block: &mut Block) {
    let writes = |flags: Flags| match flags {
        Flags::Untouched | Flags::Read => false,
        Flags::Undefined | Flags::Zero | Flags::Result | Flags::Compared => true,
    };
    let Some(last) = block.body.iter().rposition(|instruction| writes(instruction.flags())) else {
        return;
    };
    let read = block.body[last..].iter().any(|instruction| instruction.flags() == Flags::Read);
    if block.body[last].flags() == Flags::Compared && !read {
        block.body.remove(last);
    }
}

/// Where a jump to a block ends, as far as that was asked.
struct Ways {
    targets: SideTable<BlockId, Option<BlockId>>,
}

impl Ways {
    /// Blocks that do nothing and lead in a circle lead to one of them.
    fn resolve(&mut self, flow: &ControlFlow, block: BlockId) -> BlockId {
        let mut passed = Vec::new();
        let mut at = block;
        while self.targets[at].is_none() {
            let Block { body, end, .. } = &flow.blocks[at];
            self.targets[at] = Some(at);
            match end {
                Terminator::Goto(next) if body.is_empty() => {
                    passed.push(at);
                    at = *next;
                }
                Terminator::Goto(_) | Terminator::Return | Terminator::Branch(..) => {}
            }
        }
        let target = self.targets[at].expect("just found");
        for block in passed {
            self.targets[block] = Some(target);
        }
        target
    }
}
