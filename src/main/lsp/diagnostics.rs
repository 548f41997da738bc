//! The errors and warnings of a program, and corrections of misspelt names.
use super::Refusal;
use super::documents::{Document, Server};
use crate::files::Failure;
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, Diagnostic,
    DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, TextEdit,
    WorkspaceEdit,
};
use serde_json::{Value, json};
use sonc::{Artifact, Halt, Stage, StageObserver};
use std::collections::HashMap;

/// Collects the warnings of a compilation.
#[derive(Default)]
struct Warnings(Vec<sonc::Diagnostic>);

impl StageObserver for Warnings {
    fn stage_done(&mut self, _: Stage, _: &dyn Artifact) -> Result<(), Halt> {
        Ok(())
    }

    fn warn(&mut self, warnings: &[sonc::Diagnostic]) -> Result<(), Halt> {
        self.0.extend_from_slice(warnings);
        Ok(())
    }
}

impl Server<'_> {
    /// The errors and warnings of a program, as `sonc check` finds them.
    pub fn diagnostics(&mut self, document: &Document) -> Vec<Diagnostic> {
        self.job.source = document.source.clone();
        let mut warnings = Warnings::default();
        let errors = match self.job.compile_observed(&mut warnings) {
            Err(Failure::Diagnostics(errors, _)) => errors,
            _ => Vec::new(),
        };
        let errors = errors.iter().map(|it| report(it, DiagnosticSeverity::ERROR, document));
        let warnings = warnings.0;
        let warnings = warnings.iter().map(|it| report(it, DiagnosticSeverity::WARNING, document));
        errors.chain(warnings).collect()
    }
}

fn report(it: &sonc::Diagnostic, severity: DiagnosticSeverity, document: &Document) -> Diagnostic {
    let letter = if severity == DiagnosticSeverity::ERROR { 'E' } else { 'W' };
    let help = it.help.iter().map(|help| format!("\nhelp: {help}")).collect::<String>();
    let also = it.also.as_deref().map(|(span, note)| {
        let location = Location { uri: document.uri.clone(), range: document.range(*span) };
        vec![DiagnosticRelatedInformation { location, message: note.clone() }]
    });
    Diagnostic {
        range: document.range(it.span),
        severity: Some(severity),
        code: Some(NumberOrString::String(format!("{letter}{:02}", it.code as u8))),
        source: Some("sonc".to_string()),
        message: format!("{}\n{}{help}", it.message, it.label),
        related_information: also,
        data: correction(it, &document.source.text).map(|name| json!(name)),
        ..Diagnostic::default()
    }
}

/// The name that help proposes instead of the name at the place of an error.
fn correction<'d>(it: &'d sonc::Diagnostic, text: &str) -> Option<&'d str> {
    let name = it.help.as_deref()?.strip_prefix("did you mean `")?.strip_suffix("`?")?;
    let wrong = text.get(it.span.start as usize..it.span.end as usize)?;
    let is_name = !wrong.is_empty() && wrong.chars().all(|it| it == '_' || it.is_alphanumeric());
    is_name.then_some(name)
}

/// The quick fixes for the diagnostics at a place.
pub fn corrections(_: &Server, parameters: Value) -> Result<Value, Refusal> {
    let parameters: CodeActionParams = serde_json::from_value(parameters)?;
    let uri = parameters.text_document.uri;
    let correct = |it: Diagnostic| {
        let name = it.data.as_ref()?.as_str()?.to_string();
        let title = format!("Replace by `{name}`");
        let edits = vec![TextEdit { range: it.range, new_text: name }];
        let changes = Some(HashMap::from([(uri.clone(), edits)]));
        Some(CodeActionOrCommand::CodeAction(CodeAction {
            title,
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![it]),
            edit: Some(WorkspaceEdit { changes, ..WorkspaceEdit::default() }),
            is_preferred: Some(true),
            ..CodeAction::default()
        }))
    };
    let corrected = parameters.context.diagnostics.into_iter().filter_map(correct);
    Ok(json!(corrected.collect::<Vec<_>>()))
}
