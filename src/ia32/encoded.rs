//! Machine code.

/// The bytes of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Encoded {
    pub bytes: Vec<u8>,
    /// Where each instruction begins.
    pub offsets: Vec<u32>,
    #[cfg(feature = "ch12")]
    pub relocations: Vec<Relocation>,
}

/// Four bytes that depend on an address.
#[cfg(feature = "ch12")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Relocation {
    pub offset: u32,
    pub of: Referenced,
}

/// The four bytes of a relocation.
#[cfg(feature = "ch12")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Referenced {
    /// The address of the floating-point number with these bits.
    Number(i64),
    /// The address of a function.
    #[cfg(feature = "ch14")]
    Function(u32),
    /// The distance from the end of the four bytes to a function.
    #[cfg(feature = "ch14")]
    Distance(u32),
}
