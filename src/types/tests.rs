//! Tests of `types`.
use super::*;

/// All kinds of types, and pairs of them.
fn samples(types: &mut Types) -> Vec<Type> {
    let mut all = vec![Type::INTEGER];
    all.extend([-1, 0, 1, INT.min(), INT.max()].map(|value| types.constant(value)));
    let simple = [
        TypeKind::Top,
        TypeKind::Bottom,
        #[cfg(feature = "ch04")]
        TypeKind::Control,
        #[cfg(feature = "ch05")]
        TypeKind::DeadControl,
    ];
    all.extend(simple.map(|shape| types.intern(shape)));
    let compound = [
        #[cfg(feature = "ch04")]
        all.iter().map(|&element| TypeKind::Tuple([all[0], element])).collect::<Vec<_>>(),
        Vec::new(),
    ];
    all.extend(compound.into_iter().flatten().map(|shape| types.intern(shape)));
    all
}

#[test]
fn equal_types_have_equal_ids() {
    let mut types = Types::default();
    assert_eq!(types.constant(7), types.constant(7));
    assert_ne!(types.constant(7), types.constant(8));
}

#[test]
fn meet_is_idempotent_commutative_and_associative() {
    let mut types = Types::default();
    let all = samples(&mut types);
    for &a in &all {
        assert_eq!(types.meet(a, a), a);
        for &b in &all {
            let ab = types.meet(a, b);
            assert_eq!(ab, types.meet(b, a));
            assert_eq!(types.meet(ab, a), ab, "the meet is a lower bound");
            for &c in &all {
                let bc = types.meet(b, c);
                assert_eq!(types.meet(ab, c), types.meet(a, bc));
            }
        }
    }
}

#[test]
fn top_is_the_identity_and_bottom_absorbs() {
    let mut types = Types::default();
    let (top, bottom) = (Type::TOP, Type::BOTTOM);
    for a in samples(&mut types) {
        assert_eq!((types.meet(top, a), types.meet(a, bottom)), (a, bottom));
    }
}
