//! The order in which rules are applied: wave after wave.
use super::rewriter::Rewriter;
use super::rule::{Phase, RootKind, Rule};
use super::{cleanup, constants, control, program, reachability};
use crate::firm::graph::{Graph, NodeId};
use crate::firm::op::Op;
use crate::firm::print::{self, Label};
use crate::stage::Rewrite;
use arena::{Id, SideTable, map_ranges};

/// Every rule, in the order in which they are tried.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    [constants::RULES, control::RULES, cleanup::RULES, program::RULES].into_iter().flatten()
}

/// Options of the folding.
pub struct Options<'o> {
    /// Whether each wave is the whole graph, phase by phase, as in the paper.
    pub paper_order: bool,
    /// Whether the graph is a compiled program: then no Phi has one operand, and End keeps every
    /// infinite loop.
    pub program: bool,
    /// The number of threads that search for matches. The result does not depend on it.
    pub threads: usize,
    /// The names of optional rules that are switched off.
    pub without: &'o [String],
    /// Constants that rules do not replace, since instructions were selected for them.
    pub opaque: SideTable<NodeId, bool>,
    /// The words for nodes in rewrites.
    pub label: &'o Label<'o>,
    /// Is called after every rewrite.
    pub observe: Option<&'o mut Observer<'o>>,
}

/// Takes a rewrite and the graph after it.
pub type Observer<'o> = dyn FnMut(&Rewrite, &Graph) + 'o;

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            paper_order: false,
            program: false,
            threads: 1,
            without: &[],
            opaque: SideTable::new(0),
            label: &print::label,
            observe: None,
        }
    }
}

/// The rewrites of a folding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Folded {
    /// The number of applications of each rule.
    pub counts: Vec<(&'static str, u64)>,
    pub waves: u64,
    /// For each node, its id before; new nodes have ids that no node had.
    pub origins: Vec<NodeId>,
}

impl Folded {
    pub fn rewrites(&self) -> u64 {
        self.counts.iter().map(|(_, count)| count).sum()
    }
}

/// Rewrites a graph until no rule matches.
///
/// Every node must have the operands of its row and be in a block, and every cycle of values must
/// have a Phi.
pub fn fold(graph: Graph, options: Options) -> (Graph, Folded) {
    let is_off = |rule: &Rule| options.without.iter().any(|name| name == rule.name);
    let (paper_order, program) = (options.paper_order, options.program);
    let is_for = |rule: &Rule| program || rule.phase != Phase::Program;
    let is_on = |rule: &&Rule| is_for(rule) && (!rule.is_optional() || !is_off(rule));
    let rules: Vec<_> = rules().filter(is_on).collect();
    let mut driver = Driver {
        graph: Rewriter::new(graph, options.opaque.clone()),
        counts: vec![0; rules.len()],
        rules,
        waves: 0,
        options,
    };
    if paper_order {
        driver.graph.paper_order = true;
        driver.phases()
    } else {
        driver.waves()
    }
    let removes_edges = |rule: &Rule| matches!(rule.phase, Phase::Control | Phase::Dead);
    let mut applied = driver.rules.iter().zip(&driver.counts).filter(|(_, count)| **count > 0);
    let has_lost_edges = applied.any(|(rule, _)| removes_edges(rule));
    let counts = driver.rules.iter().map(|rule| rule.name).zip(driver.counts).collect();
    let (mut graph, origins) = driver.graph.finish();
    if program && has_lost_edges {
        program::keep_infinite_loops(&mut graph);
    }
    (graph, Folded { counts, waves: driver.waves, origins })
}

struct Driver<'o> {
    graph: Rewriter,
    rules: Vec<&'static Rule>,
    counts: Vec<u64>,
    waves: u64,
    options: Options<'o>,
}

/// Which rules are tried on each group of operations, by their numbers.
type Tried = [Vec<usize>; RootKind::GROUPS];

/// The root of a match, and the number of the rule.
type Match = (NodeId, usize);

