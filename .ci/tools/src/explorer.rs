//! Chromium opens pages of `sonc explore` from the disk, without a network.
use crate::browser::Browser;
use crate::{Checked, controls, run, scratch};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// A program for which every stage has rewrites.
const LOOP: &str = "int s = 0;
int i = 0;
int on = 1;
while (i < arg) {
    // Größe: a text that is not ASCII.
    s = s + i * 2;
    i = i + on;
    if (on != 1) s = s / i;
}
if (arg) s = s + 100 / arg;
return s;
";

/// A program with memory, a long line, and a pass on Firm.
const MARKED: &str = "struct S { int x; }
S s = new S; // A comment that is much longer than the pane of the source text is wide, even here.
s.x = arg;
while (s.x < arg * arg) s.x = s.x + arg;
int a = 1;
if (arg > 3) a = arg;
s.x = s.x + a;
return s;
";

pub fn check(sonc: &Path) -> Checked {
    let folder = &scratch("explorer")?;
    let programs = Programs { sonc, folder };
    let mut browser = Browser::start(folder)?;
    let page = programs.page("loop.smp", LOOP, &[])?;
    clicks_highlight_all_stages(&mut browser, &page)?;
    steps_are_followed(&mut browser, &page)?;
    links_open_states(&mut browser, &page)?;
    let marked = programs.page("marked.smp", MARKED, &[])?;
    marks_are_seen(&mut browser, &marked)?;
    every_step_has_a_mark(&mut browser, &marked)?;
    long_lines_are_wrapped(&mut browser, &marked)?;
    matrices_are_tables(&mut browser, &page)?;
    differences_are_coloured(&mut browser, &page)?;
    functions_are_linked(programs, &mut browser)?;
    one_function_is_shown(programs, &mut browser)?;
    flow_graphs_are_linked(programs, &mut browser)?;
    pages_begin_at_the_top(programs, &mut browser)?;
    instructions_are_explained(&mut browser, &page)?;
    controls::check(&mut browser, &page, folder)?;
    watched_pages_reload(programs, &mut browser)?;
    pages_fit(&mut browser, &page)?;
    let mut summary = vec!["a loop".to_string()];
    for nodes in [200, 2_000] {
        let page = programs.page(&format!("nodes-{nodes}.smp"), &program(nodes), &[])?;
        browser.open(&page, "")?;
        let drawn = browser.value("document.querySelectorAll('#canvas .node').length")?;
        if drawn.as_u64().is_none_or(|drawn| drawn < nodes as u64 / 2) {
            return Err(format!("{nodes} nodes: {drawn} are drawn"));
        }
        controls::unchanged_stages_are_grey(&mut browser)?;
        browser.check_events()?;
        pages_fit(&mut browser, &page)?;
        let bytes = fs::metadata(&page).map_err(|err| err.to_string())?.len();
        summary.push(format!("{drawn} nodes in {} kB", bytes / 1000));
    }
    Ok(summary.join(", "))
}

/// Three functions, of one block each.
const FUNCTIONS: &str = "(?square (func-1-inputs-1-outputs (* get-0 get-0))
(?sum (func-1-inputs-1-outputs (+ get-0 (get-0 (call ?square get-0))))
(func-1-inputs-1-outputs (- (get-0 (call ?sum get-0)) 7))))
";

const FLOW: &str = "function -> a\nlabel top\n* a a -> b\nreturn b\n";

/// The compiler, and the folder of its programs.
#[derive(Clone, Copy)]
pub struct Programs<'a> {
    pub sonc: &'a Path,
    pub folder: &'a Path,
}

impl Programs<'_> {
    /// Writes a program and its page.
    pub fn page(self, name: &str, text: &str, options: &[&str]) -> Result<PathBuf, String> {
        let program = self.folder.join(name);
        fs::write(&program, text).map_err(|err| format!("{}: {err}", program.display()))?;
        let words = ["explore", "--arg", "5", &program.to_string_lossy()];
        run(self.sonc, &[&words, options].concat())?;
        Ok(program.with_extension("html"))
    }
}

/// A program whose sea has about so many nodes.
pub fn program(nodes: usize) -> String {
    let mut text = String::from("int a = arg; int b = 1; int c = 2;\n");
    let block = |at: usize| {
        let (small, large) = (at % 7 + 2, at % 11 + 3);
        format!("if (a < b + {large}) {{ b = b + a * {small}; }} else {{ a = a - c / {large}; }}\n")
    };
    (0..nodes / 10).for_each(|at| text += &block(at));
    text + "return a + b + c;\n"
}

