//! Predicate continuations: an arc that determines the predicate of a later switch leads to the
//! case that it selects.
//!
//! The restructuring of a control-flow graph adds variables that say where control goes on, and
//! switches on them. They are tested in blocks without other steps, so each arc that assigns them
//! is followed through these blocks, and takes along the assignments of its path. The original
//! control flow is left; only a loop with several entries keeps the switch at its beginning, since
//! register allocation needs loops with one entry. Source: H. Bahmann et al., "Perfect
//! Reconstructability of Control Flow from Demand Dependence Graphs", ACM TACO 11, 2015, section 5;
//! the method is jump threading.
use super::flow::{Arc, ArcId, Block, BlockId, End, Flow, Source, Step};
use crate::region::{Graph, NodeId, Op, Operator, Value};
use arena::{FxHashMap, FxHashSet, Id};

/// The control flow in which every arc whose continuation is known leads there.
pub fn threaded(graph: &Graph, flow: Flow) -> Flow {
    rewritten(graph, flow, |threading, block| {
        if let End::Switch(Source::Number(number), arcs) = &threading.flow.blocks[block].end {
            threading.flow.blocks[block].end = End::Goto(case(arcs, *number));
        }
        let arcs = threading.flow.arcs_of(block).to_vec();
        arcs.into_iter().for_each(|it| threading.follow(it));
        join_equal_arcs(&mut threading.flow, block);
        return_at_once(&mut threading.flow, block);
    })
}

/// The control flow in which a comparison that is only tested after a join is a jump before it, and
/// no value. There may be more tests, but none more is executed.
pub fn with_early_tests(graph: &Graph, flow: Flow) -> Flow {
    rewritten(graph, flow, |threading, block| threading.take_test(block))
}

/// Rewrites all blocks that control can reach.
fn rewritten(graph: &Graph, flow: Flow, rewrite: impl Fn(&mut Threading, BlockId)) -> Flow {
    let mut is_seen = vec![false; flow.blocks.len()];
    let mut open = vec![BlockId::from_index(0)];
    let budget = BUDGET * (flow.arcs.len() + flow.blocks.len());
    let (live, local) = (live_variables(&flow), local_values(&flow));
    let mut threading = Threading { graph, flow, live, local, budget };
    while let Some(block) = open.pop() {
        if !std::mem::replace(&mut is_seen[block.index()], true) {
            rewrite(&mut threading, block);
            open.extend(threading.flow.arcs_of(block).iter().map(|&it| threading.flow.arcs[it].to));
        }
    }
    threading.flow
}

/// A switch is no test if all of its arcs are equal.
fn join_equal_arcs(flow: &mut Flow, block: BlockId) {
    let End::Switch(_, arcs) = &flow.blocks[block].end else { return };
    let [first, others @ ..] = &arcs[..] else { return };
    if others.iter().all(|&it| flow.arcs[it] == flow.arcs[*first]) {
        flow.blocks[block].end = End::Goto(*first);
    }
}

/// A block before one that only returns is a Return itself.
fn return_at_once(flow: &mut Flow, block: BlockId) {
    let End::Goto(arc) = flow.blocks[block].end else { return };
    let Arc { to, copies } = &flow.arcs[arc];
    let Block { steps, end: End::Return(values), .. } = &flow.blocks[*to] else { return };
    if steps.is_empty() {
        let before = |source: &Source| match source {
            Source::Value(value) => copies.get(value).copied().unwrap_or(*source),
            Source::Number(_) => *source,
        };
        flow.blocks[block].end = End::Return(values.iter().map(before).collect());
    }
}

/// The limit for the length of all paths, for each block and arc. Beyond it tests are left.
const BUDGET: usize = 64;

fn case(arcs: &[ArcId], number: i64) -> ArcId {
    let number = usize::try_from(number).unwrap_or(usize::MAX);
    arcs[number.min(arcs.len() - 1)]
}

struct Threading<'g> {
    graph: &'g Graph,
    flow: Flow,
    live: FxHashSet<(BlockId, Value)>,
    local: FxHashMap<NodeId, BlockId>,
    budget: usize,
}

