//! Definite assignment: the reads of words that some path from the entry does not write before.
//!
//! The analysis handles 64 words at once, one bit each: a block becomes two masks, and the words
//! that are written at its start are those written at the ends of all predecessors. So the time is
//! proportional to the number of blocks, once per 64 words, and no block stores a set of its own.
use arena::{Id, ListTable, id};
use std::ops::Range;

id! {
    /// A block, by its number.
    Block
}

/// The access of an instruction to a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// No access.
    None,
    /// The word must be written before.
    Read(u32),
    /// The word is written.
    Write(u32),
    /// This word and all words with greater numbers are new: not written.
    New(u32),
}

/// The accesses to words of the blocks of a function. Blocks are numbers; 0 is the entry.
pub struct DefiniteAssignment {
    /// The accesses to each 64 words; those of a block are in the order of the code.
    chunks: Vec<Vec<Event>>,
    /// How often each block was begun.
    begun: Vec<u32>,
    edges: Vec<(Block, Block)>,
}

/// The access of an instruction to a word.
#[derive(Clone, Copy)]
struct Event {
    block: u32,
    place: u32,
    access: Access,
    /// The execution of the block. Only the last one counts.
    execution: u32,
}

const BITS: u32 = u64::BITS;

impl DefiniteAssignment {
    /// So many blocks without accesses and edges.
    pub fn new(blocks: usize) -> DefiniteAssignment {
        DefiniteAssignment { chunks: Vec::new(), begun: vec![0; blocks], edges: Vec::new() }
    }

    /// Control may go from one block to another one.
    pub fn add_edge(&mut self, from: usize, to: usize) {
        self.edges.push((Block::from_index(from), Block::from_index(to)));
    }

    /// Begins a block. Its accesses from before do not count any more.
    #[inline]
    pub fn begin(&mut self, block: usize) {
        self.begun[block] += 1;
    }

    /// Adds the next access of a block, in an instruction with the number `place`.
    #[inline]
    pub fn add(&mut self, block: usize, place: u32, access: Access) {
        let event = Event { block: block as u32, place, access, execution: self.begun[block] };
        match access {
            Access::None => {}
            Access::Read(word) | Access::Write(word) => {
                self.reach(word);
                self.chunks[(word / BITS) as usize].push(event);
            }
            Access::New(word) => {
                self.reach(word);
                let from = (word / BITS) as usize;
                self.chunks[from..].iter_mut().for_each(|events| events.push(event));
            }
        }
    }

    /// A chunk without earlier accesses has no words that could become new.
    fn reach(&mut self, word: u32) {
        let chunks = (word / BITS) as usize + 1;
        if self.chunks.len() < chunks {
            self.chunks.resize(chunks, Vec::new());
        }
    }

    /// The places that read a word that may be unwritten there. The words in `written` are written
    /// at the entry.
    pub fn unwritten(&self, written: Range<u32>) -> Vec<u32> {
        let is_read = |event: &Event| matches!(event.access, Access::Read(_));
        let is_last = |it: &Event| it.execution == self.begun[it.block as usize];
        let successors = ListTable::group(self.begun.len(), self.edges.iter().copied());
        let mut places = Vec::new();
        for (chunk, events) in (0..).zip(&self.chunks) {
            if events.iter().any(is_read) {
                let own = written.clone().filter(|word| word / BITS == chunk);
                let entry = own.fold(0, |all, word| all | 1 << (word % BITS));
                let events = events.iter().copied().filter(is_last).collect();
                let chunk = Chunk { number: chunk, events };
                let mut starts = vec![u64::MAX; self.begun.len()];
                starts[0] = entry;
                chunk.propagate(&successors, &mut starts);
                chunk.find_unwritten(&mut starts, &mut places);
            }
        }
        places
    }
}

/// The last accesses to 64 words.
struct Chunk {
    number: u32,
    events: Vec<Event>,
}

impl Chunk {
    /// Restricts the words that are written at the start of each block to those at the ends of all
    /// its predecessors.
    fn propagate(&self, successors: &ListTable<Block, Block>, starts: &mut [u64]) {
        let mut masks = vec![(u64::MAX, 0); starts.len()];
        for event in &self.events {
            let (preserved, written) = &mut masks[event.block as usize];
            let kept = self.kept_by(event.access);
            *preserved &= kept;
            *written = (*written | written_by(event.access)) & kept;
        }
        let mut pending = (0..starts.len()).rev().map(Block::from_index).collect::<Vec<_>>();
        while let Some(block) = pending.pop() {
            let (preserved, written) = masks[block.index()];
            let end = starts[block.index()] & preserved | written;
            for &next in &successors[block] {
                let start = &mut starts[next.index()];
                if *start & !end != 0 {
                    *start &= end;
                    pending.push(next);
                }
            }
        }
    }

    /// Adds the places that read a word that may be unwritten there.
    fn find_unwritten(&self, starts: &mut [u64], places: &mut Vec<u32>) {
        for event in &self.events {
            let now = &mut starts[event.block as usize];
            if let Access::Read(word) = event.access
                && *now >> (word % BITS) & 1 == 0
            {
                places.push(event.place);
            }
            *now = (*now | written_by(event.access)) & self.kept_by(event.access);
        }
    }

    /// The words that an access preserves.
    fn kept_by(&self, access: Access) -> u64 {
        match access {
            Access::New(word) if word / BITS == self.number => (1 << (word % BITS)) - 1,
            Access::New(_) => 0,
            Access::None | Access::Read(_) | Access::Write(_) => u64::MAX,
        }
    }
}

fn written_by(access: Access) -> u64 {
    match access {
        Access::Write(word) => 1 << (word % BITS),
        Access::None | Access::Read(_) | Access::New(_) => 0,
    }
}

#[cfg(test)]
#[path = "tests/definite.rs"]
mod tests;
