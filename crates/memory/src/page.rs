//! Pages: the bytes that were written, by their addresses.
//!
//! The number of a page is the upper part of its addresses. Two levels of tables lead to it, so a
//! lookup takes two steps and untouched parts of the address space need no memory.

const PAGE_BITS: u32 = 12;
const TABLE_BITS: u32 = 10;
pub const PAGE_SIZE: u32 = 1 << PAGE_BITS;
const TABLE_SIZE: usize = 1 << TABLE_BITS;

/// Bytes at consecutive addresses; each was written, or is 0.
pub struct Page {
    pub bytes: [u8; PAGE_SIZE as usize],
    /// One bit for each byte.
    written: [u64; PAGE_SIZE as usize / 64],
}

type Table = [Option<Box<Page>>; TABLE_SIZE];

/// The pages that exist, in tables. Without a page, there are no tables.
#[derive(Default)]
pub struct Pages(Vec<Option<Box<Table>>>);

impl Pages {
    /// The page of an address, and the offset in it.
    pub fn page(&self, address: u32) -> (Option<&Page>, usize) {
        let table = self.0.get((address >> (PAGE_BITS + TABLE_BITS)) as usize);
        let page = table.and_then(|table| table.as_ref()?[index(address)].as_deref());
        (page, offset(address))
    }

    /// The same; the page is made if it does not exist.
    pub fn page_mut(&mut self, address: u32) -> (&mut Page, usize) {
        if self.0.is_empty() {
            self.0.resize_with(1 << (32 - PAGE_BITS - TABLE_BITS), || None);
        }
        let table = self.0[(address >> (PAGE_BITS + TABLE_BITS)) as usize]
            .get_or_insert_with(|| Box::new([const { None }; TABLE_SIZE]));
        let page = table[index(address)].get_or_insert_with(Page::new);
        (page, offset(address))
    }
}

fn index(address: u32) -> usize {
    (address >> PAGE_BITS) as usize % TABLE_SIZE
}

fn offset(address: u32) -> usize {
    (address % PAGE_SIZE) as usize
}

impl Page {
    fn new() -> Box<Page> {
        Box::new(Page { bytes: [0; _], written: [0; _] })
    }

    /// Whether `count` bytes from an offset on were all written.
    pub fn is_written(&self, offset: usize, count: usize) -> bool {
        masks(offset, count).all(|(word, mask)| self.written[word] & mask == mask)
    }

    pub fn write(&mut self, offset: usize, bytes: &[u8]) {
        self.bytes[offset..offset + bytes.len()].copy_from_slice(bytes);
        self.mark(offset, bytes.len(), true);
    }

    /// Sets whether bytes were written. Those that were not are 0.
    pub fn mark(&mut self, offset: usize, count: usize, written: bool) {
        for (word, mask) in masks(offset, count) {
            let word = &mut self.written[word];
            *word = if written { *word | mask } else { *word & !mask };
        }
        if !written {
            self.bytes[offset..offset + count].fill(0);
        }
    }
}

/// The bits of some bytes: the index of each word that contains some, and a mask.
fn masks(offset: usize, count: usize) -> impl Iterator<Item = (usize, u64)> {
    let end = offset + count;
    (offset / 64..end.div_ceil(64)).map(move |word| {
        let (first, last) = (offset.max(64 * word) % 64, (end - 1).min(64 * word + 63) % 64);
        (word, u64::MAX << first & u64::MAX >> (63 - last))
    })
}
