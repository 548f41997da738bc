//! Executables, run: in the emulator, and on this machine.
use sonc::End;
use std::sync::atomic::{AtomicUsize, Ordering};

/// More steps than any test program takes.
pub const STEPS: u64 = 10_000_000;

/// Runs an executable with all arguments at once: in the emulator, and on this machine if it can
/// and the emulator has found an end. Hands back what is wrong.
pub fn run_everywhere(executable: &[u8], wanted: &[(i32, i64)]) -> Vec<String> {
    // A file that is given no word runs once, with 0.
    if wanted.is_empty() {
        return Vec::new();
    }
    let words: Vec<String> = wanted.iter().map(|(argument, _)| argument.to_string()).collect();
    let lines: String = wanted.iter().map(|(_, value)| format!("{value}\n")).collect();
    let run = sonc::emulate(executable, &words, STEPS);
    let mut outputs = vec![("emulator", format!("{}{}", run.outcome.output, run.errors))];
    if run.outcome.end != End::OutOfSteps {
        outputs.extend(run_native(executable, &words).map(|output| ("processor", output)));
    }
    let wrong = outputs.into_iter().filter(|(_, output)| *output != lines);
    wrong.map(|(place, output)| format!("{place}: {output:?}, not {lines:?}")).collect()
}

/// What an executable prints on this machine; nothing if this machine cannot run it.
fn run_native(executable: &[u8], words: &[String]) -> Option<String> {
    let output = output_of(executable, words)?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Some(text(&output.stdout) + &text(&output.stderr))
}

/// The process that an executable becomes on this machine, when it has ended.
pub fn output_of(executable: &[u8], words: &[String]) -> Option<std::process::Output> {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("sonc-test-{}-{number}", std::process::id()));
    std::fs::write(&path, executable).ok()?;
    let own = std::env::current_exe().ok()?;
    std::fs::set_permissions(&path, std::fs::metadata(own).ok()?.permissions()).ok()?;
    let output = start(&path, words);
    let _ = std::fs::remove_file(&path);
    output
}

/// Another thread's child may hold the file open for a moment longer; then it is tried again.
fn start(path: &std::path::Path, words: &[String]) -> Option<std::process::Output> {
    for _ in 0..100 {
        match std::process::Command::new(path).args(words).output() {
            Ok(output) => return Some(output),
            Err(error) if error.kind() == std::io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
            Err(_) => return None,
        }
    }
    None
}
