//! The way back: nodes that went without a choice answer those of the neighbours they had.
//!
//! When a node goes, its best answer to each choice of those neighbours is found anyway, for what
//! it costs is left to them. It is noted then, one answer behind the other, so that nothing of
//! the graph is read again on the way back.
use super::problem::NodeId;
use crate::base::ids::Id;

/// The nodes that went, in this order, and their answers.
#[derive(Clone, Default)]
pub struct Answers {
    gone: Vec<Gone>,
    answers: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Gone {
    x: NodeId,
    /// Whom it answers.
    others: [NodeId; 2],
    /// How far the answers to two neighbouring choices of each stand apart.
    strides: [u32; 2],
    /// Where the answer to their first choices stands.
    first: u32,
}

impl Answers {
    /// `x` goes, and gets one `answer` for each choice of `y`.
    pub fn to_one(&mut self, x: NodeId, y: NodeId, answers: impl IntoIterator<Item = u32>) {
        self.go(x, [y, y], [1, 0]);
        self.answers.extend(answers);
    }

    /// `x` goes. Gives room for its answers to `rows` choices of y by `columns` of z, row by row.
    pub fn to_two(
        &mut self,
        x: NodeId,
        yz: [NodeId; 2],
        [rows, columns]: [usize; 2],
    ) -> &mut [u32] {
        let first = self.answers.len();
        self.go(x, yz, [columns as u32, 1]);
        self.answers.resize(first + rows * columns, 0);
        &mut self.answers[first..]
    }

    /// `x` goes, and nobody cares what it does.
    #[cfg(feature = "ch19")]
    pub fn to_nobody(&mut self, x: NodeId) {
        self.to_one(x, x, [0]);
    }

    fn go(&mut self, x: NodeId, others: [NodeId; 2], strides: [u32; 2]) {
        let first = u32::try_from(self.answers.len()).expect("fewer than 2^32 answers");
        self.gone.push(Gone { x, others, strides, first });
    }

    /// All nodes that went choose, last gone first.
    pub fn choose(&mut self, choice: &mut [u32]) {
        while let Some(Gone { x, others: [y, z], strides, first }) = self.gone.pop() {
            let place = choice[y.index()] * strides[0] + choice[z.index()] * strides[1];
            choice[x.index()] = self.answers[(first + place) as usize];
        }
    }
}
