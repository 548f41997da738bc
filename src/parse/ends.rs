//! The beginning of a program, and its ends.
use super::Parser;
#[cfg(feature = "ch04")]
use super::scope::Scope;
#[cfg(feature = "ch05")]
use crate::sea::infer;
use crate::sea::{Graph, NodeId, Op};
#[cfg(feature = "ch04")]
use crate::types::{Type, TypeKind};

#[cfg(feature = "ch05")]
impl Parser<'_> {
    /// The Stop, which will collect all Returns.
    pub fn first_end(graph: &mut Graph) -> NodeId {
        let stop = graph.create(Op::Stop, &[]);
        let ty = infer(graph, stop);
        graph.set_type(stop, ty);
        stop
    }

    /// A Return of `value`, if this point is reachable.
    pub fn end_with(&mut self, value: NodeId) {
        #[cfg(feature = "ch18")]
        if self.is_in_function() {
            return self.end_with_value(value);
        }
        if self.graph.op(self.control()) != Op::DeadControl {
            let inputs = [self.control(), value];
            let end = self.node(Op::Return, &inputs);
            #[cfg(feature = "ch10")]
            self.add_memory(end, value);
            self.graph.add_input(self.graph.end, end);
            self.mark_unreachable();
        }
    }
}

#[cfg(not(feature = "ch05"))]
impl Parser<'_> {
    /// There is no end yet.
    pub fn first_end(graph: &mut Graph) -> NodeId {
        graph.start
    }

    /// Ends the program with `value`, unless it has ended already: the first return wins.
    pub fn end_with(&mut self, value: NodeId) {
        if self.graph.end == self.graph.start {
            let inputs = [self.control(), value];
            self.graph.end = self.node(Op::Return, &inputs);
        }
    }
}

#[cfg(not(feature = "ch04"))]
impl Parser<'_> {
    /// The current control.
    pub fn control(&self) -> NodeId {
        self.graph.start
    }
}

#[cfg(feature = "ch04")]
impl Parser<'_> {
    /// Start yields control and the argument; both are variables outside of the program.
    pub fn declare_argument(&mut self) {
        let argument = match self.argument {
            Some(value) => self.graph.types.constant(value),
            None => Type::INTEGER,
        };
        let both = self.graph.types.intern(TypeKind::Tuple([Type::CONTROL, argument]));
        self.graph.set_type(self.graph.start, both);
        for (index, name) in [(0, Scope::CONTROL), (1, "arg")] {
            let projection = self.node(Op::Projection(index), &[self.graph.start]);
            self.scope.define(&mut self.graph, name, projection);
        }
        #[cfg(feature = "ch18")]
        if self.cursor.rest().contains(super::functions::ARROW) {
            self.declare_rest(self.graph.start);
        }
        #[cfg(feature = "ch28")]
        self.record_argument();
    }

    /// The current control.
    pub fn control(&self) -> NodeId {
        self.scope.control(&self.graph)
    }
}
