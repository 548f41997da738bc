//! Chromium opens five pages of the book from the disk, without a network.
use crate::browser::{Browser, SITE};
use crate::{Checked, scratch};
use serde_json::json;
use std::path::Path;

const PAGES: [&str; 5] = [
    "index.html",
    "chapters/04-argument/index.html",
    "chapters/13-references/index.html",
    "chapters/28-equality-saturation/index.html",
    "chapters/09-value-numbering/index.html",
];

pub fn check() -> Checked {
    let folder = scratch("site")?;
    let mut browser = Browser::start(&folder)?;
    for page in PAGES {
        let file = Path::new(SITE).join(page);
        for (width, height) in [(390, 844), (1600, 1000)] {
            for colours in ["light", "dark"] {
                browser.look(width, height, colours)?;
                browser.open(&file, "")?;
                let fits = "document.documentElement.scrollWidth <= innerWidth";
                browser.expect(fits, json!(true)).map_err(|err| format!("{page}: {err}"))?;
                let name = page.replace('/', "-").replace(".html", "");
                browser.screenshot(&folder.join(format!("{name}-{width}-{colours}.png")))?;
            }
        }
        let images = "[...document.images].every((it) => it.complete && it.naturalWidth > 0)";
        browser.expect(images, json!(true))?;
        browser.check_events()?;
    }
    searches_find_sections(&mut browser)?;
    examples_can_be_explored(&mut browser)?;
    Ok(format!("{} pages", PAGES.len()))
}

fn searches_find_sections(browser: &mut Browser) -> Result<(), String> {
    browser.click("#search")?;
    browser.call("Input.insertText", json!({ "text": "worklist" }))?;
    let is_found = "new Promise((resolve) => { const look = () => { \
                    const link = document.querySelector('#found a'); \
                    if (link) resolve(link.textContent); else setTimeout(look, 20); }; look(); })";
    let parameters = json!({ "expression": is_found, "awaitPromise": true });
    let found = string(&browser.call("Runtime.evaluate", parameters)?["result"]["value"]);
    if !found.to_lowercase().contains("worklist") {
        return Err(format!("the first section for `worklist` is `{found}`"));
    }
    browser.check_events()
}

fn examples_can_be_explored(browser: &mut Browser) -> Result<(), String> {
    browser.expect("document.querySelectorAll('a.explore').length > 3", json!(true))?;
    let page = browser.value("new URL(document.querySelector('a.explore').href).pathname")?;
    browser.open(Path::new(&string(&page)), "#stage=sea")?;
    browser.expect("document.querySelectorAll('#canvas .node').length > 0", json!(true))?;
    browser.check_events()
}

fn string(value: &serde_json::Value) -> String {
    value.as_str().unwrap_or_default().to_string()
}
