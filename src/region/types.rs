//! The types of all values: integers, states and functions.
//!
//! Types are inferred by unification. A function may be handed to itself, so a type may contain
//! itself; classes of equal types are merged before their parts are, which ends for such types,
//! too. Source: F. Baader, W. Snyder, "Unification Theory", in the Handbook of Automated
//! Reasoning, 2001, section 2.3 (unification closure).
use super::graph::{Graph, NodeId, RegionId, Value};
use super::op::Op;
use arena::{Arena, Id, SideTable, id};

id! {
    /// A type, or an unknown one.
    TypeId
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Type {
    /// Equal to another type.
    Same(TypeId),
    Unknown,
    Integer,
    State,
    Function(Signature),
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Signature {
    arguments: Vec<TypeId>,
    results: Vec<TypeId>,
    /// Whether there may be more results.
    is_open: bool,
}

/// The kind of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Integer,
    State,
    Function,
}

/// A use of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    Operand(NodeId, usize),
    Result(RegionId, usize),
}

/// A value of the wrong type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    pub at: Use,
    pub message: String,
    pub label: String,
}

/// The types of a graph.
pub struct Types {
    types: Arena<TypeId, Type>,
    /// The type of the first output of each node; those of the others follow.
    first: SideTable<NodeId, u32>,
}

/// Infers all types.
pub fn infer(graph: &Graph) -> Result<Types, Vec<Mismatch>> {
    let mut types = Types { types: Arena::default(), first: SideTable::new(graph.len()) };
    for id in graph.ids() {
        types.first[id] = types.types.len() as u32;
        for _ in 0..graph.node(id).outputs {
            types.types.push(Type::Unknown);
        }
    }
    let regions = graph.inside_out();
    let mut inference = Inference { graph, types, mismatches: Vec::new() };
    for &region in &regions {
        for &id in &graph.region(region).nodes {
            inference.node(id);
        }
    }
    inference.program();
    for &region in &regions {
        for &id in &graph.region(region).nodes {
            inference.printed(id);
        }
    }
    let Inference { mut types, mismatches, .. } = inference;
    types.shorten_paths();
    if mismatches.is_empty() { Ok(types) } else { Err(mismatches) }
}

impl Types {
    pub fn kind(&self, value: Value) -> Kind {
        match self.types[self.find(self.of(value))] {
            // Nothing depends on it.
            Type::Unknown | Type::Integer => Kind::Integer,
            Type::State => Kind::State,
            Type::Function(_) => Kind::Function,
            Type::Same(_) => unreachable!("a representative"),
        }
    }

    /// The number of results of a call's function.
    pub fn results(&self, function: Value) -> usize {
        match &self.types[self.find(self.of(function))] {
            Type::Function(signature) => signature.results.len(),
            Type::Unknown | Type::Integer | Type::State | Type::Same(_) => 0,
        }
    }

    fn of(&self, value: Value) -> TypeId {
        TypeId::from_index((self.first[value.node] + value.output) as usize)
    }

    fn find(&self, mut id: TypeId) -> TypeId {
        while let Type::Same(other) = self.types[id] {
            id = other;
        }
        id
    }

    /// Makes the path from each type to its representative one step long.
    fn shorten_paths(&mut self) {
        for id in self.types.ids() {
            let representative = self.find_and_compress(id);
            if representative != id {
                self.types[id] = Type::Same(representative);
            }
        }
    }

    /// Like `find`, and shortens the path (path halving, R. Tarjan and J. van Leeuwen, 1984).
    fn find_and_compress(&mut self, mut id: TypeId) -> TypeId {
        while let Type::Same(other) = self.types[id] {
            let Type::Same(next) = self.types[other] else { return other };
            self.types[id] = Type::Same(next);
            id = next;
        }
        id
    }
}

struct Inference<'g> {
    graph: &'g Graph,
    types: Types,
    mismatches: Vec<Mismatch>,
}

