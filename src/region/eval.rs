//! Executes a program: the nodes of a region one after the other, operands first.
//!
//! Each execution of a region is a frame with one slot for each output, so every node is evaluated
//! once per frame. The frames are on an explicit stack.
use super::graph::{Graph, NodeId, RegionId, Value};
use super::op::Op;
use crate::arith::TRAP;
use crate::stage::{Outcome, Termination};
use arena::{Id, SideTable};

/// The result of the program, if it takes at most this number of steps: its output are the lines of
/// `use`, its values are its results.
pub fn eval(graph: &Graph, arguments: &[i64], limit: u64) -> Outcome {
    let count = graph.arity(graph.main) as usize;
    let arguments = arguments.iter().copied().chain(std::iter::repeat(0)).take(count);
    let arguments: Vec<_> = arguments.map(Word::Integer).collect();
    let slots = Slots::new(graph);
    let mut interpreter = Interpreter {
        graph,
        slots: &slots,
        values: Vec::new(),
        frames: Vec::new(),
        closures: Vec::new(),
        output: String::new(),
    };
    interpreter.enter(graph.main, &arguments, None);
    let end = interpreter.run(limit);
    Outcome { output: interpreter.output, end }
}

#[derive(Clone, Copy, Default, Debug)]
enum Word {
    Integer(i64),
    /// The number of a closure.
    Function(u32),
    #[default]
    State,
}

/// The slot of each node's first output in the frame of its region.
struct Slots {
    of: SideTable<NodeId, u32>,
    counts: SideTable<RegionId, u32>,
}

impl Slots {
    fn new(graph: &Graph) -> Slots {
        let mut slots = Slots { of: SideTable::new(graph.len()), counts: SideTable::default() };
        for region in graph.region_ids() {
            let mut next = 0;
            for &id in &graph.region(region).nodes {
                slots.of[id] = next;
                next += graph.node(id).outputs;
            }
            slots.counts[region] = next;
        }
        slots
    }
}

struct Frame {
    region: RegionId,
    /// The number of the next node.
    next: usize,
    /// Where its slots begin.
    base: usize,
    /// The node outside that is executed by this frame.
    node: Option<NodeId>,
}

struct Interpreter<'g> {
    graph: &'g Graph,
    slots: &'g Slots,
    values: Vec<Word>,
    frames: Vec<Frame>,
    /// The region of each function value, and its constant inputs.
    closures: Vec<(RegionId, Vec<Word>)>,
    output: String,
}

