//! From lines to the graph, with all checks.
use super::graph::{Block, BlockId, End, Graph, Instruction, Operand, Operation, VariableId};
use super::parser::{Line, Word, lines};
use crate::arith::{Binary, Relation};
use crate::diagnostics::{Code, Diagnostic};
use crate::region::Operator;
use arena::Id;
use source::Span;
use std::collections::HashMap;

/// The graph of a text.
pub fn read(text: &str) -> Result<Graph, Vec<Diagnostic>> {
    let mut reader = Reader::default();
    for line in lines(text) {
        reader.line(&line);
    }
    reader.finish(Span::new(text.len(), text.len()));
    if reader.diagnostics.is_empty() { Ok(reader.graph) } else { Err(reader.diagnostics) }
}

#[derive(Default)]
struct Reader<'s> {
    graph: Graph,
    variables: HashMap<&'s str, VariableId>,
    /// The block of each label, and where it is defined; none if it is only used so far.
    labels: HashMap<&'s str, (BlockId, Option<Span>)>,
    /// The uses of labels and of variables.
    label_uses: Vec<Word<'s>>,
    variable_uses: Vec<(VariableId, Span)>,
    is_assigned: Vec<bool>,
    /// The block to which instructions are added; none after a jump.
    block: Option<BlockId>,
    has_function: bool,
    is_begun: bool,
    results: Option<usize>,
    last: Span,
    diagnostics: Vec<Diagnostic>,
}

impl<'s> Reader<'s> {
    fn line(&mut self, line: &Line<'s>) {
        let Some(&(word, span)) = line.words.first() else {
            let (_, span) = line.results.iter().flatten().next().copied().unwrap_or_default();
            return self.report(span, "a line begins with an operation", "there is none");
        };
        let operands = &line.words[1..];
        self.last = span;
        match word {
            "function" => return self.function(line, span),
            "label" => return self.label(line, span),
            _ => {}
        }
        if self.block.is_none() {
            // Without a label nothing jumps to it.
            self.block = Some(self.new_block(format!("after{}", self.graph.blocks.len())));
        }
        self.is_begun = true;
        match word {
            "goto" | "switch" | "return" if line.results.is_some() => {
                self.report(span, format!("`{word}` has no results"), "expected no `->`");
            }
            "goto" => match operands {
                &[target] => {
                    let target = self.target(target);
                    self.end(line, End::Goto(target));
                }
                _ => self.count(span, "one label", operands.len()),
            },
            "switch" if operands.len() < 3 => {
                self.count(span, "a value and two labels at least", operands.len());
            }
            "switch" => {
                let value = self.operand(operands[0]);
                let targets = operands[1..].iter().map(|&it| self.target(it)).collect();
                self.end(line, End::Switch(value, targets));
            }
            "return" => self.returned(line, span),
            "call" => {
                let message = "a program in this language is one function";
                self.report(span, message, "there is nothing to call");
            }
            _ => self.instruction(line, word, span),
        }
    }

    fn function(&mut self, line: &Line<'s>, span: Span) {
        if self.has_function || self.is_begun {
            return self.report(span, "`function` is the first line, once", "a second beginning");
        }
        self.has_function = true;
        if let Some(&(_, span)) = line.words.get(1) {
            let label = "expected `function -> names`";
            return self.report(span, "the arguments are after an arrow", label);
        }
        for &(name, span) in line.results.iter().flatten() {
            let parameter = self.assigned((name, span));
            if self.graph.parameters.contains(&parameter) {
                self.report(span, format!("`{name}` is an argument twice"), "the second one");
            }
            self.graph.parameters.push(parameter);
        }
    }

    fn label(&mut self, line: &Line<'s>, span: Span) {
        let (&[(name, place)], None) = (&line.words[1..], &line.results) else {
            return self.count(span, "one name", line.words.len() - 1);
        };
        let block = self.block_of(name);
        let defined = &mut self.labels.get_mut(name).expect("it was just added").1;
        if defined.replace(place).is_some() {
            let message = format!("the label `{name}` is defined twice");
            return self.report(place, message, "the second definition");
        }
        self.is_begun = true;
        if let Some(before) = self.block {
            self.graph.blocks[before].end = End::Goto(block);
        }
        self.block = Some(block);
    }

    fn new_block(&mut self, label: String) -> BlockId {
        let end = End::Return(Vec::new());
        let end_origin = Span::default();
        self.graph.blocks.push(Block { label, instructions: Vec::new(), end, end_origin })
    }

    fn block_of(&mut self, name: &'s str) -> BlockId {
        if let Some(&(block, _)) = self.labels.get(name) {
            return block;
        }
        let block = self.new_block(name.to_string());
        self.labels.insert(name, (block, None));
        block
    }

