//! Loops of the e-graph, with the outputs that are used.
use super::node::{Id, Node};
use super::saturation::Saturation;
use crate::region::Head;

/// A loop of the e-graph.
pub struct Loop {
    pub inits: Vec<Id>,
    /// The next values of the variables, and at last the predicate.
    pub results: Vec<Id>,
    /// The classes of the outputs that are used.
    pub outputs: Vec<Option<Id>>,
}

impl Loop {
    pub fn new(saturation: &Saturation, tuple: Id, node: &Node) -> Loop {
        let (inits, results) = node.split();
        let outputs = (0..inits.len()).map(|at| saturation.used_output(tuple, at)).collect();
        Loop { inits: inits.to_vec(), results: results.to_vec(), outputs }
    }

    pub fn predicate(&self) -> Id {
        self.results[self.inits.len()]
    }

    /// The next values of the variables, if the loop ends: a state that only passes is itself.
    pub fn last_results(&self, saturation: &Saturation) -> Vec<Id> {
        let results = &self.results[..self.inits.len()];
        results.iter().map(|&it| passed_state(saturation, it).unwrap_or(it)).collect()
    }

    pub fn finish(&self, saturation: &mut Saturation, rule: &'static str, values: &[Id]) {
        for (output, value) in self.outputs.iter().zip(values) {
            if let Some(output) = output {
                saturation.union(rule, *output, *value);
            }
        }
    }
}

/// The state that a force without values passes, if the class is such a state.
fn passed_state(saturation: &Saturation, id: Id) -> Option<Id> {
    let forces = saturation.graph[id].nodes.iter().filter(|it| it.head == Head::Component(0));
    let mut nodes = forces.flat_map(|it| &saturation.graph[it.operands[0]].nodes);
    nodes.find(|it| it.is_pass()).map(|it| it.operands[0])
}
