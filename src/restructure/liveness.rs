//! Which variables are inputs and outputs of the switches and loops of a structured program.
//!
//! The search goes back from each use of a variable, item by item, and notes the variable at each
//! switch and loop that assigns it. A switch or a loop without outputs is dropped later, so its
//! predicate is used only if it has one. Every loop yields the state: a loop may be endless, so
//! its successors depend on it.
use super::branches;
use super::loops::PartId;
use super::structured::{Item, Predicate, SequenceId, Sequences, Variable};
use super::variables::Variables;
use crate::flow_graph::Operand;
use arena::{FxHashMap, Id, SideTable};
use std::collections::BTreeSet;

/// The variables that sequences and items need.
#[derive(Default)]
pub struct Liveness {
    /// The variables that are live at the beginning of each sequence.
    pub inputs: SideTable<SequenceId, BTreeSet<Variable>>,
    /// The variables that are live after an item and assigned by it.
    pub outputs: FxHashMap<(SequenceId, u32), BTreeSet<Variable>>,
}

struct Search<'s> {
    sequences: &'s Sequences,
    variables: &'s Variables<'s>,
    homes: &'s FxHashMap<Variable, PartId>,
    /// The variables that each sequence assigns.
    assigned: FxHashMap<(SequenceId, Variable), ()>,
    /// The item around each sequence.
    parents: SideTable<SequenceId, Option<(SequenceId, u32)>>,
    seen: FxHashMap<(SequenceId, u32, Variable), ()>,
    /// Variables that are live before an item.
    open: Vec<(SequenceId, u32, Variable)>,
    result: Liveness,
}

/// The liveness of a program whose results are the variables `results`.
///
/// A variable with a home is neither assigned nor needed outside of this part.
pub fn liveness(
    sequences: &Sequences,
    variables: &Variables,
    results: &[Variable],
    homes: &FxHashMap<Variable, PartId>,
) -> Liveness {
    let mut search = Search {
        sequences,
        variables,
        homes,
        assigned: FxHashMap::default(),
        parents: SideTable::default(),
        seen: FxHashMap::default(),
        open: Vec::new(),
        result: Liveness::default(),
    };
    search.prepare();
    let root = SequenceId::from_index(0);
    results.iter().for_each(|&it| search.open.push((root, sequences[root].len() as u32, it)));
    while let Some((sequence, at, variable)) = search.open.pop() {
        search.back(sequence, at, variable);
    }
    search.result
}

impl Search<'_> {
    /// Collects the assignments, and the uses of all blocks.
    fn prepare(&mut self) {
        let sequences = self.sequences;
        for sequence in sequences.ids() {
            for (at, item) in sequences[sequence].iter().enumerate() {
                for &inner in item.inner() {
                    self.parents[inner] = Some((sequence, at as u32));
                }
            }
        }
        for sequence in sequences.ids() {
            for (at, item) in sequences[sequence].iter().enumerate() {
                match item {
                    Item::Block(block) => {
                        for &variable in self.variables.assigned(*block) {
                            self.assign(sequence, variable);
                        }
                        let used = self.variables.used(*block).iter();
                        self.open.extend(used.map(|&it| (sequence, at as u32, it)));
                    }
                    Item::Assign(variable, _) => self.assign(sequence, *variable),
                    Item::Loop(..) => self.assign(sequence, Variables::state()),
                    Item::Switch(..) => {}
                }
            }
        }
    }

    /// A sequence assigns what the sequences inside of it assign.
    fn assign(&mut self, sequence: SequenceId, variable: Variable) {
        let mut around = Some(sequence);
        while let Some(sequence) = around {
            let is_known = self.assigned.insert((sequence, variable), ()).is_some();
            if is_known || self.is_home(sequence, variable) {
                return;
            }
            around = self.parents[sequence].map(|(parent, _)| parent);
        }
    }

    fn is_home(&self, sequence: SequenceId, variable: Variable) -> bool {
        self.homes.get(&variable).is_some_and(|&home| branches::sequence(home) == sequence)
    }

    /// A variable is live before the item `at`: searches for its assignments.
    fn back(&mut self, sequence: SequenceId, at: u32, variable: Variable) {
        for at in (0..at).rev() {
            if self.seen.insert((sequence, at + 1, variable), ()).is_some() {
                return;
            }
            let item = &self.sequences[sequence][at as usize];
            let is_assigned = match item {
                Item::Block(block) => self.variables.assigned(*block).contains(&variable),
                Item::Assign(assigned, _) => *assigned == variable,
                Item::Loop(..) if variable == Variables::state() => true,
                Item::Switch(..) | Item::Loop(..) => {
                    item.inner().iter().any(|&inner| self.assigned.contains_key(&(inner, variable)))
                }
            };
            if is_assigned {
                return self.output(sequence, at, variable);
            }
        }
        let is_new = self.seen.insert((sequence, 0, variable), ()).is_none();
        if is_new && !self.is_home(sequence, variable) {
            self.input(sequence, variable);
        }
    }

    /// A live variable is assigned by the item `at`.
    fn output(&mut self, sequence: SequenceId, at: u32, variable: Variable) {
        let item = &self.sequences[sequence][at as usize];
        if item.inner().is_empty() {
            return;
        }
        let outputs = self.result.outputs.entry((sequence, at)).or_default();
        let is_first = outputs.is_empty();
        if outputs.insert(variable) {
            self.needs_at_end(item, variable);
        }
        match item {
            Item::Loop(_, again) if is_first => self.needs_at_end(item, *again),
            Item::Switch(predicate, _) if is_first => match predicate {
                Predicate::Operand(Operand::Variable(variable)) => {
                    self.open.push((sequence, at, self.variables.of(*variable)));
                }
                Predicate::Operand(Operand::Number(_)) => {}
                Predicate::Variable(variable) | Predicate::Equals(variable, _) => {
                    self.open.push((sequence, at, *variable));
                }
            },
            Item::Block(_) | Item::Assign(..) | Item::Switch(..) | Item::Loop(..) => {}
        }
    }

    fn needs_at_end(&mut self, item: &Item, variable: Variable) {
        for &inner in item.inner() {
            self.open.push((inner, self.sequences[inner].len() as u32, variable));
        }
    }

    /// A variable is live at the beginning of a sequence.
    fn input(&mut self, sequence: SequenceId, variable: Variable) {
        self.result.inputs[sequence].insert(variable);
        let Some((parent, at)) = self.parents[sequence] else { return };
        self.open.push((parent, at, variable));
        let item = &self.sequences[parent][at as usize];
        if matches!(item, Item::Loop(..)) {
            self.needs_at_end(item, variable);
        }
    }
}
