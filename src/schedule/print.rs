//! The schedule as a stage: the sea's nodes in their blocks, as text and as a picture.
use super::control_flow::is_end;
use super::{BlockId, ScheduledGraph, eval};
use crate::sea::{NodeId, Op, label, names};
use crate::stage::{Artifact, Outcome, Violation};
use arena::{Id, SideTable};
use flow::Dominators;
use picture::{Cell, Endpoint, Kind, Label, Node, Picture};
#[cfg(feature = "ch11")]
use std::collections::HashSet;

impl Artifact for ScheduledGraph<'_> {
    fn print(&self) -> String {
        let names = names(self.graph, &self.schedule.order);
        self.schedule.blocks.ids().map(|block| self.print_block(block, &names)).collect()
    }

    /// A block belongs to the function of its predecessor, unless it begins one.
    #[cfg(feature = "ch18")]
    fn functions(&self) -> Vec<(String, String)> {
        let names = names(self.graph, &self.schedule.order);
        let mut functions: Vec<(String, String)> = Vec::new();
        let mut function_of = SideTable::new(self.schedule.blocks.len());
        for block in self.schedule.blocks.ids() {
            let name = self.begun_function(block);
            function_of[block] = match self.schedule.predecessors[block].iter().next() {
                Some(&before) if name.is_none() => function_of[before],
                _ => functions.len(),
            };
            functions.extend(name.map(|it| (it, String::new())));
            if let Some((_, text)) = functions.get_mut(function_of[block]) {
                *text += &self.print_block(block, &names);
            }
        }
        functions
    }

    /// Blocks as boxes. Edges point from a node to its inputs, and from a block to its
    /// predecessors' ends.
    fn picture(&self) -> Option<Picture> {
        let mut picture = Picture::new("blocks");
        let names = names(self.graph, &self.schedule.order);
        for block in self.schedule.blocks.ids() {
            let loops = loops_around(self.schedule.blocks[block].depth);
            picture.cluster(name(block) + &loops, None);
            self.draw_block(block, &names, &mut picture);
        }
        #[cfg(feature = "ch11")]
        self.highlight_moved(&names, &mut picture);
        Some(picture)
    }

    /// - `placed`: the inputs of a node are computed before it, in its block or in one that
    ///   dominates it; those of a Phi are available at the end of the predecessor.
    fn verify(&self) -> Vec<Violation> {
        let tree = Dominators::of(&self.schedule.predecessors);
        let mut done: SideTable<NodeId, bool> = SideTable::new(self.graph.len());
        let mut violations = Vec::new();
        for block in self.schedule.blocks.ids() {
            for &id in self.schedule.nodes(block) {
                let known = |(value, at): (NodeId, BlockId)| {
                    let of = self.schedule.block_of[value];
                    let before = at != block || done[value];
                    of.is_some_and(|of| before && tree.dominates(of, at))
                };
                if !self.required_inputs(id, block).into_iter().all(known) {
                    violations.push(Violation { invariant: "placed", detail: format!("{id:?}") });
                }
                done[id] = true;
            }
        }
        violations
    }

    fn eval(&self, arg: i64) -> Option<Outcome> {
        Some(eval::eval(self, arg))
    }
}

