//! Control: branches that are not taken, tests that are known.
use super::{Component, Rule};
use crate::sea::{NodeId, Op, dominating_test};
use picture::Kind;

pub const RULES: &[Rule] = &[
    Rule {
        name: "dead-control",
        law: "control that is not reachable → ~Ctrl",
        example: ("if (0) return 1; return 2;", "return 2;"),
        root: &|graph, id| is_control(graph.op(id)),
        decreases: Component::Control,
        apply: &|engine, graph, id| {
            let dead = !graph.is_reachable(id);
            dead.then(|| engine.node(graph, Op::DeadControl, &[]))
        },
    },
    Rule {
        name: "if-one-branch",
        law: "the only branch of an If that can be taken → the control of the If",
        example: ("if (1) ; return arg;", "return arg;"),
        root: &|graph, id| matches!(graph.op(id), Op::ControlProjection(_)),
        decreases: Component::Control,
        apply: &|_, graph, id| {
            let Op::ControlProjection(truth) = graph.op(id) else { return None };
            let choice = graph.input(id, 0);
            let only = graph.is_reachable(id) && !graph.can_take(choice, !truth);
            only.then(|| graph.input(choice, 0))
        },
    },
    Rule {
        name: "region-one-predecessor",
        law: "Region(c, ~Ctrl) → c where it has no Phi",
        example: ("if (arg) return 1; return 2;", "if (arg) return 1; return 2;"),
        root: &|graph, id| graph.op(id).is_join(),
        decreases: Component::Control,
        apply: &|_, graph, id| {
            // The back edge of a loop that is not entered comes from the loop itself.
            if graph.inputs(id).len() < 2 || !graph.is_reachable(id) {
                return None;
            }
            let mut edges = graph.inputs(id).filter(|&edge| graph.is_reachable(edge));
            let (first, second) = (edges.next(), edges.next());
            first.filter(|_| second.is_none() && !graph.has_phi(id))
        },
    },
    Rule {
        name: "if-same-target",
        law: "Region(if true, if false) → the control of the If, where it has no Phi",
        example: ("int x = arg; if (arg) x = arg; return x;", "return arg;"),
        root: &|graph, id| graph.op(id).is_join(),
        decreases: Component::Control,
        apply: &|_, graph, id| {
            let choice = |way| match graph.op(way) {
                Op::ControlProjection(_) => Some(graph.input(way, 0)),
                _ => None,
            };
            let mut choices = graph.inputs(id).map(choice);
            let (first, second) = (choices.next()??, choices.next()??);
            let matters = first != second || graph.has_phi(id);
            // Another node on a branch would keep the If, and control would have two successors.
            // A scope is no such node: the parser moves it on to the join.
            let is_node = |user: &NodeId| graph.op(*user) != Op::Scope;
            let holds = |branch| graph.users(branch).filter(is_node).nth(1).is_some();
            let matters = matters || graph.inputs(id).any(holds);
            (!matters).then(|| graph.input(first, 0))
        },
    },
    #[cfg(feature = "ch09")]
    Rule {
        name: "stop-dead",
        law: "Stop(…, return after ~Ctrl, …) → Stop(…, …)",
        example: (
            "int x = 1; while (arg) { if (x - 1) return 7; arg = 0; } return 1;",
            "return 1;",
        ),
        root: &|graph, id| graph.op(id) == Op::Stop,
        decreases: Component::Control,
        apply: &|_, graph, id| {
            let some_dead = graph.inputs(id).any(|end| !graph.is_reachable(end));
            some_dead.then(|| {
                graph.retain_inputs(id, |graph, end| graph.is_reachable(end));
                id
            })
        },
    },
    Rule {
        name: "if-dominating-test",
        law: "if (p) … if (p) → if (p) … if (1), or if (0) on the other branch",
        example: (
            "int x = 0; if (arg) { if (arg) x = 1; } return x;",
            "int x = 0; if (arg) { if (1) x = 1; } return x;",
        ),
        root: &|graph, id| graph.op(id) == Op::If,
        decreases: Component::Control,
        apply: &|engine, graph, id| {
            let known = dominating_test(graph, id)?;
            let truth = graph.types.constant(i64::from(known));
            let truth = engine.node(graph, Op::Constant(truth), &[]);
            graph.set_input(id, 1, truth);
            Some(id)
        },
    },
];

/// Whether control may pass here, on an edge of the control flow graph: the other nodes of control
/// begin, end or branch.
fn is_control(op: Op) -> bool {
    const OTHERS: [Op; 4] = [Op::Start, Op::If, Op::Stop, Op::DeadControl];
    op.row().kind == Kind::Control && !OTHERS.contains(&op) && !op.ends_program()
}
