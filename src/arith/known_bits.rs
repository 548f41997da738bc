//! Known bits: the bits that are the same in all values.
//!
//! Numbers are sign-extended to 64 bits, so the bits above their width are copies of the sign.
//! Sources: H. S. Warren, Hacker's Delight, 4-3, on bounds of logical operations; `KnownBits` of
//! LLVM.
use super::Width;

/// A bit is known to be 0, known to be 1, or neither.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct KnownBits {
    pub zeros: i64,
    pub ones: i64,
}

impl KnownBits {
    /// No bit is known.
    pub const NONE: KnownBits = KnownBits { zeros: 0, ones: 0 };

    pub const fn constant(value: i64) -> KnownBits {
        KnownBits { zeros: !value, ones: value }
    }

    /// The bits that are known to be 0 or to be 1.
    pub fn known(self) -> i64 {
        self.zeros | self.ones
    }

    pub fn allow(self, value: i64) -> bool {
        value & self.zeros == 0 && !value & self.ones == 0
    }

    /// The bits that are the same in the values of both.
    pub fn union(self, other: KnownBits) -> KnownBits {
        KnownBits { zeros: self.zeros & other.zeros, ones: self.ones & other.ones }
    }

    /// The bits that one of them knows.
    pub fn intersect(self, other: KnownBits) -> KnownBits {
        KnownBits { zeros: self.zeros | other.zeros, ones: self.ones | other.ones }
    }

    /// How many of the lowest bits are known.
    pub fn low_count(self) -> u32 {
        self.known().trailing_ones()
    }

    /// The knowledge about the lowest `count` bits.
    pub fn low(self, count: u32) -> KnownBits {
        let mask = if count >= 64 { -1 } else { !(-1 << count) };
        KnownBits { zeros: self.zeros & mask, ones: self.ones & mask }
    }

    /// The highest bits in which all numbers between two bounds agree.
    pub const fn of_bounds(min: i64, max: i64) -> KnownBits {
        let varying = 64 - (min ^ max).leading_zeros();
        let prefix = if varying == 64 { 0 } else { -1 << varying };
        KnownBits { zeros: !min & prefix, ones: min & prefix }
    }

    /// The smallest number from `bound` on that has these bits.
    ///
    /// Below the highest bit in which `bound` differs, the number has as few ones as it may have.
    /// That bit itself grows from 0 to 1; or if it must become 0, the next higher 0 that is free
    /// becomes 1.
    pub fn first_from(self, bound: i64) -> Option<i64> {
        // With the sign inverted, the order is that of numbers without a sign.
        let unsigned = |it: i64| it.cast_unsigned() ^ SIGN;
        let KnownBits { zeros, ones } = self.with_inverted_sign();
        let [zeros, ones] = [zeros, ones].map(i64::cast_unsigned);
        let bound = unsigned(bound);
        let differing = (bound & zeros) | (!bound & ones);
        if differing == 0 {
            return Some(bound.cast_signed() ^ i64::MIN);
        }
        let highest = 63 - differing.leading_zeros();
        let growing = if bound >> highest & 1 == 0 {
            highest
        } else {
            let free = !bound & !zeros & !low_mask(highest + 1);
            (free != 0).then(|| free.trailing_zeros())?
        };
        let first = (bound & !low_mask(growing)) | 1 << growing | (ones & low_mask(growing));
        Some(first.cast_signed() ^ i64::MIN)
    }

    /// The largest number up to `bound` that has these bits: the complement of the smallest
    /// complement.
    pub fn last_up_to(self, bound: i64) -> Option<i64> {
        self.complement().first_from(!bound).map(|it| !it)
    }

    fn with_inverted_sign(self) -> KnownBits {
        let changed = self.known() & i64::MIN;
        KnownBits { zeros: self.zeros ^ changed, ones: self.ones ^ changed }
    }

    /// The bits of the complements.
    pub fn complement(self) -> KnownBits {
        KnownBits { zeros: self.ones, ones: self.zeros }
    }

    /// The bits after an overflow: those above the width become copies of the sign.
    pub fn wrapped(self, width: Width) -> KnownBits {
        KnownBits { zeros: width.wrap(self.zeros), ones: width.wrap(self.ones) }
    }

    /// The bits of a sum. A bit is known where both operands and the carry are, and the carry is
    /// known where it is the same for the smallest and for the largest operands.
    pub fn sum(self, other: KnownBits, carry: bool) -> KnownBits {
        let carry = i64::from(carry);
        let largest = (!self.zeros).wrapping_add(!other.zeros).wrapping_add(carry);
        let smallest = self.ones.wrapping_add(other.ones).wrapping_add(carry);
        let no_carry = !(largest ^ self.zeros ^ other.zeros);
        let with_carry = smallest ^ self.ones ^ other.ones;
        let known = self.known() & other.known() & (no_carry | with_carry);
        KnownBits { zeros: !largest & known, ones: smallest & known }
    }

    /// The lowest bits of a product:
    /// (a + 2ⁱ·m) · (b + 2ʲ·n) = a·b + 2ʲ·a·n + 2ⁱ·b·m + 2ⁱ⁺ʲ·m·n.
    pub fn product(self, other: KnownBits) -> KnownBits {
        let (i, j) = (self.low_count(), other.low_count());
        let factors = |of: u32, ones: i64| of.min(ones.trailing_zeros());
        let (of_a, of_b) = (factors(i, self.ones), factors(j, other.ones));
        let count = (of_a + j).min(of_b + i).min(i + j).min(64);
        KnownBits::constant(self.ones.wrapping_mul(other.ones)).low(count)
    }
}

const SIGN: u64 = 1 << 63;

/// The bits below a place.
fn low_mask(place: u32) -> u64 {
    if place == 64 { u64::MAX } else { (1 << place) - 1 }
}
