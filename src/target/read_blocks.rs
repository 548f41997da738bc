//! Reads the instructions and blocks of code, for tests.
//!
//! Instructions are separated by line ends or semicolons, and may follow a block's name. That may be
//! followed by the loop depth: `b2@1(v3,v4):`.
#[cfg(feature = "ch05")]
use crate::target::blocks::{Block, BlockId, Blocks};

/// The name of a block or an instruction, and the registers in parentheses after it.
pub struct Line<R> {
    pub text: String,
    pub registers: Vec<R>,
}

pub fn lines<R>(text: &str, register: impl Fn(&str) -> R) -> Vec<Line<R>> {
    let parts = text.split(['\n', ';']).flat_map(|line| line.split_inclusive(':'));
    let parts = parts.map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| Line::new(part, &register)).collect()
}

impl<R> Line<R> {
    fn new(text: &str, register: impl Fn(&str) -> R) -> Line<R> {
        let end = if text.ends_with(':') { ":" } else { "" };
        let inner = text.trim_end_matches(':').strip_suffix(')');
        let Some((text, inner)) = inner.and_then(|text| text.split_once('(')) else {
            return Line { text: text.into(), registers: Vec::new() };
        };
        Line { text: format!("{text}{end}"), registers: inner.split(',').map(register).collect() }
    }

    pub fn instruction(&self) -> Option<&str> {
        (!self.text.ends_with(':')).then_some(&self.text)
    }
}

#[cfg(feature = "ch05")]
pub fn blocks<R: Copy>(lines: &[Line<R>]) -> Blocks<R> {
    let (mut blocks, mut first) = (Blocks::default(), 0);
    for line in lines {
        match line.text.strip_suffix(':') {
            Some(name) => {
                let (name, depth) = name.split_once('@').unwrap_or((name, "0"));
                let depth = depth.parse().expect("a number of loops");
                let parameters = line.registers.clone();
                let id = blocks.push(Block { parameters, ..Block::new(first, depth) });
                assert_eq!(name, id.to_string(), "blocks are numbered in order");
            }
            None => {
                if blocks.is_empty() {
                    blocks.push(Block::new(0, 0));
                }
                let last: BlockId = blocks.ids().next_back().expect("there is one");
                blocks[last].arguments.extend(&line.registers);
                first += 1;
            }
        }
    }
    blocks
}
