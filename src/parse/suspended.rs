//! The knowledge about types and pointers of a function that waits while one in it is parsed.
use super::objects::Objects;
use super::scope::Fact;
use super::static_types::{Condition, StaticType};
use crate::diagnostics::Diagnostic;
use crate::types::{FieldId, Type};
use arena::SideTable;

/// The knowledge of a function that waits.
pub struct Suspended {
    pub slots: SideTable<FieldId, usize>,
    types: Vec<StaticType>,
    condition: Condition,
    demands: Vec<(Fact, Diagnostic)>,
    result: Option<Type>,
    next_part: usize,
    constructed: std::ops::Range<usize>,
    is_body: bool,
}

impl Objects<'_> {
    /// Begins a function; the fields get other variables.
    pub fn suspend(&mut self) -> Suspended {
        Suspended {
            slots: std::mem::replace(&mut self.slots, SideTable::new(0)),
            types: std::mem::take(&mut self.types),
            condition: std::mem::replace(&mut self.condition, Condition::Unknown),
            demands: std::mem::take(&mut self.demands),
            result: self.result.take(),
            next_part: std::mem::replace(&mut self.next_part, usize::MAX),
            constructed: std::mem::replace(&mut self.constructed, 0..0),
            is_body: std::mem::take(&mut self.is_body),
        }
    }

    pub fn resume(&mut self, outer: Suspended) {
        let Suspended { slots, types, condition, demands, result, .. } = outer;
        (self.slots, self.types, self.condition) = (slots, types, condition);
        (self.demands, self.result) = (demands, result);
        (self.next_part, self.constructed) = (outer.next_part, outer.constructed);
        self.is_body = outer.is_body;
    }
}