impl Interpreter<'_> {
    fn run(&mut self, limit: u64) -> Termination {
        let mut steps = 0;
        while let Some(frame) = self.frames.last_mut() {
            steps += 1;
            if steps > limit {
                return Termination::OutOfSteps;
            }
            let nodes = &self.graph.region(frame.region).nodes;
            let node = nodes.get(frame.next).copied();
            frame.next += 1;
            match node {
                Some(node) => {
                    if let Err(reason) = self.execute(node) {
                        return Termination::Fault { place: name(self.graph, node), reason };
                    }
                }
                None => {
                    if let Some(end) = self.leave() {
                        return end;
                    }
                }
            }
        }
        unreachable!("the program's frame is left last")
    }

    /// Starts the execution of a region.
    fn enter(&mut self, region: RegionId, arguments: &[Word], node: Option<NodeId>) {
        let base = self.values.len();
        self.values.extend_from_slice(arguments);
        self.values.resize(base + self.slots.counts[region] as usize, Word::State);
        // The arguments have their values already.
        self.frames.push(Frame { region, next: 1, base, node });
    }

    fn execute(&mut self, id: NodeId) -> Result<(), String> {
        let operands: Vec<_> = self.graph.operands(id).iter().map(|&it| self.value(it)).collect();
        match self.graph.op(id) {
            Op::Arguments => {}
            Op::Number(number) => self.set(id, Word::Integer(number)),
            Op::Operator(operator) => {
                let (a, b) = (integer(operands[0])?, integer(operands[1])?);
                let value = operator.evaluate(a, b).ok_or(TRAP)?;
                self.set(id, Word::Integer(value));
            }
            Op::Use => {
                self.write(&operands);
                self.set(id, Word::State);
            }
            Op::Force => {
                let slot = self.slot(Value { node: id, output: 0 });
                self.values[slot..slot + operands.len()].copy_from_slice(&operands);
            }
            Op::Loop => self.enter(self.graph.inner(id)[0], &operands, Some(id)),
            Op::Switch => {
                let cases = self.graph.inner(id);
                let case = usize::try_from(integer(operands[0])?).unwrap_or(usize::MAX);
                self.enter(cases[case.min(cases.len() - 1)], &operands[1..], Some(id));
            }
            Op::Function => {
                self.set(id, Word::Function(self.closures.len() as u32));
                self.closures.push((self.graph.inner(id)[0], operands));
            }
            Op::Call => {
                let Word::Function(function) = operands[0] else {
                    return Err("the call of a value that is no function".to_string());
                };
                let (region, constants) = &self.closures[function as usize];
                let (region, arguments) = (*region, [&operands[1..], constants].concat());
                self.enter(region, &arguments, Some(id));
            }
        }
        Ok(())
    }

    /// Ends the execution of a region: a loop may begin again.
    fn leave(&mut self) -> Option<Termination> {
        let frame = self.frames.last().expect("there is a last frame");
        let (region, base, node) = (frame.region, frame.base, frame.node);
        let results = self.graph.region(region).results.iter();
        let results: Vec<_> = results.map(|&it| self.value(it)).collect();
        let Some(node) = node else {
            let word = |word: &Word| match word {
                Word::Integer(value) => Some(*value),
                Word::Function(_) | Word::State => None,
            };
            let values: Vec<_> = results.iter().filter_map(word).collect();
            // A function returns one word at least.
            let values = if values.is_empty() { vec![0] } else { values };
            return Some(Outcome::values(&values).end);
        };
        let outputs = self.graph.node(node).outputs as usize;
        if self.graph.op(node) == Op::Loop
            && matches!(results[outputs], Word::Integer(again) if again != 0)
        {
            self.values[base..base + outputs].copy_from_slice(&results[..outputs]);
            self.frames.last_mut().expect("there is a last frame").next = 1;
            return None;
        }
        self.values.truncate(base);
        self.frames.pop();
        let slot = self.slot(Value { node, output: 0 });
        self.values[slot..slot + outputs].copy_from_slice(&results[..outputs]);
        None
    }

    /// Writes a line of words; a state has none, and without words there is no line.
    fn write(&mut self, words: &[Word]) {
        let word = |word: &Word| match word {
            Word::Integer(value) => Some(value.to_string()),
            Word::Function(_) | Word::State => None,
        };
        let words: Vec<_> = words.iter().filter_map(word).collect();
        if words.is_empty() {
            return;
        }
        self.output += &(words.join(" ") + "\n");
    }

    fn slot(&self, value: Value) -> usize {
        let frame = self.frames.last().expect("there is a last frame");
        frame.base + (self.slots.of[value.node] + value.output) as usize
    }

    fn value(&self, value: Value) -> Word {
        self.values[self.slot(value)]
    }

    fn set(&mut self, id: NodeId, word: Word) {
        let slot = self.slot(Value { node: id, output: 0 });
        self.values[slot] = word;
    }
}

fn integer(word: Word) -> Result<i64, String> {
    match word {
        Word::Integer(value) => Ok(value),
        Word::Function(_) | Word::State => Err("arithmetic on no integer".to_string()),
    }
}

/// The name of a node in messages.
pub fn name(graph: &Graph, id: NodeId) -> String {
    format!("{}{}", graph.op(id).name(), id.index())
}
