//! Emits the code of a cover: the instructions of the chosen rules, one match after the other.
//!
//! The code may be for any machine: instructions are numbers in the table of the target, and
//! operands follow the templates of the rules.
use super::Selection;
use crate::firm;
#[cfg(feature = "ch25")]
use crate::firm::Access;
use crate::firm::Mode;
#[cfg(feature = "ch05")]
use crate::rules::ProgramGraph;
use crate::rules::operand::Places;
use crate::rules::{
    Binding, InstructionTemplate, Match, NameId, OperandTemplate, ProgramId, ResultLocation, Rule,
};
#[cfg(feature = "ch05")]
use crate::target::blocks::BlockId;
use crate::target::code_builder::{CodeBuilder, Operand, Register};
use crate::target::{OperandConstraint as OperandSlot, RegisterKind};
use arena::{Id, ListTable, SideTable};

/// Adds a covered program to `code`, with virtual registers.
pub fn emit(selection: &Selection, code: &mut dyn CodeBuilder) {
    let mut emitter = Emitter {
        selection,
        code,
        operands: Vec::new(),
        names: [None; _],
        read: [None; _],
        values: SideTable::new(selection.program.len()),
        origin: 0,
        #[cfg(feature = "ch05")]
        blocks: SideTable::new(selection.program.graph.len()),
        #[cfg(feature = "ch05")]
        phis: SideTable::new(0),
        #[cfg(feature = "ch05")]
        open: None,
        #[cfg(feature = "ch14")]
        results: selection.program.results(),
    };
    #[cfg(feature = "ch05")]
    emitter.number_blocks();
    for key in &selection.chosen {
        emitter.emit_match(&key.matched(selection.rules, &selection.program));
    }
}

struct Emitter<'s> {
    selection: &'s Selection<'s>,
    code: &'s mut dyn CodeBuilder,
    /// The operands of the instruction under construction.
    operands: Vec<Operand>,
    /// The register of each name of the rule that is applied.
    names: NamedRegisters,
    /// The same, for the operands that the instruction only reads.
    read: NamedRegisters,
    /// The register that holds the value of each root.
    values: SideTable<ProgramId, Option<Register>>,
    /// The number of the Firm node of the current match.
    origin: u32,
    /// The block of code for each block of Firm.
    #[cfg(feature = "ch05")]
    blocks: SideTable<firm::NodeId, Option<BlockId>>,
    /// The Phis of each block.
    #[cfg(feature = "ch05")]
    phis: SideTable<BlockId, Vec<ProgramId>>,
    /// The block that is being filled.
    #[cfg(feature = "ch05")]
    open: Option<BlockId>,
    /// The Results of each Call.
    #[cfg(feature = "ch14")]
    results: ListTable<ProgramId, ProgramId>,
}

/// Blocks. Phis become their parameters, and the operands of Phis become arguments of jumps.
#[cfg(feature = "ch05")]
impl Emitter<'_> {
    fn number_blocks(&mut self) {
        let program = &self.selection.program;
        for id in program.ids() {
            let firm = program.block(id);
            let depth = program.graph.depth(firm);
            let block = *self.blocks[firm].get_or_insert_with(|| self.code.new_block(depth));
            if program.op(id) == firm::Op::Phi {
                self.phis[block].push(id);
            }
        }
    }

    /// If the match is the first of its block, the block begins here.
    fn begin_block(&mut self, found: &Match) {
        let block = self.selection.program.block(found.root);
        #[cfg(feature = "ch29")]
        let block = self.selection.moved[found.root].unwrap_or(block);
        let block = self.blocks[block];
        if self.open == block {
            return;
        }
        self.open = block;
        let block = block.expect("every block has a number");
        let mut parameters = Vec::new();
        for phi in std::mem::take(&mut self.phis[block]) {
            #[cfg(feature = "ch12")]
            if let Some(register) = self.float_register(phi) {
                self.values[phi] = Some(register);
                parameters.push(register);
                continue;
            }
            let register = self.code.new_register(RegisterKind::WORD);
            self.values[phi] = Some(register);
            parameters.push(register);
        }
        self.code.begin(block, &parameters);
    }

    /// A new register for a value, if it is a float.
    #[cfg(feature = "ch12")]
    fn float_register(&mut self, id: ProgramId) -> Option<Register> {
        let is_float = self.selection.program.mode(id) == Mode::D;
        is_float.then(|| self.code.new_register(RegisterKind::FLOAT))
    }

    /// The arguments of a jump, if the match is one.
    fn set_arguments(&mut self, found: &Match) {
        #[cfg(feature = "ch14")]
        if self.selection.program.op(found.root) != firm::Op::Jmp {
            return;
        }
        let passed = self.selection.program.block_arguments(found.root);
        let register = |id| self.values[id].expect("a cover puts block arguments in registers");
        let arguments: Vec<_> = passed.map(register).collect();
        if let Some(block) = self.open
            && !arguments.is_empty()
        {
            self.code.set_arguments(block, &arguments);
        }
    }
}

