//! Sizes and times of pages and drawings, for programs of about 10 to 20,000 nodes.
use crate::browser::Browser;
use crate::explorer::{Programs, program};
use crate::{run, scratch};
use serde_json::json;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

const NODES: [usize; 4] = [10, 200, 2_000, 20_000];
const STAGES: [&str; 8] =
    ["parsed", "sea", "blocks", "firm", "lowered", "pbqp", "selected", "allocated"];

/// Prints the table.
pub fn print(sonc: &Path) -> ExitCode {
    match table(sonc) {
        Ok(table) => {
            println!("{table}");
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}

fn table(sonc: &Path) -> Result<String, String> {
    let folder = &scratch("measure")?;
    let programs = Programs { sonc, folder };
    let mut browser = Browser::start(folder)?;
    browser.look(1600, 1000, "light")?;
    let mut columns = Vec::new();
    for nodes in NODES {
        columns.push(column(programs, &mut browser, nodes)?);
    }
    let head = NODES.map(|nodes| format!(" {nodes} |")).concat();
    let mut text = format!("| nodes |{head}\n|---|{}\n", "--:|".repeat(NODES.len()));
    for (at, (name, _)) in columns[0].iter().enumerate() {
        let cells = columns.iter().map(|column| format!(" {} |", column[at].1));
        text += &format!("| {name} |{}\n", cells.collect::<String>());
    }
    Ok(text)
}

/// The rows of one program, with their names.
fn column(
    programs: Programs,
    browser: &mut Browser,
    nodes: usize,
) -> Result<Vec<(String, String)>, String> {
    let start = Instant::now();
    let page = programs.page(&format!("nodes-{nodes}.smp"), &program(nodes), &[])?;
    let written = start.elapsed().as_secs_f64();
    let bytes = fs::metadata(&page).map_err(|err| err.to_string())?.len();
    let start = Instant::now();
    browser.open(&page, "#stage=tokens")?;
    let opened = start.elapsed().as_secs_f64();
    let memory = browser.call("Runtime.getHeapUsage", json!({}))?;
    let memory = memory["usedSize"].as_f64().unwrap_or_default() / 1e6;
    let mut rows = vec![
        ("page, kB".to_string(), (bytes / 1000).to_string()),
        ("written, s".to_string(), format!("{written:.1}")),
        ("opened, s".to_string(), format!("{opened:.1}")),
        ("memory of its script, MB".to_string(), format!("{memory:.0}")),
    ];
    for stage in STAGES {
        rows.push((format!("`{stage}`: nodes"), drawn_nodes(browser, stage)?));
        let start = Instant::now();
        browser.value(&format!("go({{ stage: stageNamed('{stage}'), view: 'graph' }})"))?;
        browser.settle()?;
        browser.value("document.body.offsetHeight")?;
        let shown = format!("{:.0} ms", start.elapsed().as_secs_f64() * 1000.0);
        let reason = browser.value("stage().reason !== null")? == json!(true);
        let drawn = if reason {
            "too large".to_string()
        } else {
            layout_time(programs.sonc, &page, stage)?
        };
        rows.push((format!("`{stage}`: drawn, shown"), format!("{drawn}, {shown}")));
    }
    Ok(rows)
}

fn drawn_nodes(browser: &mut Browser, stage: &str) -> Result<String, String> {
    let count = format!("data.stages[stageNamed('{stage}')].nodes.length");
    Ok(browser.value(&count)?.to_string())
}

/// The time of the layout: that of the picture without that of the Graphviz text.
fn layout_time(sonc: &Path, page: &Path, stage: &str) -> Result<String, String> {
    let program = page.with_extension("smp");
    let time = |format: &[&str]| {
        let out = page.with_extension("out").to_string_lossy().into_owned();
        let words = ["dot", &program.to_string_lossy(), "--stage", stage, "-o", &out];
        let start = Instant::now();
        run(sonc, &[&words, format].concat())?;
        Ok::<f64, String>(start.elapsed().as_secs_f64())
    };
    Ok(format!("{:.2} s", (time(&["--svg"])? - time(&[])?).max(0.0)))
}
