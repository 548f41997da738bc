//! The nodes to visit again when another node changes.
use crate::sea::NodeId;
use arena::SideTable;

/// Nodes that rules inspect, each with the aspects that they inspect.
pub type Noted = Vec<(NodeId, Aspects)>;

/// A set of aspects of a node: the union of some of the constants in `aspect`.
pub type Aspects = u8;

pub mod aspect {
    use super::Aspects;

    pub const TYPE: Aspects = 1;
    pub const INPUTS: Aspects = 2;
    /// Whether several Ifs test it.
    pub const QUESTIONS: Aspects = 4;
    /// Whether it has more than one user.
    pub const USERS: Aspects = 8;

    pub const COUNT: usize = 4;
}

/// For each node and each aspect a list of the nodes to visit when it changes. All lists are in one
/// array.
#[derive(Default)]
pub struct Dependents {
    /// The number of the first entry of each list, plus one; 0 if the list is empty.
    first: SideTable<NodeId, [u32; aspect::COUNT]>,
    entries: Vec<Entry>,
    /// The entries that may be used again.
    free: Vec<u32>,
}

/// A dependent on one aspect.
#[derive(Clone, Copy)]
struct Entry {
    dependent: NodeId,
    /// The number of the next entry, plus one.
    next: u32,
}

impl Dependents {
    /// Puts `dependent` in front of the others.
    pub fn add(&mut self, of: NodeId, aspects: Aspects, dependent: NodeId) {
        for list in lists(aspects) {
            let first = &mut self.first[of][list];
            let latest = self.entries.get((*first as usize).wrapping_sub(1));
            if latest.is_some_and(|it| it.dependent == dependent) {
                continue;
            }
            let new = Entry { dependent, next: *first };
            if let Some(free) = self.free.pop() {
                self.entries[free as usize] = new;
                *first = free + 1;
            } else {
                self.entries.push(new);
                *first = self.entries.len() as u32;
            }
        }
    }

    /// Takes out the dependents on one of these aspects, the latest of each first.
    pub fn take(&mut self, of: NodeId, aspects: Aspects) -> Vec<NodeId> {
        let mut taken = Vec::new();
        for list in lists(aspects) {
            let mut next = std::mem::take(&mut self.first[of][list]);
            while let Some(at) = next.checked_sub(1) {
                let entry = self.entries[at as usize];
                taken.push(entry.dependent);
                self.free.push(at);
                next = entry.next;
            }
        }
        taken
    }

    /// The dependents of `from` on these aspects become dependents of `to`, in front of the others.
    pub fn pass_on(&mut self, from: NodeId, to: NodeId, aspects: Aspects) {
        let dependents = self.take(from, aspects);
        dependents.into_iter().rev().for_each(|it| self.add(to, aspects, it));
    }
}

/// The numbers of the lists of these aspects.
fn lists(aspects: Aspects) -> impl Iterator<Item = usize> {
    (0..aspect::COUNT).filter(move |at| aspects >> at & 1 == 1)
}
