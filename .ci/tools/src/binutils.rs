//! Checks with binutils: objdump finds in our executables the instructions that we print, and gas
//! assembles our assembly to the bytes that we encode.
use crate::listing::{Instruction, LINKED, disassembled, functions, printed};
use crate::{Checked, OPTIONS, compile, run, scratch};
use std::fs;
use std::path::{Path, PathBuf};

pub fn check(sonc: &Path, cases: &[PathBuf]) -> Checked {
    let folder = scratch("code")?;
    let (mut programs, mut instructions) = (0, 0);
    for case in cases {
        for options in OPTIONS {
            let found = check_one(sonc, case, options, &folder).map_err(|reason| {
                format!("{} {}: {reason}", case.display(), options.join(" ")) //
            })?;
            programs += usize::from(found > 0);
            instructions += found;
        }
    }
    if programs == 0 && !cases.is_empty() {
        return Err("there are cases, and no code of them".to_string());
    }
    Ok(format!("{instructions} instructions of {programs} programs are read as they are meant"))
}

/// The number of a program's instructions; 0 if it is a case of an error.
fn check_one(sonc: &Path, case: &Path, options: &[&str], folder: &Path) -> Result<usize, String> {
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (executable, assembly, object) = (path("program"), path("program.s"), path("program.o"));
    let case_name = case.to_string_lossy();
    let compile_case = |words: &[&str]| compile(sonc, case, &[words, options].concat());

    let Some(_) = compile_case(&["build", &case_name, "-o", &executable])? else { return Ok(0) };
    let listing = compile_case(&["ir", &case_name, "--stage", "bytes"])?.unwrap_or_default();
    let names = functions(&listing);
    let seen = disassemble(&executable, &names)?;
    let texts: Vec<&str> = seen.iter().map(|it| it.text.as_str()).collect();
    let meant = printed(&listing);
    if meant != texts {
        return Err(difference("the listing", &meant, "objdump", &texts));
    }

    let text =
        compile_case(&["build", &case_name, "--emit", "asm", "-o", "-"])?.unwrap_or_default();
    fs::write(&assembly, text).map_err(|err| err.to_string())?;
    // The linker may put functions far away: jumps between them are long, as if each could be
    // replaced.
    run(Path::new("as"), &["--32", "-mshared", "-o", &object, &assembly])?;
    let ours: Vec<&str> = seen.iter().map(|it| it.bytes.as_str()).collect();
    let theirs = disassemble(&object, &names)?;
    // Before the linker, an address or a distance may be any number.
    let unlinked = |(own, it): (&Instruction, &Instruction)| {
        let linked = if own.is_linked && !it.is_linked { LINKED.len() } else { 0 };
        it.bytes[..it.bytes.len().saturating_sub(linked)].to_string()
    };
    let count = theirs.len();
    let theirs: Vec<String> = seen.iter().zip(&theirs).map(unlinked).collect();
    if count != ours.len() {
        return Err(format!("{} instructions of ours, {count} of the assembler's", ours.len()));
    }
    let theirs: Vec<&str> = theirs.iter().map(String::as_str).collect();
    if ours != theirs {
        return Err(difference("our bytes", &ours, "the assembler's", &theirs));
    }
    Ok(seen.len())
}

fn disassemble(file: &str, names: &[&str]) -> Result<Vec<Instruction>, String> {
    let mut all = Vec::new();
    for name in names {
        let symbol = format!("--disassemble={name}");
        let words = ["-d", "-M", "intel", "--insn-width=16", &symbol, file];
        let found = disassembled(&run(Path::new("objdump"), &words)?, name);
        if found.is_empty() {
            return Err(format!("{file} has no code named `{name}`"));
        }
        all.extend(found);
    }
    Ok(all)
}

/// The first difference of two lists.
fn difference<S: AsRef<str>>(ours: &str, left: &[S], theirs: &str, right: &[&str]) -> String {
    let same = left.iter().zip(right).take_while(|(a, b)| a.as_ref() == **b).count();
    let left = left.get(same).map_or("nothing", |it| it.as_ref());
    let right = right.get(same).copied().unwrap_or("nothing");
    format!("instruction {same}: {ours}: `{left}`, {theirs}: `{right}`")
}
