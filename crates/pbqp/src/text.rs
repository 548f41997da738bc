//! The text form of problems: `pbqp n m`, then a line for each node and a line for each edge.
use crate::cost::Cost;
use crate::problem::{NodeId, Problem};
use alloc::format;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt::{self, Write};
use source::Span;

/// The first error in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TextError {
    /// The bytes that are wrong.
    pub span: Span,
    /// What is wrong about them, in one line.
    pub message: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} at byte {}", self.message, self.span.start)
    }
}

impl Error for TextError {}

/// Reads a problem:
///
/// ```text
/// pbqp 2 1            # two nodes, one edge; a comment ends with its line
/// 2  5 inf            # node 0: the number of alternatives, then their costs
/// 3  0 1 4            # node 1
/// 0 1  0 inf 0 0 7 2  # an edge u v, u < v, and its matrix, with a row for each alternative of u
/// ```
///
/// Time and memory depend on the length of the text, not on the numbers that it announces.
///
/// # Errors
/// The first place where the text has another form.
pub fn parse(text: &str) -> Result<Problem, TextError> {
    let mut lines = Lines { text, at: 0 };
    let mut head = lines.expect(|| "the first line must be `pbqp n m`".to_string())?;
    head.keyword("pbqp")?;
    let nodes = head.number("the number of nodes")?;
    let edges = head.number("the number of edges")?;
    head.end()?;
    let mut problem = Problem::new();
    let mut costs = Vec::new();
    for node in 0..nodes {
        let line = lines.expect(|| format!("the line of node {node} is missing"))?;
        read_node(&mut problem, line, &mut costs)?;
    }
    for edge in 0..edges {
        let line = lines.expect(|| format!("the line of edge {edge} is missing"))?;
        read_edge(&mut problem, line, &mut costs)?;
    }
    match lines.next() {
        Some(line) => Err(line.error(format!("only {edges} edges were announced"))),
        None => Ok(problem),
    }
}

/// The text of a problem. [`parse`] reads it if no finite cost exceeds [`Cost::MAX_INPUT`].
pub fn print(problem: &Problem) -> String {
    let mut text = format!("pbqp {} {}\n", problem.node_count(), problem.edge_count());
    let mut line = |head: String, costs: &[Cost]| {
        text.push_str(&head);
        costs.iter().for_each(|cost| write!(text, " {cost}").expect("a string takes all text"));
        text.push('\n');
    };
    for node in problem.nodes() {
        let costs = problem.vector(node);
        line(costs.len().to_string(), costs);
    }
    for (u, v, matrix) in problem.edges() {
        line(format!("{} {}", u.index(), v.index()), matrix);
    }
    text
}

/// `k c_0 … c_{k-1}`; `costs` is reused memory.
fn read_node(
    problem: &mut Problem,
    mut line: Line,
    costs: &mut Vec<Cost>,
) -> Result<(), TextError> {
    let count = line.number("the number of alternatives")?;
    if count == 0 {
        return Err(line.error("a node needs an alternative".to_string()));
    }
    line.costs(costs, count, || format!("a node of {count} alternatives"))?;
    problem.add_node(costs);
    Ok(())
}

/// `u v C(0,0) C(0,1) …`
fn read_edge(
    problem: &mut Problem,
    mut line: Line,
    costs: &mut Vec<Cost>,
) -> Result<(), TextError> {
    let (u, v) = (line.node(problem)?, line.node(problem)?);
    if u >= v {
        return Err(line.error("an edge names the smaller of its two nodes first".to_string()));
    }
    if problem.between(u, v).is_some() {
        let (u, v) = (u.index(), v.index());
        return Err(line.error(format!("there is an edge between {u} and {v} already")));
    }
    let [rows, columns] = [u, v].map(|node| problem.vector(node).len() as u64);
    line.costs(costs, rows * columns, || format!("a matrix of {rows} by {columns}"))?;
    problem.add_edge(u, v, costs);
    Ok(())
}

/// The lines of a text that are not blank.
struct Lines<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lines<'t> {
    fn next(&mut self) -> Option<Line<'t>> {
        while self.at < self.text.len() {
            let line = before(&self.text.as_bytes()[self.at..], b'\n');
            let words = before(line, b'#').trim_ascii_end();
            let start = self.at + words.len() - words.trim_ascii_start().len();
            let end = self.at + words.len();
            self.at += line.len() + 1;
            if start < end {
                return Some(Line { text: self.text, start, at: start, end });
            }
        }
        None
    }

    /// The next line, or an error at the end of the text.
    fn expect(&mut self, missing: impl Fn() -> String) -> Result<Line<'t>, TextError> {
        let end = self.text.trim_ascii_end().len();
        self.next().ok_or_else(|| TextError { span: Span::new(end, end), message: missing() })
    }
}

