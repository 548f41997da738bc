//! Memory: a few segments of bytes. Addresses between them have no memory.
use super::fault::Fault;

/// Bytes at consecutive addresses.
pub struct Segment {
    /// The lowest address it may grow to; a stack grows when it is accessed.
    pub lowest: u32,
    pub start: u32,
    pub bytes: Vec<u8>,
    pub writable: bool,
    /// Whether it is a stack.
    pub grows: bool,
}

/// The gap that Linux keeps below a stack, in bytes.
const GUARD_GAP: u32 = 1 << 20;

/// Segments that do not overlap. An access must be inside one of them.
pub struct Memory {
    segments: Vec<Segment>,
}

impl Segment {
    /// A segment that does not grow.
    pub fn new(start: u32, bytes: Vec<u8>, writable: bool) -> Segment {
        Segment { lowest: start, start, bytes, writable, grows: false }
    }

    /// A stack, which may grow down to `lowest`.
    pub fn stack(lowest: u32, start: u32, bytes: Vec<u8>) -> Segment {
        Segment { lowest, start, bytes, writable: true, grows: true }
    }

    fn end(&self) -> u64 {
        u64::from(self.start) + self.bytes.len() as u64
    }

    /// The index of the first of these bytes, if all are in the segment.
    fn locate(&self, address: u32, size: u32) -> Option<usize> {
        let at = address.wrapping_sub(self.start) as usize;
        (at + size as usize <= self.bytes.len()).then_some(at)
    }

    /// Whether the address is in the gap that is kept free below a segment that grows.
    fn is_overflow(&self, address: u32) -> bool {
        self.grows && address < self.lowest && self.lowest - address <= GUARD_GAP
    }

    /// Extends the segment down to these bytes, and returns their index. It at least doubles the
    /// segment, so many small extensions take linear time.
    #[cold]
    fn grow(&mut self, address: u32, size: u32) -> Option<usize> {
        if !(self.lowest..self.start).contains(&address) {
            return None;
        }
        let max = self.start - self.lowest;
        let missing = (self.start - address).max(self.bytes.len() as u32).min(max);
        self.bytes.splice(0..0, vec![0; missing as usize]);
        self.start -= missing;
        self.locate(address, size)
    }
}

impl Memory {
    /// Segments are searched in order, so the most frequently used should be first.
    pub fn new(segments: Vec<Segment>) -> Result<Memory, Fault> {
        let mut sorted: Vec<&Segment> = segments.iter().collect();
        sorted.sort_by_key(|segment| segment.lowest);
        let disjoint = sorted.windows(2).all(|pair| pair[0].end() <= u64::from(pair[1].lowest));
        if !disjoint || sorted.iter().any(|segment| segment.end() > 1 << 32) {
            return Err(Fault::File("segments overlap or do not fit into memory".into()));
        }
        Ok(Memory { segments })
    }

    /// The little-endian number in 1, 2 or 4 bytes at `address`.
    pub fn read(&mut self, address: u32, size: u32) -> Result<u32, Fault> {
        let (segment, at) = self.locate("read", address, size)?;
        let mut value = [0; 4];
        value[..size as usize].copy_from_slice(&segment.bytes[at..at + size as usize]);
        Ok(u32::from_le_bytes(value))
    }

    pub fn write(&mut self, address: u32, size: u32, value: u32) -> Result<(), Fault> {
        let (segment, at) = self.locate("write", address, size)?;
        if !segment.writable {
            return Err(Fault::ReadOnly { size, address });
        }
        let value = &value.to_le_bytes()[..size as usize];
        segment.bytes[at..at + size as usize].copy_from_slice(value);
        Ok(())
    }

    /// Reads any number of bytes.
    pub fn bytes(&self, address: u32, size: u32) -> Result<&[u8], Fault> {
        let found = self.segments.iter().map(|it| (it, it.locate(address, size)));
        match found.filter_map(|(segment, at)| Some((segment, at?))).next() {
            Some((segment, at)) => Ok(&segment.bytes[at..at + size as usize]),
            None => Err(Fault::NoSegment { access: "read", size, address }),
        }
    }

    fn locate(
        &mut self,
        access: &'static str,
        address: u32,
        size: u32,
    ) -> Result<(&mut Segment, usize), Fault> {
        for number in 0..self.segments.len() {
            let segment = &mut self.segments[number];
            if let Some(at) = segment.locate(address, size).or_else(|| segment.grow(address, size))
            {
                return Ok((&mut self.segments[number], at));
            }
        }
        let is_full = self.segments.iter().any(|it| it.is_overflow(address));
        let no_segment = Fault::NoSegment { access, size, address };
        Err(if is_full { Fault::StackOverflow } else { no_segment })
    }
}

#[cfg(test)]
#[path = "tests/memory.rs"]
mod tests;
