//! `sonc run --count --beside FILE.c`: the executed instructions of the same program in C, compiled
//! by `gcc -O2`.
use crate::c_programs::{self, FLOATS, FUNCTION, Files, GCC, HEAP, PLAIN, declarations};
use crate::files::{Failure, read};
use elf::Image;
use emulate::{Run, Termination, call_image};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf, absolute};
use std::process::Command;

/// The instructions are those without it, and the executable has a table of their lines.
const DEBUG: &str = "-g";

/// A compiled program in C.
pub struct Beside {
    /// The name of its file.
    pub name: String,
    pub text: String,
    /// The file in the table of lines.
    path: PathBuf,
    executable: Vec<u8>,
    files: Files,
}

/// The executed instructions of a program in C.
pub struct Executed {
    pub result: i32,
    /// For each line.
    pub lines: Vec<u64>,
    /// Those of no line.
    pub others: u64,
    pub functions: Vec<(String, u64)>,
}

impl Beside {
    /// Compiles the file. With `has_floats`, `flt` is a type and gcc calculates as we do.
    pub fn compile(path: &Path, has_floats: bool) -> Result<Beside, Failure> {
        let source = read(path)?;
        let failed = |reason: String| {
            let name = &source.name;
            Failure::Message(format!("`{name}` has no code to compare with: {reason}"))
        };
        let files = Files::new();
        let (types, floats) = if has_floats { FLOATS } else { ("", [].as_slice()) };
        let written = fs::write(&files.c, types.to_string() + &declarations());
        written.map_err(|error| failed(error.to_string()))?;
        let path = absolute(path).map_err(|error| failed(error.to_string()))?;
        let before = files.c.to_string_lossy();
        let options = [PLAIN, floats, &[DEBUG, "-include", &before]].concat();
        c_programs::compile(GCC, &options, &path, &files).map_err(failed)?;
        let executable = files.link().map_err(failed)?;
        if function(&image(&executable)?).is_none() {
            return Err(failed(format!("there is no function `int {FUNCTION}(int arg)`")));
        }
        Ok(Beside { name: source.name, text: source.text, path, executable, files })
    }

    /// Calls the function.
    pub fn run(&self, arguments: &[i64], limit: u64) -> Result<Executed, Failure> {
        let mut image = image(&self.executable)?;
        image.entry = function(&image).expect("it was found after compilation");
        // A program without an argument may be a function with one.
        let words = if arguments.is_empty() { &[0] } else { arguments };
        let words: Vec<_> = words.iter().map(|&it| it as i32).collect();
        let run = call_image(&image, &words, &[HEAP], limit).0;
        let result = match &run.end {
            Termination::Value(value) => *value,
            Termination::OutOfSteps => {
                let reason = format!("`{}` takes more than {limit} instructions", self.name);
                return Err(Failure::Message(reason));
            }
            Termination::Fault { place, fault } => {
                return Err(Failure::Message(format!("`{}` at {place}: {fault}", self.name)));
            }
        };
        self.executed(run, result)
    }

    fn executed(&self, run: Run, result: i32) -> Result<Executed, Failure> {
        let places = self.places(&run.executed)?;
        let mut lines = vec![0; self.text.lines().count().max(1)];
        let mut others = 0;
        for (address, count) in &run.executed {
            let line = places.get(address).and_then(|&line| lines.get_mut(line - 1));
            *line.unwrap_or(&mut others) += count;
        }
        Ok(Executed { result, lines, others, functions: run.functions })
    }

    /// The lines of instructions, from 1 on. An instruction of an inlined function has the place
    /// inside of it, then that of the call; the first one that is in the file counts.
    fn places(&self, executed: &[(u32, u64)]) -> Result<HashMap<u32, usize>, Failure> {
        let addresses = executed.iter().map(|(address, _)| format!("{address:#x}\n"));
        let written = fs::write(&self.files.other, addresses.collect::<String>());
        written.map_err(|error| Failure::Message(error.to_string()))?;
        let mut command = Command::new("addr2line");
        command.args(["--addresses", "--inlines", "--exe"]).arg(&self.files.linked);
        command.arg(format!("@{}", self.files.other.display()));
        let text = c_programs::run(&mut command).map_err(Failure::Message)?;
        let mut places = HashMap::new();
        let mut address = None;
        for line in text.lines() {
            if let Some(digits) = line.strip_prefix("0x") {
                address = u32::from_str_radix(digits, 16).ok();
            } else if let (Some(address), Some(place)) = (address, self.line(line)) {
                places.entry(address).or_insert(place);
            }
        }
        Ok(places)
    }

    /// The number in `/folder/file.c:7 (discriminator 2)`.
    fn line(&self, place: &str) -> Option<usize> {
        let (file, number) = place.rsplit_once(':')?;
        let number = number.split(' ').next()?.parse().ok()?;
        (Path::new(file) == self.path && number > 0).then_some(number)
    }
}

fn image(executable: &[u8]) -> Result<Image<'_>, Failure> {
    elf::read(executable).map_err(|error| Failure::Message(error.to_string()))
}

/// The address of the function.
fn function(image: &Image) -> Option<u32> {
    image.symbols.iter().find(|it| it.name == FUNCTION).map(|it| it.address)
}
