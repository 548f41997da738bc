//! The language server, with a client that sends a whole session at once.
mod cases;
mod names;

use crate::json::MISTAKES;
use crate::random::Random;
use crate::sandbox::{Done, Sandbox};
use lsp_server::{Message, Notification, Request};
use serde_json::{Value, json};
use std::io::{BufReader, Cursor, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};

const URI: &str = "file:///program.smp";

fn request(id: i32, method: &str, parameters: Value) -> Message {
    Request::new(id.into(), method.to_string(), parameters).into()
}

fn notification(method: &str, parameters: Value) -> Message {
    Notification::new(method.to_string(), parameters).into()
}

fn opened(text: &str) -> Message {
    let document = json!({ "uri": URI, "languageId": "simple", "version": 1, "text": text });
    notification("textDocument/didOpen", json!({ "textDocument": document }))
}

/// Another text. The versions of an editor increase; that of the first text is 1.
fn changed(version: usize, text: &str) -> Message {
    let document = json!({ "uri": URI, "version": version });
    let changes = json!([{ "text": text }]);
    let parameters = json!({ "textDocument": document, "contentChanges": changes });
    notification("textDocument/didChange", parameters)
}

fn command() -> Command {
    let mut command = Sandbox::new().command(&["lsp"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.current_dir(std::env::temp_dir());
    command
}

fn serve(input: &[u8]) -> Done {
    let mut server = command().spawn().expect("sonc starts");
    let mut pipe = server.stdin.take().expect("a pipe");
    std::thread::scope(|scope| {
        // The server may answer before it has read all.
        scope.spawn(move || pipe.write_all(input).expect("the server reads"));
        server.wait_with_output().expect("the server ends").into()
    })
}

/// A client that waits for each answer.
struct Client {
    server: std::process::Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    requests: i32,
    version: usize,
}

impl Client {
    /// A client with an open program.
    fn new() -> Client {
        let mut server = command().spawn().expect("sonc starts");
        let input = server.stdin.take().expect("a pipe");
        let output = BufReader::new(server.stdout.take().expect("a pipe"));
        let mut client = Client { server, input, output, requests: 0, version: 1 };
        client.ask("initialize", json!({ "capabilities": {} }));
        client.send(notification("initialized", json!({})));
        client.send(opened(""));
        client.receive();
        client
    }

    fn send(&mut self, message: Message) {
        message.write(&mut self.input).expect("the server reads");
    }

    fn receive(&mut self) -> Value {
        let message = Message::read(&mut self.output).expect("a message").expect("a message");
        serde_json::to_value(message).expect("JSON")
    }

    /// The answer to a request.
    fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.requests += 1;
        self.send(request(self.requests, method, parameters));
        let answer = self.receive();
        assert_eq!(answer["id"], self.requests, "{answer}");
        answer
    }

    /// The diagnostics of another text.
    fn change(&mut self, text: &str) -> Vec<Value> {
        self.version += 1;
        self.send(changed(self.version, text));
        let report = self.receive();
        assert_eq!(report["params"]["version"], self.version, "{report}");
        report["params"]["diagnostics"].as_array().expect("a list").clone()
    }

    fn end(mut self) {
        self.ask("shutdown", Value::Null);
        self.send(notification("exit", Value::Null));
        assert!(self.server.wait().expect("the server ends").success());
    }
}

/// The messages of the server in a session with these messages of the client.
fn session(messages: Vec<Message>) -> Vec<Value> {
    let first = [
        request(1, "initialize", json!({ "capabilities": {} })),
        notification("initialized", json!({})),
    ];
    let last = [request(9, "shutdown", Value::Null), notification("exit", Value::Null)];
    let mut input = Vec::new();
    for message in first.into_iter().chain(messages).chain(last) {
        message.write(&mut input).expect("memory");
    }
    let done = serve(&input);
    assert_eq!((done.status, done.err.as_str()), (Some(0), ""), "{done:?}");
    let mut output = Cursor::new(done.out.as_bytes());
    let messages = std::iter::from_fn(|| Message::read(&mut output).expect("a message"));
    messages.map(|it| serde_json::to_value(it).expect("JSON")).collect()
}

/// The diagnostics that the server published, one array for each text.
fn published(messages: &[Value]) -> Vec<&Value> {
    let reports = messages.iter().filter(|it| it["method"] == "textDocument/publishDiagnostics");
    reports.map(|it| &it["params"]["diagnostics"]).collect()
}

/// The answer to the request with this number.
fn answer_to(id: i32, messages: &[Value]) -> &Value {
    messages.iter().find(|it| it["id"] == id).expect("an answer")
}

/// The byte of a position.
fn byte(text: &str, position: &Value) -> usize {
    let [line, column] = ["line", "character"].map(|it| position[it].as_u64().expect("a number"));
    let mut start = 0;
    for _ in 0..line {
        let rest = &text[start..];
        let end = rest.find(['\r', '\n']).expect("a line");
        start += end + if rest[end..].starts_with("\r\n") { 2 } else { 1 };
    }
    let mut units = 0;
    let is_before = |it: &(usize, char)| {
        let before = units;
        units += it.1.len_utf16() as u64;
        before < column
    };
    let before = text[start..].char_indices().take_while(is_before).last();
    start + before.map_or(0, |(at, character)| at + character.len_utf8())
}

/// The text after edits, which are in order.
fn edited(text: &str, edits: &Value) -> String {
    let mut text = text.to_string();
    for edit in edits.as_array().expect("a list").iter().rev() {
        let [start, end] = ["start", "end"].map(|it| byte(&text, &edit["range"][it]));
        text.replace_range(start..end, edit["newText"].as_str().expect("a text"));
    }
    text
}

#[test]
fn mistakes_have_the_same_words_and_places_as_json() {
    let texts = MISTAKES.map(|it| format!("// 😀\n{it}\n"));
    let mut messages = vec![opened("return 1;")];
    messages.extend((2..).zip(&texts).map(|(version, it)| changed(version, it)));
    let answers = session(messages);
    let reports = published(&answers);
    assert_eq!((reports.len(), reports[0]), (texts.len() + 1, &json!([])));
    let sandbox = Sandbox::new();
    for (text, report) in texts.iter().zip(&reports[1..]) {
        sandbox.write("mistake.smp", text.as_bytes());
        let done = sandbox.sonc(&["check", "mistake.smp", "--message-format", "json"]);
        let error: Value = serde_json::from_str(&done.out).expect("an object");
        let span = &error["span"];
        let place = |line: &str, column: &str| {
            let [line, column] = [line, column].map(|it| span[it].as_u64().expect("a number") - 1);
            json!({ "line": line, "character": column })
        };
        let range =
            json!({ "start": place("line", "column"), "end": place("endLine", "endColumn") });
        assert_eq!((&report[0]["range"], &report[0]["code"]), (&range, &error["code"]), "{text}");
        let message = report[0]["message"].as_str().expect("a text");
        for part in ["message", "label", "help"].iter().filter_map(|it| error[it].as_str()) {
            assert!(message.contains(part), "{part}: {message}");
        }
    }
}

/// The character before the error has four bytes, and two units of UTF-16.
#[test]
fn positions_count_units_of_utf_16() {
    let answers = session(vec![opened("return 1; // 😀\r\nreturn 😀€;")]);
    let range = &published(&answers)[0][0]["range"];
    assert_eq!(range["start"], json!({ "line": 1, "character": 7 }));
    let end = range["end"]["character"].as_u64();
    assert!([Some(9), Some(10)].contains(&end), "{range}");
}

#[test]
fn warnings_are_sent_and_a_closed_file_has_no_diagnostics() {
    let closed = json!({ "textDocument": { "uri": URI } });
    let wrong = notification("textDocument/didChange", json!({ "textDocument": 1 }));
    let program = "struct N { int v; } int v = arg; N n = new N { v = v; }; return n.v;";
    let answers =
        session(vec![opened(program), wrong, notification("textDocument/didClose", closed)]);
    let reports = published(&answers);
    assert_eq!(reports.len(), 2, "the wrong one is ignored");
    assert_eq!((&reports[0][0]["severity"], reports[1]), (&json!(2), &json!([])), "{reports:?}");
}

/// A report is about the last text, and says so: a change that arrives late has none.
#[test]
fn reports_have_the_version_of_the_last_text() {
    let closed = json!({ "textDocument": { "uri": URI } });
    let messages = vec![
        changed(1, "return before;"),
        opened("return a;"),
        changed(3, "return bc;"),
        changed(2, "return;"),
        changed(3, "return 3;"),
        changed(7, "return def;"),
        notification("textDocument/didClose", closed),
        changed(8, "return late;"),
    ];
    let answers = session(messages);
    let reports = answers.iter().filter(|it| it["method"] == "textDocument/publishDiagnostics");
    let width = |it: &Value| {
        let range = &it["range"];
        let [start, end] = ["start", "end"].map(|at| range[at]["character"].as_u64());
        end.zip(start).map(|(end, start)| end - start)
    };
    let parameters = reports.map(|it| (&it["params"]["version"], &it["params"]["diagnostics"][0]));
    let shown: Vec<_> = parameters.map(|(version, it)| (version.as_u64(), width(it))).collect();
    let expected = [(Some(1), Some(1)), (Some(3), Some(2)), (Some(7), Some(3)), (None, None)];
    assert_eq!(shown, expected);
}

const METHODS: &[&str] = &[
    "hover",
    "definition",
    "references",
    "prepareRename",
    "rename",
    "documentSymbol",
    "inlayHint",
];

/// Requests of all kinds at one position.
fn requests(first: i32, position: Value) -> impl Iterator<Item = Message> {
    let end = json!({ "line": 9, "character": 0 });
    let parameters = json!({
        "textDocument": { "uri": URI },
        "position": position,
        "newName": "x",
        "context": { "includeDeclaration": true },
        "range": { "start": position, "end": end },
    });
    let request = move |(method, id): (&&str, i32)| {
        request(id, &format!("textDocument/{method}"), parameters.clone())
    };
    METHODS.iter().zip(first..).map(request)
}

/// Any text has diagnostics and answers, and after many edits they are those of the last text.
#[test]
fn random_edits_end_with_the_errors_of_the_last_text() {
    let mut random = Random(7);
    let mut text: Vec<char> =
        "int count = 1;\nwhile (count < arg) count = count * 2;\nreturn count;".chars().collect();
    let pieces = [
        "😀", "é", "\r\n", ";", "{", "}", "(", "count", "int ", "9", "\"", "=", "x", "\t", "\u{0}",
    ];
    let mut messages = vec![opened("return 1;")];
    for number in 0..1000 {
        let at = random.below(text.len() + 1);
        if random.below(2) == 0 {
            text.drain(at..text.len().min(at + random.below(4)));
        } else {
            let piece = random.pick(&pieces);
            text.splice(at..at, piece.chars());
        }
        messages.push(changed(number as usize + 2, &text.iter().collect::<String>()));
        let position = json!({ "line": random.below(4), "character": random.below(70) });
        messages.extend(requests(1000 + 10 * number, position));
    }
    let place = json!({ "line": 0, "character": 5 });
    let count = METHODS.len() as i32;
    messages.extend(requests(20, place.clone()));
    let answers = session(messages);
    let refused = |it: &&Value| it["error"]["code"].as_i64().is_some_and(|it| it != -32803);
    assert_eq!(answers.iter().find(refused), None);
    assert_eq!(answers.iter().filter(|it| !it["id"].is_null()).count(), 7000 + 7 + 2);
    let last = text.iter().collect::<String>();
    let fresh = session([opened(&last)].into_iter().chain(requests(20, place)).collect());
    for id in 20..20 + count {
        assert_eq!(answer_to(id, &answers), answer_to(id, &fresh), "{last}");
    }
    let reports = published(&answers);
    let is_report = |it: &&Value| it["method"] == "textDocument/publishDiagnostics";
    let versions = answers.iter().filter(is_report).map(|it| it["params"]["version"].as_u64());
    assert!(versions.eq((1..=1001).map(Some)), "each text has one report, in order");
    let sandbox = Sandbox::new();
    sandbox.write("edited.smp", last.as_bytes());
    let done = sandbox.sonc(&["check", "edited.smp", "--message-format", "json"]);
    let errors = done.out.lines().map(|it| serde_json::from_str(it).expect("an object"));
    let errors: Vec<Value> = errors.collect();
    let shown = reports[1000].as_array().expect("a list");
    let lines = shown.iter().map(|it| it["range"]["start"]["line"].as_u64().map(|it| it + 1));
    let expected = errors.iter().map(|it| it["span"]["line"].as_u64());
    assert!(!errors.is_empty() && lines.eq(expected), "{}", done.out);
}

#[test]
fn a_misspelt_name_has_a_quick_fix() {
    let answers = session(vec![opened("int count = 1;\rreturn cuont;")]);
    let error = published(&answers)[0][0].clone();
    let place = json!({ "line": 1, "character": 7 });
    assert_eq!(error["range"]["start"], place);
    let parameters = json!({
        "textDocument": { "uri": URI },
        "range": error["range"],
        "context": { "diagnostics": [error] },
    });
    let answers = session(vec![request(2, "textDocument/codeAction", parameters)]);
    let action = answers.iter().find(|it| it["id"] == 2).expect("an answer");
    let edit = &action["result"][0]["edit"]["changes"][URI][0];
    assert_eq!(edit, &json!({ "range": error["range"], "newText": "count" }));
}

#[test]
fn a_malformed_message_and_a_session_without_an_end_are_errors() {
    for input in ["Content-Length: x\r\n\r\n", "Content-Length: 2\r\n\r\n{]", ""] {
        let done = serve(input.as_bytes());
        assert_eq!(done.status, Some(1), "{done:?}");
        assert!(done.err.starts_with("error: the language server: "), "{done:?}");
    }
}