fn clicks_highlight_all_stages(browser: &mut Browser, page: &Path) -> Result<(), String> {
    browser.look(1600, 1000, "light")?;
    browser.open(page, "")?;
    browser
        .expect("document.getElementById('result').textContent", json!("40 for the argument 5"))?;
    browser.click("#tab-firm")?;
    let multiplication =
        "data.stages[state.stage].nodes.find((it) => it.text.includes('Mul')).name";
    let name = browser.value(multiplication)?;
    let name = name.as_str().ok_or("Firm has no multiplication")?;
    browser.click(&format!("#canvas .node[data-node='{name}']"))?;
    let lit = "[...document.querySelectorAll('#source .lit')].map((it) => it.textContent)";
    browser.expect(lit, json!(["*"]))?;
    let panes = "[...document.querySelectorAll('#linked-pane > div')].map((it) => \
                 it.querySelector('.lit') !== null)";
    browser.expect(panes, json!([true, true, true, true]))?;
    browser.expect("state.node", json!(name))?;
    for stage in ["sea", "blocks", "lowered", "pbqp", "selected", "allocated", "bytes", "elf"] {
        browser.click(&format!("#tab-{stage}"))?;
        browser.expect("stage().name", json!(stage))?;
    }
    browser.click("#source .token[data-origin]")?;
    browser.expect("document.querySelectorAll('#source .lit').length > 0", json!(true))?;
    browser.check_events()
}

fn steps_are_followed(browser: &mut Browser, page: &Path) -> Result<(), String> {
    for stage in ["parsed", "sea", "lowered", "pbqp"] {
        browser.look(1600, 1000, "light")?;
        browser.open(page, &format!("#stage={stage}&step=1"))?;
        browser.expect("state.view", json!("steps"))?;
        let count = browser.value("stage().steps.list.length")?;
        for step in 1..count.as_u64().unwrap_or_default() {
            browser.press("ArrowRight")?;
            browser.expect("state.step", json!(step))?;
            let rule = "document.querySelector('#rewrite .rule').textContent === \
                        stage().steps.list[state.step].rule";
            browser.expect(rule, json!(true))?;
            let shown = "document.querySelectorAll('#canvas .node:not(.gone)').length === \
                         graphsOf(stage()).after[state.step].nodes.size";
            browser.expect(shown, json!(true))?;
        }
    }
    browser.check_events()
}

/// Marked nodes of all kinds have the colour of marks, and texts that can be read on it.
fn marks_are_seen(browser: &mut Browser, page: &Path) -> Result<(), String> {
    let marks = "(() => { \
        const color = (name) => { const it = document.createElement('p'); \
            it.style.color = `var(${name})`; document.body.append(it); \
            const { color } = getComputedStyle(it); it.remove(); return color; }; \
        return [...document.querySelectorAll('#canvas .node')].every((node) => { \
            node.classList.add('root'); \
            const shape = node.querySelector('.shape, .cell'); \
            const text = node.querySelector('text'); \
            return getComputedStyle(shape).fill === color('--mark') && \
                getComputedStyle(text).fill === color('--on-mark'); }); })()";
    for colours in ["light", "dark"] {
        browser.look(1600, 1000, colours)?;
        browser.open(page, "#stage=sea&view=graph")?;
        for kind in ["control", "memory", "data"] {
            let kind = format!("document.querySelector('#canvas .node.{kind}') !== null");
            browser.expect(&kind, json!(true))?;
        }
        browser.expect(marks, json!(true))?;
    }
    browser.check_events()
}

/// A function that is chosen is shown alone, in each stage that has it.
fn one_function_is_shown(programs: Programs, browser: &mut Browser) -> Result<(), String> {
    let text = "val f = { int m, int n -> m == 0 ? n : f(m - 1, f(m / 2, n + 1)); };\n\
                return f(arg, 1);\n";
    let page = programs.page("functions.smp", text, &[])?;
    browser.look(1600, 1000, "light")?;
    for stage in ["firm", "selected"] {
        browser.open(&page, &format!("#stage={stage}&view=graph&function=f"))?;
        let inside = "(() => { const svg = document.querySelector('#canvas svg'); \
            const outer = svg.getBoundingClientRect(); \
            const isShown = (it) => { const { top, bottom } = it.getBoundingClientRect(); \
                return top >= outer.top && bottom <= outer.bottom; }; \
            return [...nodeElements()].every((it) => \
                isShown(it) === it.dataset.node.startsWith('f1_')); })()";
        browser.expect(inside, json!(true))?;
        browser.expect("document.getElementById('function').value", json!("f"))?;
    }
    browser.check_events()
}

