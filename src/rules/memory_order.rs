//! Matches that move loads.
//!
//! ```text
//! rule add-load: Add:Is(x, Load:Is(m, p)) => …
//! rule add-to: Store:Is(n, p, Add:Is(Load:Is(m, p), x)) => …
//! ```
//! A match is executed at the place of its last pattern, so the loads in it move there. That is
//! legal if no store is executed in between. An *epoch* is a range of the operations of a block
//! without a store inside. A match with a load is legal if
//! * its loads and the roots of its patterns are in one epoch of one block,
//! * none of its accesses is volatile,
//! * no operation below its roots that loads, or that contains a load, has another use, so no two
//!   users execute the same load.
//!
//! No match moves a store, since nothing but the last pattern can be one. So the epochs are the
//! same whichever matches are selected, and legal matches remain legal together.
//!
//! A complete and composable set of rules cannot fail with these conditions either. The proof at
//! `missing` in composable.rs needs that wherever a match is legal, its parts and its cuts are
//! legal. They are:
//! * The root of a part with a load is on the path from the load to the root of the match. There is
//!   no store between these two, so there is none between the load and the root of the part. The
//!   root of a cut is that of the match.
//! * The operations of a part or a cut are operations of the match. So they are as little volatile,
//!   and those that contain a load have one use.
//! * A result of a rule with several results is in the epoch of the loads below it.
//!
//! The proof lets an operation be computed again. A load that is both a root and inside of the
//! match of its user is executed twice and reads the same value, since both are in one epoch.
//! States of memory are no values: they have no alternatives, and accesses are executed in the
//! order of their roots.
use super::Match;
use super::pattern::{NameId, Operand, Pattern};
use super::program_graph::{ProgramGraph, ProgramId};
use super::resolve::Resolver;
use crate::firm::{Access, Op};
use rule_text::RuleAst;

impl Match {
    /// Whether its loads may be executed at its root.
    pub fn keeps_memory_order(&self, program: &ProgramGraph) -> bool {
        let below = || self.inner().iter().chain(self.extra_roots()).copied();
        let mut moved = below().filter(|&id| program.op(id).accesses_memory()).peekable();
        if moved.peek().is_none() {
            return true;
        }
        let place = |id| (program.block(id), program.epoch(id));
        let is_at_root = |id| place(id) == place(self.root);
        let is_single = |&id: &ProgramId| program.uses(id) == 1 || !self.loads(program, id);
        #[cfg(feature = "ch25")]
        if self.roots().chain(below()).any(|id| is_volatile(program.op(id))) {
            return false;
        }
        moved.all(is_at_root) && self.roots().all(is_at_root) && self.inner().iter().all(is_single)
    }

    /// Whether an operation of the match is a load or contains one. A match has few operations, so
    /// this recurses.
    fn loads(&self, program: &ProgramGraph, id: ProgramId) -> bool {
        let mut operands = program.operands(id).iter().flatten();
        program.op(id).accesses_memory()
            || operands
                .any(|operand| self.inner().contains(operand) && self.loads(program, *operand))
    }

    /// Its loads and stores; a store is the last one.
    pub fn accesses(&self, program: &ProgramGraph) -> impl Iterator<Item = ProgramId> {
        let covered = self.inner().iter().chain(self.extra_roots()).chain([&self.root]);
        covered.copied().filter(|&id| program.op(id).accesses_memory())
    }
}

#[cfg(feature = "ch25")]
fn is_volatile(op: Op) -> bool {
    matches!(op, Op::Load(Access::Volatile) | Op::Store(Access::Volatile))
}

impl Pattern {
    /// Whether some operation of it accesses memory.
    pub fn accesses_memory(&self) -> bool {
        self.op.accesses_memory() || self.moves_access()
    }

    /// Whether some operation below its root accesses memory: a match moves it to the root.
    pub fn moves_access(&self) -> bool {
        self.operands.iter().any(|operand| match operand {
            Operand::Node(inner) => inner.accesses_memory(),
            Operand::Memory | Operand::Value(_) | Operand::Repeated(_) => false,
        })
    }

    /// The names of the operations below the root that load or contain a load.
    fn names_of_loads(&self) -> Vec<NameId> {
        let mut names = Vec::new();
        for operand in &self.operands {
            if let Operand::Node(inner) = operand {
                names.extend(inner.name.filter(|_| inner.accesses_memory()));
                names.extend(inner.names_of_loads());
            }
        }
        names
    }
}

impl Resolver<'_> {
    /// Reports patterns that never match because a load in them is used twice.
    pub fn check_accesses(&mut self, tree: &RuleAst, last: &Pattern) {
        let all = || self.extra_roots.iter().chain([last]);
        let is_repeated = |name: &NameId| all().map(|it| it.uses(*name)).sum::<usize>() > 1;
        let loads = all().flat_map(Pattern::names_of_loads);
        for name in loads.filter(is_repeated).collect::<Vec<_>>() {
            let message = format!("`{}` loads and is used twice", self.names[name as usize].0);
            self.report(tree.name.span, message, "this rule never matches");
        }
    }
}
