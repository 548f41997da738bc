//! Loops: each strongly connected component becomes a loop with one entry and one exit.
//!
//! Source: H. Bahmann, N. Reissmann, M. Jahre, J. C. Meyer, "Perfect Reconstructability of Control
//! Flow from Demand Dependence Graphs", ACM TACO 11, 2015, section 4.1. An arc that enters, repeats
//! or leaves the loop assigns q, the number of its target, and r, whether the loop is repeated. The
//! arcs inside of a component that repeat it now lead to its end, so it has no cycles of its own
//! but smaller ones, which are restructured in the same way.
use super::structured::{Predicate, Variable};
use crate::flow_graph::{BlockId, End, Graph};
use arena::{Arena, FxHashMap, Id, SideTable, id};

id! {
    /// A vertex.
    VertexId
}
id! {
    /// An arc from a vertex to a vertex.
    ArcId
}
id! {
    /// A part of the graph with one entry and one exit.
    PartId
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Block(BlockId),
    /// Selects one of its arcs by a variable.
    Select(Variable),
    /// A loop: its body, whether it is repeated, and the variable that selects its exit.
    Loop(PartId, Variable, Variable),
    /// The end of a part.
    Exit,
}

#[derive(Clone, Debug)]
pub struct Vertex {
    pub kind: Kind,
    pub out: Vec<ArcId>,
    /// All arcs that ever led to it.
    into: Vec<ArcId>,
}

#[derive(Clone, Debug)]
pub struct Arc {
    pub from: VertexId,
    pub to: VertexId,
    /// Control that takes the arc assigns these.
    pub assigns: Vec<(Variable, i64)>,
}

#[derive(Clone, Debug)]
pub struct Part {
    pub vertices: Vec<VertexId>,
    pub entry: VertexId,
    pub exit: VertexId,
}

pub struct Arcs<'g> {
    pub graph: &'g Graph,
    pub vertices: Arena<VertexId, Vertex>,
    pub arcs: Arena<ArcId, Arc>,
    /// The whole graph is the first part, and each loop is another one. None has cycles.
    pub parts: Arena<PartId, Part>,
    /// The part of each new variable: outside of it, the variable has no meaning.
    pub homes: FxHashMap<Variable, PartId>,
    component: SideTable<VertexId, u32>,
    components: u32,
    next_variable: u32,
    search: Search,
}

/// The parts of a graph. Variables from `next_variable` on are new.
pub fn loops(graph: &Graph, next_variable: u32) -> Arcs<'_> {
    let mut arcs = Arcs {
        graph,
        vertices: Arena::default(),
        arcs: Arena::default(),
        parts: Arena::default(),
        homes: FxHashMap::default(),
        component: SideTable::default(),
        components: 0,
        next_variable,
        search: Search::default(),
    };
    arcs.whole_graph();
    let mut next = 0;
    while next < arcs.parts.len() {
        arcs.part(PartId::from_index(next));
        next += 1;
    }
    arcs
}