/// A large drawing shows its highest node, and lines about figures are hidden.
fn pages_begin_at_the_top(programs: Programs, browser: &mut Browser) -> Result<(), String> {
    let text = format!("// show: sea\n{}", program(200));
    let page = programs.page("top.smp", &text, &[])?;
    for colours in ["light", "dark"] {
        browser.look(390, 844, colours)?;
        browser.open(&page, "#stage=sea&view=graph")?;
        let start = "(() => { const canvas = document.getElementById('canvas'); \
            const [outer, inner] = [canvas, elementOf('n0')] \
                .map((it) => it.getBoundingClientRect()); \
            return inner.top >= outer.top && inner.bottom <= outer.bottom && \
                inner.right > outer.left && inner.left < outer.right; })()";
        browser.expect(start, json!(true))?;
        browser.expect("document.querySelector('#source span').hidden", json!(true))?;
    }
    browser.check_events()
}

/// The instructions of a selected block have sentences, and the blocks of a loop its depth.
fn instructions_are_explained(browser: &mut Browser, page: &Path) -> Result<(), String> {
    browser.look(1600, 1000, "light")?;
    browser.open(page, "#stage=selected&view=graph&node=b0")?;
    let text =
        "document.getElementById('info').textContent.includes('Copies DWORD PTR [argument 0]')";
    browser.expect(text, json!(true))?;
    browser.open(page, "#stage=blocks&view=graph&compare=early")?;
    let depth = "[...document.querySelectorAll('#before .cluster-title')] \
                 .some((it) => it.textContent.includes('in a loop'))";
    browser.expect(depth, json!(true))?;
    browser.check_events()
}

/// Also the steps of passes, which have no graph of their own.
fn every_step_has_a_mark(browser: &mut Browser, page: &Path) -> Result<(), String> {
    browser.look(1600, 1000, "light")?;
    browser.open(page, "#stage=lowered&step=1")?;
    browser.expect("stage().steps.list.some((it) => !it.graph)", json!(true))?;
    let marks = "document.querySelectorAll('#source .lit, #canvas .node.root, #canvas .node.new, \
                 #canvas .node.changed, #canvas .edge.new').length > 0";
    let count = browser.value("stage().steps.list.length")?;
    for _ in 0..count.as_u64().unwrap_or_default() {
        browser.expect(marks, json!(true))?;
        browser.press("ArrowRight")?;
    }
    browser.check_events()
}

fn long_lines_are_wrapped(browser: &mut Browser, page: &Path) -> Result<(), String> {
    browser.open(page, "#stage=sea&view=graph")?;
    let fits = "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)\
                (document.getElementById('source'))";
    browser.expect(fits, json!(true))?;
    browser.check_events()
}

/// The matrices of a PBQP are tables with headings, at a click and at a step.
fn matrices_are_tables(browser: &mut Browser, page: &Path) -> Result<(), String> {
    browser.look(1600, 1000, "light")?;
    browser.open(page, "#stage=pbqp&view=graph")?;
    browser.click("#canvas .label")?;
    let label =
        "[...document.querySelectorAll('#canvas .label.lit text')].map((it) => it.textContent)";
    let costs = "[...document.querySelectorAll('#info td')].map((it) => it.textContent)";
    let costs = browser.value(costs)?;
    browser.expect(label, costs)?;
    browser.expect("document.querySelectorAll('#info th').length > 1", json!(true))?;
    browser.open(page, "#stage=pbqp&step=1")?;
    let drawn = "[...document.querySelectorAll('#canvas .label:not(.gone)')].every((it) => \
                 [...it.querySelectorAll('text')].map((it) => it.textContent).join(' ') === \
                 graphsOf(stage()).after[state.step].edges.get(edgeName(it)) \
                 .replace(/\\n| · /g, ' '))";
    let tables = "document.querySelectorAll('#rewrite td').length";
    let mut cells = 0;
    for _ in 0..20 {
        browser.expect(drawn, json!(true))?;
        cells += browser.value(tables)?.as_u64().unwrap_or_default();
        browser.press("ArrowRight")?;
    }
    if cells == 0 {
        return Err("no step shows costs".to_string());
    }
    browser.check_events()
}

