//! In which order rules are applied: waves.
use super::rewriter::Rewriter;
use super::{Folded, On, Options, Part, Rule, blocks, program, rules};
use crate::firm::graph::{Graph, NodeId};
use crate::firm::op::{Op, Place};
use crate::firm::print;
use crate::stage::Rewrite;
use arena::{Id, SideTable, map_ranges};

pub fn drive(graph: Graph, options: Options) -> (Graph, Folded) {
    let is_off = |rule: &Rule| options.without.iter().any(|name| name == rule.name);
    let (literal, program) = (options.literal, options.program);
    let belongs = |rule: &Rule| program || rule.part != Part::Program;
    let wanted = |rule: &&Rule| belongs(rule) && (!rule.is_optional() || !is_off(rule));
    let rules: Vec<_> = rules().filter(wanted).collect();
    let mut driver = Driver {
        graph: Rewriter::new(graph),
        counts: vec![0; rules.len()],
        rules,
        waves: 0,
        options,
    };
    if literal {
        driver.graph.literal = true;
        driver.as_in_the_paper()
    } else {
        driver.waves()
    }
    let counts = driver.rules.iter().map(|rule| rule.name).zip(driver.counts).collect();
    let mut graph = driver.graph.finish();
    if program {
        program::keep_endless(&mut graph);
    }
    (graph, Folded { counts, waves: driver.waves })
}

struct Driver<'o> {
    graph: Rewriter,
    rules: Vec<&'static Rule>,
    counts: Vec<u64>,
    waves: u64,
    options: Options<'o>,
}

/// Which rules are tried on each group of operations, by their numbers.
type Tried = [Vec<usize>; On::GROUPS];

/// A place where a rule fits, and the number of the rule.
type Match = (NodeId, usize);

impl Driver<'_> {
    /// Each node once, and then those that something has happened to, until nothing happens.
    fn waves(&mut self) {
        let last = [Part::Program, Part::Merge];
        let first = self.tried(|rule| !last.contains(&rule.part));
        let last = last.map(|part| self.tried(|rule| rule.part == part));
        let mut found = self.find_everywhere(&first);
        loop {
            while !found.is_empty() || !self.graph.next.is_empty() {
                self.waves += 1;
                self.apply(found);
                let wave = self.graph.take_wave();
                found = self.find(&first, wave.len(), |at| wave[at]);
            }
            self.remove_unreached();
            if self.graph.next.is_empty() {
                let mut found = last.iter().map(|tried| self.find_everywhere(tried));
                let Some(found) = found.find(|found| !found.is_empty()) else { return };
                self.apply(found);
            }
            let wave = self.graph.take_wave();
            found = self.find(&first, wave.len(), |at| wave[at]);
        }
    }

    /// The numbers of the rules that are tried on each group of operations.
    fn tried(&self, wanted: impl Fn(&Rule) -> bool) -> Tried {
        let rules = || self.rules.iter().enumerate().filter(|(_, rule)| wanted(rule));
        std::array::from_fn(|group| {
            rules().filter(|(_, rule)| rule.on.takes(group)).map(|(at, _)| at).collect()
        })
    }

    fn find_everywhere(&self, tried: &Tried) -> Vec<Match> {
        self.find(tried, self.graph.graph.len(), NodeId::from_index)
    }

    /// The first rule that fits at each of some nodes. Nothing is rewritten meanwhile, so several
    /// threads may look.
    fn find(&self, tried: &Tried, len: usize, node: impl Fn(usize) -> NodeId + Sync) -> Vec<Match> {
        let threads = if len < LITTLE { 1 } else { self.options.threads };
        let (graph, rules) = (&self.graph, &self.rules);
        let fitting = |id: NodeId| {
            let tried = &tried[On::group(graph.op(id))];
            tried.iter().find(|&&rule| (rules[rule].fits)(graph, id)).map(|&rule| (id, rule))
        };
        let is_there = |id: &NodeId| !graph.is_bad(*id);
        let found = map_ranges(threads, len, |range| {
            range.map(&node).filter(is_there).filter_map(fitting).collect::<Vec<_>>()
        });
        found.concat()
    }

    /// Applies rules where they still fit; where one does not any more, another may.
    fn apply(&mut self, found: Vec<Match>) {
        for (id, number) in found {
            let rule = self.rules[number];
            if self.graph.is_bad(id) {
                continue;
            }
            if !(rule.fits)(&self.graph, id) {
                self.graph.touch(id);
                continue;
            }
            self.counts[number] += 1;
            if self.options.observe.is_none() {
                (rule.apply)(&mut self.graph, id);
                continue;
            }
            let before = told(&self.graph.graph, id);
            (rule.apply)(&mut self.graph, id);
            self.graph.settle();
            let after = match self.graph.became.take() {
                Some(other) => told(&self.graph.graph, other),
                None => told(&self.graph.graph, id),
            };
            if let Some(observe) = &mut self.options.observe {
                observe(&Rewrite { rule: rule.name, before, after }, &self.graph.graph);
            }
        }
    }

    /// Loops with several entries may be cut off without anybody noticing: looks for them.
    fn remove_unreached(&mut self) {
        if !std::mem::take(&mut self.graph.has_cut) {
            return;
        }
        let rule = self.rules.iter().position(|rule| rule.name == "dead-block");
        let rule = rule.expect("it cannot be switched off");
        self.graph.settle();
        let graph = &self.graph.graph;
        let mut reached: SideTable<NodeId, bool> = SideTable::new(graph.len());
        blocks::reverse_postorder(graph).into_iter().for_each(|block| reached[block] = true);
        let is_lost = |id: &NodeId| graph.op(*id) == Op::Block && !reached[*id];
        let lost: Vec<_> = graph.ids().filter(is_lost).collect();
        for id in lost {
            self.counts[rule] += 1;
            self.graph.remove(id);
        }
    }
}

