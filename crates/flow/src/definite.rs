//! Definite assignment: the reads of words that some path from the entry does not write before.
//!
//! The analysis handles 64 words at once, one bit each: a block becomes two masks, and the words
//! that are written at its start are those written at the ends of all predecessors. So the time is
//! proportional to the number of blocks, once per 64 words, and no block stores a set of its own.
use std::ops::Range;

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
    edges: Vec<[u32; 2]>,
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

    /// Control may go from one block to another one. Edges are added in the order of `from`.
    pub fn add_edge(&mut self, from: usize, to: usize) {
        debug_assert!(self.edges.last().is_none_or(|last| last[0] as usize <= from));
        self.edges.push([from as u32, to as u32]);
    }

    /// Begins a block. Its accesses from before do not count any more.
    pub fn begin(&mut self, block: usize) {
        self.begun[block] += 1;
    }

    /// Adds the next access of a block, in an instruction with the number `place`.
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
        let mut places = Vec::new();
        for (chunk, events) in (0..).zip(&self.chunks) {
            if events.iter().any(is_read) {
                let own = written.clone().filter(|word| word / BITS == chunk);
                let entry = own.fold(0, |all, word| all | 1 << (word % BITS));
                self.check(Chunk { number: chunk, entry, events }, &mut places);
            }
        }
        places
    }

    fn check(&self, chunk: Chunk, places: &mut Vec<u32>) {
        let is_last = |it: &&Event| it.execution == self.begun[it.block as usize];
        let events = || chunk.events.iter().filter(is_last);
        let mut starts = vec![u64::MAX; self.begun.len()];
        starts[0] = chunk.entry;
        if !self.edges.is_empty() {
            self.propagate(&chunk, events(), &mut starts);
        }
        for event in events() {
            let now = &mut starts[event.block as usize];
            if let Access::Read(word) = event.access
                && *now >> (word % BITS) & 1 == 0
            {
                places.push(event.place);
            }
            *now = (*now | written_by(event.access)) & chunk.kept_by(event.access);
        }
    }

    /// Restricts the words that are written at the start of each block to those at the ends of all
    /// its predecessors.
    fn propagate<'e>(
        &self,
        chunk: &Chunk,
        events: impl Iterator<Item = &'e Event>,
        starts: &mut [u64],
    ) {
        let mut masks = vec![(u64::MAX, 0); starts.len()];
        for event in events {
            let (preserved, written) = &mut masks[event.block as usize];
            let kept = chunk.kept_by(event.access);
            *preserved &= kept;
            *written = (*written | written_by(event.access)) & kept;
        }
        let mut pending = (0..starts.len()).rev().collect::<Vec<_>>();
        while let Some(block) = pending.pop() {
            let (preserved, written) = masks[block];
            let end = starts[block] & preserved | written;
            let first = self.edges.partition_point(|it| (it[0] as usize) < block);
            let edges = self.edges[first..].iter().take_while(|it| it[0] as usize == block);
            for next in edges.map(|it| it[1] as usize) {
                if starts[next] & !end != 0 {
                    starts[next] &= end;
                    pending.push(next);
                }
            }
        }
    }
}

/// 64 words.
struct Chunk<'e> {
    number: u32,
    /// Those that are written at the entry.
    entry: u64,
    events: &'e [Event],
}

impl Chunk<'_> {
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