/// The optimizer removes the comparison of a constant; both graphs show the rest.
fn differences_are_coloured(browser: &mut Browser, page: &Path) -> Result<(), String> {
    browser.open(page, "#stage=sea&view=graph&compare=parsed")?;
    let removed = "[...document.querySelectorAll('#before .node.old text:first-of-type')]\
                   .map((it) => it.textContent).sort()";
    browser.expect(removed, json!(["Div", "EQ", "If", "Not", "Phi_s", "Region"]))?;
    browser.expect("document.querySelectorAll('#canvas .node.new').length", json!(0))?;
    // A node of the other graph is selected in both.
    browser.click("#before .node.old")?;
    browser.expect("document.querySelector('#before .node.old.lit') !== null", json!(true))?;
    browser.expect("document.querySelector('#source .lit') !== null", json!(true))?;
    let summary = "document.getElementById('changes').textContent";
    browser.expect(&format!("{summary}.includes('removed: 6, added: 0')"), json!(true))?;
    browser.open(page, "#stage=firm&view=graph&compare=sea")?;
    browser.expect(&format!("{summary}.includes('places in the source')"), json!(true))?;
    browser.open(page, "#stage=sea&view=graph")?;
    browser.expect("document.getElementById('before').hidden", json!(true))?;
    browser.check_events()
}

/// Nodes and instructions of all functions, also those of one block, have their places.
fn functions_are_linked(programs: Programs, browser: &mut Browser) -> Result<(), String> {
    let calls_remain = ["--without", "call-known"];
    let page = programs.page("functions.rv", FUNCTIONS, &calls_remain)?;
    let lit = "[...document.querySelectorAll('#source .lit, #linked-pane .lit')]\
               .map((it) => it.textContent.trim().split(' ') \
               .find((word) => /[*]|Mul|imul/.test(word))).filter((word) => word)";
    for (stage, element) in [
        ("region", "document.querySelectorAll('#canvas .node')"),
        ("firm", "document.querySelectorAll('#canvas .node')"),
        ("allocated", "document.querySelectorAll('#canvas .cell[data-port] + text')"),
    ] {
        browser.open(&page, &format!("#stage={stage}&view=graph"))?;
        let find = format!(
            "(() => {{ const it = [...{element}] \
             .find((it) => /[*]|Mul|imul/.test(it.textContent)); \
             (it.matches('text') ? it.previousSibling.previousSibling : it).id = 'found'; }})()"
        );
        browser.value(&find)?;
        browser.click("#found")?;
        browser.expect(lit, json!(["(*", "*", "Mul", "imul", "imul"]))?;
        browser.expect("document.querySelectorAll('#canvas .lit').length > 0", json!(true))?;
    }
    browser.open(&page, "#stage=egraph&view=graph")?;
    browser.expect("document.querySelectorAll('#canvas .marked').length > 3", json!(true))?;
    // Each function has reductions, and a step shows the nodes of its own function alone.
    browser.open(&page, "#stage=pbqp&step=1")?;
    let of_steps = "[...new Set(stage().steps.list.map((it) => functionOf(it.node)))]";
    browser.expect(of_steps, json!(["f0_", "f1_", "f2_"]))?;
    for _ in 0..browser.value("stage().steps.list.length")?.as_u64().unwrap_or_default() {
        let own = "[...document.querySelectorAll('#canvas .node:not(.gone)')].every((it) => \
                   functionOf(it.dataset.node) === \
                   functionOf(stage().steps.list[state.step].node))";
        browser.expect(own, json!(true))?;
        browser.press("ArrowRight")?;
    }
    browser.check_events()
}

/// An instruction of a control-flow graph is found in its regions, in Firm and in the code.
fn flow_graphs_are_linked(programs: Programs, browser: &mut Browser) -> Result<(), String> {
    let page = programs.page("square.cfg", FLOW, &[])?;
    browser.open(&page, "#stage=flow&view=graph")?;
    browser
        .expect("document.getElementById('result').textContent", json!("25 for the argument 5"))?;
    browser.click("#canvas .cell[data-port=i0]")?;
    let lit = "[...document.querySelectorAll('#source .lit, #linked-pane .lit')]\
               .map((it) => it.textContent.trim().split(' ') \
               .find((word) => /[*]|Mul|imul/.test(word)))";
    browser.expect(lit, json!(["*", "*", "*", "Mul", "imul", "imul"]))?;
    browser.check_events()
}

