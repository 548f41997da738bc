//! The worklist: rewriting until no rule applies anywhere.
//!
//! A node is visited again when something that a rule has looked at may have changed: one of its
//! inputs has another type, one of its edges leads elsewhere. Rules look further than that, at
//! the inputs of inputs, so each visit that finds nothing to do leaves word with all it has seen,
//! and with what it has seen of it: the visited node becomes a *dependent* of this aspect, and is
//! visited again when it changes. First in, first out, each node at most once.
//!
//! That ends: types only get better, and each rewrite makes the measure smaller. It is linear as
//! long as rules look at a constant number of nodes.
//! Source: C. Click, K. D. Cooper, "Combining Analyses, Combining Optimizations", TOPLAS 1995.
use super::algebra::see_spine;
use super::{Engine, Rewrite};
use crate::sea::walk::reachable_nodes;
use crate::sea::{Graph, NodeId, Op, excerpt, infer, test_dependencies};
use crate::stage::{Artifact, Outcome, Violation};
use crate::types::Type;
use arena::{Id, SideTable};
use picture::{Kind, Picture};
use std::collections::VecDeque;
use std::ops::Deref;

/// So many visits a node are enough for nearly all programs. What is left as it is then could be
/// better, but it is right: all that is known of a graph is true at each moment.
const VISITS: usize = 100;

/// Rewrites the graph until no rule applies, or the visits are used up.
pub fn optimize(mut graph: Graph, mut engine: Engine) -> Optimum {
    let mut worklist = Worklist::default();
    worklist.push_all(graph.ids());
    graph.released.clear();
    let mut known = graph.len();
    let mut visits = 0;
    while visits < VISITS * known
        && let Some(id) = worklist.pop()
    {
        visits += 1;
        worklist.visit(&mut engine, &mut graph, id);
        worklist.push_all((known..graph.len()).map(NodeId::from_index));
        known = graph.len();
        for lonelier in std::mem::take(&mut graph.released) {
            worklist.has_lost_user(&graph, lonelier);
        }
    }
    Optimum { graph, engine, is_finished: worklist.queue.is_empty() }
}

/// What rules look at from afar.
#[derive(Clone, Copy, Debug)]
pub enum Aspect {
    /// What is known of the node.
    Type,
    /// Which inputs it has.
    Inputs,
    /// Whether several Ifs ask for it.
    Questions,
}

#[derive(Default)]
struct Worklist {
    /// First in, first out.
    queue: VecDeque<NodeId>,
    queued: SideTable<NodeId, bool>,
    dependents: Dependents,
    /// What the node that is visited has seen.
    seen: Vec<(NodeId, Aspect)>,
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
        self.learn(graph, id);
        match engine.rewrite(graph, id) {
            Some(better) if better == id => {
                self.push(id);
                self.push_all(graph.users(id));
                self.wake(id, Aspect::Inputs);
            }
            Some(better) => self.replace(graph, id, better),
            None => {
                self.seen.clear();
                look_at(graph, id, &mut self.seen);
                for &(seen, aspect) in &self.seen {
                    self.dependents.add(seen, aspect, id);
                }
            }
        }
    }

    /// Finds out what is known of a node; who uses it may know more, too.
    fn learn(&mut self, graph: &mut Graph, id: NodeId) {
        let (old, new) = (graph.ty(id), infer(graph, id));
        if new != old {
            let is_better = old == Type::TOP || graph.types.meet(new, old) == old;
            debug_assert!(is_better, "{id:?} {}", excerpt(graph, id));
            graph.set_type(id, new);
            self.push_all(graph.users(id));
            self.wake(id, Aspect::Type);
        }
    }

    /// Every user of `id` gets another input, and is visited; so are those who have seen it.
    fn replace(&mut self, graph: &mut Graph, id: NodeId, better: NodeId) {
        self.learn(graph, better);
        self.push(better);
        for user in graph.users(id) {
            self.push(user);
            self.wake(user, Aspect::Inputs);
        }
        self.wake(id, Aspect::Inputs);
        // Where as much was known before, nobody need know of the change.
        if graph.ty(id) == graph.ty(better) {
            self.dependents.hand_over(id, better, Aspect::Type);
        } else {
            self.wake(id, Aspect::Type);
        }
        let was_asked_again = graph.is_tested_again(better);
        graph.replace(id, better);
        if graph.is_tested_again(better) && !was_asked_again {
            self.wake(better, Aspect::Questions);
        }
    }

    /// It may be unused now. A join may have lost a Phi. Rules of a Phi, and of a join after an If,
    /// need to be the only user of an input.
    fn has_lost_user(&mut self, graph: &Graph, id: NodeId) {
        let is_control = graph.op(id).row().kind == Kind::Control;
        if graph.uses(id) == 0 || is_control {
            self.push(id);
        }
        if graph.uses(id) == 1 {
            self.push_all(graph.users(id).filter(|&user| is_control || graph.op(user).is_phi()));
        }
    }

    fn wake(&mut self, id: NodeId, aspect: Aspect) {
        while let Some(dependent) = self.dependents.take(id, aspect) {
            self.push(dependent);
        }
    }
}