impl Inference<'_> {
    fn node(&mut self, id: NodeId) {
        let graph = self.graph;
        let operands = graph.operands(id);
        let inner = graph.inner(id);
        match graph.op(id) {
            Op::Arguments => {}
            Op::Number(_) => self.set(id, Type::Integer),
            Op::Operator(_) => {
                self.set(id, Type::Integer);
                (0..operands.len()).for_each(|at| self.integer(Use::Operand(id, at)));
            }
            Op::Use => self.set(id, Type::State),
            Op::Force => self.force(id),
            Op::Loop => {
                let body = inner[0];
                for at in 0..operands.len() {
                    let argument = self.argument(body, at);
                    self.require(Use::Operand(id, at), argument);
                    self.require(Use::Result(body, at), argument);
                    self.unify_output(id, at, argument);
                }
                self.integer(Use::Result(body, operands.len()));
            }
            Op::Switch => {
                self.integer(Use::Operand(id, 0));
                for &case in inner {
                    for at in 1..operands.len() {
                        let argument = self.argument(case, at - 1);
                        self.require(Use::Operand(id, at), argument);
                    }
                    for at in 0..graph.region(case).results.len() {
                        let output = self.output(id, at);
                        self.require(Use::Result(case, at), output);
                    }
                }
            }
            Op::Function => self.function(id),
            Op::Call => self.call(id),
        }
    }

    /// The outputs are the operands; the first one is a state.
    fn force(&mut self, id: NodeId) {
        self.set(id, Type::State);
        for at in 0..self.graph.operands(id).len() {
            let output = self.output(id, at);
            self.require(Use::Operand(id, at), output);
        }
    }

    fn function(&mut self, id: NodeId) {
        let (graph, body) = (self.graph, self.graph.inner(id)[0]);
        let constants = graph.operands(id).len();
        let own = graph.arity(body) as usize - constants;
        for at in 0..constants {
            let argument = self.argument(body, own + at);
            self.require(Use::Operand(id, at), argument);
        }
        let arguments = (0..own).map(|at| self.argument(body, at)).collect();
        let results = &graph.region(body).results;
        let results = results.iter().map(|&it| self.types.of(it)).collect();
        self.set(id, Type::Function(Signature { arguments, results, is_open: false }));
    }

    fn call(&mut self, id: NodeId) {
        let operands = &self.graph.operands(id)[1..];
        let arguments = operands.iter().map(|&it| self.types.of(it)).collect();
        let outputs = self.graph.node(id).outputs as usize;
        let results = (0..outputs).map(|at| self.output(id, at)).collect();
        let signature = Signature { arguments, results, is_open: true };
        let function = self.types.types.push(Type::Function(signature));
        self.require(Use::Operand(id, 0), function);
    }

    /// The program's arguments are integers, and its results are printed.
    fn program(&mut self) {
        let main = self.graph.main;
        for at in 0..self.graph.arity(main) as usize {
            let (argument, integer) = (self.argument(main, at), self.integer_type());
            let message = "the program's arguments are integers";
            let at = Use::Result(main, 0);
            if self.unify(argument, integer).is_err() {
                let (message, label) = (message.to_string(), "one is used otherwise".to_string());
                self.mismatches.push(Mismatch { at, message, label });
            }
        }
        for at in 0..self.graph.region(main).results.len() {
            self.not_a_function(Use::Result(main, at));
        }
    }

    /// A use prints its operands.
    fn printed(&mut self, id: NodeId) {
        if self.graph.op(id) == Op::Use {
            (0..self.graph.operands(id).len())
                .for_each(|at| self.not_a_function(Use::Operand(id, at)));
        }
    }

    fn not_a_function(&mut self, at: Use) {
        if self.types.kind(self.used(at)) == Kind::Function {
            let (message, label) = ("a function cannot be printed".to_string(), "a function");
            self.mismatches.push(Mismatch { at, message, label: label.to_string() });
        }
    }

    fn used(&self, at: Use) -> Value {
        match at {
            Use::Operand(node, at) => self.graph.operands(node)[at],
            Use::Result(region, at) => self.graph.region(region).results[at],
        }
    }

    fn argument(&self, region: RegionId, at: usize) -> TypeId {
        self.output(self.graph.region(region).arguments, at)
    }

    fn output(&self, node: NodeId, at: usize) -> TypeId {
        self.types.of(Value { node, output: at as u32 })
    }

    fn set(&mut self, id: NodeId, ty: Type) {
        let (of, ty) = (self.output(id, 0), self.types.types.push(ty));
        self.unify(of, ty).expect("only users of a node come before it, and it has none yet");
    }

    fn unify_output(&mut self, id: NodeId, at: usize, with: TypeId) {
        let output = self.output(id, at);
        self.unify(output, with).expect("nothing uses the output of a node before it");
    }

    fn integer_type(&mut self) -> TypeId {
        self.types.types.push(Type::Integer)
    }

    fn integer(&mut self, at: Use) {
        let integer = self.integer_type();
        self.require(at, integer);
    }

    /// The value used at `at` must have the type `expected`.
    fn require(&mut self, at: Use, expected: TypeId) {
        let found = self.types.of(self.used(at));
        if let Err([found, expected]) = self.unify(found, expected) {
            let message = format!("expected {expected}, found {found}");
            self.mismatches.push(Mismatch { at, message, label: found });
        }
    }

    /// Makes two types equal, or returns the two parts that cannot be.
    fn unify(&mut self, found: TypeId, expected: TypeId) -> Result<(), [String; 2]> {
        let mut open = vec![(found, expected)];
        while let Some((a, b)) = open.pop() {
            let (a, b) = (self.types.find_and_compress(a), self.types.find_and_compress(b));
            if a == b {
                continue;
            }
            let types = &mut self.types.types;
            match (types[a].clone(), types[b].clone()) {
                (Type::Unknown, _) => types[a] = Type::Same(b),
                (_, Type::Unknown) => types[b] = Type::Same(a),
                (Type::Integer, Type::Integer) | (Type::State, Type::State) => {
                    types[a] = Type::Same(b);
                }
                (Type::Function(x), Type::Function(y)) if may_be_equal(&x, &y) => {
                    types[b] = Type::Function(merged(&x, &y));
                    types[a] = Type::Same(b);
                    let arguments = x.arguments.iter().zip(&y.arguments);
                    let results = x.results.iter().zip(&y.results);
                    open.extend(arguments.chain(results).map(|(&x, &y)| (x, y)));
                }
                (x, y) => return Err([description(&x), description(&y)]),
            }
        }
        Ok(())
    }
}

/// Whether the numbers of arguments and results allow it.
fn may_be_equal(x: &Signature, y: &Signature) -> bool {
    let (short, long) = if x.results.len() < y.results.len() { (x, y) } else { (y, x) };
    x.arguments.len() == y.arguments.len()
        && (short.is_open || short.results.len() == long.results.len())
}

/// The signature with the results of both.
fn merged(x: &Signature, y: &Signature) -> Signature {
    let long = if x.results.len() < y.results.len() { y } else { x };
    Signature { is_open: x.is_open && y.is_open, ..long.clone() }
}

fn description(ty: &Type) -> String {
    match ty {
        Type::Same(_) | Type::Unknown => "any value".to_string(),
        Type::Integer => "an integer".to_string(),
        Type::State => "a state".to_string(),
        Type::Function(signature) => {
            let (arguments, results) = (signature.arguments.len(), signature.results.len());
            let least = if signature.is_open { "at least " } else { "" };
            format!("a function of {arguments} arguments and {least}{results} results")
        }
    }
}
