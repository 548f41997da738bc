//! Regions have the meaning of their control-flow graphs.
use super::arcs::{Kind, VertexId};
use super::loops::loops;
use super::restructure;
use crate::effort::programs;
use crate::flow_graph::{Block, BlockId, End, Graph, Instruction, Operand, Operation, eval, parse};
use crate::random::Random;
use crate::region::{self, Operator};
use crate::stage::{Artifact, Outcome, Termination};
use arena::Id;
use source::Span;

/// Whether two outcomes are equal. Places of faults differ, and so do the steps up to the limit.
pub fn agrees(flow: &Outcome, regions: &Outcome) -> bool {
    match (&flow.end, &regions.end) {
        (Termination::OutOfSteps, Termination::OutOfSteps) => {
            let (a, b) = (&flow.output, &regions.output);
            a.starts_with(b) || b.starts_with(a)
        }
        (Termination::Fault { reason: a, .. }, Termination::Fault { reason: b, .. }) => {
            a == b && flow.output == regions.output
        }
        _ => flow == regions,
    }
}

/// The number of loops with several entries, in which a switch on the entry is added.
pub fn irreducible_loops(graph: &Graph) -> usize {
    let arcs = loops(graph, 0);
    let is_select = |it: &VertexId| matches!(arcs.vertices[*it].kind, Kind::Select(_));
    arcs.vertices.ids().filter(is_select).count()
}

/// More steps than a random graph takes that ends.
pub const STEPS: u64 = 20_000;

#[track_caller]
fn check_graph(graph: &Graph, arguments: &[i64]) {
    assert_eq!(graph.verify(), [], "{}", graph.print());
    let regions = restructure(graph).expect("it is not too large");
    assert_eq!(regions.verify(), [], "{}\n{}", graph.print(), regions.print());
    let expected = eval(graph, arguments, STEPS);
    let limit = if expected.end == Termination::OutOfSteps { STEPS / 5 } else { 100 * STEPS };
    let found = region::eval(&regions, arguments, limit);
    let both = || format!("{arguments:?}\n{}\n{}", graph.print(), regions.print());
    assert!(agrees(&expected, &found), "{expected:?}\n{found:?}\n{}", both());
}

#[track_caller]
fn check(text: &str, arguments: &[i64], expected: &[i64]) {
    let graph = parse(text).expect(text);
    assert_eq!(graph.eval_all(arguments), Some(Outcome::values(expected)), "{text}");
    check_graph(&graph, arguments);
}

#[test]
fn loops_and_branches() {
    let gcd = "function -> a b\nlabel top\n% a b -> r\nmov b -> a\nmov r -> b\n> b 0 -> c\n\
        switch c end top\nlabel end\nreturn a\n";
    check(gcd, &[48, 36], &[12]);
    check(gcd, &[17, 5], &[1]);
    let irreducible = "function -> a b\n> a b -> c\nswitch c one two\nlabel one\n+ a 3 -> a\n\
        > a 50 -> c\nswitch c two end\nlabel two\n+ b 5 -> b\n* a 2 -> a\n> b 60 -> c\n\
        switch c one end\nlabel end\n+ a b -> r\nreturn r\n";
    (0..5).for_each(|a| check_graph(&parse(irreducible).expect("a program"), &[a, 3]));
    let returns = "function -> a\n> a 10 -> c\nswitch c small large\nlabel small\nreturn 1 a\n\
        label large\nreturn 2 0\n";
    check(returns, &[3], &[1, 3]);
    check(returns, &[30], &[2, 0]);
    let repeated = "function -> a\nlabel x\nuse a\n- a 1 -> a\nswitch a y x\nlabel y\nreturn a";
    (0..4).for_each(|a| check_graph(&parse(repeated).expect("a program"), &[a]));
}

/// A random graph; each block has up to three targets.
pub fn random_graph(random: &mut Random, blocks: usize) -> Graph {
    let mut graph = Graph::default();
    let variables: Vec<_> =
        ["a", "b", "c"].iter().map(|name| graph.variables.push(name.to_string())).collect();
    graph.parameters = variables.clone();
    for label in 0..blocks {
        let operand = |random: &mut Random| match random.below(3) {
            0 => Operand::Number(random.below(7) as i64 - 3),
            _ => Operand::Variable(random.pick(&variables)),
        };
        let count = random.below(3);
        let words = ["+", "-", "*", ">", "&", "%", "/", "="];
        let instruction = |random: &mut Random| {
            let operation = match random.below(9) {
                0 => Operation::Use,
                1 => Operation::Copy,
                _ => {
                    let word = words[random.below(words.len())];
                    Operation::Operator(Operator::of_word(word).expect("an operator"))
                }
            };
            let operands = if operation == Operation::Copy { 1 } else { 2 };
            let operands = (0..operands).map(|_| operand(random)).collect();
            let (result, origin) = (Some(random.pick(&variables)), Span::default());
            Instruction { operation, operands, result, origin }
        };
        let instructions = (0..count).map(|_| instruction(random)).collect();
        let target = |random: &mut Random| Id::from_index(random.below(blocks));
        let end = match random.below(8) {
            0 => End::Return(vec![operand(random), operand(random)]),
            1..=2 => End::Goto(target(random)),
            targets => {
                let count = if targets > 5 { 3 } else { 2 };
                let on = Operand::Variable(random.pick(&variables));
                End::Switch(on, (0..count).map(|_| target(random)).collect())
            }
        };
        let (label, end_origin) = (format!("l{label}"), Span::default());
        graph.blocks.push(Block { label, instructions, end, end_origin });
    }
    if graph.blocks.ids().all(|id| !matches!(graph.blocks[id].end, End::Return(_))) {
        let last = Id::from_index(blocks - 1);
        graph.blocks[last].end = End::Return(vec![Operand::Variable(variables[0]); 2]);
    }
    graph
}

