//! The type of a node from the types of its inputs.
//!
//! Sound: the type allows every value that the node yields at run time.
use super::graph::Graph;
use super::op::{NodeId, Op};
#[cfg(feature = "ch14")]
use crate::arith::Interval;
#[cfg(feature = "ch04")]
use crate::arith::Relation;
use crate::arith::{Binary, Unary};
#[cfg(feature = "ch12")]
use crate::floats::FloatOp;
#[cfg(feature = "ch10")]
use crate::types::Target;
use crate::types::{Type, TypeKind};

/// The type of `id`; Top while some of its inputs are missing.
pub fn infer(graph: &mut Graph, id: NodeId) -> Type {
    let count = graph.op(id).row().inputs;
    match count.is_some_and(|count| graph.inputs(id).len() < count) {
        #[cfg(feature = "ch07")]
        true if let Some(ty) = of_open_loop(graph, id) => ty,
        true => Type::TOP,
        false => complete(graph, id),
    }
}

/// The type of a loop, or of a Phi in it, without its back edge.
#[cfg(feature = "ch07")]
fn of_open_loop(graph: &Graph, id: NodeId) -> Option<Type> {
    match graph.op(id) {
        Op::Loop => Some(graph.ty(graph.input(id, 0))),
        #[cfg(feature = "ch10")]
        Op::Phi(label) => Some(graph.labels.declared(label)),
        // The value of the back edge is not known yet.
        op if op.is_phi() => Some(Type::INTEGER),
        _ => None,
    }
}

/// The type of a node that has all its inputs.
fn complete(graph: &mut Graph, id: NodeId) -> Type {
    match graph.op(id) {
        // If the entry is dead, the back edge is dead, too.
        #[cfg(feature = "ch07")]
        Op::Loop => graph.ty(graph.input(id, 0)),
        // Set by the parser, not computed.
        Op::Start => graph.ty(id),
        #[cfg(feature = "ch05")]
        end if end.ends_program() && !graph.is_reachable(graph.input(id, 0)) => Type::DEAD_CONTROL,
        Op::Return => Type::BOTTOM,
        Op::Constant(ty) => ty,
        Op::Binary(binary) => arithmetic(graph, id, binary),
        Op::Unary(unary) => sign_or_not(graph, id, unary),
        #[cfg(feature = "ch03")]
        Op::Scope => Type::BOTTOM,
        #[cfg(feature = "ch10")]
        Op::Projection(2..) => Type::MEMORY,
        // Control after a call, which may be dead.
        #[cfg(feature = "ch18")]
        Op::Projection(0) if let Op::Call(_) | Op::DeadControl = graph.op(graph.input(id, 0)) => {
            graph.ty(graph.input(id, 0))
        }
        #[cfg(feature = "ch04")]
        Op::Projection(index) => element(graph, id, index),
        #[cfg(feature = "ch04")]
        Op::Compare(relation) => comparison(graph, id, relation),
        #[cfg(feature = "ch05")]
        Op::Stop => Type::BOTTOM,
        #[cfg(feature = "ch05")]
        Op::DeadControl => Type::DEAD_CONTROL,
        #[cfg(feature = "ch05")]
        Op::If => branches(graph, id),
        #[cfg(feature = "ch05")]
        Op::ControlProjection(truth) => element(graph, id, u32::from(!truth)),
        #[cfg(feature = "ch05")]
        Op::Region => join(graph, id),
        #[cfg(feature = "ch05")]
        Op::Phi(_) => merged(graph, id),
        #[cfg(feature = "ch15")]
        Op::NewArray(_) | Op::Length | Op::Element | Op::Trap(_) => of_arrays(graph, id),
        #[cfg(feature = "ch10")]
        Op::New(of) => graph.types.pointer(Target::Struct(of), false),
        #[cfg(feature = "ch10")]
        Op::Clear(_) | Op::Store(_) => Type::MEMORY,
        #[cfg(feature = "ch10")]
        Op::Load(_) => loaded(graph, id),
        #[cfg(feature = "ch10")]
        Op::Cast => {
            let pointer = graph.ty(graph.input(id, 1));
            graph.types.not_null(pointer)
        }
        #[cfg(feature = "ch12")]
        Op::Float(float) => float_operation(graph, id, float),
        #[cfg(feature = "ch18")]
        Op::Function(_) | Op::Parameter(_) | Op::Call(_) | Op::Result | Op::Rest => {
            of_functions(graph, id)
        }
    }
}

/// Control passes a call, as far as is known. Parameters and results have the types of the
/// signature.
#[cfg(feature = "ch18")]
fn of_functions(graph: &Graph, id: NodeId) -> Type {
    let input = graph.input(id, 0);
    match (graph.op(id), graph.op(input)) {
        (Op::Function(_), _) => Type::CONTROL,
        (Op::Call(_), _) => graph.ty(input),
        (Op::Parameter(number), Op::Function(function)) => {
            let signature = graph.types.functions.signature_of(function);
            graph.types.functions.get(signature).parameters[number as usize]
        }
        (Op::Result, Op::Call(signature)) => graph.types.functions.get(signature).result,
        (Op::Parameter(_) | Op::Result, Op::DeadControl) => Type::TOP,
        (Op::Rest, _) => Type::MEMORY,
        _ => Type::BOTTOM,
    }
}

