//! Relations between integers: names, symbols and meaning, one row each.
#[cfg(feature = "ch29")]
use super::WORD;

/// A relation between two integers: a set of three bits, 1 greater, 2 equal, 4 less.
///
/// `Less | Equal` is `LessEqual`. A comparison yields 1 if its relation holds, else 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// It never holds.
    #[cfg(feature = "ch25")]
    Never = 0,
    Greater = 1,
    Equal = 2,
    GreaterEqual = 3,
    Less = 4,
    NotEqual = 5,
    LessEqual = 6,
    /// It always holds.
    #[cfg(feature = "ch25")]
    Always = 7,
    /// Relations between integers without a sign: the low words of larger integers have none. They
    /// are also the conditions after a comparison of floats.
    #[cfg(feature = "ch12")]
    Above = 9,
    #[cfg(feature = "ch12")]
    AboveEqual = 11,
    #[cfg(feature = "ch12")]
    Below = 12,
    #[cfg(feature = "ch12")]
    BelowEqual = 14,
    /// The negations of two relations between floats: they hold if one of these is NaN, too.
    #[cfg(feature = "ch12")]
    NotLessEqual = 33,
    #[cfg(feature = "ch12")]
    NotLess = 35,
    /// Relations between a difference and 0: its sign after an overflow, too. Only machine code has
    /// them.
    #[cfg(feature = "ch29")]
    NotNegative = 19,
    #[cfg(feature = "ch29")]
    Negative = 20,
}

/// The data of a relation.
pub struct RelationRow {
    pub relation: Relation,
    pub name: &'static str,
    pub symbol: &'static str,
}

const RELATIONS: &[RelationRow] = &[
    RelationRow { relation: Relation::Greater, name: "GT", symbol: ">" },
    RelationRow { relation: Relation::Equal, name: "EQ", symbol: "==" },
    RelationRow { relation: Relation::GreaterEqual, name: "GE", symbol: ">=" },
    RelationRow { relation: Relation::Less, name: "LT", symbol: "<" },
    RelationRow { relation: Relation::NotEqual, name: "NE", symbol: "!=" },
    RelationRow { relation: Relation::LessEqual, name: "LE", symbol: "<=" },
    #[cfg(feature = "ch12")]
    RelationRow { relation: Relation::Above, name: "A", symbol: "above" },
    #[cfg(feature = "ch12")]
    RelationRow { relation: Relation::AboveEqual, name: "AE", symbol: "above or equal" },
    #[cfg(feature = "ch12")]
    RelationRow { relation: Relation::Below, name: "B", symbol: "below" },
    #[cfg(feature = "ch12")]
    RelationRow { relation: Relation::BelowEqual, name: "BE", symbol: "below or equal" },
    #[cfg(feature = "ch12")]
    RelationRow { relation: Relation::NotLessEqual, name: "NLE", symbol: "!<=" },
    #[cfg(feature = "ch12")]
    RelationRow { relation: Relation::NotLess, name: "NLT", symbol: "!<" },
    #[cfg(feature = "ch29")]
    RelationRow { relation: Relation::NotNegative, name: "NS", symbol: "not negative" },
    #[cfg(feature = "ch29")]
    RelationRow { relation: Relation::Negative, name: "S", symbol: "negative" },
    #[cfg(feature = "ch25")]
    RelationRow { relation: Relation::Always, name: "TRUE", symbol: "true" },
    #[cfg(feature = "ch25")]
    RelationRow { relation: Relation::Never, name: "FALSE", symbol: "false" },
];

impl Relation {
    /// The relations of the language: neither always nor never true.
    pub const ALL: [Relation; 6] = [
        Relation::Greater,
        Relation::Equal,
        Relation::GreaterEqual,
        Relation::Less,
        Relation::NotEqual,
        Relation::LessEqual,
    ];

    /// The relation with this number.
    #[cfg(feature = "ch10")]
    pub fn of_number(number: i64) -> Relation {
        let row = RELATIONS.iter().find(|row| row.relation as i64 == number);
        row.expect("it is the number of a relation").relation
    }

    /// The relations between integers without a sign.
    #[cfg(feature = "ch12")]
    pub const UNSIGNED: [Relation; 4] =
        [Relation::Above, Relation::AboveEqual, Relation::Below, Relation::BelowEqual];

