//! Programs with objects, as graphs of Firm.
use crate::arith::{Binary, Relation};
use crate::firm::{Access, EdgeKind, Graph, Mode, NodeId, Op, Program};
#[cfg(feature = "ch12")]
use crate::heap::ValueFormat;
use crate::heap::{FieldFormat, NEXT, ObjectFormat, ResultFormat};
use crate::random::Random;

/// Builds a graph block by block. Null is 0; the last field of an object is a pointer.
pub struct GraphBuilder {
    pub graph: Graph,
    pub block: NodeId,
    pub memory: NodeId,
    pub argument: NodeId,
    depth: u32,
}

/// The numbers of the fields that are integers, and of the pointer.
const INTEGERS: usize = 3;
const POINTER: i64 = 3;

/// A loop that is being built.
pub struct Loop {
    header: NodeId,
    counter: NodeId,
    phis: Vec<NodeId>,
    exit: NodeId,
}

impl GraphBuilder {
    pub fn new() -> GraphBuilder {
        let mut graph = Graph::new();
        let (block, memory) = (graph.start_block, graph.start);
        let argument = graph.add(Op::Argument(0), Mode::Is, block, &[memory]);
        GraphBuilder { graph, block, memory, argument, depth: 0 }
    }

    pub fn constant(&mut self, number: i64) -> NodeId {
        self.graph.add(Op::Const(number), Mode::Is, self.graph.start_block, &[])
    }

    pub fn binary(&mut self, op: Binary, x: NodeId, y: NodeId) -> NodeId {
        self.graph.add(Op::Binary(op), Mode::Is, self.block, &[x, y])
    }

    pub fn load(&mut self, address: NodeId) -> NodeId {
        let operands = [self.memory, address];
        self.memory = self.graph.add(Op::Load(Access::Plain), Mode::Is, self.block, &operands);
        self.memory
    }

    pub fn store(&mut self, address: NodeId, value: NodeId) {
        let operands = [self.memory, address, value];
        self.memory = self.graph.add(Op::Store(Access::Plain), Mode::Is, self.block, &operands);
    }

    /// The address of a field.
    pub fn field(&mut self, object: NodeId, number: i64) -> NodeId {
        if number == 0 {
            return object;
        }
        let offset = self.constant(4 * number);
        self.binary(Binary::Add, object, offset)
    }

    /// A new object of this number of bytes.
    pub fn allocate(&mut self, bytes: i64) -> NodeId {
        let next = self.constant(NEXT.into());
        let object = self.load(next);
        let size = self.constant(bytes);
        let end = self.binary(Binary::Add, object, size);
        let next = self.constant(NEXT.into());
        self.store(next, end);
        let zero = self.constant(0);
        self.store(object, zero);
        object
    }

    fn jump(&mut self) -> NodeId {
        self.graph.add(Op::Jmp, Mode::X, self.block, &[])
    }

    /// Begins the block after a branch on a comparison.
    fn target(&mut self, branch: NodeId, kind: EdgeKind) -> NodeId {
        let block = self.graph.add_block(Op::Block, &[branch]);
        self.graph.set_edge_kind(block, 0, kind);
        self.begin(block);
        block
    }

    fn begin(&mut self, block: NodeId) {
        self.block = block;
        if self.depth > 0 {
            self.graph.set_depth(block, self.depth);
        }
    }

    fn branch(&mut self, relation: Relation, x: NodeId, y: NodeId) -> NodeId {
        let test = self.graph.add(Op::Cmp(relation), Mode::Is, self.block, &[x, y]);
        self.graph.add(Op::Cond, Mode::X, self.block, &[test])
    }

    /// Two arms, which yield as many values as the other one, and their join.
    pub fn branches(
        &mut self,
        (relation, x, y): (Relation, NodeId, NodeId),
        mut arm: impl FnMut(&mut GraphBuilder, bool) -> Vec<NodeId>,
    ) -> Vec<NodeId> {
        let (branch, before) = (self.branch(relation, x, y), self.memory);
        let arms = [EdgeKind::True, EdgeKind::False].map(|kind| {
            self.memory = before;
            self.target(branch, kind);
            let values = arm(self, kind == EdgeKind::True);
            (self.jump(), self.memory, values)
        });
        let [(first, first_memory, values), (second, second_memory, others)] = arms;
        let block = self.graph.add_block(Op::Block, &[first, second]);
        self.begin(block);
        let pairs: Vec<_> = values.into_iter().zip(others).collect();
        let phis =
            pairs.into_iter().map(|(a, b)| self.graph.add(Op::Phi, Mode::Is, block, &[a, b]));
        let phis = phis.collect();
        self.memory = self.graph.add(Op::Phi, Mode::M, block, &[first_memory, second_memory]);
        phis
    }

