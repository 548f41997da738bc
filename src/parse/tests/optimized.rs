//! Tests of the worklist on programs.
use super::*;
use crate::peephole::{Rule, optimize, rules};
use crate::sea::walk::reachable_nodes;
use crate::stage::Artifact;

/// The parsed graph, and an engine for the worklist, with some rules.
fn parsed(text: &str, is_used: impl Fn(&Rule) -> bool) -> (Graph, Engine) {
    let engine = || Engine::new(rules().filter(|rule| is_used(rule)).collect(), false);
    let parsed = parse(Input { engine: engine(), ..input(text) });
    (parsed.expect("the program is valid").graph, engine())
}

#[test]
fn phis_that_use_only_each_other_are_removed() {
    let text = "int i=0; int k=0; while(i<arg) { int j=0; while(j<i) { k=0; while(k<3) k=k+1; \
                j=j+1; } i=i+1; } return i;";
    let unused = |graph: &Graph| {
        let reachable = reachable_nodes(graph);
        graph.ids().filter(|id| graph.uses(*id) > 0 && !reachable.contains(id)).count()
    };
    let (graph, engine) = parsed(text, |_| true);
    assert!(unused(&graph) > 0);
    assert_eq!(unused(&optimize(graph, engine)), 0);
}

/// Types only get better, whichever rules are switched off.
#[test]
fn a_phi_of_one_known_value_is_not_taken_apart() {
    let text = "int k=0==1; if(0==arg/2) k=1==0; return k-1;";
    let (graph, engine) = parsed(text, |rule| rule.name != "fold-constants");
    assert_eq!(optimize(graph, engine).verify(), []);
}
