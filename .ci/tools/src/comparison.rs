//! Chromium opens a page of `sonc compare` from the disk, without a network.
use crate::browser::Browser;
use crate::{Checked, run, scratch};
use serde_json::json;
use std::fs;

/// Without optimization it has more instructions, and others.
const PROGRAM: &str = "int s = 0;
int i = 0;
while (i < arg) {
    s = s + i * 2 + i;
    if (1 == 2) s = s / i;
    i = i + 1;
}
return s;
";

/// The texts of a selector's elements, as an expression.
fn texts(selector: &str) -> String {
    format!("[...document.querySelectorAll({selector:?})].map((it) => it.textContent)")
}

pub fn check(sonc: &std::path::Path) -> Checked {
    let folder = scratch("comparison")?;
    let [program, page] = ["loop.smp", "page.html"].map(|it| folder.join(it));
    fs::write(&program, PROGRAM).map_err(|err| err.to_string())?;
    let [program, file] = [&program, &page].map(|it| it.to_string_lossy());
    let words = ["compare", &program, "--arg", "5", "--with", "no-opt", "--with", "select=greedy"];
    let printed = run(sonc, &[&words[..], &["--page", &file]].concat())?;
    let mut browser = Browser::start(&folder)?;
    browser.look(1600, 1000, "light")?;
    browser.open(&page, "")?;
    numbers_are_those_of_the_command(&mut browser, &printed)?;
    graphs_are_side_by_side(&mut browser)?;
    texts_are_side_by_side(&mut browser)?;
    for (width, height) in [(390, 844), (1600, 1000)] {
        browser.look(width, height, "dark")?;
        browser.open(&page, "")?;
        browser.expect("document.documentElement.scrollWidth <= innerWidth", json!(true))?;
        browser.screenshot(&page.with_extension(format!("{width}.png")))?;
    }
    browser.check_events()?;
    Ok("the graphs and texts of two configurations".to_string())
}

fn numbers_are_those_of_the_command(browser: &mut Browser, printed: &str) -> Result<(), String> {
    let rows = browser.value(&texts("#numbers tr"))?;
    let without_blanks = |text: &str| text.replace([' ', '\n'], "");
    let rows = rows.as_array().into_iter().flatten().filter_map(|it| it.as_str());
    let shown: String = rows.map(without_blanks).collect();
    let (_, table) = printed.split_once('\n').unwrap_or_default();
    if shown.is_empty() || shown != without_blanks(table) {
        return Err(format!("the numbers are {shown}, and the command prints\n{table}"));
    }
    Ok(())
}

/// Each tab shows the stage of both configurations, until another one is chosen to compare with.
fn graphs_are_side_by_side(browser: &mut Browser) -> Result<(), String> {
    for stage in ["sea", "firm", "allocated", "lowered"] {
        browser.click(&format!("#tab-{stage}"))?;
        let state = "[stage().name, state.compare]";
        browser.expect(state, json!([stage, format!("{stage} (no-opt)")]))?;
        for canvas in ["before", "canvas"] {
            let nodes = format!("document.querySelectorAll('#{canvas} .node').length > 0");
            browser.expect(&nodes, json!(true))?;
        }
    }
    let changes = "document.getElementById('changes').textContent \
                   .startsWith('lowered (no-opt) → lowered. Nodes removed: ')";
    browser.expect(changes, json!(true))?;
    let tabs = "[...document.getElementById('tabs').children].filter((it) => !it.hidden).length \
                * 2 === data.stages.length";
    browser.expect(tabs, json!(true))?;
    browser.check_events()
}

/// Each text is that of its configuration: together with the lines that it lacks, both are equally
/// long.
fn texts_are_side_by_side(browser: &mut Browser) -> Result<(), String> {
    browser.click("#tab-allocated")?;
    browser.click("#views button[value=text]")?;
    for (column, stage) in [(0, "compared()"), (1, "stage()")] {
        let lines = format!(
            "[...document.querySelectorAll('#text pre')[{column}].children] \
             .map((it) => it.textContent.trim()).filter((it) => it).join() \
             === linesOf({stage}).map((it) => it.trim()).filter((it) => it).join()"
        );
        browser.expect(&lines, json!(true))?;
    }
    let kinds = "['removed', 'added'].map((it, at) => \
                 document.querySelectorAll('#text pre')[at].querySelector('.' + it) !== null)";
    browser.expect(kinds, json!([true, true]))?;
    for length in ["children.length", "clientHeight"] {
        let lengths = format!(
            "new Set([...document.querySelectorAll('#text pre')].map((it) => it.{length})).size"
        );
        browser.expect(&lengths, json!(1))?;
    }
    let grey = "document.getElementById('tab-tokens').matches('.same')";
    browser.expect(grey, json!(true))
}
