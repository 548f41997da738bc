//! A graph of the case is printed, drawn, verified and executed like all others.
use super::graph::Graph;
use super::verify::{Strictness, verify};
use crate::firm::{self, NodeId};
use crate::stage::{Artifact, Outcome, Violation};
use picture::Picture;

impl Artifact for Graph {
    fn print(&self) -> String {
        firm::print(&self.firm, &|_, id| self.label(id))
    }

    fn picture(&self) -> Option<Picture> {
        Some(firm::picture(&self.firm, &|_, id| self.label(id)))
    }

    fn verify(&self) -> Vec<Violation> {
        let failures = verify(self, Strictness::Program, 1).into_iter();
        let detail = |id: Option<NodeId>| id.map_or(String::new(), |id| self.label(id));
        failures.map(|it| Violation { invariant: it.check, detail: detail(it.node) }).collect()
    }

    fn eval(&self, argument: i64) -> Option<Outcome> {
        self.run(&[argument])
    }
}
