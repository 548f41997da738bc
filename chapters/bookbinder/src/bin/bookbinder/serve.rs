//! `cargo chapter serve`: the site for browsers on this machine, which reload its pages when the
//! texts of the book are saved.
use crate::{book, say};
use bookbinder::examples::SITE;
use notify::{RecursiveMode, Watcher};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;
use tiny_http::{Header, Request, Response, Server};

/// The texts of the book: when one of them is saved, the site is written again.
const TEXTS: [&str; 3] = ["README.md", "chapters", "docs"];

/// Editors save in several steps.
const SETTLED: Duration = Duration::from_millis(100);

/// The address at which the pages ask for the number of the site's version.
const VERSION: &str = "/.version";

/// The address at which browsers look for an icon.
const ICON: &str = "/favicon.ico";

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
    let server = Server::http(("127.0.0.1", port)).map_err(|err| format!("port {port}: {err}"))?;
    let address = server.server_addr();
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
        // A browser that does not read its answer keeps nobody else waiting.
        for request in server.incoming_requests() {
            let site = &site;
            threads.spawn(move || answer(request, site, version.load(Ordering::Relaxed)));
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

/// Answers with a file of the site. A browser that is gone needs no answer.
fn answer(request: Request, site: &Path, version: u64) {
    if request.url() == VERSION {
        let _ = request.respond(Response::from_string(version.to_string()));
        return;
    }
    // The site has no icon, and that is no error.
    if request.url() == ICON {
        let _ = request.respond(Response::empty(204));
        return;
    }
    let file = file_of(request.url()).map(|it| site.join(it));
    let file = file.map(|it| if it.is_dir() { it.join("index.html") } else { it });
    let content = file.and_then(|it| Some((fs::read(&it).ok()?, it)));
    let Some((mut bytes, file)) = content else {
        let _ = request.respond(Response::from_string("not found").with_status_code(404));
        return;
    };
    let kind = kind_of(&file);
    if kind.starts_with("text/html") {
        bytes.extend(RELOAD.bytes());
    }
    let header = |name: &str, value: &str| {
        Header::from_bytes(name, value).expect("these names and values are ASCII")
    };
    let response = Response::from_data(bytes)
        .with_header(header("Content-Type", kind))
        .with_header(header("Cache-Control", "no-store"));
    let _ = request.respond(response);
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
