//! Programs made from rules: what a pattern says, as a Firm graph that it fits.
use super::pattern::{Operand, Pattern};
use super::{Guard, Rule};
#[cfg(feature = "ch04")]
use crate::arith::Relation;
use crate::firm::{Graph, NodeId, Op};

impl Rule {
    /// The patterns of its results, in the order they are written.
    fn patterns(&self) -> impl Iterator<Item = &Pattern> {
        let patterns = [
            #[cfg(feature = "ch10")]
            self.partners.iter().map(|it| &it.pattern).collect(),
            vec![&self.pattern],
        ];
        patterns.into_iter().flatten()
    }

    /// For each place of the patterns that holds a number or a relation, in the order they are
    /// written, which of `constants` the guards let stand there.
    pub fn instantiations(&self, constants: &[i64]) -> Vec<Vec<i64>> {
        let (mut all, mut known) = (Vec::new(), Vec::new());
        for pattern in self.patterns() {
            self.fillings_of(pattern, constants, &mut known, &mut all);
        }
        all
    }

    /// A place whose name is one of the `known` holds what it holds there.
    fn fillings_of(
        &self,
        pattern: &Pattern,
        constants: &[i64],
        known: &mut Vec<u8>,
        all: &mut Vec<Vec<i64>>,
    ) {
        let is_known = pattern.binds.is_some_and(|name| known.contains(&name));
        known.extend(pattern.binds);
        if is_known {
        } else if pattern.op.has_relation() {
            all.push((0..6).collect());
        } else if pattern.op.number().is_some() {
            all.push(self.allowed(pattern, constants));
        }
        for operand in &pattern.operands {
            if let Operand::Node(inner) = operand {
                self.fillings_of(inner, constants, known, all);
            }
        }
    }

    fn allowed(&self, pattern: &Pattern, constants: &[i64]) -> Vec<i64> {
        let holds = |number: i64| {
            self.guards.iter().all(|guard| match *guard {
                Guard::Equal(slot, wanted) => Some(slot) != pattern.binds || number == wanted,
                #[cfg(feature = "ch02")]
                Guard::Property(slot, row) => Some(slot) != pattern.binds || (row.holds)(number),
                #[cfg(feature = "ch10")]
                Guard::Alone(_) => true,
            })
        };
        match pattern.op {
            Op::Const(_) => constants.iter().copied().filter(|&it| holds(it)).collect(),
            _ => vec![0],
        }
    }

    /// How many values the patterns find in registers.
    pub fn leaves(&self) -> usize {
        self.patterns().map(|it| it.values().len()).sum()
    }

    /// Whether the values may be constants. Each use of a constant is a node of its own, so a name
    /// that is met again would find another one.
    pub fn takes_constants(&self) -> bool {
        !self.patterns().any(meets_again)
    }

    /// Adds the operations of the patterns to `graph`: their numbers from `filling`, their values
    /// from `leaves`. Returns the roots, in the order they are written.
    pub fn build(&self, graph: &mut Graph, filling: &[i64], leaves: &[NodeId]) -> Vec<NodeId> {
        let mut builder = Builder {
            graph,
            filling: filling.iter(),
            leaves: leaves.iter(),
            names: [None; Rule::MOST_NAMES],
            numbers: [None; Rule::MOST_NAMES],
        };
        self.patterns().map(|pattern| builder.build(pattern)).collect()
    }
}

/// Whether a name is met again in `pattern`.
fn meets_again(pattern: &Pattern) -> bool {
    pattern.operands.iter().any(|operand| match operand {
        Operand::Memory | Operand::Value(_) => false,
        Operand::Node(inner) => meets_again(inner),
        #[cfg(feature = "ch10")]
        Operand::Again(_) => true,
    })
}

struct Builder<'b> {
    graph: &'b mut Graph,
    filling: std::slice::Iter<'b, i64>,
    leaves: std::slice::Iter<'b, NodeId>,
    /// What each name stands for, if it is an operation or a value, and if it is a number.
    names: [Option<NodeId>; Rule::MOST_NAMES],
    numbers: [Option<i64>; Rule::MOST_NAMES],
}

impl Builder<'_> {
    fn build(&mut self, pattern: &Pattern) -> NodeId {
        let op = self.filled(pattern);
        let operands: Vec<_> = pattern.operands.iter().map(|it| self.operand(it)).collect();
        let id = self.graph.add(op, self.graph.start_block, &operands);
        NAMED.iter().for_each(|named| named(self, pattern, id));
        id
    }

    fn operand(&mut self, operand: &Operand) -> NodeId {
        match operand {
            Operand::Memory => self.graph.start,
            Operand::Value(name) => {
                let leaf = *self.leaves.next().expect("as many values as the pattern has");
                self.names[*name as usize] = Some(leaf);
                leaf
            }
            Operand::Node(inner) => self.build(inner),
            #[cfg(feature = "ch10")]
            Operand::Again(name) => self.names[*name as usize].expect("what was met before"),
        }
    }

    fn filled(&mut self, pattern: &Pattern) -> Op {
        let name = pattern.binds.map(usize::from);
        let known = name.and_then(|name| self.numbers[name]);
        let filling = &mut self.filling;
        let mut next = || known.or_else(|| filling.next().copied()).expect("as many numbers");
        let number = match pattern.op {
            Op::Const(_) => next(),
            #[cfg(feature = "ch04")]
            Op::Argument(_) | Op::Cmp(_) => next(),
            #[cfg(feature = "ch25")]
            Op::SymConst(_) => next(),
            op => return op,
        };
        if let Some(name) = name {
            self.numbers[name] = Some(number);
        }
        match pattern.op {
            #[cfg(feature = "ch04")]
            Op::Argument(_) => Op::Argument(number as u32),
            #[cfg(feature = "ch04")]
            Op::Cmp(_) => Op::Cmp(Relation::ALL[number as usize]),
            #[cfg(feature = "ch25")]
            Op::SymConst(_) => {
                let name = format!("symbol{number}");
                Op::SymConst(self.graph.symbols.number(&name))
            }
            _ => Op::Const(number),
        }
    }
}

/// What is noted of an operation that has been built.
const NAMED: &[fn(&mut Builder, &Pattern, NodeId)] = &[
    #[cfg(feature = "ch10")]
    |builder, pattern, id| {
        if let Some(name) = pattern.name {
            builder.names[name as usize] = Some(id);
        }
    },
];
