//! Mutated programs: a token is added, removed or replaced.
use super::random::Random;

const WORDS: &str = "return int if else while break continue true false a arg i1 1 0 ( ) { } \
    ; = == < + - * / x struct new null A pA0 nA0 . ? !";

/// The text with a few mutated tokens.
pub fn mutate(text: &str, random: &mut Random) -> String {
    let mut words = words(text);
    for _ in 0..1 + random.below(3) {
        let at = random.below(words.len());
        match random.below(4) {
            0 if words.len() > 1 => drop(words.remove(at)),
            0 | 1 => words.insert(at, another(random)),
            2 => words[at] = another(random),
            _ => {
                let other = random.below(words.len());
                words.swap(at, other);
            }
        }
    }
    words.join(" ")
}

fn another(random: &mut Random) -> String {
    let all: Vec<&str> = WORDS.split(' ').collect();
    random.pick(&all).to_string()
}

fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut inside = false;
    for letter in text.chars() {
        let part = letter.is_ascii_alphanumeric();
        match words.last_mut() {
            Some(word) if part && inside => word.push(letter),
            Some(_) | None if letter.is_whitespace() => {}
            Some(_) | None => words.push(letter.to_string()),
        }
        inside = part;
    }
    words
}
