//! The worklist: rewriting until no rule applies anywhere.
//!
//! A node is visited again when a node that a rule inspected may have changed: an input has
//! another type, or there is another input. Rules also inspect the inputs of inputs. So if no rule
//! applies, the visited node becomes a *dependent* of every node that the rules inspected, more
//! exactly of the aspect that they inspected, and is visited again when this aspect changes.
//! First in, first out, each node at most once.
//!
//! That ends: types only get better, and each rewrite makes the measure smaller. It is linear as
//! long as rules inspect a constant number of nodes.
//! Source: C. Click, K. D. Cooper, "Combining Analyses, Combining Optimizations", TOPLAS 1995.
#[cfg(feature = "ch28")]
use super::Replacement;
#[cfg(feature = "ch11")]
use super::congruent_phis::congruent_phis;
use super::dependents::{Aspects, Dependents, aspect};
use super::inspection::note_inspected;
#[cfg(feature = "ch15")]
use super::memory::element_above;
use super::phi::note_operands;
use super::{Engine, Rewrite};
use crate::sea::walk::reachable_nodes;
use crate::sea::{Graph, NodeId, Op, excerpt, infer, test_dependencies};
use crate::stage::{Artifact, Outcome, Violation};
use crate::types::Type;
use arena::{Id, SideTable};
use picture::{Kind, Picture};
use std::collections::VecDeque;
use std::ops::Deref;

/// Enough for nearly all programs. A graph that needs more is left as it is: it could be better,
/// but it is right, because the types are true at each moment.
const MAX_VISITS_PER_NODE: usize = 100;

/// Unused cycles are searched for so often, and each time costs a pass over the graph.
const MAX_SWEEPS: usize = 4;

/// Rewrites the graph until no rule applies, or the visits are used up.
pub fn optimize(mut graph: Graph, mut engine: Engine) -> Optimized {
    let queued = SideTable::new(graph.len());
    let mut worklist = Worklist { queued, ..Worklist::default() };
    worklist.push_all(graph.ids().filter(|&id| !graph.is_removed(id)));
    graph.released.clear();
    let mut known = graph.len();
    let (mut visits, mut sweeps) = (0, 0);
    while visits < MAX_VISITS_PER_NODE * known {
        let Some(id) = worklist.pop() else {
            sweeps += 1;
            if sweeps > MAX_SWEEPS {
                break;
            }
            // Like `kill` no rule: no node that is left changes, so there is no step to show.
            let is_changed = graph.sweep();
            #[cfg(feature = "ch11")]
            let is_changed = is_changed || worklist.push_congruent(&mut engine, &graph);
            #[cfg(feature = "ch15")]
            let is_changed = worklist.push_elements(&mut graph) || is_changed;
            if !is_changed {
                break;
            }
            worklist.notice_released(&mut graph);
            continue;
        };
        visits += 1;
        worklist.visit(&mut engine, &mut graph, id);
        worklist.push_all((known..graph.len()).map(NodeId::from_index));
        known = graph.len();
        worklist.notice_released(&mut graph);
    }
    let is_finished = worklist.queue.is_empty() && sweeps <= MAX_SWEEPS;
    Optimized { graph, engine, is_finished }
}

#[derive(Default)]
struct Worklist {
    /// First in, first out.
    queue: VecDeque<NodeId>,
    queued: SideTable<NodeId, bool>,
    dependents: Dependents,
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
        graph.set_origin(graph.origin(id));
        let list = engine.find_rules(graph, id);
        match engine.rewrite(graph, id, list) {
            Some(better) if better == id => {
                self.push(id);
                self.push_all(graph.users(id));
                self.wake(id, aspect::INPUTS);
            }
            Some(better) => self.replace(graph, id, better),
            None => {
                note_dependencies(engine, graph, id, list);
                for &(node, aspects) in &engine.noted {
                    let aspects = aspects & changeable(graph, node);
                    if aspects != 0 {
                        self.dependents.add(node, aspects, id);
                    }
                }
            }
        }
    }

    /// Infers the type of a node again. If it is better, the types of its users may be, too.
    fn learn(&mut self, graph: &mut Graph, id: NodeId) {
        let new = infer(graph, id);
        #[cfg(feature = "ch14")]
        let new = graph.types.refined(graph.ty(id), new);
        self.improve(graph, id, new);
    }

    /// Sets the type of a node.
    fn improve(&mut self, graph: &mut Graph, id: NodeId, new: Type) {
        let old = graph.ty(id);
        if new != old {
            let is_better = old == Type::TOP || graph.types.meet(new, old) == old;
            debug_assert!(is_better, "{id:?} {}", excerpt(graph, id));
            graph.set_type(id, new);
            self.push_all(graph.users(id));
            self.wake(id, aspect::TYPE);
        }
    }

    /// Every user of `id` gets another input, and is visited; so are their dependents.
    fn replace(&mut self, graph: &mut Graph, id: NodeId, better: NodeId) {
        self.learn(graph, better);
        // Both are the same value, and the type of each is true.
        #[cfg(feature = "ch14")]
        {
            let ty = graph.types.refined(graph.ty(id), graph.ty(better));
            self.improve(graph, better, ty);
        }
        self.push(better);
        for user in graph.users(id) {
            self.push(user);
            self.wake(user, aspect::INPUTS);
        }
        self.wake(id, aspect::INPUTS);
        // Where the type is the same, there is no change for the dependents.
        if graph.ty(id) == graph.ty(better) {
            self.dependents.pass_on(id, better, aspect::TYPE);
        } else {
            self.wake(id, aspect::TYPE);
        }
        let was_asked_again = graph.is_tested_again(better);
        graph.replace(id, better);
        if graph.is_tested_again(better) && !was_asked_again {
            self.wake(better, aspect::QUESTIONS);
        }
    }

    /// Visits the Phis again that are congruent to others. Returns whether there are any.
    #[cfg(feature = "ch11")]
    fn push_congruent(&mut self, engine: &mut Engine, graph: &Graph) -> bool {
        let congruent = congruent_phis(graph);
        self.push_all(congruent.iter().map(|it| it.0));
        engine.congruent = congruent.into_iter().collect();
        !engine.congruent.is_empty()
    }

    /// Visits the addresses of elements again that are the same as others: an index may have become
    /// that of an address further above. Returns whether there are any.
    #[cfg(feature = "ch15")]
    fn push_elements(&mut self, graph: &mut Graph) -> bool {
        let elements = graph.ids().filter(|&id| graph.op(id) == Op::Element && graph.uses(id) > 0);
        let elements: Vec<_> = elements.collect();
        let count = self.queue.len();
        for id in elements {
            if element_above(graph, id).is_some() {
                self.push(id);
            }
        }
        self.queue.len() > count
    }

    fn notice_released(&mut self, graph: &mut Graph) {
        for at in 0..graph.released.len() {
            self.has_lost_user(graph, graph.released[at]);
        }
        graph.released.clear();
    }

    /// It may be unused now. A join may have lost a Phi. Rules may need a node with one user only.
    fn has_lost_user(&mut self, graph: &Graph, id: NodeId) {
        let is_control = graph.op(id).row().kind == Kind::Control;
        if graph.uses(id) == 0 || is_control {
            self.push(id);
        }
        if graph.uses(id) == 1 {
            self.wake(id, aspect::USERS);
            if is_control {
                self.push_all(graph.users(id));
            }
        }
    }

    fn wake(&mut self, id: NodeId, aspects: Aspects) {
        let dependents = self.dependents.take(id, aspects);
        self.push_all(dependents.into_iter());
    }
}