/// So few nodes are looked at faster than a thread is begun.
const LITTLE: usize = 10_000;

/// The program of the paper: everything that fits anywhere, one part after the other.
impl Driver<'_> {
    fn as_in_the_paper(&mut self) {
        let of = |part| self.tried(|rule| rule.part == part);
        let [data, reassociate] = [Part::Data, Part::Reassociate].map(of);
        let control = self.tried(|rule| matches!(rule.part, Part::Control | Part::Dead));
        let clean = [Part::Share, Part::Unused, Part::Merge].map(of);
        loop {
            let before = self.counts.iter().sum::<u64>();
            self.spread(&data);
            self.once(&reassociate);
            while self.once(&control) {}
            self.remove_unreached();
            clean.iter().for_each(|tried| while self.once(tried) {});
            if self.counts.iter().sum::<u64>() == before {
                return;
            }
        }
    }

    /// Waves from constants to their users, until there is none. Users are not listed: each wave
    /// is looked for everywhere.
    fn spread(&mut self, tried: &Tried) {
        while self.once(tried) {}
    }

    /// Applies all that fits anywhere now. Says whether anything did.
    fn once(&mut self, tried: &Tried) -> bool {
        let found = self.find_everywhere(tried);
        self.waves += u64::from(!found.is_empty());
        let before = self.counts.iter().sum::<u64>();
        self.apply(found);
        self.graph.take_wave();
        self.counts.iter().sum::<u64>() > before
    }
}

/// A node in words: `n7: Add n5, n6`; `n7 goes` if it is not there any more.
fn told(graph: &Graph, id: NodeId) -> String {
    if graph.op(id) == Op::Bad {
        return format!("{} goes", print::name(id));
    }
    let operands = graph.operands(id).iter().map(|&it| print::name(it)).collect::<Vec<_>>();
    let from = if graph.op(id).row().place == Place::Block { " from" } else { "" };
    let from = if operands.is_empty() { "" } else { from };
    let label = print::label(graph, id);
    format!("{}: {label}{from} {}", print::name(id), operands.join(", ")).trim_end().to_string()
}