/// The type of the value that a load yields.
#[cfg(feature = "ch10")]
fn loaded(graph: &mut Graph, load: NodeId) -> Type {
    let Op::Load(field) = graph.op(load) else { return Type::TOP };
    graph.types.loaded(field)
}

/// The address of an element is of the type of its array, and not null.
#[cfg(feature = "ch15")]
fn of_arrays(graph: &mut Graph, id: NodeId) -> Type {
    match graph.op(id) {
        Op::NewArray(of) => graph.types.pointer(Target::Struct(of), false),
        Op::Length => length(graph, graph.input(id, 0)),
        Op::Element => {
            let array = graph.ty(graph.input(id, 1));
            graph.types.not_null(array)
        }
        _ => Type::BOTTOM,
    }
}

/// The type of the length of an array.
#[cfg(feature = "ch15")]
fn length(graph: &mut Graph, array: NodeId) -> Type {
    let of = graph.types.array_of(graph.ty(array));
    let max = of.map_or(graph.types.int.max(), |of| graph.types.structs.max_length(of));
    let all = Interval::new(0, max);
    let known = match graph.op(array) {
        Op::NewArray(_) => graph.types.interval_of(graph.ty(graph.input(array, 1))),
        _ => None,
    };
    let length = known.and_then(|it| it.intersect(all)).unwrap_or(all);
    graph.types.interval(length)
}

/// Operations on floating-point numbers are computed here as the machine computes them.
#[cfg(feature = "ch12")]
fn float_operation(graph: &mut Graph, id: NodeId, float: FloatOp) -> Type {
    let inputs = [0, float.row().operands - 1].map(|at| graph.ty(graph.input(id, at)));
    let values = inputs.map(|it| graph.types.value(it));
    match (values, float.relation().is_some()) {
        ([Some(a), Some(b)], true) => graph.types.constant(float.evaluate([a, b])),
        ([Some(a), Some(b)], false) => graph.types.float(float.evaluate([a, b])),
        _ if inputs.contains(&Type::TOP) => Type::TOP,
        (_, true) => TRUTH,
        #[cfg(feature = "ch14")]
        (_, false) if yields_single(graph, float, inputs[0]) => Type::SINGLE,
        (_, false) => Type::FLOAT,
    }
}

/// Whether 32 bits can hold the result: it is rounded, another one with its sign changed, or an
/// integer of at most 24 bits.
#[cfg(feature = "ch14")]
fn yields_single(graph: &Graph, float: FloatOp, operand: Type) -> bool {
    match float {
        FloatOp::Round => true,
        FloatOp::Minus => graph.types.is_single(operand),
        FloatOp::FromInteger => {
            let Interval { min, max, .. } = integers(graph, operand);
            -(1 << 24) <= min && max <= 1 << 24
        }
        _ => false,
    }
}

/// The types of the first two inputs.
fn operand_types(graph: &Graph, id: NodeId) -> [Type; 2] {
    let [left, right] = graph.operands(id);
    [graph.ty(left), graph.ty(right)]
}

fn arithmetic(graph: &mut Graph, id: NodeId, binary: Binary) -> Type {
    let [left, right] = operand_types(graph, id);
    match (graph.types.value(left), graph.types.value(right)) {
        (Some(a), Some(b)) => graph.types.constant((binary.row().evaluate)(graph.types.int, a, b)),
        #[cfg(feature = "ch14")]
        _ if left != Type::TOP && right != Type::TOP => {
            let [x, y] = [left, right].map(|it| integers(graph, it));
            graph.types.interval(binary.results(graph.types.int, x, y))
        }
        _ => unknown(graph, [left, right]),
    }
}

/// The integers of a type. Only a program with an error computes with other values.
#[cfg(feature = "ch14")]
fn integers(graph: &Graph, ty: Type) -> Interval {
    graph.types.interval_of(ty).unwrap_or(Interval::all(graph.types.int))
}

/// The type of a result that is not constant: Top if one of the operands is Top. The meet of Top
/// and 5 would make the result 5 first, and another type later.
fn unknown(graph: &mut Graph, [left, right]: [Type; 2]) -> Type {
    if left == Type::TOP || right == Type::TOP {
        return Type::TOP;
    }
    graph.types.meet(left, right)
}