/// Notes the nodes that rules inspect when they are tried on `id`, and whose changes do not reach
/// it as a user: nodes below its inputs.
fn note_dependencies(engine: &mut Engine, graph: &mut Graph, id: NodeId, list: usize) {
    let (inspected, noted) = (&engine.inspected[list], &mut engine.noted);
    match graph.op(id) {
        Op::Unary(_) => note_inspected(graph, id, inspected, noted),
        Op::Binary(_) | Op::Compare(_) => {
            note_inspected(graph, id, inspected, noted);
            note_operands(graph, id, noted);
        }
        // Which edges are taken, and what its values are made of.
        Op::Phi(_) => {
            let region = graph.input(id, 0);
            noted.extend(graph.inputs(region).map(|edge| (edge, aspect::TYPE)));
            let values = graph.inputs(id).skip(1);
            noted.extend(values.map(|it| (it, aspect::INPUTS | aspect::USERS)));
        }
        Op::If => {
            noted.push((graph.input(id, 1), aspect::QUESTIONS));
            let above = test_dependencies(graph, id);
            noted.extend(above.into_iter().map(|it| (it, aspect::TYPE | aspect::INPUTS)));
        }
        _ => {}
    }
}

/// The aspects that may change: types and inputs of constants and projections never do.
/// @ch18 A call may turn out to be dead, and the control after it.
fn changeable(graph: &Graph, id: NodeId) -> Aspects {
    match graph.op(id) {
        #[cfg(feature = "ch18")]
        Op::Projection(_) if graph.op(graph.input(id, 0)) != Op::Start => Aspects::MAX,
        Op::Constant(_) | Op::Projection(_) => aspect::QUESTIONS | aspect::USERS,
        _ => Aspects::MAX,
    }
}

/// A graph to which no rule applies any more, unless there were too many visits.
pub struct Optimized {
    graph: Graph,
    engine: Engine,
    is_finished: bool,
}

impl Optimized {
    /// The rewrites, if the engine has traced them.
    pub fn steps(&self) -> impl Iterator<Item = &Rewrite> {
        self.engine.steps.iter().flatten()
    }

    /// The graph after the predicates of these Ifs, which always hold, were replaced by 1.
    #[cfg(feature = "ch15")]
    pub fn with_known_tests(self, branches: &[NodeId]) -> Optimized {
        let Optimized { mut graph, mut engine, .. } = self;
        for &branch in branches {
            let truth = graph.types.constant(1);
            let truth = engine.node(&mut graph, Op::Constant(truth), &[]);
            graph.set_input(branch, 1, truth);
        }
        optimize(graph, engine)
    }

    /// The replaced nodes, if the engine has noted them.
    #[cfg(feature = "ch28")]
    pub fn replacements(&self) -> &[Replacement] {
        self.engine.replacements.as_deref().unwrap_or_default()
    }

    /// The graph for the stages that do not change it.
    pub fn frozen(self) -> Graph {
        self.graph.frozen()
    }
}

impl Deref for Optimized {
    type Target = Graph;

    fn deref(&self) -> &Graph {
        &self.graph
    }
}

impl Artifact for Optimized {
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
            #[cfg(feature = "ch14")]
            let ty = scratch.types.refined(self.graph.ty(id), ty);
            let list = engine.find_rules(&scratch, id);
            let better = engine.rewrite(&mut scratch, id, list);
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
