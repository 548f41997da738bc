//! Tests of `flags.rs`.
use super::*;

#[test]
fn a_flag_has_to_be_written_before_it_is_read() {
    let mut flags = Flags::undefined();
    flags.write(ZERO | CARRY, ZERO);
    assert_eq!(flags.read(ZERO | CARRY), Ok(ZERO));
    assert_eq!(flags.read(ZERO | SIGN), Err(Fault::UndefinedFlag("sign")));
    flags.undefine(CARRY);
    assert_eq!(flags.read(CARRY).unwrap_err().to_string(), "the carry flag is read but undefined");
}

#[test]
fn every_second_condition_is_the_negation_of_the_one_before() {
    for pair in CONDITIONS.chunks(2) {
        for set in 0..=ALL {
            let mut flags = Flags::undefined();
            flags.write(ALL, set);
            assert_ne!(pair[0].holds(flags), pair[1].holds(flags), "{:?}", pair[0].jump);
        }
    }
}