/// The bytes before the first `stop`, or all.
fn before(bytes: &[u8], stop: u8) -> &[u8] {
    let end = bytes.iter().position(|&byte| byte == stop);
    &bytes[..end.unwrap_or(bytes.len())]
}

/// A line; the words before `at` have been read.
struct Line<'t> {
    text: &'t str,
    start: usize,
    at: usize,
    end: usize,
}

/// A text between spaces.
struct Word<'t> {
    text: &'t str,
    span: Span,
}

impl<'t> Line<'t> {
    fn next(&mut self) -> Option<Word<'t>> {
        let rest = &self.text[self.at..self.end];
        let start = self.end - rest.trim_ascii_start().len();
        let words = &self.text.as_bytes()[start..self.end];
        let len = words.iter().position(u8::is_ascii_whitespace).unwrap_or(words.len());
        self.at = start + len;
        let text = &self.text[start..self.at];
        (len > 0).then(|| Word { text, span: Span::new(start, self.at) })
    }

    fn expect(&mut self, what: &str) -> Result<Word<'t>, TextError> {
        self.next().ok_or_else(|| self.error(format!("this line lacks {what}")))
    }

    fn keyword(&mut self, keyword: &str) -> Result<(), TextError> {
        let word = self.expect(keyword)?;
        let found = word.text == keyword;
        if found { Ok(()) } else { Err(word.error(format!("expected `{keyword}`"))) }
    }

    /// A count or the number of a node: at most 32 bits.
    fn number(&mut self, what: &str) -> Result<u64, TextError> {
        let largest = u64::from(u32::MAX);
        match self.digits(largest) {
            Some(number) => Ok(number),
            None => self.expect(what)?.number(what, largest),
        }
    }

    /// The next word if it is a number up to `largest`: the fast path for almost all words. Other
    /// words are read again by `next`.
    fn digits(&mut self, largest: u64) -> Option<u64> {
        let bytes = &self.text.as_bytes()[..self.end];
        let spaces = bytes[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace());
        let start = self.at + spaces.count();
        let mut number: u64 = 0;
        let mut at = start;
        while let Some(digit @ b'0'..=b'9') = bytes.get(at) {
            number = number.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
            at += 1;
        }
        let whole = bytes.get(at).is_none_or(u8::is_ascii_whitespace);
        // 18 digits cannot wrap around.
        if !whole || at == start || at > start + 18 || number > largest {
            return None;
        }
        self.at = at;
        Some(number)
    }

    fn node(&mut self, problem: &Problem) -> Result<NodeId, TextError> {
        let count = problem.node_count();
        if let Some(node) = self.digits((count as u64).saturating_sub(1)).filter(|_| count > 0) {
            return Ok(NodeId::from_index(node as usize));
        }
        let word = self.expect("the number of a node")?;
        let node = word.number("the number of a node", u64::from(u32::MAX))?;
        Err(word.error(format!("there is no node {node}, only {count} from 0 on")))
    }

    /// The rest of the line: `count` costs.
    fn costs(
        &mut self,
        costs: &mut Vec<Cost>,
        count: u64,
        whose: impl Fn() -> String,
    ) -> Result<(), TextError> {
        costs.clear();
        loop {
            if (costs.len() as u64) < count
                && let Some(number) = self.digits(Cost::MAX_INPUT)
            {
                costs.push(Cost::new(number));
                continue;
            }
            let Some(word) = self.next() else { break };
            if costs.len() as u64 == count {
                return Err(word.error(format!("{} has {count} costs, no more", whose())));
            }
            costs.push(word.cost()?);
        }
        if (costs.len() as u64) < count {
            let found = costs.len();
            return Err(self.error(format!("{} has {count} costs, not {found}", whose())));
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), TextError> {
        self.next().map_or(Ok(()), |word| Err(word.error("expected the end of the line".into())))
    }

    /// An error in the whole line.
    fn error(&self, message: String) -> TextError {
        TextError { span: Span::new(self.start, self.end), message }
    }
}

impl Word<'_> {
    fn cost(&self) -> Result<Cost, TextError> {
        if self.text == "inf" {
            return Ok(Cost::INFINITY);
        }
        self.number("a cost, a number or `inf`", Cost::MAX_INPUT).map(Cost::new)
    }

    fn number(&self, what: &str, largest: u64) -> Result<u64, TextError> {
        if !self.text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.error(format!("expected {what}, found `{}`", self.text)));
        }
        match self.text.parse() {
            Ok(number) if number <= largest => Ok(number),
            _ => Err(self.error(format!("the largest number here is {largest}"))),
        }
    }

    fn error(&self, message: String) -> TextError {
        TextError { span: self.span, message }
    }
}
