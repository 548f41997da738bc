//! A control-flow graph while it is restructured: vertices, arcs, and parts with one entry and one
//! exit.
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
    pub into: Vec<ArcId>,
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
    /// The whole graph is the first part, and each loop is another one.
    pub parts: Arena<PartId, Part>,
    /// The part of each new variable: outside of it, the variable has no meaning.
    pub homes: FxHashMap<Variable, PartId>,
    next_variable: u32,
}

impl<'g> Arcs<'g> {
    /// The arcs of a graph, which is one part. Variables from `next_variable` on are new.
    pub fn new(graph: &'g Graph, next_variable: u32) -> Arcs<'g> {
        let mut arcs = Arcs {
            graph,
            vertices: Arena::default(),
            arcs: Arena::default(),
            parts: Arena::default(),
            homes: FxHashMap::default(),
            next_variable,
        };
        arcs.whole_graph();
        arcs
    }

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

    pub fn vertex(&mut self, kind: Kind) -> VertexId {
        self.vertices.push(Vertex { kind, out: Vec::new(), into: Vec::new() })
    }

    pub fn arc(&mut self, from: VertexId, to: VertexId) -> ArcId {
        let arc = self.arcs.push(Arc { from, to, assigns: Vec::new() });
        self.vertices[from].out.push(arc);
        self.vertices[to].into.push(arc);
        arc
    }

    pub fn redirect(&mut self, arc: ArcId, to: VertexId, assigns: &[(Variable, i64)]) {
        self.arcs[arc].to = to;
        self.arcs[arc].assigns.extend(assigns);
        self.vertices[to].into.push(arc);
    }
}
