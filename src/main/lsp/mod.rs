//! `sonc lsp`: a language server over standard input and output. An editor sends the text of each
//! open program, and receives its errors and warnings, and answers about its names and values.
mod diagnostics;
mod documents;
mod hover;
mod names;
mod outline;
mod positions;

use crate::arguments::{Arguments, Command};
use crate::files::{Failure, Outcome};
use crate::{Job, rules};
use clap::{Args, Parser};
use documents::{Document, Server};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    PublishDiagnosticsParams, Uri,
};
use serde_json::{Value, json};
use sonc::Source;

#[derive(Args)]
pub struct Lsp {}

/// The abilities of the server. A change sends the whole text, positions count units of UTF-16.
fn capabilities() -> Value {
    json!({
        "positionEncoding": "utf-16",
        "textDocumentSync": 1,
        "codeActionProvider": { "codeActionKinds": ["quickfix"] },
        "hoverProvider": true,
        "definitionProvider": true,
        "referencesProvider": true,
        "renameProvider": { "prepareProvider": true },
        "documentSymbolProvider": true,
        "inlayHintProvider": true,
    })
}

/// Answers the parameters of a request.
type Handler = fn(&Server, Value) -> Result<Value, Refusal>;

const HANDLERS: &[(&str, Handler)] = &[
    ("textDocument/codeAction", diagnostics::corrections),
    ("textDocument/hover", hover::hover),
    ("textDocument/definition", names::definition),
    ("textDocument/references", names::references),
    ("textDocument/prepareRename", names::prepare_rename),
    ("textDocument/rename", names::rename),
    ("textDocument/documentSymbol", outline::symbols),
    ("textDocument/inlayHint", outline::hints),
];

/// The reason why a request has no answer.
struct Refusal {
    code: ErrorCode,
    message: String,
}

impl Refusal {
    fn new(message: String) -> Refusal {
        Refusal { code: ErrorCode::RequestFailed, message }
    }
}

impl From<serde_json::Error> for Refusal {
    fn from(error: serde_json::Error) -> Refusal {
        Refusal { code: ErrorCode::InvalidParams, message: error.to_string() }
    }
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
    let rules = rules::built_in()?;
    let job = Job { compile: &check.compile, source, rules, trace: false, argument: None };
    let mut server = Server::new(job);
    connection.initialize(capabilities()).map_err(failure)?;
    for message in &connection.receiver {
        match message {
            Message::Request(request) => {
                if connection.handle_shutdown(&request).map_err(failure)? {
                    return Ok(());
                }
                connection.sender.send(answer(&server, request).into()).map_err(failure)?;
            }
            Message::Notification(it) if it.method == "exit" => break,
            Message::Notification(it) => {
                if let Some(report) = publish(it, &mut server) {
                    connection.sender.send(report.into()).map_err(failure)?;
                }
            }
            Message::Response(_) => {}
        }
    }
    Err(failure("the session ended without `shutdown`"))
}

fn answer(server: &Server, request: Request) -> Response {
    let Some((_, handler)) = HANDLERS.iter().find(|it| it.0 == request.method) else {
        let code = ErrorCode::MethodNotFound as i32;
        return Response::new_err(request.id, code, format!("no method `{}`", request.method));
    };
    match handler(server, request.params) {
        Ok(result) => Response::new_ok(request.id, result),
        Err(refusal) => Response::new_err(request.id, refusal.code as i32, refusal.message),
    }
}

/// The diagnostics after a text has been opened, changed or closed. There is no answer to a
/// notification, so one that cannot be read is ignored, and so is a change of a file that is not
/// open, or to a version that is not a later one: its diagnostics would be out of date.
fn publish(notification: Notification, server: &mut Server) -> Option<Notification> {
    let event = event(notification)?;
    let is_later = |uri, version| server.version(uri).is_some_and(|last| last < version);
    let report = match event {
        Event::Changed(uri, version, _) if !is_later(&uri, version) => return None,
        Event::Opened(uri, version, text) | Event::Changed(uri, version, text) => {
            let document = Document::new(&uri, version, text);
            let diagnostics = server.diagnostics(&document);
            server.open(document);
            PublishDiagnosticsParams { uri, diagnostics, version: Some(version) }
        }
        Event::Closed(uri) => {
            server.close(&uri);
            PublishDiagnosticsParams { uri, diagnostics: Vec::new(), version: None }
        }
    };
    Some(Notification::new("textDocument/publishDiagnostics".to_string(), report))
}

/// A file was opened, changed or closed; its version, and its text.
enum Event {
    Opened(Uri, i32, String),
    Changed(Uri, i32, String),
    Closed(Uri),
}

fn event(notification: Notification) -> Option<Event> {
    let parameters = notification.params;
    match notification.method.as_str() {
        "textDocument/didOpen" => {
            let opened: DidOpenTextDocumentParams = serde_json::from_value(parameters).ok()?;
            let document = opened.text_document;
            Some(Event::Opened(document.uri, document.version, document.text))
        }
        "textDocument/didChange" => {
            let changed: DidChangeTextDocumentParams = serde_json::from_value(parameters).ok()?;
            let last = changed.content_changes.into_iter().last()?;
            let document = changed.text_document;
            Some(Event::Changed(document.uri, document.version, last.text))
        }
        "textDocument/didClose" => {
            let closed: DidCloseTextDocumentParams = serde_json::from_value(parameters).ok()?;
            Some(Event::Closed(closed.text_document.uri))
        }
        _ => None,
    }
}