/// Calls. Their arguments, and all results but the first, are in words of the stack.
#[cfg(feature = "ch14")]
impl Emitter<'_> {
    /// Copies the arguments of a Call and the further results of a Return to their words.
    fn pass_words(&mut self, found: &Match) {
        let program = &self.selection.program;
        let is_call = match program.op(found.root) {
            firm::Op::Call(_) => true,
            firm::Op::Return => false,
            _ => return,
        };
        let mut word = 0;
        for operand in program.block_arguments(found.root) {
            let value = self.values[operand].expect("a cover puts further operands in registers");
            if is_call {
                self.code.pass_argument(word, value, self.origin);
            } else {
                self.code.return_result(word + 1, value, self.origin);
            }
            word += program.mode(operand).words();
        }
    }

    /// Copies the further results of a Call to registers.
    fn take_words(&mut self, found: &Match) {
        let program = &self.selection.program;
        let firm::Op::Call(results) = program.op(found.root) else { return };
        let passed = program.block_arguments(found.root);
        let parameters = passed.map(|it| program.mode(it).words()).sum();
        self.code.set_signature(firm::Signature::new(parameters, results));
        for at in 0..self.results[found.root].len() {
            let result = self.results[found.root][at];
            let firm::Op::Result(number) = program.op(result) else { continue };
            let register = self.code.take_result(parameters + number - 1, self.origin);
            self.values[result] = Some(register);
        }
    }
}

#[cfg(feature = "ch15")]
impl Emitter<'_> {
    /// Emits a call that does not return.
    fn end_with_call(&mut self, found: &Match) {
        let program = &self.selection.program;
        let graph = program.graph;
        let [_, function, numbers @ ..] = graph.operands(program.firm(found.root)) else {
            unreachable!("a Call has a memory and a function")
        };
        let values = program.operands(found.root)[2..].iter();
        let arguments = numbers.iter().zip(values).map(|(&number, value)| match value {
            Some(value) => {
                let register = self.values[*value];
                Operand::Register(register.expect("a cover puts operands in registers"))
            }
            None => {
                let firm::Op::Const(number) = graph.op(number) else {
                    unreachable!("other operands have registers")
                };
                Operand::Immediate(number as i32)
            }
        });
        let arguments: Vec<_> = arguments.collect();
        let firm::Op::SymConst(symbol) = graph.op(*function) else {
            unreachable!("a function that does not return is known")
        };
        self.code.end_with_call(symbol, &arguments, self.origin);
    }
}

/// The register of each name of a rule.
type NamedRegisters = [Option<Register>; Rule::MAX_NAMES];

