//! z3 answers the questions about our laws: no two sides can differ.
use crate::{Checked, run, scratch};
use std::fs;
use std::path::Path;

/// How many seconds z3 may think: it needs 15 of a processor that it does not share.
const LIMIT: &str = "-T:600";

pub fn check(sonc: &Path) -> Checked {
    let script = scratch("smt")?.join("laws.smt2");
    let questions = run(sonc, &["rules", "smt"])?;
    let expected = questions.lines().filter(|it| *it == "(check-sat)").count();
    fs::write(&script, questions).map_err(|err| err.to_string())?;
    let answers = run(Path::new("z3"), &[LIMIT, "-smt2", &script.to_string_lossy()])?;
    let lines: Vec<&str> = answers.lines().collect();
    let wrong: Vec<_> = lines.chunks(2).filter(|it| it.get(1) != Some(&"unsat")).collect();
    if !wrong.is_empty() || lines.len() != 2 * expected || expected == 0 {
        return Err(format!("{expected} questions, {} lines, wrong: {wrong:?}", lines.len()));
    }
    Ok(format!("{expected} questions about laws and operators are answered by unsat"))
}
