//! `sonc lsp`: a language server over standard input and output. An editor sends the text of each
//! open program, and receives its errors and warnings, and corrections of misspelt names.
use crate::arguments::{Arguments, Command};
use crate::files::{Failure, Outcome};
use crate::{Job, rules};
use clap::{Args, Parser};
use lsp_server::{Connection, Message, Notification, Request, Response};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, Diagnostic,
    DiagnosticRelatedInformation, DiagnosticSeverity, DidChangeTextDocumentParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, Location, NumberOrString, Position,
    PublishDiagnosticsParams, Range, TextEdit, Uri, WorkspaceEdit,
};
use serde_json::json;
use sonc::{Artifact, Halt, Source, Stage, StageObserver};
use source::Span;
use std::collections::HashMap;

#[derive(Args)]
pub struct Lsp {}

/// What the server can do. A change sends the whole text, positions count units of UTF-16.
fn capabilities() -> serde_json::Value {
    json!({
        "positionEncoding": "utf-16",
        "textDocumentSync": 1,
        "codeActionProvider": { "codeActionKinds": ["quickfix"] },
    })
}

impl Lsp {
    pub fn execute(self) -> Outcome {
        let (connection, threads) = Connection::stdio();
        let served = serve(&connection);
        drop(connection);
        threads.join().map_err(failure)?;
        served
    }
}

fn failure(error: impl std::fmt::Display) -> Failure {
    Failure::Message(format!("the language server: {error}"))
}

/// Answers messages until the editor ends the session.
fn serve(connection: &Connection) -> Outcome {
    let standard = Arguments::try_parse_from(["sonc", "check", "-"]).map_err(failure)?;
    let Command::Check(check) = standard.command else { unreachable!("it is `check`") };
    let source = Source { name: String::new(), text: String::new() };
    let mut job = Job { compile: &check.compile, source, rules: rules::built_in()? };
    connection.initialize(capabilities()).map_err(failure)?;
    for message in &connection.receiver {
        match message {
            Message::Request(request) => {
                if connection.handle_shutdown(&request).map_err(failure)? {
                    return Ok(());
                }
                connection.sender.send(answer(request).into()).map_err(failure)?;
            }
            Message::Notification(it) if it.method == "exit" => break,
            Message::Notification(it) => {
                if let Some(report) = publish(it, &mut job) {
                    connection.sender.send(report.into()).map_err(failure)?;
                }
            }
            Message::Response(_) => {}
        }
    }
    Err(failure("the session ended without `shutdown`"))
}

fn answer(request: Request) -> Response {
    if request.method != "textDocument/codeAction" {
        let code = lsp_server::ErrorCode::MethodNotFound as i32;
        return Response::new_err(request.id, code, format!("no method `{}`", request.method));
    }
    match serde_json::from_value(request.params) {
        Ok(parameters) => Response::new_ok(request.id, corrections(parameters)),
        Err(error) => {
            let code = lsp_server::ErrorCode::InvalidParams as i32;
            Response::new_err(request.id, code, error.to_string())
        }
    }
}

/// The diagnostics after a text has been opened, changed or closed. There is no answer to a
/// notification, so one that cannot be read is ignored.
fn publish(notification: Notification, job: &mut Job) -> Option<Notification> {
    let (uri, text) = changed_text(notification)?;
    let diagnostics = text.map_or(Vec::new(), |text| diagnostics(&uri, text, job));
    let report = PublishDiagnosticsParams { uri, diagnostics, version: None };
    Some(Notification::new("textDocument/publishDiagnostics".to_string(), report))
}

/// The file that was opened, changed or closed, and its text.
fn changed_text(notification: Notification) -> Option<(Uri, Option<String>)> {
    let parameters = notification.params;
    match notification.method.as_str() {
        "textDocument/didOpen" => {
            let opened: DidOpenTextDocumentParams = serde_json::from_value(parameters).ok()?;
            Some((opened.text_document.uri, Some(opened.text_document.text)))
        }
        "textDocument/didChange" => {
            let changed: DidChangeTextDocumentParams = serde_json::from_value(parameters).ok()?;
            let last = changed.content_changes.into_iter().last()?;
            Some((changed.text_document.uri, Some(last.text)))
        }
        "textDocument/didClose" => {
            let closed: DidCloseTextDocumentParams = serde_json::from_value(parameters).ok()?;
            Some((closed.text_document.uri, None))
        }
        _ => None,
    }
}

