//! Narrowing: the upper half of an integer of 64 bits may follow from its lower half, and it may be
//! unused.
use crate::arith::{Binary, Interval, WORD};
use crate::firm::{ControlFlow, Graph, Mode, NodeId, Op};
use crate::ranges::{FirmRanges, ranges_of};
use arena::SideTable;
use flow::dependencies;

/// The relation of the upper half of a value to its lower half.
#[derive(Clone, Copy, Default)]
pub struct Extension {
    /// All bits of the upper half are the sign of the lower one.
    pub by_sign: bool,
    /// All bits of the upper half are 0.
    pub by_zeros: bool,
}

impl Extension {
    fn of(values: Interval) -> Extension {
        let word = Interval::all(WORD);
        Extension {
            by_sign: word.min <= values.min && values.max <= word.max,
            by_zeros: 0 <= values.min && values.max <= i64::from(u32::MAX),
        }
    }

    /// Whether the upper half follows from the lower one.
    pub fn is_known(self) -> bool {
        self.by_sign || self.by_zeros
    }
}

/// The knowledge about the upper halves of the values of a graph.
pub struct Narrowing {
    ranges: Option<FirmRanges>,
    extensions: SideTable<NodeId, Extension>,
    /// Whether the upper half is used and does not follow from the lower one.
    needs_high: SideTable<NodeId, bool>,
    /// The value that a node is a copy of.
    originals: SideTable<NodeId, Option<NodeId>>,
}

impl Narrowing {
    pub fn new(graph: &Graph) -> Narrowing {
        let wide: Vec<_> = graph.ids().filter(|&id| graph.value_mode(id) == Mode::Ls).collect();
        let operands = |id: NodeId| graph.operands(id).iter().copied();
        let queries = wide.iter().flat_map(|&id| operands(id).chain([id])).collect();
        let mut narrowing = Narrowing {
            ranges: ranges_of(graph, &ControlFlow::new(graph), queries),
            extensions: SideTable::new(graph.len()),
            needs_high: SideTable::new(0),
            originals: SideTable::new(0),
        };
        for id in wide {
            narrowing.extensions[id] = narrowing.extension_at(graph, id, graph.node(id).block);
        }
        let needed = graph.ids().flat_map(|id| narrowing.needed_always(graph, id));
        let needed: Vec<_> = needed.collect();
        narrowing.needs_high = dependencies(needed, graph.len(), |id| {
            narrowing.needed_for_high(graph, id).into_iter()
        });
        narrowing
    }

    /// The extension of a value.
    pub fn extension(&self, id: NodeId) -> Extension {
        self.extensions[id]
    }

    /// The extension of a value in a block; a test may restrict the value there.
    pub fn extension_at(&self, graph: &Graph, id: NodeId, block: NodeId) -> Extension {
        let original = self.originals[id].unwrap_or(id);
        let known = self.ranges.as_ref().and_then(|ranges| ranges.at(original, block));
        match (graph.op(id), known) {
            (_, Some(interval)) => Extension::of(interval),
            (Op::Const(value), None) => Extension::of(Interval::constant(value)),
            (Op::Conv(_), None) => Extension { by_sign: true, by_zeros: false },
            (_, None) => Extension { by_sign: false, by_zeros: false },
        }
    }

    /// Whether the value has a high word.
    pub fn needs_high(&self, id: NodeId) -> bool {
        self.needs_high[id] && !self.extensions[id].is_known()
    }

    /// Whether a node reads the upper half of an operand.
    pub fn reads_high(&self, graph: &Graph, user: NodeId, operand: NodeId) -> bool {
        let for_high =
            || self.needs_high(user) && self.needed_for_high(graph, user).contains(&operand);
        self.needed_always(graph, user).contains(&operand) || for_high()
    }

    /// Only a copy of a value has a high word from now on.
    pub fn move_high(&mut self, id: NodeId, copy: NodeId) {
        (self.needs_high[id], self.needs_high[copy]) = (false, true);
        self.originals[copy] = Some(id);
    }

    /// Whether a value may be a number in a block.
    pub fn may_be(&self, id: NodeId, block: NodeId, number: i64) -> bool {
        self.ranges.as_ref().is_none_or(|ranges| ranges.may_be(id, block, number))
    }

    /// Whether a comparison or a division in a block can read the lower halves alone, with a sign.
    pub fn are_words(&self, graph: &Graph, values: [NodeId; 2], block: NodeId) -> bool {
        values.into_iter().all(|it| self.extension_at(graph, it, block).by_sign)
    }

    /// The same without a sign.
    pub fn are_natural_words(&self, graph: &Graph, values: [NodeId; 2], block: NodeId) -> bool {
        values.into_iter().all(|it| self.extension_at(graph, it, block).by_zeros)
    }

    /// The operands whose upper halves are used even if only the lower half of the result is.
    fn needed_always(&self, graph: &Graph, id: NodeId) -> Vec<NodeId> {
        let node = graph.node(id);
        if node.mode != Mode::Ls {
            return Vec::new();
        }
        let operands = graph.operands(id);
        match (node.op, operands) {
            (Op::Cmp(_), &[x, y]) => {
                let are_low = self.are_words(graph, [x, y], node.block)
                    || self.are_natural_words(graph, [x, y], node.block);
                if are_low { Vec::new() } else { vec![x, y] }
            }
            (Op::Conv(Mode::Is), _) => Vec::new(),
            (Op::Binary(Binary::Div), _) => operands.to_vec(),
            #[cfg(feature = "ch17")]
            (Op::Binary(Binary::Mod), _) => operands.to_vec(),
            (Op::Binary(Binary::Shr | Binary::Shrs), &[x, _]) => vec![x],
            (Op::Conv(_) | Op::Return | Op::Store(_), _) => operands.to_vec(),
            _ => Vec::new(),
        }
    }

    /// The operands whose upper halves are used if that of the result is.
    fn needed_for_high(&self, graph: &Graph, id: NodeId) -> Vec<NodeId> {
        let node = graph.node(id);
        if node.mode != Mode::Ls || self.extensions[id].is_known() {
            return Vec::new();
        }
        match (node.op, graph.operands(id)) {
            (Op::Binary(Binary::Mul), &[x, y]) if self.are_words(graph, [x, y], node.block) => {
                Vec::new()
            }
            (Op::Binary(Binary::Shl), &[x, count]) => match graph.op(count) {
                Op::Const(count) if count & 32 != 0 => Vec::new(),
                _ => vec![x],
            },
            (Op::Binary(_) | Op::Phi, operands) => operands.to_vec(),
            #[cfg(feature = "ch29")]
            (Op::Mux, &[_, no, yes]) => vec![no, yes],
            _ => Vec::new(),
        }
    }
}
