//! Stack slots: places in memory for spilled values.
//!
//! Slots that are needed at different times share their bytes: going through them in the order in
//! which they begin, each takes bytes that are free again, or else new ones. So no more are taken
//! than are needed at once (the left-edge algorithm: A. Hashimoto, J. Stevens, 1971).
use crate::allocate::intervals::{Interval, Intervals, Position};
use crate::base::ids::SideTable;
use crate::ia32::Register;
#[cfg(feature = "ch05")]
use crate::ia32::code::Code;
use crate::ia32::code::{Address, Base};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

#[derive(Default)]
pub struct StackSlots {
    slots: Vec<Slot>,
    /// The number of the slot of each spilled value.
    slot_of: SideTable<Register, Option<u32>>,
}

/// A slot, when it is needed, and its size in bytes.
struct Slot {
    /// The ends of the ranges by their starts.
    ranges: BTreeMap<Position, Position>,
    size: u32,
    #[cfg(feature = "ch05")]
    values: Vec<Register>,
}

impl StackSlots {
    /// A slot for each spilled value that has no other place in memory.
    pub fn new(intervals: &Intervals, spilled: impl Iterator<Item = Register>) -> StackSlots {
        let mut slots = StackSlots::default();
        for value in spilled.filter(|&value| intervals[value].argument.is_none()) {
            let Interval { ranges, class, .. } = &intervals[value];
            slots.slot_of[value] = Some(slots.slots.len() as u32);
            slots.slots.push(Slot {
                ranges: ranges.iter().map(|range| (range.start, range.end)).collect(),
                size: class.size,
                #[cfg(feature = "ch05")]
                values: vec![value],
            });
        }
        slots
    }

    /// Where a spilled value is in memory.
    pub fn home(&self, value: Register, interval: &Interval) -> Address {
        let slot = || Address::new(Base::Slot(self.slot_of[value].expect("it is spilled")), 0);
        interval.argument.unwrap_or_else(slot)
    }

    /// A slot for a moment.
    pub fn scratch(&mut self, at: Position) -> Address {
        self.slots.push(Slot {
            ranges: BTreeMap::from([(at, at + 1)]),
            size: 4,
            #[cfg(feature = "ch05")]
            values: Vec::new(),
        });
        Address::new(Base::Slot(self.slots.len() as u32 - 1), 0)
    }

    /// Arguments and parameters share slots unless they are live at once: then a value that is in
    /// memory is passed on without a copy.
    #[cfg(feature = "ch05")]
    pub fn coalesce(&mut self, code: &Code) {
        for block in code.blocks.ids() {
            let parameters = code.successors(block).flat_map(|to| &code.blocks[to].parameters);
            for (&argument, &parameter) in code.blocks[block].arguments.iter().zip(parameters) {
                if let (Some(a), Some(b)) = (self.slot_of[argument], self.slot_of[parameter])
                    && a != b
                {
                    self.join(a, b);
                }
            }
        }
    }

    /// Moves what is in the smaller one of two slots into the other one, if that is free then.
    #[cfg(feature = "ch05")]
    fn join(&mut self, a: u32, b: u32) {
        let size = |slot: u32| self.slots[slot as usize].ranges.len();
        let (small, large) = if size(a) < size(b) { (a, b) } else { (b, a) };
        let ranges = &self.slots[large as usize].ranges;
        let before = |at| ranges.range(..at).next_back();
        let is_free = |(start, end): (&_, &_)| before(*end).is_none_or(|(_, other)| other <= start);
        if self.slots[small as usize].ranges.iter().all(is_free) {
            let moved = std::mem::take(&mut self.slots[small as usize].ranges);
            let values = std::mem::take(&mut self.slots[small as usize].values);
            values.iter().for_each(|&value| self.slot_of[value] = Some(large));
            self.slots[large as usize].ranges.extend(moved);
            self.slots[large as usize].values.extend(values);
        }
    }

    /// How far from the first byte each slot is, and how many bytes there are.
    pub fn layout(&self) -> (Vec<u32>, u32) {
        let start = |number: &usize| self.slots[*number].ranges.keys().next().copied();
        let mut order = (0..self.slots.len()).collect::<Vec<_>>();
        order.retain(|number| start(number).is_some());
        order.sort_by_key(start);
        let (mut offsets, mut bytes) = (vec![0; self.slots.len()], 0);
        let (mut taken, mut free) = (BinaryHeap::new(), BTreeMap::<_, Vec<_>>::new());
        for number in order {
            let Slot { ranges, size, .. } = &self.slots[number];
            while let Some(&Reverse((end, size, offset))) = taken.peek()
                && Some(end) <= start(&number)
            {
                free.entry(size).or_default().push(offset);
                taken.pop();
            }
            offsets[number] = free.get_mut(size).and_then(Vec::pop).unwrap_or_else(|| {
                let offset = u32::next_multiple_of(bytes, *size);
                bytes = offset + size;
                offset
            });
            let end = ranges.values().next_back().copied().unwrap_or_default();
            taken.push(Reverse((end, *size, offsets[number])));
        }
        (offsets, bytes)
    }
}
