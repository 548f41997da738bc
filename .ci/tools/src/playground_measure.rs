//! Times and memory of the playground.
use crate::browser::SITE;
use crate::explorer::program;
use crate::playground_page::{SQUARE, with_page};
use crate::wasm::Wasm;
use crate::{Checked, scratch};
use serde_json::json;
use std::path::Path;

/// Prints how long it takes from a key to the texts of the stages, and to the drawing, for programs
/// of so many lines; then the memory of the page and of the compiler after many keys.
pub fn measure(sonc: &Path) -> Checked {
    let folder = scratch("playground-measure")?;
    with_page(sonc, &folder, |page| {
        let mut text =
            String::from("lines, median and maximum of ten keys in ms, also to drawing:\n");
        for lines in [20, 200, 2000] {
            text += &format!("{lines}");
            for mut times in page.times(&program(10 * (lines - 2)), 10)? {
                times.sort_by(f64::total_cmp);
                text += &format!(" {:.0} {:.0}", times[times.len() / 2], times[times.len() - 1]);
            }
            text += "\n";
        }
        text += "keys, heap of the page in kB:\n";
        for keys in [0, 100, 1000] {
            page.times(SQUARE, keys)?;
            page.browser.call("HeapProfiler.collectGarbage", json!({}))?;
            let used = page.browser.call("Runtime.getHeapUsage", json!({}))?["usedSize"].clone();
            text += &format!("{keys} {:.0}\n", used.as_f64().unwrap_or_default() / 1000.0);
        }
        Ok(text + "edits, memory of the compiler in kB:\n" + &memory_of_edits()?)
    })
}

/// The memory of the compiler after edits of a program of 20 lines, with its steps and a run. A
/// memory of WebAssembly only grows.
fn memory_of_edits() -> Checked {
    let mut compiler = Wasm::start(&Path::new(SITE).join("playground/sonc.wasm"))?;
    let (source, mut text) = (program(180), String::new());
    for edit in 1..=1000 {
        let request = json!({ "source": format!("{source}// {edit}\n"), "trace": false });
        let request = request.to_string();
        compiler.call("compile", &request, &[])?;
        compiler.call("stages", "", &[])?;
        compiler.call("steps", &request, &[])?;
        compiler.call("start", "[\"3\"]", &[])?;
        compiler.call("advance", "", &[100_000])?;
        if [1, 10, 100, 1000].contains(&edit) {
            text += &format!("{edit} {}\n", compiler.memory / 1000);
        }
    }
    Ok(text)
}
