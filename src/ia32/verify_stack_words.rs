//! `stack-written`: every word of the stack is written on every path before it is read.
//!
//! The analysis handles 64 words at once, one bit each: a block becomes two masks, and the words
//! that are written at its start are those written at the ends of all predecessors. So the time is
//! proportional to the number of blocks, once per 64 words, and no block stores a set of its own.
use crate::ia32::code::{Code, Instruction};
use crate::ia32::report::Report;
use crate::ia32::verify_stack_state::{Access, Stack};
#[cfg(feature = "ch05")]
use arena::Id;

/// The accesses to each 64 words; those of a block are in the order of the code.
pub struct StackAccesses {
    chunks: Vec<Vec<Event>>,
    /// The first instruction of each block, and how often the block was executed.
    blocks: Vec<(usize, u32)>,
}

/// The access of an instruction to a word.
#[derive(Clone, Copy)]
struct Event {
    block: u32,
    at: u32,
    access: Access,
    /// The execution of the block. Only the last one counts.
    execution: u32,
}

const BITS: u32 = u64::BITS;

impl StackAccesses {
    pub fn new(code: &Code) -> StackAccesses {
        let blocks = code.ranges().into_iter().map(|range| (range.start, 0)).collect();
        StackAccesses { chunks: Vec::new(), blocks }
    }

    /// Notes the accesses of an instruction; `stack` is the stack before it.
    pub fn note(&mut self, code: &Code, block: usize, at: usize, stack: &Stack) {
        let instruction = &code.instructions[at];
        let (first, executions) = &mut self.blocks[block];
        *executions += u32::from(at == *first);
        let execution = *executions;
        let event = |access| Event { block: block as u32, at: at as u32, access, execution };
        if let Ok(access @ (Access::Read(_) | Access::Write(_) | Access::New(_))) =
            stack.access(instruction)
        {
            self.add(event(access));
            #[cfg(feature = "ch12")]
            self.add(event(access.upper(instruction)));
        }
        #[cfg(feature = "ch26")]
        stack.access_of_call(code, instruction).into_iter().for_each(|it| self.add(event(it)));
    }

    fn add(&mut self, event: Event) {
        match event.access {
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

    /// Reports the words that are read and may not have been written. All states are known: other
    /// checks have found no violation.
    pub fn check_words_written(&self, code: &Code, report: &mut Report) {
        let reads = |event: &Event| matches!(event.access, Access::Read(_));
        let is_last = |it: &Event| it.execution == self.blocks[it.block as usize].1;
        let chunks = self.chunks.iter().enumerate();
        for (chunk, events) in chunks.filter(|(_, events)| events.iter().any(reads)) {
            let events: Vec<_> = events.iter().copied().filter(is_last).collect();
            for at in unwritten(code, self.blocks.len(), chunk as u32, &events) {
                let instruction: &Instruction = &code.instructions[at];
                report.fail("stack-written", at, instruction, "this word was never written");
            }
        }
    }
}

/// The instructions that read a possibly unwritten word of a chunk.
fn unwritten(code: &Code, blocks: usize, chunk: u32, events: &[Event]) -> Vec<usize> {
    let mut starts = vec![u64::MAX; blocks];
    starts[0] = arguments(code, chunk);
    #[cfg(feature = "ch05")]
    propagate(code, chunk, events, &mut starts);
    let mut found = Vec::new();
    for event in events {
        let now = &mut starts[event.block as usize];
        if let Access::Read(word) = event.access
            && *now >> (word % BITS) & 1 == 0
        {
            found.push(event.at as usize);
        }
        *now = (*now | written_by(event.access)) & kept_by(chunk, event.access);
    }
    found
}

/// Restricts the words that are written at the start of each block to those at the ends of all its
/// predecessors.
#[cfg(feature = "ch05")]
fn propagate(code: &Code, chunk: u32, events: &[Event], starts: &mut [u64]) {
    let mut masks = vec![(u64::MAX, 0); starts.len()];
    for event in events {
        let (preserved, written) = &mut masks[event.block as usize];
        let kept = kept_by(chunk, event.access);
        *preserved &= kept;
        *written = (*written | written_by(event.access)) & kept;
    }
    let mut pending = code.blocks.ids().rev().collect::<Vec<_>>();
    while let Some(block) = pending.pop() {
        let (preserved, written) = masks[block.index()];
        let end = starts[block.index()] & preserved | written;
        for next in code.successors(block) {
            let start = &mut starts[next.index()];
            if *start & !end != 0 {
                *start &= end;
                pending.push(next);
            }
        }
    }
}

/// The words of a chunk that the caller has written: the arguments.
fn arguments(code: &Code, chunk: u32) -> u64 {
    let words = 0..code.argument_words();
    #[cfg(feature = "ch26")]
    let words = code.signature.results - 1..words.end;
    let bits = words.filter(|word| word / BITS == chunk).map(|word| 1 << (word % BITS));
    bits.fold(0, |all, bit: u64| all | bit)
}

fn written_by(access: Access) -> u64 {
    match access {
        Access::Write(word) => 1 << (word % BITS),
        Access::None | Access::Read(_) | Access::New(_) => 0,
    }
}

/// The words of a chunk that an access preserves.
fn kept_by(chunk: u32, access: Access) -> u64 {
    match access {
        Access::New(word) if word / BITS == chunk => (1 << (word % BITS)) - 1,
        Access::New(_) => 0,
        Access::None | Access::Read(_) | Access::Write(_) => u64::MAX,
    }
}
