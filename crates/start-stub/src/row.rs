//! A row of a routine: an instruction with its bytes.

/// One instruction, or the one piece of data, of a routine.
pub struct Row {
    /// The label of jumps and calls to this row; empty if there are none.
    pub label: &'static str,
    /// The distance to a label is filled in when the routine is made.
    pub bytes: &'static [u8],
    /// The bytes as `objdump -M intel` spells them, with labels for the targets of jumps.
    pub text: &'static str,
    pub why: &'static str,
}

impl Row {
    /// The label that a jump or a call leads to.
    pub fn target(&self) -> Option<&'static str> {
        let (mnemonic, operand) = self.text.split_once(' ')?;
        let is_jump = mnemonic == "call" || mnemonic.starts_with('j');
        is_jump.then_some(operand)
    }
}

pub const fn at(
    label: &'static str,
    bytes: &'static [u8],
    text: &'static str,
    why: &'static str,
) -> Row {
    Row { label, bytes, text, why }
}

pub const fn row(bytes: &'static [u8], text: &'static str, why: &'static str) -> Row {
    at("", bytes, text, why)
}
