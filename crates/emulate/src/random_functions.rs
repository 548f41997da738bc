//! Random functions that use all emulated instructions.
//!
//! They jump forward, and back under the control of a counter. They read only flags that are
//! defined at that point. The result depends on every register and every word of the frame.
mod shifts;

use super::flags::{ALL, CARRY, CONDITIONS, OVERFLOW};
use shifts::{highest_bit, shift, shift_by_register, shift_pair};

pub struct Generator {
    state: u64,
    code: Vec<u8>,
    /// The flags that are certainly defined.
    defined: u8,
}

/// The size of the frame, from [esp] upwards, in bytes. The counter of a loop follows it.
const FRAME: u8 = 32;
const COUNTER: u8 = FRAME;
/// All registers but esp, by number.
const REGISTERS: [u8; 7] = [0, 1, 2, 3, 5, 6, 7];

/// Each appends an instruction or a sequence. Entries are chosen with equal probability.
const FORMS: &[fn(&mut Generator)] = &[
    alu_between,
    alu_between,
    alu_accumulator,
    alu_immediate,
    test,
    test_immediate,
    copy,
    copy_immediate,
    address,
    exchange,
    increment,
    negate,
    shift,
    shift_by_register,
    shift_pair,
    highest_bit,
    multiply,
    multiply_by_immediate,
    multiply_wide,
    divide,
    divide_signed,
    extend,
    sign,
    condition_to_byte,
    conditional_copy,
    conditional_jump,
    jumps,
    push_and_pop,
    frame,
    indexed,
    nothing,
];

impl Generator {
    pub fn new(seed: u64) -> Generator {
        Generator { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15), code: Vec::new(), defined: 0 }
    }

    /// A cdecl function of one argument.
    pub fn function(mut self) -> Vec<u8> {
        self.bytes(&[0x53, 0x56, 0x57, 0x55, 0x83, 0xec, FRAME + 4]); // push ebx, esi, edi, ebp
        self.bytes(&[0x8b, 0x44, 0x24, FRAME + 24]); // mov eax,[the argument]
        for register in REGISTERS {
            self.bytes(&[0x69, 0xc0 | register << 3]); // imul register,eax,random
            self.random_bytes(4);
        }
        for at in (0..FRAME).step_by(4) {
            self.bytes(&[0xc7, 0x44, 0x24, at]); // mov DWORD PTR [esp+at],random
            self.random_bytes(4);
        }
        for _ in 0..30 {
            match self.below(20) {
                0 => self.while_loop(),
                1 => self.do_while_loop(),
                _ => self.form(),
            }
        }
        for register in REGISTERS {
            self.bytes(&[0x6b, 0xc0, 31, 0x01, 0xc0 | register << 3]); // eax = eax * 31 + register
        }
        for at in (0..FRAME).step_by(4) {
            self.bytes(&[0x6b, 0xc0, 31, 0x03, 0x44, 0x24, at]); // eax = eax * 31 + [esp+at]
        }
        self.bytes(&[0x83, 0xc4, FRAME + 4, 0x5d, 0x5f, 0x5e, 0x5b, 0xc3]); // pop them; ret
        self.code
    }

    fn form(&mut self) {
        let form = self.below(FORMS.len() as u64) as usize;
        FORMS[form](self);
    }

    /// mov counter,n; top: sub counter,1; je out; …; jmp top; out:
    fn while_loop(&mut self) {
        self.start_counter();
        let top = self.code.len();
        self.count();
        self.bytes(&[0x0f, 0x84, 0, 0, 0, 0]);
        let exit = self.code.len();
        for _ in 0..self.below(10) {
            self.form();
        }
        self.jump_back(&[0xeb], &[0xe9], top);
        let distance = (self.code.len() - exit) as u32;
        self.code[exit - 4..exit].copy_from_slice(&distance.to_le_bytes());
        self.defined = ALL;
    }

    /// mov counter,n; top: …; sub counter,1; jne top
    fn do_while_loop(&mut self) {
        self.start_counter();
        let top = self.code.len();
        for _ in 0..self.below(20) {
            self.form();
        }
        self.count();
        self.jump_back(&[0x75], &[0x0f, 0x85], top);
    }

    fn start_counter(&mut self) {
        let iterations = 1 + self.below(5) as u8;
        self.bytes(&[0xc7, 0x44, 0x24, COUNTER, iterations, 0, 0, 0]);
    }

    /// Sets all flags.
    fn count(&mut self) {
        self.bytes(&[0x83, 0x6c, 0x24, COUNTER, 1]);
        self.defined = ALL;
    }

    /// A short jump if the distance allows it, and sometimes a long one even then.
    fn jump_back(&mut self, short: &[u8], long: &[u8], top: usize) {
        let distance = |end: usize| top as i32 - end as i32;
        let near = i8::try_from(distance(self.code.len() + short.len() + 1));
        match near {
            Ok(near) if self.below(2) == 0 => {
                self.bytes(short);
                self.code.push(near as u8);
            }
            _ => {
                self.bytes(long);
                self.bytes(&distance(self.code.len() + 4).to_le_bytes());
            }
        }
    }

    /// An xorshift generator: Marsaglia, "Xorshift RNGs", 2003.
    fn random(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state
    }

    fn below(&mut self, end: u64) -> u64 {
        (self.random() >> 11) % end
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.code.extend(bytes);
    }

    fn random_bytes(&mut self, count: usize) {
        for byte in self.random().to_le_bytes().iter().take(count) {
            // Small and extreme numbers are more likely to matter.
            let byte = match self.below(4) {
                0 => 0,
                1 => 0xff,
                _ => *byte,
            };
            self.code.push(byte);
        }
    }

    fn one_of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len() as u64) as usize]
    }

    fn register(&mut self) -> u8 {
        self.one_of(&REGISTERS)
    }

    /// Sizes of operands: the byte form of `opcode` is itself, the others are the next opcode,
    /// 16 bits with a prefix. Returns the size in bytes.
    fn sized(&mut self, opcode: u8) -> usize {
        let size = self.one_of(&[1, 2, 4, 4]);
        if size == 2 {
            self.code.push(0x66);
        }
        self.code.push(if size == 1 { opcode } else { opcode + 1 });
        size
    }

    /// The operand bytes for a register field, and a register or a word of the frame.
    fn operand(&mut self, field: u8, size: usize) {
        if self.below(3) == 0 {
            let at = self.below(u64::from(FRAME) - 3) as u8;
            self.bytes(&[0x44 | field << 3, 0x24, at]);
        } else {
            let register = self.register_of(size);
            self.code.push(0xc0 | field << 3 | register);
        }
    }

    /// Any of the eight byte registers, or any wider register but esp.
    fn register_of(&mut self, size: usize) -> u8 {
        if size == 1 { self.below(8) as u8 } else { self.register() }
    }

    fn sized_operands(&mut self, opcode: u8) {
        let size = self.sized(opcode);
        let field = self.register_of(size);
        self.operand(field, size);
    }

    /// A condition whose flags are defined, as its number.
    fn condition(&mut self) -> Option<u8> {
        let known: Vec<u8> = (0..16)
            .filter(|number| CONDITIONS[*number as usize].reads & !self.defined == 0)
            .collect();
        (!known.is_empty()).then(|| self.one_of(&known))
    }

    /// add, or, adc, sbb, and, sub, xor, cmp, as the number that their encodings share.
    fn alu(&mut self) -> u8 {
        let number = self.below(8) as u8;
        let reads_carry = matches!(number, 2 | 3);
        if reads_carry && self.defined & CARRY == 0 { 0 } else { number }
    }
}