/// A page of `sonc watch` reloads itself when its program is saved, and shows the errors of it.
fn watched_pages_reload(programs: Programs, browser: &mut Browser) -> Result<(), String> {
    let Programs { sonc, folder } = programs;
    let program = folder.join("watched.smp");
    let save = |text: &str| fs::write(&program, text).map_err(|err| err.to_string());
    save("return arg + 1;")?;
    let page = program.with_extension("html");
    let mut command = Command::new(sonc);
    command.args(["watch", "--arg", "2"]).arg(&program);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut watch = command.spawn().map_err(|err| format!("{}: {err}", sonc.display()))?;
    let watched = wait_until(|| Ok(page.with_extension("html.stamp.js").exists())).and_then(|()| {
        browser.open(&page, "#stage=firm&view=text")?;
        let result = "document.getElementById('result')?.textContent";
        browser.expect(result, json!("3 for the argument 2"))?;
        save("return arg +;")?;
        let report = "document.getElementById('report').textContent.includes('return arg +;')";
        wait_until(|| Ok(browser.value(report)? == json!(true)))?;
        save("return arg * 4;")?;
        // While it reloads, the page has no values.
        let is_new = |value: Value| value == json!("8 for the argument 2");
        wait_until(|| Ok(browser.value(result).is_ok_and(is_new)))?;
        browser.settle()?;
        browser.expect("[stage().name, state.view]", json!(["firm", "text"]))?;
        browser.expect("document.getElementById('report').hidden", json!(true))?;
        browser.check_events()
    });
    let _ = watch.kill();
    let _ = watch.wait();
    watched
}

/// Asks again and again, for a minute.
fn wait_until(mut is_so: impl FnMut() -> Result<bool, String>) -> Result<(), String> {
    for _ in 0..600 {
        if is_so()? {
            return Ok(());
        }
        thread::sleep(Duration::from_millis(100));
    }
    Err("the watched page does not change".to_string())
}

/// Nothing is wider than the window. The screenshots are for people.
fn pages_fit(browser: &mut Browser, page: &Path) -> Result<(), String> {
    for (width, height) in [(390, 844), (1600, 1000)] {
        for colours in ["light", "dark"] {
            browser.look(width, height, colours)?;
            for state in ["stage=sea", "stage=firm&node=9", "stage=sea&step=1"] {
                browser.open(page, &format!("#{state}"))?;
                let fits = "document.documentElement.scrollWidth <= innerWidth";
                browser.expect(fits, json!(true))?;
                let view = browser.value("state.view")?;
                let view = format!("{width}-{colours}-{}", view.as_str().unwrap_or_default());
                let name = format!("{view}-{}.png", &state[6..9]);
                browser.screenshot(&page.with_extension(name))?;
            }
        }
    }
    browser.check_events()
}

fn links_open_states(browser: &mut Browser, page: &Path) -> Result<(), String> {
    browser.open(page, "#stage=firm&node=4")?;
    browser.expect("[stage().name, state.view, state.node]", json!(["firm", "graph", "n4"]))?;
    browser.press("t")?;
    let address = "location.hash";
    browser.expect(address, json!("#stage=firm&view=text&node=n4"))?;
    browser.open(page, "#stage=sea&view=text&compare=parsed")?;
    // Other numbers of nodes are no difference.
    let added = "[...document.querySelectorAll('#text .added')]\
                 .map((it) => it.textContent.split(/ +/)[1])";
    browser.expect(added, json!(["1", "Add", "Add"]))?;
    browser.open(page, "#stage=firm&view=graph")?;
    browser.click("#filters input[value=constants]")?;
    let gone = "document.querySelectorAll('#canvas .node.filtered').length > 0";
    browser.expect(gone, json!(true))?;
    browser.click("#search")?;
    browser.call("Input.insertText", json!({ "text": "phi" }))?;
    browser.press("Enter")?;
    browser.expect("stage().byName.get(state.node).text.includes('Phi')", json!(true))?;
    browser.check_events()
}
