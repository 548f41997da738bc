//! Chromium opens the slides of each chapter from the disk, without a network.
use crate::browser::Browser;
use crate::{Checked, list, run, scratch};
use serde_json::json;
use std::path::Path;

/// The pages are made by the `bookbinder` beside the compiler.
pub fn check(sonc: &Path) -> Checked {
    let folder = scratch("slides")?;
    let bookbinder = sonc.with_file_name("bookbinder");
    let mut browser = Browser::start(&folder)?;
    browser.look(1280, 720, "light")?;
    let (mut pages, mut count) = (0, 0);
    for number in list(Path::new("chapters")).iter().filter_map(chapter_number) {
        let file = folder.join(format!("{number}.html"));
        run(&bookbinder, &["slides", &number, "-o", &file.to_string_lossy()])?;
        count += slides_are_shown(&mut browser, &file)
            .map_err(|err| format!("the slides of chapter {number}: {err}"))?;
        pages += 1;
    }
    match pages {
        0 => Err("there are no chapters".to_string()),
        _ => Ok(format!("{count} slides of {pages} chapters")),
    }
}

/// The number of the slides in a page.
fn slides_are_shown(browser: &mut Browser, file: &Path) -> Result<u64, String> {
    browser.open(file, "")?;
    let images = "[...document.images].every((it) => it.complete && it.naturalWidth > 0)";
    browser.expect(images, json!(true))?;
    // A page that needs no other file has no link that can be dead.
    let links =
        "[...document.querySelectorAll('[href], [src]:not(img)')].map((it) => it.outerHTML)";
    browser.expect(links, json!([]))?;
    let count = browser.value("document.querySelectorAll('.slide').length")?.as_u64();
    browser.press("End")?;
    browser.check_events()?;
    count.filter(|&count| count > 1).ok_or_else(|| "there are none".to_string())
}

/// The number of a folder of a chapter, `NN-name`.
fn chapter_number(folder: impl AsRef<Path>) -> Option<String> {
    let name = folder.as_ref().file_name()?.to_string_lossy();
    let (number, _) = name.split_once('-')?;
    number.parse::<u32>().ok().map(|it| it.to_string())
}
