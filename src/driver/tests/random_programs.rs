//! Random programs with control flow, as graphs of the sea: all later stages must compute the same
//! results.
use super::{all_built_in, executable, select};
use crate::arith::{Binary, INT, Relation, Unary};
use crate::effort::programs;
use crate::lower::lower;
use crate::random::Random;
use crate::schedule::{BlockId, Schedule, ScheduledGraph, schedule};
use crate::sea::{Graph, Label, NodeId, Op};
use crate::select::options::{Method, Objective, SelectionOptions};
use crate::stage::{Artifact, Outcome};
use crate::types::Type;
use arena::Id;

enum Statement {
    /// Assigns a value to a variable.
    Set(usize, Value),
    If(Value, Vec<Statement>, Vec<Statement>),
    While(Value, Vec<Statement>),
    Break,
    Continue,
    Return(Value),
}

enum Value {
    Constant(i64),
    Variable(usize),
    Binary(Binary, Box<[Value; 2]>),
    Compare(Relation, Box<[Value; 2]>),
    Unary(Unary, Box<Value>),
}

const VARIABLES: usize = 4;

/// Statements; `depth` bounds how they nest.
fn statements(random: &mut Random, depth: usize, in_loop: bool) -> Vec<Statement> {
    (0..random.below(4)).map(|_| statement(random, depth, in_loop)).collect()
}

fn statement(random: &mut Random, depth: usize, in_loop: bool) -> Statement {
    match random.below(12) {
        0 if in_loop => Statement::Break,
        1 if in_loop => Statement::Continue,
        2 => Statement::Return(value(random, 2)),
        3..6 if depth > 0 => {
            let then = statements(random, depth - 1, in_loop);
            Statement::If(value(random, 2), then, statements(random, depth - 1, in_loop))
        }
        6..9 if depth > 0 => {
            Statement::While(value(random, 2), statements(random, depth - 1, true))
        }
        _ => Statement::Set(random.below(VARIABLES), value(random, 2)),
    }
}

fn value(random: &mut Random, depth: usize) -> Value {
    let kind = if depth == 0 { random.below(4) } else { random.below(10) };
    let operand = |random: &mut Random| value(random, depth - 1);
    match kind {
        0 => Value::Constant(i64::from(random.word() >> random.below(32))),
        1..4 => Value::Variable(random.below(VARIABLES)),
        4..7 => {
            let operands = [operand(random), operand(random)];
            Value::Binary(random.pick(&operators()), Box::new(operands))
        }
        7..9 => {
            let operands = [operand(random), operand(random)];
            Value::Compare(random.pick(&Relation::ALL), Box::new(operands))
        }
        _ => Value::Unary(Unary::Not, Box::new(operand(random))),
    }
}

/// The operators of the language.
fn operators() -> Vec<Binary> {
    Binary::of_language().collect()
}

/// The abrupt ends of statements.
enum Exit {
    Break,
    Continue,
    Return(i64),
    OutOfSteps,
}

/// Interprets the statements of a program.
struct Interpreter {
    variables: [i64; VARIABLES],
    steps: u32,
}

impl Interpreter {
    fn value(&self, value: &Value) -> i64 {
        match value {
            Value::Constant(number) => *number,
            Value::Variable(at) => self.variables[*at],
            Value::Binary(op, of) => {
                (op.row().evaluate)(INT, self.value(&of[0]), self.value(&of[1]))
            }
            Value::Compare(relation, of) => {
                i64::from(relation.holds(self.value(&of[0]), self.value(&of[1])))
            }
            Value::Unary(op, of) => (op.row().evaluate)(INT, self.value(of)),
        }
    }

    fn all(&mut self, statements: &[Statement]) -> Option<Exit> {
        statements.iter().find_map(|it| self.one(it))
    }

    fn one(&mut self, statement: &Statement) -> Option<Exit> {
        match statement {
            Statement::Set(at, value) => self.variables[*at] = self.value(value),
            Statement::If(truth, then, other) => {
                return self.all(if self.value(truth) != 0 { then } else { other });
            }
            Statement::While(truth, body) => {
                while self.value(truth) != 0 {
                    self.steps += 1;
                    if self.steps > 1000 {
                        return Some(Exit::OutOfSteps);
                    }
                    match self.all(body) {
                        Some(Exit::Break) => break,
                        Some(Exit::Continue) | None => {}
                        exit => return exit,
                    }
                }
            }
            Statement::Break => return Some(Exit::Break),
            Statement::Continue => return Some(Exit::Continue),
            Statement::Return(value) => return Some(Exit::Return(self.value(value))),
        }
        None
    }
}

fn interpret(program: &[Statement], argument: i64) -> Option<Outcome> {
    let mut interpreter = Interpreter { variables: [argument, 0, 1, 2], steps: 0 };
    match interpreter.all(program) {
        Some(Exit::Return(value)) => Some(Outcome::value(value)),
        Some(Exit::OutOfSteps) => None,
        _ => Some(Outcome::value(interpreter.variables[1])),
    }
}

