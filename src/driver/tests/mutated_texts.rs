//! Texts with random changes: control-flow graphs and regions lead to code or to reports.
use super::built_in;
use super::calls::{Ignore, options};
use super::random_regions::random_program;
use crate::driver::compile;
use crate::random::Random;
use crate::restructure::tests::{graphs, random_graph};
use crate::select::options::Method;
use crate::stage::{Artifact, Halt};
use source::Source;

const REGIONS: &[&str] = &[
    "(?body (loop get-0 get-1 1 get-0 (- get-1 1) (* get-2 get-0) (> get-1 1)) \
     (func-2-inputs-1-outputs (get-0 (switch-2-cases-1-outputs (> get-1 0) get-0 get-1 1 \
     (get-2 ?body)))))",
    "(?madd (func-2-inputs-2-outputs 10 (+ (* get-0 get-2) get-1) (> get-0 get-1)) \
     (?p (call ?madd get-0 get-1) (?q (call ?madd (get-0 ?p) 1) \
     (func-2-inputs-1-outputs (get-0 ?q)))))",
    "(?s (use get-0 1) (func-2-inputs-3-outputs (use (use ?s 2 3) get-0) \
     (get-1 (force ?s (/ get-0 get-1))) (use)))",
    "(?sum (func-2-inputs-1-outputs (get-0 (switch-2-cases-1-outputs (= get-1 0) get-0 get-1 \
     (+ get-1 (get-0 (call get-0 get-0 (- get-1 1)))) 0))) \
     (func-1-inputs-1-outputs (get-0 (call ?sum ?sum get-0))))",
];

const WORDS: &[&str] = &[
    "label",
    "goto",
    "switch",
    "return",
    "function",
    "->",
    "mov",
    "use",
    "call",
    "+",
    "/",
    "%",
    ">>",
    "-2147483648",
    "2147483648",
    "-1",
    "0",
    "99999",
    "l0",
    "l1",
    "a",
    "é",
    "#",
    ";",
    "\n",
    "(",
    ")",
    "loop",
    "force",
    "get-0",
    "get-1",
    "get-255",
    "get-4294967295",
    "?x",
    "?",
    "(?x",
    "switch-2-cases-1-outputs",
    "switch-0-cases-1-outputs",
    "switch-4294967295-cases-2-outputs",
    "func-0-inputs-0-outputs",
    "func-2-inputs-1-outputs",
    "func-4294967295-inputs-1-outputs",
];

/// The text with some words removed, repeated, replaced or exchanged.
fn mutated(text: &str, random: &mut Random) -> String {
    let text = text.replace('(', " ( ").replace(')', " ) ").replace('\n', " \n ");
    let mut words: Vec<&str> = text.split(' ').filter(|it| !it.is_empty()).collect();
    for _ in 0..1 + random.below(3) {
        let [at, other] = [random.below(words.len()), random.below(words.len())];
        match random.below(5) {
            0 if words.len() > 1 => drop(words.remove(at)),
            1 => words.insert(at, words[other]),
            2 => words.swap(at, other),
            3 => words.insert(at, random.pick(WORDS)),
            _ => words[at] = random.pick(WORDS),
        }
    }
    words.join(" ").replace("( ", "(")
}

#[test]
fn changed_texts_lead_to_code_or_reports() {
    let rules = built_in();
    for seed in 0..20 * graphs() {
        let mut random = Random::new(seed);
        let (name, text) = match random.below(4) {
            0 | 1 => {
                let blocks = 2 + random.below(4);
                ("test.cfg", random_graph(&mut random, blocks).print())
            }
            2 => ("test.rv", random_program(&mut random)),
            _ => ("test.rv", random.pick(REGIONS).to_string()),
        };
        let text = mutated(&text, &mut random);
        let source = Source { name: name.into(), text: text.clone() };
        match compile(&source, options(&rules, Method::Pbqp), &mut Ignore) {
            Ok(_) => {}
            Err(Halt::Errors(diagnostics)) => {
                let is_inside = |it: usize| it <= text.len() && text.is_char_boundary(it);
                let is_placed = diagnostics.iter().all(|it| {
                    let range = it.span.range();
                    is_inside(range.start) && is_inside(range.end)
                });
                assert!(is_placed && !diagnostics.is_empty(), "{text}\n{diagnostics:?}");
            }
            Err(halt) => panic!("{halt:?}\n{text}"),
        }
    }
}
