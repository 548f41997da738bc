//! Tests of `control_flow.rs`.
use crate::schedule::{ScheduledGraph, schedule};
use crate::stage::{Artifact, Outcome};
use crate::{parse, peephole};

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
        let input =
            parse::Input { text: &text, engine: engine(), show: Box::new(|_| ()), argument: None };
        let parsed = parse::parse(input).unwrap_or_else(|errors| panic!("{errors:?}"));
        let graph = peephole::optimize(parsed.graph, engine());
        let schedule = schedule(&graph);
        let blocks = ScheduledGraph { graph: &graph, schedule: &schedule };
        assert_eq!((blocks.verify(), blocks.eval(3)), (vec![], Some(Outcome::value(7))));
    }
}
