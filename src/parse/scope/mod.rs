//! The scope: the values of all variables at the parser's position.
//!
//! The values are the inputs of a node of the sea, one for each visible variable, so values that
//! may still be used have a user. The names are kept here.
#[cfg(feature = "ch05")]
mod delta;
#[cfg(not(feature = "ch08"))]
mod eager_phis;
#[cfg(feature = "ch10")]
mod facts;
#[cfg(feature = "ch08")]
mod lazy_phis;
#[cfg(feature = "ch07")]
mod loops;
#[cfg(feature = "ch08")]
mod target;

#[cfg(feature = "ch28")]
use super::symbols::Symbols;
#[cfg(feature = "ch05")]
use crate::sea::Label;
use crate::sea::dot::Bindings;
use crate::sea::{Graph, NodeId, Op};
use crate::types::Type;
use arena::FxHashMap;
#[cfg(feature = "ch05")]
pub use delta::ScopeDelta;
#[cfg(feature = "ch05")]
use delta::UndoLog;
#[cfg(feature = "ch10")]
pub use facts::Fact;
#[cfg(feature = "ch10")]
use facts::Facts;
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
    /// For each name, the inputs of its variables, the innermost last.
    slots: FxHashMap<&'s str, Vec<usize>>,
    /// The open undo logs, the innermost last.
    #[cfg(feature = "ch05")]
    undo_logs: Vec<UndoLog>,
    /// The open loops, the innermost last.
    #[cfg(feature = "ch07")]
    loops: Vec<OpenLoop>,
    /// The variables assigned in loops, in order of the assignments.
    #[cfg(feature = "ch08")]
    log: Vec<usize>,
    #[cfg(feature = "ch10")]
    pub facts: Facts,
    #[cfg(feature = "ch28")]
    pub symbols: Symbols,
}

struct Variable<'s> {
    name: &'s str,
    /// The number of undo logs that were open when its value was last recorded.
    #[cfg(feature = "ch05")]
    logged_at: usize,
    /// The number of open loops in which it has a Phi.
    #[cfg(feature = "ch08")]
    depth: usize,
    #[cfg(feature = "ch10")]
    declared: Type,
    /// It cannot be assigned.
    #[cfg(feature = "ch17")]
    is_final: bool,
    /// The type of its only value, if that is a constant.
    #[cfg(feature = "ch18")]
    constant: Option<Type>,
}

impl<'s> Scope<'s> {
    pub fn new(graph: &mut Graph) -> Scope<'s> {
        Scope {
            node: graph.create(Op::Scope, &[]),
            variables: Vec::new(),
            levels: vec![0],
            slots: FxHashMap::default(),
            #[cfg(feature = "ch05")]
            undo_logs: Vec::new(),
            #[cfg(feature = "ch07")]
            loops: Vec::new(),
            #[cfg(feature = "ch08")]
            log: Vec::new(),
            #[cfg(feature = "ch10")]
            facts: Facts::new(),
            #[cfg(feature = "ch28")]
            symbols: Symbols::default(),
        }
    }

    /// Opens a block.
    pub fn push(&mut self) {
        self.levels.push(self.variables.len());
    }

    /// Closes the innermost block: removes its names, and values that are unused then.
    pub fn pop(&mut self, graph: &mut Graph) {
        let first = self.levels.pop().expect("every block is closed once");
        self.truncate(graph, first);
    }

    /// Removes all variables but the first `count` ones.
    pub fn truncate(&mut self, graph: &mut Graph, count: usize) {
        while self.variables.len() > count {
            let variable = self.variables.pop().expect("there are more than `count`");
            graph.pop_input(self.node);
            let slot = self.variables.len();
            self.slots.get_mut(variable.name).and_then(|slots| slots.pop_if(|it| *it == slot));
        }
        #[cfg(feature = "ch10")]
        self.facts.truncate(count);
        #[cfg(feature = "ch28")]
        self.symbols.truncate(count);
    }

    /// Declares `name` in the innermost block; false if this block has already declared it.
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
            logged_at: self.undo_logs.len(),
            #[cfg(feature = "ch08")]
            depth: self.loops.len(),
            #[cfg(feature = "ch10")]
            declared: Type::INTEGER,
            #[cfg(feature = "ch17")]
            is_final: false,
            #[cfg(feature = "ch18")]
            constant: None,
        });
        graph.add_input(self.node, value);
        true
    }

    /// Assigns to a variable.
    pub fn set(&mut self, graph: &mut Graph, slot: usize, value: NodeId) {
        #[cfg(feature = "ch05")]
        self.note_old_value(graph, slot);
        #[cfg(feature = "ch08")]
        self.log(slot);
        graph.set_input(self.node, slot, value);
    }

    /// The innermost variable called `name`.
    pub fn slot(&self, name: &str) -> Option<usize> {
        self.slots.get(name)?.last().copied()
    }

    /// All visible names, the innermost first.
    pub fn names(&self) -> impl Iterator<Item = &'s str> {
        let variables = self.variables.iter().rev();
        #[cfg(feature = "ch10")]
        let variables = variables.filter(|variable| variable.declared != Type::MEMORY);
        variables.map(|variable| variable.name)
    }

    /// The label of a variable's Phis.
    #[cfg(feature = "ch05")]
    pub fn label(&self, graph: &mut Graph, slot: usize) -> Label {
        let variable = &self.variables[slot];
        let label = graph.labels.of(variable.name);
        #[cfg(feature = "ch10")]
        let label = graph.labels.of_type(label, variable.declared);
        label
    }

    /// The bindings, for a picture.
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