impl Threading<'_> {
    /// Follows an arc through blocks whose steps and ends are known, up to the first other one.
    fn follow(&mut self, arc: ArcId) {
        let mut seen = FxHashSet::default();
        while self.budget > 0 && seen.insert(self.flow.arcs[arc].to) {
            let Some((next, known)) = self.next(arc) else { return };
            let joined = self.join(arc, next, &known);
            self.budget = self.budget.saturating_sub(1 + joined.copies.len());
            self.flow.arcs[arc] = joined;
        }
    }

    /// A block that computes a comparison, and leads to one that only tests it, tests it itself.
    fn take_test(&mut self, block: BlockId) {
        let End::Goto(arc) = self.flow.blocks[block].end else { return };
        let Arc { to, copies } = &self.flow.arcs[arc];
        let Block { steps, end: End::Switch(on, arcs), is_header: false, .. } =
            &self.flow.blocks[*to]
        else {
            return;
        };
        let Source::Value(tested) = *on else { return };
        let tested = copies.get(&tested).copied().unwrap_or(*on);
        let is_comparison = |step: &Step| {
            tested == Source::Value(Value { node: step.node, output: 0 })
                && matches!(self.graph.op(step.node), Op::Operator(Operator::Compare(_)))
        };
        let is_computed = self.flow.blocks[block].steps.iter().any(is_comparison);
        let (true, true, &[no, yes]) = (is_computed, steps.is_empty(), &arcs[..]) else { return };
        let taken = [(0, no), (1, yes)].map(|(number, next)| {
            let mut taken = self.join(arc, next, &FxHashMap::default());
            let equal = taken.copies.values_mut().filter(|it| **it == tested);
            equal.for_each(|it| *it = Source::Number(number));
            self.flow.arcs.push(taken)
        });
        self.flow.blocks[block].end = End::Switch(tested, taken.to_vec());
        taken.into_iter().for_each(|it| self.follow(it));
    }

    /// The arc that control takes after this one, and the values of the steps between them.
    fn next(&self, arc: ArcId) -> Option<(ArcId, FxHashMap<Value, i64>)> {
        let to = self.flow.arcs[arc].to;
        let block = &self.flow.blocks[to];
        if block.is_header {
            return None;
        }
        let mut known = FxHashMap::default();
        for step in &block.steps {
            let value = Value { node: step.node, output: 0 };
            let is_local = self.local.get(&step.node) == Some(&to);
            known.insert(value, self.value(arc, step, &known).filter(|_| is_local)?);
        }
        match &block.end {
            End::Goto(next) => Some((*next, known)),
            End::Switch(on, arcs) => Some((case(arcs, self.number(arc, *on, &known)?), known)),
            End::Return(_) => None,
        }
    }

    /// The value of a step, if its operands are numbers.
    fn value(&self, arc: ArcId, step: &Step, known: &FxHashMap<Value, i64>) -> Option<i64> {
        let Op::Operator(operator) = self.graph.op(step.node) else { return None };
        let [a, b] = [step.operands[0], step.operands[1]].map(|it| self.number(arc, it, known));
        operator.evaluate(a?, b?)
    }

    fn number(&self, arc: ArcId, source: Source, known: &FxHashMap<Value, i64>) -> Option<i64> {
        match self.source(arc, source, known) {
            Source::Number(number) => Some(number),
            Source::Value(_) => None,
        }
    }

    /// The source whose value, before the arc, is that of a source after it.
    fn source(&self, arc: ArcId, source: Source, known: &FxHashMap<Value, i64>) -> Source {
        let Source::Value(value) = source else { return source };
        match known.get(&value) {
            Some(&number) => Source::Number(number),
            None => self.flow.arcs[arc].copies.get(&value).copied().unwrap_or(source),
        }
    }

    /// One arc for two, with the assignments of both.
    fn join(&self, first: ArcId, second: ArcId, known: &FxHashMap<Value, i64>) -> Arc {
        let to = self.flow.arcs[second].to;
        let mut copies = self.flow.arcs[first].copies.clone();
        for (&variable, &source) in &self.flow.arcs[second].copies {
            copies.insert(variable, self.source(first, source, known));
        }
        copies.retain(|&variable, source| {
            self.live.contains(&(to, variable)) && *source != Source::Value(variable)
        });
        Arc { to, copies }
    }
}

/// The assigned variables that are needed at the beginning of each block.
fn live_variables(flow: &Flow) -> FxHashSet<(BlockId, Value)> {
    let order = flow.reachable();
    let incoming = flow.incoming(&order);
    let (mut live, mut open) = (FxHashSet::default(), Vec::new());
    let mut needed = |block: BlockId, source: Source, open: &mut Vec<(BlockId, Value)>| {
        if let Source::Value(value) = source
            && flow.variables.contains(&value)
            && live.insert((block, value))
        {
            open.push((block, value));
        }
    };
    for &block in &order {
        flow.operands(block).for_each(|source| needed(block, source, &mut open));
    }
    while let Some((block, value)) = open.pop() {
        for &(from, arc) in &incoming[block] {
            let copy = flow.arcs[arc].copies.get(&value).copied();
            needed(from, copy.unwrap_or(Source::Value(value)), &mut open);
        }
    }
    live
}

/// The blocks of the steps whose values are used in their own blocks only.
fn local_values(flow: &Flow) -> FxHashMap<NodeId, BlockId> {
    let mut local = FxHashMap::default();
    for block in flow.blocks.ids() {
        local.extend(flow.blocks[block].steps.iter().map(|step| (step.node, block)));
    }
    for block in flow.blocks.ids() {
        let copies = flow.arcs_of(block).iter().flat_map(|&it| flow.arcs[it].copies.values());
        for source in flow.operands(block).chain(copies.copied()) {
            if let Source::Value(value) = source
                && local.get(&value.node) != Some(&block)
            {
                local.remove(&value.node);
            }
        }
    }
    local
}
