//! Segments, and the accesses to them.
use crate::access::{Access, Fault, Reason, Size};
use crate::page::{PAGE_SIZE, Page, Pages};
use std::fmt;

/// The number of addresses.
const ALL: u64 = 1 << 32;

/// A range of addresses that exist. If all exist, the first one follows the last one.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    /// The first address.
    pub start: u32,
    /// The number of bytes, at most 2³² - `start`.
    pub size: u64,
    /// The bytes before the first store.
    pub content: Content,
    /// Whether stores are permitted.
    pub writable: bool,
}

/// The bytes of a segment before the first store.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// They are 0.
    Zero,
    /// To load them is a fault.
    Unwritten,
    /// They are a function of their address.
    Of(fn(u32) -> u8),
}

/// Segments that overlap, or that end after the last address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overlap;

impl std::error::Error for Overlap {}

impl fmt::Display for Overlap {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("segments overlap or do not fit into memory")
    }
}

/// Bytes at 32-bit addresses. An access must be inside of one segment; there are no rules for its
/// alignment.
pub struct Memory {
    segments: Vec<Segment>,
    pages: Pages,
}

impl Segment {
    fn end(&self) -> u64 {
        u64::from(self.start) + self.size
    }

    /// Whether it contains `size` bytes from an address on.
    fn contains(&self, address: u32, size: u32) -> bool {
        let offset = u64::from(address.wrapping_sub(self.start));
        let is_inside = address >= self.start && offset + u64::from(size) <= self.size;
        is_inside || self.size == ALL
    }
}

impl Memory {
    /// A memory with these segments. They are searched in order, so the most frequently used should
    /// be first.
    ///
    /// # Errors
    /// If two of them overlap, or if one ends after the last address.
    pub fn new(segments: Vec<Segment>) -> Result<Memory, Overlap> {
        let mut sorted: Vec<&Segment> = segments.iter().collect();
        sorted.sort_by_key(|segment| segment.start);
        let disjoint = sorted.windows(2).all(|pair| pair[0].end() <= u64::from(pair[1].start));
        let fits = segments.iter().all(|it| it.size <= ALL && it.end() <= ALL);
        if disjoint && fits {
            Ok(Memory { segments, pages: Pages::default() })
        } else {
            Err(Overlap)
        }
    }

    /// Adds a segment.
    ///
    /// # Errors
    /// If it overlaps another one, or ends after the last address.
    pub fn add(&mut self, segment: Segment) -> Result<(), Overlap> {
        let segments = self.segments.iter().copied().chain([segment]).collect();
        self.segments = Memory::new(segments)?.segments;
        Ok(())
    }

    /// The number at an address, little-endian, without a sign.
    ///
    /// # Errors
    /// If the bytes are not in one segment, or if they must be written first.
    pub fn load(&self, address: u32, size: Size) -> Result<u64, Fault> {
        let (segment, count) = (self.segment(Access::Read, address, size.bytes())?, size.bytes());
        let mut bytes = [0; 8];
        let (page, offset) = self.pages.page(address);
        let whole = page.filter(|page| can_load(segment, page, offset, count as usize));
        match whole {
            Some(page) => {
                let count = count as usize;
                bytes[..count].copy_from_slice(&page.bytes[offset..offset + count]);
            }
            None => self.copy(segment, address, &mut bytes[..count as usize])?,
        }
        Ok(u64::from_le_bytes(bytes))
    }

    /// The number at an address, with the sign of its highest bit.
    ///
    /// # Errors
    /// As [`Memory::load`].
    pub fn load_signed(&self, address: u32, size: Size) -> Result<i64, Fault> {
        Ok(size.sign_extend(self.load(address, size)?))
    }

    /// Writes the lowest bytes of `value` to an address.
    ///
    /// # Errors
    /// If the bytes are not in one segment, or if it is not writable.
    pub fn store(&mut self, address: u32, size: Size, value: u64) -> Result<(), Fault> {
        let segment = self.segment(Access::Write, address, size.bytes())?;
        if !segment.writable {
            let (access, size) = (Access::Write, size.bytes());
            return Err(Fault { access, address, size, reason: Reason::ReadOnly });
        }
        self.write(address, &value.to_le_bytes()[..size.bytes() as usize]);
        Ok(())
    }

    /// A copy of any number of bytes.
    ///
    /// # Errors
    /// As [`Memory::load`].
    pub fn bytes(&self, address: u32, size: u32) -> Result<Vec<u8>, Fault> {
        let segment = self.segment(Access::Read, address, size)?;
        let mut bytes = vec![0; size as usize];
        self.copy(segment, address, &mut bytes)?;
        Ok(bytes)
    }

    /// Writes the content of a segment, which need not be writable.
    ///
    /// # Errors
    /// If the bytes are not in one segment.
    pub fn fill(&mut self, address: u32, bytes: &[u8]) -> Result<(), Fault> {
        let size = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        self.segment(Access::Write, address, size)?;
        self.write(address, bytes);
        Ok(())
    }

    /// Restores the content before the first store.
    ///
    /// # Errors
    /// If the bytes are not in one segment.
    pub fn clear(&mut self, address: u32, size: u32) -> Result<(), Fault> {
        self.segment(Access::Write, address, size)?;
        for (address, range) in parts(address, size as usize) {
            if self.pages.page(address).0.is_some() {
                let (page, offset) = self.pages.page_mut(address);
                page.mark(offset, range.len(), false);
            }
        }
        Ok(())
    }

    /// The segment that contains these bytes.
    fn segment(&self, access: Access, address: u32, size: u32) -> Result<Segment, Fault> {
        let found = self.segments.iter().find(|segment| segment.contains(address, size));
        found.copied().ok_or(Fault { access, address, size, reason: Reason::Outside })
    }

    fn write(&mut self, address: u32, bytes: &[u8]) {
        for (address, range) in parts(address, bytes.len()) {
            let (page, offset) = self.pages.page_mut(address);
            page.write(offset, &bytes[range]);
        }
    }

    /// Copies bytes of a segment, written or not.
    fn copy(&self, segment: Segment, first: u32, bytes: &mut [u8]) -> Result<(), Fault> {
        for (at, byte) in bytes.iter_mut().enumerate() {
            let address = first.wrapping_add(at as u32);
            let (page, offset) = self.pages.page(address);
            *byte = match (page.filter(|page| page.is_written(offset, 1)), segment.content) {
                (Some(page), _) => page.bytes[offset],
                (None, Content::Zero) => 0,
                (None, Content::Of(content)) => content(address),
                (None, Content::Unwritten) => {
                    let (size, access) = (bytes.len() as u32, Access::Read);
                    return Err(Fault { access, address: first, size, reason: Reason::Unwritten });
                }
            };
        }
        Ok(())
    }
}

/// Whether bytes are inside of a page and are its own: written, or 0 as all others.
fn can_load(segment: Segment, page: &Page, offset: usize, count: usize) -> bool {
    offset + count <= PAGE_SIZE as usize
        && (matches!(segment.content, Content::Zero) || page.is_written(offset, count))
}

/// Splits bytes at the ends of pages: the address of each part and its range in the bytes.
fn parts(first: u32, count: usize) -> impl Iterator<Item = (u32, std::ops::Range<usize>)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let address = first.wrapping_add(at as u32);
        let end = count.min(at + (PAGE_SIZE - address % PAGE_SIZE) as usize);
        let range = at..end;
        at = end;
        (!range.is_empty()).then_some((address, range))
    })
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
