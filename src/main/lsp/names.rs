//! The declaration and the uses of a name, and another name for it.
use super::Refusal;
use super::documents::Server;
use lsp_types::{
    Location, ReferenceParams, RenameParams, TextDocumentPositionParams, TextEdit, WorkspaceEdit,
};
use serde_json::{Value, json};
use sonc::{Analysis, SymbolKind, is_name};
use source::Span;
use std::collections::HashMap;

/// The place of the declaration of a name. The argument has none.
pub fn definition(server: &Server, parameters: Value) -> Result<Value, Refusal> {
    let at: TextDocumentPositionParams = serde_json::from_value(parameters)?;
    let location = server.place(&at).and_then(|(document, analysis, byte)| {
        let (_, symbol) = analysis.mention_at(byte)?;
        let declaration = analysis.symbol(symbol).declaration.as_ref()?;
        Some(Location::new(document.uri.clone(), document.range(declaration.name)))
    });
    Ok(json!(location))
}

/// All places that mention the name at a position.
pub fn references(server: &Server, parameters: Value) -> Result<Value, Refusal> {
    let parameters: ReferenceParams = serde_json::from_value(parameters)?;
    let has_declaration = parameters.context.include_declaration;
    let locations = server.place(&parameters.text_document_position).and_then(|place| {
        let (document, analysis, byte) = place;
        let (_, symbol) = analysis.mention_at(byte)?;
        let declaration = analysis.symbol(symbol).declaration.as_ref().map(|it| it.name);
        let mentions = analysis.mentions(symbol);
        let mentions = mentions.filter(|it| has_declaration || Some(*it) != declaration);
        let location = |it| Location::new(document.uri.clone(), document.range(it));
        Some(mentions.map(location).collect::<Vec<_>>())
    });
    Ok(json!(locations))
}

/// The name at a position, if it can be changed.
pub fn prepare_rename(server: &Server, parameters: Value) -> Result<Value, Refusal> {
    let at: TextDocumentPositionParams = serde_json::from_value(parameters)?;
    let range = server.place(&at).and_then(|(document, analysis, byte)| {
        let (span, symbol) = analysis.mention_at(byte)?;
        analysis.symbol(symbol).declaration.as_ref()?;
        Some(document.range(span))
    });
    Ok(json!(range))
}

/// The edits that give a name another text. They are refused if they change the meaning of the
/// program: if a name in the new text belongs to another declaration.
pub fn rename(server: &Server, parameters: Value) -> Result<Value, Refusal> {
    let parameters: RenameParams = serde_json::from_value(parameters)?;
    let name = parameters.new_name;
    if !is_name(&name) {
        return Err(Refusal::new(format!("`{name}` is not a name")));
    }
    let at = &parameters.text_document_position;
    let mentioned = server.place(at).and_then(|(document, analysis, byte)| {
        let (_, symbol) = analysis.mention_at(byte)?;
        Some((document, analysis, symbol))
    });
    let Some((document, analysis, symbol)) = mentioned else {
        return Err(Refusal::new("there is no name here".to_string()));
    };
    let old = analysis.symbol(symbol);
    if old.kind == SymbolKind::Argument || old.declaration.is_none() {
        return Err(Refusal::new(format!("`{}` is not declared in this program", old.name)));
    }
    let places: Vec<Span> = analysis.mentions(symbol).collect();
    let new = Analysis::new(&replaced(&document.source.text, &places, &name), server.options());
    if !new.has_bindings_of(analysis) {
        let message = format!("as `{name}`, a name would belong to another declaration");
        return Err(Refusal::new(message));
    }
    let edit = |&it: &Span| TextEdit { range: document.range(it), new_text: name.clone() };
    let edits = places.iter().map(edit).collect();
    let changes = Some(HashMap::from([(document.uri.clone(), edits)]));
    Ok(json!(WorkspaceEdit { changes, ..WorkspaceEdit::default() }))
}

/// A text with a name in these places, which are in order.
fn replaced(text: &str, places: &[Span], name: &str) -> String {
    let (mut new, mut end) = (String::new(), 0);
    for place in places {
        new.push_str(&text[end..place.range().start]);
        new.push_str(name);
        end = place.range().end;
    }
    new + &text[end..]
}
