//! The driver verifies allocated code.
use crate::driver::verify;
use crate::ia32::parse_assembly::allocated;
use crate::stage::{Halt, Stage};

#[test]
fn code_that_is_not_sound_becomes_no_executable() {
    assert!(verify(Stage::Allocated, &allocated("mov eax,1; ret")).is_ok());
    let lost = "sub esp,4; mov eax,DWORD PTR [esp]; add esp,4; ret";
    let Err(Halt::InvariantViolated(Stage::Allocated, broken)) =
        verify(Stage::Allocated, &allocated(lost))
    else {
        panic!("a word of the stack is read that was never written");
    };
    assert_eq!(broken[0].invariant, "stack-written");
}
