//! Words of memory for values, each from where the value gets there to where it is read last.
//!
//! Homes that are needed at different times share a word. Going through them in the order in
//! which they begin, each takes a word that is free again, or else a new one: no more words are
//! taken than are needed at once somewhere.
use crate::ia32::code::{Address, Base};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

#[derive(Default)]
pub struct Homes {
    spans: Vec<Span>,
}

/// The first and the last place in the code where a home is needed.
#[derive(Clone, Copy)]
struct Span {
    from: u32,
    to: u32,
}

impl Homes {
    pub fn open(&mut self, from: u32, to: u32) -> Address {
        self.spans.push(Span { from, to });
        Address::new(Base::Slot(self.spans.len() as u32 - 1), 0)
    }

    /// Needs a home from an earlier place on, or to a later one.
    #[cfg(feature = "ch05")]
    pub fn widen(&mut self, home: Address, from: u32, to: u32) {
        if let Base::Slot(number) = home.base {
            let span = &mut self.spans[number as usize];
            (span.from, span.to) = (span.from.min(from), span.to.max(to));
        }
    }

    /// The word of each home, and how many words there are.
    pub fn pack(&self) -> (Vec<u32>, u32) {
        let mut order = (0..self.spans.len()).collect::<Vec<_>>();
        order.sort_by_key(|&number| self.spans[number].from);
        let (mut words, mut count) = (vec![0; self.spans.len()], 0);
        let (mut taken, mut free) = (BinaryHeap::new(), Vec::new());
        for number in order {
            let span = self.spans[number];
            while let Some(&Reverse((to, word))) = taken.peek()
                && to < span.from
            {
                free.push(word);
                taken.pop();
            }
            words[number] = free.pop().unwrap_or_else(|| {
                count += 1;
                count - 1
            });
            taken.push(Reverse((span.to, words[number])));
        }
        (words, count)
    }
}
