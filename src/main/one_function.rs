//! The part of one function in the text of a stage.
use crate::Job;
use crate::files::Failure;

/// The name and the text of each function in a stage.
pub type Functions = Vec<(String, String)>;

/// The text of the function with this name.
pub fn text(job: &Job, name: &str, functions: Functions) -> Result<String, Failure> {
    if functions.is_empty() {
        let ability = "be printed function by function";
        return Err(job.unsupported(ability, &|it| !it.functions().is_empty()));
    }
    let names: Vec<_> = functions.iter().map(|(name, _)| name.clone()).collect();
    if let Some((_, text)) = functions.into_iter().find(|(it, _)| it == name) {
        return Ok(text);
    }
    let known = names.iter().map(String::as_str);
    let similar = report_text::closest(name, known).map(|it| format!("did you mean `{it}`? "));
    let similar = similar.unwrap_or_default();
    let list = listed(&names);
    let message = format!("no function `{name}` is left in this stage; {similar}there are {list}");
    Err(Failure::Usage(message))
}

/// The first names.
fn listed(names: &[String]) -> String {
    const MOST: usize = 20;
    let more = if names.len() > MOST { ", …" } else { "" };
    let first: Vec<_> = names.iter().take(MOST).map(String::as_str).collect();
    first.join(", ") + more
}
