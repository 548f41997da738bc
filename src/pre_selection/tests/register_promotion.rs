//! Register promotion and dead stores: accesses of memory that go, and those that stay.
use super::lowered;
use crate::firm::tests::heap_programs;
use crate::firm::{Access, Graph, Op, Program};
use crate::heap::{NEXT, ResultFormat};
use crate::pre_selection::{dead_stores, register_promotion};
use crate::random::Random;
use crate::stage::Artifact;

/// The graph after a pass; it is valid and has the same results.
fn checked(before: &Graph, pass: impl Fn(Graph) -> Graph) -> Graph {
    let after = pass(before.clone());
    assert_eq!(after.verify(), [], "{}\n{}", before.print(), after.print());
    let [old, new] = [before, &after]
        .map(|graph| Program { functions: vec![graph.clone()], result: ResultFormat::Integer });
    for argument in [0, 1, 7, 20, -5] {
        let shown = || format!("{argument}\n{}\n{}", before.print(), after.print());
        assert_eq!(new.eval(argument), old.eval(argument), "{}", shown());
    }
    after
}

/// The loads and the stores of the address of the next object, in loops and outside.
fn accesses(graph: &Graph) -> [usize; 4] {
    let is_next =
        |id| graph.operands(id).get(1).is_some_and(|&it| graph.op(it) == Op::Const(NEXT.into()));
    let in_loop = |id| graph.depth(graph.node(id).block) > 0;
    let count = |op, is_inside| {
        let is_counted = |&id: &_| graph.op(id) == op && is_next(id) && in_loop(id) == is_inside;
        graph.ids().filter(is_counted).count()
    };
    let [load, store] = [Op::Load(Access::Plain), Op::Store(Access::Plain)];
    [count(load, true), count(store, true), count(load, false), count(store, false)]
}

#[test]
fn the_next_object_is_a_value_between_allocations() {
    for (body, expected) in [
        // One allocation, and several.
        ("l = new L; return l;", [0, 0, 1, 1]),
        ("L m = new L; m.n = new L; return m;", [0, 0, 1, 1]),
        // A loop, and one in it without an allocation.
        ("while (arg > 0) { L m = new L; m.n = l; l = m; arg = arg - 1; } return l;", [0, 0, 1, 1]),
        (
            "while (arg > 0) { L m = new L; m.n = l; l = m; int i = 1;
             while (i < arg) { i = i * 3; } arg = arg - i; } return l;",
            [0, 0, 1, 1],
        ),
        // A loop before the only allocation, and one after it.
        (
            "int i = 0; while (i < arg) i = i + 3; l = new L;
             while (i > arg) i = i - 2; if (i) return l; return null;",
            [0, 0, 1, 1],
        ),
        // One side of a branch allocates: the other one has nothing to load.
        ("if (arg > 5) { l = new L; } return l;", [0, 0, 1, 1]),
        // Both ends of the loop are left to memory.
        (
            "while (arg > 3) { L m = new L; m.n = l; l = m; if (arg == 20) return null;
             arg = arg - 1; } return l;",
            [0, 0, 1, 2],
        ),
    ] {
        let text = format!("struct L {{ L? n; }} L? l = null; {body}");
        let after = checked(&lowered(&text), register_promotion::promote);
        assert_eq!(accesses(&after), expected, "{text}\n{}", after.print());
    }
}

/// The number of words that are stored.
fn stores(graph: &Graph) -> usize {
    graph.ids().filter(|&id| graph.op(id) == Op::Store(Access::Plain)).count()
}

#[test]
fn overwritten_words_are_not_stored() {
    for (body, dead) in [
        ("l.x = arg; return l;", 1),
        ("l.y = arg; l.x = 3; return l;", 1),
        ("l.y = arg; return l;", 0),
        // In another block.
        ("if (arg < 3) l.x = 3; return l;", 0),
        // A load of another field, and one that may be of the same word.
        ("L m = l; if (arg < 3) m = new L; m.y = 7; l.x = l.y * 3; return l;", 0),
        ("L m = l; if (arg < 3) m = new L; l.x = m.y * 3; l.x = m.y + l.x; return l;", 0),
    ] {
        let text = format!("struct L {{ int x; int y; }} L l = new L; {body}");
        let before = lowered(&text);
        let after = checked(&before, dead_stores::remove);
        assert_eq!(stores(&before) - stores(&after), dead, "{text}\n{}", before.print());
    }
}

#[test]
fn random_programs_keep_their_results() {
    let mut random = Random::new(43);
    let (mut loads, mut dead) = ([0, 0], 0);
    for _ in 0..300 {
        let program = heap_programs::random_program(&mut random, 20);
        for graph in &program.functions {
            let promoted = checked(graph, register_promotion::promote);
            let removed = checked(&promoted, dead_stores::remove);
            loads[0] += accesses(graph)[0];
            loads[1] += accesses(&promoted)[0];
            dead += stores(&promoted) - stores(&removed);
        }
    }
    assert!(loads[0] > 100 && loads[1] == 0 && dead > 100, "{loads:?} {dead}");
}
