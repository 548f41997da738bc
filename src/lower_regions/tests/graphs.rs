//! Control-flow graphs to regions and back: the results stay.
use crate::flow_graph::{End as GraphEnd, Graph, eval, parse};
use crate::lower_regions::flow::{BlockId, End, Flow};
use crate::lower_regions::{emission, lower, order, threading};
use crate::region::{self, infer};
use crate::restructure::restructure;
use crate::restructure::tests::{STEPS, agrees, check_large_graphs, check_small_graphs};
use crate::stage::{Artifact, Termination};

/// The numbers of blocks and of switches. A block without steps that only jumps is an edge.
fn counts(flow: &Flow) -> [usize; 2] {
    let order = flow.reachable();
    let is_edge = |end: &End| matches!(end, End::Goto(_));
    let blocks = order.iter().map(|&it| &flow.blocks[it]);
    let blocks = blocks.filter(|it| !it.steps.is_empty() || !is_edge(&it.end));
    let switches = order.iter().filter(|&&it| matches!(flow.blocks[it].end, End::Switch(..)));
    [blocks.count(), switches.count()]
}

/// The same numbers for a control-flow graph.
fn counts_of_graph(graph: &Graph) -> [usize; 2] {
    let order = graph.reachable();
    let is_switch = |end: &GraphEnd| matches!(end, GraphEnd::Switch(..));
    [order.len(), order.iter().filter(|&&it| is_switch(&graph.blocks[it].end)).count()]
}

fn flow(regions: &region::Graph) -> Flow {
    let types = infer(regions).expect("it has types");
    let regions = &order::ordered(regions, &types);
    threading::threaded(regions, emission::flow(regions, &types, regions.main))
}

#[track_caller]
fn check_counts(graph: &Graph, regions: &region::Graph) {
    let flow = flow(regions);
    let (expected, found) = (counts_of_graph(graph), counts(&flow));
    // A loop with several entries begins with a switch of its own.
    let is_switch = |end: &End| matches!(end, End::Switch(..));
    let begins = |it: &&BlockId| {
        let block = &flow.blocks[**it];
        block.is_header && block.steps.is_empty() && is_switch(&block.end)
    };
    let more = flow.reachable().iter().filter(begins).count();
    let is_smaller = found.iter().zip(&expected).all(|(&found, expected)| found <= expected + more);
    assert!(
        is_smaller,
        "{found:?} instead of {expected:?}\n{}\n{}",
        graph.print(),
        regions.print()
    );
}

#[track_caller]
fn check_graph(graph: &Graph, arguments: &[i64]) {
    let regions = restructure(graph).expect("it is not too large");
    let program = lower(&regions).expect("there are no closures");
    let shown = || format!("{arguments:?}\n{}\n{}", graph.print(), program.print());
    assert_eq!(program.verify(), [], "{}", shown());
    let expected = eval(graph, arguments, STEPS);
    if expected.end != Termination::OutOfSteps {
        let found = program.eval_all(arguments).expect("it can be executed");
        assert!(agrees(&expected, &found), "{expected:?}\n{found:?}\n{}", shown());
    }
}

#[test]
fn an_irreducible_graph_returns() {
    let text = "function -> a b\n> a b -> c\nswitch c one two\nlabel one\n+ a 3 -> a\n\
        > a 50 -> c\nswitch c two end\nlabel two\n+ b 5 -> b\n* a 2 -> a\n> b 60 -> c\n\
        switch c one end\nlabel end\n+ a b -> r\nreturn r\n";
    let graph = parse(text).expect("a program");
    check_counts(&graph, &restructure(&graph).expect("it is not too large"));
    for arguments in [[5, 7], [4, 6], [1, 1], [2, 0]] {
        check_graph(&graph, &arguments);
    }
}

#[test]
fn random_graphs_return() {
    check_small_graphs(check_graph);
}

#[test]
fn large_random_graphs_return() {
    check_large_graphs(check_graph);
}

#[test]
fn no_test_and_no_block_is_added() {
    let check = |graph: &Graph, _: &[i64]| {
        check_counts(graph, &restructure(graph).expect("it is not too large"));
    };
    check_small_graphs(check);
    check_large_graphs(check);
}
