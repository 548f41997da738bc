//! Loops of the e-graph, with the outputs that are used.
use super::node::{Id, Node};
use super::saturation::Saturation;

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

    pub fn finish(&self, saturation: &mut Saturation, rule: &'static str, values: &[Id]) {
        for (output, value) in self.outputs.iter().zip(values) {
            if let Some(output) = output {
                saturation.union(rule, *output, *value);
            }
        }
    }
}
