//! Jump threading: a jump to an empty block goes to that block's final target.
#[cfg(feature = "ch27")]
mod certain_tests;

#[cfg(feature = "ch27")]
pub use certain_tests::thread_certain_tests;
#[cfg(feature = "ch29")]
pub use certain_tests::{append_test, short_test};

use super::control_flow::{Block, ControlFlow};
use crate::ia32::code::BlockId;
use crate::ia32::terminator::Terminator;
use arena::SideTable;

/// Visits the blocks backwards, so that the targets of most jumps are already simplified.
pub fn thread_jumps(flow: &mut ControlFlow) {
    let mut targets = FinalTargets::new(flow);
    for id in flow.blocks.ids().rev() {
        simplify(flow, id, &mut targets);
    }
    // The second pass also simplifies jumps over back edges.
    let mut targets = FinalTargets::new(flow);
    for id in flow.blocks.ids() {
        simplify(flow, id, &mut targets);
    }
}

fn simplify(flow: &mut ControlFlow, id: BlockId, targets: &mut FinalTargets) {
    let end = match flow.blocks[id].terminator {
        Terminator::Return => return,
        #[cfg(feature = "ch15")]
        Terminator::NoReturn => return,
        Terminator::Goto(target) => Terminator::Goto(targets.resolve(flow, target)),
        Terminator::Branch(relation, yes, no) => {
            let (yes, no) = (targets.resolve(flow, yes), targets.resolve(flow, no));
            if yes == no { Terminator::Goto(yes) } else { Terminator::Branch(relation, yes, no) }
        }
    };
    let block = &mut flow.blocks[id];
    if matches!((block.terminator, end), (Terminator::Branch(..), Terminator::Goto(_))) {
        drop_compare(block);
    }
    block.terminator = end;
    if let Terminator::Goto(target) = end
        && flow.only_returns(target)
    {
        flow.blocks[id].terminator = Terminator::Return;
    }
}

/// Removes the last comparison, whose flags are not read.
fn drop_compare(block: &mut Block) {
    let Some(last) = block.body.iter().rposition(|it| it.flags().writes()) else { return };
    let read = block.body[last + 1..].iter().any(|it| it.flags().reads());
    if block.body[last].flags().are_of_a_comparison() && !read {
        block.body.remove(last);
    }
}

/// The final targets of jumps, computed on demand.
struct FinalTargets {
    targets: SideTable<BlockId, Option<BlockId>>,
}

impl FinalTargets {
    fn new(flow: &ControlFlow) -> FinalTargets {
        FinalTargets { targets: SideTable::new(flow.blocks.len()) }
    }

    /// The final target of a block. On a cycle of empty blocks it is one of them.
    fn resolve(&mut self, flow: &ControlFlow, block: BlockId) -> BlockId {
        let mut skipped = Vec::new();
        let mut at = block;
        while self.targets[at].is_none() {
            let Block { body, terminator: end, .. } = &flow.blocks[at];
            self.targets[at] = Some(at);
            if let Terminator::Goto(next) = end
                && body.is_empty()
            {
                skipped.push(at);
                at = *next;
            }
        }
        let target = self.targets[at].expect("just found");
        for block in skipped {
            self.targets[block] = Some(target);
        }
        target
    }
}
