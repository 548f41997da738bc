//! Memory: loads of values that are known, stores that are overwritten, pointers that are not null.
//!
//! A field has a memory of its own, so a store to another field is never in between. A store to the
//! same field of another object may be, if two pointers are the same; that two pointers differ is
//! known only of two new objects.
use super::dependents::{Aspect, Noted};
use super::{Component, Engine, Rule};
use crate::sea::{Graph, NodeId, Op, dominates, dominator_dependencies, infer};
use crate::types::{FieldId, Type};

pub const RULES: &[Rule] = &[
    Rule {
        name: "load-store",
        law: "load(store(m, p, x), p) → x, and load(clear(m, p), p) → 0",
        example: ("struct S { int x; } S s = new S; s.x = arg; return s.x;", "return arg;"),
        root: &|graph, id| is_load(graph, id),
        decreases: Component::Memory,
        apply: &|engine, graph, id| {
            let [memory, pointer] = [0, 1].map(|at| graph.input(id, at));
            stored_value(engine, graph, memory, pointer)
        },
    },
    Rule {
        name: "load-other-object",
        law: "load(store(m, new₁, x), new₂) → load(m, new₂)",
        example: (
            "struct S { int x; } S s = new S; S t = new S; t.x = arg; return s.x;",
            "struct S { int x; } S s = new S; return s.x;",
        ),
        root: &|graph, id| is_load(graph, id),
        decreases: Component::Memory,
        apply: &|_, graph, id| {
            let [memory, pointer] = [0, 1].map(|at| graph.input(id, at));
            let before = before_other_objects(graph, memory, pointer);
            (before != memory).then(|| graph.create(graph.op(id), &[before, pointer]))
        },
    },
    Rule {
        name: "load-phi",
        law: "load(φ(m₁, m₂), p) → φ(load(m₁, p), load(m₂, p)), if one of them is a store to p",
        example: (
            "struct S { int x; } S s = new S; s.x = 3; if (arg) s.x = 5; return s.x;",
            "int x = 3; if (arg) x = 5; return x;",
        ),
        root: &|graph, id| is_load(graph, id),
        decreases: Component::Memory,
        apply: &load_from_phi,
    },
    Rule {
        name: "store-store",
        law: "store(store(m, p, x), p, y) → store(m, p, y), if nothing else needs the first",
        example: (
            "struct S { int x; } S s = new S; s.x = 1; s.x = arg; return s;",
            "struct S { int x; } S s = new S; s.x = arg; return s;",
        ),
        root: &|graph, id| matches!(graph.op(id), Op::Store(_)),
        decreases: Component::Weight,
        apply: &|_, graph, id| {
            let [memory, pointer] = [1, 2].map(|at| graph.input(id, at));
            let is_dead = written_object(graph, memory) == Some(pointer) && graph.uses(memory) == 1;
            is_dead.then(|| {
                graph.set_input(id, 1, graph.input(memory, 1));
                id
            })
        },
    },
    Rule {
        name: "cast-known",
        law: "cast(p) → p, if p is not null",
        example: (
            "struct S { int x; } S? s = new S; while (s) return s; return null;",
            "struct S { int x; } S s = new S; while (s) return s; return null;",
        ),
        root: &|graph, id| graph.op(id) == Op::Cast,
        decreases: Component::Weight,
        apply: &|_, graph, id| {
            let pointer = graph.input(id, 1);
            (!graph.types.may_be_null(graph.ty(pointer))).then_some(pointer)
        },
    },
    Rule {
        name: "phi-null-test",
        law: "φ(cast(p), null) → p after a test of p, and φ(cast(p), p) → p",
        example: (
            "struct S { int x; } S? s = null; if (arg) s = new S; if (s) arg = 1; return s;",
            "struct S { int x; } S? s = null; if (arg) s = new S; return s;",
        ),
        root: &|graph, id| graph.op(id).is_phi(),
        decreases: Component::Weight,
        apply: &|_, graph, id| tested_pointer(graph, id),
    },
];

fn is_load(graph: &Graph, id: NodeId) -> bool {
    matches!(graph.op(id), Op::Load(_))
}

/// The object to which the last write before this state of memory wrote.
fn written_object(graph: &Graph, memory: NodeId) -> Option<NodeId> {
    graph.op(memory).writes_memory().then(|| graph.input(memory, 2))
}

