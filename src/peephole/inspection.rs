//! The nodes that laws inspect below a root: when one of them changes, the root is visited again.
//!
//! They follow from the patterns. A nested operation depends on the operands of its node, a
//! constant on the type of its node, and a guard on what it compares.
use super::Rule;
use super::algebra::LAWS;
use super::canonical_order::{MAX_TERMS, spine};
use super::dependents::{Noted, aspect};
use super::law::{Guard, Law, Path, Term, below};
use super::phi::note_values;
use crate::sea::{Graph, NodeId};
use arena::FxHashMap;
use std::sync::LazyLock;

/// Notes the nodes that laws with the root `id` inspect.
pub fn note_inspected(graph: &Graph, id: NodeId, inspected: &[&Inspection], noted: &mut Noted) {
    for (path, property) in inspected {
        let Some(node) = below(graph, id, path) else { continue };
        match property {
            Property::Operands => noted.push((node, aspect::INPUTS)),
            Property::Value => noted.push((node, aspect::TYPE)),
            Property::Users => noted.push((node, aspect::USERS)),
            Property::PhiValues => note_values(graph, node, noted),
            Property::Spine => {
                let sums = spine(graph, node).skip(1).take(MAX_TERMS);
                noted.extend(sums.map(|it| (it, aspect::INPUTS)));
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Property {
    Operands,
    Value,
    Users,
    PhiValues,
    Spine,
}

/// An inspected property of a node, and the path from the root to this node.
pub type Inspection = (Path, Property);

/// The inspections of the laws among these rules. Another law may match a node only after an input
/// of the node has changed, and then the node is visited anyway.
pub fn inspections_of(rules: &[&'static Rule]) -> Vec<&'static Inspection> {
    let of_laws = rules.iter().filter_map(|rule| INSPECTIONS.get(rule.name));
    let mut found: Vec<_> = of_laws.flatten().collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The inspections of each law, by its name.
static INSPECTIONS: LazyLock<FxHashMap<&str, Vec<Inspection>>> = LazyLock::new(|| {
    LAWS.iter().map(|law| (law.name.as_str(), inspections(law).collect())).collect()
});

fn inspections(law: &Law) -> impl Iterator<Item = Inspection> {
    let users = law.unshared.iter().map(|path| (path.clone(), Property::Users));
    let mut found = users.collect::<Vec<_>>();
    let mut open = vec![(Vec::new(), &law.pattern)];
    while let Some((path, term)) = open.pop() {
        let mut properties = match term {
            Term::Name(_) => vec![],
            Term::Constant(_) | Term::Number(_) => vec![Property::Value],
            Term::Operation(_, operands, _) => {
                let path = |at| [&path[..], &[at]].concat();
                open.extend(operands.iter().enumerate().map(|(at, it)| (path(at), it)));
                vec![Property::Operands]
            }
        };
        let guards =
            law.guards.iter().filter(|guard| guard.names().any(|it| term.name() == Some(it)));
        properties.extend(guards.flat_map(|guard| match guard {
            Guard::Varies(_) => vec![Property::Value],
            Guard::Term(_) => vec![],
            Guard::Short(_) => vec![Property::Spine],
            Guard::Before(..) => vec![Property::Value, Property::PhiValues],
        }));
        found.extend(properties.into_iter().map(|it| (path.clone(), it)));
    }
    // The root is visited anyway when its inputs, or the types of its inputs, change.
    found.into_iter().filter(|(path, property)| match property {
        Property::Operands => !path.is_empty(),
        Property::Value => path.len() > 1,
        Property::Users | Property::PhiValues | Property::Spine => true,
    })
}
