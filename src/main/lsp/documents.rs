//! The open programs.
use super::positions::Lines;
use crate::Job;
use lsp_types::{Position, Range, TextDocumentPositionParams, Uri};
use sonc::{Analysis, Language, Options, Source};
use source::Span;
use std::cell::OnceCell;
use std::collections::HashMap;

/// The open programs by their addresses, and the options of their compilation.
pub struct Server<'c> {
    pub job: Job<'c>,
    documents: HashMap<String, Document>,
}

impl<'c> Server<'c> {
    pub fn new(job: Job<'c>) -> Server<'c> {
        Server { job, documents: HashMap::new() }
    }

    pub fn open(&mut self, document: Document) {
        self.documents.insert(document.uri.to_string(), document);
    }

    pub fn close(&mut self, uri: &Uri) {
        self.documents.remove(uri.as_str());
    }

    /// The version of an open program.
    pub fn version(&self, uri: &Uri) -> Option<i32> {
        self.documents.get(uri.as_str()).map(|it| it.version)
    }

    /// An open program, and the names and values in it. There are none in a program of regions or
    /// in a control-flow graph.
    pub fn analysis(&self, uri: &Uri) -> Option<(&Document, &Analysis)> {
        let document = self.documents.get(uri.as_str())?;
        let analysis = document.analysis.get_or_init(|| {
            let is_simple = Language::of(&document.source) == Language::Simple;
            is_simple.then(|| Analysis::new(&document.source.text, self.job.options()))
        });
        Some((document, analysis.as_ref()?))
    }

    /// The same, and the byte of a position.
    pub fn place(&self, at: &TextDocumentPositionParams) -> Option<(&Document, &Analysis, u32)> {
        let (document, analysis) = self.analysis(&at.text_document.uri)?;
        Some((document, analysis, document.byte(at.position)))
    }

    pub fn options(&self) -> Options<'_> {
        self.job.options()
    }
}

/// The last text of an open program.
pub struct Document {
    pub uri: Uri,
    pub source: Source,
    /// The editor's number of this text.
    version: i32,
    lines: Lines,
    /// The analysis is made for the first request after a change.
    analysis: OnceCell<Option<Analysis>>,
}

impl Document {
    pub fn new(uri: &Uri, version: i32, text: String) -> Document {
        let lines = Lines::new(&text);
        let source = Source { name: uri.path().to_string(), text };
        Document { uri: uri.clone(), source, version, lines, analysis: OnceCell::new() }
    }

    pub fn range(&self, span: Span) -> Range {
        self.lines.range(&self.source.text, span)
    }

    pub fn byte(&self, position: Position) -> u32 {
        self.lines.byte(&self.source.text, position) as u32
    }
}
