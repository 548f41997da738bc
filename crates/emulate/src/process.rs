//! A program that is executed in parts, so that it can be observed and stopped.
use crate::Fault;
use crate::decode::Text;
use crate::execute::Machine;
use crate::load;
use crate::run::{Run, Termination, end_of, finish, not_loaded};
use elf::Symbol;

/// A program that was started.
pub struct Process {
    machine: Machine,
    text: Text,
    symbols: Vec<Symbol>,
    end: Termination,
}

impl Process {
    /// Loads an executable file with the words `arguments` after its name. It has executed nothing.
    ///
    /// # Errors
    /// The run of a file that cannot be loaded.
    pub fn start(file: &[u8], arguments: &[String]) -> Result<Process, Box<Run>> {
        let image = elf::read(file).map_err(|error| Fault::File(error.to_string()));
        let loaded = image.and_then(|image| {
            let (machine, text) = load::process(&image, arguments)?;
            Ok(Process { machine, text, symbols: image.symbols, end: Termination::OutOfSteps })
        });
        loaded.map_err(|fault| Box::new(not_loaded(fault)))
    }

    /// Executes until it ends, or until it has executed `budget` instructions in all. A later call
    /// with a larger budget continues.
    pub fn advance(&mut self, budget: u64) {
        if self.end == Termination::OutOfSteps {
            self.end =
                end_of(self.machine.run(&mut self.text, budget), &self.machine, &self.symbols);
        }
    }

    /// Whether it ended.
    pub fn has_ended(&self) -> bool {
        self.end != Termination::OutOfSteps
    }

    /// The number of instructions executed.
    pub fn instructions(&self) -> u64 {
        self.machine.instructions
    }

    /// The number of bytes written.
    pub fn written(&self) -> usize {
        self.machine.output.len() + self.machine.errors.len()
    }

    /// Its behaviour up to now.
    pub fn observed(&self) -> Run {
        finish(&self.machine, &self.text, &self.symbols, self.end.clone())
    }
}

#[cfg(test)]
#[path = "tests/process.rs"]
mod tests;
