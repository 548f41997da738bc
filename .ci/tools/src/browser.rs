//! Chromium without a window, driven through its debugging pipe: JSON messages that end with a zero
//! byte, at file descriptors 3 and 4. It has no network but, if a test asks for it, servers on this
//! machine.
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// A browser that does not answer for so long has failed.
const PATIENCE: Duration = Duration::from_secs(120);

const OPTIONS: &[&str] = &[
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--host-resolver-rules='MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'",
    "--remote-debugging-pipe",
];

/// Where `cargo chapter book` writes the site.
pub const SITE: &str = "target/book";

/// A browser with one page.
pub struct Browser {
    process: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    session: String,
    /// The number of commands.
    count: u64,
    events: Vec<Value>,
}

impl Browser {
    /// Starts Chromium; its profile is in the folder `scratch`.
    pub fn start(scratch: &Path) -> Result<Browser, String> {
        let profile = scratch.join("profile");
        let options = OPTIONS.join(" ");
        let script = format!(
            "exec chromium {options} --user-data-dir={} 3<&0 4>&1 </dev/null >/dev/null 2>&1",
            profile.display()
        );
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = shell.spawn().map_err(|err| format!("chromium: {err}"))?;
        let (input, output) = (process.stdin.take(), process.stdout.take());
        let (input, output) = (input.expect("it is a pipe"), output.expect("it is a pipe"));
        let (sender, messages) = channel();
        thread::spawn(move || {
            for message in BufReader::new(output).split(0) {
                let message = message.map(|it| serde_json::from_slice(&it));
                if let Ok(Ok(message)) = message
                    && sender.send(message).is_err()
                {
                    return;
                }
            }
        });
        let (session, events) = (String::new(), Vec::new());
        let mut browser = Browser { process, input, messages, session, count: 0, events };
        browser.attach()?;
        Ok(browser)
    }

    fn attach(&mut self) -> Result<(), String> {
        let target = self.call("Target.createTarget", json!({ "url": "about:blank" }))?;
        let parameters = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = self.call("Target.attachToTarget", parameters)?;
        self.session = attached["sessionId"].as_str().unwrap_or_default().to_string();
        for domain in ["Page", "Runtime", "Log", "Network"] {
            self.call(&format!("{domain}.enable"), json!({}))?;
        }
        self.permit_network(false)
    }

    /// Permits requests, or none; other machines have no names and cannot be found.
    pub fn permit_network(&mut self, is_permitted: bool) -> Result<(), String> {
        let conditions = json!({
            "offline": !is_permitted, "latency": 0, "downloadThroughput": -1,
            "uploadThroughput": -1,
        });
        self.call("Network.emulateNetworkConditions", conditions).map(|_| ())
    }

    /// Sends a command and waits for its result.
    pub fn call(&mut self, method: &str, parameters: Value) -> Result<Value, String> {
        self.count += 1;
        let mut message = json!({ "id": self.count, "method": method, "params": parameters });
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        let mut text = message.to_string().into_bytes();
        text.push(0);
        self.input.write_all(&text).map_err(|err| format!("{method}: {err}"))?;
        loop {
            let message = self.next(method)?;
            if message["id"] != json!(self.count) {
                self.events.push(message);
            } else if message["error"].is_null() {
                return Ok(message["result"].clone());
            } else {
                return Err(format!("{method}: {}", message["error"]));
            }
        }
    }

    fn next(&mut self, purpose: &str) -> Result<Value, String> {
        let message = self.messages.recv_timeout(PATIENCE);
        message.map_err(|_| format!("chromium does not answer: {purpose}"))
    }

    /// Opens a file, at a state of the page after `#`, and waits until it is loaded.
    pub fn open(&mut self, file: &Path, fragment: &str) -> Result<(), String> {
        let file = fs::canonicalize(file).map_err(|err| format!("{}: {err}", file.display()))?;
        self.visit(&format!("file://{}{fragment}", file.display()))
    }

    /// Opens an address and waits until it is loaded.
    pub fn visit(&mut self, url: &str) -> Result<(), String> {
        // Another fragment alone loads nothing. The event of a page that is loaded at once may be
        // lost while it gets a process of its own, so the page is asked.
        let blank = "location.href === 'about:blank'";
        self.call("Page.navigate", json!({ "url": "about:blank" }))?;
        self.wait_for(&format!("{blank} && document.readyState === 'complete'"))?;
        let navigated = self.call("Page.navigate", json!({ "url": url }))?;
        if !navigated["errorText"].is_null() {
            return Err(format!("{url}: {}", navigated["errorText"]));
        }
        self.wait_for(&format!("!({blank}) && document.readyState === 'complete'"))?;
        self.settle()
    }