    /// The precedence of all comparisons: lower than that of `+`.
    pub const PRECEDENCE: u8 = 7;

    pub fn row(self) -> &'static RelationRow {
        let row = RELATIONS.iter().find(|row| row.relation == self);
        row.expect("every relation has a row")
    }

    pub fn holds(self, a: i64, b: i64) -> bool {
        let order = a.cmp(&b);
        #[cfg(feature = "ch12")]
        let order =
            if self.is_unsigned() { a.cast_unsigned().cmp(&b.cast_unsigned()) } else { order };
        #[cfg(feature = "ch29")]
        let order = if self.is_of_sign() { WORD.wrap(a - b).cmp(&0) } else { order };
        let bit = match order {
            std::cmp::Ordering::Greater => 1,
            std::cmp::Ordering::Equal => 2,
            std::cmp::Ordering::Less => 4,
        };
        self as u8 & bit != 0
    }

    /// Whether it compares integers without a sign.
    #[cfg(feature = "ch12")]
    pub fn is_unsigned(self) -> bool {
        self as u8 & 8 != 0
    }

    /// The same relation between integers without a sign.
    #[cfg(feature = "ch14")]
    pub fn unsigned(self) -> Relation {
        match self {
            Relation::Greater => Relation::Above,
            Relation::GreaterEqual => Relation::AboveEqual,
            Relation::Less => Relation::Below,
            Relation::LessEqual => Relation::BelowEqual,
            other => other,
        }
    }

    /// Whether it reads only the sign of a difference.
    #[cfg(feature = "ch29")]
    pub fn is_of_sign(self) -> bool {
        self as u8 & 16 != 0
    }

    /// The relation that holds exactly if this one does not.
    pub fn negated(self) -> Relation {
        match self {
            Relation::Greater => Relation::LessEqual,
            Relation::Equal => Relation::NotEqual,
            Relation::GreaterEqual => Relation::Less,
            Relation::Less => Relation::GreaterEqual,
            Relation::NotEqual => Relation::Equal,
            Relation::LessEqual => Relation::Greater,
            #[cfg(feature = "ch12")]
            Relation::Above => Relation::BelowEqual,
            #[cfg(feature = "ch12")]
            Relation::AboveEqual => Relation::Below,
            #[cfg(feature = "ch12")]
            Relation::Below => Relation::AboveEqual,
            #[cfg(feature = "ch12")]
            Relation::BelowEqual => Relation::Above,
            #[cfg(feature = "ch12")]
            Relation::NotLessEqual => Relation::LessEqual,
            #[cfg(feature = "ch12")]
            Relation::NotLess => Relation::Less,
            #[cfg(feature = "ch29")]
            Relation::NotNegative => Relation::Negative,
            #[cfg(feature = "ch29")]
            Relation::Negative => Relation::NotNegative,
            #[cfg(feature = "ch25")]
            Relation::Always => Relation::Never,
            #[cfg(feature = "ch25")]
            Relation::Never => Relation::Always,
        }
    }

    /// The relation that holds for (b, a) exactly if this one holds for (a, b).
    pub fn swapped(self) -> Relation {
        match self {
            Relation::Greater => Relation::Less,
            Relation::Equal => Relation::Equal,
            Relation::GreaterEqual => Relation::LessEqual,
            Relation::Less => Relation::Greater,
            Relation::NotEqual => Relation::NotEqual,
            Relation::LessEqual => Relation::GreaterEqual,
            #[cfg(feature = "ch12")]
            Relation::Above => Relation::Below,
            #[cfg(feature = "ch12")]
            Relation::AboveEqual => Relation::BelowEqual,
            #[cfg(feature = "ch12")]
            Relation::Below => Relation::Above,
            #[cfg(feature = "ch12")]
            Relation::BelowEqual => Relation::AboveEqual,
            #[cfg(feature = "ch12")]
            Relation::NotLessEqual | Relation::NotLess => {
                unreachable!("comparisons of floats are not mirrored")
            }
            #[cfg(feature = "ch29")]
            Relation::NotNegative | Relation::Negative => {
                unreachable!("no comparison sets the flags that they read")
            }
            #[cfg(feature = "ch25")]
            Relation::Always | Relation::Never => self,
        }
    }
}