    /// Begins a loop that counts down to 0. Its Phis begin with these values.
    pub fn begin_loop(&mut self, count: NodeId, values: &[NodeId]) -> (Loop, Vec<NodeId>) {
        let entry = self.jump();
        let header = self.graph.add_block(Op::Block, &[entry, entry]);
        self.depth += 1;
        self.begin(header);
        let initial = [count].into_iter().chain(values.iter().copied());
        let mut phis: Vec<_> = initial
            .map(|value| self.graph.add(Op::Phi, Mode::Is, header, &[value, value]))
            .collect();
        let memory = self.graph.add(Op::Phi, Mode::M, header, &[self.memory, self.memory]);
        self.memory = memory;
        phis.push(memory);
        let zero = self.constant(0);
        let exit = self.branch(Relation::Greater, phis[0], zero);
        self.target(exit, EdgeKind::True);
        let inside = phis[1..phis.len() - 1].to_vec();
        (Loop { header, counter: phis[0], phis, exit }, inside)
    }

    /// Ends a loop; its Phis get these values in the next iteration.
    pub fn end_loop(&mut self, Loop { header, counter, phis, exit }: Loop, values: &[NodeId]) {
        let one = self.constant(1);
        let next = self.binary(Binary::Sub, counter, one);
        let back = self.jump();
        self.graph.set_operand(header, 1, back);
        let values = [next].into_iter().chain(values.iter().copied()).chain([self.memory]);
        for (phi, value) in phis.iter().zip(values) {
            self.graph.set_operand(*phi, 1, value);
        }
        self.memory = phis[phis.len() - 1];
        self.depth -= 1;
        self.target(exit, EdgeKind::False);
    }

    pub fn returned(mut self, value: NodeId, result: ResultFormat) -> Program {
        let operands = [self.memory, value];
        let end = self.graph.add(Op::Return, Mode::Is, self.block, &operands);
        let block = self.graph.add_block(Op::EndBlock, &[end]);
        self.graph.add(Op::End, Mode::X, block, &[]);
        Program { functions: vec![self.graph], result }
    }
}

/// The format of the integers of an object.
pub fn format() -> ResultFormat {
    let fields = ["x", "y", "last"].into_iter().zip([0, 4, 8]).map(|(name, offset)| FieldFormat {
        name: name.to_string(),
        offset,
        #[cfg(feature = "ch12")]
        value: ValueFormat::Integer,
    });
    ResultFormat::Object(ObjectFormat { name: "Node".into(), fields: fields.collect() })
}

/// The values of a program at a point, and objects. No object is null.
struct Scope<'r> {
    random: &'r mut Random,
    values: Vec<NodeId>,
    objects: Vec<NodeId>,
}

/// A program of `size` statements.
pub fn random_program(random: &mut Random, size: usize) -> Program {
    let mut builder = GraphBuilder::new();
    let mut scope = Scope { values: vec![builder.argument], objects: Vec::new(), random };
    scope.object(&mut builder);
    for _ in 0..size {
        scope.statement(&mut builder, 2);
    }
    let object = scope.random.pick(&scope.objects);
    match scope.random.below(4) {
        0 => builder.returned(object, format()),
        1 => {
            let zero = builder.constant(0);
            let value = scope.value(&mut builder);
            let test = (Relation::Less, value, zero);
            let null = builder.constant(0);
            let result =
                builder.branches(test, |_, is_less| vec![if is_less { null } else { object }]);
            builder.returned(result[0], format())
        }
        _ => {
            let mut sum = scope.value(&mut builder);
            for number in 0..INTEGERS as i64 {
                let address = builder.field(object, number);
                let field = builder.load(address);
                let three = builder.constant(3);
                sum = builder.binary(Binary::Mul, sum, three);
                sum = builder.binary(Binary::Add, sum, field);
            }
            builder.returned(sum, ResultFormat::Integer)
        }
    }
}

const NUMBERS: [i64; 9] = [0, 1, -1, 2, 5, 100, -1000, i32::MIN as i64, i32::MAX as i64];

