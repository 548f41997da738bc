//! Errors and stages as JSON, for editors, graders and other tools. `docs/json.md` describes it.
use crate::Job;
use crate::arguments::{Check, Ir, OutputFormat};
use crate::files::{Failure, Outcome, print};
use picture::{Endpoint, Label, Picture};
use serde_json::{Value, json};
use sonc::{Diagnostic, Halt, Source, Stage};
use source::Span;

impl Check {
    pub fn execute(self) -> Outcome {
        let checked = self.check();
        match checked {
            Err(Failure::Diagnostics(errors, source)) if self.format == OutputFormat::Json => {
                let lines = Lines::new(&source.text);
                let report = |it| print(&format!("{}\n", report(it, &source, &lines)));
                errors.iter().try_for_each(report)?;
                // All has been said.
                Err(Failure::Report(String::new()))
            }
            checked => checked,
        }
    }

    fn check(&self) -> Outcome {
        let job = Job::new(&self.compile)?;
        job.compile(&mut |_, _| Ok(())).map(|_| ())
    }
}

impl Ir {
    /// Prints the selected stage, or all of them.
    pub fn print_json(&self) -> Outcome {
        let job = self.job()?;
        let mut stages = Vec::new();
        let last = self.compile.target.machine().last_stage();
        job.compile(&mut |stage, artifact| {
            if self.stage.is_none_or(|it| it == stage) {
                let [text, listing] = [artifact.print(), artifact.listing()];
                stages.push(stage_value(stage, [&text, &listing], artifact.picture().as_ref()));
            }
            if stage == last { Err(Halt::Stopped(stage)) } else { Ok(()) }
        })?;
        if stages.is_empty() {
            return Err(job.unsupported("be printed", &|_| true));
        }
        print(&format!("{}\n", json!({ "file": job.source.name, "stages": stages })))
    }
}

/// An error with its places.
fn report(error: &Diagnostic, source: &Source, lines: &Lines) -> Value {
    let also = error.also.as_deref();
    json!({
        "file": source.name,
        "code": format!("E{:02}", error.code as u8),
        "message": error.message,
        "label": error.label,
        "help": error.help,
        "span": lines.place(error.span),
        "also": also.map(|(span, text)| json!({ "text": text, "span": lines.place(*span) })),
    })
}

/// The starts of the lines of a text: a rule file may have thousands of errors.
struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Lines<'t> {
        let others = text.match_indices('\n').map(|(at, _)| at + 1);
        Lines { text, starts: std::iter::once(0).chain(others).collect() }
    }

    /// A range of bytes, and its ends as lines and columns.
    fn place(&self, span: Span) -> Value {
        let [(line, column), (end_line, end_column)] =
            [span.start, span.end].map(|it| self.position(it as usize));
        json!({
            "start": span.start,
            "end": span.end,
            "line": line,
            "column": column,
            "endLine": end_line,
            "endColumn": end_column,
        })
    }

    /// The line and the column of a byte.
    fn position(&self, byte: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|it| *it <= byte);
        let start = self.starts[line - 1];
        let mut before = start..=byte.min(self.text.len());
        let end = before.rfind(|it| self.text.is_char_boundary(*it)).unwrap_or(start);
        (line, self.text[start..end].chars().count() + 1)
    }
}

fn stage_value(stage: Stage, [text, listing]: [&str; 2], picture: Option<&Picture>) -> Value {
    json!({
        "name": stage.name(),
        "text": text,
        "listing": listing,
        "graph": picture.map(graph),
    })
}

fn graph(picture: &Picture) -> Value {
    let mut origins = std::collections::HashMap::new();
    for (name, range) in &picture.origins {
        origins.entry(name.as_str()).or_insert([range.start, range.end]);
    }
    let nodes = picture.nodes.iter().map(|node| {
        json!({
            "name": node.name,
            "kind": word(node.kind),
            "rows": rows(&node.rows),
            "source": origins.get(node.name.as_str()),
        })
    });
    let edges = picture.edges.iter().map(|edge| {
        let label = match &edge.label {
            Label::None => Value::Null,
            Label::Tail(text) => json!(text),
            Label::Table(table) => rows(table),
        };
        let [from, to] = [&edge.from, &edge.to].map(end);
        json!({ "from": from, "to": to, "kind": word(edge.kind), "label": label })
    });
    json!({ "nodes": nodes.collect::<Value>(), "edges": edges.collect::<Value>() })
}

fn rows(rows: &[Vec<picture::Cell>]) -> Value {
    let texts = |row: &Vec<picture::Cell>| row.iter().map(|it| json!(it.text)).collect::<Value>();
    rows.iter().map(texts).collect()
}

/// `n3`, or `n3:port`.
fn end(end: &Endpoint) -> String {
    let port = end.port.iter().map(|it| format!(":{it}")).collect::<String>();
    format!("{}{port}", end.node)
}

fn word(kind: picture::Kind) -> String {
    format!("{kind:?}").to_lowercase()
}
