//! Branches: a part without cycles becomes a sequence with switches.
//!
//! The vertices that an arc dominates are its case. A vertex where arcs meet comes after the switch
//! that dominates it. If control may also have to go past it, every arc to a meeting point assigns
//! the number of its target to a selector, and a switch on the selector guards the vertex: with a
//! selector no test is needed twice, and the result is as long as the graph. Source of the idea: N.
//! Ramsey, "Beyond Relooper", ICFP 2022, which nests by the dominator tree; the selectors are the
//! predicate p of H. Bahmann et al., 2015, section 4.2.
use super::arcs::{ArcId, Arcs, Kind, Part, PartId, VertexId};
use super::structured::{Item, Predicate, SequenceId, Sequences, Variable};
use arena::{Arena, FxHashMap, Id, ListTable, SideTable, id};
use flow::Dominators;

id! {
    /// The number of a vertex in its part.
    Local
}

/// The sequences of all parts; that of the whole graph is the first one.
pub fn branches(arcs: &mut Arcs) -> Sequences {
    let mut sequences = Arena::default();
    for _ in arcs.parts.ids() {
        sequences.push(Vec::new());
    }
    for part in arcs.parts.ids() {
        let selector = arcs.variable(part);
        let nesting = Nesting::new(arcs, part);
        Emission { arcs, nesting, selector, sequences: &mut sequences, tasks: Vec::new() }
            .emit(part);
    }
    sequences
}

/// The sequence of a part.
pub fn sequence(part: PartId) -> SequenceId {
    SequenceId::from_index(part.index())
}

/// How the vertices of a part nest.
struct Nesting {
    order: Vec<VertexId>,
    local: FxHashMap<VertexId, Local>,
    /// The number of arcs to a vertex.
    into: SideTable<Local, i64>,
    /// The vertices that each vertex immediately dominates, in topological order.
    dominated: ListTable<Local, Local>,
    /// The number of arcs from the vertices that a vertex dominates to others.
    leaving: SideTable<Local, i64>,
}

impl Nesting {
    fn new(arcs: &Arcs, part: PartId) -> Nesting {
        let Part { ref vertices, entry, .. } = arcs.parts[part];
        let local: FxHashMap<_, _> =
            vertices.iter().enumerate().map(|(at, &it)| (it, Local::from_index(at))).collect();
        let target = |from: Local, at: usize| {
            let arc = arcs.vertices[vertices[from.index()]].out.get(at)?;
            local.get(&arcs.arcs[*arc].to).copied()
        };
        let order = flow::reverse_postorder(local[&entry], vertices.len(), target);
        let order: Vec<_> = order.into_iter().map(|it| vertices[it.index()]).collect();
        let local: FxHashMap<_, _> =
            order.iter().enumerate().map(|(at, &it)| (it, Local::from_index(at))).collect();
        let out = |at: usize| {
            let out = arcs.vertices[order[at]].out.iter();
            out.map(|&arc| local[&arcs.arcs[arc].to]).collect::<Vec<_>>()
        };
        let pairs: Vec<(Local, Local)> = (0..order.len())
            .flat_map(|at| out(at).into_iter().map(move |to| (to, Local::from_index(at))))
            .collect();
        let predecessors = ListTable::group(order.len(), pairs.iter().copied());
        let tree = Dominators::of(&predecessors);
        let rest = (1..order.len()).map(Local::from_index);
        let parents = rest.clone().map(|it| (tree.immediate_dominator(it), it));
        let dominated = ListTable::group(order.len(), parents);
        let mut into = SideTable::new(order.len());
        // Arcs from the vertices below, less those to the vertices strictly below.
        let mut leaving: SideTable<Local, i64> = SideTable::new(order.len());
        for &(to, from) in &pairs {
            into[to] += 1;
            leaving[from] += 1;
        }
        for vertex in rest.rev() {
            let below = leaving[vertex] - into[vertex];
            leaving[tree.immediate_dominator(vertex)] += below;
        }
        Nesting { order, local, into, dominated, leaving }
    }
}

enum Task {
    Vertex(Local, SequenceId),
    /// A vertex where arcs meet, and whether control may go past it.
    Meeting(Local, SequenceId, bool),
}

struct Emission<'a, 'g> {
    arcs: &'a Arcs<'g>,
    nesting: Nesting,
    selector: Variable,
    sequences: &'a mut Sequences,
    tasks: Vec<Task>,
}

impl Emission<'_, '_> {
    fn emit(mut self, part: PartId) {
        self.tasks.push(Task::Vertex(Local::from_index(0), sequence(part)));
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Vertex(vertex, sequence) => self.vertex(vertex, sequence),
                Task::Meeting(vertex, sequence, false) => self.vertex(vertex, sequence),
                Task::Meeting(vertex, sequence, true) => self.guarded(vertex, sequence),
            }
        }
    }

    fn vertex(&mut self, local: Local, sequence: SequenceId) {
        let vertex = self.nesting.order[local.index()];
        match self.arcs.vertices[vertex].kind {
            Kind::Block(block) => self.sequences[sequence].push(Item::Block(block)),
            Kind::Loop(part, again, _) => {
                self.sequences[sequence].push(Item::Loop(self::sequence(part), again));
            }
            Kind::Select(_) => {}
            Kind::Exit => return,
        }
        self.meetings(local, sequence);
        let out = self.arcs.vertices[vertex].out.clone();
        if let &[arc] = &out[..] {
            return self.follow(arc, sequence);
        }
        let cases: Vec<_> = out.iter().map(|_| self.sequences.push(Vec::new())).collect();
        for (&arc, &case) in out.iter().zip(&cases) {
            self.follow(arc, case);
        }
        let predicate = self.arcs.predicate(vertex);
        self.sequences[sequence].push(Item::Switch(predicate, cases));
    }

    /// The meeting points that a vertex dominates come after everything else that it dominates.
    fn meetings(&mut self, local: Local, sequence: SequenceId) {
        let Nesting { into, dominated, leaving, order, .. } = &self.nesting;
        // The number of arcs from the vertices before a meeting point to vertices after them.
        let mut pending = self.arcs.vertices[order[local.index()]].out.len() as i64;
        let (alone, meetings): (Vec<_>, Vec<_>) =
            dominated[local].iter().partition(|&&it| into[it] == 1);
        pending += alone.iter().map(|&it: &Local| leaving[it] - 1).sum::<i64>();
        let mut tasks = Vec::new();
        for vertex in meetings {
            tasks.push(Task::Meeting(vertex, sequence, pending > into[vertex]));
            pending += leaving[vertex] - into[vertex];
        }
        self.tasks.extend(tasks.into_iter().rev());
    }

    /// Continues at the target of an arc, or selects it if other arcs meet there.
    fn follow(&mut self, arc: ArcId, sequence: SequenceId) {
        let arc = &self.arcs.arcs[arc];
        let target = self.nesting.local[&arc.to];
        let items = &mut self.sequences[sequence];
        items.extend(arc.assigns.iter().map(|&(variable, it)| Item::Assign(variable, it)));
        if self.nesting.into[target] == 1 {
            self.tasks.push(Task::Vertex(target, sequence));
        } else {
            items.push(Item::Assign(self.selector, target.index() as i64));
        }
    }

    fn guarded(&mut self, vertex: Local, sequence: SequenceId) {
        let [past, here] = [(); 2].map(|()| self.sequences.push(Vec::new()));
        let predicate = Predicate::Equals(self.selector, vertex.index() as i64);
        self.sequences[sequence].push(Item::Switch(predicate, vec![past, here]));
        self.tasks.push(Task::Vertex(vertex, here));
    }
}
