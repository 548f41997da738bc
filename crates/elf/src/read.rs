//! Reads an executable as the kernel does, and its symbols as a debugger does.
use super::Symbol;
use std::error::Error;
use std::fmt;

/// The contents of an executable, ready to be loaded.
#[derive(Clone, Debug)]
pub struct Image<'a> {
    /// The address of the first instruction.
    pub entry: u32,
    /// The parts of the file that are loaded, in the order of their headers.
    pub segments: Vec<Segment<'a>>,
    /// The functions, by address. A file without readable symbols has none.
    pub symbols: Vec<Symbol>,
}

/// A range of the file that is loaded as one segment.
#[derive(Clone, Debug)]
pub struct Segment<'a> {
    /// The address of its first byte.
    pub address: u32,
    /// The offset of its bytes in the file.
    pub offset: u32,
    /// Its bytes in the file.
    pub bytes: &'a [u8],
    /// Its size in memory, in bytes; after `bytes`, memory is zero.
    pub size: u32,
    /// Whether the program may write to it.
    pub writable: bool,
    /// Whether the program may execute it.
    pub executable: bool,
}

impl Segment<'_> {
    /// Whether all instructions of `function` are in the segment and executable.
    pub fn holds(&self, function: &Symbol) -> bool {
        let start = function.address.wrapping_sub(self.address);
        let is_inside = u64::from(start) + u64::from(function.size) <= u64::from(self.size);
        self.executable && is_inside
    }
}

/// The reason why a file cannot be loaded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError(String);

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for ReadError {}

/// Reads an executable.
///
/// # Errors
/// If `file` is not an ELF executable for IA-32, or if a header refers to bytes it does not have.
pub fn read(file: &[u8]) -> Result<Image<'_>, ReadError> {
    let ours = b"\x7fELF\x01\x01\x01";
    if !file.starts_with(ours) || half(file, 16)? != 2 || half(file, 18)? != 3 {
        return Err(error("no ELF executable for IA-32"));
    }
    let mut segments = Vec::new();
    for row in table(file, word(file, 28)?, half(file, 42)?, half(file, 44)?, 32)? {
        if word(row, 0)? == 1 {
            segments.push(segment(file, row)?);
        }
    }
    let symbols = symbols(file).unwrap_or_default();
    Ok(Image { entry: word(file, 24)?, segments, symbols })
}

fn segment<'a>(file: &'a [u8], row: &[u8]) -> Result<Segment<'a>, ReadError> {
    let (offset, flags, size) = (word(row, 4)?, word(row, 24)?, word(row, 20)?);
    let bytes = slice(file, offset, word(row, 16)?)?;
    if bytes.len() as u64 > u64::from(size) {
        return Err(error("a segment is smaller in memory than in the file"));
    }
    let (writable, executable) = (flags & 2 != 0, flags & 1 != 0);
    Ok(Segment { address: word(row, 8)?, offset, bytes, size, writable, executable })
}

/// The functions named by the first symbol table.
fn symbols(file: &[u8]) -> Result<Vec<Symbol>, ReadError> {
    let sections = table(file, word(file, 32)?, half(file, 46)?, half(file, 48)?, 40)?;
    let mut found = Vec::new();
    for section in &sections {
        if word(section, 4)? != 2 {
            continue;
        }
        let names = sections
            .get(word(section, 24)? as usize)
            .ok_or_else(|| error("no section with names"))?;
        let names = slice(file, word(names, 16)?, word(names, 20)?)?;
        for row in slice(file, word(section, 16)?, word(section, 20)?)?.chunks_exact(16) {
            if row[12] & 0xf == 2 {
                found.push(symbol(row, names)?);
            }
        }
    }
    found.sort_by_key(|symbol| symbol.address);
    Ok(found)
}

fn symbol(row: &[u8], names: &[u8]) -> Result<Symbol, ReadError> {
    let name =
        names.get(word(row, 0)? as usize..).ok_or_else(|| error("a name outside the names"))?;
    let end =
        name.iter().position(|byte| *byte == 0).ok_or_else(|| error("a name without an end"))?;
    let name = String::from_utf8_lossy(&name[..end]).into();
    Ok(Symbol { name, address: word(row, 4)?, size: word(row, 8)? })
}

/// The rows of a table of headers; each row has at least `least` bytes.
fn table(file: &[u8], at: u32, size: u32, count: u32, least: u32) -> Result<Vec<&[u8]>, ReadError> {
    if size < least {
        return Err(error(format!("headers of {size} bytes, not {least}")));
    }
    Ok(slice(file, at, size * count)?.chunks_exact(size as usize).collect())
}

fn half(bytes: &[u8], at: u32) -> Result<u32, ReadError> {
    Ok(slice(bytes, at, 2)?.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte)))
}

fn word(bytes: &[u8], at: u32) -> Result<u32, ReadError> {
    Ok(slice(bytes, at, 4)?.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte)))
}

fn slice(bytes: &[u8], at: u32, size: u32) -> Result<&[u8], ReadError> {
    let (start, size) = (at as usize, size as usize);
    let end = start.checked_add(size).filter(|end| *end <= bytes.len());
    end.map(|end| &bytes[start..end])
        .ok_or_else(|| error(format!("the file ends before byte {at:#x}")))
}

fn error(reason: impl Into<String>) -> ReadError {
    ReadError(reason.into())
}

#[cfg(test)]
#[path = "tests/read.rs"]
mod tests;
