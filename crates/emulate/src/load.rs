//! Prepares a machine as the kernel prepares a process, or as a caller prepares a call.
use super::decode::Text;
use super::execute::Machine;
use super::fault::Fault;
use elf::{Function, Image};
use memory::{Content, Memory, Segment};

/// The maximal size of the stack, in bytes, as on Linux, and the address after it.
const MAX_STACK: u32 = 8 << 20;
const STACK_END: u32 = 0xbfff_f000;

/// The maximal size of all segments, in bytes.
pub const MAX_MEMORY: u64 = 1 << 29;

/// A process that is about to execute the first instruction of `image`.
pub fn process(image: &Image, arguments: &[String]) -> Result<(Machine, Text), Fault> {
    let frame = frame(arguments)?;
    let top = STACK_END - frame.len() as u32;
    start(image, top, &frame, &[])
}

/// A machine that is about to execute the first instruction of `image`, with the bytes `frame` on
/// its stack from `top` on, and with the segments `data` of memory.
fn start(
    image: &Image,
    top: u32,
    frame: &[u8],
    data: &[Segment],
) -> Result<(Machine, Text), Fault> {
    let total: u64 = image.segments.iter().map(|segment| u64::from(segment.size)).sum();
    if total > MAX_MEMORY {
        return Err(Fault::File(format!("{total} bytes of memory are too many")));
    }
    let mut segments = vec![stack(top, frame.len())];
    segments.extend(image.segments.iter().map(|it| segment(it.address, it.size, it.writable)));
    segments.extend(data);
    let mut memory = Memory::new(segments).map_err(|overlap| Fault::File(overlap.to_string()))?;
    memory.fill(top, frame)?;
    for segment in &image.segments {
        memory.fill(segment.address, segment.bytes)?;
    }
    let mut texts = image.segments.iter().filter(|segment| segment.executable);
    let (Some(text), None) = (texts.next(), texts.next()) else {
        return Err(Fault::File("not one executable segment".into()));
    };
    if text.writable {
        return Err(Fault::File("the text is writable".into()));
    }
    let text = Text::new(text.address, text.bytes.len());
    Ok((Machine::new(memory, image.entry, top - MAX_STACK..top), text))
}

fn segment(start: u32, size: u32, writable: bool) -> Segment {
    Segment { start, size: size.into(), content: Content::Zero, writable }
}

/// A stack: `frame` bytes from its top on, and space below them.
fn stack(top: u32, frame: usize) -> Segment {
    segment(top - MAX_STACK, MAX_STACK + frame as u32, true)
}

/// The bytes on the stack of a new process, which end where the stack ends: the number of words,
/// pointers to the words, null pointers that end the words, the environment and the auxiliary
/// vector, and the words.
fn frame(arguments: &[String]) -> Result<Vec<u8>, Fault> {
    let words: Vec<&str> =
        [PROGRAM].into_iter().chain(arguments.iter().map(|it| &it[..])).collect();
    let texts: usize = words.iter().map(|word| word.len() + 1).sum();
    let numbers = 4 * (words.len() + 5);
    let size = (texts + numbers).next_multiple_of(16);
    if size as u64 > MAX_MEMORY || words.iter().any(|word| word.contains('\0')) {
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
    Ok(frame)
}

/// The first word on the stack: the name of the program.
const PROGRAM: &str = "program";

/// The address of functions that are not in a file.
const FUNCTIONS: u32 = 0x1000;
/// The return address of a function. It is not in the text.
pub const CALLER: u32 = 0xffff_fff0;

/// Places functions in memory, without a file; the entry is the first one. `code` receives their
/// bytes.
pub fn place<'c>(functions: &[Function], code: &'c mut Vec<u8>) -> Image<'c> {
    let (symbols, bytes) = elf::place(functions, FUNCTIONS);
    *code = bytes;
    let text = elf::Segment {
        address: FUNCTIONS,
        offset: 0,
        bytes: code,
        size: code.len() as u32,
        writable: false,
        executable: true,
    };
    Image { entry: FUNCTIONS, segments: vec![text], symbols }
}

/// A machine that has just called the function at the entry of `image`, as cdecl requires.
///
/// The arguments are the last words of the stack. The words after them belong to the caller: an
/// access to them is a fault. `data` is further memory.
pub fn called(
    image: &Image,
    arguments: &[i32],
    data: &[Segment],
) -> Result<(Machine, Text), Fault> {
    let words = [CALLER].into_iter().chain(arguments.iter().map(|it| it.cast_unsigned()));
    let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
    let size = (bytes.len() as u32).next_multiple_of(16);
    let top = STACK_END - size - 4; // top + 4 is divisible by 16
    start(image, top, &bytes, data)
}
