//! The intervals against a computation of liveness that goes backwards until nothing changes.
use crate::allocate::allocation::live_intervals;
use crate::allocate::liveness::MOST_BLOCKS;
use crate::allocate::tests::graphs::Shape;
use crate::ia32::register::NAMES;
use crate::ia32::{Code, Register};
use arena::Id;

/// The values that are live where each block begins.
fn live(code: &Code) -> Vec<Vec<bool>> {
    let count = NAMES.len() + code.virtuals as usize;
    let mut live = vec![vec![false; count]; code.blocks.len()];
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for id in code.blocks.ids().rev() {
            let mut now = vec![false; count];
            for next in code.successors(id) {
                let behind = &live[next.index()];
                now.iter_mut().zip(behind).for_each(|(now, behind)| *now |= behind);
            }
            code.blocks[id].arguments.iter().for_each(|name| now[name.index()] = true);
            for inst in code.instructions[code.range(id)].iter().rev() {
                inst.writes().for_each(|name| now[name.index()] = false);
                inst.reads().for_each(|name| now[name.index()] = true);
            }
            code.blocks[id].parameters.iter().for_each(|name| now[name.index()] = false);
            changed |= live[id.index()] != now;
            live[id.index()] = now;
        }
    }
    live
}

#[test]
fn intervals_cover_the_begins_of_blocks_where_values_are_live() {
    for seed in 0..500 {
        let shape = Shape::new(seed, 2 + (seed % 23) as usize);
        let code = shape.code(seed, 20, 1 + (seed % 17) as usize);
        let (intervals, live) = (live_intervals(&code), live(&code));
        for id in code.blocks.ids() {
            let begin = 2 * code.blocks[id].first;
            for value in (0..code.virtuals).map(Register::new_virtual) {
                let is_parameter = code.blocks[id].parameters.contains(&value);
                let covers = intervals[value].covers(begin) && !is_parameter;
                let first = intervals[value].start() == begin;
                let is_live = live[id.index()][value.index()];
                assert_eq!(covers && !first, is_live, "seed {seed}: {value} in {id:?}");
            }
        }
    }
}

#[test]
fn a_value_in_many_blocks_is_live_wherever_it_should_be() {
    for seed in 0..8 {
        let code = Shape::new(seed, 5 * MOST_BLOCKS).code(seed, 20, 8);
        let (intervals, live) = (live_intervals(&code), live(&code));
        for id in code.blocks.ids() {
            let begin = 2 * code.blocks[id].first;
            for value in (0..code.virtuals).map(Register::new_virtual) {
                let is_live = live[id.index()][value.index()];
                assert!(intervals[value].covers(begin) || !is_live, "seed {seed}: {value}");
            }
        }
    }
}
