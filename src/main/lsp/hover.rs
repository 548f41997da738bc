//! The text beside a token: its type, its value, and the rules that have replaced its nodes.
use super::Refusal;
use super::documents::Server;
use lsp_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};
use serde_json::{Value, json};
use sonc::{Analysis, KnownValue, SymbolId, SymbolKind};

pub fn hover(server: &Server, parameters: Value) -> Result<Value, Refusal> {
    let parameters: HoverParams = serde_json::from_value(parameters)?;
    let at = parameters.text_document_position_params;
    let Some((document, analysis, byte)) = server.place(&at) else { return Ok(Value::Null) };
    let mention = analysis.mention_at(byte).filter(|(span, _)| byte < span.end);
    let value = analysis.value_at(byte);
    let Some(span) = mention.map(|it| it.0).or(value.as_ref().map(|it| it.span)) else {
        return Ok(Value::Null);
    };
    let of_symbol = mention.map(|(_, symbol)| symbol_text(analysis, symbol));
    let code = of_symbol.or_else(|| Some(code(value.as_ref()?.ty.as_ref()?)));
    let parts = [code, value.as_ref().and_then(value_text)].into_iter().flatten();
    let value = parts.collect::<Vec<_>>().join("\n\n");
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Ok(json!(Hover { contents, range: Some(document.range(span)) }))
}

/// The declaration of a symbol.
fn symbol_text(analysis: &Analysis, id: SymbolId) -> String {
    let symbol = analysis.symbol(id);
    let typed = format!("{} {}", analysis.type_of(id), symbol.name);
    match symbol.kind {
        SymbolKind::Variable | SymbolKind::Function => code(&typed),
        SymbolKind::Argument => format!("{}\n\nThe argument of the program.", code(&typed)),
        SymbolKind::Field(of) => {
            format!("{}\n\nA field of `{}`.", code(&typed), analysis.symbol(of).name)
        }
        SymbolKind::Struct => {
            let field =
                |id| format!("    {} {};\n", analysis.type_of(id), analysis.symbol(id).name);
            let fields = analysis.fields(id).map(|it| field(it.0)).collect::<String>();
            match fields.as_str() {
                "" => code(&format!("struct {} {{}}", symbol.name)),
                fields => code(&format!("struct {} {{\n{fields}}}", symbol.name)),
            }
        }
    }
}

fn code(text: &str) -> String {
    format!("```simple\n{text}\n```")
}

/// The knowledge about a value, if there is any.
fn value_text(value: &KnownValue) -> Option<String> {
    let bounds = value.bounds.map(|bounds| match bounds {
        [only, last] if only == last => format!("Value: {only}."),
        [first, last] if [first, last] == [i32::MIN, i32::MAX].map(i64::from) => {
            "Value: any `int`.".to_string()
        }
        [first, last] => format!("Value: {first} to {last}."),
    });
    let names: Vec<_> = value.rules.iter().map(|it| format!("`{it}`")).collect();
    let rules = (!names.is_empty()).then(|| format!("Replaced by {}.", names.join(", ")));
    let removed = value.is_removed.then(|| "The optimized graph does not compute it.".to_string());
    let parts: Vec<_> = [bounds, rules, removed].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}
