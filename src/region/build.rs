//! From terms to the graph: a term is one node in each region that uses it.
//!
//! The nodes of a region are created operands first, from left to right, so equal programs become
//! equal graphs, and a term that no result needs becomes no node.
use super::graph::{Graph, NodeId, RegionId, Value};
use super::op::Op;
use super::term::{Head, TermId, Terms};
use crate::diagnostics::{Code, Diagnostic};
use arena::{FxHashMap, SideTable};
use source::Span;

/// A graph and the places of its parts in the text.
pub struct Built {
    pub graph: Graph,
    pub places: Places,
}

/// Where operands and results are in the text.
#[derive(Default)]
pub struct Places {
    pub operands: SideTable<NodeId, Vec<Span>>,
    pub results: SideTable<RegionId, Vec<Span>>,
}

/// The graph of the program `root`.
pub fn build(terms: &Terms, root: TermId) -> Result<Built, Vec<Diagnostic>> {
    let arguments = match terms.head(root) {
        Head::Function { inputs, .. } => inputs,
        _ => 0,
    };
    let mut builder = Builder {
        terms,
        graph: Graph::new(arguments),
        places: Places::default(),
        made: FxHashMap::default(),
        bodies: FxHashMap::default(),
        open: Vec::new(),
        diagnostics: Vec::new(),
    };
    builder.program(root);
    match builder.diagnostics.is_empty() {
        true => Ok(Built { graph: builder.graph, places: builder.places }),
        false => Err(builder.diagnostics),
    }
}

/// The limit for the size of a graph: one term in many scopes is many nodes.
const MAX_NODES: usize = 4_000_000;

/// What a term is in a region.
#[derive(Clone, Copy)]
enum Made {
    Value(Value),
    /// All outputs of a node.
    Tuple(NodeId),
}

enum Task {
    Visit(RegionId, TermId),
    /// All operands are made; those in inner scopes are in these regions.
    Finish(RegionId, TermId, Vec<RegionId>),
    /// The results of the main region are made.
    Results(RegionId, Vec<TermId>),
}

struct Builder<'t> {
    terms: &'t Terms,
    graph: Graph,
    places: Places,
    /// The node for each class of terms in each region.
    made: FxHashMap<(RegionId, TermId), Made>,
    /// The regions of functions, which are closed.
    bodies: FxHashMap<TermId, RegionId>,
    open: Vec<Task>,
    diagnostics: Vec<Diagnostic>,
}

