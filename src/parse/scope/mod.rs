//! What the names of a program mean at the place that is being read.
//!
//! The values stand in a node of the sea, one input for each visible variable: so the graph
//! knows that somebody may still ask for them. The names stand here.
#[cfg(feature = "ch05")]
mod delta;
#[cfg(not(feature = "ch08"))]
mod eager_phis;
#[cfg(feature = "ch08")]
mod lazy_phis;
#[cfg(feature = "ch07")]
mod loops;
#[cfg(feature = "ch08")]
mod target;

use crate::sea::dot::Bindings;
use crate::sea::{Graph, NodeId, Op};
use arena::FxHashMap;
#[cfg(feature = "ch05")]
pub use delta::ScopeDelta;
#[cfg(feature = "ch05")]
use delta::UndoLog;
#[cfg(feature = "ch07")]
use loops::OpenLoop;
#[cfg(feature = "ch08")]
pub use target::Jump;

pub struct Scope<'s> {
    node: NodeId,
    /// The variable of each input of the node.
    variables: Vec<Variable<'s>>,
    /// For each open block, the first input that belongs to it.
    levels: Vec<usize>,
    /// For each name, the inputs it names, the innermost last.
    slots: FxHashMap<&'s str, Vec<usize>>,
    /// The stretches of the program that are open, the innermost last.
    #[cfg(feature = "ch05")]
    pasts: Vec<UndoLog>,
    /// The loops that are open, the innermost last.
    #[cfg(feature = "ch07")]
    loops: Vec<OpenLoop>,
    /// The variables that have been given values in loops, one behind the other.
    #[cfg(feature = "ch08")]
    log: Vec<usize>,
}

struct Variable<'s> {
    name: &'s str,
    /// How many stretches were open when its value was last written down.
    #[cfg(feature = "ch05")]
    noted: usize,
    /// How many of the open loops its value has gone into.
    #[cfg(feature = "ch08")]
    depth: usize,
}

impl<'s> Scope<'s> {
    pub fn new(graph: &mut Graph) -> Scope<'s> {
        Scope {
            node: graph.create(Op::Scope, &[]),
            variables: Vec::new(),
            levels: vec![0],
            slots: FxHashMap::default(),
            #[cfg(feature = "ch05")]
            pasts: Vec::new(),
            #[cfg(feature = "ch07")]
            loops: Vec::new(),
            #[cfg(feature = "ch08")]
            log: Vec::new(),
        }
    }

    /// Opens a block.
    pub fn push(&mut self) {
        self.levels.push(self.variables.len());
    }

    /// Closes the innermost block: its names are gone, and so are values only they kept alive.
    pub fn pop(&mut self, graph: &mut Graph) {
        let first = self.levels.pop().expect("a block is closed once");
        self.forget(graph, first);
    }

    /// Forgets all variables but the first ones, so many that `count` are left.
    pub fn forget(&mut self, graph: &mut Graph, count: usize) {
        for variable in self.variables.drain(count..).rev() {
            graph.pop_input(self.node);
            self.slots.get_mut(variable.name).and_then(Vec::pop);
        }
    }

    /// Declares `name` in the innermost block; false if this block has declared it before.
    pub fn define(&mut self, graph: &mut Graph, name: &'s str, value: NodeId) -> bool {
        let slots = self.slots.entry(name).or_default();
        let level = self.levels.last().copied().unwrap_or_default();
        if slots.last().is_some_and(|&slot| slot >= level) {
            return false;
        }
        slots.push(self.variables.len());
        self.variables.push(Variable {
            name,
            #[cfg(feature = "ch05")]
            noted: self.pasts.len(),
            #[cfg(feature = "ch08")]
            depth: self.loops.len(),
        });
        graph.add_input(self.node, value);
        true
    }

    /// The value of the innermost variable called `name`.
    pub fn lookup(&mut self, graph: &mut Graph, name: &str) -> Option<NodeId> {
        let slot = self.slot(name)?;
        Some(self.value(graph, slot))
    }

    /// Gives the innermost variable called `name` a new value; false if there is none.
    pub fn update(&mut self, graph: &mut Graph, name: &str, value: NodeId) -> bool {
        let slot = self.slot(name);
        slot.inspect(|&slot| self.set(graph, slot, value)).is_some()
    }

    /// Gives a variable a new value.
    pub fn set(&mut self, graph: &mut Graph, slot: usize, value: NodeId) {
        #[cfg(feature = "ch05")]
        self.note_old_value(graph, slot);
        #[cfg(feature = "ch08")]
        self.log(slot);
        graph.set_input(self.node, slot, value);
    }

    fn slot(&self, name: &str) -> Option<usize> {
        self.slots.get(name)?.last().copied()
    }

    /// Every visible name, the innermost first.
    pub fn names(&self) -> impl Iterator<Item = &'s str> {
        self.variables.iter().rev().map(|variable| variable.name)
    }

    /// What a picture shows of this scope.
    pub fn bindings(&self) -> Bindings {
        let ends = self.levels[1..].iter().copied().chain([self.variables.len()]);
        let levels = self.levels.iter().zip(ends);
        let names = |(&from, to): (&usize, usize)| {
            self.variables[from..to].iter().map(|variable| variable.name.to_string()).collect()
        };
        Bindings {
            scope: self.node,
            levels: levels.map(names).collect(),
            #[cfg(feature = "ch05")]
            undo_logs: self.old_values(),
        }
    }
}

/// Control is the first variable; no program can spell its name.
#[cfg(feature = "ch04")]
impl Scope<'_> {
    pub const CONTROL: &'static str = "$ctrl";

    pub fn control(&self, graph: &Graph) -> NodeId {
        graph.input(self.node, 0)
    }
}
