//! Facts about the values of a class.
/// The facts about the values of a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fact {
    /// All values are in this interval, if they are integers.
    pub min: i64,
    pub max: i64,
    /// Whether each form may trap, or change a state: the computation must not be removed.
    pub may_trap: bool,
    /// Whether each form may trap, apart from its effects on a state.
    pub traps: bool,
    /// Whether each form may write lines.
    pub writes: bool,
    /// Some form needs only arguments of its scope below this number. Others may need more:
    /// `(* get-2 0)` is 0, which needs none.
    pub arguments: u32,
}

impl Fact {
    pub const ANY: Fact = Fact {
        min: i32::MIN as i64,
        max: i32::MAX as i64,
        may_trap: false,
        traps: false,
        writes: false,
        arguments: 0,
    };

    /// The value, if there is only one, and nothing else happens.
    pub fn constant(self) -> Option<i64> {
        (self.min == self.max && !self.may_trap).then_some(self.min)
    }

    pub fn is_bool(self) -> bool {
        0 <= self.min && self.max <= 1
    }
}
