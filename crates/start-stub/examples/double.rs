//! Links a function that doubles its argument with start code, and runs it in the emulator.
use elf::{Function, executable};

fn main() {
    // mov eax,[esp+4]; add eax,eax; ret
    let code = [0x8b, 0x44, 0x24, 0x04, 0x01, 0xc0, 0xc3];
    let stub = start_stub::for_each_word();
    let program = executable(&[stub.function(), Function::new("double", &code)]);
    let words = ["1", "-2147483648", "x"].map(str::to_string);
    let run = emulate::run(&program.bytes, &words, 10_000);
    print!("{}{}", run.output, run.errors);
    assert_eq!(run.output, "2\n0\n");
    assert_eq!(run.errors, "sonc: not a 32-bit integer: x\n");
}

#[test]
fn the_example_holds() {
    main();
}
