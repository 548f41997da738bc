//! Names of places in memory, each known by a number.
use std::collections::HashMap;

#[derive(Clone, Debug, Default)]
pub struct Symbols {
    names: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Symbols {
    /// The number of a name; a new one, if the name is new.
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

    /// All names, in the order of their numbers.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_keeps_its_number() {
        let mut symbols = Symbols::default();
        assert_eq!(["a", "b", "a"].map(|name| symbols.number(name)), [0, 1, 0]);
        assert_eq!([symbols.name(0), symbols.name(1)], ["a", "b"]);
    }
}
