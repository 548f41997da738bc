//! Folding keeps the results of programs, and no rule matches after it.
use super::generate::{
    Diamonds, StraightLine, diamonds, expression_tree, straight_line, structured,
};
use super::{FoldOptions, Folded, Graph, Strictness, Symbols, fold, verify};
use crate::effort::programs;
use crate::firm::fold::rules;
use crate::firm::{self, NodeId, Op, blocks};
use crate::stage::{Artifact, Outcome, Termination};
use arena::SideTable;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A hash of a graph that does not depend on the order of its nodes.
fn digest(labelled: &Graph) -> u64 {
    let graph = &labelled.firm;
    let hash = |thing: &dyn Fn(&mut DefaultHasher)| {
        let mut hasher = DefaultHasher::new();
        thing(&mut hasher);
        hasher.finish()
    };
    let mut colors: SideTable<NodeId, u64> = SideTable::new(graph.len());
    for id in graph.ids() {
        colors[id] = hash(&|it| (labelled.label(id), graph.node(id).mode).hash(it));
    }
    for _ in 0..6 {
        let mut users: SideTable<NodeId, Vec<u64>> = SideTable::new(graph.len());
        let mut next = colors.clone();
        for id in graph.ids() {
            let operands = graph.operands(id).iter().enumerate();
            for (at, &operand) in operands {
                let kind = graph.edge_kind(id, at);
                users[operand].push(hash(&|it| (at, kind, colors[id]).hash(it)));
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
    fold(graph.clone(), FoldOptions::default())
}

/// How many nodes and edges a graph has, with the edges to blocks.
fn size(Graph { firm: graph, .. }: &Graph) -> [usize; 2] {
    let inside = graph.ids().filter(|&id| graph.node(id).block != id).count();
    [graph.len(), graph.operand_count() + inside]
}

/// The constant that is returned, if it is one.
fn returned(Graph { firm: graph, .. }: &Graph) -> Option<i64> {
    let ends = graph.ids().find(|&id| graph.op(id) == Op::Return)?;
    match graph.op(graph.operands(ends)[1]) {
        Op::Const(value) => Some(value),
        _ => None,
    }
}

fn run(graph: &Graph, arguments: &[i64]) -> Outcome {
    graph.run(arguments).expect("it has an order")
}

#[track_caller]
fn check(graph: &Graph, name: &str) -> Graph {
    let (once, counts) = folded(graph);
    assert_eq!(verify(&once, Strictness::Program, 1), [], "{name}");
    let (again, nothing) = folded(&once);
    assert_eq!(nothing.rewrites(), 0, "{name}: {nothing:?} behind {counts:?}");
    assert_eq!(digest(&again), digest(&once), "{name}");
    let (paper, _) =
        fold(graph.clone(), FoldOptions { paper_order: true, ..FoldOptions::default() });
    assert_eq!(size(&paper), size(&once), "{name}");
    assert_eq!(digest(&paper), digest(&once), "{name}");
    for threads in [2, 3] {
        let (other, same) = fold(graph.clone(), FoldOptions { threads, ..FoldOptions::default() });
        assert_eq!((other.print(), same), (once.print(), counts.clone()), "{name}");
    }
    once
}

/// The number of programs. Fewer have no variety.
fn count() -> u64 {
    programs(150).max(150)
}

const ARGUMENTS: [[i64; 2]; 4] = [[0, 0], [5, -3], [-2_147_483_648, 7], [123_456_789, 1]];

#[test]
fn programs_do_the_same_when_they_are_folded() {
    let (mut ended, mut smaller) = (0, 0);
    for seed in 1..=count() {
        let graph = structured(seed, 20 + (seed as usize % 60) * 6);
        let once = check(&graph, &format!("program {seed}"));
        smaller += u64::from(once.firm.len() < graph.firm.len());
        for arguments in ARGUMENTS {
            let before = run(&graph, &arguments);
            if before.end != Termination::OutOfSteps {
                ended += 1;
                assert_eq!(run(&once, &arguments), before, "program {seed} of {arguments:?}");
            }
        }
    }
    assert!(smaller > count() * 9 / 10 && ended > count(), "{smaller} {ended}");
}

#[test]
fn a_tree_of_constants_is_one() {
    let graph = expression_tree(14, 1).expect("it is not too deep");
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
    for (counts, size_before, size_after) in [
        (StraightLine::of(2564), [2_564, 7_573], [2_567, 7_570]),
        (StraightLine::of(27_993), [27_993, 82_839], [28_008, 82_802]),
    ] {
        let graph = straight_line(&counts, 1).expect("it is possible");
        assert_eq!(size(&graph), size_before);
        assert_eq!(size(&check(&graph, "straight")), size_after);
    }
}

/// In the paper a sum of two constants is a node of its own, until the next wave folds it.
#[test]
fn paperly_constants_that_meet_are_folded_by_the_next_wave() {
    for seed in 1..=5 {
        let graph = straight_line(&StraightLine::of(27_993), seed).expect("it is possible");
        let [plain, paper] = [false, true].map(|paper_order| {
            let (_, counts) =
                fold(graph.clone(), FoldOptions { paper_order, ..FoldOptions::default() });
            let of = |rule| counts.counts.iter().find(|it| it.0 == rule).map_or(0, |it| it.1);
            ["reassociate", "fold-binary"].map(of)
        });
        assert!(plain[0] > 0 && plain[1] == 0, "{plain:?}");
        assert_eq!(paper[1], paper[0], "{paper:?}");
    }
}

fn as_program(graph: &Graph) -> (Graph, Folded) {
    fold(graph.clone(), FoldOptions { program: true, ..FoldOptions::default() })
}

#[test]
fn programs_of_the_compiler_choose_in_phis_and_keep_what_never_ends() {
    for seed in 1..=count() {
        let graph = structured(seed, 20 + (seed as usize % 60) * 6);
        let (once, _) = as_program(&graph);
        assert_eq!(verify(&once, Strictness::Program, 1), [], "program {seed}");
        let phis = once.firm.ids().filter(|&id| once.firm.op(id) == Op::Phi);
        let alone = phis.filter(|&id| once.firm.operands(id).len() < 2);
        assert_eq!(alone.collect::<Vec<_>>(), [], "program {seed}");
        let leaves = firm::reaches_end(&once.firm);
        assert!(blocks(&once.firm).all(|block| leaves[block]), "program {seed}");
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
    let programs =
        (1..=count().div_ceil(5)).map(|seed| structured(seed, 20 + seed as usize % 60 * 6));
    for (seed, graph) in programs.chain(expression_tree(5, 1)).enumerate() {
        let (_, counts) = as_program(&graph);
        applied.iter_mut().zip(&counts.counts).for_each(|(sum, (_, count))| *sum += count);
        let before = run(&graph, &ARGUMENTS[1]);
        for without in off.iter().filter(|_| before.end != Termination::OutOfSteps) {
            let (once, _) = fold(graph.clone(), FoldOptions { without, ..FoldOptions::default() });
            assert_eq!(verify(&once, Strictness::Program, 1), [], "{seed} {without:?}");
            assert_eq!(run(&once, &ARGUMENTS[1]), before, "{seed} {without:?}");
        }
    }
    let names = rules().map(|rule| rule.name).zip(applied);
    assert_eq!(names.filter(|(_, count)| *count == 0).collect::<Vec<_>>(), []);
}

#[test]
fn a_name_keeps_its_number() {
    let mut symbols = Symbols::default();
    assert_eq!(["a", "b", "a"].map(|name| symbols.number(name)), [0, 1, 0]);
    assert_eq!([symbols.name(0), symbols.name(1)], ["a", "b"]);
}
