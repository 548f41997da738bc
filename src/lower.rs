//! From the sea to Firm: every node of the schedule becomes operations of the machine's kind.
#[cfg(feature = "ch05")]
mod control;
#[cfg(feature = "ch04")]
mod truth;

#[cfg(feature = "ch02")]
use crate::arith::{Binary, Traps, Unary};
#[cfg(feature = "ch04")]
use crate::arith::{INT, Relation};
use crate::schedule::Schedule;
use crate::{firm, sea};
use arena::SideTable;

/// The Firm graph of `graph`, in the order of `schedule`.
pub fn lower(graph: &sea::Graph, schedule: &Schedule) -> firm::Graph {
    let firm = firm::Graph::new();
    let mut lowering = Lowering {
        sea: graph,
        schedule,
        block: firm.start_block,
        firm,
        lowered: SideTable::new(graph.len()),
        returns: Vec::new(),
        #[cfg(feature = "ch04")]
        wanted: truth::wanted(graph, schedule),
        #[cfg(feature = "ch05")]
        control: control::Control::new(schedule),
    };
    PARTS[PARTS.len() - 1](&mut lowering);
    lowering.finish();
    lowering.firm
}

struct Lowering<'g> {
    sea: &'g sea::Graph,
    schedule: &'g Schedule,
    firm: firm::Graph,
    /// The block that is being filled.
    block: firm::NodeId,
    /// What became of each node; control, which Firm keeps in blocks, became nothing.
    lowered: SideTable<sea::NodeId, Option<firm::NodeId>>,
    returns: Vec<firm::NodeId>,
    /// Whether a truth is asked for as a value.
    #[cfg(feature = "ch04")]
    wanted: SideTable<sea::NodeId, bool>,
    #[cfg(feature = "ch05")]
    control: control::Control,
}

/// What is lowered at a time; the last one counts.
const PARTS: &[fn(&mut Lowering)] = &[
    |lowering| lowering.nodes(&lowering.schedule.order),
    #[cfg(feature = "ch05")]
    |lowering| lowering.blocks(),
];

/// The blocks that the end must keep, because no way leads from them to it.
const KEPT: &[fn(&Lowering) -> Vec<firm::NodeId>] = &[
    #[cfg(feature = "ch07")]
    |lowering| lowering.endless(),
];

impl Lowering<'_> {
    fn nodes(&mut self, nodes: &[sea::NodeId]) {
        for &id in nodes {
            self.lowered[id] = self.node(id);
        }
    }

    fn node(&mut self, id: sea::NodeId) -> Option<firm::NodeId> {
        match self.sea.op(id) {
            sea::Op::Start => None,
            sea::Op::Return => Some(self.end(id)),
            sea::Op::Constant(ty) => {
                let value = self.sea.types.value(ty).expect("a constant is one integer");
                Some(self.constant(value))
            }
            #[cfg(feature = "ch02")]
            sea::Op::Binary(binary) => Some(self.arithmetic(id, binary)),
            #[cfg(feature = "ch02")]
            sea::Op::Unary(Unary::Minus) => Some(self.negated(self.input(id, 0))),
            #[cfg(feature = "ch03")]
            sea::Op::Scope => unreachable!("a scope is gone when its program has been read"),
            #[cfg(feature = "ch04")]
            sea::Op::Unary(Unary::Not) | sea::Op::Compare(_) => {
                self.wanted[id].then(|| self.truth(id))
            }
            #[cfg(feature = "ch04")]
            sea::Op::Projection(0) => None,
            #[cfg(feature = "ch04")]
            sea::Op::Projection(_) => Some(self.add(firm::Op::Argument(0), &[self.firm.start])),
            #[cfg(feature = "ch05")]
            sea::Op::If => self.branch(id),
            #[cfg(feature = "ch05")]
            sea::Op::Phi(_) => Some(self.phi(id)),
            #[cfg(feature = "ch05")]
            sea::Op::Stop
            | sea::Op::DeadControl
            | sea::Op::ControlProjection(_)
            | sea::Op::Region => None,
            #[cfg(feature = "ch07")]
            sea::Op::Loop => None,
        }
    }

    /// What became of the input of `id` at `at`, a value.
    fn input(&self, id: sea::NodeId, at: usize) -> firm::NodeId {
        self.value(self.sea.input(id, at))
    }

    /// What became of `id`, a value.
    fn value(&self, id: sea::NodeId) -> firm::NodeId {
        self.lowered[id].expect("the schedule puts inputs first")
    }

    /// One end of the program.
    fn end(&mut self, id: sea::NodeId) -> firm::NodeId {
        let value = self.input(id, 1);
        let end = self.add(firm::Op::Return, &[self.firm.start, value]);
        self.returns.push(end);
        end
    }

    /// The block that all Returns lead to.
    fn finish(&mut self) {
        let block = self.firm.add_block(firm::Op::EndBlock, &self.returns);
        let kept: Vec<_> = KEPT.iter().flat_map(|kept| kept(self)).collect();
        self.firm.add(firm::Op::End, block, &kept);
    }

    fn constant(&mut self, value: i64) -> firm::NodeId {
        self.add(firm::Op::Const(value), &[])
    }

    /// Adds an operation to the block that is being filled, if it may stand there.
    fn add(&mut self, op: firm::Op, operands: &[firm::NodeId]) -> firm::NodeId {
        let pinned = op.row().place == firm::Place::StartBlock;
        let block = if pinned { self.firm.start_block } else { self.block };
        self.firm.add(op, block, operands)
    }
}

