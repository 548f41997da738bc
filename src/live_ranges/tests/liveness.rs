//! Compares the intervals with liveness sets that are computed by data-flow analysis.
use crate::ia32::code::BlockId;
use crate::ia32::random::graphs::ControlFlowGraph;
use crate::ia32::{Code, Register};
use crate::live_ranges::live_intervals;
use crate::live_ranges::liveness::MAX_BLOCKS;
use arena::SideTable;
use std::collections::BTreeSet;

/// The values that are live at the start of each block.
fn live(code: &Code) -> SideTable<BlockId, BTreeSet<Register>> {
    let predecessors = code.all_successors().inverted();
    let postorder = code.blocks.ids().rev().collect::<Vec<_>>();
    let arguments =
        |id: BlockId| code.blocks[id].arguments.iter().copied().collect::<BTreeSet<_>>();
    let ends = SideTable::of(code.blocks.ids().map(arguments).collect());
    let mut live = flow::solve(
        &postorder,
        ends,
        |a, b| a | b,
        |id, end, to| {
            let mut live = end.clone();
            step_back(code, id, &mut live);
            predecessors[id].iter().for_each(|&before| to(before, live.clone()));
        },
    );
    code.blocks.ids().for_each(|id| step_back(code, id, &mut live[id]));
    live
}

/// From the values that are live at the end of a block to those at its start.
fn step_back(code: &Code, id: BlockId, live: &mut BTreeSet<Register>) {
    for instruction in code.instructions[code.range(id)].iter().rev() {
        instruction.writes().for_each(|name| _ = live.remove(&name));
        live.extend(instruction.reads());
    }
    code.blocks[id].parameters.iter().for_each(|name| _ = live.remove(name));
}

#[test]
fn intervals_cover_block_starts_where_values_are_live() {
    for seed in 0..500 {
        let shape = ControlFlowGraph::new(seed, 2 + (seed % 23) as usize);
        let code = shape.code(seed, 20, 1 + (seed % 17) as usize);
        let (intervals, live) = (live_intervals(&code), live(&code));
        for id in code.blocks.ids() {
            let begin = 2 * code.blocks[id].first;
            for value in (0..code.register_count()).map(Register::new_virtual) {
                let is_parameter = code.blocks[id].parameters.contains(&value);
                let covers = intervals.of(value).covers(begin) && !is_parameter;
                let first = intervals.of(value).start() == begin;
                let is_live = live[id].contains(&value);
                assert_eq!(covers && !first, is_live, "seed {seed}: {value} in {id:?}");
            }
        }
    }
}

#[test]
fn a_value_in_many_blocks_is_live_at_least_where_required() {
    for seed in 0..8 {
        let code = ControlFlowGraph::new(seed, 5 * MAX_BLOCKS).code(seed, 20, 8);
        let (intervals, live) = (live_intervals(&code), live(&code));
        for id in code.blocks.ids() {
            let begin = 2 * code.blocks[id].first;
            for value in (0..code.register_count()).map(Register::new_virtual) {
                let is_live = live[id].contains(&value);
                assert!(intervals.of(value).covers(begin) || !is_live, "seed {seed}: {value}");
            }
        }
    }
}