    fn target(&mut self, (name, span): Word<'s>) -> BlockId {
        self.label_uses.push((name, span));
        self.block_of(name)
    }

    fn end(&mut self, line: &Line, end: End) {
        let block = self.block.take().expect("a line after a jump begins a block");
        let block = &mut self.graph.blocks[block];
        (block.end, block.end_origin) = (end, line.place());
    }

    fn returned(&mut self, line: &Line<'s>, span: Span) {
        let values: Vec<_> = line.words[1..].iter().map(|&it| self.operand(it)).collect();
        let expected = *self.results.get_or_insert(values.len());
        if expected != values.len() {
            let message = format!("this returns {} values", values.len());
            self.report(span, message, format!("the first `return` has {expected}"));
        }
        self.end(line, End::Return(values));
    }

    fn instruction(&mut self, line: &Line<'s>, word: &str, span: Span) {
        let found = &line.words[1..];
        let operands: Vec<_> = found.iter().map(|&it| self.operand(it)).collect();
        let (operation, operands) = match (word, &operands[..]) {
            ("mov", [_]) => (Operation::Copy, operands),
            ("mov", _) => return self.count(span, "one operand", operands.len()),
            ("use", _) => (Operation::Use, operands),
            ("-", &[x]) => {
                let zero = Operand::Number(0);
                (Operation::Operator(Operator::Binary(Binary::Sub)), vec![zero, x])
            }
            ("!", &[x]) => {
                let zero = Operand::Number(0);
                (Operation::Operator(Operator::Compare(Relation::Equal)), vec![x, zero])
            }
            ("!", _) => return self.count(span, "one operand", operands.len()),
            _ => match Operator::of_word(word) {
                Some(operator) if operands.len() == 2 => (Operation::Operator(operator), operands),
                Some(_) => return self.count(span, "two operands", operands.len()),
                None => {
                    let words: Vec<_> = Operator::all().map(|row| row.word).collect();
                    let label = format!("the operations are {} ! mov use", words.join(" "));
                    return self.report(span, format!("`{word}` is no operation"), label);
                }
            },
        };
        let result = match line.results.as_deref() {
            Some(&[name]) => Some(self.assigned(name)),
            None | Some([]) if operation == Operation::Use => None,
            results => return self.count(span, "one result", results.map_or(0, <[_]>::len)),
        };
        let block = self.block.expect("a line after a jump begins a block");
        self.graph.blocks[block].instructions.push(Instruction {
            operation,
            operands,
            result,
            origin: line.place(),
        });
    }

    fn operand(&mut self, (word, span): Word<'s>) -> Operand {
        match word.parse::<i32>() {
            Ok(number) => Operand::Number(i64::from(number)),
            Err(_) => {
                let variable = self.variable(word);
                self.variable_uses.push((variable, span));
                Operand::Variable(variable)
            }
        }
    }

    fn variable(&mut self, name: &'s str) -> VariableId {
        let (graph, is_assigned) = (&mut self.graph, &mut self.is_assigned);
        *self.variables.entry(name).or_insert_with(|| {
            is_assigned.push(false);
            graph.variables.push(name.to_string())
        })
    }

    fn assigned(&mut self, (name, span): Word<'s>) -> VariableId {
        if name.parse::<i32>().is_ok() {
            self.report(span, "a number cannot be assigned", "expected a name");
        }
        let variable = self.variable(name);
        self.is_assigned[variable.index()] = true;
        variable
    }

    fn finish(&mut self, end: Span) {
        if self.graph.blocks.is_empty() {
            return self.report(end, "the program is empty", "expected a `return`");
        }
        if self.block.is_some() {
            self.report(self.last, "the program ends without a `return`", "control goes past it");
        }
        for (name, span) in std::mem::take(&mut self.label_uses) {
            if self.labels[name].1.is_none() {
                let message = format!("there is no label `{name}`");
                self.report(span, message, format!("expected a line `label {name}`"));
            }
        }
        for (variable, span) in std::mem::take(&mut self.variable_uses) {
            if !self.is_assigned[variable.index()] {
                let name = &self.graph.variables[variable];
                let message = format!("`{name}` has no value");
                self.report(span, message, "nothing assigns it");
            }
        }
    }

    fn count(&mut self, span: Span, expected: &str, found: usize) {
        self.report(span, format!("a wrong number: {found}"), format!("expected {expected}"));
    }

    fn report(&mut self, span: Span, message: impl Into<String>, label: impl Into<String>) {
        if self.diagnostics.len() < MAX_REPORTS {
            self.diagnostics.push(Diagnostic::new(Code::Syntax, span, message, label));
        }
    }
}

/// Later errors are not reported.
const MAX_REPORTS: usize = 20;