const RELATIONS: [Relation; 6] = [
    Relation::Greater,
    Relation::Equal,
    Relation::GreaterEqual,
    Relation::Less,
    Relation::NotEqual,
    Relation::LessEqual,
];

impl Scope<'_> {
    fn value(&mut self, builder: &mut GraphBuilder) -> NodeId {
        match self.random.below(4) {
            0 => builder.constant(self.random.pick(&NUMBERS)),
            1 => self.random.pick(&self.values),
            _ => self.values[self.values.len() - 1],
        }
    }

    fn object(&mut self, builder: &mut GraphBuilder) {
        let object = builder.allocate(4 * (POINTER + 1));
        let pointer = self.objects.last().copied().unwrap_or(object);
        let address = builder.field(object, POINTER);
        builder.store(address, pointer);
        self.objects.push(object);
    }

    fn address(&mut self, builder: &mut GraphBuilder) -> NodeId {
        let object = self.random.pick(&self.objects);
        builder.field(object, self.random.below(INTEGERS) as i64)
    }

    fn statement(&mut self, builder: &mut GraphBuilder, levels: usize) {
        match self.random.below(if levels > 0 { 16 } else { 13 }) {
            0 => self.object(builder),
            1..4 => {
                let address = self.address(builder);
                self.values.push(builder.load(address));
            }
            4..6 => {
                let (address, value) = (self.address(builder), self.value(builder));
                builder.store(address, value);
            }
            6..8 => self.update(builder),
            8 => {
                let address = {
                    let object = self.random.pick(&self.objects);
                    builder.field(object, POINTER)
                };
                self.objects.push(builder.load(address));
            }
            9 => {
                let [from, to] = [(); 2].map(|()| self.random.pick(&self.objects));
                let address = builder.field(from, POINTER);
                builder.store(address, to);
            }
            10..13 => {
                let op = self.random.pick(&[Binary::Add, Binary::Sub, Binary::Mul]);
                let (x, y) = (self.value(builder), self.value(builder));
                self.values.push(builder.binary(op, x, y));
            }
            13..15 => self.branches(builder, levels),
            _ => self.iterations(builder, levels),
        }
    }

    /// A load, an operation and a store at the same address; the address may be one node or two.
    fn update(&mut self, builder: &mut GraphBuilder) {
        let object = self.random.pick(&self.objects);
        let number = self.random.below(INTEGERS) as i64;
        let address = builder.field(object, number);
        let loaded = builder.load(address);
        let value = self.value(builder);
        let op = self.random.pick(&[Binary::Add, Binary::Add, Binary::Sub]);
        let sum = builder.binary(op, loaded, value);
        let again = self.random.below(2) == 0;
        let address = if again { builder.field(object, number) } else { address };
        builder.store(address, sum);
    }

    /// A test of a value, or of a field of an object.
    fn test(&mut self, builder: &mut GraphBuilder) -> (Relation, NodeId, NodeId) {
        let right = self.value(builder);
        let left = match self.random.below(2) {
            0 => self.value(builder),
            _ => {
                let address = self.address(builder);
                builder.load(address)
            }
        };
        (self.random.pick(&RELATIONS), left, right)
    }

    /// The statements of a block; afterwards, the values and the objects are those of before.
    fn block(&mut self, builder: &mut GraphBuilder, levels: usize) -> Vec<NodeId> {
        let known = (self.values.len(), self.objects.len());
        for _ in 0..self.random.below(5) {
            self.statement(builder, levels - 1);
        }
        let results = vec![self.value(builder), self.random.pick(&self.objects)];
        self.values.truncate(known.0);
        self.objects.truncate(known.1);
        results
    }

    fn branches(&mut self, builder: &mut GraphBuilder, levels: usize) {
        let test = self.test(builder);
        let results = builder.branches(test, |builder, _| self.block(builder, levels));
        self.values.push(results[0]);
        self.objects.push(results[1]);
    }

    fn iterations(&mut self, builder: &mut GraphBuilder, levels: usize) {
        let count = builder.constant(self.random.below(4) as i64);
        let first = [self.value(builder), self.random.pick(&self.objects)];
        let (opened, phis) = builder.begin_loop(count, &first);
        self.values.push(phis[0]);
        self.objects.push(phis[1]);
        let results = self.block(builder, levels);
        builder.end_loop(opened, &results);
    }
}