impl Arcs<'_> {
    /// A new variable of a part.
    pub fn variable(&mut self, home: PartId) -> Variable {
        self.next_variable += 1;
        let variable = Variable::from_index(self.next_variable as usize - 1);
        self.homes.insert(variable, home);
        variable
    }

    pub fn predicate(&self, vertex: VertexId) -> Predicate {
        match self.vertices[vertex].kind {
            Kind::Select(variable) | Kind::Loop(_, _, variable) => Predicate::Variable(variable),
            Kind::Block(block) => match self.graph.blocks[block].end {
                End::Switch(operand, _) => Predicate::Operand(operand),
                End::Goto(_) | End::Return(_) => unreachable!("it has one arc"),
            },
            Kind::Exit => unreachable!("it has no arcs"),
        }
    }

    fn whole_graph(&mut self) {
        let order = self.graph.reachable();
        let mut of: SideTable<BlockId, Option<VertexId>> = SideTable::default();
        for &block in &order {
            of[block] = Some(self.vertex(Kind::Block(block)));
        }
        let exit = self.vertex(Kind::Exit);
        for &block in &order {
            let from = of[block].expect("it was added");
            let graph = self.graph;
            for &target in graph.blocks[block].end.targets() {
                let to = of[target].expect("a successor is reachable");
                self.arc(from, to);
            }
            if graph.blocks[block].end.targets().is_empty() {
                self.arc(from, exit);
            }
        }
        let entry = of[self.graph.entry()].expect("the entry is reachable");
        let vertices = self.vertices.ids().collect();
        self.parts.push(Part { vertices, entry, exit });
    }

    fn vertex(&mut self, kind: Kind) -> VertexId {
        self.vertices.push(Vertex { kind, out: Vec::new(), into: Vec::new() })
    }

    fn arc(&mut self, from: VertexId, to: VertexId) -> ArcId {
        let arc = self.arcs.push(Arc { from, to, assigns: Vec::new() });
        self.vertices[from].out.push(arc);
        self.vertices[to].into.push(arc);
        arc
    }

    fn redirect(&mut self, arc: ArcId, to: VertexId, assigns: &[(Variable, i64)]) {
        self.arcs[arc].to = to;
        self.arcs[arc].assigns.extend(assigns);
        self.vertices[to].into.push(arc);
    }

    /// Replaces the strongly connected components of a part by loops.
    fn part(&mut self, part: PartId) {
        let (mut is_replaced, first_inner) = (false, self.parts.len());
        for component in self.strong_components(part) {
            let first = component[0];
            let repeats = |&arc: &ArcId| self.arcs[arc].to == first;
            if component.len() > 1 || self.vertices[first].out.iter().any(repeats) {
                self.replace(part, component);
                is_replaced = true;
            }
        }
        if is_replaced {
            let component = &self.component;
            self.parts[part].vertices.retain(|&vertex| component[vertex] == 0);
        }
        // The vertices of the loops inside are searched again in their own parts.
        for inner in first_inner..self.parts.len() {
            let inner = PartId::from_index(inner);
            for at in 0..self.parts[inner].vertices.len() {
                let vertex = self.parts[inner].vertices[at];
                self.component[vertex] = 0;
            }
        }
    }

    /// Makes a loop of a component.
    fn replace(&mut self, part: PartId, component: Vec<VertexId>) {
        self.components += 1;
        let number = self.components;
        component.iter().for_each(|&vertex| self.component[vertex] = number);
        let (entries, entry_arcs) = self.entries(part, &component, number);
        let body = PartId::from_index(self.parts.len());
        let (q, r) = (self.variable(part), self.variable(body));
        let exit = self.vertex(Kind::Exit);
        let outside = self.vertex(Kind::Loop(body, r, q));
        self.repeat(&component, &entries, exit, (q, r));
        let targets = self.leave(&component, number, exit, (q, r));
        for (arc, entry) in entry_arcs {
            let select = [(q, entry)];
            self.redirect(arc, outside, if entries.len() > 1 { &select } else { &[] });
        }
        for &target in &targets {
            self.arc(outside, target);
        }
        if targets.is_empty() {
            // An endless loop: control never takes this arc.
            let end = self.parts[part].exit;
            self.arc(outside, end);
        }
        let mut vertices = component;
        let mut entry = entries[0];
        if entries.len() > 1 {
            entry = self.vertex(Kind::Select(q));
            for &it in &entries {
                self.arc(entry, it);
            }
            vertices.push(entry);
        }
        if self.component[self.parts[part].entry] == number {
            self.parts[part].entry = outside;
        }
        self.parts[part].vertices.push(outside);
        vertices.push(exit);
        self.parts.push(Part { vertices, entry, exit });
    }

    /// The vertices of a component at which control enters it, and the arcs from outside.
    fn entries(
        &self,
        part: PartId,
        component: &[VertexId],
        number: u32,
    ) -> (Vec<VertexId>, Vec<(ArcId, i64)>) {
        let (mut entries, mut arcs) = (Vec::new(), Vec::new());
        for &vertex in component {
            let is_outside = |&arc: &ArcId| {
                let Arc { from, to, .. } = self.arcs[arc];
                to == vertex && self.component[from] != number
            };
            let before = arcs.len();
            let into = self.vertices[vertex].into.iter().copied().filter(is_outside);
            arcs.extend(into.map(|arc| (arc, entries.len() as i64)));
            if arcs.len() > before || vertex == self.parts[part].entry {
                entries.push(vertex);
            }
        }
        (entries, arcs)
    }

    /// Arcs from the component to an entry lead to the end of the body: it is repeated.
    fn repeat(
        &mut self,
        component: &[VertexId],
        entries: &[VertexId],
        exit: VertexId,
        (q, r): (Variable, Variable),
    ) {
        let number = self.component[component[0]];
        for (index, &entry) in entries.iter().enumerate() {
            for at in 0..self.vertices[entry].into.len() {
                let arc = self.vertices[entry].into[at];
                let Arc { from, to, .. } = self.arcs[arc];
                if to == entry && self.component[from] == number {
                    let select = [(q, index as i64), (r, 1)];
                    let assigns = if entries.len() > 1 { &select[..] } else { &select[1..] };
                    self.redirect(arc, exit, assigns);
                }
            }
        }
    }

    /// Arcs that leave the component lead to the end of the body: it is not repeated. Returns the
    /// targets of these arcs.
    fn leave(
        &mut self,
        component: &[VertexId],
        number: u32,
        exit: VertexId,
        (q, r): (Variable, Variable),
    ) -> Vec<VertexId> {
        let mut targets: Vec<VertexId> = Vec::new();
        let mut indices: FxHashMap<VertexId, i64> = FxHashMap::default();
        for &vertex in component {
            for at in 0..self.vertices[vertex].out.len() {
                let arc = self.vertices[vertex].out[at];
                let to = self.arcs[arc].to;
                if to == exit || self.component[to] == number {
                    continue;
                }
                let index = *indices.entry(to).or_insert_with(|| {
                    targets.push(to);
                    targets.len() as i64 - 1
                });
                self.redirect(arc, exit, &[(q, index), (r, 0)]);
            }
        }
        targets
    }

    /// The strongly connected components, in any order.
    ///
    /// Source: R. Tarjan, "Depth-First Search and Linear Graph Algorithms", SIAM Journal on
    /// Computing 1, 1972.
    fn strong_components(&mut self, part: PartId) -> Vec<Vec<VertexId>> {
        let mut search = std::mem::take(&mut self.search);
        let mut open = vec![(self.parts[part].entry, 0)];
        while let Some((vertex, next)) = open.pop() {
            if next == 0 {
                search.begin(vertex);
            }
            match self.vertices[vertex].out.get(next) {
                Some(&arc) => {
                    open.push((vertex, next + 1));
                    let to = self.arcs[arc].to;
                    match search.low[to] {
                        NEW => open.push((to, 0)),
                        _ => search.reach(vertex, to),
                    }
                }
                None => {
                    search.finish(vertex);
                    if let Some(&(before, _)) = open.last() {
                        search.reach(before, vertex);
                    }
                }
            }
        }
        let components = search.take_components();
        self.search = search;
        components
    }
}

