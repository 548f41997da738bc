//! Selectors: values that only say where control goes on.
//!
//! A selector is an output of a switch or a loop that is a number in some case, and that nothing
//! but predicates needs. The variables that restructuring adds are selectors, and in a region they
//! are known by these properties alone.
use super::effects::{has_effect, quotient};
use crate::region::{Graph, Kind, NodeId, Op, RegionId, Types, Value};
use arena::{FxHashSet, SideTable};

/// The selectors of a graph, and its effects.
pub struct Selectors<'g> {
    pub graph: &'g Graph,
    types: &'g Types,
    /// Whether each region contains effects, in regions inside of it, too.
    has_effects: SideTable<RegionId, bool>,
    /// The outputs of switches and loops that are numbers, at least in one case.
    determined: FxHashSet<Value>,
    /// Those on which the predicate of another switch or loop depends.
    tested: FxHashSet<Value>,
    /// Values that are needed for anything else than predicates.
    computed: FxHashSet<Value>,
    /// The switch or loop around each region.
    pub owners: SideTable<RegionId, Option<NodeId>>,
}

impl<'g> Selectors<'g> {
    pub fn new(graph: &'g Graph, types: &'g Types) -> Selectors<'g> {
        let mut selectors = Selectors {
            graph,
            types,
            has_effects: SideTable::default(),
            determined: FxHashSet::default(),
            tested: FxHashSet::default(),
            computed: FxHashSet::default(),
            owners: SideTable::default(),
        };
        for region in graph.inside_out() {
            for &id in &graph.region(region).nodes {
                selectors.has_effects[region] |= selectors.is_effect(id);
                selectors.determine(id);
            }
        }
        selectors.trace();
        selectors
    }

    /// A loop may be endless, and that is an effect.
    pub fn is_effect(&self, id: NodeId) -> bool {
        let is_word = |it: &&Value| self.types.kind(**it) != Kind::State;
        match self.graph.op(id) {
            Op::Loop => true,
            Op::Switch => self.graph.inner(id).iter().any(|&it| self.has_effects[it]),
            Op::Use => self.graph.operands(id).iter().find(is_word).is_some(),
            op => has_effect(op) || quotient(self.graph, id).is_some(),
        }
    }

    fn determine(&mut self, id: NodeId) {
        if !matches!(self.graph.op(id), Op::Switch | Op::Loop) {
            return;
        }
        for output in 0..self.graph.node(id).outputs {
            let is_determined = |&case: &RegionId| {
                let result = self.graph.region(case).results[output as usize];
                let is_number = matches!(self.graph.op(result.node), Op::Number(_));
                is_number || self.determined.contains(&self.outside(id, result))
            };
            if self.graph.inner(id).iter().any(is_determined) {
                self.determined.insert(Value { node: id, output });
            }
        }
    }

    /// The input of a switch for an argument in one of its cases; other values are as they are.
    fn outside(&self, id: NodeId, value: Value) -> Value {
        match (self.graph.op(id), self.graph.op(value.node)) {
            (Op::Switch, Op::Arguments) => self.graph.operands(id)[1 + value.output as usize],
            _ => value,
        }
    }

    /// Follows the operands of predicates, and those of everything else, back to their origins.
    fn trace(&mut self) {
        let graph = self.graph;
        let (mut predicates, mut others) = (Vec::new(), graph.region(graph.main).results.clone());
        for id in graph.ids() {
            let inner = graph.inner(id);
            if graph.op(id) != Op::Function {
                inner.iter().for_each(|&it| self.owners[it] = Some(id));
            }
            match graph.op(id) {
                Op::Switch => predicates.push(graph.operands(id)[0]),
                Op::Loop => predicates.extend(graph.region(inner[0]).results.last()),
                Op::Function => {
                    others.extend(&graph.region(inner[0]).results);
                    others.extend(graph.operands(id));
                }
                Op::Use | Op::Call | Op::Force => others.extend(graph.operands(id)),
                Op::Operator(_) | Op::Arguments | Op::Number(_) => {}
            }
        }
        self.tested = self.origins(predicates);
        self.computed = self.origins(others);
    }

    /// All values on which these depend directly: operands of operations, results of regions for
    /// outputs, and inputs for arguments.
    fn origins(&self, mut open: Vec<Value>) -> FxHashSet<Value> {
        let (graph, mut origins) = (self.graph, FxHashSet::default());
        while let Some(value) = open.pop() {
            if !origins.insert(value) {
                continue;
            }
            let at = value.output as usize;
            match graph.op(value.node) {
                Op::Operator(_) => open.extend(graph.operands(value.node)),
                Op::Switch | Op::Loop => {
                    let inner = graph.inner(value.node).iter();
                    open.extend(inner.map(|&it| graph.region(it).results[at]));
                }
                Op::Arguments => {
                    let Some(owner) = self.owners[graph.node(value.node).region] else { continue };
                    match graph.op(owner) {
                        Op::Switch => open.push(graph.operands(owner)[1 + at]),
                        Op::Loop => {
                            open.push(graph.operands(owner)[at]);
                            open.push(graph.region(graph.inner(owner)[0]).results[at]);
                        }
                        _ => {}
                    }
                }
                Op::Number(_) | Op::Force | Op::Use | Op::Function | Op::Call => {}
            }
        }
        origins
    }

    /// The output of a switch or loop that determines a predicate.
    pub fn origin(&self, value: Value) -> Option<Value> {
        let is_selector = |it: &Value| self.determined.contains(it) && !self.computed.contains(it);
        Some(self.variable(value)).filter(is_selector)
    }

    /// The only variable operand of an operation, and so on.
    fn variable(&self, mut value: Value) -> Value {
        let is_variable = |it: &&Value| !matches!(self.graph.op(it.node), Op::Number(_));
        while let Op::Operator(_) = self.graph.op(value.node) {
            let mut variables = self.graph.operands(value.node).iter().filter(is_variable);
            let (Some(&only), None) = (variables.next(), variables.next()) else { break };
            value = only;
        }
        value
    }

    /// The outputs of switches and loops that determine a predicate outside of their region.
    pub fn tested_results(&self, region: RegionId) -> impl Iterator<Item = NodeId> {
        let owner = self.owners[region];
        let is_tested = move |output: usize| {
            let Some(node) = owner else { return false };
            let output = output as u32;
            // The last result of a loop is its predicate.
            let is_predicate = output == self.graph.node(node).outputs;
            is_predicate || self.tested.contains(&Value { node, output })
        };
        let results = self.graph.region(region).results.iter().enumerate();
        let tested = results.filter(move |(output, _)| is_tested(*output));
        tested.filter_map(|(_, &it)| self.origin(it)).map(|it| it.node)
    }
}
