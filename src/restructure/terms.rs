//! From structured programs to terms: a switch and a loop are terms whose inputs are the variables
//! that are live in them.
use super::liveness::Liveness;
use super::structured::{Item, Predicate, SequenceId, Sequences, Variable};
use super::variables::Variables;
use crate::arith::Relation;
use crate::flow_graph::{BlockId, End, Operand, Operation};
use crate::region::{Head, Operator, TermId, Terms};
use arena::{FxHashMap, Id};
use source::Span;

/// The function of a structured program.
pub fn function(
    sequences: &Sequences,
    variables: &Variables,
    liveness: &Liveness,
    parameters: &[Variable],
    results: &[Variable],
) -> (Terms, TermId) {
    let mut building =
        Building { sequences, variables, liveness, terms: Terms::default(), scopes: Vec::new() };
    building.enter(SequenceId::from_index(0), parameters);
    let operands = loop {
        if building.step() {
            if building.scopes.len() == 1 {
                break results.iter().map(|&it| building.value(it)).collect::<Vec<_>>();
            }
            building.leave();
        }
    };
    let (inputs, outputs) = (parameters.len() as u32, operands.len() as u32);
    let root = building.terms.intern(Head::Function { inputs, outputs }, &operands);
    (building.terms, root)
}

/// A sequence while its terms are built.
struct Scope {
    sequence: SequenceId,
    at: u32,
    values: FxHashMap<Variable, TermId>,
    /// The results of the cases of the current item so far.
    results: Vec<TermId>,
    /// The number of the case that is built.
    case: usize,
}

struct Building<'s> {
    sequences: &'s Sequences,
    variables: &'s Variables<'s>,
    liveness: &'s Liveness,
    terms: Terms,
    scopes: Vec<Scope>,
}

