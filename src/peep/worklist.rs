//! The worklist: rewriting until no rule applies anywhere.
//!
//! A node is visited again when something that a rule has looked at may have changed: one of its
//! inputs has another type, one of its edges leads elsewhere, it has lost a user. Rules look
//! further than that, at the inputs of inputs, so each visit that finds nothing to do leaves word
//! with all it has seen: the visited node becomes their *dependent*, and is visited again when
//! they change. First in, first out, each node at most once.
//!
//! That ends: types only get better, and each rewrite makes the measure smaller. It is linear as
//! long as rules look at a constant number of nodes.
//! Source: C. Click, K. D. Cooper, "Combining Analyses, Combining Optimizations", TOPLAS 1995.
use super::algebra::see_spine;
use super::{Engine, Step};
use crate::sea::walk::whole;
use crate::sea::{Graph, NodeId, Op, excerpt, infer, questioned};
use crate::stage::{Artifact, Outcome, Violation};
use arena::{Id, SideTable};
use picture::Picture;
use std::collections::VecDeque;
use std::ops::Deref;

/// Rewrites the graph until no rule applies.
pub fn optimize(mut graph: Graph, mut engine: Engine) -> Optimum {
    let mut worklist = Worklist::default();
    worklist.push_all(graph.ids());
    let mut known = graph.len();
    while let Some(id) = worklist.pop() {
        worklist.visit(&mut engine, &mut graph, id);
        worklist.push_all((known..graph.len()).map(NodeId::from_index));
        known = graph.len();
        for lonelier in std::mem::take(&mut graph.released) {
            worklist.push(lonelier);
            worklist.wake_dependents(lonelier);
        }
    }
    Optimum { graph, engine }
}

#[derive(Default)]
struct Worklist {
    /// First in, first out.
    queue: VecDeque<NodeId>,
    queued: SideTable<NodeId, bool>,
    dependents: Dependents,
    /// What the node that is visited has seen.
    seen: Vec<NodeId>,
}

impl Worklist {
    fn push(&mut self, id: NodeId) {
        if !std::mem::replace(&mut self.queued[id], true) {
            self.queue.push_back(id);
        }
    }

    fn push_all(&mut self, ids: impl Iterator<Item = NodeId>) {
        ids.for_each(|id| self.push(id));
    }

    fn pop(&mut self) -> Option<NodeId> {
        let id = self.queue.pop_front()?;
        self.queued[id] = false;
        Some(id)
    }

    fn visit(&mut self, engine: &mut Engine, graph: &mut Graph, id: NodeId) {
        if graph.uses(id) == 0 && id != graph.end {
            graph.kill(id);
            return;
        }
        let ty = infer(graph, id);
        if ty != graph.ty(id) {
            graph.set_type(id, ty);
            self.has_changed(graph, id);
        }
        match engine.rewrite(graph, id) {
            Some(better) if better == id => {
                self.push(id);
                self.has_changed(graph, id);
            }
            Some(better) => self.replace(graph, id, better),
            None => {
                self.seen.clear();
                look_at(graph, id, &mut self.seen);
                for &seen in &self.seen {
                    self.dependents.add(seen, id);
                }
            }
        }
    }

    fn has_changed(&mut self, graph: &Graph, id: NodeId) {
        self.push_all(graph.users(id));
        self.wake_dependents(id);
    }

    /// Every user of `id` gets another input, and is visited; so are those who have seen it.
    fn replace(&mut self, graph: &mut Graph, id: NodeId, better: NodeId) {
        let ty = infer(graph, better);
        graph.set_type(better, ty);
        self.push(better);
        for user in graph.users(id) {
            self.push(user);
            self.wake_dependents(user);
        }
        self.wake_dependents(id);
        // Who asks for its users will find more of them.
        self.wake_dependents(better);
        graph.replace(id, better);
    }

    fn wake_dependents(&mut self, id: NodeId) {
        while let Some(dependent) = self.dependents.take(id) {
            self.push(dependent);
        }
    }
}

/// For each node a list of those that want to know when it changes. All lists stand in one array.
#[derive(Default)]
struct Dependents {
    /// The number of the first entry of a node's list, plus one; 0 if it is empty.
    first: SideTable<NodeId, u32>,
    entries: Vec<(NodeId, u32)>,
}

impl Dependents {
    fn add(&mut self, of: NodeId, dependent: NodeId) {
        self.entries.push((dependent, self.first[of]));
        self.first[of] = self.entries.len() as u32;
    }

    fn take(&mut self, of: NodeId) -> Option<NodeId> {
        let at = self.first[of].checked_sub(1)?;
        let (dependent, next) = self.entries[at as usize];
        self.first[of] = next;
        Some(dependent)
    }
}

/// Adds the nodes that rules look at when they look at `id`, and whose changes it would not be told
/// of as a user: those behind its inputs, and the inputs that rules look through.
fn look_at(graph: &mut Graph, id: NodeId, seen: &mut Vec<NodeId>) {
    match graph.op(id) {
        Op::Binary(_) | Op::Compare(_) => see_spine(graph, id, seen),
        // Which ways are taken, and who else uses its values.
        Op::Phi(_) => {
            let region = graph.input(id, 0);
            seen.extend(graph.inputs(region).chain(graph.inputs(id)));
        }
        Op::If => seen.extend(questioned(graph, id)),
        _ => {}
    }
    seen.retain(|&it| !matches!(graph.op(it), Op::Constant(_) | Op::Projection(_)));
}

/// A graph to which no rule applies any more.
pub struct Optimum {
    graph: Graph,
    engine: Engine,
}

impl Optimum {
    /// The rewrites, if the engine has traced them.
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.engine.steps.iter().flatten()
    }
}

impl Deref for Optimum {
    type Target = Graph;

    fn deref(&self) -> &Graph {
        &self.graph
    }
}

impl Artifact for Optimum {
    fn print(&self) -> String {
        self.graph.print()
    }

    fn listing(&self) -> String {
        self.graph.listing()
    }

    fn picture(&self) -> Option<Picture> {
        self.graph.picture()
    }

    /// - `fixed-point`: no rule applies anywhere, and no type could be better.
    fn verify(&self) -> Vec<Violation> {
        let mut violations = self.graph.verify();
        let mut scratch = self.graph.clone();
        let mut engine = Engine::new(self.engine.rules.clone(), false);
        for id in whole(&self.graph) {
            let ty = infer(&mut scratch, id);
            let better = engine.rewrite(&mut scratch, id);
            if ty != self.graph.ty(id) || better.is_some() {
                let detail = format!("{id:?}, {}", excerpt(&self.graph, id));
                violations.push(Violation { invariant: "fixed-point", detail });
                scratch = self.graph.clone();
            }
        }
        violations
    }

    fn eval(&self, arg: i64) -> Option<Outcome> {
        self.graph.eval(arg)
    }
}
