//! Loops, and an order in which the blocks of each loop are together.
//!
//! A loop has one header: every edge into it from outside goes there. So its blocks are those from
//! which a back edge to the header can be reached without passing the header. Headers are visited
//! from the innermost loop outwards. A loop that has been found counts as one block from then on.
//!
//! Source: P. Havlak, "Nesting of Reducible and Irreducible Loops", TOPLAS 1997.
use crate::reverse_postorder;
use arena::{Id, ListTable, SideTable};

/// The loops of a function.
#[derive(Clone, Debug)]
pub struct Loops<I> {
    /// The position of each block in the order that loops are found in.
    positions: SideTable<I, u32>,
    is_header: SideTable<I, bool>,
    /// The header of the innermost loop around a block; for a header, around its own loop.
    outer: SideTable<I, Option<I>>,
    depths: SideTable<I, u32>,
    is_reducible: bool,
}

impl<I: Id> Loops<I> {
    /// Finds the loops. Takes almost linear time.
    ///
    /// `order` holds the reachable blocks. Each is after all its predecessors, back edges excepted:
    /// reverse postorder is such an order.
    pub fn find(predecessors: &ListTable<I, I>, order: &[I], count: usize) -> Loops<I> {
        let mut loops = Loops {
            positions: SideTable::new(count),
            is_header: SideTable::new(count),
            outer: SideTable::new(count),
            depths: SideTable::new(count),
            is_reducible: true,
        };
        for (&block, at) in order.iter().zip(0..) {
            loops.positions[block] = at;
        }
        let mut found = UnionFind { whole: SideTable::new(count) };
        for &header in order.iter().rev() {
            loops.collect(predecessors, header, &mut found);
            if !loops.is_reducible {
                break;
            }
        }
        for &block in order {
            let outside = loops.outer[block].map_or(0, |header| loops.depths[header]);
            loops.depths[block] = outside + u32::from(loops.is_header[block]);
        }
        loops
    }

    /// Whether every loop has one header. If not, the loops that were found have no meaning.
    pub fn is_reducible(&self) -> bool {
        self.is_reducible
    }

    /// The number of loops that the block is in.
    pub fn depth(&self, block: I) -> u32 {
        self.depths[block]
    }

    /// The header of the innermost loop that the block is in.
    pub fn innermost(&self, block: I) -> Option<I> {
        if self.is_header[block] { Some(block) } else { self.outer[block] }
    }

    /// The headers of the loops that the block is in, the innermost first.
    pub fn around(&self, block: I) -> impl Iterator<Item = I> {
        std::iter::successors(self.innermost(block), |&header| self.outer[header])
    }

    /// Whether an edge leads back to the header of a loop that the block is in.
    pub fn is_back(&self, block: I, next: I) -> bool {
        self.positions[next] <= self.positions[block]
    }

    /// The headers of the loops that an edge leaves, the innermost first: all loops around the
    /// block, if the edge leads to no block of the order.
    pub fn left(&self, block: I, next: Option<I>) -> impl Iterator<Item = I> {
        let stays =
            next.and_then(|it| if self.is_back(block, it) { Some(it) } else { self.outer[it] });
        self.around(block).take_while(move |&header| Some(header) != stays)
    }

    /// The blocks of the loop with this header, if it has one.
    fn collect(&mut self, predecessors: &ListTable<I, I>, header: I, found: &mut UnionFind<I>) {
        let back = |&&it: &&I| self.is_back(it, header);
        let mut open: Vec<_> = predecessors[header].iter().filter(back).copied().collect();
        self.is_header[header] = !open.is_empty();
        while let Some(block) = open.pop() {
            let block = found.whole_of(block);
            if block != header {
                if self.positions[block] < self.positions[header] {
                    self.is_reducible = false;
                    return;
                }
                self.outer[block] = Some(header);
                found.whole[block] = Some(header);
                open.extend(&predecessors[block]);
            }
        }
    }

    /// For the header of every loop, the targets of the edges that leave it. An edge that leaves
    /// several loops belongs to the outermost of them.
    fn exits(&self, successors: &ListTable<I, I>, order: &[I], count: usize) -> ListTable<I, I> {
        let edges = order
            .iter()
            .flat_map(|&block| successors[block].iter().map(move |&next| (block, next)));
        let exit = |(block, next)| Some((self.left(block, Some(next)).last()?, next));
        ListTable::group(count, edges.filter_map(exit))
    }
}

/// The reachable blocks in an order in which each loop's blocks are together, and what follows a
/// loop is after it; and the loops. Each block is after all its predecessors, back edges excepted.
///
/// The root is the block with the number 0.
pub fn order_with_loops<I: Id>(
    predecessors: &ListTable<I, I>,
    successors: &ListTable<I, I>,
    count: usize,
) -> (Vec<I>, Loops<I>) {
    let root = I::from_index(0);
    let successor = |block: I, visited| successors[block].iter().rev().nth(visited).copied();
    let forwards = reverse_postorder(root, count, successor);
    let loops = Loops::find(predecessors, &forwards, count);
    let exits = loops.exits(successors, &forwards, count);
    let order = reverse_postorder(root, count, |block, visited| {
        // The search leaves the successor that it visits last at last, so it is first in the order.
        let successors = successors[block].iter().rev();
        exits[block].iter().chain(successors).nth(visited).copied()
    });
    (order, loops)
}

/// Blocks that are parts of loops.
struct UnionFind<I> {
    whole: SideTable<I, Option<I>>,
}

impl<I: Id> UnionFind<I> {
    /// The header of the largest loop found so far that the block is in; the block itself, if none.
    fn whole_of(&mut self, mut block: I) -> I {
        while let Some(whole) = self.whole[block] {
            // Halves the path for the next search.
            self.whole[block] = self.whole[whole].or(Some(whole));
            block = whole;
        }
        block
    }
}

#[cfg(test)]
#[path = "tests/loops.rs"]
mod tests;