impl Building<'_> {
    fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("a scope is open")
    }

    /// Opens the scope of a sequence; its arguments are these variables.
    fn enter(&mut self, sequence: SequenceId, arguments: &[Variable]) {
        let mut values = FxHashMap::default();
        for (at, &argument) in arguments.iter().enumerate() {
            values.insert(argument, self.terms.intern(Head::Argument(at as u32), &[]));
        }
        self.scopes.push(Scope { sequence, at: 0, values, results: Vec::new(), case: 0 });
    }

    /// Builds the next item; whether there is none.
    fn step(&mut self) -> bool {
        let sequences = self.sequences;
        let Scope { sequence, at, case, .. } = *self.scope();
        let Some(item) = sequences[sequence].get(at as usize) else { return true };
        match item {
            Item::Block(block) => self.block(*block),
            Item::Assign(variable, number) => {
                let number = self.number(*number);
                self.scope().values.insert(*variable, number);
            }
            Item::Switch(_, cases) if self.has_outputs(sequence, at) => {
                if case < cases.len() {
                    let inputs = self.inputs(sequence, at);
                    self.scope().case += 1;
                    self.enter(cases[case], &inputs);
                    return false;
                }
                self.close(sequence, at);
            }
            Item::Loop(body, _) if self.has_outputs(sequence, at) => {
                if case == 0 {
                    let inputs = self.inputs(sequence, at);
                    self.scope().case += 1;
                    self.enter(*body, &inputs);
                    return false;
                }
                self.close(sequence, at);
            }
            Item::Switch(..) | Item::Loop(..) => {}
        }
        let scope = self.scope();
        (scope.at, scope.case) = (at + 1, 0);
        false
    }

    fn has_outputs(&self, sequence: SequenceId, at: u32) -> bool {
        self.liveness.outputs.contains_key(&(sequence, at))
    }

    fn outputs(&self, sequence: SequenceId, at: u32) -> Vec<Variable> {
        self.liveness.outputs[&(sequence, at)].iter().copied().collect()
    }

    /// The inputs of a switch, or the variables of a loop.
    fn inputs(&self, sequence: SequenceId, at: u32) -> Vec<Variable> {
        let item = &self.sequences[sequence][at as usize];
        let inputs = item.inner().iter().flat_map(|&it| &self.liveness.inputs[it]);
        let mut inputs: Vec<_> = inputs.copied().collect();
        if let Item::Loop(..) = item {
            inputs.extend(self.outputs(sequence, at));
        }
        inputs.sort();
        inputs.dedup();
        inputs
    }

    /// Closes the scope of a case or a body, and keeps its results.
    fn leave(&mut self) {
        let Scope { sequence, at, .. } = self.scopes[self.scopes.len() - 2];
        let results = match self.sequences[sequence][at as usize] {
            Item::Loop(_, again) => [self.inputs(sequence, at), vec![again]].concat(),
            _ => self.outputs(sequence, at),
        };
        let results: Vec<_> = results.into_iter().map(|it| self.value(it)).collect();
        self.scopes.pop();
        self.scope().results.extend(results);
    }

    /// The term of a switch or loop whose cases are built.
    fn close(&mut self, sequence: SequenceId, at: u32) {
        let item = &self.sequences[sequence][at as usize];
        let inputs = self.inputs(sequence, at);
        let outputs = self.outputs(sequence, at);
        let mut operands: Vec<_> = inputs.iter().map(|&it| self.value(it)).collect();
        let results = std::mem::take(&mut self.scope().results);
        let (head, positions) = match item {
            Item::Switch(predicate, cases) => {
                let predicate = self.predicate(*predicate);
                operands.insert(0, predicate);
                let (cases, count) = (cases.len() as u32, outputs.len() as u32);
                (Head::Switch { cases, outputs: count }, &outputs)
            }
            _ => (Head::Loop, &inputs),
        };
        operands.extend(results);
        let term = self.terms.intern(head, &operands);
        for output in &outputs {
            let position = positions.binary_search(output).expect("an output of the item");
            let component = self.terms.intern(Head::Component(position as u32), &[term]);
            self.scope().values.insert(*output, component);
        }
    }

    fn predicate(&mut self, predicate: Predicate) -> TermId {
        match predicate {
            Predicate::Operand(operand) => self.operand(operand),
            Predicate::Variable(variable) => self.value(variable),
            Predicate::Equals(variable, number) => {
                let operands = [self.value(variable), self.number(number)];
                self.terms.intern(Head::Operator(Operator::Compare(Relation::Equal)), &operands)
            }
        }
    }

    fn block(&mut self, block: BlockId) {
        for instruction in self.variables.instructions(block) {
            let operands: Vec<_> =
                instruction.operands.iter().map(|&it| self.operand(it)).collect();
            let value = match instruction.operation {
                Operation::Copy => operands[0],
                Operation::Operator(it) => self.terms.intern(Head::Operator(it), &operands),
                Operation::Use => self.write(&operands, instruction.origin),
            };
            self.terms.note_place(value, instruction.origin);
            let value =
                if instruction.may_trap() { self.force(value, instruction.origin) } else { value };
            if let Some(result) = instruction.result {
                let result = self.variables.of(result);
                self.scope().values.insert(result, value);
            }
        }
        if let End::Return(operands) = self.variables.end(block) {
            for (number, &operand) in operands.iter().enumerate() {
                let value = self.operand(operand);
                let result = self.variables.result(number);
                self.scope().values.insert(result, value);
            }
        }
    }

    /// Writes a line after all lines before it.
    fn write(&mut self, operands: &[TermId], place: Span) -> TermId {
        let before = self.value(Variables::state());
        let operands = [&[before], operands].concat();
        let after = self.terms.intern(Head::Use, &operands);
        self.terms.note_place(after, place);
        self.scope().values.insert(Variables::state(), after);
        self.number(0)
    }

    /// Computes a value after everything before it that has an effect, since it may trap.
    fn force(&mut self, value: TermId, place: Span) -> TermId {
        let before = self.value(Variables::state());
        let both = self.terms.intern(Head::Force, &[before, value]);
        self.terms.note_place(both, place);
        let [after, value] = [0, 1].map(|at| self.terms.intern(Head::Component(at), &[both]));
        self.scope().values.insert(Variables::state(), after);
        value
    }

    fn operand(&mut self, operand: Operand) -> TermId {
        match operand {
            Operand::Variable(variable) => self.value(self.variables.of(variable)),
            Operand::Number(number) => self.number(number),
        }
    }

    fn number(&mut self, number: i64) -> TermId {
        self.terms.intern(Head::Number(number), &[])
    }

    /// The value of a variable: 0 before its first assignment.
    fn value(&mut self, variable: Variable) -> TermId {
        match self.scope().values.get(&variable).copied() {
            Some(value) => value,
            // The state before everything.
            None if variable == Variables::state() => self.terms.intern(Head::Use, &[]),
            None => self.number(0),
        }
    }
}
