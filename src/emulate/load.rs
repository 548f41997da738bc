//! Prepares a machine: the kernel's part of starting a program, and a caller's part of a call.
use super::decode::Text;
use super::execute::Machine;
use super::fault::Fault;
use super::memory::{Memory, Segment};
use crate::elf::{Image, Symbol};

/// How many bytes a stack may grow to, as Linux has it, and the address behind it.
const STACK: u32 = 8 << 20;
const STACK_END: u32 = 0xbfff_f000;

/// More memory than any program of ours has.
const LIMIT: u64 = 1 << 28;

/// A process that is about to execute the first instruction of `image`.
pub fn process(image: &Image, arguments: &[String]) -> Result<(Machine, Text), Fault> {
    let total: u64 = image.segments.iter().map(|segment| u64::from(segment.size)).sum();
    if total > LIMIT {
        return Err(Fault::File(format!("{total} bytes of memory are too many")));
    }
    let (stack, top) = stack(arguments)?;
    let mut segments = vec![stack];
    for segment in &image.segments {
        let mut bytes = segment.bytes.to_vec();
        bytes.resize(segment.size as usize, 0);
        segments.push(Segment::new(segment.address, bytes, segment.writable));
    }
    let mut texts = image.segments.iter().filter(|segment| segment.executable);
    let (Some(text), None) = (texts.next(), texts.next()) else {
        return Err(Fault::File("not one executable segment".into()));
    };
    if text.writable {
        return Err(Fault::File("the text is writable".into()));
    }
    let text = Text::new(text.address, text.bytes.len());
    Ok((Machine::new(Memory::new(segments)?, image.entry, top), text))
}

/// The stack of a new process, and where its top is: the number of words, pointers to them, and
/// null pointers that end the words, the environment and the auxiliary vector.
fn stack(arguments: &[String]) -> Result<(Segment, u32), Fault> {
    let words: Vec<&str> =
        [PROGRAM].into_iter().chain(arguments.iter().map(|it| &it[..])).collect();
    let texts: usize = words.iter().map(|word| word.len() + 1).sum();
    let numbers = 4 * (words.len() + 5);
    let size = (texts + numbers).next_multiple_of(16);
    if size as u64 > LIMIT || words.iter().any(|word| word.contains('\0')) {
        return Err(Fault::File("no process has such arguments".into()));
    }
    let top = STACK_END - size as u32;
    let mut frame = (words.len() as u32).to_le_bytes().to_vec();
    let mut text = top + numbers as u32;
    for word in &words {
        frame.extend(text.to_le_bytes());
        text += word.len() as u32 + 1;
    }
    frame.resize(numbers, 0);
    for word in words {
        frame.extend(word.bytes().chain([0]));
    }
    frame.resize(size, 0);
    Ok((Segment { lowest: top - STACK, start: top, bytes: frame, writable: true }, top))
}

/// What the process is told its name is.
const PROGRAM: &str = "sonc";

/// Where a function stands that is called without a program around it.
const FUNCTION: u32 = 0x1000;
/// Where it returns to: no instruction is there.
pub const CALLER: u32 = 0xffff_fff0;

/// A machine that has just called the function `code` with `argument`, by the rules of cdecl.
///
/// The argument is the last word of the stack. Behind it would be the caller's own words, with
/// which the function has nothing to do.
pub fn called(code: &[u8], argument: i32) -> Result<(Machine, Text, Symbol), Fault> {
    let top = STACK_END - 12; // top + 4 is divisible by 16
    let (return_address, argument) = (CALLER.to_le_bytes(), argument.to_le_bytes());
    let bytes = [return_address, argument].concat();
    let stack = Segment { lowest: top - STACK, start: top, bytes, writable: true };
    let text = Segment::new(FUNCTION, code.to_vec(), false);
    let machine = Machine::new(Memory::new(vec![stack, text])?, FUNCTION, top);
    let size = u32::try_from(code.len()).expect("memory holds the function");
    let symbol = Symbol { name: "simple".into(), address: FUNCTION, size };
    Ok((machine, Text::new(FUNCTION, code.len()), symbol))
}
