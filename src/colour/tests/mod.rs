//! Tests of the whole module.
mod functions;
mod memory_operand;

use super::*;
use crate::ia32::random::graphs::ControlFlowGraph;
use crate::ia32::random::{EAX, Writer, check_allocation};
use crate::ia32::register::RegisterSet;
use crate::ia32::{Op, Operand, Register};
use crate::stage::Artifact;
use crate::target::RegisterClass;
use arena::Id;

/// The allocated code, after checks that it is sound and computes the same results.
#[track_caller]
fn checked(code: Code, arguments: &[i64]) -> (Code, Statistics) {
    let Ok((allocated, statistics)) = allocate(code.clone()) else {
        panic!("too few colours:\n{}", code.print());
    };
    check_allocation(&code, &allocated, arguments);
    assert!(statistics.after <= statistics.before);
    (allocated, statistics)
}

#[test]
fn random_code_keeps_its_results() {
    for seed in 0..250 {
        let live = 1 + (seed % 61) as usize;
        let code = Writer::new(seed, live).program(10 + (seed % 200) as usize);
        checked(code, &[0, 1, -77, i64::from(i32::MIN)]);
    }
}

#[test]
fn random_blocks_keep_their_results() {
    for seed in 0..250 {
        let live = 1 + (seed % 61) as usize;
        let shape = ControlFlowGraph::new(seed, 2 + (seed % 23) as usize);
        checked(shape.code(seed, live, 1 + (seed % 17) as usize), &[0, 1, -77]);
    }
}

/// The graph is chordal, and the live ranges are in a perfect order: each has its earlier
/// neighbours at its definition.
#[test]
fn colours_never_exceed_the_pressure() {
    for seed in 0..100 {
        let shape = ControlFlowGraph::new(seed, 2 + (seed % 23) as usize);
        let mut code = shape.code(seed, 1 + (seed % 61) as usize, 1 + (seed % 17) as usize);
        single_assignment::rename(&mut code);
        let (mut split, _) = spill::spill(&code, &live_intervals(&code));
        let graph = interference::build(&code, &mut split);
        assert!(graph.pressure <= RegisterSet::allocatable(RegisterClass::General).iter().count());
        let mut colours = Vec::<usize>::new();
        for range in 0..graph.groups.len() {
            let earlier = graph.neighbours[Register::new_virtual(range as u32)].iter();
            let earlier = earlier.map(|it| split_code::number(*it));
            let taken = earlier.filter(|it| *it < range).map(|it| colours[it]).collect::<Vec<_>>();
            let free = (0..graph.pressure).find(|it| !taken.contains(it));
            colours.push(free.unwrap_or_else(|| panic!("seed {seed}, live range {range}")));
        }
    }
}

#[test]
fn most_problems_are_solved_optimally() {
    let mut all = Statistics::default();
    for seed in 0..100 {
        let shape = ControlFlowGraph::new(seed, 2 + (seed % 23) as usize);
        let code = shape.code(seed, 1 + (seed % 31) as usize, 1 + (seed % 17) as usize);
        let (_, one) = checked(code, &[]);
        all.problems += one.problems;
        all.optimal += one.optimal;
        (all.before, all.after) = (all.before + one.before, all.after + one.after);
    }
    assert!(all.problems > 100 && 10 * all.optimal >= 9 * all.problems, "{all:?}");
    assert!(all.after < all.before, "{all:?}");
}

#[test]
fn many_values_in_many_blocks_take_no_quadratic_time() {
    checked(Writer::many_values_in_many_blocks(), &[3]);
}

#[test]
fn operands_may_stay_in_memory() {
    let code = Writer::new(3, 40).program(200);
    let (allocated, _) = checked(code, &[0, 5]);
    let memory = [Op::AddMemory, Op::SubMemory, Op::ImulMemory, Op::CmpMemory];
    assert!(allocated.instructions.iter().any(|it| memory.contains(&it.op)));
}

#[test]
fn values_may_be_updated_in_memory() {
    let functions = (0..200).map(|seed| {
        let shape = ControlFlowGraph::new(seed, 2 + (seed % 23) as usize);
        checked(shape.code(seed, 20, 1 + (seed % 17) as usize), &[0, 5]).0
    });
    let updates = [Op::MemoryAdd, Op::MemoryAddImmediate, Op::MemorySub];
    let count =
        functions.flat_map(|it| it.instructions).filter(|it| updates.contains(&it.op)).count();
    assert!(count > 5, "{count}");
}

/// A region that names all registers has none for its operand, although one is free there.
#[test]
fn too_few_colours_are_reported() {
    let mut writer = Writer::new(1, 1);
    writer.number(7);
    let [value, operand] = [writer.pool[0], writer.pool[1]].map(Operand::Register);
    let real = |number| Operand::Register(Register::from_index(number));
    writer.push(Op::Mov, &[real(0), value]);
    for (from, to) in [(0, 1), (1, 2), (2, 3), (3, 5), (5, 6), (6, 7), (7, 0)] {
        writer.push(Op::Mov, &[real(to), real(from)]);
    }
    writer.push(Op::Add, &[real(0), operand]);
    let result = writer.fresh();
    writer.push(Op::Mov, &[result, real(0)]);
    writer.push(Op::Mov, &[EAX, result]);
    writer.push(Op::Ret, &[]);
    assert_eq!(writer.code.verify(), []);
    let report = allocate(writer.code).err().map(|it| it.message);
    assert_eq!(report.as_deref(), Some("too few registers for the rules that `simple` needs"));
}