fn sign_or_not(graph: &mut Graph, id: NodeId, unary: Unary) -> Type {
    let operand = graph.ty(graph.input(id, 0));
    #[cfg(feature = "ch10")]
    if graph.types.is_pointer(operand) {
        let is_null = (operand == Type::NULL).then_some(1);
        let known = is_null.or((!graph.types.may_be_null(operand)).then_some(0));
        return known.map_or(TRUTH, |it| graph.types.constant(it));
    }
    match graph.types.value(operand) {
        Some(x) => graph.types.constant((unary.row().evaluate)(graph.types.int, x)),
        #[cfg(feature = "ch14")]
        None if operand != Type::TOP => {
            let (zero, operand) = (Interval::constant(0), integers(graph, operand));
            let result = match unary {
                Unary::Minus => Binary::Sub.results(graph.types.int, zero, operand),
                Unary::Not if operand.contains(0) => Interval::truth(),
                Unary::Not => zero,
            };
            graph.types.interval(result)
        }
        None => operand,
    }
}

/// The type of a truth value.
#[cfg(feature = "ch14")]
const TRUTH: Type = Type::BOOL;
#[cfg(feature = "ch04")]
#[cfg(not(feature = "ch14"))]
const TRUTH: Type = Type::INTEGER;

#[cfg(feature = "ch04")]
fn comparison(graph: &mut Graph, id: NodeId, relation: Relation) -> Type {
    let [left, right] = operand_types(graph, id);
    match (graph.types.value(left), graph.types.value(right)) {
        (Some(a), Some(b)) => graph.types.constant(i64::from(relation.holds(a, b))),
        _ if left == Type::TOP || right == Type::TOP => Type::TOP,
        #[cfg(feature = "ch10")]
        _ if is_null_and_object(graph, [left, right]) => graph.types.constant(0),
        #[cfg(feature = "ch14")]
        _ if let Some(known) = compared(graph, relation, [left, right]) => {
            graph.types.constant(known.into())
        }
        _ => TRUTH,
    }
}

/// Whether the relation holds between all integers of two types, or between none.
#[cfg(feature = "ch14")]
fn compared(graph: &Graph, relation: Relation, types: [Type; 2]) -> Option<bool> {
    let [left, right] = types.map(|it| graph.types.interval_of(it));
    left?.compare(relation, right?)
}

/// Whether one of two compared pointers is null, and the other one is not.
#[cfg(feature = "ch10")]
fn is_null_and_object(graph: &Graph, types: [Type; 2]) -> bool {
    types.contains(&Type::NULL) && types.iter().any(|&it| !graph.types.may_be_null(it))
}

/// The reachable branches: both, one if the predicate is known, none if the If is not reachable.
#[cfg(feature = "ch05")]
fn branches(graph: &mut Graph, id: NodeId) -> Type {
    let [control, predicate] = graph.operands(id);
    let test = graph.ty(predicate);
    let known = graph.types.value(test);
    #[cfg(feature = "ch10")]
    let known = known.or((!graph.types.may_be_null(test)).then_some(1));
    #[cfg(feature = "ch14")]
    let is_false = graph.types.interval_of(test).is_none_or(|it| it.contains(0));
    #[cfg(feature = "ch14")]
    let known = known.or((!is_false).then_some(1));
    // A predicate of type Top is never computed, so the code after it is unreachable.
    let taken = |truth: bool| test != Type::TOP && known.is_none_or(|value| (value != 0) == truth);
    let [live, dead] = [graph.ty(control), Type::DEAD_CONTROL];
    let branches = [true, false].map(|truth| if taken(truth) { live } else { dead });
    graph.types.intern(TypeKind::Tuple(branches))
}

/// A join is reachable if one of its predecessors is.
#[cfg(feature = "ch05")]
fn join(graph: &mut Graph, id: NodeId) -> Type {
    let [first, second] = operand_types(graph, id);
    graph.types.meet(first, second)
}

/// The meet of all live values; the Phi itself, as its own input, adds nothing.
#[cfg(feature = "ch05")]
fn merged(graph: &mut Graph, id: NodeId) -> Type {
    let [first, second] = {
        let mut others = graph.live_values(id).filter(|&value| value != id);
        [others.next(), others.next()].map(|it| it.map_or(Type::TOP, |value| graph.ty(value)))
    };
    let both = graph.types.meet(first, second);
    #[cfg(feature = "ch14")]
    if graph.op(graph.input(id, 0)) == Op::Loop {
        return rounded(graph, both);
    }
    both
}

/// The type of the value of a loop. Its bounds go on to powers of 2, so that they change a few
/// times only: without it x = (x * 255) >> 8 would take a round for each step of its limits.
#[cfg(feature = "ch14")]
fn rounded(graph: &mut Graph, ty: Type) -> Type {
    match graph.types.interval_of(ty) {
        Some(interval) if interval.value().is_none() => graph.types.interval(interval.rounded()),
        _ => ty,
    }
}

#[cfg(feature = "ch04")]
fn element(graph: &mut Graph, id: NodeId, index: u32) -> Type {
    let of = graph.ty(graph.input(id, 0));
    match graph.types.kind(of) {
        TypeKind::Tuple(types) => types[index as usize],
        _ => Type::BOTTOM,
    }
}
