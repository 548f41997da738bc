//! Graphviz reads every picture of every case, and draws those of the usual options.
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
    let folders = list(&folder);
    let is_usual = |it: &&PathBuf| it.to_string_lossy().ends_with("-0");
    let (usual, others): (Vec<_>, Vec<_>) = folders.iter().partition(is_usual);
    let [drawn, read] = [usual, others]
        .map(|folders| -> Vec<PathBuf> { folders.into_iter().flat_map(|it| list(it)).collect() });
    if drawn.is_empty() && !cases.is_empty() {
        return Err("there are cases, and no pictures of them".to_string());
    }
    process("-Tsvg", &drawn)?;
    process("-Tcanon", &read)?;
    Ok(format!("{} pictures are drawn, {} others are read", drawn.len(), read.len()))
}

/// Lets Graphviz write pictures in a format; `canon` has no layout.
fn process(format: &str, pictures: &[PathBuf]) -> Result<(), String> {
    for batch in pictures.chunks(BATCH) {
        let names: Vec<_> = batch.iter().map(|it| it.to_string_lossy()).collect();
        let mut words = vec![format, "-o", "/dev/null"];
        words.extend(names.iter().map(|it| it.as_ref()));
        run(Path::new("dot"), &words)?;
    }
    Ok(())
}