    /// Waits until an expression is true.
    pub fn wait_for(&mut self, expression: &str) -> Result<(), String> {
        let start = Instant::now();
        while self.value(expression).ok() != Some(json!(true)) {
            if start.elapsed() > PATIENCE {
                let value = self.value(expression);
                return Err(format!("{expression}\n  does not become true: {value:?}"));
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// Types a text at the focus.
    pub fn insert(&mut self, text: &str) -> Result<(), String> {
        self.call("Input.insertText", json!({ "text": text })).map(|_| ())
    }

    /// Waits until a page of the explorer shows its state.
    pub fn settle(&mut self) -> Result<(), String> {
        let ready = "typeof started === 'undefined' || started.then(() => settled)";
        let parameters = json!({ "expression": ready, "awaitPromise": true });
        self.call("Runtime.evaluate", parameters).map(|_| ())
    }

    /// The value of an expression in the page.
    pub fn value(&mut self, expression: &str) -> Result<Value, String> {
        let parameters = json!({ "expression": expression, "returnByValue": true });
        let result = self.call("Runtime.evaluate", parameters)?;
        if result["exceptionDetails"].is_null() {
            return Ok(result["result"]["value"].clone());
        }
        Err(format!("{expression}: {}", result["exceptionDetails"]["exception"]["description"]))
    }

    /// Fails unless an expression has this value.
    pub fn expect(&mut self, expression: &str, expected: Value) -> Result<(), String> {
        let value = self.value(expression)?;
        if value == expected {
            return Ok(());
        }
        Err(format!("{expression}\n  is       {value}\n  expected {expected}"))
    }

    /// Clicks in the middle of the first element of a selector.
    pub fn click(&mut self, selector: &str) -> Result<(), String> {
        let point = self.value(&format!(
            "(() => {{ const it = document.querySelector({selector:?}); \
             it.scrollIntoView({{ block: 'center', inline: 'center' }}); \
             const box = it.getBoundingClientRect(); \
             return [box.left + box.width / 2, box.top + box.height / 2]; }})()"
        ))?;
        for kind in ["mousePressed", "mouseReleased"] {
            let parameters = json!({
                "type": kind, "x": point[0], "y": point[1], "button": "left", "clickCount": 1,
            });
            self.call("Input.dispatchMouseEvent", parameters)?;
        }
        self.settle()
    }

    /// Presses a key.
    pub fn press(&mut self, key: &str) -> Result<(), String> {
        for kind in ["keyDown", "keyUp"] {
            // The browser itself acts on these two, by their numbers.
            let number = match key {
                "Tab" => 9,
                "Enter" => 13,
                _ => 0,
            };
            let parameters = json!({
                "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": number,
            });
            self.call("Input.dispatchKeyEvent", parameters)?;
        }
        self.settle()
    }

    /// Sets the size of the page and the preferred colours, `light` or `dark`.
    pub fn look(&mut self, width: u32, height: u32, colours: &str) -> Result<(), String> {
        let size = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false,
        });
        self.call("Emulation.setDeviceMetricsOverride", size)?;
        let feature = json!({ "name": "prefers-color-scheme", "value": colours });
        self.call("Emulation.setEmulatedMedia", json!({ "features": [feature] }))?;
        Ok(())
    }

    /// Writes the visible part of the page as a picture.
    pub fn screenshot(&mut self, file: &Path) -> Result<(), String> {
        let picture = self.call("Page.captureScreenshot", json!({ "format": "png" }))?;
        let bytes = decode(picture["data"].as_str().unwrap_or_default());
        fs::write(file, bytes).map_err(|err| format!("{}: {err}", file.display()))
    }

    /// Fails if the page reported an error, or loaded anything but its file.
    pub fn check_events(&mut self) -> Result<(), String> {
        let events = std::mem::take(&mut self.events);
        let wrong: Vec<String> = events.iter().filter_map(problem).collect();
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    }
}

/// An error in the console, or a request.
fn problem(event: &Value) -> Option<String> {
    let parameters = &event["params"];
    match event["method"].as_str()? {
        "Runtime.exceptionThrown" => {
            Some(parameters["exceptionDetails"]["exception"]["description"].to_string())
        }
        "Runtime.consoleAPICalled" => Some(parameters["args"].to_string()),
        "Log.entryAdded" => Some(parameters["entry"].to_string()),
        "Network.requestWillBeSent" => {
            let url = parameters["request"]["url"].as_str()?;
            let is_local = ["file:", "about:", "blob:", "data:", "http://127.0.0.1:"]
                .iter()
                .any(|it| url.starts_with(it));
            (!is_local).then(|| format!("a request for {url}"))
        }
        _ => None,
    }
}

/// The bytes of a text in base 64.
fn decode(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut rest, mut bits) = (Vec::new(), 0u32, 0);
    for digit in text.bytes().filter_map(|it| DIGITS.iter().position(|&digit| digit == it)) {
        rest = rest << 6 | digit as u32;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((rest >> bits) as u8);
            rest &= (1 << bits) - 1;
        }
    }
    bytes
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.session.clear();
        if self.call("Browser.close", json!({})).is_err() {
            let _ = self.process.kill();
        }
        let _ = self.process.wait();
    }
}
