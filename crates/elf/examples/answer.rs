//! Writes an executable that exits with status 42, and shows its headers.
use elf::{Function, executable, read};

fn main() {
    // mov ebx,42; mov eax,1; int 0x80
    let code = [0xbb, 42, 0, 0, 0, 0xb8, 1, 0, 0, 0, 0xcd, 0x80];
    let listing = "mov ebx,42\nmov eax,1\nint 0x80";
    let executable = executable(&[Function { listing, ..Function::new("_start", &code) }]);
    print!("{}", executable.print());
    let image = read(&executable.bytes).expect("an executable");
    assert_eq!((image.entry, image.symbols), (image.segments[0].address, executable.symbols));
}

#[test]
fn the_example_holds() {
    main();
}
