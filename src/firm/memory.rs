//! The memory of an executed program.
use super::mode::Mode;
use super::op::Access;
use crate::heap;
#[cfg(feature = "ch25")]
use ::memory::Content;
use ::memory::{Memory as Bytes, Segment, Size};

/// Memory, and a trace of its visible accesses.
pub struct Memory {
    bytes: Bytes,
    #[cfg(feature = "ch25")]
    is_traced: bool,
    #[cfg(feature = "ch14")]
    pub trace: String,
}

/// The heap alone, without a trace.
impl Default for Memory {
    fn default() -> Memory {
        Memory::of(heap::segment())
    }
}

impl Memory {
    fn of(segment: Segment) -> Memory {
        Memory {
            bytes: Bytes::new(vec![segment]).expect("one segment overlaps no other"),
            #[cfg(feature = "ch25")]
            is_traced: false,
            #[cfg(feature = "ch14")]
            trace: String::new(),
        }
    }

    /// The number of a mode at an address.
    pub fn load(&self, mode: Mode, address: i64) -> Result<i64, String> {
        let loaded = self.bytes.load_signed(address as u32, size(mode)?);
        #[cfg(feature = "ch14")]
        let loaded = loaded.map(|bits| mode.extend(bits));
        loaded.map_err(|fault| fault.to_string())
    }

    pub fn store(&mut self, mode: Mode, address: i64, value: i64) -> Result<(), String> {
        #[cfg(feature = "ch25")]
        self.note(|| format!("store {address} {value}\n"));
        #[cfg(feature = "ch14")]
        let value = mode.stored(value);
        let stored = self.bytes.store(address as u32, size(mode)?, value.cast_unsigned());
        stored.map_err(|fault| fault.to_string())
    }
}

fn size(mode: Mode) -> Result<Size, String> {
    let size = Size::of_bits(mode.values().bits());
    size.ok_or_else(|| format!("there is no {} in memory", mode.name()))
}

/// The memory of graphs from files.
#[cfg(feature = "ch25")]
impl Memory {
    /// All addresses exist, and each word has a value of its own before the first store. Stores and
    /// volatile loads are traced.
    pub fn unknown() -> Memory {
        let content = Content::Of(|address| unknown_word(address & !3)[address as usize % 4]);
        let all = Segment { start: 0, size: 1 << 32, content, writable: true };
        Memory { is_traced: true, ..Memory::of(all) }
    }

    /// The value of a load that may be volatile.
    pub fn load_visibly(
        &mut self,
        mode: Mode,
        address: i64,
        access: Access,
    ) -> Result<i64, String> {
        if access == Access::Volatile {
            self.note(|| format!("load {address}\n"));
        }
        self.load(mode, address)
    }

    fn note(&mut self, line: impl Fn() -> String) {
        if self.is_traced {
            self.trace += &line();
        }
    }
}

/// The bytes of a word before the first store.
#[cfg(feature = "ch25")]
fn unknown_word(address: u32) -> [u8; 4] {
    address.wrapping_mul(2_654_435_761).wrapping_add(12345).to_le_bytes()
}