impl Builder<'_> {
    /// The program is a function without constant inputs; any other term is the body of one.
    fn program(&mut self, root: TermId) {
        let main = self.graph.main;
        let (constants, results) = self.terms.split(root);
        if matches!(self.terms.head(root), Head::Function { .. }) && constants.is_empty() {
            self.bodies.insert(self.terms.term(root).class, main);
            self.region(main, results.to_vec());
        } else {
            self.open.push(Task::Visit(main, root));
        }
        while let Some(task) = self.open.pop() {
            match task {
                Task::Visit(region, term) => self.visit(region, term),
                Task::Finish(region, term, inner) => self.finish(region, term, &inner),
                Task::Results(region, terms) => self.results(region, &terms),
            }
            if self.graph.len() > MAX_NODES {
                self.diagnostics.clear();
                let message = format!("the program has more than {MAX_NODES} nodes");
                let label = "after all lets are substituted";
                self.report(Code::Nesting, self.terms.term(root).span, message, label);
                return;
            }
        }
        if self.graph.region(main).results.is_empty() {
            self.whole_program(root);
        }
    }

    /// The results of a program that is not written as a function.
    fn whole_program(&mut self, root: TermId) {
        let main = self.graph.main;
        let class = self.terms.term(root).class;
        let span = self.terms.term(root).span;
        let Some(&made) = self.made.get(&(main, class)) else { return };
        let results = match (made, self.terms.head(root)) {
            (Made::Value(function), Head::Function { inputs, outputs }) => {
                let argument = |output| Value { node: self.graph.region(main).arguments, output };
                let operands: Vec<_> =
                    std::iter::once(function).chain((0..inputs).map(argument)).collect();
                let call = self.graph.add(main, Op::Call, outputs, &operands, &[]);
                self.places.operands[call] = vec![span; operands.len()];
                (0..outputs).map(|output| Value { node: call, output }).collect()
            }
            (Made::Value(value), _) => vec![value],
            (Made::Tuple(node), _) => {
                let outputs = self.all_outputs(node);
                (0..outputs).map(|output| Value { node, output }).collect::<Vec<_>>()
            }
        };
        self.places.results[main] = vec![span; results.len()];
        self.graph.set_results(main, results);
    }

    /// The number of outputs; a call has those of its function, if it is known.
    fn all_outputs(&mut self, node: NodeId) -> u32 {
        if self.graph.op(node) == Op::Call
            && let function = self.graph.operands(node)[0].node
            && let &[body] = self.graph.inner(function)
        {
            let results = self.graph.region(body).results.len() as u32;
            self.graph.set_outputs(node, results);
        }
        self.graph.node(node).outputs
    }

    /// Makes the results of a region, the first one first.
    fn region(&mut self, region: RegionId, results: Vec<TermId>) {
        let visits: Vec<_> = results.iter().rev().map(|&it| Task::Visit(region, it)).collect();
        self.open.push(Task::Results(region, results));
        self.open.extend(visits);
    }

    fn visit(&mut self, region: RegionId, id: TermId) {
        let term = self.terms.term(id);
        if self.made.contains_key(&(region, term.class)) {
            return;
        }
        let (outside, inside) = self.terms.split(id);
        let inner = match term.head {
            Head::Number(number) => {
                let node = self.graph.add(region, Op::Number(number), 1, &[], &[]);
                self.graph.set_origin(node, term.span);
                return self.make(region, term.class, Made::Value(Value { node, output: 0 }));
            }
            Head::Argument(number) => return self.argument(region, id, number),
            Head::Loop => vec![self.graph.add_region(outside.len() as u32)],
            Head::Switch { cases, .. } => {
                (0..cases).map(|_| self.graph.add_region(outside.len() as u32 - 1)).collect()
            }
            Head::Function { inputs, .. } => {
                let arguments = inputs + outside.len() as u32;
                self.function(term.class, arguments, inside)
            }
            Head::Component(_) | Head::Operator(_) | Head::Use | Head::Force | Head::Call => {
                Vec::new()
            }
        };
        self.open.push(Task::Finish(region, id, inner.clone()));
        if !matches!(term.head, Head::Function { .. }) && !inner.is_empty() {
            let results = inside.len() / inner.len();
            for (at, &case) in inner.iter().enumerate().rev() {
                self.region(case, inside[at * results..][..results].to_vec());
            }
        }
        self.open.extend(outside.iter().rev().map(|&it| Task::Visit(region, it)));
    }

    /// The region of a function, which is the same for all equal functions.
    fn function(&mut self, class: TermId, arguments: u32, results: &[TermId]) -> Vec<RegionId> {
        if let Some(&body) = self.bodies.get(&class) {
            return vec![body];
        }
        let body = self.graph.add_region(arguments);
        self.bodies.insert(class, body);
        self.region(body, results.to_vec());
        vec![body]
    }

    fn argument(&mut self, region: RegionId, id: TermId, number: u32) {
        let count = self.graph.arity(region);
        let term = self.terms.term(id);
        let mut value = Value { node: self.graph.region(region).arguments, output: number };
        if number >= count {
            let message = format!("`get-{number}` is not in its scope");
            let label = format!("the scope has {count} values");
            self.report(Code::Name, term.span, message, label);
            value.output = 0;
        }
        self.make(region, term.class, Made::Value(value));
    }

    fn finish(&mut self, region: RegionId, id: TermId, inner: &[RegionId]) {
        let term = self.terms.term(id);
        let (outside, _) = self.terms.split(id);
        if let Head::Component(number) = term.head {
            return self.component(region, id, number);
        }
        let operands: Vec<_> = outside.iter().map(|&it| self.value(region, it)).collect();
        let (op, outputs, is_tuple) = match term.head {
            Head::Operator(operator) => (Op::Operator(operator), 1, false),
            Head::Use => (Op::Use, 1, false),
            Head::Force => (Op::Force, outside.len() as u32, true),
            Head::Function { .. } => (Op::Function, 1, false),
            Head::Loop => (Op::Loop, outside.len() as u32, true),
            Head::Switch { outputs, .. } => (Op::Switch, outputs, true),
            Head::Call => (Op::Call, 0, true),
            Head::Number(_) | Head::Argument(_) | Head::Component(_) => {
                unreachable!("these have no operands that are values")
            }
        };
        let node = self.graph.add(region, op, outputs, &operands, inner);
        self.graph.set_origin(node, term.span);
        self.places.operands[node] = outside.iter().map(|&it| self.terms.term(it).span).collect();
        let value = Made::Value(Value { node, output: 0 });
        self.make(region, term.class, if is_tuple { Made::Tuple(node) } else { value });
    }

    /// An output of a tuple. A call has as many outputs as are used, until its function is known.
    fn component(&mut self, region: RegionId, id: TermId, number: u32) {
        let term = self.terms.term(id);
        let of = self.terms.operands(id)[0];
        let made = self.made.get(&(region, self.terms.term(of).class)).copied();
        let value = match made {
            Some(Made::Tuple(node)) => {
                let outputs = self.graph.node(node).outputs;
                if self.graph.op(node) == Op::Call {
                    self.graph.set_outputs(node, outputs.max(number + 1));
                } else if number >= outputs {
                    let message = format!("there is no output {number}");
                    self.report(Code::Name, term.span, message, format!("it has {outputs}"));
                }
                Value { node, output: number }
            }
            Some(Made::Value(value)) => {
                let span = self.terms.term(of).span;
                let message = "this has no numbered outputs".to_string();
                let label = "a single value; loops, switches, calls and forces have several";
                self.report(Code::Syntax, span, message, label);
                value
            }
            None => unreachable!("operands are made first"),
        };
        self.make(region, term.class, Made::Value(value));
    }

    /// The value of a term that must not be a tuple.
    fn value(&mut self, region: RegionId, id: TermId) -> Value {
        let term = self.terms.term(id);
        match self.made[&(region, term.class)] {
            Made::Value(value) => value,
            Made::Tuple(node) => {
                let message =
                    format!("the outputs of a {} are no value", self.graph.op(node).name());
                self.report(Code::Syntax, term.span, message, "`(get-N …)` is one of them");
                Value { node, output: 0 }
            }
        }
    }

    fn results(&mut self, region: RegionId, terms: &[TermId]) {
        let results = terms.iter().map(|&it| self.value(region, it)).collect();
        self.graph.set_results(region, results);
        self.places.results[region] = terms.iter().map(|&it| self.terms.term(it).span).collect();
    }

    fn make(&mut self, region: RegionId, class: TermId, made: Made) {
        self.made.insert((region, class), made);
    }

    /// A term in several scopes may be reported more than once; the first report is enough.
    fn report(&mut self, code: Code, span: Span, message: String, label: impl Into<String>) {
        let is_new = self.diagnostics.iter().all(|it| it.span != span);
        if is_new && self.diagnostics.len() < MAX_REPORTS {
            self.diagnostics.push(Diagnostic::new(code, span, message, label));
        }
    }
}

/// Later errors are not reported.
const MAX_REPORTS: usize = 20;
