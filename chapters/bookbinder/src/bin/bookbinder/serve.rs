//! `cargo chapter serve`: the site for browsers on this machine, which reload its pages when the
//! texts of the book are saved.
use crate::{book, say};
use bookbinder::examples::SITE;
use notify::{RecursiveMode, Watcher};
use std::fs;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// The texts of the book: when one of them is saved, the site is written again.
const TEXTS: [&str; 3] = ["README.md", "chapters", "docs"];

/// Editors save in several steps.
const SETTLED: Duration = Duration::from_millis(100);

/// The address at which the pages ask for the number of the site's version.
const VERSION: &str = "/.version";

/// The address at which browsers look for an icon.
const ICON: &str = "/favicon.ico";

/// The head of a request has at most so many bytes.
const MAX_HEAD: usize = 64 << 10;

/// Is added to each page.
const RELOAD: &str = "<script>(() => { let known = null; setInterval(async () => { \
    const version = await fetch(\"/.version\").then((it) => it.text(), () => known); \
    if (known !== null && version !== known) location.reload(); known = version; }, 700); })();\
    </script>\n";

/// Serves the site at a port of this machine, 0 for any, until the process ends.
pub fn serve(root: &Path, port: u16) -> Result<(), String> {
    let site = root.join(SITE);
    if !site.join("index.html").is_file() {
        return Err("there is no site: `cargo chapter book` writes it".to_string());
    }
    // Only programs on this machine can connect.
    let unusable = |err: io::Error| format!("port {port}: {err}");
    let listener = TcpListener::bind(("127.0.0.1", port)).map_err(unusable)?;
    let address = listener.local_addr().map_err(unusable)?;
    say(&format!("http://{address}/\n"))?;
    let version = &AtomicU64::new(0);
    let (sender, events) = channel();
    let mut watcher = notify::recommended_watcher(sender).map_err(|err| err.to_string())?;
    for text in TEXTS {
        let watched = watcher.watch(&root.join(text), RecursiveMode::Recursive);
        watched.map_err(|err| format!("{text}: {err}"))?;
    }
    thread::scope(|threads| {
        threads.spawn(move || rewrite(root, &events, version));
        // Each connection has a thread and ends with its answer, so one without a request, or
        // whose browser does not read, keeps no other one waiting.
        for stream in listener.incoming().flatten() {
            let site = &site;
            threads.spawn(move || answer(&stream, site, version.load(Ordering::Relaxed)));
        }
    });
    Ok(())
}

/// Writes the site again whenever its texts have changed and are quiet.
fn rewrite(root: &Path, events: &Receiver<notify::Result<notify::Event>>, version: &AtomicU64) {
    while let Ok(event) = events.recv() {
        if !event.is_ok_and(|it| !it.kind.is_access()) {
            continue;
        }
        while events.recv_timeout(SETTLED).is_ok() {}
        // An error is shown; the next change may mend it.
        if let Err(reason) = book::texts(root) {
            eprintln!("{reason}");
        }
        version.fetch_add(1, Ordering::Relaxed);
    }
}

/// Answers a request with a file of the site. A browser that is gone needs no answer.
fn answer(stream: &TcpStream, site: &Path, version: u64) {
    let response = match requested(stream) {
        Ok(url) => response(&url, site, version),
        Err(err) if err.kind() == io::ErrorKind::InvalidData => Response::new("400 Bad Request"),
        Err(_) => return,
    };
    let _ = response.send(stream);
}

/// Reads the head of a request: the address that it asks for.
fn requested(mut stream: &TcpStream) -> io::Result<String> {
    let mut head = Vec::new();
    let mut part = [0; 4096];
    while head.len() < MAX_HEAD {
        match stream.read(&mut part)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            length => head.extend(&part[..length]),
        }
        let mut headers = [httparse::EMPTY_HEADER; 100];
        let mut request = httparse::Request::new(&mut headers);
        let status = request.parse(&head).map_err(|_| io::ErrorKind::InvalidData)?;
        if status.is_complete() {
            return Ok(request.path.unwrap_or_default().to_string());
        }
    }
    Err(io::ErrorKind::InvalidData.into())
}

/// The answer to one request.
struct Response {
    status: &'static str,
    kind: &'static str,
    content: Vec<u8>,
}

impl Response {
    fn new(status: &'static str) -> Response {
        Response { status, kind: "text/plain", content: status.into() }
    }

    fn send(&self, mut stream: &TcpStream) -> io::Result<()> {
        let Response { status, kind, content } = self;
        let length = content.len();
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\
             Cache-Control: no-store\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(head.as_bytes())?;
        stream.write_all(content)
    }
}

fn response(url: &str, site: &Path, version: u64) -> Response {
    if url == VERSION {
        return Response { content: version.to_string().into(), ..Response::new("200 OK") };
    }
    // The site has no icon, and that is no error.
    if url == ICON {
        return Response { content: Vec::new(), ..Response::new("204 No Content") };
    }
    let file = file_of(url).map(|it| site.join(it));
    let file = file.map(|it| if it.is_dir() { it.join("index.html") } else { it });
    let content = file.and_then(|it| Some((fs::read(&it).ok()?, it)));
    let Some((mut content, file)) = content else {
        return Response::new("404 Not Found");
    };
    let kind = kind_of(&file);
    if kind.starts_with("text/html") {
        content.extend(RELOAD.bytes());
    }
    Response { status: "200 OK", kind, content }
}

/// The file of an address, below the site; `None` for one that leads out of it.
fn file_of(url: &str) -> Option<PathBuf> {
    let path = url.split(['?', '#']).next()?.strip_prefix('/')?;
    let path = PathBuf::from(path);
    path.components().all(|it| matches!(it, Component::Normal(_))).then_some(path)
}

fn kind_of(file: &Path) -> &'static str {
    match file.extension().and_then(|it| it.to_str()).unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css",
        "js" => "text/javascript",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    }
}

#[test]
fn addresses_stay_below_the_site() {
    let check = |url: &str, expected: Option<&str>| {
        assert_eq!(file_of(url), expected.map(PathBuf::from), "{url}");
    };
    check("/a/b.html?c", Some("a/b.html"));
    check("/", Some(""));
    check("/../a", None);
    check("//a", None);
    check("/a/../../b", None);
    check("a", None);
}

#[test]
fn idle_connections_keep_no_other_one_waiting() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || answer(&stream, Path::new("nowhere"), 7));
        }
    });
    let ask = |text: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        stream
    };
    let idle: Vec<TcpStream> = (0..40).map(|_| ask("GET /.ver")).collect();
    let read = |mut stream: TcpStream| {
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    assert!(read(ask("GET /.version HTTP/1.1\r\nHost: it\r\n\r\n")).ends_with("\r\n\r\n7"));
    assert!(read(ask("GET /none HTTP/1.1\r\n\r\n")).starts_with("HTTP/1.1 404 Not Found\r\n"));
    assert!(read(ask("\0\r\n\r\n")).starts_with("HTTP/1.1 400 Bad Request\r\n"));
    for mut stream in idle {
        stream.write_all(b"sion HTTP/1.1\r\n\r\n").unwrap();
        assert!(read(stream).ends_with("\r\n\r\n7"));
    }
}
