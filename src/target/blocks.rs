//! Basic blocks of the code of any machine.
use arena::{Arena, Id, id};
use std::fmt;
use std::ops::Range;

id! {
    /// A basic block.
    BlockId
}

impl BlockId {
    /// The entry block of the function.
    pub const ENTRY: BlockId = BlockId(0);
}

impl fmt::Display for BlockId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "b{}", self.0)
    }
}

/// A basic block; its last instructions jump or return. `R` are the registers of the machine.
#[derive(Clone, Debug)]
pub struct Block<R> {
    /// Its first instruction. It ends where the next block begins.
    pub first: u32,
    /// The number of loops around it.
    pub depth: u32,
    /// In selected code: the block's parameters, and the arguments that it passes to its only
    /// successor. All arguments are read before any parameter is written.
    pub parameters: Vec<R>,
    pub arguments: Vec<R>,
}

/// The blocks of a function, in the order of their instructions. The first is the entry.
pub type Blocks<R> = Arena<BlockId, Block<R>>;

impl<R> Block<R> {
    /// A block without parameters.
    pub fn new(first: u32, depth: u32) -> Block<R> {
        Block { first, depth, parameters: Vec::new(), arguments: Vec::new() }
    }
}

impl<R: fmt::Display> Block<R> {
    /// The name of the block and its parameters: `b3(v5,v6)`.
    pub fn head(&self, name: BlockId) -> String {
        format!("{name}{}", in_parentheses(&self.parameters))
    }

    /// The jump at its end, and its arguments after it.
    pub fn with_arguments(&self, jump: &impl fmt::Display) -> String {
        format!("{jump}{}", in_parentheses(&self.arguments))
    }
}

fn in_parentheses(registers: &[impl fmt::Display]) -> String {
    let names = registers.iter().map(|register| register.to_string()).collect::<Vec<_>>();
    if names.is_empty() { String::new() } else { format!("({})", names.join(",")) }
}

/// The instructions of a block, of so many in total.
pub fn range<R>(blocks: &Blocks<R>, block: BlockId, total: usize) -> Range<usize> {
    let next = BlockId::from_index(block.index() + 1);
    let end = if next.index() == blocks.len() { total } else { blocks[next].first as usize };
    blocks[block].first as usize..end
}

/// Whether each instruction, of so many in total, is in one block, and no block is empty.
pub fn contain_all<R>(blocks: &Blocks<R>, total: usize) -> bool {
    let starts = blocks.ids().map(|id| blocks[id].first as usize).collect::<Vec<_>>();
    let ascend = starts.windows(2).all(|pair| pair[0] < pair[1]);
    starts.first() == Some(&0) && ascend && starts.last().is_some_and(|&last| last < total)
}

/// Whether a block has as many arguments as its only successor has parameters.
pub fn arguments_fit<R>(
    blocks: &Blocks<R>,
    block: BlockId,
    mut successors: impl Iterator<Item = BlockId>,
) -> bool {
    let arguments = blocks[block].arguments.len();
    match (successors.next(), successors.next()) {
        (Some(only), None) => arguments == blocks[only].parameters.len(),
        (first, second) => {
            let mut all = first.into_iter().chain(second);
            arguments == 0 && all.all(|it| blocks[it].parameters.is_empty())
        }
    }
}
