//! Problems as text: `pbqp n m`, then a line for each node and a line for each edge.
//!
//! ```text
//! pbqp 2 1            # two nodes, one edge; a comment ends with its line
//! 2  5 inf            # node 0: how many alternatives, then the cost of each
//! 3  0 1 4            # node 1
//! 0 1  0 inf 0 0 7 2  # an edge u v, u < v, and its matrix row by row, u's alternatives the rows
//! ```
use super::cost::Cost;
use super::problem::{NodeId, Problem};
use arena::Id;
use source::Span;
#[cfg(test)]
use std::fmt::Write;

/// Why a text is not a problem, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    pub span: Span,
    pub message: String,
}

/// Reads a problem. Takes time and memory for what is there, not for what is announced.
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

/// The text of a problem.
#[cfg(test)]
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

/// `k c_0 … c_{k-1}`; `costs` is room to write in.
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

/// The lines of a text that have words.
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

/// What stands before the first `stop`, if there is one.
fn before(bytes: &[u8], stop: u8) -> &[u8] {
    let end = bytes.iter().position(|&byte| byte == stop);
    &bytes[..end.unwrap_or(bytes.len())]
}

/// A line, of which the words before `at` are read.
struct Line<'t> {
    text: &'t str,
    start: usize,
    at: usize,
    end: usize,
}

/// Whatever stands between spaces.
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

    /// A count, or a node's number: what fits into 32 bits.
    fn number(&mut self, what: &str) -> Result<u64, TextError> {
        let largest = u64::from(u32::MAX);
        match self.digits(largest) {
            Some(number) => Ok(number),
            None => self.expect(what)?.number(what, largest),
        }
    }

    /// The next word if it is a number up to `largest`. Most words are; all others are looked at
    /// again, with more time.
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
                && let Some(number) = self.digits(Cost::LARGEST)
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

    /// A complaint about the whole line.
    fn error(&self, message: String) -> TextError {
        TextError { span: Span::new(self.start, self.end), message }
    }
}

impl Word<'_> {
    fn cost(&self) -> Result<Cost, TextError> {
        if self.text == "inf" {
            return Ok(Cost::INFINITY);
        }
        self.number("a cost, a number or `inf`", Cost::LARGEST).map(Cost::new)
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

#[cfg(test)]
mod tests {
    use super::super::random::{FAMILIES, Random};
    use super::*;

    const SMALL: &str = "pbqp 2 1\n2 5 inf\n3 0 1 4\n0 1 0 inf 0 0 7 2\n";

    #[test]
    fn a_text_is_read_and_printed() {
        let problem = parse(SMALL).unwrap();
        assert_eq!(problem.cost(&[0, 2]), Cost::new(5 + 4));
        assert_eq!(problem.cost(&[0, 1]), Cost::INFINITY);
        assert_eq!(print(&problem), SMALL);
    }

    #[test]
    fn spaces_comments_and_blank_lines_do_not_count() {
        let text = "# a problem\n\n\tpbqp 2 1 # head\r\n 2  5 inf\n\n3 0 1 4#\n0 1 0 inf 0 0 7 2";
        assert_eq!(print(&parse(text).unwrap()), SMALL);
        assert_eq!(print(&parse("pbqp 0 0").unwrap()), "pbqp 0 0\n");
    }

    #[test]
    fn what_is_printed_reads_as_the_same_problem() {
        for family in FAMILIES {
            for seed in 0..20 {
                let problem = (family.draw)(&mut Random(seed), 9);
                let again = parse(&print(&problem)).unwrap();
                let vectors = |problem: &Problem| {
                    problem.nodes().map(|x| problem.vector(x).to_vec()).collect::<Vec<_>>()
                };
                assert_eq!(vectors(&problem), vectors(&again), "{} {seed}", family.name);
                assert!(problem.edges().eq(again.edges()), "{} {seed}", family.name);
            }
        }
    }

    /// Texts with the part that is to blame in marks, and the reason.
    const BROKEN: &[(&str, &str)] = &[
        ("«»", "the first line must be `pbqp n m`"),
        ("# nothing«»\n", "the first line must be `pbqp n m`"),
        ("«hello» 1 0", "expected `pbqp`"),
        ("«pbqp»", "this line lacks the number of nodes"),
        ("«pbqp 1»", "this line lacks the number of edges"),
        ("pbqp 1 0 «7»\n1 0", "expected the end of the line"),
        ("pbqp «inf» 0", "expected the number of nodes, found `inf`"),
        ("pbqp «-1» 0", "expected the number of nodes, found `-1`"),
        ("pbqp «4294967296» 0", "the largest number here is 4294967295"),
        ("pbqp 4000000000 0\n1 0«»", "the line of node 1 is missing"),
        ("pbqp 1 4000000000\n1 0 # end«»\n", "the line of edge 0 is missing"),
        ("pbqp 1 0\n«0»", "a node needs an alternative"),
        ("pbqp 1 0\n «2 3» # 4", "a node of 2 alternatives has 2 costs, not 1"),
        ("pbqp 1 0\n«4000000000 3»", "a node of 4000000000 alternatives has 4000000000 costs"),
        ("pbqp 1 0\n2 3 4 «5» 6", "a node of 2 alternatives has 2 costs, no more"),
        ("pbqp 1 0\n1 «+3»", "expected a cost, a number or `inf`, found `+3`"),
        ("pbqp 1 0\n1 «3.5»", "expected a cost, a number or `inf`, found `3.5`"),
        ("pbqp 1 0\n1 «höher»", "expected a cost, a number or `inf`, found `höher`"),
        ("pbqp 1 0\n1 «1000000000001»", "the largest number here is 1000000000000"),
        ("pbqp 1 0\n1 «99999999999999999999»", "the largest number here is 1000000000000"),
        ("pbqp 1 0\n1 3\n«1 4» # more", "only 0 edges were announced"),
        ("pbqp 2 1\n1 0\n1 0\n«0»", "this line lacks the number of a node"),
        ("pbqp 2 1\n1 0\n1 0\n0 «2» 0", "there is no node 2, only 2 from 0 on"),
        ("pbqp 2 1\n1 0\n1 0\n0 «x» 0", "expected the number of a node, found `x`"),
        ("pbqp 2 1\n1 0\n1 0\n«1 0 0»", "an edge names the smaller of its two nodes first"),
        ("pbqp 2 1\n1 0\n1 0\n«1 1 0»", "an edge names the smaller of its two nodes first"),
        ("pbqp 2 2\n1 0\n1 0\n0 1 0\n«0 1 3»", "there is an edge between 0 and 1 already"),
        ("pbqp 2 1\n2 0 0\n1 0\n«0 1 3»", "a matrix of 2 by 1 has 2 costs, not 1"),
        ("pbqp 2 1\n2 0 0\n1 0\n0 1 3 4 «5»", "a matrix of 2 by 1 has 2 costs, no more"),
    ];

    #[test]
    fn what_is_broken_is_told_with_its_place() {
        for (marked, reason) in BROKEN {
            let parts: Vec<&str> = marked.split(['«', '»']).collect();
            let text = parts.concat();
            let Err(TextError { span, message }) = parse(&text) else { panic!("takes {text}") };
            let start = parts[0].len();
            assert_eq!(span.range(), start..start + parts[1].len(), "{marked}: {message}");
            assert!(message.contains(reason), "{marked}: {message}");
        }
    }
}
