//! The controls of a page of the explorer: keyboard, names for screen readers, filters, search,
//! files.
use crate::browser::Browser;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

pub fn check(browser: &mut Browser, page: &Path, folder: &Path) -> Result<(), String> {
    browser.look(1600, 1000, "light")?;
    keys_reach_everything(browser, page)?;
    keys_select(browser, page)?;
    controls_have_names(browser, page)?;
    filters_hide(browser, page)?;
    rules_are_found(browser, page)?;
    types_are_shown(browser, page)?;
    texts_are_there(browser, page)?;
    graphs_are_saved(browser, page, folder)
}

/// The places at which the tab key stops, in their order; the text of each stage, once.
const STOPS: [&str; 20] = [
    "search",
    "tab-sea",
    "source",
    "Graph",
    "Text",
    "Steps",
    "constants",
    "types",
    "compare",
    "smaller",
    "larger",
    "whole",
    "save-svg",
    "save-dot",
    "canvas",
    "sea",
    "Text of sea",
    "firm",
    "Text of firm",
    "allocated",
];

fn keys_reach_everything(browser: &mut Browser, page: &Path) -> Result<(), String> {
    browser.open(page, "#stage=sea&view=graph")?;
    let name = "(() => { const it = document.activeElement; return it.id || \
                it.ariaLabel || it.value || it.firstChild.textContent.trim(); })()";
    for stop in STOPS {
        browser.press("Tab")?;
        let focused = browser.value(name)?;
        if !focused.as_str().unwrap_or_default().eq_ignore_ascii_case(stop) {
            return Err(format!("the tab key stops at {focused}, not at `{stop}`"));
        }
        let outline = "getComputedStyle(document.activeElement).outlineStyle";
        browser.expect(outline, json!("solid"))?;
    }
    browser.open(page, "#stage=sea&step=2")?;
    let stepper = "['previous', 'slider', 'next'].every((id) => \
                   document.getElementById(id).tabIndex === 0)";
    browser.expect(stepper, json!(true))?;
    browser.check_events()
}

/// Stages, nodes, places of a text and steps are selected without a mouse.
fn keys_select(browser: &mut Browser, page: &Path) -> Result<(), String> {
    browser.open(page, "#stage=sea&view=graph")?;
    browser.value("document.getElementById('tab-sea').focus()")?;
    for (key, stage) in [("ArrowRight", "early"), ("End", "elf"), ("Home", "tokens")] {
        browser.press(key)?;
        browser.expect("stage().name", json!(stage))?;
        browser.expect("document.activeElement.id", json!(format!("tab-{stage}")))?;
    }
    browser.open(page, "#stage=sea&view=graph")?;
    browser.value("document.getElementById('canvas').focus()")?;
    for key in ["ArrowRight", "ArrowDown"] {
        browser.press(key)?;
        let focused = "document.activeElement.dataset.node === state.node && state.node";
        if browser.value(focused)?.as_str().is_none_or(str::is_empty) {
            return Err(format!("{key} selects no node"));
        }
        browser.expect("document.activeElement.ariaPressed", json!("true"))?;
    }
    for block in ["#source", "#linked-pane pre"] {
        browser.open(page, "#stage=sea&view=graph")?;
        browser.value(&format!("document.querySelector('{block}').focus()"))?;
        browser.press("ArrowDown")?;
        browser.press("ArrowRight")?;
        browser.press("Enter")?;
        let origin = "document.activeElement.dataset.origin === state.origin && state.origin";
        if browser.value(origin)?.as_str().is_none_or(str::is_empty) {
            return Err(format!("no place is selected in {block}"));
        }
    }
    browser.open(page, "#stage=sea&step=1")?;
    browser.value("document.getElementById('slider').focus()")?;
    browser.call(
        "Input.dispatchKeyEvent",
        json!({ "type": "rawKeyDown", "key": "ArrowRight", "windowsVirtualKeyCode": 39 }),
    )?;
    browser.settle()?;
    browser.expect("state.step", json!(1))?;
    browser.check_events()
}

/// The accessibility tree has a role for everything that can be used, and each has a name.
fn controls_have_names(browser: &mut Browser, page: &Path) -> Result<(), String> {
    browser.open(page, "#stage=sea&step=1")?;
    let tree = browser.call("Accessibility.getFullAXTree", json!({}))?;
    let nodes = tree["nodes"].as_array().ok_or("there is no accessibility tree")?;
    let with_role = |role: &str| -> Vec<&Value> {
        let is_it = |it: &&Value| it["ignored"] == false && it["role"]["value"] == role;
        nodes.iter().filter(is_it).collect()
    };
    for role in ["button", "tab", "checkbox", "slider", "combobox", "searchbox", "tabpanel"] {
        let found = with_role(role);
        let is_nameless = |it: &&Value| it["name"]["value"].as_str().is_none_or(str::is_empty);
        if found.is_empty() || found.into_iter().any(|it| is_nameless(&it)) {
            return Err(format!("a {role} has no name"));
        }
    }
    let names: Vec<_> = with_role("button").iter().map(|it| it["name"]["value"].clone()).collect();
    let shown = "[...document.querySelectorAll('#canvas .node:not(.gone)')]\
                 .map((it) => it.getAttribute('aria-label'))";
    let shown = browser.value(shown)?;
    let is_missing = |name: &&Value| !names.contains(name);
    match shown.as_array().and_then(|shown| shown.iter().find(is_missing)) {
        Some(name) => Err(format!("the node {name} is no button")),
        None => browser.check_events(),
    }
}

