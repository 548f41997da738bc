//! Calls a function that computes a factorial, and counts its instructions.
use emulate::{Function, Termination, call};

fn main() {
    // mov ecx,[esp+4]; mov eax,1; again: imul eax,ecx; dec ecx; jne again; ret
    let code = [0x8b, 0x4c, 0x24, 0x04, 0xb8, 1, 0, 0, 0, 0x0f, 0xaf, 0xc1, 0x49, 0x75, 0xfa, 0xc3];
    let run = call(&[Function::new("factorial", &code)], &[10], 1000);
    println!("{:?} after {} instructions", run.end, run.instructions);
    assert_eq!((run.end, run.instructions), (Termination::Value(3_628_800), 33));
}

#[test]
fn the_example_holds() {
    main();
}
