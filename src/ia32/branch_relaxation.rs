//! Branch relaxation: a jump takes two bytes if its target is near, else five or six.
//!
//! All jumps start short. A jump that does not reach its target becomes long, which moves the
//! targets of jumps over it. This is repeated until all jumps reach. A jump never becomes short
//! again, so the iteration terminates, with the minimal number of long jumps (T. G. Szymanski,
//! Assembling code for machines with span-dependent instructions, 1978). Only short jumps near a
//! lengthened one are tested again, so the time is linear in the number of jumps.
use crate::ia32::code::{BlockId, Code, Instruction};
use crate::ia32::encoded::Encoded;

/// Opcode and distance of a short jump, with or without a condition.
pub fn short(condition: Option<u8>) -> [u8; SHORT as usize] {
    [condition.map_or(JUMP, |condition| 0x70 + condition), 0]
}

const JUMP: u8 = 0xeb;
const SHORT: u32 = 2;

/// The maximal reach of a short jump in bytes, including the jump itself.
const REACH: u32 = 130;

/// Chooses the lengths of the jumps, which are all short before, and fills in their distances.
pub fn relax(code: &Code, encoded: &mut Encoded) {
    let old = std::mem::take(encoded);
    let mut jumps = jumps(code, &old);
    lengthen(&mut jumps);
    *encoded = with_long_jumps(&old, &jumps);
    for jump in &jumps {
        let block: BlockId = code.instructions[jump.at].target().expect("a jump has a target");
        let target = encoded.offsets[code.blocks[block].first as usize];
        jump.encode(encoded.offsets[jump.at], target, &mut encoded.bytes);
    }
}

struct Jump {
    /// The instruction.
    at: usize,
    /// Its offset and that of its target if all jumps were short.
    offset: u32,
    target: u32,
    /// Its first byte while it is short.
    opcode: u8,
    is_short: bool,
    /// The distance from its end to the target, with the current lengths.
    distance: i64,
}

fn jumps(code: &Code, short: &Encoded) -> Vec<Jump> {
    let jump = |(at, instruction): (usize, &Instruction)| {
        let (offset, block) = (short.offsets[at], instruction.target()?);
        let target = short.offsets[code.blocks[block].first as usize];
        let opcode = short.bytes[offset as usize];
        let distance = i64::from(target) - i64::from(offset + SHORT);
        Some(Jump { at, offset, target, opcode, is_short: true, distance })
    };
    code.instructions.iter().enumerate().filter_map(jump).collect()
}

fn lengthen(jumps: &mut [Jump]) {
    let mut pending = (0..jumps.len()).filter(|&at| !jumps[at].fits_short()).collect::<Vec<_>>();
    while let Some(at) = pending.pop() {
        if !std::mem::replace(&mut jumps[at].is_short, false) {
            continue;
        }
        let (offset, growth) = (jumps[at].offset, i64::from(jumps[at].growth()));
        let near = |jump: &Jump| jump.offset.abs_diff(offset) <= REACH;
        let before = (0..at).rev().take_while(|&other| near(&jumps[other])).count();
        let after = (at + 1..jumps.len()).take_while(|&other| near(&jumps[other])).count();
        let neighbours = jumps.iter_mut().enumerate().skip(at - before).take(before + 1 + after);
        for (other, jump) in neighbours {
            if jump.is_short && jump.jumps_over(offset) {
                jump.distance += growth * jump.distance.signum();
                if !jump.fits_short() {
                    pending.push(other);
                }
            }
        }
    }
}

/// The bytes with space for the long jumps.
fn with_long_jumps(old: &Encoded, jumps: &[Jump]) -> Encoded {
    let mut new = Encoded::default();
    let mut long = jumps.iter().filter(|jump| !jump.is_short).peekable();
    let mut copied = 0;
    for (at, &offset) in old.offsets.iter().enumerate() {
        new.offsets.push(new.bytes.len() as u32 + (offset - copied));
        if let Some(jump) = long.next_if(|jump| jump.at == at) {
            new.bytes.extend(&old.bytes[copied as usize..offset as usize]);
            new.bytes.resize(new.bytes.len() + jump.length() as usize, 0);
            copied = offset + SHORT;
        }
    }
    new.bytes.extend(&old.bytes[copied as usize..]);
    new
}

impl Jump {
    fn fits_short(&self) -> bool {
        i8::try_from(self.distance).is_ok()
    }

    /// Whether `offset` is between its end and its target.
    fn jumps_over(&self, offset: u32) -> bool {
        if self.distance < 0 {
            self.target <= offset && offset < self.offset
        } else {
            self.offset < offset && offset < self.target
        }
    }

    fn length(&self) -> u32 {
        if self.is_short { SHORT } else { SHORT + self.growth() }
    }

    /// A long jump has a distance of four bytes; a condition needs a second byte of opcode, too.
    fn growth(&self) -> u32 {
        if self.opcode == JUMP { 3 } else { 4 }
    }

    fn encode(&self, offset: u32, target: u32, bytes: &mut [u8]) {
        let end = offset + self.length();
        let distance = target.wrapping_sub(end);
        let bytes = &mut bytes[offset as usize..end as usize];
        match bytes {
            [opcode, near] => (*opcode, *near) = (self.opcode, distance as u8),
            [opcode, far @ ..] if self.opcode == JUMP => {
                *opcode = 0xe9;
                far.copy_from_slice(&distance.to_le_bytes());
            }
            [escape, opcode, far @ ..] => {
                (*escape, *opcode) = (0x0f, self.opcode + 0x10);
                far.copy_from_slice(&distance.to_le_bytes());
            }
            [] | [_] => unreachable!("a jump has two bytes at least"),
        }
    }
}

#[cfg(test)]
#[path = "tests/branch_relaxation.rs"]
mod tests;
