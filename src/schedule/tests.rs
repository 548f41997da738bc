//! Tests of `schedule`.
use super::*;
use crate::parse::{Input, parse};
use crate::peephole::Engine;
use crate::stage::Artifact;
use arena::Id;

fn graph(text: &str) -> Graph {
    let engine = Engine::new(Vec::new(), false);
    let input = Input { text, engine, show: Box::new(|_| ()), argument: None };
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
