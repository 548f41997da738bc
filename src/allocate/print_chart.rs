//! Live intervals as a chart: a line for each instruction, a column for each register.
use crate::allocate::Position;
use crate::allocate::allocation::live_intervals;
use crate::allocate::intervals::Interval;
use crate::ia32::register::NAMES;
use crate::ia32::{Code, Program, Register};
#[cfg(feature = "ch09")]
use crate::stage::FirmNode;
use crate::stage::{Artifact, Outcome, Violation};
use arena::Id;
use picture::Picture;

/// The maximal number of registers in a chart.
const MAX_COLUMNS: usize = 40;

/// Selected code whose listing shows the live ranges of its registers.
pub struct Charted(pub Program);

impl Artifact for Charted {
    fn print(&self) -> String {
        self.0.print()
    }

    fn listing(&self) -> String {
        let charts = self.0.functions.iter().map(chart);
        charts.collect::<Option<_>>().unwrap_or_else(|| self.0.listing())
    }

    /// The head of a chart is one line.
    #[cfg(feature = "ch09")]
    fn line_nodes(&self) -> Vec<Option<FirmNode>> {
        if self.0.functions.iter().any(|code| chart(code).is_none()) {
            return self.0.line_nodes();
        }
        let mut lines = Vec::new();
        for (function, code) in self.0.functions.iter().enumerate() {
            lines.push(None);
            lines.extend(code.firm_nodes(function).map(Some));
        }
        lines
    }

    fn picture(&self) -> Option<Picture> {
        self.0.picture()
    }

    fn verify(&self) -> Vec<Violation> {
        self.0.verify()
    }

    fn eval(&self, argument: i64) -> Option<Outcome> {
        self.0.eval(argument)
    }

    #[cfg(feature = "ch26")]
    fn eval_all(&self, arguments: &[i64]) -> Option<Outcome> {
        self.0.eval_all(arguments)
    }
}

/// The instructions of a function and the live ranges of its registers, if these are not too many.
fn chart(code: &Code) -> Option<String> {
    let intervals = live_intervals(code);
    let registers = (0..NAMES.len() + code.virtual_registers.len()).map(Register::from_index);
    let live = registers.filter(|&it| !intervals.of(it).ranges().is_empty()).collect::<Vec<_>>();
    if live.len() > MAX_COLUMNS {
        return None;
    }
    let texts = code.instructions.iter().map(|instruction| instruction.to_string());
    let texts = texts.collect::<Vec<_>>();
    let width = texts.iter().map(String::len).max().unwrap_or_default();
    let names = live.iter().map(|name| format!(" {name:>3}")).collect::<String>();
    let mut chart = format!("{:>4}  {:width$}{names}\n", "", "");
    for (at, text) in texts.iter().enumerate().map(|(at, text)| (2 * at as Position, text)) {
        let marks = live.iter().map(|&it| format!("   {}", mark(intervals.of(it), at)));
        let line = format!("{at:>4}  {text:width$}{}", marks.collect::<String>());
        chart += line.trim_end();
        chart += "\n";
    }
    Some(chart)
}

/// The mark of an interval at an instruction.
fn mark(interval: Interval, at: Position) -> char {
    match (interval.covers(at), interval.covers(at + 1)) {
        (true, true) => '│',
        (true, false) => '╵',
        (false, true) => '╷',
        (false, false) => ' ',
    }
}
