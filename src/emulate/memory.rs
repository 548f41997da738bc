//! Memory: a few segments of bytes, each at its address, and nothing between them.
use super::fault::Fault;

#[derive(Clone, Debug)]
pub struct Segment {
    pub start: u32,
    pub bytes: Vec<u8>,
    pub writable: bool,
}

/// Segments that do not overlap. An access must lie in one of them, as a whole.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    segments: Vec<Segment>,
}

impl Segment {
    fn end(&self) -> u64 {
        u64::from(self.start) + self.bytes.len() as u64
    }
}

impl Memory {
    /// The segments that are accessed most should come first.
    pub fn new(segments: Vec<Segment>) -> Result<Memory, Fault> {
        let mut sorted: Vec<&Segment> = segments.iter().collect();
        sorted.sort_by_key(|segment| segment.start);
        let apart = sorted.windows(2).all(|pair| pair[0].end() <= u64::from(pair[1].start));
        if !apart || sorted.iter().any(|segment| segment.end() > 1 << 32) {
            return Err(Fault::File("segments overlap or do not fit into memory".into()));
        }
        Ok(Memory { segments })
    }

    /// The little-endian number in 1, 2 or 4 bytes at `address`.
    pub fn read(&self, address: u32, size: u32) -> Result<u32, Fault> {
        let mut value = [0; 4];
        value[..size as usize].copy_from_slice(self.bytes(address, size)?);
        Ok(u32::from_le_bytes(value))
    }

    pub fn write(&mut self, address: u32, size: u32, value: u32) -> Result<(), Fault> {
        for segment in &mut self.segments {
            if let Some(at) = place(segment, address, size) {
                if !segment.writable {
                    return Err(Fault::ReadOnly { size, address });
                }
                let end = at + size as usize;
                segment.bytes[at..end].copy_from_slice(&value.to_le_bytes()[..size as usize]);
                return Ok(());
            }
        }
        Err(Fault::NoSegment { access: "write", size, address })
    }

    pub fn bytes(&self, address: u32, size: u32) -> Result<&[u8], Fault> {
        for segment in &self.segments {
            if let Some(at) = place(segment, address, size) {
                return Ok(&segment.bytes[at..at + size as usize]);
            }
        }
        Err(Fault::NoSegment { access: "read", size, address })
    }
}

/// Where in the segment the bytes are, if all of them are.
fn place(segment: &Segment, address: u32, size: u32) -> Option<usize> {
    let at = address.wrapping_sub(segment.start) as usize;
    (at + size as usize <= segment.bytes.len()).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory() -> Memory {
        let text = Segment { start: 0x1000, bytes: vec![1, 2, 3, 4, 5], writable: false };
        let top = Segment { start: 0xffff_fff0, bytes: vec![0; 16], writable: true };
        Memory::new(vec![text, top]).unwrap()
    }

    #[test]
    fn numbers_are_little_endian() {
        assert_eq!(memory().read(0x1001, 4), Ok(0x0504_0302));
        assert_eq!(memory().read(0x1004, 1), Ok(5));
    }

    #[test]
    fn an_access_lies_in_one_segment() {
        let reason = memory().read(0x1002, 4).unwrap_err().to_string();
        assert_eq!(reason, "read of 4 bytes at 0x00001002 outside any segment");
        assert!(memory().read(0xffff_fffd, 4).is_err());
        assert!(memory().write(0xfff, 1, 0).is_err());
    }

    #[test]
    fn only_writable_segments_are_written() {
        let mut memory = memory();
        assert_eq!(memory.write(0xffff_fffc, 4, 0x1234_5678), Ok(()));
        assert_eq!(memory.read(0xffff_fffe, 2), Ok(0x1234));
        let reason = memory.write(0x1000, 2, 0).unwrap_err().to_string();
        assert_eq!(reason, "write of 2 bytes at 0x00001000 in a read-only segment");
    }

    #[test]
    fn segments_do_not_overlap() {
        let segment = |start| Segment { start, bytes: vec![0; 8], writable: true };
        assert!(Memory::new(vec![segment(8), segment(0)]).is_ok());
        assert!(Memory::new(vec![segment(7), segment(0)]).is_err());
        assert!(Memory::new(vec![segment(0xffff_fff9)]).is_err());
    }
}
