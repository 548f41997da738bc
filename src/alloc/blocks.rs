//! Registers for code with blocks: whatever crosses from block to block lives in memory there.
//!
//! A block then stands alone: it loads what it reads and stores what others read, and the walk
//! over straight-line code does the rest.
use crate::alloc::local;
use crate::base::ids::SideTable;
use crate::ia32::code::{Address, Base, BlockId, Code, Form, Inst};
use crate::ia32::{Op, Operand, Register};

pub fn allocate(code: Code) -> Code {
    if code.blocks.len() < 2 {
        return local::allocate(code, 0);
    }
    let mut homes = Homes { slots: 0, of: SideTable::new(0) };
    homes.find(&code);
    let mut alone = Alone { homes: &homes, instructions: Vec::new(), virtuals: code.virtuals };
    code.blocks.ids().for_each(|block| alone.block(&code, block));
    let (instructions, virtuals) = (alone.instructions, alone.virtuals);
    let mut allocated = local::allocate(Code { instructions, virtuals, ..code }, homes.slots);
    note_blocks(&mut allocated);
    Code { form: Form::Allocated, ..allocated }
}

/// Each block ends in its only `jmp` or `ret`.
fn note_blocks(code: &mut Code) {
    let ends = code.instructions.iter().enumerate();
    let ends = ends.filter(|(_, inst)| matches!(inst.op, Op::Jmp | Op::Ret));
    let mut firsts = vec![0];
    firsts.extend(ends.map(|(at, _)| at as u32 + 1));
    for (block, first) in code.blocks.ids().zip(firsts) {
        code.blocks[block].first = first;
        code.blocks[block].parameters.clear();
        code.blocks[block].arguments.clear();
    }
}

/// The words of memory of what crosses from block to block.
struct Homes {
    slots: u32,
    of: SideTable<Register, Option<Address>>,
}

impl Homes {
    fn find(&mut self, code: &Code) {
        let mut written = SideTable::<Register, Option<BlockId>>::new(0);
        for block in code.blocks.ids() {
            for &parameter in &code.blocks[block].parameters {
                self.give(parameter);
            }
            let insts = &code.instructions[code.range(block)];
            insts.iter().flat_map(Inst::writes).for_each(|name| written[name] = Some(block));
        }
        for block in code.blocks.ids() {
            let read = code.instructions[code.range(block)].iter().flat_map(Inst::reads);
            for register in read.chain(code.blocks[block].arguments.iter().copied()) {
                if !register.is_real() && written[register] != Some(block) {
                    self.give(register);
                }
            }
        }
    }

    fn give(&mut self, value: Register) {
        if self.of[value].is_none() {
            self.of[value] = Some(Address::new(Base::Slot(self.slots), 0));
            self.slots += 1;
        }
    }
}

/// The code of blocks that share nothing but memory.
struct Alone<'c> {
    homes: &'c Homes,
    instructions: Vec<Inst>,
    virtuals: u32,
}

impl Alone<'_> {
    fn block(&mut self, code: &Code, block: BlockId) {
        let mut names = Vec::<(Register, Register)>::new();
        let mut written = Vec::new();
        for inst in &code.instructions[code.range(block)] {
            if matches!(inst.op, Op::Jmp | Op::Jcc | Op::Ret) {
                self.store(&mut written, inst.origin);
            }
            if inst.op == Op::Jmp {
                self.hand_over(code, block, inst, &mut names);
            }
            let mut inst = *inst;
            for name in inst.reads() {
                self.load(name, &written, &mut names, inst.origin);
            }
            for name in inst.writes().filter(|&name| self.homes.of[name].is_some()) {
                if !written.contains(&name) {
                    written.push(name);
                }
            }
            inst.rename(|_, name| renamed(&names, name));
            self.instructions.push(inst);
        }
    }

    fn load(
        &mut self,
        name: Register,
        written: &[Register],
        names: &mut Vec<(Register, Register)>,
        origin: u32,
    ) {
        let known = written.contains(&name) || names.iter().any(|(old, _)| *old == name);
        if let Some(home) = self.homes.of[name].filter(|_| !known) {
            let fresh = Register::new_virtual(self.virtuals);
            self.virtuals += 1;
            names.push((name, fresh));
            self.push(Op::Load, &[Operand::Register(fresh), Operand::Address(home)], origin);
        }
    }

    fn store(&mut self, written: &mut Vec<Register>, origin: u32) {
        for value in written.drain(..) {
            let home = self.homes.of[value].expect("what crosses has a home");
            self.push(Op::Store, &[Operand::Address(home), Operand::Register(value)], origin);
        }
    }

    /// All arguments are read before any parameter is written.
    fn hand_over(
        &mut self,
        code: &Code,
        block: BlockId,
        jump: &Inst,
        names: &mut Vec<(Register, Register)>,
    ) {
        let Operand::Block(target) = jump.operands[0] else { return };
        let arguments = &code.blocks[block].arguments;
        for &argument in arguments {
            self.load(argument, &[], names, jump.origin);
        }
        for (&parameter, &argument) in code.blocks[target].parameters.iter().zip(arguments) {
            let home = self.homes.of[parameter].expect("parameters have homes");
            let argument = Operand::Register(renamed(names, argument));
            self.push(Op::Store, &[Operand::Address(home), argument], jump.origin);
        }
    }

    fn push(&mut self, op: Op, operands: &[Operand], origin: u32) {
        self.instructions.push(Inst::new(op, operands, origin));
    }
}

fn renamed(names: &[(Register, Register)], name: Register) -> Register {
    names.iter().find(|(old, _)| *old == name).map_or(name, |(_, new)| *new)
}
