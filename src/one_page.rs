//! The compiler of programs without operators, in one page: its stages, instruction selection by a
//! `match`, and register allocation with a single register.
use crate::ia32::code::{Code, Form};
use crate::ia32::instruction::Op;
use crate::ia32::{self, Operand, Register};
use crate::machine_code::MachineCode;
use crate::stage::{Artifact, Halt, Stage, StageObserver};
use crate::target::RegisterKind;
use crate::{firm, lower, parse, schedule};
use arena::Id;
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

/// Instruction selection: the instructions for each node of a function. The value of node `n2` is
/// in the virtual register `v2`.
fn select(graph: &firm::Graph) -> Code {
    let register = |id: firm::NodeId| Operand::Register(Register::new_virtual(id.index() as u32));
    let mut code = Code::new(&graph.name);
    code.virtual_registers = vec![RegisterKind::WORD; graph.len()];
    for id in graph.ids() {
        let mut add = |op, operands: &[Operand]| code.push(op, operands, id.index() as u32);
        match graph.op(id) {
            firm::Op::StartBlock | firm::Op::Start | firm::Op::EndBlock | firm::Op::End => {}
            firm::Op::Const(number) => {
                add(Op::MovImmediate, &[register(id), Operand::Immediate(number as i32)]);
            }
            firm::Op::Return => {
                // The caller expects the result in eax.
                let value = graph.operands(id)[1];
                add(Op::Mov, &[Operand::Register(Register::EAX), register(value)]);
                add(Op::Ret, &[]);
            }
        }
    }
    code
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