/// The value in this memory at `pointer`, if that was written last.
fn stored_value(
    engine: &mut Engine,
    graph: &mut Graph,
    memory: NodeId,
    pointer: NodeId,
) -> Option<NodeId> {
    if written_object(graph, memory) != Some(pointer) {
        return None;
    }
    Some(match graph.op(memory) {
        Op::Store(_) => graph.input(memory, 3),
        _ => {
            let zero = graph.types.constant(0);
            #[cfg(feature = "ch12")]
            let zero = other_zero(graph, memory).unwrap_or(zero);
            engine.node(graph, Op::Constant(zero), &[])
        }
    })
}

/// The value of a field that was cleared, if it is not an integer: 0.0, or null.
#[cfg(feature = "ch12")]
fn other_zero(graph: &mut Graph, cleared: NodeId) -> Option<Type> {
    let Op::Clear(field) = graph.op(cleared) else { return None };
    let ty = graph.types.structs.field_type(field);
    #[cfg(feature = "ch13")]
    if graph.types.is_pointer(ty) {
        return Some(Type::NULL);
    }
    graph.types.is_float(ty).then(|| graph.types.float(0))
}

/// The most states of memory that a load inspects: without a limit, loads after many stores would
/// take quadratic time.
const MAX_STATES: usize = 16;

/// The state of memory before all writes to other new objects; the same one if there are too many.
fn before_other_objects(graph: &Graph, memory: NodeId, pointer: NodeId) -> NodeId {
    let mut state = memory;
    for _ in 0..MAX_STATES {
        if !writes_other_object(graph, state, pointer) {
            return state;
        }
        state = graph.input(state, 1);
    }
    memory
}

/// Whether the last write before this state of memory was to another new object.
fn writes_other_object(graph: &Graph, memory: NodeId, pointer: NodeId) -> bool {
    let is_new = |id| matches!(graph.op(id), Op::New(_));
    let other = written_object(graph, memory).filter(|&it| it != pointer && is_new(it));
    other.is_some() && is_new(pointer)
}

/// The states of memory that a load inspects: it moves over Phis and over writes to other new
/// objects. There are more than `MAX_STATES` if it would inspect too many.
fn states_read(graph: &Graph, memory: NodeId, pointer: NodeId) -> Vec<NodeId> {
    let mut states = vec![memory];
    let mut at = 0;
    while let Some(&state) = states.get(at)
        && states.len() <= MAX_STATES
    {
        at += 1;
        let before = match graph.op(state) {
            Op::Phi(_) if knows_an_edge(graph, state, pointer) => [1, 2].as_slice(),
            _ if writes_other_object(graph, state, pointer) => &[1],
            _ => &[],
        };
        for it in before.iter().map(|&at| graph.input(state, at)) {
            if !states.contains(&it) {
                states.push(it);
            }
        }
    }
    states
}

/// Whether memory is a Phi, and on one of its edges this pointer was written to last.
fn knows_an_edge(graph: &Graph, memory: NodeId, pointer: NodeId) -> bool {
    if !graph.op(memory).is_phi() || graph.inputs(memory).len() < 3 {
        return false;
    }
    let is_written =
        [1, 2].map(|at| written_object(graph, graph.input(memory, at)) == Some(pointer));
    let is_loop = graph.op(graph.input(memory, 0)) == Op::Loop;
    is_written[1] || is_written[0] && !is_loop
}

/// The values that a load has on the two edges of a join, if one of them is known.
fn load_from_phi(engine: &mut Engine, graph: &mut Graph, id: NodeId) -> Option<NodeId> {
    let Op::Load(field) = graph.op(id) else { return None };
    let [phi, pointer] = [0, 1].map(|at| graph.input(id, at));
    if !knows_an_edge(graph, phi, pointer) || states_read(graph, phi, pointer).len() > MAX_STATES {
        return None;
    }
    let [region, first, second] = [0, 1, 2].map(|at| graph.input(phi, at));
    let is_loop = graph.op(region) == Op::Loop;
    let is_live = graph.op(region).is_join()
        && graph.inputs(region).len() == 2
        && graph.inputs(region).all(|edge| graph.is_reachable(edge));
    if !is_live || is_loop && !is_available(graph, pointer, region) {
        return None;
    }
    let [one, other] = [first, second].map(|memory| load(engine, graph, field, [memory, pointer]));
    let name = graph.types.structs.field_name(field).to_string();
    let label = graph.label(&name);
    let ty = graph.types.loaded(field);
    let label = graph.label_of_type(label, ty);
    Some(graph.create(Op::Phi(label), &[region, one, other]))
}

