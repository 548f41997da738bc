//! Live intervals as a chart: a line for each instruction, a column for each register.
use crate::ia32::code::Instruction;
use crate::ia32::register::NAMES;
use crate::ia32::{Code, Program, Register};
use crate::live_ranges::live_intervals;
#[cfg(feature = "ch09")]
use crate::stage::FirmNode;
use crate::stage::{Artifact, Outcome, Violation};
use arena::Id;
use picture::{Picture, live_chart};

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

    #[cfg(feature = "ch18")]
    fn functions(&self) -> Vec<(String, String)> {
        self.0.functions()
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

    #[cfg(feature = "ch14")]
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
    let lines: Vec<_> = code.instructions.iter().map(Instruction::to_string).collect();
    let names: Vec<_> = live.iter().map(Register::to_string).collect();
    Some(live_chart(&lines, &names, |column, at| intervals.of(live[column]).covers(at)))
}
