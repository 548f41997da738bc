//! Folding keeps the meaning of graphs, and nothing is left to do behind it.
use super::{Folded, Options, fold, rules};
use crate::firm::case::{self, Strictness};
use crate::firm::flow::blocks;
use crate::firm::generate::{Diamonds, Straight, diamonds, straight, structured, tree};
use crate::firm::graph::{Graph, NodeId};
use crate::firm::op::Op;
use crate::firm::{eval, ordered, print, verify_flow};
use crate::stage::{Outcome, Termination};
use arena::SideTable;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A number that tells graphs apart, but not by the order of their nodes.
pub fn digest(graph: &Graph) -> u64 {
    let hash = |thing: &dyn Fn(&mut DefaultHasher)| {
        let mut hasher = DefaultHasher::new();
        thing(&mut hasher);
        hasher.finish()
    };
    let mut colors: SideTable<NodeId, u64> = SideTable::new(graph.len());
    for id in graph.ids() {
        colors[id] = hash(&|it| (print::label(graph, id), graph.node(id).mode).hash(it));
    }
    for _ in 0..6 {
        let mut users: SideTable<NodeId, Vec<u64>> = SideTable::new(graph.len());
        let mut next = colors.clone();
        for id in graph.ids() {
            let operands = graph.operands(id).iter().enumerate();
            for (at, &operand) in operands {
                let way = graph.way(id, at);
                users[operand].push(hash(&|it| (at, way, colors[id]).hash(it)));
            }
            users[graph.node(id).block].push(hash(&|it| ("in", colors[id]).hash(it)));
        }
        for id in graph.ids() {
            users[id].sort_unstable();
            let operands = graph.operands(id).iter().map(|&it| colors[it]).collect::<Vec<_>>();
            let block = colors[graph.node(id).block];
            next[id] = hash(&|it| (colors[id], &operands, block, &users[id]).hash(it));
        }
        colors = next;
    }
    let mut all: Vec<_> = graph.ids().map(|id| colors[id]).collect();
    all.sort_unstable();
    hash(&|it| all.hash(it))
}

fn folded(graph: &Graph) -> (Graph, Folded) {
    fold(graph.clone(), Options::default())
}

/// How many nodes and edges a graph has, with the edges to blocks.
fn size(graph: &Graph) -> [usize; 2] {
    let inside = graph.ids().filter(|&id| graph.node(id).block != id).count();
    [graph.len(), graph.operand_count() + inside]
}

/// The constant that is returned, if it is one.
fn returned(graph: &Graph) -> Option<i64> {
    let ends = graph.ids().find(|&id| graph.op(id) == Op::Return)?;
    match graph.op(graph.operands(ends)[1]) {
        Op::Const(value) => Some(value),
        _ => None,
    }
}

fn run(graph: &Graph, arguments: &[i64]) -> Outcome {
    eval(&ordered(graph).expect("it has an order"), arguments)
}

#[track_caller]
fn check(graph: &Graph, name: &str) -> Graph {
    let (once, counts) = folded(graph);
    assert_eq!(case::verify(&once, Strictness::Program, 1), [], "{name}");
    let (again, nothing) = folded(&once);
    assert_eq!(nothing.rewrites(), 0, "{name}: {nothing:?} behind {counts:?}");
    assert_eq!(digest(&again), digest(&once), "{name}");
    let (literal, _) = fold(graph.clone(), Options { literal: true, ..Options::default() });
    assert_eq!(size(&literal), size(&once), "{name}");
    assert_eq!(digest(&literal), digest(&once), "{name}");
    for threads in [2, 3] {
        let (other, same) = fold(graph.clone(), Options { threads, ..Options::default() });
        assert_eq!((print::print(&other), same), (print::print(&once), counts.clone()), "{name}");
    }
    once
}

/// How many of the programs are tried; `PROGRAMS=2000` tries more.
fn programs() -> u64 {
    std::env::var("PROGRAMS").ok().and_then(|count| count.parse().ok()).unwrap_or(150)
}

const ARGUMENTS: [[i64; 2]; 4] = [[0, 0], [5, -3], [-2_147_483_648, 7], [123_456_789, 1]];

#[test]
fn programs_do_the_same_when_they_are_folded() {
    let (mut ended, mut smaller) = (0, 0);
    for seed in 1..=programs() {
        let graph = structured(seed, 20 + (seed as usize % 60) * 6);
        let once = check(&graph, &format!("program {seed}"));
        smaller += u64::from(once.len() < graph.len());
        for arguments in ARGUMENTS {
            let before = run(&graph, &arguments);
            if before.end != Termination::OutOfSteps {
                ended += 1;
                assert_eq!(run(&once, &arguments), before, "program {seed} of {arguments:?}");
            }
        }
    }
    assert!(smaller > programs() * 9 / 10 && ended > programs(), "{smaller} {ended}");
}

