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
}

/// For each node a list of the nodes to visit when it changes. All lists are in one array.
#[derive(Default)]
pub struct Dependents {
    /// The number of the first entry of each node's list, plus one; 0 if the list is empty.
    first: SideTable<NodeId, u32>,
    entries: Vec<Entry>,
    /// The entries that may be used again.
    free: Vec<u32>,
}

/// A dependent, and the aspects that it depends on.
#[derive(Clone, Copy)]
struct Entry {
    dependent: NodeId,
    aspects: Aspects,
    /// The number of the next entry, plus one.
    next: u32,
}

impl Dependents {
    /// Puts `dependent` in front of the others.
    pub fn add(&mut self, of: NodeId, aspects: Aspects, dependent: NodeId) {
        let first = &mut self.first[of];
        if let Some(latest) = self.entries.get_mut((*first as usize).wrapping_sub(1))
            && latest.dependent == dependent
        {
            latest.aspects |= aspects;
            return;
        }
        let new = Entry { dependent, aspects, next: *first };
        if let Some(free) = self.free.pop() {
            self.entries[free as usize] = new;
            *first = free + 1;
        } else {
            self.entries.push(new);
            *first = self.entries.len() as u32;
        }
    }

    /// Takes out the dependents on one of these aspects, the latest first.
    pub fn take(&mut self, of: NodeId, aspects: Aspects) -> Vec<NodeId> {
        let (mut taken, mut kept, mut next) = (Vec::new(), None, self.first[of]);
        while let Some(at) = next.checked_sub(1) {
            let entry = &mut self.entries[at as usize];
            next = entry.next;
            if entry.aspects & aspects != 0 {
                taken.push(entry.dependent);
                entry.aspects &= !aspects;
            }
            if entry.aspects != 0 {
                kept = Some(at);
                continue;
            }
            self.free.push(at);
            match kept {
                Some(kept) => self.entries[kept as usize].next = next,
                None => self.first[of] = next,
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
