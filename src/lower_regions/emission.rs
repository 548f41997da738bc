//! From regions to their control flow. Each region is visited once, with an explicit stack of
//! tasks, because regions may be nested deeper than the machine's stack.
use super::flow::{Arc, ArcId, Block, BlockId, End, Flow, Source, Step};
use crate::region::{Graph, Kind, NodeId, Op, RegionId, Types, Value};
use arena::FxHashMap;

/// The control flow of a function.
pub fn flow(graph: &Graph, types: &Types, region: RegionId) -> Flow {
    let mut emission = Emission {
        graph,
        types,
        flow: Flow::default(),
        block: arena::Id::from_index(0),
        depth: 0,
        known: FxHashMap::default(),
        tasks: vec![Task::Nodes(region, 0)],
    };
    emission.block = emission.add_block();
    while let Some(task) = emission.tasks.pop() {
        match task {
            Task::Nodes(region, at) => emission.nodes(region, at),
            Task::Case(id, number, branch) => emission.case(id, number, branch),
            Task::Again(id, header) => emission.again(id, header),
        }
    }
    let results = emission.words(&graph.region(region).results);
    let results = if results.is_empty() { vec![Source::Number(0)] } else { results };
    emission.end(End::Return(results));
    emission.flow
}

enum Task {
    /// The nodes of a region from this position on.
    Nodes(RegionId, usize),
    /// Begins the case of a switch with this number, or ends the switch after its last case.
    Case(NodeId, usize, Branch),
    /// Ends a loop that begins with this block.
    Again(NodeId, BlockId),
}

/// A switch: the first blocks of its cases, and the last blocks of those before the next one.
struct Branch {
    first: Vec<BlockId>,
    last: Vec<BlockId>,
}

struct Emission<'g> {
    graph: &'g Graph,
    types: &'g Types,
    flow: Flow,
    /// The block to which steps are added, and the number of loops around it.
    block: BlockId,
    depth: u32,
    /// The values that are other names or numbers.
    known: FxHashMap<Value, Source>,
    tasks: Vec<Task>,
}

