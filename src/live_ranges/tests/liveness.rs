//! Compares the intervals with liveness sets that are computed by iteration to a fixed point.
use crate::ia32::random::graphs::ControlFlowGraph;
use crate::ia32::register::NAMES;
use crate::ia32::{Code, Register};
use crate::live_ranges::live_intervals;
use crate::live_ranges::liveness::MAX_BLOCKS;
use arena::Id;

/// The values that are live at the start of each block.
fn live(code: &Code) -> Vec<Vec<bool>> {
    let count = NAMES.len() + code.virtual_registers.len();
    let mut live = vec![vec![false; count]; code.blocks.len()];
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for id in code.blocks.ids().rev() {
            let mut now = vec![false; count];
            for next in code.successors(id) {
                let successor = &live[next.index()];
                now.iter_mut().zip(successor).for_each(|(now, successor)| *now |= successor);
            }
            code.blocks[id].arguments.iter().for_each(|name| now[name.index()] = true);
            for instruction in code.instructions[code.range(id)].iter().rev() {
                instruction.writes().for_each(|name| now[name.index()] = false);
                instruction.reads().for_each(|name| now[name.index()] = true);
            }
            code.blocks[id].parameters.iter().for_each(|name| now[name.index()] = false);
            changed |= live[id.index()] != now;
            live[id.index()] = now;
        }
    }
    live
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
                let is_live = live[id.index()][value.index()];
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
                let is_live = live[id.index()][value.index()];
                assert!(intervals.of(value).covers(begin) || !is_live, "seed {seed}: {value}");
            }
        }
    }
}