/// Control, and the values of all variables; no control if the point is unreachable.
#[derive(Clone)]
struct Scope {
    control: Option<NodeId>,
    variables: [NodeId; VARIABLES],
}

/// A graph under construction, without simplification.
struct GraphBuilder {
    graph: Graph,
    returns: Vec<NodeId>,
    /// For each loop, the scopes of its breaks and of its continues.
    loops: Vec<[Vec<Scope>; 2]>,
}

fn build(program: &[Statement]) -> Graph {
    let mut builder =
        GraphBuilder { graph: Graph::default(), returns: Vec::new(), loops: Vec::new() };
    let start = builder.graph.create(Op::Start, &[]);
    builder.graph.start = start;
    let control = builder.graph.create(Op::Projection(0), &[start]);
    let argument = builder.graph.create(Op::Projection(1), &[start]);
    let [zero, one, two] = [0, 1, 2].map(|it| builder.constant(it));
    let mut scope = Scope { control: Some(control), variables: [argument, zero, one, two] };
    builder.all(program, &mut scope);
    builder.end(&mut scope, zero, 1);
    builder.graph.end = builder.graph.create(Op::Stop, &builder.returns);
    builder.graph
}

impl GraphBuilder {
    fn constant(&mut self, number: i64) -> NodeId {
        let ty = self.graph.types.constant(number);
        let id = self.graph.create(Op::Constant(ty), &[]);
        self.graph.set_type(id, ty);
        id
    }

    fn value(&mut self, value: &Value, scope: &Scope) -> NodeId {
        let (op, operands) = match value {
            Value::Constant(number) => return self.constant(*number),
            Value::Variable(at) => return scope.variables[*at],
            Value::Binary(op, of) => (Op::Binary(*op), &of[..]),
            Value::Compare(relation, of) => (Op::Compare(*relation), &of[..]),
            Value::Unary(op, of) => (Op::Unary(*op), std::slice::from_ref(&**of)),
        };
        let operands: Vec<_> = operands.iter().map(|it| self.value(it, scope)).collect();
        let id = self.graph.create(op, &operands);
        let ty = Type::INTEGER;
        self.graph.set_type(id, ty);
        id
    }

    /// Returns a variable at the end of the program.
    fn end(&mut self, scope: &mut Scope, _: NodeId, at: usize) {
        if let Some(control) = scope.control.take() {
            self.returns.push(self.graph.create(Op::Return, &[control, scope.variables[at]]));
        }
    }

    fn all(&mut self, statements: &[Statement], scope: &mut Scope) {
        statements.iter().for_each(|it| self.one(it, scope));
    }

    fn one(&mut self, statement: &Statement, scope: &mut Scope) {
        let Some(control) = scope.control else { return };
        match statement {
            Statement::Set(at, value) => scope.variables[*at] = self.value(value, scope),
            Statement::If(truth, then, other) => {
                let [mut first, mut second] = self.branches(control, truth, scope);
                self.all(then, &mut first);
                self.all(other, &mut second);
                *scope = self.merged(&[first, second]);
            }
            Statement::While(truth, body) => self.repeat(control, truth, body, scope),
            Statement::Break | Statement::Continue => {
                let is_continue = matches!(statement, Statement::Continue);
                let scopes = self.loops.last_mut().expect("the statement is inside a loop");
                scopes[usize::from(is_continue)].push(scope.clone());
                scope.control = None;
            }
            Statement::Return(value) => {
                let value = self.value(value, scope);
                self.returns.push(self.graph.create(Op::Return, &[control, value]));
                scope.control = None;
            }
        }
    }

    fn branches(&mut self, control: NodeId, truth: &Value, scope: &Scope) -> [Scope; 2] {
        let truth = self.value(truth, scope);
        let branch = self.graph.create(Op::If, &[control, truth]);
        [true, false].map(|value| {
            let control = self.graph.create(Op::ControlProjection(value), &[branch]);
            Scope { control: Some(control), ..scope.clone() }
        })
    }

    fn repeat(&mut self, control: NodeId, truth: &Value, body: &[Statement], scope: &mut Scope) {
        let header = self.graph.create(Op::Loop, &[control]);
        let phi =
            |&value: &NodeId| self.graph.create(Op::Phi(Label::from_index(0)), &[header, value]);
        let phis: Vec<_> = scope.variables.iter().map(phi).collect();
        (scope.control, scope.variables) = (Some(header), [phis[0], phis[1], phis[2], phis[3]]);
        let [mut inside, outside] = self.branches(header, truth, scope);
        self.loops.push([vec![outside], Vec::new()]);
        self.all(body, &mut inside);
        let [leaving, mut staying] = self.loops.pop().expect("it was pushed");
        staying.insert(0, inside);
        let back = self.merged(&staying);
        let dead = self.graph.create(Op::DeadControl, &[]);
        self.graph.add_input(header, back.control.unwrap_or(dead));
        for (phi, value) in phis.into_iter().zip(back.variables) {
            self.graph.add_input(phi, value);
        }
        *scope = self.merged(&leaving);
    }