impl Driver<'_> {
    /// Tries all nodes once, and then the nodes that a rewrite enqueued, until there are none.
    fn waves(&mut self) {
        let last = [Phase::Program, Phase::Merge];
        let is_first = |rule: &Rule| !last.contains(&rule.phase);
        let first = self.tried(is_first);
        // In a program, all nodes are reachable before the first rewrite.
        let is_dead = |rule: &Rule| self.options.program && rule.phase == Phase::Dead;
        let reachable = self.tried(|rule| is_first(rule) && !is_dead(rule));
        let last = last.map(|part| self.tried(|rule| rule.phase == part));
        // The roots of these rules; no rule adds one.
        let is_header = |id: &NodeId| matches!(self.graph.op(*id), Op::Block | Op::Phi);
        let headers: Vec<_> = self.graph.graph.ids().filter(is_header).collect();
        let mut found = self.find_everywhere(&reachable);
        loop {
            while !found.is_empty() || !self.graph.next.is_empty() {
                self.waves += 1;
                self.apply(found);
                let wave = self.graph.take_wave();
                found = self.find(&first, wave.len(), |at| wave[at]);
            }
            self.remove_unreached();
            if self.graph.next.is_empty() {
                let mut found =
                    last.iter().map(|tried| self.find(tried, headers.len(), |at| headers[at]));
                let Some(found) = found.find(|found| !found.is_empty()) else { return };
                self.apply(found);
            }
            let wave = self.graph.take_wave();
            found = self.find(&first, wave.len(), |at| wave[at]);
        }
    }

    /// The numbers of the rules that are tried on each group of operations.
    fn tried(&self, selected: impl Fn(&Rule) -> bool) -> Tried {
        let rules = || self.rules.iter().enumerate().filter(|(_, rule)| selected(rule));
        std::array::from_fn(|group| {
            rules().filter(|(_, rule)| rule.root.takes(group)).map(|(at, _)| at).collect()
        })
    }

    fn find_everywhere(&self, tried: &Tried) -> Vec<Match> {
        self.find(tried, self.graph.graph.len(), NodeId::from_index)
    }

    /// The first rule that matches at each of some nodes. Nothing is rewritten meanwhile, so
    /// several threads can search.
    fn find(&self, tried: &Tried, len: usize, node: impl Fn(usize) -> NodeId + Sync) -> Vec<Match> {
        let threads = if len < MIN_PARALLEL { 1 } else { self.options.threads };
        let (graph, rules) = (&self.graph, &self.rules);
        let matching = |id: NodeId| {
            let tried = &tried[RootKind::group(graph.op(id))];
            tried.iter().find(|&&rule| (rules[rule].matches)(graph, id)).map(|&rule| (id, rule))
        };
        let is_there = |id: &NodeId| !graph.is_bad(*id);
        let found = map_ranges(threads, len, |range| {
            range.map(&node).filter(is_there).filter_map(matching).collect::<Vec<_>>()
        });
        found.concat()
    }

    /// Applies rules where they still match; elsewhere another rule may match.
    fn apply(&mut self, found: Vec<Match>) {
        for (id, number) in found {
            let rule = self.rules[number];
            if self.graph.is_bad(id) {
                continue;
            }
            if !(rule.matches)(&self.graph, id) {
                self.graph.enqueue(id);
                continue;
            }
            self.counts[number] += 1;
            self.graph.graph.set_origin(self.graph.graph.origin(id));
            if self.options.observe.is_none() {
                (rule.apply)(&mut self.graph, id);
                continue;
            }
            let before = in_words(&self.graph.graph, id, self.options.label);
            (rule.apply)(&mut self.graph, id);
            self.graph.apply_merges();
            let changed = self.graph.replacement.take().unwrap_or(id);
            let after = in_words(&self.graph.graph, changed, self.options.label);
            if let Some(observe) = &mut self.options.observe {
                let (graph, node, picture) = (&self.graph.graph, print::name(changed), None);
                let origin = graph.origin(id);
                observe(&Rewrite { rule: rule.name, before, after, node, origin, picture }, graph);
            }
        }
    }

    /// Removes unreachable loops with several entries, which no rule finds.
    fn remove_unreached(&mut self) {
        if !std::mem::take(&mut self.graph.has_removed_edge) {
            return;
        }
        let rule = self.rules.iter().position(|rule| rule.name == "dead-block");
        let rule = rule.expect("it cannot be switched off");
        self.graph.apply_merges();
        let graph = &self.graph.graph;
        let mut reached: SideTable<NodeId, bool> = SideTable::new(graph.len());
        reachability::reverse_postorder(graph).into_iter().for_each(|block| reached[block] = true);
        let is_lost = |id: &NodeId| graph.op(*id) == Op::Block && !reached[*id];
        let lost: Vec<_> = graph.ids().filter(is_lost).collect();
        for id in lost {
            self.counts[rule] += 1;
            self.graph.remove(id);
        }
    }
}

/// With fewer nodes, a thread costs more time than it saves.
const MIN_PARALLEL: usize = 10_000;

/// The program of the paper: all matches in the graph, one phase after the other.
impl Driver<'_> {
    fn phases(&mut self) {
        let of = |part| self.tried(|rule| rule.phase == part);
        let [constants, reassociate] = [Phase::Constants, Phase::Reassociate].map(of);
        let control = self.tried(|rule| matches!(rule.phase, Phase::Control | Phase::Dead));
        let clean = [Phase::Share, Phase::Unused, Phase::Merge].map(of);
        loop {
            let before = self.counts.iter().sum::<u64>();
            while self.once(&constants) {}
            self.once(&reassociate);
            while self.once(&control) {}
            self.remove_unreached();
            clean.iter().for_each(|tried| while self.once(tried) {});
            if self.counts.iter().sum::<u64>() == before {
                return;
            }
        }
    }

    /// Applies all matches in the graph; whether there was one.
    fn once(&mut self, tried: &Tried) -> bool {
        let found = self.find_everywhere(tried);
        self.waves += u64::from(!found.is_empty());
        let before = self.counts.iter().sum::<u64>();
        self.apply(found);
        self.graph.take_wave();
        self.counts.iter().sum::<u64>() > before
    }
}

/// A node in words: `n7: Add n5, n6`; `n7 goes` if it was removed.
fn in_words(graph: &Graph, id: NodeId, label: &Label) -> String {
    if graph.op(id) == Op::Bad {
        return format!("{} goes", print::name(id));
    }
    let operands = graph.operands(id).iter().map(|&it| print::name(it)).collect::<Vec<_>>();
    let from = if graph.op(id).is_block() { " from" } else { "" };
    let from = if operands.is_empty() { "" } else { from };
    let label = label(graph, id);
    format!("{}: {label}{from} {}", print::name(id), operands.join(", ")).trim_end().to_string()
}
