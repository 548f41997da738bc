//! Loops: each strongly connected component becomes a loop with one entry and one exit.
//!
//! Source: H. Bahmann, N. Reissmann, M. Jahre, J. C. Meyer, "Perfect Reconstructability of Control
//! Flow from Demand Dependence Graphs", ACM TACO 11, 2015, section 4.1. An arc that enters, repeats
//! or leaves the loop assigns q, the number of its target, and r, whether the loop is repeated. The
//! arcs inside of a component that repeat it now lead to its end, so it has no cycles of its own
//! but smaller ones, which are restructured in the same way.
use super::arcs::{ArcId, Arcs, Kind, Part, PartId, VertexId};
use super::cycles::{Cycle, CycleId, Cycles};
use super::structured::Variable;
use crate::flow_graph::Graph;
use arena::{FxHashMap, Id, SideTable};

/// The parts of a graph, without cycles. Variables from `next_variable` on are new.
pub fn loops(graph: &Graph, next_variable: u32) -> Arcs<'_> {
    let arcs = Arcs::new(graph, next_variable);
    let mut replacement =
        Replacement { arcs, cycles: Cycles::default(), known: SideTable::default() };
    let mut next = 0;
    while next < replacement.arcs.parts.len() {
        replacement.part(PartId::from_index(next));
        next += 1;
    }
    replacement.arcs
}

struct Replacement<'g> {
    arcs: Arcs<'g>,
    cycles: Cycles,
    /// The cycles of a part, if they are known.
    known: SideTable<PartId, Option<Vec<CycleId>>>,
}

impl Replacement<'_> {
    /// Replaces the cycles of a part by loops.
    fn part(&mut self, part: PartId) {
        let cycles = self.known[part].take();
        for id in cycles.unwrap_or_else(|| self.cycles.find(&mut self.arcs, part)) {
            let cycle = std::mem::take(&mut self.cycles.cycles[id]);
            self.replace(part, cycle);
        }
    }

    /// Makes a loop of a cycle.
    fn replace(&mut self, part: PartId, cycle: Cycle) {
        let Cycle { mut vertices, entries, repeating, leaving, inside } = cycle;
        let arcs = &mut self.arcs;
        let body = PartId::from_index(arcs.parts.len());
        let (q, r) = (arcs.variable(part), arcs.variable(body));
        let exit = arcs.vertex(Kind::Exit);
        let outside = arcs.vertex(Kind::Loop(body, r, q));
        let select = |entry| if entries.len() > 1 { vec![(q, entry)] } else { Vec::new() };
        for (arc, entry) in repeating {
            arcs.redirect(arc, exit, &[select(entry), vec![(r, 1)]].concat());
        }
        // The other arcs to an entry enter the cycle.
        for (&vertex, entry) in entries.iter().zip(0..) {
            for arc in arcs.vertices[vertex].into.clone() {
                if arcs.arcs[arc].to == vertex {
                    arcs.redirect(arc, outside, &select(entry));
                }
            }
        }
        let mut targets = leave(arcs, leaving, exit, (q, r));
        if targets.is_empty() {
            // An endless loop: control never takes this arc.
            targets.push(arcs.parts[part].exit);
        }
        for &target in &targets {
            arcs.arc(outside, target);
        }
        let mut entry = entries[0];
        if entries.len() > 1 {
            entry = arcs.vertex(Kind::Select(q));
            for &it in &entries {
                arcs.arc(entry, it);
            }
            vertices.push(entry);
        }
        if entries.contains(&arcs.parts[part].entry) {
            arcs.parts[part].entry = outside;
        }
        arcs.parts[part].vertices.push(outside);
        vertices.push(exit);
        self.known[body] = inside;
        arcs.parts.push(Part { vertices, entry, exit });
    }
}

/// Arcs that leave a cycle lead to the end of its body: it is not repeated. Returns the targets of
/// these arcs.
fn leave(
    arcs: &mut Arcs,
    leaving: Vec<ArcId>,
    exit: VertexId,
    (q, r): (Variable, Variable),
) -> Vec<VertexId> {
    let mut targets: Vec<VertexId> = Vec::new();
    let mut indices: FxHashMap<VertexId, i64> = FxHashMap::default();
    for arc in leaving {
        let to = arcs.arcs[arc].to;
        let index = *indices.entry(to).or_insert_with(|| {
            targets.push(to);
            targets.len() as i64 - 1
        });
        arcs.redirect(arc, exit, &[(q, index), (r, 0)]);
    }
    targets
}
