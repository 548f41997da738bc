//! Which variables are inputs and outputs of the switches and loops of a structured program.
//!
//! The search goes back from each use of a variable to the last assignment before it, and notes the
//! variable at each switch and loop around the assignment. A switch or a loop without outputs is
//! dropped later, so its predicate is used only if it has one. Every loop yields the state: a loop
//! may be endless, so its successors depend on it.
use super::arcs::PartId;
use super::branches;
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
    /// The position of each item of a sequence, and that of the first item after the sequence. The
    /// items inside of an item come directly after it.
    positions: SideTable<SequenceId, Vec<u32>>,
    /// The positions of the items that assign a variable, in ascending order.
    assignments: SideTable<Variable, Vec<u32>>,
    /// The item around each sequence.
    parents: SideTable<SequenceId, Option<(SequenceId, u32)>>,
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
        positions: SideTable::default(),
        assignments: SideTable::default(),
        parents: SideTable::default(),
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
    /// Numbers the items, and collects the assignments and the uses of all blocks.
    fn prepare(&mut self) {
        let sequences = self.sequences;
        let mut position = 0;
        let mut open = vec![(SequenceId::from_index(0), 0)];
        while let Some((sequence, at)) = open.pop() {
            self.positions[sequence].push(position);
            let Some(item) = sequences[sequence].get(at) else { continue };
            open.push((sequence, at + 1));
            match item {
                Item::Block(block) => {
                    for &variable in self.variables.assigned(*block) {
                        self.assignments[variable].push(position);
                    }
                    let used = self.variables.used(*block).iter();
                    self.open.extend(used.map(|&it| (sequence, at as u32, it)));
                }
                Item::Assign(variable, _) => self.assignments[*variable].push(position),
                Item::Loop(..) => self.assignments[Variables::state()].push(position),
                Item::Switch(..) => {}
            }
            for &inner in item.inner().iter().rev() {
                self.parents[inner] = Some((sequence, at as u32));
                open.push((inner, 0));
            }
            position += 1;
        }
    }

    fn is_home(&self, sequence: SequenceId, variable: Variable) -> bool {
        self.homes.get(&variable).is_some_and(|&home| branches::sequence(home) == sequence)
    }

    /// A variable is live before the item `at`: searches for its last assignment.
    fn back(&mut self, sequence: SequenceId, at: u32, variable: Variable) {
        let positions = &self.positions[sequence];
        let assignments = &self.assignments[variable];
        let before = assignments.partition_point(|&it| it < positions[at as usize]);
        let last = assignments[..before].last().filter(|&&it| positions[0] <= it);
        if let Some(last) = last {
            let item = positions.partition_point(|it| it <= last) - 1;
            self.output(sequence, item as u32, variable);
        } else if !self.is_home(sequence, variable) {
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
        if !self.result.inputs[sequence].insert(variable) {
            return;
        }
        let Some((parent, at)) = self.parents[sequence] else { return };
        self.open.push((parent, at, variable));
        let item = &self.sequences[parent][at as usize];
        if matches!(item, Item::Loop(..)) {
            self.needs_at_end(item, variable);
        }
    }
}
