//! The selection as a stage: prints and draws the instance and the chosen matches, and verifies the
//! cover.
use super::pbqp_instance::{Alternative, Instance, Role};
#[cfg(feature = "ch19")]
use super::print_reductions;
use super::{Program, Selection};
use crate::firm;
use crate::rules::{Match, ProgramGraph, ProgramId, RuleSet};
#[cfg(feature = "ch09")]
use crate::stage::FirmNode;
use crate::stage::{Artifact, Rewrite, Violation};
use arena::{Id, SideTable};
use pbqp::Solution;
use picture::Picture;
use source::Span;

impl Artifact for Program<'_> {
    fn print(&self) -> String {
        self.functions.iter().map(Selection::print).collect()
    }

    #[cfg(feature = "ch18")]
    fn functions(&self) -> Vec<(String, String)> {
        let text = |it: &Selection| (it.program.graph.name.clone(), it.print());
        self.functions.iter().map(text).collect()
    }

    fn picture(&self) -> Option<Picture> {
        #[cfg(feature = "ch14")]
        if self.functions.len() > 1 {
            return self.draw_functions();
        }
        self.functions.first().and_then(Selection::picture)
    }

    #[cfg(feature = "ch09")]
    fn line_nodes(&self) -> Vec<Option<FirmNode>> {
        let functions = self.functions.iter().enumerate();
        functions.flat_map(|(number, it)| it.line_nodes(number)).collect()
    }

    #[cfg(feature = "ch19")]
    fn steps(&self) -> Vec<Rewrite> {
        self.functions.iter().flat_map(print_reductions::steps).collect()
    }

    #[cfg(feature = "ch09")]
    fn matches(&self) -> Vec<(FirmNode, Vec<FirmNode>)> {
        let functions = self.functions.iter().enumerate();
        functions.flat_map(|(number, it)| it.covered(number)).collect()
    }

    fn verify(&self) -> Vec<Violation> {
        self.functions.iter().flat_map(Selection::verify).collect()
    }
}

/// Several functions.
#[cfg(feature = "ch14")]
impl Program<'_> {
    fn draw_functions(&self) -> Option<Picture> {
        let part = |it: &Selection| Some((it.program.graph.name.clone(), it.picture()?));
        let parts: Option<Vec<_>> = self.functions.iter().map(part).collect();
        Some(Picture::of_parts("pbqp", parts?))
    }
}

impl Selection<'_> {
    pub fn print(&self) -> String {
        match self.solved() {
            Some((instance, solution)) => self.print_instance(instance, solution),
            None => self.print_chosen(),
        }
    }

    /// The instance with the choice highlighted. A greedy selection has no picture.
    pub fn picture(&self) -> Option<Picture> {
        let (instance, solution) = self.solved()?;
        let name = |node: pbqp::NodeId| self.node_name(Id::from_index(node.index()));
        let alternative = |node: pbqp::NodeId, at: u32| {
            instance.alternative_name(self.rules, instance.alternatives[node.index()][at as usize])
        };
        let picture = pbqp::picture(&instance.problem, Some(&solution.choice), &name, &alternative);
        #[cfg(feature = "ch09")]
        let picture = self.with_origins(picture);
        Some(picture)
    }

    /// The nodes of the instance are the operations of the program.
    #[cfg(feature = "ch09")]
    fn with_origins(&self, mut picture: Picture) -> Picture {
        let names = picture.nodes.iter().map(|node| node.name.clone());
        let origins = names.zip(self.program.ids().map(|id| self.origin(id)));
        picture.origins = origins.filter_map(|(name, it)| Some((name, it?.range()))).collect();
        picture
    }

    /// The operations, or the chosen ones; the lines of edges and the line of the cost are last.
    #[cfg(feature = "ch09")]
    fn line_nodes(&self, function: usize) -> Vec<Option<FirmNode>> {
        let firm = |id: ProgramId| Some((function, self.program.firm(id).index() as u32));
        match self.solved() {
            Some((instance, _)) => {
                let others = instance.problem.edges().count() + 1;
                self.program.ids().map(firm).chain(std::iter::repeat_n(None, others)).collect()
            }
            None => self.chosen.iter().map(|found| firm(found.root)).collect(),
        }
    }

    #[cfg(feature = "ch09")]
    fn covered(&self, function: usize) -> Vec<(FirmNode, Vec<FirmNode>)> {
        let firm = |id: ProgramId| (function, self.program.firm(id).index() as u32);
        let covered = |found: Match| {
            let inner = found.inner().iter().copied().chain(found.roots());
            (firm(found.root), inner.map(firm).collect())
        };
        self.matches().map(covered).collect()
    }

    /// The token that the operation was made for.
    #[cfg(feature = "ch09")]
    pub fn origin(&self, id: ProgramId) -> Option<Span> {
        self.program.graph.origin(self.program.firm(id))
    }

    /// - `cover`: every value that a chosen match reads from a register is computed by a chosen
    ///   match.
    /// - `memory`: every access is executed, after the same stores of its block as in the program.
    /// - `cost`: the cost of the solution is its cost in the original instance, and finite.
    pub fn verify(&self) -> Vec<Violation> {
        let mut made: SideTable<ProgramId, bool> = SideTable::new(self.program.len());
        let mut violations = Vec::new();
        #[cfg(feature = "ch10")]
        violations.extend(self.memory_violations());
        let in_registers = self.program.ids().filter(|&id| !self.program.op(id).is_selected());
        in_registers.for_each(|id| made[id] = true);
        for found in self.matches() {
            for id in found
                .values()
                .chain(self.program.block_arguments(found.root))
                .filter(|&id| !made[id])
            {
                let detail = format!("{} is in no register", self.program.name(id));
                violations.push(Violation { invariant: "cover", detail });
            }
            found.roots().for_each(|root| made[root] = true);
        }
        if let Some((instance, solution)) = self.solved() {
            let cost = instance.problem.cost(&solution.choice);
            if cost != solution.cost || !cost.is_finite() {
                let detail = format!("{} is reported as {}", cost, solution.cost);
                violations.push(Violation { invariant: "cost", detail });
            }
        }
        violations
    }
}

