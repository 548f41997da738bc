//! The nodes to visit again when another node changes.
use crate::sea::NodeId;
use arena::SideTable;

/// Nodes that rules inspect, each with the aspect that they inspect.
pub type Noted = Vec<(NodeId, Aspect)>;

#[derive(Clone, Copy, Debug)]
pub enum Aspect {
    Type,
    Inputs,
    /// Whether several Ifs test it.
    Questions,
    /// Whether it has more than one user.
    Users,
}

/// For each aspect of each node a list of the nodes to visit when it changes.
///
/// All lists are in one array. The last entry of a list links to the first, so that two lists
/// are joined in constant time.
#[derive(Default)]
pub struct Dependents {
    /// The number of the last entry of each list of a node, plus one; 0 if the list is empty.
    last: SideTable<NodeId, [u32; 4]>,
    entries: Vec<Entry>,
    /// The entries that may be used again.
    free: Vec<u32>,
}

struct Entry {
    dependent: NodeId,
    next: u32,
}

impl Dependents {
    /// Puts `dependent` in front of the others, unless it is there already.
    pub fn add(&mut self, of: NodeId, aspect: Aspect, dependent: NodeId) {
        let last = self.last[of][aspect as usize].checked_sub(1);
        let first = last.map(|last| self.entries[last as usize].next);
        if first.is_some_and(|first| self.entries[first as usize].dependent == dependent) {
            return;
        }
        let new = self.free.pop().unwrap_or(self.entries.len() as u32);
        let entry = Entry { dependent, next: first.unwrap_or(new) };
        match self.entries.get_mut(new as usize) {
            Some(free) => *free = entry,
            None => self.entries.push(entry),
        }
        match last {
            Some(last) => self.entries[last as usize].next = new,
            None => self.last[of][aspect as usize] = new + 1,
        }
    }

    /// Takes the first one out.
    pub fn take(&mut self, of: NodeId, aspect: Aspect) -> Option<NodeId> {
        let last = self.last[of][aspect as usize].checked_sub(1)?;
        let first = self.entries[last as usize].next;
        if first == last {
            self.last[of][aspect as usize] = 0;
        } else {
            self.entries[last as usize].next = self.entries[first as usize].next;
        }
        self.free.push(first);
        Some(self.entries[first as usize].dependent)
    }

    /// The dependents of `from` become dependents of `to`.
    pub fn pass_on(&mut self, from: NodeId, to: NodeId, aspect: Aspect) {
        let at = aspect as usize;
        let (mine, others) = (self.last[from][at], self.last[to][at]);
        if mine == 0 {
            return;
        }
        if others != 0 {
            let [mine, others] = [mine, others].map(|last| last as usize - 1);
            let first = self.entries[mine].next;
            self.entries[mine].next = self.entries[others].next;
            self.entries[others].next = first;
        } else {
            self.last[to][at] = mine;
        }
        self.last[from][at] = 0;
    }
}
