//! Tests of `schedule`.
use super::*;
use crate::parse::{Input, parse};
use crate::peephole::Engine;
use crate::stage::Artifact;
use arena::Id;

fn graph(text: &str) -> Graph {
    let engine = Engine::new(Vec::new(), false);
    parsed(text, engine)
}

pub fn parsed(text: &str, engine: Engine) -> Graph {
    let input = Input {
        text,
        engine,
        show: Box::new(|_| ()),
        argument: None,
        #[cfg(feature = "ch14")]
        int: crate::arith::INT,
    };
    parse(input).unwrap_or_else(|errors| panic!("{text}: {errors:?}")).graph
}

/// The blocks of a program without optimization: for each, its loop depth and its predecessors.
#[track_caller]
fn check(text: &str, expected: &str) {
    let schedule = schedule(&graph(text));
    let block = |block: BlockId| {
        let depth = schedule.blocks[block].depth;
        let from: Vec<_> =
            schedule.predecessors[block].iter().map(|it| it.index().to_string()).collect();
        format!("{depth}:{}", from.join("+"))
    };
    let found: Vec<_> = schedule.blocks.ids().map(block).collect();
    assert_eq!(found.join(" "), expected, "{text}");
}

#[test]
fn blocks_begin_at_branches_and_joins() {
    check("return 1;", "0:");
    check("if(arg) arg=1; return arg;", "0: 0:0 0:0 0:1+2");
    check("if(arg) return 1; else return 2;", "0: 0:0 0:0");
    check("if(arg) return 1; return 2;", "0: 0:0 0:0");
    check("if(arg) { if(arg) return 1; } return 2;", "0: 0:0 0:1 0:1 0:0 0:3+4");
}

#[test]
fn loops_are_contiguous_and_before_the_code_after_them() {
    check("while(arg) arg=arg-1; return arg;", "0: 1:0+2 1:1 0:1");
    // The return is unreachable.
    check("while(1) {} return 1;", "0: 1:0+2 1:1");
    check("while(arg) return 1; return 2;", "0: 0:0 0:0");
    check("while(arg) while(arg) arg=1; return 2;", "0: 1:0+5 1:1 2:2+4 2:3 1:3 0:1");
    let leaving = "while(arg) { if(arg==1) break; arg=arg-1; } return arg;";
    check(leaving, "0: 1:0+3 1:1 1:2 0:2 0:1 0:5+4");
    let returning = "while(arg) { if(arg==1) return 5; arg=arg-1; } return arg;";
    check(returning, "0: 1:0+3 1:1 1:2 0:2 0:1");
}

#[test]
fn a_hundred_thousand_blocks_do_not_overflow_the_stack() {
    let arms = "if(arg==1) arg=2; ".repeat(20_000);
    let loops = "while(arg<3) arg=arg+1; ".repeat(20_000);
    let graph = graph(&format!("{arms}{loops} return arg;"));
    let schedule = schedule(&graph);
    assert_eq!(schedule.blocks.len(), 1 + 3 * 40_000);
    assert_eq!(ScheduledGraph { graph: &graph, schedule: &schedule }.verify(), []);
}

/// The loads of a program of a struct with a field `v`, and an object `c` that may be the object
/// `b`: for each load, its block, and the block of the value or end that uses it first.
#[cfg(feature = "ch11")]
#[track_caller]
fn check_loads(text: &str, expected: &[(usize, usize)]) {
    let first = "struct S { int v; } S b = new S; S c = b; if (arg > 9) c = new S; c.v = arg;";
    let engine = || Engine::new(crate::peephole::rules().collect(), false);
    let text = &format!("{first} {text}");
    let graph = crate::peephole::optimize(parsed(text, engine()), engine());
    let schedule = schedule(&graph);
    let block = |id: NodeId| schedule.block_of[id].map(|it| it.index());
    let is_load = |id: &&NodeId| matches!(graph.op(**id), Op::Load(_));
    let found = schedule.order.iter().filter(is_load).map(|&load| {
        let used = graph.users(load).filter_map(block).min().expect("it is used");
        (block(load).expect("it is placed"), used)
    });
    assert_eq!(found.collect::<Vec<_>>(), expected, "{text}");
}

#[cfg(feature = "ch11")]
#[test]
fn loads_are_as_late_as_their_memory_allows() {
    // Nothing is stored in between.
    check_loads("int x = b.v; if (arg > 3) return x; return 1;", &[(4, 4)]);
    // A store between the load and its use, in a dominating block.
    check_loads("int x = b.v; c.v = 5; if (arg > 3) return x + b.v; return 1;", &[(3, 4), (4, 4)]);
    // A store in the other arm, and one in an arm before a join.
    let both = "int x = b.v; if (arg > 3) { c.v = 5; return b.v; } return x;";
    check_loads(both, &[(4, 4), (5, 5)]);
    let joined = "int x = b.v; int y = 0; if (arg > 3) { c.v = 5; y = b.v; } return x + y;";
    check_loads(joined, &[(3, 6), (4, 6)]);
    // A Phi of a loop begins another state of memory.
    let after = "int x = b.v; while (arg) { c.v = b.v + arg; arg = arg - 1; } return x + b.v;";
    check_loads(after, &[(3, 6), (4, 5)]);
}

#[cfg(feature = "ch11")]
#[test]
fn loads_leave_loops_that_do_not_store_to_their_field() {
    let read = "int s = 0; while (s < arg) { if (arg > 3) s = s + b.v; s = s + 1; } return s;";
    check_loads(read, &[(3, 6)]);
    let stored = "int s = 0; while (s < arg) { s = s + b.v; c.v = s; } return s;";
    check_loads(stored, &[(5, 5)]);
}

#[cfg(feature = "ch11")]
#[test]
fn ten_thousand_loads_and_stores_are_placed() {
    let first = "struct S { int v; } S b = new S; S c = b; if (arg > 9) c = new S; int s = 0;";
    let one = "c.v = s; s = s + b.v; if (arg > 3) s = s + b.v;".repeat(10_000);
    let graph = graph(&format!("{first} {one} return s;"));
    let schedule = schedule(&graph);
    assert_eq!(ScheduledGraph { graph: &graph, schedule: &schedule }.verify(), []);
    // All loads take one memory.
    let one = "if (arg > 3) { c.v = s; return b.v; } s = s + b.v;".repeat(3_000);
    let graph = self::graph(&format!("{first} {one} return s;"));
    let schedule = self::schedule(&graph);
    assert_eq!(ScheduledGraph { graph: &graph, schedule: &schedule }.verify(), []);
}
