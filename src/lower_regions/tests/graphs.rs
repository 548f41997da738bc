//! Control-flow graphs to regions and back: the results stay.
use crate::flow_graph::{End as GraphEnd, Graph, eval, parse};
use crate::lower_regions::flow::{End, Flow};
use crate::lower_regions::{emission, lower, order, threading};
use crate::region::{self, infer};
use crate::restructure::restructure;
use crate::restructure::tests::{
    STEPS, agrees, check_large_graphs, check_small_graphs, irreducible_loops, reduced, shown,
};
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

/// The blocks and switches of a graph, and those after its way to regions and back.
fn counts_there_and_back(graph: &Graph) -> [[usize; 2]; 2] {
    let regions = restructure(graph).expect("it is not too large");
    [counts_of_graph(graph), counts(&flow(&regions))]
}

/// No block and no switch is added, but one for each loop with several entries.
#[track_caller]
fn check_counts(graph: &Graph) {
    let is_larger = |graph: &Graph| {
        let [expected, found] = counts_there_and_back(graph);
        let more = irreducible_loops(graph);
        found.iter().zip(&expected).any(|(&found, expected)| found > expected + more)
    };
    if is_larger(graph) {
        let small = reduced(graph, is_larger);
        panic!("{:?}\n{}", counts_there_and_back(&small), shown(&small));
    }
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
    check_counts(&graph);
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
    check_small_graphs(|graph, _| check_counts(graph));
    check_large_graphs(|graph, _| check_counts(graph));
}