/// For each aspect of each node a list of those that want to know when it changes.
///
/// All lists stand in one array. The last entry of a list leads to the first, so that two lists
/// are joined in constant time.
#[derive(Default)]
struct Dependents {
    /// The number of the last entry of each list of a node, plus one; 0 if the list is empty.
    last: SideTable<NodeId, [u32; 3]>,
    entries: Vec<Entry>,
    /// The entries that may be used again.
    free: Vec<u32>,
}

struct Entry {
    dependent: NodeId,
    next: u32,
}

impl Dependents {
    /// Puts `dependent` in front of the others, unless it stands there already.
    fn add(&mut self, of: NodeId, aspect: Aspect, dependent: NodeId) {
        let last = self.last[of][aspect as usize].checked_sub(1);
        let first = last.map(|last| self.entries[last as usize].next);
        if first.is_some_and(|first| self.entries[first as usize].dependent == dependent) {
            return;
        }
        let new = self.free.pop().unwrap_or(self.entries.len() as u32);
        let entry = Entry { dependent, next: first.unwrap_or(new) };
        match self.entries.get_mut(new as usize) {
            Some(free) => *free = entry,
            None => self.entries.push(entry),
        }
        match last {
            Some(last) => self.entries[last as usize].next = new,
            None => self.last[of][aspect as usize] = new + 1,
        }
    }

    /// Takes the first one out.
    fn take(&mut self, of: NodeId, aspect: Aspect) -> Option<NodeId> {
        let last = self.last[of][aspect as usize].checked_sub(1)?;
        let first = self.entries[last as usize].next;
        if first == last {
            self.last[of][aspect as usize] = 0;
        } else {
            self.entries[last as usize].next = self.entries[first as usize].next;
        }
        self.free.push(first);
        Some(self.entries[first as usize].dependent)
    }

    /// Those who have looked at `from` have looked at `to` from now on.
    fn hand_over(&mut self, from: NodeId, to: NodeId, aspect: Aspect) {
        let at = aspect as usize;
        let (mine, others) = (self.last[from][at], self.last[to][at]);
        if mine == 0 {
            return;
        }
        if others != 0 {
            let [mine, others] = [mine, others].map(|last| last as usize - 1);
            let first = self.entries[mine].next;
            self.entries[mine].next = self.entries[others].next;
            self.entries[others].next = first;
        } else {
            self.last[to][at] = mine;
        }
        self.last[from][at] = 0;
    }
}

/// Adds the nodes that rules look at when they look at `id`, and whose changes it would not be told
/// of as a user: those behind its inputs, and the inputs that rules look through.
fn look_at(graph: &mut Graph, id: NodeId, seen: &mut Vec<(NodeId, Aspect)>) {
    match graph.op(id) {
        Op::Binary(_) | Op::Compare(_) => see_spine(graph, id, seen),
        // Which ways are taken, and what its values are made of.
        Op::Phi(_) => {
            let region = graph.input(id, 0);
            seen.extend(graph.inputs(region).map(|way| (way, Aspect::Type)));
            seen.extend(graph.inputs(id).skip(1).map(|value| (value, Aspect::Inputs)));
        }
        Op::If => {
            seen.push((graph.input(id, 1), Aspect::Questions));
            for above in test_dependencies(graph, id) {
                seen.extend([(above, Aspect::Type), (above, Aspect::Inputs)]);
            }
        }
        _ => {}
    }
    // Their types and inputs never change, but another If may come to test them.
    let is_fixed = |it| matches!(graph.op(it), Op::Constant(_) | Op::Projection(_));
    seen.retain(|&(it, aspect)| matches!(aspect, Aspect::Questions) || !is_fixed(it));
}

/// A graph to which no rule applies any more, unless there were too many visits.
pub struct Optimum {
    graph: Graph,
    engine: Engine,
    is_finished: bool,
}

impl Optimum {
    /// The rewrites, if the engine has traced them.
    pub fn steps(&self) -> impl Iterator<Item = &Rewrite> {
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

    /// - `fixed-point`: no rule applies anywhere, and no type could be better, if it is finished.
    fn verify(&self) -> Vec<Violation> {
        let mut violations = self.graph.verify();
        if !self.is_finished {
            return violations;
        }
        let mut scratch = self.graph.clone();
        let mut engine = Engine::new(self.engine.rules.clone(), false);
        for id in reachable_nodes(&self.graph) {
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
