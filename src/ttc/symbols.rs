//! The names of symbols, and their addresses.
use std::collections::HashMap;

/// Names by number.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    names: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Symbols {
    /// The number of a name; a new name gets a new number.
    pub fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_string());
        self.numbers.insert(name.to_string(), number);
        number
    }

    pub fn name(&self, number: u32) -> &str {
        &self.names[number as usize]
    }

    /// The address of a symbol, made of the letters of its name. It is larger than most numbers in
    /// programs.
    pub fn address(&self, number: u32) -> i64 {
        let letters = self.name(number).bytes().rev();
        let hash = letters.fold(0, |hash: i64, letter| (hash * 31 + i64::from(letter)) % 100_000);
        1_000_000 + hash
    }

    /// All names, in the order of their numbers.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }
}
