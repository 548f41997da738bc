//! Graphviz draws every picture of every case.
use crate::{Checked, OPTIONS, compile, list, run, scratch};
use std::path::{Path, PathBuf};

/// The number of pictures in one call of Graphviz.
const BATCH: usize = 50;

pub fn check(sonc: &Path, cases: &[PathBuf]) -> Checked {
    let folder = scratch("pictures")?;
    for (number, case) in cases.iter().enumerate() {
        for (index, options) in OPTIONS.iter().enumerate() {
            let to = folder.join(format!("{number}-{index}"));
            let (case_name, to) = (case.to_string_lossy(), to.to_string_lossy());
            let words = [&["dot", &case_name, "--stage", "all", "-o", &to], *options].concat();
            compile(sonc, case, &words)?;
        }
    }
    let pictures: Vec<PathBuf> = list(&folder).iter().flat_map(|it| list(it)).collect();
    if pictures.is_empty() && !cases.is_empty() {
        return Err("there are cases, and no pictures of them".to_string());
    }
    for batch in pictures.chunks(BATCH) {
        let names: Vec<_> = batch.iter().map(|it| it.to_string_lossy()).collect();
        let mut words = vec!["-Tsvg", "-o", "/dev/null"];
        words.extend(names.iter().map(|it| it.as_ref()));
        run(Path::new("dot"), &words)?;
    }
    Ok(format!("{} pictures are drawn", pictures.len()))
}