/// Declared types, and the memories of fields.
#[cfg(feature = "ch10")]
impl<'s> Scope<'s> {
    /// Sets the declared type and the fact of the variable that was defined last.
    pub fn declare(&mut self, ty: Type, fact: Fact) {
        self.facts.declare(self.variables.len() - 1, fact);
        #[cfg(feature = "ch28")]
        self.symbols.set_type(self.variables.len() - 1, ty);
        self.variables.last_mut().expect("a variable has been defined").declared = ty;
    }

    /// The declared type of a variable.
    pub fn declared(&self, slot: usize) -> Type {
        self.variables[slot].declared
    }

    /// Changes the declared type of a variable.
    #[cfg(feature = "ch17")]
    pub fn set_declared(&mut self, slot: usize, ty: Type) {
        self.variables[slot].declared = ty;
    }

    #[cfg(feature = "ch17")]
    pub fn set_final(&mut self, slot: usize, is_final: bool) {
        self.variables[slot].is_final = is_final;
    }

    #[cfg(feature = "ch17")]
    pub fn is_final(&self, slot: usize) -> bool {
        self.variables[slot].is_final
    }

    #[cfg(feature = "ch17")]
    pub fn open_loops(&self) -> usize {
        self.loops.len()
    }

    #[cfg(feature = "ch16")]
    pub fn name(&self, slot: usize) -> &'s str {
        self.variables[slot].name
    }

    /// Adds the memory of a field. Programs have no name for it.
    pub fn define_memory(&mut self, graph: &mut Graph, field: &'s str, memory: NodeId) -> usize {
        self.variables.push(Variable {
            name: field,
            logged_at: self.undo_logs.len(),
            depth: self.loops.len(),
            declared: Type::MEMORY,
            #[cfg(feature = "ch17")]
            is_final: false,
            #[cfg(feature = "ch18")]
            constant: None,
        });
        graph.add_input(self.node, memory);
        self.variables.len() - 1
    }

    /// The variable is never assigned, and this is the type of its constant.
    #[cfg(feature = "ch18")]
    pub fn set_constant(&mut self, slot: usize, constant: Type) {
        self.variables[slot].constant = Some(constant);
    }

    #[cfg(feature = "ch18")]
    pub fn constant(&self, slot: usize) -> Option<Type> {
        self.variables[slot].constant
    }

    /// Whether the innermost block is the program, and no branch or loop is open.
    pub fn is_outermost(&self) -> bool {
        self.levels.len() == 2 && self.undo_logs.is_empty()
    }
}

/// Control is the first variable; programs cannot spell its name.
#[cfg(feature = "ch04")]
impl Scope<'_> {
    pub const CONTROL: &'static str = "$ctrl";

    pub fn control(&self, graph: &Graph) -> NodeId {
        graph.input(self.node, 0)
    }
}