impl Emitter<'_> {
    fn emit_match(&mut self, found: &Match) {
        #[cfg(feature = "ch05")]
        self.begin_block(found);
        self.apply(self.selection.rules.rule(found.variant), found);
        #[cfg(feature = "ch05")]
        self.set_arguments(found);
        #[cfg(feature = "ch25")]
        if let firm::Op::Load(Access::Volatile) | firm::Op::Store(Access::Volatile) =
            self.selection.program.op(found.root)
        {
            self.code.make_volatile();
        }
    }

    fn apply(&mut self, rule: &Rule, found: &Match) {
        self.origin = self.selection.program.firm(found.root).index() as u32;
        #[cfg(feature = "ch15")]
        if let firm::Op::Call(0) = self.selection.program.op(found.root) {
            return self.end_with_call(found);
        }
        self.names = [None; _];
        for (name, binding) in self.names.iter_mut().zip(&found.bindings) {
            if let Binding::Value(id) = binding {
                *name = Some(self.values[*id].expect("a cover puts operands in registers"));
            }
        }
        #[cfg(feature = "ch14")]
        self.pass_words(found);
        for &(name_id, real) in &rule.fixed {
            let value = self.names[name_id as usize].expect("a fixed operand is a value");
            self.code.add_copy(Register::Real(real), value, self.origin);
        }
        for step in &rule.steps {
            self.step(step, found);
        }
        for (root, location) in found.roots().zip(rule.results()) {
            self.values[root] = location.and_then(|location| self.result(root, location));
        }
        #[cfg(feature = "ch14")]
        self.take_words(found);
    }

    /// The register of the result of a root.
    fn result(&mut self, _root: ProgramId, location: ResultLocation) -> Option<Register> {
        match location {
            ResultLocation::Name(name_id) => self.names[name_id as usize],
            ResultLocation::Real(real) => {
                let kind = RegisterKind::WORD;
                #[cfg(feature = "ch18")]
                let kind = match self.selection.program.mode(_root) {
                    Mode::D => RegisterKind::FLOAT,
                    _ => kind,
                };
                let result = self.code.new_register(kind);
                self.code.add_copy(result, Register::Real(real), self.origin);
                Some(result)
            }
        }
    }

    fn step(&mut self, step: &InstructionTemplate, found: &Match) {
        let slots = self.selection.rules.target.instructions[step.instruction].operands;
        self.read = self.names;
        self.copy_before_updates(slots, step);
        for (slot, operand) in slots.iter().zip(&step.operands) {
            self.name_definition(*slot, operand);
        }
        #[cfg(feature = "ch05")]
        let target = |truth| target(&self.selection.program, &self.blocks, found.root, truth);
        self.operands.clear();
        for (slot, operand) in slots.iter().zip(&step.operands) {
            let names = if slot.writes() { &self.names } else { &self.read };
            let places = MatchPlaces {
                names,
                #[cfg(feature = "ch05")]
                target: &target,
            };
            let operand = operand.operand(&found.bindings, &places);
            self.operands.push(operand);
        }
        self.code.add(step.instruction, &self.operands, self.origin);
    }

    /// Copies operands that are overwritten, since the old values may have other uses.
    fn copy_before_updates(&mut self, slots: &[OperandSlot], step: &InstructionTemplate) {
        for (slot, operand) in slots.iter().zip(&step.operands) {
            if let Some((old, new)) = self.copy_before_update(*slot, operand) {
                // Other operands that read the old value read its copy.
                self.read.iter_mut().flatten().filter(|it| **it == old).for_each(|it| *it = new);
            }
        }
    }

    fn copy_before_update(
        &mut self,
        slot: OperandSlot,
        operand: &OperandTemplate,
    ) -> Option<(Register, Register)> {
        let OperandTemplate::Register(name) = operand else { return None };
        let OperandSlot::Register(_, constraint) = slot else { return None };
        if !slot.reads() || !slot.writes() {
            return None;
        }
        let old = self.names[*name as usize].expect("an updated register holds something");
        let new = self.code.new_register(constraint.part().whole());
        self.code.add_copy(new, old, self.origin);
        self.names[*name as usize] = Some(new);
        Some((old, new))
    }

    /// A register that is only written is a new one.
    fn name_definition(&mut self, slot: OperandSlot, operand: &OperandTemplate) {
        let OperandTemplate::Register(name) = operand else { return };
        let OperandSlot::Register(_, constraint) = slot else { return };
        if slot.writes() && !slot.reads() {
            self.names[*name as usize] = Some(self.code.new_register(constraint.part().whole()));
        }
    }
}

/// The registers and blocks for a match.
struct MatchPlaces<'e> {
    names: &'e NamedRegisters,
    #[cfg(feature = "ch05")]
    target: &'e dyn Fn(bool) -> BlockId,
}

impl Places for MatchPlaces<'_> {
    fn register(&self, name: NameId) -> Register {
        self.names[name as usize].expect("a register is read after it is written")
    }

    #[cfg(feature = "ch05")]
    fn block(&self, truth: bool) -> BlockId {
        (self.target)(truth)
    }
}

/// The target of a jump for a true or for a false condition.
#[cfg(feature = "ch05")]
fn target(
    program: &ProgramGraph,
    blocks: &SideTable<firm::NodeId, Option<BlockId>>,
    jump: ProgramId,
    truth: bool,
) -> BlockId {
    let target = program.flow.target(program.firm(jump), truth);
    let block = target.and_then(|target| blocks[target.block]);
    block.expect("the target of a jump ends with a jump")
}
