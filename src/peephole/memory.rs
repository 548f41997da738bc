//! Memory: loads of values that are known, stores that are overwritten, pointers that are not null.
//!
//! A field has a memory of its own, so a store to another field is never in between. A store to the
//! same field of another object may be, if two pointers are the same; that two pointers differ is
//! known only of two new objects.
//!
//! The rules read the graph through a `Reader`.
use super::reader::Reader;
use super::{Component, Engine, Rule};
#[cfg(feature = "ch15")]
use crate::arith::Interval;
use crate::sea::{self, Graph, NodeId, Op, infer};
use crate::types::Type;
use std::ops::Range;

pub const RULES: &[Rule] = &[
    Rule {
        name: "load-store",
        law: "load(store(m, p, x), p) → x, and load(clear(m, p), p) → 0",
        example: ("struct S { int x; } S s = new S; s.x = arg; return s.x;", "return arg;"),
        root: &|graph, id| is_load(graph, id),
        decreases: Component::Memory,
        apply: &|engine, graph, id| {
            let [memory, pointer] = graph.operands(id);
            stored_value(engine, graph, id, [memory, pointer])
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
        apply: &|engine, graph, id| {
            let [memory, pointer] = graph.operands(id);
            let reader = &mut Reader::new(engine, graph, id);
            let before = before_other_objects(reader, memory, pointer);
            (before != memory).then(|| graph.create(graph.op(id), &[before, pointer]))
        },
    },
    Rule {
        name: "load-phi",
        law: "load(φ(m₁, m₂), p) → φ(load(m₁, p), load(m₂, p)), if one of them is a store to p, \
              or in a loop all paths to m₂ end with one",
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
        apply: &|engine, graph, id| {
            let [memory, pointer] = [1, 2].map(|at| graph.input(id, at));
            let reader = &mut Reader::new(engine, graph, id);
            let is_same = written_object(reader, memory) == Some(pointer);
            (is_same && reader.is_only_used_by_root(memory)).then(|| {
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
        apply: &|engine, graph, id| {
            let mut reader = Reader::new(engine, graph, id);
            let pointer = reader.input(id, 1);
            let ty = reader.ty(pointer);
            (!reader.types().may_be_null(ty)).then_some(pointer)
        },
    },
    #[cfg(feature = "ch15")]
    Rule {
        name: "element-again",
        law: "the address of an element → the same address, if its index was checked before",
        example: (
            "int[] a = new int[arg & 7]; a[arg] = 1; if (arg - 3) a[arg] = 2; return a[arg];",
            "int[] a = new int[arg & 7]; a[arg] = 1; if (arg - 3) a[arg] = 2; return a[arg];",
        ),
        root: &|graph, id| graph.op(id) == Op::Element,
        decreases: Component::Nodes,
        apply: &|_, graph, id| element_above(graph, id),
    },
    #[cfg(feature = "ch15")]
    Rule {
        name: "length-known",
        law: "length(new[n]) → n, if n is known to be a length",
        example: (
            "int[] a = new int[arg & 7]; return a#;",
            "int[] a = new int[arg & 7]; return arg & 7;",
        ),
        root: &|graph, id| graph.op(id) == Op::Length,
        decreases: Component::Weight,
        apply: &|engine, graph, id| {
            let mut reader = Reader::new(engine, graph, id);
            let array = reader.input(id, 0);
            let Op::NewArray(of) = reader.op(array) else { return None };
            // Equal nodes have one type, and this is a length only where there is the array.
            let length = reader.input(array, 1);
            let ty = reader.ty(length);
            let Interval { min, max, .. } = reader.types().interval_of(ty)?;
            (0 <= min && max <= reader.types().structs.max_length(of)).then_some(length)
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
        apply: &|engine, graph, id| tested_pointer(&mut Reader::new(engine, graph, id), id),
    },
];

fn is_load(graph: &Graph, id: NodeId) -> bool {
    matches!(graph.op(id), Op::Load(_))
}

/// The object to which the last write before this state of memory wrote.
fn written_object(reader: &mut Reader, memory: NodeId) -> Option<NodeId> {
    reader.op(memory).writes_memory().then(|| reader.input(memory, 2))
}

/// The value in this memory at `pointer`, if that was written last.
fn stored_value(
    engine: &mut Engine,
    graph: &mut Graph,
    root: NodeId,
    [memory, pointer]: [NodeId; 2],
) -> Option<NodeId> {
    let mut reader = Reader::new(engine, graph, root);
    if written_object(&mut reader, memory) != Some(pointer) {
        return None;
    }
    Some(match reader.op(memory) {
        Op::Store(_) => reader.input(memory, 3),
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

/// The same element of the same array on each path to an Element, if there is one. It is sought
/// among a few users of the array, so that time is linear.
#[cfg(feature = "ch15")]
pub fn element_above(graph: &mut Graph, id: NodeId) -> Option<NodeId> {
    let [control, array, index] = [0, 1, 2].map(|at| graph.input(id, at));
    let is_same = |user: &NodeId| {
        *user != id && graph.op(*user) == Op::Element && graph.input(*user, 2) == index
    };
    let others: Vec<_> = graph.users(array).take(MAX_STATES).filter(is_same).collect();
    others.into_iter().find(|&it| {
        let above = graph.input(it, 0);
        above != control && sea::dominates(graph, above, control)
    })
}

/// The state of memory before all writes to other new objects; the same one if there are too many.
fn before_other_objects(reader: &mut Reader, memory: NodeId, pointer: NodeId) -> NodeId {
    let mut state = memory;
    for _ in 0..MAX_STATES {
        if !writes_other_object(reader, state, pointer) {
            return state;
        }
        state = reader.input(state, 1);
    }
    memory
}

/// Whether the last write before this state of memory was to another new object.
fn writes_other_object(reader: &mut Reader, memory: NodeId, pointer: NodeId) -> bool {
    let Some(other) = written_object(reader, memory) else { return false };
    let is_new = |id| reader.op(id).is_new();
    other != pointer && is_new(other) && is_new(pointer)
}

/// Whether a load that moves over a Phi inspects too many states of memory: it moves on over Phis
/// and over writes to other new objects.
fn reads_too_many(reader: &mut Reader, phi: NodeId, pointer: NodeId) -> bool {
    let mut states = vec![phi];
    let mut at = 0;
    while let Some(&state) = states.get(at)
        && states.len() <= MAX_STATES
    {
        at += 1;
        let before = match reader.op(state) {
            _ if state == phi || crossed_phis(reader, state, pointer).is_some() => &[1, 2][..],
            _ if writes_other_object(reader, state, pointer) => &[1],
            _ => &[],
        };
        for &at in before {
            let it = reader.input(state, at);
            if !states.contains(&it) {
                states.push(it);
            }
        }
    }
    states.len() > MAX_STATES
}

/// The Phis of memory that a load of this pointer moves over at once; none if it stays. At a
/// Region, the pointer was written to last on one of the edges; in a loop, on all paths that write
/// to the field.
fn crossed_phis(reader: &mut Reader, memory: NodeId, pointer: NodeId) -> Option<Vec<NodeId>> {
    if !reader.op(memory).is_phi() || reader.input_count(memory) < 3 {
        return None;
    }
    let region = reader.input(memory, 0);
    if reader.op(region) == Op::Loop {
        return states_of_loop(reader, memory, pointer);
    }
    let mut states = [1, 2].map(|at| reader.input(memory, at)).into_iter();
    states.any(|it| written_object(reader, it) == Some(pointer)).then(|| vec![memory])
}

/// The Phis of memory on the paths through a loop, that of the loop first; none if something else
/// than this pointer may be written to last. Writes to other new objects are skipped.
fn states_of_loop(reader: &mut Reader, phi: NodeId, pointer: NodeId) -> Option<Vec<NodeId>> {
    let mut states = vec![phi];
    let mut at = 0;
    while let Some(&state) = states.get(at) {
        let edges = edges_in_loop(at);
        at += 1;
        for edge in edges {
            let before = reader.input(state, edge);
            let before = before_other_objects(reader, before, pointer);
            if written_object(reader, before) == Some(pointer) || states.contains(&before) {
                continue;
            }
            let is_join = reader.op(before).is_phi() && is_complete_join(reader, before);
            if !is_join || states.len() == MAX_STATES {
                return None;
            }
            states.push(before);
        }
    }
    Some(states)
}

/// The edges of these states that are in the loop: all but the entry of the first.
fn edges_in_loop(state: usize) -> Range<usize> {
    if state == 0 { 2..3 } else { 1..3 }
}

/// The value that a load has after a Phi, if it moves over the Phi.
fn load_from_phi(engine: &mut Engine, graph: &mut Graph, id: NodeId) -> Option<NodeId> {
    let [phi, pointer] = graph.operands(id);
    let reader = &mut Reader::new(engine, graph, id);
    let phis = crossed_phis(reader, phi, pointer)?;
    let stays = reads_too_many(reader, phi, pointer) || !is_complete_join(reader, phi);
    if stays || !is_available_at(reader, pointer, phi) {
        return None;
    }
    if graph.op(graph.input(phi, 0)) == Op::Loop {
        return Some(load_from_loop(engine, graph, id, &phis));
    }
    let [first, second] = [1, 2].map(|at| graph.input(phi, at));
    let values = [first, second].map(|memory| load(engine, graph, id, [memory, pointer]));
    Some(phi_of_values(graph, id, phi, values))
}

/// The value before each iteration: a Phi for each Phi of memory in the loop.
fn load_from_loop(engine: &mut Engine, graph: &mut Graph, id: NodeId, states: &[NodeId]) -> NodeId {
    let pointer = graph.input(id, 1);
    let entry = graph.input(states[0], 1);
    let entry = load(engine, graph, id, [entry, pointer]);
    let phis: Vec<_> =
        states.iter().map(|&state| phi_of_values(graph, id, state, [entry; 2])).collect();
    for (at, &state) in states.iter().enumerate() {
        for edge in edges_in_loop(at) {
            let before = graph.input(state, edge);
            let before = before_other_objects(&mut Reader::new(engine, graph, id), before, pointer);
            let known = states.iter().position(|it| *it == before).map(|at| phis[at]);
            let value = known.or_else(|| stored_value(engine, graph, id, [before, pointer]));
            graph.set_input(phis[at], edge, value.expect("it was written to last"));
        }
    }
    phis[0]
}

/// A Phi of the values that a field has on the two edges of a Phi of memory.
fn phi_of_values(graph: &mut Graph, load: NodeId, memory: NodeId, values: [NodeId; 2]) -> NodeId {
    let Op::Load(field) = graph.op(load) else { unreachable!("a load reads a field") };
    let name = graph.types.structs.field_name(field).to_string();
    let label = graph.labels.of(&name);
    let ty = graph.types.loaded(field);
    let label = graph.labels.of_type(label, ty);
    let phi = graph.create(Op::Phi(label), &[graph.input(memory, 0), values[0], values[1]]);
    graph.set_type(phi, ty);
    phi
}

/// Whether a Phi is at a join of two edges that may both be taken.
fn is_complete_join(reader: &mut Reader, phi: NodeId) -> bool {
    let region = reader.input(phi, 0);
    let is_complete = reader.op(region).is_join() && reader.input_count(region) == 2;
    is_complete
        && [0, 1].into_iter().all(|at| {
            let edge = reader.input(region, at);
            reader.is_reachable(edge)
        })
}

/// The value, or a load like `root`, which is optimized later: there may be a long chain of Phis.
fn load(
    engine: &mut Engine,
    graph: &mut Graph,
    root: NodeId,
    [memory, pointer]: [NodeId; 2],
) -> NodeId {
    match stored_value(engine, graph, root, [memory, pointer]) {
        Some(value) => value,
        None => {
            let load = graph.create(graph.op(root), &[memory, pointer]);
            let ty = infer(graph, load);
            graph.set_type(load, ty);
            load
        }
    }
}

/// Whether a pointer is known at both predecessors of a join. At a Region it is: one of them has
/// written to it, and it is used below. For a loop it must be known before the loop.
fn is_available_at(reader: &mut Reader, pointer: NodeId, phi: NodeId) -> bool {
    let region = reader.input(phi, 0);
    if reader.op(region) != Op::Loop {
        return true;
    }
    match reader.op(pointer) {
        Op::New(_) | Op::Cast | Op::Phi(_) => {
            let [control, entry] = [pointer, region].map(|it| reader.input(it, 0));
            reader.dominates(control, entry)
        }
        _ => false,
    }
}

/// The pointer whose test decides between the two values of a Phi, which are both this pointer.
fn tested_pointer(reader: &mut Reader, phi: NodeId) -> Option<NodeId> {
    let ty = reader.ty(phi);
    if reader.input_count(phi) != 3 || !reader.types().is_pointer(ty) {
        return None;
    }
    let [region, first, second] = [0, 1, 2].map(|at| reader.input(phi, at));
    let [is_null, is_other_null] = [first, second].map(|it| reader.ty(it) == Type::NULL);
    let [pointer, other_pointer] = [first, second].map(|it| uncast(reader, it));
    if first != second && pointer == other_pointer {
        return [first, second].contains(&pointer).then_some(pointer);
    }
    let (null, other) = match [is_null, is_other_null] {
        [true, false] => (0, other_pointer),
        [false, true] => (1, pointer),
        _ => return None,
    };
    if reader.input_count(region) <= null {
        return None;
    }
    let edge = reader.input(region, null);
    let Op::ControlProjection(truth) = reader.op(edge) else { return None };
    let branch = reader.input(edge, 0);
    let predicate = reader.input(branch, 1);
    let (pointer, is_for_null) = reader.null_test(predicate);
    (pointer == other && truth == is_for_null).then_some(pointer)
}

fn uncast(reader: &mut Reader, id: NodeId) -> NodeId {
    if reader.op(id) == Op::Cast { reader.input(id, 1) } else { id }
}
