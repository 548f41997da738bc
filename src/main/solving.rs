//! `sonc pbqp`: solves an instance in a file.
use crate::arguments::Pbqp;
use crate::files::{Failure, Outcome, print, read, say};
use host::Timer;
use picture::Format;

/// The default step limit of an exact search.
const DEFAULT_BUDGET: u64 = 50_000_000;

impl Pbqp {
    pub fn execute(self) -> Outcome {
        let source = read(&self.file)?;
        let mut timer = Timer::default();
        let mut trace = String::new();
        let solved = pbqp::solve_text(pbqp::Instance {
            text: &source.text,
            exact: self.exact.then(|| self.budget.unwrap_or(DEFAULT_BUDGET)),
            trace: self.trace.then_some(&mut trace),
            propagate: !self.no_propagation,
            search: !self.no_search,
            done: &mut |part| timer.stop(part),
            progress: &mut say,
        });
        print(&trace)?;
        let solved = solved.map_err(|error| Failure::Diagnostics(vec![error.into()], source))?;
        match self.dot {
            true => print(&Format::new(self.svg).text(&solved.picture())?)?,
            false => print(&solved.text)?,
        }
        if self.stats {
            print(&solved.statistics)?;
        }
        if let Some(doubt) = &solved.doubt {
            say(&format!("{doubt}; `--budget` allows more\n"));
        }
        if self.time {
            timer.stop("print");
            say(&timer.table());
        }
        Ok(())
    }
}
