//! The reductions of an instance as steps: a node before, and its neighbours after.
use super::Selection;
use super::pbqp_instance::Instance;
use crate::stage::{MAX_STEP_NODES, Rewrite};
use arena::Id;
use pbqp::{NodeId, Problem, Reduction, Rule};
use picture::Picture;

/// The entries of the largest matrix that is written out.
const MAX_ENTRIES: usize = 48;

/// Solves the instance again, and describes each reduction.
pub fn steps(selection: &Selection) -> Vec<Rewrite> {
    let Some((instance, _)) = selection.solved() else { return Vec::new() };
    let is_small = instance.problem.node_count() <= MAX_STEP_NODES;
    let rest = is_small.then(|| instance.problem.clone());
    let mut trace = Trace { selection, instance, rest, steps: Vec::new() };
    instance.solve_again(&mut |reduction| trace.add(&reduction));
    trace.steps
}

struct Trace<'s> {
    selection: &'s Selection<'s>,
    instance: &'s Instance,
    /// The problem before the next reduction, if it is small.
    rest: Option<Problem>,
    steps: Vec<Rewrite>,
}

impl Trace<'_> {
    fn add(&mut self, reduction: &Reduction) {
        let after = self.rest.is_some().then(|| reduction.residual.problem());
        self.steps.push(Rewrite {
            rule: reduction.rule.name(),
            before: self.before(reduction),
            after: self.after(reduction, after.as_ref()),
            node: format!("n{}", reduction.node.index()),
            origin: self.selection.origin(Id::from_index(reduction.node.index())),
            picture: after.as_ref().map(|after| self.picture(reduction, after)),
        });
        self.rest = after;
    }

    /// The node, and its edges to the nodes that change.
    fn before(&self, reduction: &Reduction) -> String {
        let Some(rest) = &self.rest else { return self.name(reduction.node) };
        let mut texts = vec![self.vector(rest, reduction.node)];
        let others = reduction.others.iter();
        texts.extend(others.filter_map(|&other| self.matrix(rest, reduction.node, other)));
        texts.join("; ")
    }

    /// What has changed in the nodes that are left.
    fn after(&self, reduction: &Reduction, rest: Option<&Problem>) -> String {
        let taken = |it| {
            format!("{} takes {}", self.name(reduction.node), self.alternative(reduction.node, it))
        };
        match (reduction.rule, reduction.alternative, rest) {
            (Rule::R0 | Rule::BB | Rule::RN, Some(alternative), _) => taken(alternative),
            (_, _, None) => {
                reduction.others.iter().map(|&it| self.name(it)).collect::<Vec<_>>().join(", ")
            }
            (Rule::Pruned | Rule::Dominated, _, Some(rest)) => self.vector(rest, reduction.node),
            (_, _, Some(rest)) => {
                let mut texts: Vec<_> =
                    reduction.others.iter().map(|&it| self.vector(rest, it)).collect();
                if let &[y, z] = reduction.others {
                    texts.extend(self.matrix(rest, y, z));
                }
                texts.join("; ")
            }
        }
    }

    /// `n14 Add: add 42 | lea-sum 43`.
    fn vector(&self, problem: &Problem, node: NodeId) -> String {
        let costs = problem.vector(node).iter();
        let costs =
            (0..).zip(costs).map(|(at, cost)| format!("{} {cost}", self.alternative(node, at)));
        format!("{}: {}", self.name(node), costs.collect::<Vec<_>>().join(" | "))
    }

    /// `n13 Mul – n14 Add: 0 inf | 0 0`, a row for each alternative of the node that is first.
    fn matrix(&self, problem: &Problem, x: NodeId, y: NodeId) -> Option<String> {
        let ends = [x.min(y), x.max(y)];
        let (_, _, matrix) = problem.edges().find(|&(u, v, _)| [u, v] == ends)?;
        let [rows, columns] = ends.map(|end| problem.vector(end).len());
        let row =
            |row: &[pbqp::Cost]| row.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let entries = if matrix.len() <= MAX_ENTRIES {
            matrix.chunks(columns).map(row).collect::<Vec<_>>().join(" | ")
        } else {
            format!("{rows} × {columns} costs")
        };
        let [u, v] = ends.map(|end| self.name(end));
        Some(format!("{u} – {v}: {entries}"))
    }

    /// The nodes that are left, and their matrices. The title is the name of the function.
    fn picture(&self, reduction: &Reduction, rest: &Problem) -> Picture {
        let name = |node| self.name(node);
        let alternative = |node, at| self.alternative(node, at);
        let mut picture = pbqp::picture(rest, None, &name, &alternative);
        picture.title = self.selection.program.graph.name.clone();
        let mut left = rest.nodes().map(|node| reduction.residual.contains(node));
        picture.nodes.retain(|_| left.next().expect("a node of the problem"));
        picture
    }

    fn name(&self, node: NodeId) -> String {
        self.selection.node_name(Id::from_index(node.index()))
    }

    fn alternative(&self, node: NodeId, at: u32) -> String {
        let alternatives = &self.instance.alternatives[node.index()];
        self.instance.alternative_name(self.selection.rules, alternatives[at as usize])
    }
}
