//! Builds programs from rules: a Firm graph that the pattern matches.
use super::Guard;
#[cfg(feature = "ch19")]
use super::length::Length;
use super::pattern::{Operand, Pattern};
use super::{Rule, RuleSet};
#[cfg(feature = "ch04")]
use crate::arith::Relation;
use crate::firm::{Graph, Mode, NodeId, Op};
#[cfg(feature = "ch12")]
use crate::floats;

#[cfg(feature = "ch19")]
impl RuleSet {
    /// The same rules with other bytes and cycles.
    pub fn with_costs(&self, costs: &mut dyn FnMut(&Rule) -> [u32; 2]) -> RuleSet {
        let mut set = self.clone();
        for rule in &mut set.rules {
            let [bytes, cycles] = costs(rule);
            (rule.length, rule.cycles, rule.tree.cycles) = (Length::fixed(bytes), cycles, cycles);
        }
        #[cfg(feature = "ch29")]
        let set = set.with_cycles();
        set
    }
}

impl Rule {
    /// The patterns of its results, in written order.
    fn patterns(&self) -> impl Iterator<Item = &Pattern> {
        let patterns = [
            #[cfg(feature = "ch10")]
            self.extra_roots.iter().map(|it| &it.pattern).collect(),
            vec![&self.pattern],
        ];
        patterns.into_iter().flatten()
    }

    /// For each number and relation of the patterns, in written order, the members of `constants`
    /// that the guards permit.
    pub fn instantiations(&self, constants: &[i64]) -> Vec<Vec<i64>> {
        let (mut all, mut known) = (Vec::new(), Vec::new());
        for pattern in self.patterns() {
            self.instantiations_of(pattern, constants, &mut known, &mut all);
        }
        all
    }

    /// An attribute whose name is in `known` has the value of its first occurrence.
    fn instantiations_of(
        &self,
        pattern: &Pattern,
        constants: &[i64],
        known: &mut Vec<u8>,
        all: &mut Vec<Vec<i64>>,
    ) {
        let is_known = pattern.binds.is_some_and(|name| known.contains(&name));
        known.extend(pattern.binds);
        if is_known {
        } else if Self::has_attribute(pattern.op) {
            all.push(self.allowed(pattern, constants));
        }
        for operand in &pattern.operands {
            if let Operand::Node(inner) = operand {
                self.instantiations_of(inner, constants, known, all);
            }
        }
    }

    /// Whether it has a number or a relation.
    fn has_attribute(op: Op) -> bool {
        #[cfg(feature = "ch04")]
        if op.has_relation() {
            return true;
        }
        op.number().is_some()
    }

    fn allowed(&self, pattern: &Pattern, constants: &[i64]) -> Vec<i64> {
        #[cfg(feature = "ch04")]
        if pattern.op.has_relation() {
            let numbers = relations(pattern.mode).into_iter().map(|it| it as i64);
            return numbers.filter(|&at| self.permits(pattern, at)).collect();
        }
        #[cfg(feature = "ch12")]
        if (pattern.op, pattern.mode) == (Op::Const(0), Mode::D) {
            let numbers = [0.0, -0.0, 1.5, -3.0, f64::NAN].map(floats::bits).into_iter();
            return numbers.filter(|&bits| self.permits(pattern, bits)).collect();
        }
        let Op::Const(_) = pattern.op else { return vec![0] };
        let constants = constants.iter().copied();
        let constants = constants.filter(|&number| self.permits(pattern, number));
        constants.collect()
    }

    fn permits(&self, pattern: &Pattern, number: i64) -> bool {
        self.guards.iter().all(|guard| match *guard {
            Guard::Equal(name_id, required) => Some(name_id) != pattern.binds || number == required,
            Guard::Property(name_id, row) => Some(name_id) != pattern.binds || (row.holds)(number),
            #[cfg(feature = "ch10")]
            Guard::Unshared(_) => true,
            #[cfg(feature = "ch14")]
            Guard::Natural(_) => true,
            // Half of a word is its own complement, so any two of them are permitted.
            #[cfg(feature = "ch14")]
            Guard::Complements(one, other) => {
                let is_about = |name| Some(name) == pattern.binds;
                !(is_about(one) || is_about(other)) || number == i64::from(crate::arith::WORD.0 / 2)
            }
        })
    }

    /// Whether its values must not be negative.
    #[cfg(feature = "ch14")]
    pub fn requires_natural(&self) -> bool {
        self.guards.iter().any(|guard| matches!(guard, Guard::Natural(_)))
    }

    /// Whether a pattern accesses memory.
    #[cfg(feature = "ch10")]
    pub fn accesses_memory(&self) -> bool {
        self.patterns().any(Pattern::accesses_memory)
    }

    /// The modes of the values that the patterns read from registers, in written order.
    pub fn leaves(&self) -> Vec<Mode> {
        let mut modes = Vec::new();
        self.patterns().for_each(|pattern| collect_modes(pattern, &mut modes));
        modes
    }