#[test]
fn a_tree_of_constants_is_one() {
    let graph = tree(14, 1).expect("it is not too deep");
    assert_eq!(size(&graph), [25_827, 51_649]);
    let once = check(&graph, "tree");
    assert_eq!((size(&once), returned(&once)), ([7, 9], Some(618_140_250)));
}

#[test]
fn diamonds_of_constants_are_a_number() {
    for (chained, value) in [(false, 1000), (true, 2)] {
        let graph = diamonds(&Diamonds { count: 1000, constant: true, chained });
        assert_eq!(size(&graph), [11_007, 19_008]);
        let (once, _) = folded(&graph);
        assert_eq!((size(&once), returned(&once)), ([7, 8], Some(value)));
    }
    let graph = diamonds(&Diamonds { count: 1000, constant: false, chained: true });
    assert_eq!(size(&graph), [11_007, 19_010]);
    assert_eq!(size(&check(&graph, "diamonds")), [9_009, 17_012]);
}

#[test]
fn straight_code_is_folded_here_and_there() {
    for (wanted, size_before, size_after) in [
        (Straight::of(2564), [2_564, 7_573], [2_567, 7_570]),
        (Straight::of(27_993), [27_993, 82_839], [28_008, 82_802]),
    ] {
        let graph = straight(&wanted, 1).expect("it is possible");
        assert_eq!(size(&graph), size_before);
        assert_eq!(size(&check(&graph, "straight")), size_after);
    }
}

/// In the paper a sum of two constants is a node of its own, until the next wave folds it.
#[test]
fn literally_constants_that_meet_are_folded_by_the_next_wave() {
    for seed in 1..=5 {
        let graph = straight(&Straight::of(27_993), seed).expect("it is possible");
        let [plain, literal] = [false, true].map(|literal| {
            let (_, counts) = fold(graph.clone(), Options { literal, ..Options::default() });
            let of = |rule| counts.counts.iter().find(|it| it.0 == rule).map_or(0, |it| it.1);
            ["reassociate", "fold-binary"].map(of)
        });
        assert!(plain[0] > 0 && plain[1] == 0, "{plain:?}");
        assert_eq!(literal[1], literal[0], "{literal:?}");
    }
}

fn as_program(graph: &Graph) -> (Graph, Folded) {
    fold(graph.clone(), Options { program: true, ..Options::default() })
}

#[test]
fn programs_of_the_compiler_choose_in_phis_and_keep_what_never_ends() {
    for seed in 1..=programs() {
        let graph = structured(seed, 20 + (seed as usize % 60) * 6);
        let (once, _) = as_program(&graph);
        assert_eq!(case::verify(&once, Strictness::Program, 1), [], "program {seed}");
        let phis = once.ids().filter(|&id| once.op(id) == Op::Phi);
        let alone = phis.filter(|&id| once.operands(id).len() < 2);
        assert_eq!(alone.collect::<Vec<_>>(), [], "program {seed}");
        let ends = verify_flow::left(&once);
        assert!(blocks(&once).all(|block| ends[block]), "program {seed}");
        assert_eq!(as_program(&once).1.rewrites(), 0, "program {seed}");
        for arguments in ARGUMENTS {
            let before = run(&graph, &arguments);
            if before.end != Termination::OutOfSteps {
                assert_eq!(run(&once, &arguments), before, "program {seed} of {arguments:?}");
            }
        }
    }
}

/// Without any single rule that may be switched off, programs keep their meaning too.
#[test]
fn each_rule_is_of_use_and_none_is_needed() {
    let off = rules().filter(|rule| rule.is_optional()).map(|rule| [rule.name.to_string()]);
    let off: Vec<_> = off.collect();
    let mut applied = vec![0; rules().count()];
    let programs = (1..=programs() / 5).map(|seed| structured(seed, 20 + seed as usize % 60 * 6));
    for (seed, graph) in programs.chain(tree(5, 1)).enumerate() {
        let (_, counts) = as_program(&graph);
        applied.iter_mut().zip(&counts.counts).for_each(|(sum, (_, count))| *sum += count);
        let before = run(&graph, &ARGUMENTS[1]);
        for without in off.iter().filter(|_| before.end != Termination::OutOfSteps) {
            let (once, _) = fold(graph.clone(), Options { without, ..Options::default() });
            assert_eq!(case::verify(&once, Strictness::Program, 1), [], "{seed} {without:?}");
            assert_eq!(run(&once, &ARGUMENTS[1]), before, "{seed} {without:?}");
        }
    }
    let names = rules().map(|rule| rule.name).zip(applied);
    assert_eq!(names.filter(|(_, count)| *count == 0).collect::<Vec<_>>(), []);
}