fn alu_between(to: &mut Generator) {
    let (alu, direction) = (to.alu(), to.one_of(&[0, 2]));
    to.sized_operands(alu << 3 | direction);
    to.defined = ALL;
}

fn alu_accumulator(to: &mut Generator) {
    let alu = to.alu();
    let size = to.sized(alu << 3 | 4);
    to.random_bytes(size);
    to.defined = ALL;
}

fn alu_immediate(to: &mut Generator) {
    let alu = to.alu();
    if to.below(2) == 0 {
        let size = to.sized(0x80);
        to.operand(alu, size);
        to.random_bytes(size);
    } else {
        if to.below(2) == 0 {
            to.code.push(0x66);
        }
        to.code.push(0x83);
        to.operand(alu, 4);
        to.random_bytes(1);
    }
    to.defined = ALL;
}

fn test(to: &mut Generator) {
    to.sized_operands(0x84);
    to.defined = ALL;
}

fn test_immediate(to: &mut Generator) {
    let size = if to.below(2) == 0 {
        to.sized(0xa8)
    } else {
        let size = to.sized(0xf6);
        to.operand(0, size);
        size
    };
    to.random_bytes(size);
    to.defined = ALL;
}

fn copy(to: &mut Generator) {
    let direction = to.one_of(&[0x88, 0x8a]);
    to.sized_operands(direction);
}

fn copy_immediate(to: &mut Generator) {
    if to.below(2) == 0 {
        let size = to.sized(0xc6);
        to.operand(0, size);
        to.random_bytes(size);
    } else {
        let register = to.register();
        to.code.push(0xb8 | register);
        to.random_bytes(4);
    }
}

fn address(to: &mut Generator) {
    let (target, base, index) = (to.register(), to.register(), to.register());
    let scale = to.below(4) as u8;
    to.bytes(&[0x8d, 0x84 | target << 3, scale << 6 | index << 3 | base]);
    to.random_bytes(4);
}

fn exchange(to: &mut Generator) {
    to.sized_operands(0x86);
}

fn increment(to: &mut Generator) {
    let down = to.below(2) as u8;
    if to.below(2) == 0 {
        let register = to.register();
        to.code.push(0x40 | down << 3 | register);
    } else {
        let size = to.sized(0xfe);
        to.operand(down, size);
    }
    to.defined |= ALL & !CARRY;
}

