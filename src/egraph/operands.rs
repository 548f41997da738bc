//! Operands that trap: where a rule needs them no more, another operation keeps them.
use super::node::Id;
use super::saturation::Saturation;
use crate::arith::Binary;
use crate::region::Head;
use std::collections::BTreeSet;

impl Saturation {
    /// Whether the values at `used` can replace a node with the operands `outside`: all that may
    /// trap has to be computed as before. A value without such an operand `x` becomes `value + (x ^
    /// x)` if both are integers. No law removes that, and it is cheaper than a call or a loop.
    pub fn keep_operands(&mut self, outside: &[Id], used: &[usize], values: &mut [Id]) -> bool {
        let dropped = [outside, values].concat();
        if self.used_keep_traps(used, values, &dropped) {
            return true;
        }
        for &at in used {
            for operand in self.lost_operands(values[at], &dropped) {
                if !self.is_integer(values[at]) || !self.is_integer(operand) {
                    return false;
                }
                let zero = self.binary(Binary::Eor, operand, operand);
                values[at] = match self.constant(values[at]) {
                    Some(0) => zero,
                    _ => self.binary(Binary::Add, values[at], zero),
                };
            }
        }
        self.used_keep_traps(used, values, &dropped)
    }

    fn used_keep_traps(&self, used: &[usize], values: &[Id], dropped: &[Id]) -> bool {
        let kept: Vec<Id> = used.iter().map(|at| values[*at]).collect();
        self.each_keeps_traps(&kept, dropped)
    }

    /// The operands that may trap and are not computed for a value.
    fn lost_operands(&self, value: Id, operands: &[Id]) -> Vec<Id> {
        let find = |id: Id| self.graph.find(id);
        let mut kept: BTreeSet<Id> = self.visit(&[value]).into_iter().map(find).collect();
        let mut lost = operands.to_vec();
        lost.retain(|it| self.fact(*it).may_trap && kept.insert(find(*it)));
        lost
    }

    /// Whether a class contains an operation or a number, or is an operand of an operation.
    fn is_integer(&self, id: Id) -> bool {
        let is_operation = |head: Head| matches!(head, Head::Operator(_));
        let class = &self.graph[id];
        let mut heads = class.nodes.iter().map(|it| it.head);
        let mut users = class.parents().map(|it| self.graph.nodes()[usize::from(it)].head);
        heads.any(|it| is_operation(it) || matches!(it, Head::Number(_))) || users.any(is_operation)
    }
}
