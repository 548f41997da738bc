//! Random programs of regions, with functions, loops and lines of output: all stages agree, the
//! emulator and the processor included.
use super::built_in;
use super::flow_graphs::check_runs;
use crate::driver::RegisterAllocator;
use crate::random::Random;
use crate::region::{self, Operator};
use crate::restructure::tests::{STEPS, graphs, random_arguments};
use crate::stage::Termination;

/// Expressions of one scope: its arguments are integers, and the last one may be a state.
struct Writer<'r> {
    random: &'r mut Random,
    /// For each function that can be called its number of inputs and of outputs.
    functions: Vec<[usize; 2]>,
}

/// The text of a program: some functions, and one that calls them. Each `use` needs the one before.
pub fn random_program(random: &mut Random) -> String {
    let mut writer = Writer { random, functions: Vec::new() };
    let (mut text, count) = (String::new(), writer.random.below(3));
    for number in 0..count {
        let [inputs, outputs] = [3, 2].map(|most| 1 + writer.random.below(most));
        let constants = writer.random.below(2);
        let constant = if constants > 0 { " 7" } else { "" };
        let results = writer.integers(outputs, inputs + constants, 3);
        text +=
            &format!("(?f{number} (func-{inputs}-inputs-{outputs}-outputs{constant}{results}) ");
        writer.functions.push([inputs, outputs]);
    }
    let results = 1 + writer.random.below(3);
    let integers = writer.integers(results, 3, 4);
    let state = writer.state("(use)", 3, 3);
    text += &format!("(func-3-inputs-{}-outputs{integers} {state})", results + 1);
    text + &")".repeat(count)
}

impl Writer<'_> {
    /// Several integers, each after a space.
    fn integers(&mut self, count: usize, arguments: usize, depth: usize) -> String {
        (0..count).map(|_| format!(" {}", self.integer(arguments, depth))).collect()
    }

    /// An integer that is computed from the first `arguments` of the scope.
    fn integer(&mut self, arguments: usize, depth: usize) -> String {
        let kind = if depth == 0 { self.random.below(3) } else { self.random.below(12) };
        match kind {
            0 => self.random.pick(&["0", "1", "-1", "3", "100", "-2147483648"]).to_string(),
            1 | 2 => format!("get-{}", self.random.below(arguments)),
            3 => self.switch(arguments, depth - 1),
            4 => self.repeated(arguments, depth - 1),
            5 | 6 if !self.functions.is_empty() => self.call(arguments, depth - 1),
            _ => {
                let words: Vec<_> = Operator::all().map(|row| row.word).collect();
                // Most quotients trap.
                let word = match self.random.pick(&words) {
                    "/" | "%" if self.random.below(4) > 0 => "-",
                    word => word,
                };
                format!("({word}{})", self.integers(2, arguments, depth - 1))
            }
        }
    }

    fn switch(&mut self, arguments: usize, depth: usize) -> String {
        let [cases, outputs, inputs] = [3, 3, 3].map(|most| 1 + self.random.below(most));
        let predicate = match self.random.below(3) {
            // A number that no case has is an error.
            0 => format!("get-{}", self.random.below(arguments)),
            _ => format!("(& 1 {})", self.integer(arguments, depth)),
        };
        let values = self.integers(inputs, arguments, depth);
        let results = self.integers(cases * outputs, inputs, depth);
        let taken = self.random.below(outputs);
        format!(
            "(get-{taken} (switch-{cases}-cases-{outputs}-outputs {predicate}{values}{results}))"
        )
    }

    /// A loop that a counter ends; another test may end it before.
    fn repeated(&mut self, arguments: usize, depth: usize) -> String {
        let variables = 2 + self.random.below(3);
        let count = 1 + self.random.below(5);
        let values = self.integers(variables - 1, arguments, depth);
        let results = self.integers(variables - 1, variables, depth);
        let mut predicate = "(> get-0 1)".to_string();
        if self.random.below(3) == 0 {
            predicate = format!("(& {predicate} {})", self.integer(variables, depth));
        }
        let taken = self.random.below(variables);
        format!("(get-{taken} (loop {count}{values} (- get-0 1){results} {predicate}))")
    }

    fn call(&mut self, arguments: usize, depth: usize) -> String {
        let number = self.random.below(self.functions.len());
        let [inputs, outputs] = self.functions[number];
        let values = self.integers(inputs, arguments, depth);
        format!("(get-{} (call ?f{number}{values}))", self.random.below(outputs))
    }

    /// The state after some lines.
    fn state(&mut self, before: &str, arguments: usize, depth: usize) -> String {
        if depth == 0 {
            return before.to_string();
        }
        let value = self.integer(arguments, depth - 1);
        match self.random.below(4) {
            0 => {
                let before = self.state(before, arguments, depth - 1);
                let written = self.state("get-1", 1, depth - 1);
                let other = self.state("get-1", 1, depth - 1);
                let test = self.integer(arguments, 1);
                format!(
                    "(get-0 (switch-2-cases-1-outputs (& 1 {test}) {value} {before} {written} \
                     {other}))"
                )
            }
            1 => {
                let before = self.state(before, arguments, depth - 1);
                let written = self.state("get-1", 1, depth - 1);
                let count = 1 + self.random.below(3);
                format!("(get-1 (loop {count} {before} (- get-0 1) {written} (> get-0 1)))")
            }
            _ => {
                let before = self.state(before, arguments, depth - 1);
                format!("(use {before} {value})")
            }
        }
    }
}

#[test]
fn random_programs_of_regions_run_natively() {
    let rules = built_in();
    let [mut ended, mut trapped, mut written] = [0; 3];
    for seed in 0..graphs() {
        let mut random = Random::new(seed);
        let text = random_program(&mut random);
        let graph = region::parse(&text).unwrap_or_else(|wrong| panic!("{wrong:?}\n{text}"));
        let registers =
            if seed % 5 == 0 { RegisterAllocator::Scan } else { RegisterAllocator::Colour };
        let arguments = [(); 4].map(|()| random_arguments(&mut random));
        let eval = |arguments: &[i64]| region::eval(&graph, arguments, STEPS);
        for outcome in check_runs("test.rv", &text, &arguments, eval, &rules, registers) {
            written += u64::from(!outcome.output.is_empty());
            match outcome.end {
                Termination::Fault { .. } => trapped += 1,
                _ => ended += 1,
            }
        }
    }
    let counts = format!("{ended} ended, {trapped} trapped, {written} with output");
    assert!(graphs() < ended && 0 < trapped && graphs() < written, "{counts}");
}
