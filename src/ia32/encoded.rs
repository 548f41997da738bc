//! Machine code.

/// The bytes of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Encoded {
    pub bytes: Vec<u8>,
    /// Where each instruction begins.
    pub offsets: Vec<u32>,
}