/// The value, or a load, which is optimized later: there may be a long chain of Phis.
fn load(
    engine: &mut Engine,
    graph: &mut Graph,
    field: FieldId,
    [memory, pointer]: [NodeId; 2],
) -> NodeId {
    match stored_value(engine, graph, memory, pointer) {
        Some(value) => value,
        None => {
            let load = graph.create(Op::Load(field), &[memory, pointer]);
            let ty = infer(graph, load);
            graph.set_type(load, ty);
            load
        }
    }
}

/// Whether a pointer is known before a loop begins.
fn is_available(graph: &mut Graph, pointer: NodeId, header: NodeId) -> bool {
    match graph.op(pointer) {
        Op::New(_) | Op::Cast | Op::Phi(_) => {
            let (control, entry) = (graph.input(pointer, 0), graph.input(header, 0));
            dominates(graph, control, entry)
        }
        _ => false,
    }
}

/// The pointer whose test decides between the two values of a Phi, which are both this pointer.
fn tested_pointer(graph: &Graph, phi: NodeId) -> Option<NodeId> {
    if graph.inputs(phi).len() != 3 {
        return None;
    }
    let [region, first, second] = [0, 1, 2].map(|at| graph.input(phi, at));
    let uncast = |id| if graph.op(id) == Op::Cast { graph.input(id, 1) } else { id };
    if first != second && uncast(first) == uncast(second) {
        let pointer = uncast(first);
        return [first, second].contains(&pointer).then_some(pointer);
    }
    let (null, other) = match [first, second].map(|it| graph.ty(it) == Type::NULL) {
        [true, false] => (0, uncast(second)),
        [false, true] => (1, uncast(first)),
        _ => return None,
    };
    let edge = graph.inputs(region).nth(null)?;
    let Op::ControlProjection(truth) = graph.op(edge) else { return None };
    let (pointer, is_for_null) = graph.null_test(graph.input(graph.input(edge, 0), 1));
    (pointer == other && truth == is_for_null).then_some(pointer)
}

/// Notes the nodes below the operands that rules for loads and stores inspect.
pub fn note_memory(graph: &mut Graph, id: NodeId, noted: &mut Noted) {
    if let Op::Store(_) = graph.op(id) {
        return noted.push((graph.input(id, 1), Aspect::Inputs));
    }
    let [memory, pointer] = [0, 1].map(|at| graph.input(id, at));
    for state in states_read(graph, memory, pointer) {
        noted.push((state, Aspect::Inputs));
        if graph.op(state).is_phi() {
            noted.extend(graph.inputs(state).skip(1).map(|it| (it, Aspect::Inputs)));
        }
    }
    if graph.op(memory).is_phi() {
        let region = graph.input(memory, 0);
        noted.extend(graph.inputs(region).map(|edge| (edge, Aspect::Type)));
        noted.push((pointer, Aspect::Inputs));
        if graph.op(region) == Op::Loop
            && knows_an_edge(graph, memory, pointer)
            && !is_available(graph, pointer, region)
        {
            let above = dominator_dependencies(graph, graph.input(region, 0));
            noted.extend(above.iter().flat_map(|&it| [(it, Aspect::Type), (it, Aspect::Inputs)]));
        }
    }
}

/// Notes the tests that decide which predecessor of a join is taken.
pub fn note_tests(graph: &Graph, region: NodeId, noted: &mut Noted) {
    noted.push((region, Aspect::Inputs));
    for edge in graph.inputs(region) {
        if let Op::ControlProjection(_) = graph.op(edge) {
            let choice = graph.input(edge, 0);
            let test = graph.input(choice, 1);
            noted.extend([(edge, Aspect::Inputs), (choice, Aspect::Inputs)]);
            noted.push((test, Aspect::Inputs));
        }
    }
}
