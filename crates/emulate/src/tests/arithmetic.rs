//! Tests of `arithmetic.rs`.
use super::*;

const BYTE: Width = Width(8);
/// An operator, and the exact operation on integers.
type Exact = (Operator, fn(i32, i32) -> i32);

/// Value, carry and overflow of sums and differences of all bytes.
#[test]
fn sums_and_differences_of_bytes_are_exact() {
    let rows: [Exact; 2] = [(add, |a, b| a + b), (subtract, |a, b| a - b)];
    for (a, b) in pairs() {
        for (operator, exact) in rows {
            let mut flags = Flags::undefined();
            let value = operator(&mut flags, BYTE, a.into(), b.into()).unwrap();
            let unsigned = exact(a.into(), b.into());
            let signed = exact(a.cast_signed().into(), b.cast_signed().into());
            assert_eq!(value, u32::from(unsigned as u8));
            assert_eq!(is(flags, CARRY), u8::try_from(unsigned).is_err());
            assert_eq!(is(flags, OVERFLOW), i8::try_from(signed).is_err());
            assert_eq!(is(flags, ZERO), value == 0);
            assert_eq!(is(flags, SIGN), value >= 128);
        }
    }
}

#[test]
fn carry_and_borrow_are_passed_on() {
    for (a, b) in pairs() {
        for carry in [0, CARRY] {
            let mut flags = Flags::undefined();
            flags.write(CARRY, carry);
            let total = u32::from(a) + u32::from(b) + u32::from(carry);
            let value = add_with_carry(&mut flags, BYTE, a.into(), b.into());
            assert_eq!(value, Ok(total & 0xff));
            assert_eq!(is(flags, CARRY), total > 255);
            flags.write(CARRY, carry);
            let left = i32::from(a) - i32::from(b) - i32::from(carry);
            let value = subtract_with_borrow(&mut flags, BYTE, a.into(), b.into());
            assert_eq!(value, Ok(u32::from(left as u8)));
            assert_eq!(is(flags, CARRY), left < 0);
        }
    }
}

#[test]
fn a_shift_by_n_is_n_shifts_by_1() {
    for operator in [shift_left, shift_right, shift_right_signed] {
        for (a, count) in pairs().filter(|(_, count)| *count < 8) {
            let (mut once, mut often) = (Flags::undefined(), Flags::undefined());
            let at_once = operator(&mut once, BYTE, a.into(), count.into()).unwrap();
            let one_by_one =
                (0..count).fold(a.into(), |value, _| operator(&mut often, BYTE, value, 1).unwrap());
            assert_eq!(at_once, one_by_one);
            assert_eq!(once.read(CARRY), often.read(CARRY));
        }
    }
}

#[test]
fn a_truncated_product_sets_carry_and_overflow() {
    for (a, b) in pairs() {
        let mut flags = Flags::undefined();
        let product = i32::from(a.cast_signed()) * i32::from(b.cast_signed());
        let value = multiply(&mut flags, BYTE, a.into(), b.into());
        assert_eq!(value, Ok(u32::from(product as u8)));
        assert_eq!(is(flags, OVERFLOW), i8::try_from(product).is_err());
        assert_eq!(is(flags, CARRY), is(flags, OVERFLOW));
    }
}

#[test]
fn undefined_flags_are_undefined() {
    let rows: [(Operator, u32, u8); 12] = [
        (add, 1, 0),
        (and, 1, 0),
        (increment, 0, 0),
        (complement, 0, 0),
        (multiply, 1, SIGN | ZERO | PARITY),
        (shift_left, 0, 0),
        (shift_left, 1, 0),
        (shift_left, 2, OVERFLOW),
        (shift_left, 8, OVERFLOW | CARRY),
        (shift_right, 8, OVERFLOW | CARRY),
        (shift_right_signed, 8, OVERFLOW),
        (shift_right, 32, 0),
    ];
    for (at, (operator, b, undefined)) in rows.into_iter().enumerate() {
        let mut flags = Flags::undefined();
        flags.write(ALL, CARRY | SIGN);
        operator(&mut flags, BYTE, 0x5a, b).unwrap();
        let unreadable = [CARRY, PARITY, ZERO, SIGN, OVERFLOW]
            .into_iter()
            .filter(|flag| flags.read(*flag).is_err());
        assert_eq!(unreadable.sum::<u8>(), undefined, "row {at}");
    }
}

fn pairs() -> impl Iterator<Item = (u8, u8)> {
    (0..=u8::MAX).flat_map(|a| (0..=u8::MAX).map(move |b| (a, b)))
}

fn is(flags: Flags, flag: u8) -> bool {
    flags.read(flag).unwrap() != 0
}
