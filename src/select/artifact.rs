//! The selection as a stage: prints and draws the instance and the chosen matches, and verifies the
//! cover.
use super::pbqp_instance::{Alternative, Instance, Role};
use super::{Program, Selection};
use crate::firm;
use crate::rules::ProgramId;
use crate::stage::{Artifact, Violation};
use arena::{Id, SideTable};
use pbqp::{Rule, Solution};
use picture::Picture;

impl Artifact for Program<'_> {
    fn print(&self) -> String {
        self.functions.iter().map(Selection::print).collect()
    }

    fn picture(&self) -> Option<Picture> {
        self.functions.first().and_then(Selection::picture)
    }

    fn verify(&self) -> Vec<Violation> {
        self.functions.iter().flat_map(Selection::verify).collect()
    }
}

impl Selection<'_> {
    pub fn print(&self) -> String {
        match &self.solved {
            Some((instance, solution)) => self.print_instance(instance, solution),
            None => self.print_chosen(),
        }
    }

    /// The instance with the choice highlighted. A greedy selection has no picture.
    pub fn picture(&self) -> Option<Picture> {
        let (instance, solution) = self.solved.as_ref()?;
        let name = |node: pbqp::NodeId| self.node_name(Id::from_index(node.index()));
        let alternative = |node: pbqp::NodeId, at: u32| {
            self.alternative_name(instance, instance.alternatives[node.index()][at as usize])
        };
        Some(pbqp::picture(&instance.problem, Some(&solution.choice), &name, &alternative))
    }

    /// - `cover`: every value that a chosen match reads from a register is computed by a chosen
    ///   match.
    /// - `cost`: the cost of the solution is its cost in the original instance, and finite.
    pub fn verify(&self) -> Vec<Violation> {
        let mut made: SideTable<ProgramId, bool> = SideTable::new(self.program.len());
        let mut violations = Vec::new();
        let in_registers = self.program.ids().filter(|&id| !self.program.op(id).is_selected());
        in_registers.for_each(|id| made[id] = true);
        for found in &self.chosen {
            for id in found
                .values()
                .chain(self.program.block_arguments(found.root))
                .filter(|&id| !made[id])
            {
                let detail = format!("{} is in no register", self.name(id));
                violations.push(Violation { invariant: "cover", detail });
            }
            found.roots().for_each(|root| made[root] = true);
        }
        if let Some((instance, solution)) = &self.solved {
            let cost = instance.problem.cost(&solution.choice);
            if cost != solution.cost || !cost.is_finite() {
                let detail = format!("{} is reported as {}", cost, solution.cost);
                violations.push(Violation { invariant: "cost", detail });
            }
        }
        violations
    }
}

impl Selection<'_> {
    /// The name of the Firm node; for a use of a constant, followed by the number of the use.
    fn name(&self, id: ProgramId) -> String {
        let name = firm::name(self.program.firm(id));
        match self.program.op(id) {
            firm::Op::Const(_) => format!("{name}_{}", id.index()),
            #[cfg(feature = "ch25")]
            firm::Op::SymConst(_) => format!("{name}_{}", id.index()),
            _ => name,
        }
    }

    fn node_name(&self, id: ProgramId) -> String {
        let label = self.program.op(id).row().name;
        match self.program.op(id).number() {
            Some(number) => format!("{} {label} {number}", self.name(id)),
            None => format!("{} {label}", self.name(id)),
        }
    }

    fn alternative_name(&self, instance: &Instance, alternative: Alternative) -> String {
        match alternative.role {
            Role::Root(candidate) => {
                self.rules.rule(instance.candidates[candidate as usize].variant).name.clone()
            }
            Role::Inner => format!("in {}", self.rules.shapes.name(alternative.shape)),
            #[cfg(feature = "ch05")]
            Role::InRegister => "in register".to_string(),
        }
    }

    fn print_chosen(&self) -> String {
        let row = |found: &crate::rules::Match| {
            format!("{}: {}\n", self.node_name(found.root), self.rules.rule(found.variant).name)
        };
        self.chosen.iter().map(row).collect()
    }

    /// Nodes with their alternatives, the chosen one marked; edges with their matrices; the cost.
    fn print_instance(&self, instance: &Instance, solution: &Solution) -> String {
        let mut text = String::new();
        for id in self.program.ids() {
            let chosen = solution.choice[id.index()] as usize;
            let costs = instance.problem.vector(Id::from_index(id.index()));
            let roles = instance.alternatives[id.index()].iter().zip(costs).enumerate();
            let roles: Vec<_> = roles
                .map(|(at, (role, cost))| {
                    let mark = if at == chosen { "*" } else { "" };
                    format!("{mark}{} {cost}", self.alternative_name(instance, *role))
                })
                .collect();
            text += &format!("{}: {}\n", self.node_name(id), roles.join(" | "));
        }
        for (user, operand, matrix) in instance.problem.edges() {
            let columns = instance.problem.vector(operand).len();
            let rows: Vec<_> = matrix
                .chunks(columns)
                .map(|row| row.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
                .collect();
            let [user, operand] = [user, operand].map(|id| self.name(Id::from_index(id.index())));
            text += &format!("{user} - {operand}: {}\n", rows.join(" | "));
        }
        let counts = Rule::ALL.map(|rule| (solution.statistics.count(rule), rule.name()));
        let counts = counts.into_iter().filter(|&(count, _)| count > 0);
        let counts: Vec<_> = counts.map(|(count, name)| format!("{count} {name}")).collect();
        text + &format!("cost {} by {}\n", solution.cost, counts.join(", "))
    }
}
