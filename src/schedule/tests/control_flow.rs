//! Tests of `control_flow.rs`.
use crate::peephole;
use crate::schedule::tests::parsed;
use crate::schedule::{ScheduledGraph, schedule};
use crate::stage::{Artifact, Outcome};

/// Without `dead-control`, branches that are never taken stay, and so do the Ifs on them.
#[test]
fn ifs_that_only_dead_branches_use_are_ignored() {
    let engine = || {
        let others = peephole::rules().filter(|rule| rule.name != "dead-control");
        peephole::Engine::new(others.collect(), false)
    };
    let endless = "if (d-d) while (0) {}";
    for text in [
        format!("int d = arg; int e = d; if (e) e = 0; if (d) {endless} return 7;"),
        format!("int d = arg; if (d) {{ {endless} }} else {{ {endless} }} return 7;"),
    ] {
        let graph = peephole::optimize(parsed(&text, engine()), engine());
        let schedule = schedule(&graph);
        let blocks = ScheduledGraph { graph: &graph, schedule: &schedule };
        assert_eq!((blocks.verify(), blocks.eval(3)), (vec![], Some(Outcome::value(7))));
    }
}
