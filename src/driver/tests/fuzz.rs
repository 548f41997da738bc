//! Fuzzing of rule files: a mutated file is rejected with reasons, or produces sound code.
use super::{all_built_in, emit, executable, random_graphs, select};
use crate::effort::programs;
use crate::firm::Graph;
use crate::ia32::{TARGET, encode};
use crate::linear_scan;
use crate::random::Random;
use crate::rules::{self, RuleSet};
use crate::select::options::{Objective, SelectionOptions};
use crate::stage::Artifact;
use source::Source;

/// The words of the rules and their separators.
fn words(text: &str) -> Vec<&str> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '-';
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let other = |letter: char| !is_word(letter);
        let end = if is_word(first) { rest.find(other) } else { Some(first.len_utf8()) };
        let (word, following) = rest.split_at(end.unwrap_or(rest.len()));
        words.push(word);
        rest = following;
    }
    words
}

/// Removes, doubles, swaps or replaces one or two words.
fn mutated(words: &[&str], random: &mut Random) -> String {
    let mut words = words.to_vec();
    for _ in 0..=random.below(2) {
        let other = words[random.below(words.len())];
        let (at, near) = (random.below(words.len() - 8), random.below(8));
        match random.below(6) {
            0 => drop(words.remove(at)),
            1 => words.insert(at, words[at]),
            2 => words.swap(at, at + near),
            3 => words.insert(at, other),
            4 => words[at] = words[at + near],
            _ => words[at] = other,
        }
    }
    words.concat()
}

/// Selects, and for IA-32 allocates and encodes, if the rules cover the graph.
fn compile(rules: &RuleSet, graph: &Graph, selection: SelectionOptions) {
    let Ok(selection) = select(graph, rules, selection) else { return };
    for code in executable(&selection) {
        let shown = || {
            let text: Vec<_> = rules.catalogue().map(|rule| rule.text()).collect();
            format!("{}\n{}\n{}", text.join("\n"), graph.print(), code.print())
        };
        assert_eq!(code.verify(), [], "{}", shown());
    }
    if rules.target.name == TARGET.name {
        assert!(!encode(&linear_scan::allocate(emit(&selection))).bytes.is_empty());
    }
}

#[test]
fn mutated_rules_are_rejected_or_produce_sound_code() {
    let mut random = Random::new(7);
    let graphs: Vec<_> = (0..20).map(|size| random_graphs::graph(&mut random, size)).collect();
    for all in all_built_in() {
        let text: Vec<_> = all.catalogue().map(|rule| rule.text()).collect();
        let text = text.join("\n");
        let words = words(&text);
        let mut sound = 0;
        // Fewer have no variety.
        for _ in 0..programs(1_000).max(1_000) {
            let source = Source { name: "mutated".into(), text: mutated(&words, &mut random) };
            let Ok(rules) = rules::parse(&source, &all.target) else { continue };
            sound += 1;
            for graph in &graphs {
                compile(&rules, graph, SelectionOptions::default());
                compile(
                    &rules,
                    graph,
                    SelectionOptions { objective: Objective::Size, ..SelectionOptions::default() },
                );
            }
        }
        assert!(sound > 10);
    }
}