/// Arithmetic.
#[cfg(feature = "ch02")]
impl Lowering<'_> {
    /// An operation, guarded where it is undefined in Firm.
    fn arithmetic(&mut self, id: sea::NodeId, binary: Binary) -> firm::NodeId {
        match binary.row().traps {
            Traps::Never => self.binary(binary, self.input(id, 0), self.input(id, 1)),
            Traps::Quotient => self.division(id),
            #[cfg(feature = "ch25")]
            Traps::Remainder => unreachable!("no program has an operator for remainders"),
        }
    }

    fn binary(&mut self, binary: Binary, x: firm::NodeId, y: firm::NodeId) -> firm::NodeId {
        self.add(firm::Op::Binary(binary), &[x, y])
    }

    /// -x = 0 - x: Firm has no sign.
    fn negated(&mut self, x: firm::NodeId) -> firm::NodeId {
        let zero = self.constant(0);
        self.binary(Binary::Sub, zero, x)
    }

    /// Division, which never traps in Simple, by Firm's, which traps for 0 and for min / -1.
    fn division(&mut self, id: sea::NodeId) -> firm::NodeId {
        let (x, y) = (self.input(id, 0), self.input(id, 1));
        match self.known(id, 1) {
            Some(0) => self.constant(0),
            Some(-1) => self.negated(x),
            #[cfg(feature = "ch04")]
            None => self.guarded_division(id, x, y),
            _ => self.binary(Binary::Div, x, y),
        }
    }

    /// The value of the input of `id` at `at`, if its type says it.
    fn known(&self, id: sea::NodeId, at: usize) -> Option<i64> {
        self.sea.types.value(self.sea.ty(self.sea.input(id, at)))
    }
}

/// Division by something unknown, without a branch.
#[cfg(feature = "ch04")]
impl Lowering<'_> {
    /// With z = (y = 0) and m = (y = -1), which are 0 or 1:
    ///
    /// x / y = (x · (1 - z)) / (y + z + 2m) · (1 - 2m)
    ///
    /// Zero becomes 0 / 1, and -1 becomes 1 with the sign put back afterwards. Of a dividend that
    /// is not the smallest integer nothing is to be feared from -1, and m is left out.
    fn guarded_division(
        &mut self,
        id: sea::NodeId,
        x: firm::NodeId,
        y: firm::NodeId,
    ) -> firm::NodeId {
        let zero = self.equals(y, 0);
        let not_zero = self.compare(Relation::NotEqual, y, 0);
        let dividend = self.binary(Binary::Mul, x, not_zero);
        let divisor = self.binary(Binary::Add, y, zero);
        if self.known(id, 0).is_some_and(|x| x != INT.min()) {
            return self.binary(Binary::Div, dividend, divisor);
        }
        let minus_one = self.equals(y, -1);
        let twice = self.scaled(minus_one, 2);
        let divisor = self.binary(Binary::Add, divisor, twice);
        let quotient = self.binary(Binary::Div, dividend, divisor);
        let one = self.constant(1);
        let twice = self.scaled(minus_one, 2);
        let sign = self.binary(Binary::Sub, one, twice);
        self.binary(Binary::Mul, quotient, sign)
    }

    /// x = c, as 0 or 1.
    fn equals(&mut self, x: firm::NodeId, constant: i64) -> firm::NodeId {
        self.compare(Relation::Equal, x, constant)
    }

    fn compare(&mut self, relation: Relation, x: firm::NodeId, constant: i64) -> firm::NodeId {
        let constant = self.constant(constant);
        self.add(firm::Op::Cmp(relation), &[x, constant])
    }

    fn scaled(&mut self, x: firm::NodeId, factor: i64) -> firm::NodeId {
        let factor = self.constant(factor);
        self.binary(Binary::Mul, x, factor)
    }
}
