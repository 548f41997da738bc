//! `cargo run -p sonc-host --example copy -- FROM TO` copies a text, whole or not at all.
use host::{Error, Output, read_text};
use std::path::Path;

fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    let text = read_text(from)?;
    Output::new(Some(to), &[from])?.write_text(&text)
}

fn main() {
    let words: Vec<_> = std::env::args_os().collect();
    let [_, from, to] = &words[..] else { return println!("copy FROM TO") };
    if let Err(error) = copy(Path::new(from), Path::new(to)) {
        println!("error: {error}");
    }
}

#[test]
fn a_text_is_copied() {
    let folder = std::env::temp_dir();
    let [from, to] =
        ["from", "to"].map(|it| folder.join(format!("host-copy-{it}-{}", std::process::id())));
    std::fs::write(&from, "text").expect("the folder can be written to");
    copy(&from, &to).expect("it can be copied");
    assert_eq!(read_text(&to).expect("it is a text"), "text");
    assert!(matches!(copy(&from, &from), Err(Error::IsInput(_))));
    [from, to].iter().for_each(|it| std::fs::remove_file(it).expect("it is there"));
}