/// The state of a search. Its tables are used again by the next one, which may visit few vertices.
#[derive(Default)]
struct Search {
    /// The smallest number that is known to be reachable, or one of the constants below.
    low: SideTable<VertexId, u32>,
    number: SideTable<VertexId, u32>,
    visited: u32,
    stack: Vec<VertexId>,
    components: Vec<Vec<VertexId>>,
}

/// A vertex that was not visited.
const NEW: u32 = 0;

/// A vertex whose component is complete.
const CLOSED: u32 = u32::MAX;

impl Search {
    fn begin(&mut self, vertex: VertexId) {
        self.visited += 1;
        self.number[vertex] = self.visited;
        self.low[vertex] = self.visited;
        self.stack.push(vertex);
    }

    /// An arc leads from a vertex to one that was seen before.
    fn reach(&mut self, from: VertexId, to: VertexId) {
        if self.low[from] != CLOSED && self.low[to] != CLOSED {
            self.low[from] = self.low[from].min(self.low[to]);
        }
    }

    fn finish(&mut self, vertex: VertexId) {
        if self.low[vertex] != self.number[vertex] {
            return;
        }
        let first = self.stack.iter().rposition(|&it| it == vertex).expect("it is open");
        let component = self.stack.split_off(first);
        component.iter().for_each(|&it| self.low[it] = CLOSED);
        self.components.push(component);
    }

    /// The components. All vertices are new again.
    fn take_components(&mut self) -> Vec<Vec<VertexId>> {
        let components = std::mem::take(&mut self.components);
        components.iter().flatten().for_each(|&it| self.low[it] = NEW);
        self.visited = 0;
        components
    }
}