/// Each filter hides nodes, edges, boxes or types, and shows them again.
fn filters_hide(browser: &mut Browser, page: &Path) -> Result<(), String> {
    let visible = "['.node', '.edge', '.cluster', '.detail'].map((it) => \
                   [...document.querySelectorAll('#canvas ' + it)].filter((it) => \
                   getComputedStyle(it).display !== 'none').length)";
    for (place, filter) in [
        ("sea&view=graph", "constants"),
        ("firm&view=graph", "memory"),
        ("sea&view=graph", "types"),
        ("firm&view=graph", "types"),
        ("parsed&view=steps&step=20", "constants"),
        ("parsed&view=steps&step=5", "scope"),
    ] {
        browser.open(page, &format!("#stage={place}"))?;
        let before = browser.value(visible)?;
        let control = format!("#filters input[value={filter}]");
        browser.click(&control)?;
        if browser.value(visible)? == before {
            return Err(format!("the filter `{filter}` hides nothing in {place}"));
        }
        browser.click(&control)?;
        browser.expect(visible, before)?;
    }
    // A filter that has nothing to hide cannot be used.
    let usable = "[...document.querySelectorAll('#filters input:enabled')].map((it) => it.value)";
    browser.open(page, "#stage=sea&view=graph")?;
    browser.expect(usable, json!(["constants", "types"]))?;
    browser.check_events()
}

/// The name of a rule leads to its step, and again to the next one.
fn rules_are_found(browser: &mut Browser, page: &Path) -> Result<(), String> {
    browser.open(page, "#stage=parsed&view=graph")?;
    let rule = browser.value("stage().steps.list[3].rule")?;
    let rule = rule.as_str().unwrap_or_default();
    browser.press("/")?;
    browser.call("Input.insertText", json!({ "text": rule }))?;
    browser.press("Enter")?;
    browser.expect("state.view", json!("steps"))?;
    browser.expect("document.querySelector('#rewrite .rule').textContent", json!(rule))?;
    browser.press("Escape")?;
    browser.check_events()
}

/// The pointer over a node shows its text and its type.
fn types_are_shown(browser: &mut Browser, page: &Path) -> Result<(), String> {
    browser.open(page, "#stage=sea&view=graph")?;
    let hint = "[...document.querySelectorAll('#canvas .node > title')]\
                .map((it) => it.textContent).includes('Div: [-100-100]')";
    browser.expect(hint, json!(true))?;
    browser.check_events()
}

fn texts_are_there(browser: &mut Browser, page: &Path) -> Result<(), String> {
    let count = browser.value("data.stages.length")?;
    for stage in 0..count.as_u64().unwrap_or_default() {
        let name = browser.value(&format!("data.stages[{stage}].name"))?;
        let name = name.as_str().unwrap_or_default();
        browser.open(page, &format!("#stage={name}&view=text"))?;
        let has_text = "document.querySelector('#text pre').textContent.trim().length > 20";
        browser.expect(has_text, json!(true)).map_err(|err| format!("{name}: {err}"))?;
    }
    browser.check_events()
}

/// The graph is saved as SVG in its own size, and as Graphviz text.
fn graphs_are_saved(browser: &mut Browser, page: &Path, folder: &Path) -> Result<(), String> {
    let saved = folder.join("saved");
    fs::create_dir_all(&saved).map_err(|err| err.to_string())?;
    let saved = fs::canonicalize(&saved).map_err(|err| err.to_string())?;
    let parameters = json!({ "behavior": "allow", "downloadPath": saved });
    browser.call("Page.setDownloadBehavior", parameters)?;
    browser.open(page, "#stage=firm&view=graph")?;
    for (control, extension, begin, part) in [
        ("#save-svg", "svg", "<svg ", "data-node=\"n4\""),
        ("#save-dot", "dot", "digraph", "n2 -> n1"),
    ] {
        browser.click(control)?;
        let file = saved.join(format!("loop.firm.{extension}"));
        let text = read_when_complete(&file)?;
        if !text.starts_with(begin) || !text.contains(part) {
            return Err(format!("{}: {}", file.display(), &text[..text.len().min(200)]));
        }
    }
    browser.check_events()
}

/// The text of a file that the browser writes.
fn read_when_complete(file: &Path) -> Result<String, String> {
    for _ in 0..100 {
        if let Ok(text) = fs::read_to_string(file)
            && !text.is_empty()
        {
            return Ok(text);
        }
        thread::sleep(Duration::from_millis(50));
    }
    Err(format!("{} was not saved", file.display()))
}

/// Nothing is optimized in the generated programs, so `sea` is as `parsed`.
pub fn unchanged_stages_are_grey(browser: &mut Browser) -> Result<(), String> {
    browser.value("go({ stage: stageNamed('firm') })")?;
    browser.settle()?;
    let colour =
        |tab: &str| format!("getComputedStyle(document.getElementById('tab-{tab}')).color");
    let same = "[...document.querySelectorAll('#tabs .same')].map((it) => it.id)";
    browser.expect(&format!("{same}.includes('tab-sea')"), json!(true))?;
    let [sea, parsed] = [browser.value(&colour("sea"))?, browser.value(&colour("parsed"))?];
    if sea == parsed {
        return Err("the unchanged stage has the colour of the others".to_string());
    }
    browser.value("go({ stage: stageNamed('sea') })")?;
    browser.settle()?;
    let reason = "document.getElementById('same').textContent";
    browser.expect(reason, json!("sea changes nothing in this program: it is as parsed."))
}
