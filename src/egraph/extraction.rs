//! From the e-graph back to regions.
use super::node::Id;
use super::saturation::Saturation;
use crate::region::{self, Graph, TermId, Terms};
use arena::FxHashMap;

/// The program of the chosen forms; none if its parts do not fit together.
pub fn extract(saturation: &Saturation, root: Id) -> Option<Graph> {
    let mut terms = Terms::default();
    let mut made: FxHashMap<Id, TermId> = FxHashMap::default();
    let root = saturation.graph.find(root);
    let mut open = vec![root];
    while let Some(&id) = open.last() {
        if made.contains_key(&id) {
            open.pop();
            continue;
        }
        let node = &saturation.form(id)?.node;
        let before = open.len();
        open.extend(node.operands.iter().rev().filter(|it| !made.contains_key(it)));
        if open.len() > before {
            continue;
        }
        let operands: Vec<TermId> = node.operands.iter().map(|it| made[it]).collect();
        made.insert(id, terms.intern(node.head, &operands));
    }
    region::graph(&terms, made[&root]).ok()
}
