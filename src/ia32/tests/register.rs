//! Tests of `register.rs`.
use super::*;

#[test]
fn virtual_registers_follow_the_real_ones() {
    let first = Register::new_virtual(0);
    assert_eq!(
        (first.index(), first.virtual_number(), first.is_real()),
        (NAMES.len(), Some(0), false)
    );
    assert_eq!((Register(7).to_string(), first.to_string()), ("edi".into(), "v0".into()));
    assert_eq!(Register::EAX.to_string(), "eax");
}

#[cfg(feature = "ch02")]
#[test]
fn sets_hold_the_registers_they_name() {
    let names = |set: RegisterSet| set.iter().map(|r| r.to_string()).collect::<Vec<_>>();
    let all = ["eax", "ecx", "edx", "ebx", "ebp", "esi", "edi"];
    assert_eq!(names(RegisterSet::allocatable(RegisterClass::General)), all);
    assert!(!RegisterSet::allocatable(RegisterClass::General).contains(Register::ESP));
    assert!(!RegisterSet::allocatable(RegisterClass::General).contains(Register::new_virtual(0)));
}

#[cfg(feature = "ch12")]
#[test]
fn the_classes_are_disjoint() {
    let classes = [RegisterClass::General, RegisterClass::Float].map(RegisterSet::allocatable);
    assert_eq!(classes[0].intersect(classes[1]), RegisterSet::EMPTY);
    assert_eq!(classes[1], RegisterSet::of(RegisterConstraint::Float));
    for register in classes[1].iter() {
        assert_eq!(register.real_kind(), RegisterKind::FLOAT, "{register}");
    }
}

#[cfg(feature = "ch14")]
#[test]
fn general_registers_have_names_for_their_lower_halves() {
    for register in (0..NAMES.len()).map(Register::from_index) {
        let is_permitted = RegisterSet::of(RegisterConstraint::Half).contains(register);
        assert_eq!(register.half_name().is_some(), is_permitted, "{register}");
    }
    assert_eq!(Register::ESP.half_name(), Some("sp"));
}

#[cfg(feature = "ch04")]
#[test]
fn byte_registers_are_those_with_a_byte_name() {
    for register in (0..NAMES.len()).map(Register::from_index) {
        let named = register.byte_name().is_some();
        assert_eq!(
            RegisterSet::of(RegisterConstraint::Byte).contains(register),
            named,
            "{register}"
        );
    }
}
