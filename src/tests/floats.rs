//! Tests of `floats`.
use super::*;

#[test]
fn texts_are_the_shortest() {
    let rows = [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (0.1, "0.1"),
        (0.001, "0.001"),
        (0.00099, "9.9E-4"),
        (100.0, "100.0"),
        (9_999_999.0, "9999999.0"),
        (1e7, "1.0E7"),
        (1_234_567_890.0, "1.23456789E9"),
        (-1e7, "-1.0E7"),
        (0.1 + 0.2, "0.30000000000000004"),
        (f64::MAX, "1.7976931348623157E308"),
        (f64::MIN_POSITIVE, "2.2250738585072014E-308"),
        (5e-324, "5.0E-324"),
        // Two are equally near.
        (2f64.powi(-25), "2.9802322387695312E-8"),
        (-(2f64.powi(-25)), "-2.9802322387695312E-8"),
        (9_000_000.0 + 1.0 / 1024.0, "9000000.000976562"),
        (9_000_000.0 + 3.0 / 1024.0, "9000000.002929688"),
        // The nearest of so many digits is read as another number.
        (2f64.powi(-24), "5.960464477539063E-8"),
        (2f64.powi(-44), "5.684341886080802E-14"),
        (9.5367431640625e-7, "9.5367431640625E-7"),
        (f64::NAN, "NaN"),
        (f64::INFINITY, "Infinity"),
        (f64::NEG_INFINITY, "-Infinity"),
    ];
    for (value, expected) in rows {
        assert_eq!(text(bits(value)), expected);
    }
}

#[test]
fn a_relation_holds_or_its_negation_does() {
    let values = [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN].map(bits);
    for relation in RELATIONS {
        assert_eq!(negated(negated(relation)), relation);
        for a in values {
            for b in values {
                assert_ne!(holds(relation, a, b), holds(negated(relation), a, b));
            }
        }
    }
}

#[test]
fn nothing_holds_for_nan_but_negations() {
    let (nan, one) = (bits(f64::NAN), bits(1.0));
    for relation in [Relation::Equal, Relation::Less, Relation::LessEqual] {
        for [a, b] in [[nan, one], [one, nan], [nan, nan]] {
            assert!(!holds(relation, a, b), "{relation:?}");
        }
    }
}
