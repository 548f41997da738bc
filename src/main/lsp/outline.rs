//! The declarations of a program: its structs, their fields, and its outermost variables; and the
//! types of `var` and `val`.
use super::Refusal;
use super::documents::{Document, Server};
use lsp_types::{DocumentSymbolParams, InlayHint, InlayHintKind, InlayHintLabel, InlayHintParams};
use serde_json::{Value, json};
use sonc::{Analysis, Declaration, SymbolId, SymbolKind};
use std::collections::HashMap;

/// The structs with their fields, and the outermost variables.
pub fn symbols(server: &Server, parameters: Value) -> Result<Value, Refusal> {
    let parameters: DocumentSymbolParams = serde_json::from_value(parameters)?;
    let Some((document, analysis)) = server.analysis(&parameters.text_document.uri) else {
        return Ok(Value::Null);
    };
    let (mut outermost, mut fields) = (Vec::new(), HashMap::<SymbolId, Vec<Value>>::new());
    for (id, symbol) in analysis.symbols() {
        let Some(declaration) = &symbol.declaration else { continue };
        let outlined = || outlined(document, analysis, id, declaration);
        match symbol.kind {
            SymbolKind::Field(of) => fields.entry(of).or_default().push(outlined()),
            SymbolKind::Struct => outermost.push((id, declaration.whole, outlined())),
            SymbolKind::Variable | SymbolKind::Function if declaration.is_outermost => {
                outermost.push((id, declaration.whole, outlined()));
            }
            SymbolKind::Variable | SymbolKind::Function | SymbolKind::Argument => {}
        }
    }
    // A struct may be mentioned before its declaration.
    outermost.sort_by_key(|it| it.1);
    for (id, _, outlined) in &mut outermost {
        outlined["children"] = json!(fields.remove(id).unwrap_or_default());
    }
    Ok(outermost.into_iter().map(|it| it.2).collect())
}

fn outlined(
    document: &Document,
    analysis: &Analysis,
    id: SymbolId,
    declaration: &Declaration,
) -> Value {
    let symbol = analysis.symbol(id);
    let (kind, detail) = match symbol.kind {
        SymbolKind::Struct => (lsp_types::SymbolKind::STRUCT, "struct".to_string()),
        SymbolKind::Function => (lsp_types::SymbolKind::FUNCTION, analysis.type_of(id)),
        SymbolKind::Field(_) => (lsp_types::SymbolKind::FIELD, analysis.type_of(id)),
        SymbolKind::Variable | SymbolKind::Argument => {
            (lsp_types::SymbolKind::VARIABLE, analysis.type_of(id))
        }
    };
    json!({
        "name": symbol.name,
        "detail": detail,
        "kind": kind,
        "range": document.range(declaration.whole),
        "selectionRange": document.range(declaration.name),
    })
}

/// The types of `var` and `val`, before the names, as in other declarations.
pub fn hints(server: &Server, parameters: Value) -> Result<Value, Refusal> {
    let parameters: InlayHintParams = serde_json::from_value(parameters)?;
    let Some((document, analysis)) = server.analysis(&parameters.text_document.uri) else {
        return Ok(Value::Null);
    };
    let range = [parameters.range.start, parameters.range.end].map(|it| document.byte(it));
    let hint = |(id, symbol): (SymbolId, &sonc::Symbol)| {
        let declaration = symbol.declaration.as_ref().filter(|it| it.is_inferred)?;
        let name = declaration.name;
        let is_visible = range[0] <= name.start && name.start <= range[1];
        is_visible.then(|| InlayHint {
            position: document.range(name).start,
            label: InlayHintLabel::String(analysis.type_of(id)),
            kind: Some(InlayHintKind::TYPE),
            text_edits: None,
            tooltip: None,
            padding_left: None,
            padding_right: Some(true),
            data: None,
        })
    };
    Ok(json!(analysis.symbols().filter_map(hint).collect::<Vec<_>>()))
}