impl Emission<'_> {
    fn add_block(&mut self) -> BlockId {
        self.flow.blocks.push(Block {
            steps: Vec::new(),
            end: End::Return(Vec::new()),
            depth: self.depth,
            #[cfg(feature = "ch27")]
            is_header: false,
        })
    }

    fn arc(&mut self, to: BlockId) -> ArcId {
        self.flow.arcs.push(Arc { to, copies: FxHashMap::default() })
    }

    fn end(&mut self, end: End) {
        self.flow.blocks[self.block].end = end;
    }

    fn is_word(&self, value: Value) -> bool {
        self.types.kind(value) != Kind::State
    }

    fn source(&self, value: Value) -> Source {
        self.known.get(&value).copied().unwrap_or(Source::Value(value))
    }

    /// The sources of those values that are words.
    fn words(&self, values: &[Value]) -> Vec<Source> {
        values.iter().filter(|&&it| self.is_word(it)).map(|&it| self.source(it)).collect()
    }

    /// Makes words other names of values.
    fn rename(&mut self, names: impl Iterator<Item = Value>, values: &[Value]) {
        for (name, &value) in names.zip(values) {
            if self.is_word(value) {
                self.known.insert(name, self.source(value));
            }
        }
    }

    /// Emits nodes up to the next one with regions of its own.
    fn nodes(&mut self, region: RegionId, first: usize) {
        let nodes = &self.graph.region(region).nodes;
        for (at, &id) in nodes.iter().enumerate().skip(first) {
            match self.graph.op(id) {
                Op::Loop => {
                    self.tasks.push(Task::Nodes(region, at + 1));
                    return self.header(id);
                }
                Op::Switch => {
                    self.tasks.push(Task::Nodes(region, at + 1));
                    return self.branch(id);
                }
                _ => self.node(id),
            }
        }
    }

    fn node(&mut self, id: NodeId) {
        let operands = self.graph.operands(id);
        let mut words = self.words(operands);
        match self.graph.op(id) {
            Op::Arguments => return,
            Op::Number(number) => {
                let value = Value { node: id, output: 0 };
                self.known.insert(value, Source::Number(number));
                return;
            }
            Op::Force => return self.rename(outputs(self.graph, id), operands),
            // It has no address, only calls, which pass its constant inputs.
            Op::Function if !operands.is_empty() => return,
            Op::Use if words.is_empty() => return,
            Op::Call if self.graph.op(operands[0].node) == Op::Function => {
                words.remove(0);
                words.extend(self.words(self.graph.operands(operands[0].node)));
            }
            Op::Operator(_) | Op::Use | Op::Function | Op::Call => {}
            Op::Loop | Op::Switch => unreachable!("these have regions of their own"),
        }
        self.flow.blocks[self.block].steps.push(Step { node: id, operands: words });
    }

    fn branch(&mut self, id: NodeId) {
        let predicate = self.source(self.graph.operands(id)[0]);
        let cases = self.graph.inner(id);
        let first: Vec<_> = cases.iter().map(|_| self.add_block()).collect();
        let arcs: Vec<_> = first.iter().map(|&it| self.arc(it)).collect();
        self.end(match arcs[..] {
            [arc] => End::Goto(arc),
            _ => End::Switch(predicate, arcs),
        });
        self.tasks.push(Task::Case(id, 0, Branch { first, last: Vec::new() }));
    }

    fn case(&mut self, id: NodeId, number: usize, mut branch: Branch) {
        if number > 0 {
            branch.last.push(self.block);
        }
        let Some(&first) = branch.first.get(number) else { return self.join(id, &branch.last) };
        let region = self.graph.inner(id)[number];
        let arguments = outputs(self.graph, self.graph.region(region).arguments);
        self.rename(arguments, &self.graph.operands(id)[1..]);
        self.block = first;
        self.tasks.push(Task::Case(id, number + 1, branch));
        self.tasks.push(Task::Nodes(region, 0));
    }

    /// Ends a switch: an output is a variable if the cases yield different values.
    fn join(&mut self, id: NodeId, last: &[BlockId]) {
        let cases = self.graph.inner(id);
        self.block = self.add_block();
        let arcs: Vec<_> = last.iter().map(|_| self.arc(self.block)).collect();
        for (&from, &arc) in last.iter().zip(&arcs) {
            self.flow.blocks[from].end = End::Goto(arc);
        }
        for (at, output) in outputs(self.graph, id).enumerate() {
            if !self.is_word(output) {
                continue;
            }
            let result = |&case: &RegionId| self.source(self.graph.region(case).results[at]);
            let results: Vec<_> = cases.iter().map(result).collect();
            if results.iter().all(|it| *it == results[0]) {
                self.known.insert(output, results[0]);
                continue;
            }
            self.flow.variables.insert(output);
            for (&arc, result) in arcs.iter().zip(results) {
                self.flow.arcs[arc].copies.insert(output, result);
            }
        }
    }

    /// Begins a loop. An argument that its region returns unchanged is no variable.
    fn header(&mut self, id: NodeId) {
        let body = self.graph.inner(id)[0];
        self.depth += 1;
        let header = self.add_block();
        #[cfg(feature = "ch27")]
        {
            self.flow.blocks[header].is_header = true;
        }
        let enter = self.arc(header);
        self.end(End::Goto(enter));
        self.block = header;
        for (at, argument) in outputs(self.graph, self.graph.region(body).arguments).enumerate() {
            if !self.is_word(argument) {
                continue;
            }
            let source = self.source(self.graph.operands(id)[at]);
            if self.graph.region(body).results[at] == argument {
                self.known.insert(argument, source);
            } else {
                self.flow.variables.insert(argument);
                self.flow.arcs[enter].copies.insert(argument, source);
            }
        }
        self.tasks.push(Task::Again(id, header));
        self.tasks.push(Task::Nodes(body, 0));
    }

    /// Ends a loop: its last result is whether it begins again.
    fn again(&mut self, id: NodeId, header: BlockId) {
        let body = self.graph.inner(id)[0];
        let results = &self.graph.region(body).results;
        let predicate = self.source(*results.last().expect("a loop has a predicate"));
        self.depth -= 1;
        let after = self.add_block();
        let [leave, repeat] = [after, header].map(|it| self.arc(it));
        for (at, argument) in outputs(self.graph, self.graph.region(body).arguments).enumerate() {
            if self.flow.variables.contains(&argument) {
                let source = self.source(results[at]);
                self.flow.arcs[repeat].copies.insert(argument, source);
            }
        }
        self.end(End::Switch(predicate, vec![leave, repeat]));
        self.block = after;
        self.rename(outputs(self.graph, id), results);
    }
}

/// The outputs of a node.
pub fn outputs(graph: &Graph, node: NodeId) -> impl Iterator<Item = Value> + use<> {
    (0..graph.node(node).outputs).map(move |output| Value { node, output })
}
