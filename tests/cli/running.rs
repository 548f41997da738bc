//! Started processes, and bounded waits for them.
#[cfg(feature = "ch10")]
use std::process::ChildStdout;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

/// A test that waits longer has failed.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// A started process; it is killed when the test ends.
pub struct Running(Child);

impl Running {
    pub fn start(command: &mut Command) -> Running {
        Running(command.spawn().expect("it can be started"))
    }

    pub fn id(&self) -> u32 {
        self.0.id()
    }

    /// Its standard output, a pipe.
    #[cfg(feature = "ch10")]
    pub fn output(&mut self) -> ChildStdout {
        self.0.stdout.take().expect("it is a pipe")
    }

    /// Waits until `found` has a result for the process, or the process has ended.
    pub fn wait_for<T>(&mut self, found: impl Fn(u32) -> Option<T>) -> Option<T> {
        let start = Instant::now();
        loop {
            let result = found(self.id());
            if result.is_some() || self.0.try_wait().expect("it is our child").is_some() {
                return result;
            }
            assert!(start.elapsed() < PATIENCE, "process {} is still running", self.id());
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Waits for the end of the process.
    pub fn status(&mut self) -> ExitStatus {
        self.wait_for(|_| None::<()>);
        self.0.wait().expect("it is our child")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
