//! gcc compiles programs in C, whose executed instructions are counted beside those of `sonc`.
use crate::{Checked, list, scratch, start};
use std::fs;
use std::path::Path;

/// Lines without code, a function that is not inlined, and memory of its own.
const CALLS: &str = "static int calls;
static int __attribute__((noinline)) square(int x) {
  calls++;
  return x * x;
}

int simple(int arg) {
  int sum = 0;
  for (int i = 0; i < arg; i++)
    sum += square(i);
  return sum + calls - arg;
}
";

/// The same program in Simple.
const SUM: &str = "int sum = 0; for (int i = 0; i < arg; i++) sum += i * i; return sum;";

/// The programs of `benches/quality` that are in C, too, are counted for their first argument.
pub fn check(sonc: &Path) -> Checked {
    let folder = scratch("gcc")?;
    lines_and_functions_are_counted(sonc, &folder)?;
    another_result_is_an_error(sonc, &folder)?;
    let files = list(Path::new("benches/quality/programs"));
    let files: Vec<_> =
        files.iter().filter(|it| it.extension().is_some_and(|it| it == "c")).collect();
    let (mut ours, mut gcc) = (0, 0);
    for file in &files {
        let program = file.with_extension("smp");
        let text = fs::read_to_string(&program).map_err(|err| err.to_string())?;
        let head = text.lines().find_map(|it| it.strip_prefix("// arguments: "));
        let argument = head.and_then(|it| it.split_whitespace().next());
        let argument = argument.ok_or_else(|| format!("{}: no arguments", program.display()))?;
        let words = [&program.to_string_lossy(), "--arg", argument];
        let counts = counted(sonc, &words, file)?;
        ours += counts[0];
        gcc += counts[1];
    }
    match files.len() {
        0 => Err("there are no programs in C".to_string()),
        count => Ok(format!("{count} programs: {ours} instructions, and gcc has {gcc}")),
    }
}

/// The executed instructions of a program, and of that in C. The sum of the lines is that of the
/// functions.
fn counted(sonc: &Path, program: &[&str], file: &Path) -> Result<[u64; 2], String> {
    let text = counts(sonc, program, file)?;
    let parts = text.split_once(" by gcc -O2:\n");
    let parts = parts.and_then(|(ours, rest)| Some((ours, rest.split_once("gcc -O2\n")?)));
    let (ours, (gcc, functions)) = parts.ok_or_else(|| text.clone())?;
    let total = functions.lines().last().unwrap_or_default();
    let total: Vec<u64> = total.split_whitespace().filter_map(|it| it.parse().ok()).collect();
    // A line without instructions begins with more blanks.
    let of_line = |line: &str| line.get(..12)?.trim_start().parse::<u64>().ok();
    let sum = |lines: &str| lines.lines().filter_map(of_line).sum::<u64>();
    let sums = [sum(ours), sum(gcc)];
    if total != sums {
        return Err(format!("{}: {sums:?} in lines\n{text}", file.display()));
    }
    Ok(sums)
}

/// The report of `--count --beside`.
fn counts(sonc: &Path, program: &[&str], file: &Path) -> Result<String, String> {
    let beside = ["--count", "--beside", &file.to_string_lossy()];
    let output = start(sonc, &[&["run"], program, &beside].concat())?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(text) } else { Err(format!("{}: {text}", file.display())) }
}

fn lines_and_functions_are_counted(sonc: &Path, folder: &Path) -> Result<(), String> {
    let file = folder.join("calls.c");
    fs::write(&file, CALLS).map_err(|err| err.to_string())?;
    let program = ["-e", SUM, "--arg", "10"];
    let [_, total] = counted(sonc, &program, &file)?;
    let text = counts(sonc, &program, &file)?;
    let number = |end: &str| {
        let line = text.lines().find(|it| it.ends_with(end))?;
        line.split_whitespace().nth(usize::from(line.contains('–')))?.parse::<u64>().ok()
    };
    let of_line = number("  return x * x;");
    let function = number("  in square");
    if of_line != Some(10) || function.is_none_or(|it| it < 20 || total <= it) {
        return Err(format!("10 executions of `square`:\n{text}"));
    }
    Ok(())
}

fn another_result_is_an_error(sonc: &Path, folder: &Path) -> Result<(), String> {
    let file = folder.join("calls.c");
    let words = ["run", "-e", "return 7;", "--arg", "10", "--count", "--beside"];
    let output = start(sonc, &[&words[..], &[&file.to_string_lossy()]].concat())?;
    let text = String::from_utf8_lossy(&output.stderr);
    let reason = "is another program: its result is 285\n";
    if output.status.code() != Some(1) || !text.ends_with(reason) {
        return Err(format!("expected an error that ends with `{reason}`:\n{text}"));
    }
    Ok(())
}
