//! The graph of regions: nodes in regions, and regions in nodes.
//!
//! A region is a list of nodes, operands before their users. Nothing outside of a region is an
//! operand inside of it: all values come in as arguments. A function's region may belong to several
//! nodes; every other region belongs to one.
use super::op::Op;
use arena::{Arena, Id, SideTable, id};
use source::Span;

id! {
    /// A node.
    NodeId
}
id! {
    /// A region.
    RegionId
}

/// An output of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value {
    pub node: NodeId,
    pub output: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    pub op: Op,
    pub region: RegionId,
    pub outputs: u32,
    operands: [u32; 2],
    regions: [u32; 2],
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Region {
    /// Its outputs are the region's arguments.
    pub arguments: NodeId,
    /// The first one is `arguments`.
    pub nodes: Vec<NodeId>,
    pub results: Vec<Value>,
}

#[derive(Clone, Debug)]
pub struct Graph {
    nodes: Arena<NodeId, Node>,
    regions: Arena<RegionId, Region>,
    operands: Vec<Value>,
    inner: Vec<RegionId>,
    /// The texts that the nodes were made for.
    origins: SideTable<NodeId, Option<Span>>,
    /// The region of the program.
    pub main: RegionId,
}

impl Graph {
    /// A graph of one region without results.
    pub fn new(arguments: u32) -> Graph {
        let mut graph = Graph {
            nodes: Arena::default(),
            regions: Arena::default(),
            operands: Vec::new(),
            inner: Vec::new(),
            origins: SideTable::default(),
            main: RegionId::from_index(0),
        };
        graph.main = graph.add_region(arguments);
        graph
    }

    pub fn add_region(&mut self, arguments: u32) -> RegionId {
        let own = RegionId::from_index(self.regions.len());
        let node = NodeId::from_index(self.nodes.len());
        self.regions.push(Region { arguments: node, nodes: Vec::new(), results: Vec::new() });
        self.add(own, Op::Arguments, arguments, &[], &[]);
        own
    }

    pub fn add(
        &mut self,
        region: RegionId,
        op: Op,
        outputs: u32,
        operands: &[Value],
        inner: &[RegionId],
    ) -> NodeId {
        let first = [self.operands.len() as u32, self.inner.len() as u32];
        self.operands.extend_from_slice(operands);
        self.inner.extend_from_slice(inner);
        let id = self.nodes.push(Node {
            op,
            region,
            outputs,
            operands: [first[0], self.operands.len() as u32],
            regions: [first[1], self.inner.len() as u32],
        });
        self.regions[region].nodes.push(id);
        id
    }

    /// Gives a region its nodes in another order, operands before their users.
    #[cfg(feature = "ch27")]
    pub fn set_order(&mut self, region: RegionId, nodes: Vec<NodeId>) {
        self.regions[region].nodes = nodes;
    }

    /// Notes the text that a node was made for; the empty text at the beginning is none.
    pub fn set_origin(&mut self, node: NodeId, origin: Span) {
        self.origins[node] = (origin != Span::default()).then_some(origin);
    }

    pub fn origin(&self, node: NodeId) -> Option<Span> {
        self.origins[node]
    }

    pub fn set_results(&mut self, region: RegionId, results: Vec<Value>) {
        self.regions[region].results = results;
    }

    /// The outputs of a call are known when all of its uses and its function are.
    pub fn set_outputs(&mut self, node: NodeId, outputs: u32) {
        self.nodes[node].outputs = outputs;
    }

    pub fn node(&self, id: NodeId) -> Node {
        self.nodes[id]
    }

    pub fn op(&self, id: NodeId) -> Op {
        self.nodes[id].op
    }

    pub fn operands(&self, id: NodeId) -> &[Value] {
        let [first, end] = self.nodes[id].operands;
        &self.operands[first as usize..end as usize]
    }

    /// The regions inside of a node.
    pub fn inner(&self, id: NodeId) -> &[RegionId] {
        let [first, end] = self.nodes[id].regions;
        &self.inner[first as usize..end as usize]
    }

    pub fn region(&self, id: RegionId) -> &Region {
        &self.regions[id]
    }

    /// The number of arguments of a region.
    pub fn arity(&self, id: RegionId) -> u32 {
        self.nodes[self.regions[id].arguments].outputs
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + Clone + use<> {
        self.nodes.ids()
    }

    pub fn region_ids(&self) -> impl DoubleEndedIterator<Item = RegionId> + Clone + use<> {
        self.regions.ids()
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The regions in an order in which each comes after those inside of its nodes.
    pub fn inside_out(&self) -> Vec<RegionId> {
        let mut is_seen = vec![false; self.regions.len()];
        let mut order = Vec::new();
        let mut open = vec![(self.main, false)];
        while let Some((region, is_done)) = open.pop() {
            if is_done {
                order.push(region);
            } else if !std::mem::replace(&mut is_seen[region.index()], true) {
                open.push((region, true));
                let nodes = self.regions[region].nodes.iter().rev();
                open.extend(
                    nodes.flat_map(|&id| self.inner(id).iter().rev()).map(|&it| (it, false)),
                );
            }
        }
        order
    }
}

/// Two graphs are equal if they were built in the same order.
impl PartialEq for Graph {
    fn eq(&self, other: &Graph) -> bool {
        let same_nodes = self.ids().eq(other.ids())
            && self.ids().all(|id| {
                self.nodes[id] == other.nodes[id]
                    && self.operands(id) == other.operands(id)
                    && self.inner(id) == other.inner(id)
            });
        let same_regions = self.region_ids().eq(other.region_ids())
            && self.region_ids().all(|id| self.regions[id] == other.regions[id]);
        same_nodes && same_regions && self.main == other.main
    }
}