impl ScheduledGraph<'_> {
    fn print_block(&self, block: BlockId, names: &SideTable<NodeId, String>) -> String {
        let mut text = format!("{}{}:\n", name(block), self.origin(block));
        for &id in self.schedule.nodes(block) {
            let inputs: Vec<_> =
                self.schedule.values(self.graph, id).map(|it| names[it].as_str()).collect();
            let line = format!("{}: {} {}", names[id], label(self.graph, id), inputs.join(" "));
            text += &format!("  {}\n", line.trim_end());
        }
        text + &self.jump(block)
    }

    /// The name of the function that begins with a block; the program begins with the first one.
    #[cfg(feature = "ch18")]
    fn begun_function(&self, block: BlockId) -> Option<String> {
        match self.graph.op(self.schedule.blocks[block].head) {
            Op::Function(function) => Some(self.graph.function_name(function).to_string()),
            _ => (block.index() == 0).then(|| PROGRAM.to_string()),
        }
    }

    /// The inputs of a node, and the block at whose end or in which each must be available.
    fn required_inputs(&self, id: NodeId, block: BlockId) -> Vec<(NodeId, BlockId)> {
        let values = self.schedule.values(self.graph, id);
        if self.schedule.is_merge(self.graph, id) {
            let from = self.schedule.predecessors[block].iter().copied();
            // On the back edge of a one-block loop, every value of the block is available.
            return values.zip(from).filter(|(_, from)| *from != block).collect();
        }
        values.map(|value| (value, block)).collect()
    }

    /// The predecessors of the block.
    fn origin(&self, block: BlockId) -> String {
        let head = self.schedule.blocks[block].head;
        let from: Vec<_> = self.schedule.predecessors[block].iter().map(|&it| name(it)).collect();
        let branch = match self.graph.op(head) {
            Op::ControlProjection(true) => " true",
            Op::ControlProjection(false) => " false",
            _ => "",
        };
        if from.is_empty() { String::new() } else { format!(" from {}{branch}", from.join(" ")) }
    }

    /// The jump at the end of the block, if it ends without an If or a Return.
    fn jump(&self, block: BlockId) -> String {
        let end = self.schedule.blocks[block].end;
        match self.graph.op(end) {
            end if is_end(end) => String::new(),
            _ => format!("  to {}\n", self.schedule.block_of[end].map(name).unwrap_or_default()),
        }
    }

    fn draw_block(&self, block: BlockId, names: &SideTable<NodeId, String>, picture: &mut Picture) {
        let cluster = Some(block.index());
        let head = self.schedule.blocks[block].head;
        let rows = vec![vec![Cell::new(label(self.graph, head), Kind::Control)]];
        let head = Node { name: name(block), kind: Kind::Control, rows, cluster };
        picture.nodes.push(head);
        for (at, &from) in self.schedule.predecessors[block].iter().enumerate() {
            let label = Label::Tail(at.to_string());
            let end = self.end_name(from, names);
            picture.edge(Endpoint::node(name(block)), Endpoint::node(end), Kind::Control, label);
        }
        for &id in self.schedule.nodes(block) {
            let kind = self.graph.kind(id);
            let rows = vec![vec![Cell::new(label(self.graph, id), kind)]];
            #[cfg(feature = "ch09")]
            picture.origins.extend(self.graph.origin(id).map(|it| (names[id].clone(), it.range())));
            picture.nodes.push(Node { name: names[id].clone(), kind, rows, cluster });
            for (at, input) in self.schedule.values(self.graph, id).enumerate() {
                let (from, to) = (names[id].clone(), names[input].clone());
                let label = Label::Tail(at.to_string());
                let kind = self.graph.kind(input);
                picture.edge(Endpoint::node(from), Endpoint::node(to), kind, label);
            }
        }
    }

    /// Highlights the nodes that are not in the first block that they can be in.
    #[cfg(feature = "ch11")]
    fn highlight_moved(&self, names: &SideTable<NodeId, String>, picture: &mut Picture) {
        let first = super::schedule_early(self.graph);
        let is_moved = |id: &&NodeId| first.block_of[**id] != self.schedule.block_of[**id];
        let moved = self.schedule.order.iter().filter(is_moved);
        let moved: HashSet<&str> = moved.map(|&id| names[id].as_str()).collect();
        if !moved.is_empty() {
            picture.highlight = "not in its first block".into();
        }
        let nodes = picture.nodes.iter_mut().filter(|node| moved.contains(node.name.as_str()));
        nodes.flat_map(|node| node.rows.iter_mut().flatten()).for_each(|it| it.highlighted = true);
    }

    /// The name of the picture's node for the end of a block.
    fn end_name(&self, block: BlockId, names: &SideTable<NodeId, String>) -> String {
        let end = self.schedule.blocks[block].end;
        match self.graph.op(end) {
            op if is_end(op) => names[end].clone(),
            _ => name(block),
        }
    }
}

/// The name of the program among its functions.
#[cfg(feature = "ch18")]
const PROGRAM: &str = "simple";

fn name(block: BlockId) -> String {
    format!("b{}", block.index())
}

/// The number of loops around a block, for its title in a picture.
pub fn loops_around(depth: u32) -> String {
    match depth {
        0 => String::new(),
        1 => ", in a loop".to_string(),
        _ => format!(", in {depth} loops"),
    }
}