fn negate(to: &mut Generator) {
    let number = to.one_of(&[2, 3]); // not, neg
    let size = to.sized(0xf6);
    to.operand(number, size);
    to.defined = if number == 3 { ALL } else { to.defined };
}

fn multiply(to: &mut Generator) {
    let target = to.register();
    to.bytes(&[0x0f, 0xaf]);
    to.operand(target, 4);
    to.defined = CARRY | OVERFLOW;
}

fn multiply_by_immediate(to: &mut Generator) {
    let (target, short) = (to.register(), to.one_of(&[0, 2]));
    let word = to.below(2) == 0;
    if word {
        to.code.push(0x66);
    }
    to.code.push(0x69 + short);
    to.operand(target, 4);
    to.random_bytes(if short == 2 {
        1
    } else if word {
        2
    } else {
        4
    });
    to.defined = CARRY | OVERFLOW;
}

fn multiply_wide(to: &mut Generator) {
    let number = to.one_of(&[4, 5]); // mul, imul
    to.code.push(0xf7);
    to.operand(number, 4);
    to.defined = CARRY | OVERFLOW;
}

/// or register,1; xor edx,edx; div register
fn divide(to: &mut Generator) {
    let register = to.one_of(&[1, 3, 5, 6, 7]);
    to.bytes(&[0x83, 0xc8 | register, 1, 0x31, 0xd2, 0xf7, 0xf0 | register]);
    to.defined = 0;
}

/// and register,0x7fffffff; or register,1; cdq; idiv register
fn divide_signed(to: &mut Generator) {
    let register = to.one_of(&[1, 3, 5, 6, 7]);
    to.bytes(&[0x81, 0xe0 | register, 0xff, 0xff, 0xff, 0x7f]);
    to.bytes(&[0x83, 0xc8 | register, 1, 0x99, 0xf7, 0xf8 | register]);
    to.defined = 0;
}

/// movzx, movsx
fn extend(to: &mut Generator) {
    let (opcode, target) = (to.one_of(&[0xb6, 0xb7, 0xbe, 0xbf]), to.register());
    if opcode % 2 == 0 && to.below(3) == 0 {
        to.code.push(0x66);
    }
    to.bytes(&[0x0f, opcode]);
    to.operand(target, if opcode % 2 == 0 { 1 } else { 2 });
}

fn sign(to: &mut Generator) {
    to.code.push(0x99); // cdq
}

fn condition_to_byte(to: &mut Generator) {
    if let Some(condition) = to.condition() {
        to.bytes(&[0x0f, 0x90 | condition]);
        to.operand(0, 1);
    }
}

fn conditional_copy(to: &mut Generator) {
    if let Some(condition) = to.condition() {
        let target = to.register();
        to.bytes(&[0x0f, 0x40 | condition]);
        to.operand(target, 4);
    }
}

/// Over an instruction of 5 bytes.
fn conditional_jump(to: &mut Generator) {
    let Some(condition) = to.condition() else { return };
    if to.below(2) == 0 {
        to.bytes(&[0x70 | condition, 5]);
    } else {
        to.bytes(&[0x0f, 0x80 | condition, 5, 0, 0, 0]);
    }
    let register = to.register();
    to.code.push(0xb8 | register);
    to.random_bytes(4);
}

/// jmp over a function; function: ret 4; after it: push register; call function.
fn jumps(to: &mut Generator) {
    let register = to.register();
    to.bytes(&[0xeb, 3, 0xc2, 4, 0, 0x50 | register, 0xe8, 0xf7, 0xff, 0xff, 0xff]);
    to.bytes(&[0xe9, 2, 0, 0, 0, 0x0f, 0x0b]); // jmp over ud2
}

fn push_and_pop(to: &mut Generator) {
    match to.below(4) {
        0 => {
            let register = to.register();
            to.code.push(0x50 | register);
        }
        1 => {
            to.code.push(0x6a);
            to.random_bytes(1);
        }
        2 => {
            to.code.push(0x68);
            to.random_bytes(4);
        }
        _ => {
            to.code.push(0xff);
            to.operand(6, 4);
        }
    }
    if to.below(2) == 0 {
        let register = to.register();
        to.code.push(0x58 | register);
    } else {
        to.code.push(0x8f);
        to.operand(0, 4);
    }
}

/// push ebp; mov ebp,esp; leave
fn frame(to: &mut Generator) {
    to.bytes(&[0x55, 0x89, 0xe5, 0xc9]);
}

/// and index,7; mov register,[esp+index*4]
fn indexed(to: &mut Generator) {
    let (register, index) = (to.register(), to.register());
    to.bytes(&[0x83, 0xe0 | index, 7, 0x8b, 0x04 | register << 3, 0x84 | index << 3]);
    to.defined = ALL;
}

fn nothing(to: &mut Generator) {
    let form = to.one_of(&[&[0x90][..], &[0x0f, 0x1f, 0x40, 0x00]]);
    to.bytes(form);
}