/// A smaller graph that still fails: without instructions, targets and variables that it does not
/// need.
pub fn reduced(graph: &Graph, fails: impl Fn(&Graph) -> bool) -> Graph {
    let (mut graph, mut is_smaller) = (graph.clone(), true);
    while is_smaller {
        is_smaller = false;
        for block in graph.reachable() {
            for candidate in smaller_blocks(&graph.blocks[block]) {
                let mut smaller = graph.clone();
                smaller.blocks[block] = candidate;
                if smaller.reachable().len() <= graph.reachable().len() && fails(&smaller) {
                    (graph, is_smaller) = (smaller, true);
                    break;
                }
            }
        }
    }
    graph
}

/// The block with one instruction or one target less.
fn smaller_blocks(block: &Block) -> Vec<Block> {
    let mut blocks = Vec::new();
    for at in 0..block.instructions.len() {
        let mut smaller = block.clone();
        smaller.instructions.remove(at);
        blocks.push(smaller);
    }
    let End::Switch(on, targets) = &block.end else { return blocks };
    for at in 0..targets.len() {
        let mut targets = targets.clone();
        targets.remove(at);
        let end = match targets[..] {
            [target] => End::Goto(target),
            _ => End::Switch(*on, targets),
        };
        blocks.push(Block { end, ..block.clone() });
    }
    blocks
}

/// The graph as text without the blocks that control cannot reach.
pub fn shown(graph: &Graph) -> String {
    let is_reachable = graph.reachable();
    let mut small = Graph { blocks: Default::default(), ..graph.clone() };
    let number = |it: BlockId| is_reachable.iter().position(|&other| other == it);
    let renumbered = |it: &BlockId| Id::from_index(number(*it).expect("it is reachable"));
    for &block in &is_reachable {
        let mut block = graph.blocks[block].clone();
        block.end = match &block.end {
            End::Goto(target) => End::Goto(renumbered(target)),
            End::Switch(on, targets) => End::Switch(*on, targets.iter().map(renumbered).collect()),
            End::Return(values) => End::Return(values.clone()),
        };
        small.blocks.push(block);
    }
    small.print()
}

/// The number of random graphs. Fewer have no variety.
pub fn graphs() -> u64 {
    programs(100).max(100)
}

/// Passes small random graphs to `check`, each with several lists of arguments.
pub fn check_small_graphs(check: impl Fn(&Graph, &[i64])) {
    for seed in 0..graphs() {
        let mut random = Random::new(seed);
        let blocks = 3 + random.below(10);
        let graph = random_graph(&mut random, blocks);
        (0..4).for_each(|_| check(&graph, &random_arguments(&mut random)));
    }
}

/// Passes random graphs of 100 blocks to `check`.
pub fn check_large_graphs(check: impl Fn(&Graph, &[i64])) {
    for seed in 0..graphs().div_ceil(10) {
        let mut random = Random::new(seed);
        let graph = random_graph(&mut random, 100);
        check(&graph, &random_arguments(&mut random));
    }
}

pub fn random_arguments(random: &mut Random) -> [i64; 3] {
    std::array::from_fn(|_| random.below(9) as i64 - 3)
}

#[test]
fn random_graphs_agree() {
    check_small_graphs(check_graph);
}

#[test]
fn large_random_graphs_agree() {
    check_large_graphs(check_graph);
}

/// Blocks that are executed one after the other, each with a branch.
#[test]
fn long_and_deep_graphs() {
    let mut text = "function -> a\n".to_string();
    for at in 0..20_000 {
        text +=
            &format!("switch a x{at} y{at}\nlabel x{at}\n+ a 2 -> a\nlabel y{at}\n- a 1 -> a\n");
    }
    check_graph(&parse(&(text + "return a\n")).expect("a program"), &[0]);
    let mut text = "function -> a\n".to_string();
    (0..2_000).for_each(|at| text += &format!("label x{at}\n+ a 1 -> a\n"));
    for at in (0..2_000).rev() {
        text += &format!("> a {} -> c\nswitch c x{at} e{at}\nlabel e{at}\n", 3 * at);
    }
    check_graph(&parse(&(text + "return a\n")).expect("a program"), &[0]);
}
