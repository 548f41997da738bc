//! The names of a program and the values of its expressions, for an editor.
use super::optimization::optimized_with_replacements;
use super::{Options, engine};
use crate::diagnostics::Diagnostic;
use crate::parse::{self, Symbol, SymbolId, SymbolKind, Symbols};
use crate::peephole::Replacement;
use crate::sea::{Graph, NodeId};
use crate::types::{Type, TypeKind};
use arena::FxHashMap;
use source::Span;
use std::collections::BTreeMap;
use std::ops::Bound;

/// The result of reading a program of Simple. If it has errors, there are the names of all parts
/// that the parser has read, but no values.
pub struct Analysis {
    symbols: Symbols,
    /// The optimized sea, if there are no errors.
    graph: Graph,
    replacements: Vec<Replacement>,
    /// The last replacement of each node.
    replaced: FxHashMap<NodeId, usize>,
    pub errors: Vec<Diagnostic>,
}

/// The static type of a token, and the knowledge of the optimizer about its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownValue {
    pub span: Span,
    /// The type as the language writes it, except for a variable that is assigned here.
    pub ty: Option<String>,
    /// The bounds of an integer, if the program has no errors.
    pub bounds: Option<[i64; 2]>,
    /// Whether the optimized sea has no node for the value.
    pub is_removed: bool,
    /// The rules that have replaced the nodes of the token.
    pub rules: Vec<&'static str>,
}

impl Analysis {
    pub fn new(text: &str, options: Options) -> Analysis {
        let reading = parse::read(parse::Input {
            text,
            engine: engine(options),
            show: Box::new(|_| ()),
            argument: options.argument,
            int: options.int,
        });
        let (mut graph, mut replacements) = (reading.graph, reading.replacements);
        if reading.errors.is_empty() {
            let sea = optimized_with_replacements(graph, options);
            replacements.extend(sea.replacements());
            graph = sea.frozen();
        }
        let replaced = replacements.iter().zip(0..).map(|(it, at)| (it.old, at)).collect();
        let (symbols, errors) = (reading.symbols, reading.errors);
        Analysis { symbols, graph, replacements, replaced, errors }
    }

    pub fn symbols(&self) -> impl Iterator<Item = (SymbolId, &Symbol)> {
        self.symbols.all.ids().map(|id| (id, &self.symbols.all[id]))
    }

    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols.all[id]
    }

    /// The declared type of a variable or a field, as the language writes it.
    pub fn type_of(&self, id: SymbolId) -> String {
        self.type_name(self.symbol(id).ty)
    }

    /// The name at or before a byte, and its symbol.
    pub fn mention_at(&self, byte: u32) -> Option<(Span, SymbolId)> {
        let found = at(&self.symbols.mentions, byte, |it| it.0);
        found.or_else(|| at(&self.symbols.mentions, byte.checked_sub(1)?, |it| it.0)).copied()
    }

    /// All places that mention a symbol, in order.
    pub fn mentions(&self, of: SymbolId) -> impl Iterator<Item = Span> {
        self.symbols.mentions.values().filter(move |it| it.1 == of).map(|it| it.0)
    }

    /// The value of the token at a byte.
    pub fn value_at(&self, byte: u32) -> Option<KnownValue> {
        let token = at(&self.symbols.values, byte, |it| it.span)?;
        let mut value = KnownValue {
            span: token.span,
            ty: token.ty.map(|it| self.type_name(it)),
            bounds: None,
            is_removed: false,
            rules: Vec::new(),
        };
        let Some(first) = token.node.filter(|_| self.errors.is_empty()) else { return Some(value) };
        let node = self.last_replacement(first);
        // Of `!=`, the negation is another node, and may be in the graph without this one.
        value.is_removed = !token.is_negated && self.graph.is_removed(node);
        if let TypeKind::Integer { min, max, .. } = *self.graph.types.kind(self.graph.ty(node)) {
            let is_known = min == max && token.is_negated;
            value.bounds = Some(if is_known { [i64::from(min == 0); 2] } else { [min, max] });
        }
        value.rules = self.rules(token.span, node);
        Some(value)
    }

    /// The rules that have replaced a node of a token, where `node` has taken its place.
    fn rules(&self, token: Span, node: NodeId) -> Vec<&'static str> {
        let mut rules = Vec::new();
        for it in &self.replacements {
            let is_of_token = self.graph.origin(it.old) == Some(token);
            if is_of_token && self.last_replacement(it.old) == node && !rules.contains(&it.rule) {
                rules.push(it.rule);
            }
        }
        rules
    }

    /// The node in the place of another one. Each replacement is later than the one before it, so
    /// that the search ends.
    fn last_replacement(&self, mut node: NodeId) -> NodeId {
        let mut next = 0;
        while self.graph.is_removed(node)
            && let Some(&at) = self.replaced.get(&node).filter(|it| next <= **it)
        {
            (node, next) = (self.replacements[at].new, at + 1);
        }
        node
    }

    fn type_name(&self, ty: Type) -> String {
        match self.graph.types.kind(ty) {
            TypeKind::Integer { min, max, .. } if min == max => "int".to_string(),
            TypeKind::Float(_) => "flt".to_string(),
            TypeKind::Single => "f32".to_string(),
            // The lattice marks pointers by a star, the language does not.
            _ => self.graph.types.name(ty).replace('*', ""),
        }
    }

    /// Whether both programs have the same structure of declarations and uses. Names may differ.
    pub fn has_bindings_of(&self, other: &Analysis) -> bool {
        let kinds = |it: &Analysis| it.symbols().map(|(_, it)| it.kind).collect::<Vec<_>>();
        let uses = |it: &Analysis| it.symbols.mentions.values().map(|it| it.1).collect::<Vec<_>>();
        let errors = |it: &Analysis| it.errors.len();
        kinds(self) == kinds(other) && uses(self) == uses(other) && errors(self) == errors(other)
    }

    /// The fields of a struct, in order.
    pub fn fields(&self, of: SymbolId) -> impl Iterator<Item = (SymbolId, &Symbol)> {
        self.symbols().filter(move |(_, it)| it.kind == SymbolKind::Field(of))
    }
}

/// The entry of the token that contains a byte.
fn at<T>(tokens: &BTreeMap<u32, T>, byte: u32, span: impl Fn(&T) -> Span) -> Option<&T> {
    let before = tokens.range((Bound::Unbounded, Bound::Included(byte))).next_back();
    before.map(|it| it.1).filter(|it| byte < span(it).end)
}

#[cfg(test)]
mod tests;
