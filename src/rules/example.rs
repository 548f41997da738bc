//! Programs made from rules: what a pattern says, as a Firm graph that it fits.
use super::pattern::{Operand, Pattern};
use super::{Guard, Rule};
#[cfg(feature = "ch04")]
use crate::arith::Relation;
use crate::firm::{Graph, NodeId, Op};

impl Rule {
    /// For each place of the pattern that holds a number or a relation, in the order they are
    /// written, which of `constants` the guards let stand there.
    pub fn fillings(&self, constants: &[i64]) -> Vec<Vec<i64>> {
        let mut all = Vec::new();
        self.fillings_of(&self.pattern, constants, &mut all);
        all
    }

    fn fillings_of(&self, pattern: &Pattern, constants: &[i64], all: &mut Vec<Vec<i64>>) {
        if pattern.op.has_relation() {
            all.push((0..6).collect());
        } else if pattern.op.number().is_some() {
            all.push(self.allowed(pattern, constants));
        }
        for operand in &pattern.operands {
            if let Operand::Node(inner) = operand {
                self.fillings_of(inner, constants, all);
            }
        }
    }

    fn allowed(&self, pattern: &Pattern, constants: &[i64]) -> Vec<i64> {
        let holds = |number: i64| {
            self.guards.iter().all(|guard| match *guard {
                Guard::Equal(slot, wanted) => Some(slot) != pattern.binds || number == wanted,
                Guard::Property(slot, row) => Some(slot) != pattern.binds || (row.holds)(number),
            })
        };
        match pattern.op {
            Op::Const(_) => constants.iter().copied().filter(|&it| holds(it)).collect(),
            _ => vec![0],
        }
    }

    /// How many values the pattern finds in registers.
    pub fn leaves(&self) -> usize {
        self.pattern.values().len()
    }

    /// Adds the operations of the pattern to `graph`: its numbers from `filling`, its values
    /// from `leaves`. Returns the root.
    pub fn build(&self, graph: &mut Graph, filling: &[i64], leaves: &[NodeId]) -> NodeId {
        build(&self.pattern, graph, &mut filling.iter(), &mut leaves.iter())
    }
}

fn build<'n>(
    pattern: &Pattern,
    graph: &mut Graph,
    filling: &mut impl Iterator<Item = &'n i64>,
    leaves: &mut impl Iterator<Item = &'n NodeId>,
) -> NodeId {
    let op = filled(pattern.op, filling);
    let mut operands = Vec::new();
    for operand in &pattern.operands {
        operands.push(match operand {
            Operand::Memory => graph.start,
            Operand::Value(_) => *leaves.next().expect("as many values as the pattern has"),
            Operand::Node(inner) => build(inner, graph, filling, leaves),
        });
    }
    graph.add(op, graph.start_block, &operands)
}

fn filled<'n>(op: Op, filling: &mut impl Iterator<Item = &'n i64>) -> Op {
    let mut next = || *filling.next().expect("as many numbers as the pattern has");
    match op {
        Op::Const(_) => Op::Const(next()),
        #[cfg(feature = "ch04")]
        Op::Argument(_) => Op::Argument(next() as u32),
        #[cfg(feature = "ch04")]
        Op::Cmp(_) => Op::Cmp(RELATIONS[next() as usize]),
        _ => op,
    }
}

#[cfg(feature = "ch04")]
const RELATIONS: [Relation; 6] = [
    Relation::Equal,
    Relation::NotEqual,
    Relation::Less,
    Relation::LessEqual,
    Relation::Greater,
    Relation::GreaterEqual,
];
