//! Legalization: operations on integers of 64 bits become operations on words, which the machine
//! has.
//!
//! 1. *Narrowing* (`narrow.rs`) finds values whose upper half is known or unused. A value in a
//!    small interval is one word that is extended by its sign or by zeros. An addition of which
//!    only the lower half is read needs only the lower halves of its operands.
//! 2. *Placement* (`placement.rs`): a loop computes no upper halves that only code after it reads.
//! 3. *Splitting* (`split.rs`) makes a low and a high word of every other value, by operations on
//!    words (`words.rs`). The carry of a sum is a comparison without sign. A machine's instructions
//!    for two words, such as `add` and `adc`, are rules with several results over these operations.
//!
//! Quotients and remainders of two words are calls of routines.
//!
//! Sources: M. Stephenson, J. Babb, S. Amarasinghe, "Bitwidth Analysis with Application to Silicon
//! Compilation", PLDI 2000; H. S. Warren, Hacker's Delight, 2-16 and 8-2.
mod narrow;
mod placement;
mod split;
mod words;

use crate::firm::{Graph, Mode, NodeId, Op, Program, renumber, sort};
use flow::dependencies;
use narrow::Narrowing;
use split::Splitting;

/// The program with words in place of all integers of 64 bits.
pub fn legalize(mut program: Program) -> Program {
    let count = program.functions.len();
    let function = |graph: Graph| if is_legal(&graph) { graph } else { legal(graph, count) };
    program.functions = program.functions.into_iter().map(function).collect();
    program
}

/// Whether all integers are words.
fn is_legal(graph: &Graph) -> bool {
    graph.ids().all(|id| graph.node(id).mode != Mode::Ls && graph.value_mode(id) != Mode::Ls)
}

/// The graph with words, in a program with this number of functions.
fn legal(mut graph: Graph, functions: usize) -> Graph {
    let mut narrowing = Narrowing::new(&graph);
    if placement::separate(&mut graph, &mut narrowing) {
        graph = sorted(&graph);
        narrowing = Narrowing::new(&graph);
    }
    sorted(&without_unused(Splitting::new(graph, narrowing, functions).run()))
}

fn sorted(graph: &Graph) -> Graph {
    sort(graph).expect("values are computed after their operands").0
}

/// The number of values of 64 bits that are one word after legalization, and that of all values of
/// 64 bits. Constants do not count.
#[cfg(feature = "ch29")]
pub fn single_values(program: &Program) -> [usize; 2] {
    let mut counts = [0, 0];
    for graph in &program.functions {
        let narrowing = Narrowing::new(graph);
        let is_counted = |&id: &NodeId| {
            graph.value_mode(id) == Mode::Ls && !matches!(graph.op(id), Op::Const(_))
        };
        for id in graph.ids().filter(is_counted) {
            counts[0] += usize::from(!narrowing.needs_high(id));
            counts[1] += 1;
        }
    }
    counts
}

/// The graph without the values that no effect and no jump follows from.
fn without_unused(graph: Graph) -> Graph {
    let is_kept = |&id: &NodeId| match graph.op(id) {
        Op::Start | Op::End | Op::Jmp | Op::Cond | Op::Return | Op::Store(_) => true,
        op => op.is_block(),
    };
    let kept: Vec<_> = graph.ids().filter(is_kept).collect();
    let used = dependencies(kept, graph.len(), |id| graph.operands(id).iter().copied());
    let order: Vec<_> = graph.ids().filter(|&id| used[id]).collect();
    renumber(&graph, &order)
}

#[cfg(test)]
pub mod tests;
