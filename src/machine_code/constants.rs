//! The pool of floating-point numbers. Instructions have no immediates for them, so they are in
//! memory, after the functions, where the program cannot write.
use super::EncodedFunction;
use crate::floats;
use crate::ia32::Program;
use arena::FxHashMap;
use elf::Function;

/// The name of the pool.
pub const NAME: &str = "constants";

/// The bytes of a number.
const SIZE: usize = 8;

/// The numbers that a program refers to, each once.
pub struct ConstantPool {
    /// The offset of each number.
    offsets: FxHashMap<i64, u32>,
    bytes: Vec<u8>,
    listing: String,
}

impl ConstantPool {
    /// The pool after these functions. Their first address is divisible by 16; bytes
    /// between them and the numbers make the addresses of the numbers divisible by 8, so that none
    /// is on two lines of the cache.
    pub fn new(program: &Program, functions: &[EncodedFunction]) -> ConstantPool {
        let numbers = program.constants();
        let before = functions.iter().map(|it| it.encoded.bytes.len()).sum::<usize>();
        let gap = before.next_multiple_of(SIZE) - before;
        let unused = std::iter::repeat_n(0, if numbers.is_empty() { 0 } else { gap });
        let bytes = unused.chain(numbers.iter().flat_map(|it| it.to_le_bytes())).collect();
        let line = |(at, &bits): (usize, &i64)| {
            format!("{:04x}  .quad {bits:#018x}  {}\n", gap + at * SIZE, floats::text(bits))
        };
        let listing = numbers.iter().enumerate().map(line).collect();
        let offsets =
            (gap as u32..).step_by(SIZE).zip(numbers).map(|(offset, bits)| (bits, offset));
        ConstantPool { offsets: offsets.collect(), bytes, listing }
    }

    /// The pool, if it is not empty.
    pub fn function(&self) -> Option<Function<'_>> {
        let pool = Function { listing: &self.listing, ..Function::new(NAME, &self.bytes) };
        (!self.bytes.is_empty()).then_some(pool)
    }

    /// The offset of a number that the program refers to.
    pub fn offset(&self, bits: i64) -> u32 {
        self.offsets[&bits]
    }
}
