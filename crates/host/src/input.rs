//! Reads texts.
use crate::{Error, shown};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The maximal length of a text, in bytes: offsets are numbers of 32 bits.
pub const MAX_TEXT: u64 = u32::MAX as u64;

/// Reads a text, without the byte order mark that some editors put before it. The path `-` is
/// standard input.
///
/// # Errors
/// The file cannot be read, is longer than `MAX_TEXT`, or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, Error> {
    let name = shown(path);
    let bytes = open(path).and_then(|file| read_at_most(file, MAX_TEXT));
    let bytes = bytes.map_err(|error| Error::Failed(format!("cannot read `{name}`: {error}")))?;
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count();
        Error::Failed(format!("`{name}` is not UTF-8: line {line}, byte {at}"))
    })?;
    if text.starts_with(BYTE_ORDER_MARK) {
        text.drain(..BYTE_ORDER_MARK.len_utf8());
    }
    Ok(text)
}

const BYTE_ORDER_MARK: char = '\u{feff}';

/// Opens a file, or standard input.
///
/// # Errors
/// The file cannot be opened, or is a folder.
pub fn open(path: &Path) -> std::io::Result<Box<dyn Read>> {
    if is_stream(path) {
        return Ok(Box::new(std::io::stdin().lock()));
    }
    let file = File::open(path)?;
    match file.metadata()?.is_dir() {
        true => Err(std::io::ErrorKind::IsADirectory.into()),
        false => Ok(Box::new(file)),
    }
}

/// Whether a path is `-`: standard input, or standard output.
pub fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
}

/// Reads a file of at max `max` bytes. It stops at the limit, so an endless file is an error.
fn read_at_most(file: impl Read, max: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(max + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 <= max {
        true => Ok(bytes),
        false => Err(std::io::Error::other(format!("it is longer than {max} bytes"))),
    }
}

#[cfg(test)]
#[path = "tests/input.rs"]
mod tests;
