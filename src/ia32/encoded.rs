//! Machine code.

/// The bytes of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Encoded {
    pub bytes: Vec<u8>,
    /// Where each instruction begins.
    pub offsets: Vec<u32>,
    #[cfg(feature = "ch26")]
    pub relocations: Vec<Relocation>,
}

/// Four bytes that depend on the address of a symbol.
#[cfg(feature = "ch26")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Relocation {
    pub offset: u32,
    pub symbol: u32,
    /// Whether they are the distance from their end to the symbol, not its address.
    pub is_distance: bool,
}