/// Collects the warnings of a compilation.
#[derive(Default)]
struct Warnings(Vec<sonc::Diagnostic>);

impl StageObserver for Warnings {
    fn stage_done(&mut self, _: Stage, _: &dyn Artifact) -> Result<(), Halt> {
        Ok(())
    }

    fn warn(&mut self, warnings: &[sonc::Diagnostic]) -> Result<(), Halt> {
        self.0.extend_from_slice(warnings);
        Ok(())
    }
}

/// The errors and warnings of a program, as `sonc check` finds them.
fn diagnostics(uri: &Uri, text: String, job: &mut Job) -> Vec<Diagnostic> {
    job.source = Source { name: uri.path().to_string(), text };
    let mut warnings = Warnings::default();
    let errors = match job.compile_observed(job.options(), &mut warnings) {
        Err(Failure::Diagnostics(errors, _)) => errors,
        _ => Vec::new(),
    };
    let text = &job.source.text;
    let errors = errors.iter().map(|it| report(it, DiagnosticSeverity::ERROR, uri, text));
    let warnings = warnings.0;
    let warnings = warnings.iter().map(|it| report(it, DiagnosticSeverity::WARNING, uri, text));
    errors.chain(warnings).collect()
}

fn report(
    it: &sonc::Diagnostic,
    severity: DiagnosticSeverity,
    uri: &Uri,
    text: &str,
) -> Diagnostic {
    let letter = if severity == DiagnosticSeverity::ERROR { 'E' } else { 'W' };
    let help = it.help.iter().map(|help| format!("\nhelp: {help}")).collect::<String>();
    let also = it.also.as_deref().map(|(span, note)| {
        let location = Location { uri: uri.clone(), range: range(text, *span) };
        vec![DiagnosticRelatedInformation { location, message: note.clone() }]
    });
    Diagnostic {
        range: range(text, it.span),
        severity: Some(severity),
        code: Some(NumberOrString::String(format!("{letter}{:02}", it.code as u8))),
        source: Some("sonc".to_string()),
        message: format!("{}\n{}{help}", it.message, it.label),
        related_information: also,
        data: correction(it, text).map(|name| json!(name)),
        ..Diagnostic::default()
    }
}

/// The name that help proposes instead of the name at the place of an error.
fn correction<'d>(it: &'d sonc::Diagnostic, text: &str) -> Option<&'d str> {
    let name = it.help.as_deref()?.strip_prefix("did you mean `")?.strip_suffix("`?")?;
    let wrong = text.get(it.span.start as usize..it.span.end as usize)?;
    let is_name = !wrong.is_empty() && wrong.chars().all(|it| it == '_' || it.is_alphanumeric());
    is_name.then_some(name)
}

/// The quick fixes for the diagnostics at a place.
fn corrections(parameters: CodeActionParams) -> Vec<CodeActionOrCommand> {
    let uri = parameters.text_document.uri;
    let correct = |it: Diagnostic| {
        let name = it.data.as_ref()?.as_str()?.to_string();
        let title = format!("Replace by `{name}`");
        let edits = vec![TextEdit { range: it.range, new_text: name }];
        let changes = Some(HashMap::from([(uri.clone(), edits)]));
        Some(CodeActionOrCommand::CodeAction(CodeAction {
            title,
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![it]),
            edit: Some(WorkspaceEdit { changes, ..WorkspaceEdit::default() }),
            is_preferred: Some(true),
            ..CodeAction::default()
        }))
    };
    parameters.context.diagnostics.into_iter().filter_map(correct).collect()
}

fn range(text: &str, span: Span) -> Range {
    Range { start: position(text, span.start as usize), end: position(text, span.end as usize) }
}

/// The line of a byte, and the units of UTF-16 before it. `\n`, `\r\n` and `\r` end a line.
fn position(text: &str, byte: usize) -> Position {
    let mut at = Position::default();
    let mut characters = text.char_indices().peekable();
    while let Some((start, character)) = characters.next() {
        if start + character.len_utf8() > byte {
            break;
        }
        let is_pair = character == '\r' && characters.peek().is_some_and(|it| it.1 == '\n');
        if character == '\n' || character == '\r' && !is_pair {
            at = Position::new(at.line + 1, 0);
        } else {
            at.character += character.len_utf16() as u32;
        }
    }
    at
}
