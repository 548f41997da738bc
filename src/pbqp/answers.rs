//! The way back: nodes that went without a choice answer those of the neighbours they had.
//!
//! When a node goes, its best answer to each choice of those neighbours is found anyway, for what
//! it costs is left to them. It is noted then, one answer behind the other, so that nothing of
//! the graph is read again on the way back.
use super::problem::NodeId;
use arena::Id;

/// The nodes that went, in this order, and their answers.
#[derive(Clone, Default)]
pub struct Answers {
    /// The answers of the node that goes next; those to two nodes row by row.
    pub next: Vec<u32>,
    gone: Vec<Gone>,
    /// The answers of nodes with few alternatives: there are many such nodes.
    narrow: Vec<u8>,
    wide: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Gone {
    x: NodeId,
    /// Whom it answers.
    others: [NodeId; 2],
    /// How far the answers to two neighbouring choices of the first stand apart, if the second
    /// is another.
    columns: u32,
    /// Where the answer to their first choices stands.
    first: u32,
    wide: bool,
}

impl Answers {
    /// `x` goes, and has an answer to each choice of `y`.
    pub fn answer_one(&mut self, x: NodeId, y: NodeId) {
        self.go(x, [y, y], 0);
    }

    /// `x` goes, and has an answer to each choice of y and each of the `columns` choices of z.
    pub fn answer_two(&mut self, x: NodeId, yz: [NodeId; 2], columns: usize) {
        self.go(x, yz, columns as u32);
    }

    /// `x` goes, and nobody cares what it does.
    #[cfg(feature = "ch19")]
    pub fn answer_nobody(&mut self, x: NodeId) {
        self.next.push(0);
        self.go(x, [x, x], 0);
    }

    fn go(&mut self, x: NodeId, others: [NodeId; 2], columns: u32) {
        let wide = self.next.iter().any(|&answer| answer > u32::from(u8::MAX));
        let first = if wide { self.wide.len() } else { self.narrow.len() };
        let first = u32::try_from(first).expect("fewer than 2^32 answers");
        self.gone.push(Gone { x, others, columns, first, wide });
        if wide {
            self.wide.append(&mut self.next);
        } else {
            self.narrow.extend(self.next.drain(..).map(|answer| answer as u8));
        }
    }

    /// All nodes that went choose, last gone first.
    pub fn choose(&mut self, choice: &mut [u32]) {
        while let Some(Gone { x, others: [y, z], columns, first, wide }) = self.gone.pop() {
            let place = choice[y.index()] * columns + choice[z.index()];
            let at = (first + place) as usize;
            choice[x.index()] = if wide { self.wide[at] } else { u32::from(self.narrow[at]) };
        }
    }
}
