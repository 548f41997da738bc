//! The part of one function in the text of a stage.
use crate::arguments::Ir;
use crate::files::{Failure, Outcome, print};
use sonc::Halt;

impl Ir {
    /// Prints the part of the selected stage for the function with this name.
    pub fn print_function(&self, name: &str) -> Outcome {
        let job = self.job()?;
        let mut functions = Vec::new();
        let compiled = job.compile(&mut |stage, artifact| {
            if self.stage != Some(stage) {
                return Ok(());
            }
            functions = artifact.functions();
            Err(Halt::Stopped(stage))
        })?;
        if compiled.is_some() {
            return Err(job.unsupported("be printed", &|_| true));
        }
        if functions.is_empty() {
            let ability = "be printed function by function";
            return Err(job.unsupported(ability, &|it| !it.functions().is_empty()));
        }
        print(&format!("{}\n", text(name, &functions)?.trim_end_matches('\n')))
    }
}

/// The text of the function with this name, among names and texts.
fn text<'f>(name: &str, functions: &'f [(String, String)]) -> Result<&'f str, Failure> {
    if let Some((_, text)) = functions.iter().find(|(it, _)| it == name) {
        return Ok(text);
    }
    let names: Vec<_> = functions.iter().map(|(name, _)| name.as_str()).collect();
    let similar = report_text::closest(name, names.iter().copied());
    let similar = similar.map_or(String::new(), |it| format!("did you mean `{it}`? "));
    let list = listed(&names);
    let message = format!("no function `{name}` is left in this stage; {similar}there are {list}");
    Err(Failure::Usage(message))
}

/// The first names.
fn listed(names: &[&str]) -> String {
    const MOST: usize = 20;
    let more = if names.len() > MOST { ", …" } else { "" };
    names[..names.len().min(MOST)].join(", ") + more
}