    /// Whether the values may be constants. Each use of a constant is a separate node, so a
    /// repeated name would match two nodes.
    pub fn takes_constants(&self) -> bool {
        !self.patterns().any(has_repeated_name)
    }

    /// Adds the operations of the patterns to `graph`, with numbers from `filling` and values from
    /// `leaves`. Returns the roots, in written order.
    pub fn build(&self, graph: &mut Graph, filling: &[i64], leaves: &[NodeId]) -> Vec<NodeId> {
        let mut builder = GraphBuilder {
            memory: graph.start,
            graph,
            filling: filling.iter(),
            leaves: leaves.iter(),
            names: [None; Rule::MAX_NAMES],
            numbers: [None; Rule::MAX_NAMES],
        };
        self.patterns().map(|pattern| builder.build(pattern)).collect()
    }
}

/// The relations between values of a mode.
#[cfg(feature = "ch04")]
fn relations(_mode: Mode) -> Vec<Relation> {
    #[cfg(feature = "ch12")]
    if _mode.is_float() {
        return floats::RELATIONS.to_vec();
    }
    let relations = Relation::ALL.to_vec();
    #[cfg(feature = "ch14")]
    let relations = [&relations[..], &Relation::UNSIGNED].concat();
    relations
}

#[cfg(feature = "ch04")]
fn relation_of(mode: Mode, number: i64) -> Relation {
    let found = relations(mode).into_iter().find(|it| *it as i64 == number);
    found.expect("it is the number of a relation")
}

fn collect_modes(pattern: &Pattern, modes: &mut Vec<Mode>) {
    for (operand, mode) in pattern.operands.iter().zip(pattern.op.row().operands) {
        match operand {
            Operand::Value(_) => modes.push(mode.of(pattern.mode)),
            Operand::Node(inner) => collect_modes(inner, modes),
            Operand::Memory => {}
            #[cfg(feature = "ch10")]
            Operand::Repeated(_) => {}
        }
    }
}

/// Whether a name is repeated in `pattern`.
fn has_repeated_name(pattern: &Pattern) -> bool {
    pattern.operands.iter().any(|operand| match operand {
        Operand::Memory | Operand::Value(_) => false,
        Operand::Node(inner) => has_repeated_name(inner),
        #[cfg(feature = "ch10")]
        Operand::Repeated(_) => true,
    })
}

struct GraphBuilder<'b> {
    graph: &'b mut Graph,
    /// The last state of memory.
    memory: NodeId,
    filling: std::slice::Iter<'b, i64>,
    leaves: std::slice::Iter<'b, NodeId>,
    /// The nodes of names of operations and values, and the values of names of numbers.
    names: [Option<NodeId>; Rule::MAX_NAMES],
    numbers: [Option<i64>; Rule::MAX_NAMES],
}

impl GraphBuilder<'_> {
    fn build(&mut self, pattern: &Pattern) -> NodeId {
        let op = self.filled(pattern);
        let mut operands: Vec<_> = pattern.operands.iter().map(|it| self.operand(it)).collect();
        // Operands may have accessed memory, so the state is that after them.
        let states = operands.iter_mut().zip(&pattern.operands);
        let states = states.filter(|(_, required)| **required == Operand::Memory);
        states.for_each(|(operand, _)| *operand = self.memory);
        let id = self.graph.add(op, pattern.mode, self.graph.start_block, &operands);
        NAMED.iter().for_each(|named| named(self, pattern, id));
        id
    }

    fn operand(&mut self, operand: &Operand) -> NodeId {
        match operand {
            Operand::Memory => self.memory,
            Operand::Value(name) => {
                let leaf = *self.leaves.next().expect("as many values as the pattern has");
                self.names[*name as usize] = Some(leaf);
                leaf
            }
            Operand::Node(inner) => self.build(inner),
            #[cfg(feature = "ch10")]
            Operand::Repeated(name) => {
                self.names[*name as usize].expect("a repeated name has occurred before")
            }
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
            #[cfg(feature = "ch14")]
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
            Op::Cmp(_) => Op::Cmp(relation_of(pattern.mode, number)),
            #[cfg(feature = "ch14")]
            Op::SymConst(_) => Op::SymConst(number as u32),
            _ => Op::Const(number),
        }
    }
}

/// Records an operation that has been built.
const NAMED: &[fn(&mut GraphBuilder, &Pattern, NodeId)] = &[
    #[cfg(feature = "ch10")]
    |builder, pattern, id| {
        if let Some(name) = pattern.name {
            builder.names[name as usize] = Some(id);
        }
    },
    #[cfg(feature = "ch10")]
    |builder, pattern, id| {
        if pattern.op.accesses_memory() {
            builder.memory = id;
        }
    },
];
