//! `sonc watch`: compiles a program again whenever it is saved, and rewrites its page.
use crate::arguments::{Explore, Watch};
use crate::files::{Failure, Outcome, print};
use crate::pages::summary;
use explorer::{Page, Reload};
use host::Output;
use notify::{RecursiveMode, Watcher};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Editors save in several steps.
const SETTLED: Duration = Duration::from_millis(60);

impl Watch {
    pub fn execute(self) -> Outcome {
        let explore = self.explore;
        let file = explore.compile.file.clone().filter(|file| !host::is_stream(file));
        let Some(file) = file else {
            return Err(Failure::Usage("only a file can be watched".to_string()));
        };
        let path = explore.page_path();
        let stamp = path.with_extension("html.stamp.js");
        // A file may be replaced when it is saved, so its folder is watched.
        let folder = file.parent().filter(|it| !it.as_os_str().is_empty());
        let (sender, events) = channel();
        let mut watcher = notify::recommended_watcher(sender).map_err(failure)?;
        let folder = folder.unwrap_or(Path::new("."));
        watcher.watch(folder, RecursiveMode::NonRecursive).map_err(failure)?;
        let mut versions = Versions { explore, path, stamp, number: 0, last: None };
        loop {
            versions.next()?;
            wait(&events, &file)?;
        }
    }
}

fn failure(error: notify::Error) -> Failure {
    Failure::Message(format!("cannot watch: {error}"))
}

/// Waits until the file has changed and is quiet.
fn wait(events: &Receiver<notify::Result<notify::Event>>, file: &Path) -> Outcome {
    let is_it = |path: &PathBuf| path.file_name() == file.file_name();
    loop {
        let Ok(event) = events.recv() else { return Err(Failure::Closed) };
        let event = event.map_err(failure)?;
        if !event.kind.is_access() && event.paths.iter().any(is_it) {
            while events.recv_timeout(SETTLED).is_ok() {}
            return Ok(());
        }
    }
}

/// The versions of the program, one after the other.
struct Versions {
    explore: Explore,
    path: PathBuf,
    /// The file that has the number of the version, which the page reads again and again.
    stamp: PathBuf,
    number: u64,
    last: Option<Page>,
}

impl Versions {
    /// Compiles the program as it is now; a program with errors leaves the page, which shows them.
    fn next(&mut self) -> Outcome {
        let page = match self.compile() {
            Ok(page) => page,
            Err(Failure::Closed) => return Err(Failure::Closed),
            Err(failure) => {
                self.write_stamp(Some(&failure.text(false)))?;
                failure.report();
                return Ok(());
            }
        };
        let last = self.last.as_ref();
        if last.is_none_or(|last| last.source != page.source) {
            let inputs = self.explore.compile.inputs();
            Output::new(Some(&self.path), &inputs)?.write_text(&page.html())?;
            print(&report(last, &page, &self.path))?;
            self.last = Some(page);
        }
        self.write_stamp(None)
    }

    /// Writes the version of the page, and the report about a newer program that has errors.
    fn write_stamp(&self, report: Option<&str>) -> Outcome {
        let Some(reload) = self.last.as_ref().and_then(|it| it.reload.as_ref()) else {
            return Ok(());
        };
        let inputs = self.explore.compile.inputs();
        Ok(Output::new(Some(&self.stamp), &inputs)?.write_text(&reload.script(report))?)
    }

    fn compile(&mut self) -> Result<Page, Failure> {
        let job = self.explore.job()?;
        let mut page = self.explore.page(&job)?;
        self.number += 1;
        let stamp = self.stamp.file_name().unwrap_or_default().to_string_lossy();
        page.reload = Some(Reload { version: self.number, stamp: stamp.into_owned() });
        Ok(page)
    }
}

/// The result, and what has changed.
fn report(last: Option<&Page>, page: &Page, path: &Path) -> String {
    let text = summary(page, path);
    last.map_or(text.clone(), |last| text + &page.changes(last) + "\n")
}
