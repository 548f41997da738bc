//! Prints each word of a text with its line and column.
use source::{Source, Span};

fn main() {
    let source = Source { name: "words".into(), text: "a sea\nof nodes".into() };
    let start = |word: &str| word.as_ptr() as usize - source.text.as_ptr() as usize;
    for word in source.text.split_whitespace() {
        let span = Span::new(start(word), start(word) + word.len());
        let (line, column) = source.position(span);
        println!("{}:{line}:{column}: {word}", source.name);
    }
    assert_eq!(source.position(Span::new(9, 14)), (2, 4));
}

#[test]
fn the_example_holds() {
    main();
}
