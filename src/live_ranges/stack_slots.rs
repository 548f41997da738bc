//! Stack slots for spilled values.
//!
//! Slots with disjoint live ranges share their bytes. In the order of their starts, each slot takes
//! bytes that are free again, or else new ones. So the frame is as large as the maximum of live
//! slots (the left-edge algorithm: A. Hashimoto, J. Stevens, 1971).
use crate::ia32::Register;
use crate::ia32::code::{Address, Base, Code};
use crate::live_ranges::Position;
use crate::live_ranges::intervals::Intervals;
use crate::target::RegisterKind;
use arena::SideTable;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::Range;

#[derive(Default)]
pub struct StackSlots {
    slots: Vec<Slot>,
    /// The place of each spilled value: its argument or its slot.
    places: SideTable<Register, Option<Base>>,
}

struct Slot {
    /// From the first to the last position at which it is live.
    span: Range<Position>,
    /// In bytes.
    size: u32,
    /// Its values and their live ranges: the ends of ranges by their starts.
    #[cfg(feature = "ch05")]
    values: Vec<Register>,
    #[cfg(feature = "ch05")]
    ranges: BTreeMap<Position, Position>,
}

#[cfg(feature = "ch05")]
impl Slot {
    /// Adds a range; those that overlap become one.
    fn add(&mut self, mut range: Range<Position>) {
        while let Some((&start, &end)) = self.ranges.range(..range.end).next_back()
            && end > range.start
        {
            self.ranges.remove(&start);
            range = range.start.min(start)..range.end.max(end);
        }
        self.ranges.insert(range.start, range.end);
    }
}

impl StackSlots {
    /// A slot for each spilled value that is no argument.
    pub fn new(intervals: &Intervals, spilled: &SideTable<Register, bool>) -> StackSlots {
        let mut slots = StackSlots::default();
        for value in spilled.ids().filter(|it| spilled[*it]) {
            slots.places[value] = intervals[value].argument;
            if slots.places[value].is_some() {
                continue;
            }
            let interval = intervals.of(value);
            slots.places[value] = Some(Base::Slot(slots.slots.len() as u32));
            slots.slots.push(Slot {
                span: interval.start()..interval.end(),
                size: u32::from(intervals[value].kind.bytes),
                #[cfg(feature = "ch05")]
                values: vec![value],
                #[cfg(feature = "ch05")]
                ranges: interval.ranges().iter().map(|range| (range.start, range.end)).collect(),
            });
        }
        slots
    }

    /// The address of a spilled value.
    pub fn address(&self, value: Register) -> Address {
        Address::new(self.places[value].expect("it is spilled"), 0)
    }

    /// A slot for a temporary value.
    pub fn scratch(&mut self, at: Position, kind: RegisterKind) -> Address {
        self.slots.push(Slot {
            span: at..at + 2,
            size: u32::from(kind.bytes),
            #[cfg(feature = "ch05")]
            values: Vec::new(),
            #[cfg(feature = "ch05")]
            ranges: BTreeMap::new(),
        });
        Address::new(Base::Slot(self.slots.len() as u32 - 1), 0)
    }

    /// Arguments and parameters of blocks share slots unless they are live at once: then a value in
    /// memory is passed without a copy. The slot of a parameter is written where the argument is
    /// passed.
    #[cfg(feature = "ch05")]
    pub fn coalesce(&mut self, code: &Code) {
        for block in code.blocks.ids() {
            let last = 2 * code.range(block).end as Position - 2;
            let parameters = code.successors(block).flat_map(|to| &code.blocks[to].parameters);
            for (&argument, &parameter) in code.blocks[block].arguments.iter().zip(parameters) {
                let Some(Base::Slot(slot)) = self.places[parameter] else { continue };
                let span = &mut self.slots[slot as usize].span;
                *span = span.start.min(last)..span.end.max(last + 2);
                if let Some(Base::Slot(other)) = self.places[argument]
                    && other != slot
                {
                    self.join(other, slot);
                }
            }
        }
        // The layout needs spans and sizes alone.
        self.slots.iter_mut().for_each(|it| (it.values, it.ranges) = Default::default());
    }

    /// One slot for a value and the result of its update in memory. They are not live at once, even
    /// if long intervals say so, which have fewer holes than possible.
    #[cfg(feature = "ch20")]
    pub fn share(&mut self, value: Register, result: Register) {
        let [a, b] = [value, result].map(|it| match self.places[it] {
            Some(Base::Slot(slot)) => slot,
            _ => unreachable!("an updated value is in a slot"),
        });
        if a != b {
            self.merge(a, b);
        }
    }

    /// Merges two slots if their ranges do not overlap.
    #[cfg(feature = "ch05")]
    fn join(&mut self, a: u32, b: u32) {
        let size = |slot: u32| self.slots[slot as usize].ranges.len();
        let (small, large) = if size(a) < size(b) { (a, b) } else { (b, a) };
        let ranges = &self.slots[large as usize].ranges;
        let before = |at| ranges.range(..at).next_back();
        let is_free = |(start, end): (&_, &_)| before(*end).is_none_or(|(_, other)| other <= start);
        if self.slots[small as usize].ranges.iter().all(is_free) {
            self.merge(small, large);
        }
    }

    /// Merges a slot into another one.
    #[cfg(feature = "ch05")]
    fn merge(&mut self, small: u32, large: u32) {
        let moved = std::mem::take(&mut self.slots[small as usize].ranges);
        let values = std::mem::take(&mut self.slots[small as usize].values);
        let span = std::mem::take(&mut self.slots[small as usize].span);
        values.iter().for_each(|&value| self.places[value] = Some(Base::Slot(large)));
        let large = &mut self.slots[large as usize];
        for (start, end) in moved {
            large.add(start..end);
        }
        large.values.extend(values);
        large.span = large.span.start.min(span.start)..large.span.end.max(span.end);
    }

    /// The offset of each slot from the first byte, and the number of bytes.
    pub fn layout(&self) -> (Vec<u32>, u32) {
        let mut order = (0..self.slots.len()).collect::<Vec<_>>();
        order.retain(|&number| !self.slots[number].span.is_empty());
        order.sort_by_key(|&number| self.slots[number].span.start);
        let (mut offsets, mut bytes) = (vec![0; self.slots.len()], 0_u32);
        let (mut taken, mut free) = (BinaryHeap::new(), BTreeMap::<_, Vec<_>>::new());
        for number in order {
            let Slot { span, size, .. } = &self.slots[number];
            while let Some(&Reverse((end, size, offset))) = taken.peek()
                && end <= span.start
            {
                free.entry(size).or_default().push(offset);
                taken.pop();
            }
            offsets[number] = free.get_mut(size).and_then(Vec::pop).unwrap_or_else(|| {
                let offset = bytes.next_multiple_of(*size);
                bytes = offset + size;
                offset
            });
            taken.push(Reverse((span.end, *size, offsets[number])));
        }
        (offsets, bytes)
    }
}
