//! The cycles of a part, which become loops: its strongly connected components.
//!
//! If all cycles inside of a component have one entry, too, they are natural loops and found at
//! once: the body of each would have to be searched again otherwise.
use super::arcs::{ArcId, Arcs, PartId, VertexId};
use arena::{Arena, FxHashMap, Id, ListTable, SideTable, id};
use flow::{ComponentSearch, Loops, reverse_postorder};

id! {
    /// A cycle.
    CycleId
}
id! {
    /// The number of a vertex in its component.
    Local
}

#[derive(Clone, Default)]
pub struct Cycle {
    /// Its vertices, without those of the cycles inside that are known.
    pub vertices: Vec<VertexId>,
    /// The vertices at which control enters it.
    pub entries: Vec<VertexId>,
    /// The arcs inside of it to an entry, with the number of the entry.
    pub repeating: Vec<(ArcId, i64)>,
    pub leaving: Vec<ArcId>,
    /// The cycles inside, if they are known.
    pub inside: Option<Vec<CycleId>>,
}

/// The cycles that were found so far.
#[derive(Default)]
pub struct Cycles {
    pub cycles: Arena<CycleId, Cycle>,
    /// For each vertex of a part that is searched, the number of its component.
    component: SideTable<VertexId, u32>,
    search: ComponentSearch<VertexId>,
}

impl Cycles {
    /// The cycles of a part, whose vertices are taken out of it.
    pub fn find(&mut self, arcs: &mut Arcs, part: PartId) -> Vec<CycleId> {
        let target = |arc: &ArcId| arcs.arcs[*arc].to;
        let next = |from: VertexId, at: usize| arcs.vertices[from].out.get(at).map(target);
        let mut components = Vec::new();
        self.search.run(arcs.parts[part].entry, next, |found| components.push(found.to_vec()));
        self.search.forget(components.iter().flatten().copied());
        components.retain(|component| {
            let repeats = |&arc: &ArcId| arcs.arcs[arc].to == component[0];
            component.len() > 1 || arcs.vertices[component[0]].out.iter().any(repeats)
        });
        for (component, number) in components.iter().zip(1..) {
            component.iter().for_each(|&vertex| self.component[vertex] = number);
        }
        let cycles = components.iter().map(|it| self.cycle(arcs, part, it)).collect();
        let is_outside = |vertex: &VertexId| self.component[*vertex] == 0;
        arcs.parts[part].vertices.retain(is_outside);
        components.iter().flatten().for_each(|&vertex| self.component[vertex] = 0);
        cycles
    }

    /// The cycle of a component.
    fn cycle(&mut self, arcs: &Arcs, part: PartId, component: &[VertexId]) -> CycleId {
        let is_inside = |vertex| self.component[vertex] == self.component[component[0]];
        let mut cycle = Cycle { vertices: component.to_vec(), ..Cycle::default() };
        for &vertex in component {
            let into = arcs.vertices[vertex].into.iter().copied();
            let (inside, outside): (Vec<_>, Vec<_>) = into
                .filter(|it| arcs.arcs[*it].to == vertex)
                .partition(|it| is_inside(arcs.arcs[*it].from));
            if !outside.is_empty() || vertex == arcs.parts[part].entry {
                let index = cycle.entries.len() as i64;
                cycle.repeating.extend(inside.into_iter().map(|arc| (arc, index)));
                cycle.entries.push(vertex);
            }
        }
        let out = component.iter().flat_map(|&vertex| &arcs.vertices[vertex].out);
        let leaves = |it: &ArcId| !is_inside(arcs.arcs[*it].to);
        cycle.leaving = out.copied().filter(leaves).collect();
        let outermost = match cycle.entries[..] {
            [entry] => self.natural_loops(arcs, component, entry),
            _ => None,
        };
        outermost.unwrap_or_else(|| self.cycles.push(cycle))
    }

    /// The cycles of a component, if each has one entry. Returns the outermost one.
    fn natural_loops(
        &mut self,
        arcs: &Arcs,
        component: &[VertexId],
        entry: VertexId,
    ) -> Option<CycleId> {
        let count = component.len();
        let locals = (0..count).map(Local::from_index);
        let local: FxHashMap<_, _> = component.iter().copied().zip(locals.clone()).collect();
        let target = |arc: ArcId| local.get(&arcs.arcs[arc].to).copied();
        let out = |from: Local| arcs.vertices[component[from.index()]].out.iter().copied();
        let inside = |from: Local| out(from).filter_map(target).map(move |to| (from, to));
        let pairs: Vec<(Local, Local)> = locals.clone().flat_map(inside).collect();
        let successors = ListTable::group(count, pairs.iter().copied());
        let predecessors = ListTable::group(count, pairs.iter().map(|&(from, to)| (to, from)));
        let successor = |from: Local, at: usize| successors[from].get(at).copied();
        let order = reverse_postorder(local[&entry], count, successor);
        let loops = Loops::find(&predecessors, &order, count);
        if !loops.is_reducible() {
            return None;
        }
        let mut cycles: SideTable<Local, Cycle> = SideTable::new(count);
        for from in locals {
            let vertex = component[from.index()];
            let innermost = loops.innermost(from).expect("a component is a loop");
            cycles[innermost].vertices.push(vertex);
            for arc in out(from) {
                let to = target(arc);
                loops.left(from, to).for_each(|it| cycles[it].leaving.push(arc));
                if let Some(to) = to.filter(|it| loops.is_back(from, *it)) {
                    cycles[to].repeating.push((arc, 0));
                }
            }
        }
        let mut inside_of: SideTable<Local, Vec<CycleId>> = SideTable::new(count);
        let headers = order.iter().rev().filter(|it| loops.innermost(**it) == Some(**it));
        let numbers = headers.map(|&header| {
            let entries = vec![component[header.index()]];
            let cycle = Cycle { entries, ..std::mem::take(&mut cycles[header]) };
            // The cycles inside of it are there already.
            let inside = std::mem::take(&mut inside_of[header]);
            let number = self.cycles.push(Cycle { inside: Some(inside), ..cycle });
            if let Some(around) = loops.around(header).nth(1) {
                inside_of[around].push(number);
            }
            number
        });
        numbers.last()
    }
}
