//! From the sea to Firm: every node of the schedule becomes operations with modes.
#[cfg(feature = "ch15")]
mod arrays;
#[cfg(feature = "ch04")]
mod conditions;
#[cfg(feature = "ch05")]
mod control;
#[cfg(feature = "ch29")]
mod counters;
#[cfg(feature = "ch05")]
mod division;
#[cfg(feature = "ch12")]
mod floats;
#[cfg(feature = "ch18")]
mod functions;
mod lowering;
#[cfg(feature = "ch10")]
mod memory;
#[cfg(feature = "ch14")]
mod widths;

#[cfg(feature = "ch14")]
use crate::arith::WORD;
use crate::firm::Mode;
use crate::schedule::Schedule;
use crate::{firm, sea};
use arena::{Id, SideTable};
#[cfg(feature = "ch05")]
use lowering::Control;
use lowering::Lowering;

/// The Firm graph of `graph`, in the order of `schedule`.
/// @ch18 Without its functions.
pub fn lower(graph: &sea::Graph, schedule: &Schedule) -> firm::Graph {
    let mut lowering = lowering(graph, schedule);
    #[cfg(feature = "ch18")]
    lowering.begin_program();
    let first_block = &lowering.schedule.order[..];
    #[cfg(feature = "ch05")]
    let first_block = &first_block[..schedule.nodes(Id::from_index(0)).len()];
    lowering.nodes(first_block);
    #[cfg(feature = "ch05")]
    lowering.blocks();
    lowering.finish();
    lowering.firm
}

/// The Firm graph of the program.
/// @ch18 And those of its functions.
pub fn lower_all(graph: &sea::Graph, schedule: &Schedule) -> Vec<firm::Graph> {
    let graphs = vec![lower(graph, schedule)];
    #[cfg(feature = "ch18")]
    let graphs = match graph.types.functions.len() {
        0 => graphs,
        _ => functions::with_functions(graphs, lowering(graph, schedule)),
    };
    graphs
}

fn lowering<'g>(graph: &'g sea::Graph, schedule: &'g Schedule) -> Lowering<'g> {
    let firm = firm::Graph::new();
    #[cfg(feature = "ch14")]
    let firm = widths::with_signature(firm, graph);
    let integer = Mode::Is;
    #[cfg(feature = "ch14")]
    let integer = if graph.types.int == WORD { integer } else { Mode::Ls };
    Lowering {
        sea: graph,
        schedule,
        block: firm.start_block,
        memory: firm.start,
        integer,
        firm,
        lowered: SideTable::new(graph.len()),
        returns: Vec::new(),
        #[cfg(feature = "ch04")]
        needed_as_value: conditions::needed_as_value(graph, schedule),
        #[cfg(feature = "ch05")]
        control: Control::new(schedule),
        #[cfg(feature = "ch05")]
        own_blocks: schedule.blocks.ids().collect(),
        #[cfg(feature = "ch15")]
        function_count: 1,
        #[cfg(feature = "ch15")]
        returned: (widths::mode_of_result(graph), 1),
        #[cfg(feature = "ch29")]
        counters: counters::counters(graph, schedule),
        #[cfg(feature = "ch14")]
        ranges: None,
        #[cfg(feature = "ch10")]
        // A load may stay where no object is created: it is never executed.
        accesses_memory: graph.ids().any(|id| {
            accesses_memory(graph.op(id))
        }),
        #[cfg(feature = "ch18")]
        functions: functions::Functions::default(),
    }
}

/// Whether an operation has a state of memory in Firm.
#[cfg(feature = "ch10")]
fn accesses_memory(op: sea::Op) -> bool {
    #[cfg(feature = "ch15")]
    if matches!(op, sea::Op::Length | sea::Op::Trap(_)) {
        return true;
    }
    #[cfg(feature = "ch18")]
    if let sea::Op::Call(_) = op {
        return true;
    }
    op.is_new() || matches!(op, sea::Op::Load(_) | sea::Op::Store(_))
}
