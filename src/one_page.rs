//! The compiler of programs without operators, in one page: its stages, instruction selection by a
//! `match`, and register allocation with a single register.
use crate::ia32::code::{Code, Form};
use crate::ia32::instruction::Op;
use crate::ia32::{self, Operand, Register};
use crate::machine_code::MachineCode;
use crate::stage::{Artifact, Halt, Stage, StageObserver};
use crate::target::RegisterKind;
use crate::{firm, lower, parse, schedule};
use arena::{Id, SideTable};
use elf::Executable;
use source::Source;
use std::iter::once;

/// Compiles a program; the observer receives the artifact of every stage.
///
/// # Errors
/// Errors in the program, a violated invariant, or a stop by the observer.
pub fn compile(source: &Source, observer: &mut dyn StageObserver) -> Result<Executable, Halt> {
    observer.stage_done(Stage::Tokens, &parse::Tokens { source })?;

    let parsed = parse::parse(parse::Input { text: &source.text }).map_err(Halt::Errors)?;
    let sea = parsed.graph;
    observer.stage_done(Stage::Parsed, &sea)?;
    observer.stage_done(Stage::Sea, &sea)?;

    let schedule = schedule::schedule(&sea);
    let firm = firm::Program { functions: lower::lower_all(&sea, &schedule) };
    observer.stage_done(Stage::Firm, &firm)?;

    let selected = ia32::Program { functions: firm.functions.iter().map(select).collect() };
    observer.stage_done(Stage::Selected, &selected)?;

    let allocated = selected.functions.into_iter().map(allocate);
    let allocated = ia32::Program { functions: allocated.collect() };
    verify(Stage::Allocated, &allocated)?;
    observer.stage_done(Stage::Allocated, &allocated)?;

    let machine_code = MachineCode::new(&allocated);
    observer.stage_done(Stage::Bytes, &machine_code)?;

    let stub = start_stub::for_each_word();
    let functions: Vec<_> = once(stub.function()).chain(machine_code.functions()).collect();
    let executable = elf::executable(&functions);
    observer.stage_done(Stage::Elf, &executable)?;
    Ok(executable)
}

/// A compiler that finds a bug in its result must not write it to a file.
fn verify(stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
    let violations = artifact.verify();
    if violations.is_empty() { Ok(()) } else { Err(Halt::InvariantViolated(stage, violations)) }
}

/// Instruction selection: the instructions for the nodes of a function, with virtual registers.
fn select(graph: &firm::Graph) -> Code {
    let mut selection =
        Selection { graph, code: Code::new(&graph.name), registers: SideTable::new(graph.len()) };
    graph.ids().for_each(|id| selection.node(id));
    selection.code
}

struct Selection<'g> {
    graph: &'g firm::Graph,
    code: Code,
    /// The register that holds the value of a node.
    registers: SideTable<firm::NodeId, Option<Register>>,
}

impl Selection<'_> {
    fn node(&mut self, id: firm::NodeId) {
        let origin = id.index() as u32;
        match self.graph.op(id) {
            firm::Op::StartBlock | firm::Op::Start | firm::Op::EndBlock | firm::Op::End => {}
            firm::Op::Const(number) => {
                let result = Register::new_virtual(self.code.register_count());
                self.code.virtual_registers.push(RegisterKind::WORD);
                self.registers[id] = Some(result);
                let operands = [Operand::Register(result), Operand::Immediate(number as i32)];
                self.code.push(Op::MovImmediate, &operands, origin);
            }
            // The caller expects the result in eax.
            firm::Op::Return => {
                let operands = [Register::EAX, self.value(id, 1)].map(Operand::Register);
                self.code.push(Op::Mov, &operands, origin);
                self.code.push(Op::Ret, &[], origin);
            }
        }
    }

    /// The register that holds an operand of a node.
    fn value(&self, id: firm::NodeId, operand: usize) -> Register {
        let operand = self.graph.operands(id)[operand];
        self.registers[operand].expect("a node is after its operands")
    }
}

/// Register allocation: every virtual register becomes eax. That is correct as long as only one
/// value is live at a time.
fn allocate(mut code: Code) -> Code {
    for instruction in &mut code.instructions {
        instruction.rename(|_, _| Register::EAX);
    }
    // A move from eax to eax moves nothing.
    code.instructions.retain(|instruction| {
        !instruction.op.is_copy() || instruction.operands[0] != instruction.operands[1]
    });
    Code { form: Form::Allocated, virtual_registers: Vec::new(), ..code }
}

#[cfg(test)]
#[path = "tests/one_page.rs"]
mod tests;