/// The order of accesses to memory.
#[cfg(feature = "ch10")]
impl Selection<'_> {
    fn memory_violations(&self) -> Vec<Violation> {
        let (program, mut violations) = (&self.program, Vec::new());
        let mut stores: SideTable<firm::NodeId, u32> = SideTable::new(program.graph.len());
        let mut executed: SideTable<ProgramId, bool> = SideTable::new(program.len());
        let mut report = |id: ProgramId, reason: &str| {
            let detail = format!("{} {reason}", self.program.name(id));
            violations.push(Violation { invariant: "memory", detail });
        };
        for id in self.matches().flat_map(|found| found.accesses(program).collect::<Vec<_>>()) {
            executed[id] = true;
            let stored = &mut stores[program.block(id)];
            if program.epoch(id) != *stored {
                report(id, "is executed before or after another store");
            }
            *stored += u32::from(program.ends_epoch(id));
        }
        let is_lost = |id: &ProgramId| program.op(*id).accesses_memory() && !executed[*id];
        program.ids().filter(is_lost).for_each(|id| report(id, "is not executed"));
        violations
    }
}

impl ProgramGraph<'_> {
    /// The name of the Firm node; for a use of a constant, followed by the number of the use.
    pub fn name(&self, id: ProgramId) -> String {
        let name = firm::name(self.firm(id));
        match self.op(id) {
            firm::Op::Const(_) => format!("{name}_{}", id.index()),
            #[cfg(feature = "ch14")]
            firm::Op::SymConst(_) => format!("{name}_{}", id.index()),
            _ => name,
        }
    }
}

impl Instance {
    /// The name of the rule, or the pattern that an inner operation is the root of.
    pub fn alternative_name(&self, rules: &RuleSet, alternative: Alternative) -> String {
        match alternative.role {
            Role::Root(candidate) => {
                rules.rule(self.candidates[candidate as usize].key.variant).name.clone()
            }
            Role::Inner => format!("in {}", rules.shapes.name(alternative.shape)),
            #[cfg(feature = "ch05")]
            Role::InRegister => "in register".to_string(),
        }
    }
}

impl Selection<'_> {
    pub fn node_name(&self, id: ProgramId) -> String {
        let (name, label) = (self.program.name(id), self.program.label(id));
        match self.program.op(id).number() {
            Some(number) => format!("{name} {label} {number}"),
            None => format!("{name} {label}"),
        }
    }

    fn print_chosen(&self) -> String {
        let row = |found: &crate::rules::MatchKey| {
            format!("{}: {}\n", self.node_name(found.root), self.rules.rule(found.variant).name)
        };
        self.chosen.iter().map(row).collect()
    }

    fn print_instance(&self, instance: &Instance, solution: &Solution) -> String {
        let id = |node: pbqp::NodeId| Id::from_index(node.index());
        let alternative = |node: pbqp::NodeId, at: u32| {
            instance.alternative_name(self.rules, instance.alternatives[node.index()][at as usize])
        };
        let (name, short) = (|it| self.node_name(id(it)), |it| self.program.name(id(it)));
        pbqp::listing(&instance.problem, solution, &name, &short, &alternative)
    }
}
