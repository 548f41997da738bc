//! The new nodes that the forms of sums may need.
//!
//! The parts of a form are sums, too, and have forms. A class and the parts of its form share the
//! nodes that the class may get, so forms of parts of forms come to an end.
use super::node::Id;
use arena::FxHashMap;
use std::ops::Range;

/// The limit for the new nodes of one class and the parts of its form.
const MAX_NODES_OF_CLASS: usize = 512;
/// The limit for the new nodes of all forms in one round, besides one for each node of the program.
const MAX_NODES_OF_ROUND: usize = 2_000;

#[derive(Default)]
pub struct Budget {
    /// The nodes that a class may still get, if not all.
    classes: FxHashMap<Id, usize>,
    /// The nodes that all classes may still get in this round.
    round: usize,
}

impl Budget {
    /// `find` is the class that an earlier class is part of now.
    pub fn begin_round(&mut self, program_nodes: usize, find: impl Fn(Id) -> Id) {
        self.round = MAX_NODES_OF_ROUND + program_nodes;
        let mut classes: FxHashMap<Id, usize> = FxHashMap::default();
        for (&id, &rest) in &self.classes {
            let least = classes.entry(find(id)).or_insert(rest);
            *least = rest.min(*least);
        }
        self.classes = classes;
    }

    fn of_class(&self, id: Id) -> usize {
        self.classes.get(&id).copied().unwrap_or(MAX_NODES_OF_CLASS)
    }

    /// The new nodes that a class may get now.
    pub fn of(&self, id: Id) -> usize {
        self.of_class(id).min(self.round)
    }

    /// A class has got a form with these new nodes.
    pub fn spend(&mut self, id: Id, new: Range<usize>) {
        let count = new.len();
        if count > 0 {
            let share = self.of_class(id).saturating_sub(count) / (1 + count);
            self.classes.extend(new.map(Id::from).chain([id]).map(|it| (it, share)));
        }
        self.round = self.round.saturating_sub(count);
    }
}
