//! Tests of `machine_code.rs`.
use super::*;
use crate::ia32::parse_assembly::allocated;

#[test]
fn jumps_are_printed_with_target_offsets() {
    let code = allocated("b0: mov eax,1; b1@1: inc eax; cmp eax,9; jl b1; b2: ret");
    let program = Program {
        functions: vec![code],
        #[cfg(feature = "ch10")]
        result: heap::ResultFormat::Integer,
        #[cfg(feature = "ch15")]
        file: String::new(),
    };
    let machine_code = MachineCode::new(&program);
    let listing = "   0  b8 01 00 00 00            mov eax,0x1\n   \
                       5  40                        inc eax\n   \
                       6  83 f8 09                  cmp eax,0x9\n   \
                       9  7c fa                     jl 0x5\n   \
                       b  c3                        ret\n";
    assert_eq!((&machine_code.print()[..], machine_code.verify()), (listing, vec![]));
    assert_eq!(machine_code.eval(0), Some(Outcome::value(9)));
}