    /// Merges the scopes, two at a time. Those without control get dead control.
    fn merged(&mut self, scopes: &[Scope]) -> Scope {
        let mut all = scopes[0].clone();
        for other in &scopes[1..] {
            let controls = [&all, other].map(|it| it.control);
            if controls == [None, None] {
                continue;
            }
            let dead = self.graph.create(Op::DeadControl, &[]);
            let controls = controls.map(|it| it.unwrap_or(dead));
            let region = self.graph.create(Op::Region, &controls);
            for (mine, theirs) in all.variables.iter_mut().zip(other.variables) {
                if *mine != theirs {
                    let phi = Op::Phi(Label::from_index(0));
                    *mine = self.graph.create(phi, &[region, *mine, theirs]);
                }
            }
            all.control = Some(region);
        }
        all
    }
}

const ARGUMENTS: [i64; 5] = [0, 1, -1, 7, i32::MIN as i64];

/// The headers of the loops around a block, the outermost first.
#[cfg(feature = "ch11")]
fn enclosing_headers(schedule: &Schedule, block: BlockId) -> Vec<BlockId> {
    // The entry edge of a loop starts in the next enclosing loop.
    let outside = |&header: &BlockId| schedule.blocks[schedule.predecessors[header][0]].loop_header;
    let mut headers: Vec<_> =
        std::iter::successors(schedule.blocks[block].loop_header, outside).collect();
    headers.reverse();
    headers
}

/// Checks that no block of a loop follows a block outside of it.
#[cfg(feature = "ch11")]
fn check_loops_are_contiguous(schedule: &Schedule) {
    let (mut open, mut closed): (Vec<BlockId>, Vec<BlockId>) = (Vec::new(), Vec::new());
    for block in schedule.blocks.ids() {
        let headers = enclosing_headers(schedule, block);
        assert_eq!(schedule.blocks[block].depth as usize, headers.len());
        while !headers.starts_with(&open) {
            closed.extend(open.pop());
        }
        for &header in &headers[open.len()..] {
            assert!(!closed.contains(&header) && header == block, "{header:?} begins at {block:?}");
            open.push(header);
        }
    }
}

/// The number of programs.
fn count() -> u64 {
    programs(2_000)
}

fn random_program(random: &mut Random) -> Vec<Statement> {
    (0..8).flat_map(|_| statements(random, 3, false)).collect()
}

/// A random program, as Firm has it.
#[cfg(feature = "ch19")]
pub fn program(random: &mut Random) -> crate::firm::Graph {
    lowered(&random_program(random))
}

/// A random program that ends soon for each of these arguments, as Firm has it. The evaluation of
/// an infinite one takes longest and has no result.
#[cfg(feature = "ch29")]
pub fn finite_program(random: &mut Random, arguments: &[i64]) -> crate::firm::Graph {
    loop {
        let program = random_program(random);
        if arguments.iter().all(|&argument| interpret(&program, argument).is_some()) {
            return lowered(&program);
        }
    }
}

#[cfg(feature = "ch19")]
fn lowered(program: &[Statement]) -> crate::firm::Graph {
    let graph = build(program);
    lower(&graph, &schedule(&graph))
}

const METHODS: [Method; 2] = [Method::Greedy, Method::Pbqp];

#[test]
fn every_stage_computes_the_result_of_the_statements() {
    let all_rules = all_built_in();
    for seed in 0..count() {
        let mut random = Random::new(seed);
        let program = random_program(&mut random);
        let graph = build(&program);
        let schedule = schedule(&graph);
        #[cfg(feature = "ch11")]
        check_loops_are_contiguous(&schedule);
        let firm = lower(&graph, &schedule);
        assert_eq!(firm.verify(), [], "{seed}\n{}", firm.print());
        let blocks = ScheduledGraph { graph: &graph, schedule: &schedule };
        assert_eq!(blocks.verify(), [], "{seed}\n{}", blocks.print());
        let mut stages: Vec<Box<dyn Artifact>> = vec![Box::new(blocks), Box::new(firm.clone())];
        for (method, rules) in METHODS.iter().flat_map(|it| all_rules.iter().map(|all| (*it, all)))
        {
            let selection = SelectionOptions { objective: Objective::Speed, method };
            let selection = select(&firm, rules, selection).unwrap_or_else(|it| panic!("{it:?}"));
            assert_eq!(selection.verify(), [], "{seed}\n{}", firm.print());
            for code in executable(&selection) {
                assert_eq!(code.verify(), [], "{seed}\n{}\n{}", firm.print(), code.print());
                stages.push(code);
            }
        }
        for argument in ARGUMENTS {
            let Some(expected) = interpret(&program, argument) else { continue };
            for stage in &stages {
                let found = stage.eval(argument);
                assert_eq!(found, Some(expected.clone()), "{seed}, {argument}\n{}", stage.print());
            }
        }
    }
}
