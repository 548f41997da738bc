//! The functions that the page calls.
//!
//! A text goes in by `input`, which returns the address for its bytes, and comes out as a length;
//! `output` returns the address of its bytes. Nothing here reads an address: the page writes into
//! memory that is already initialized. `no_mangle` is the only unsafe attribute; the names are used
//! once.
use crate::Session;
use std::cell::RefCell;

/// The session, and the texts on their way. A module of WebAssembly has one caller.
#[derive(Default)]
struct Instance {
    session: Session,
    input: Vec<u8>,
    output: String,
}

thread_local! {
    static INSTANCE: RefCell<Instance> = RefCell::default();
}

/// Room for an input of so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *const u8 {
    INSTANCE.with_borrow_mut(|it| {
        it.input = vec![0; length];
        it.input.as_ptr()
    })
}

/// The bytes of the last output.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    INSTANCE.with_borrow(|it| it.output.as_ptr())
}

/// Calls the session with the input; the output is kept, and its length is returned.
fn answer(act: impl FnOnce(&mut Session, &str) -> String) -> usize {
    INSTANCE.with_borrow_mut(|it| {
        let input = std::mem::take(&mut it.input);
        it.output = String::new();
        let input = String::from_utf8_lossy(&input);
        it.output = without_clock(|| act(&mut it.session, &input));
        it.output.len()
    })
}

/// The library for equality saturation measures itself; here it has a clock that stands still.
#[cfg(feature = "ch28")]
fn without_clock<T>(act: impl FnOnce() -> T) -> T {
    quanta::with_clock(&quanta::Clock::mock().0, act)
}

#[cfg(not(feature = "ch28"))]
fn without_clock<T>(act: impl FnOnce() -> T) -> T {
    act()
}

#[unsafe(no_mangle)]
pub extern "C" fn catalogue() -> usize {
    answer(|session, _| session.catalogue())
}

/// The page of the explorer, which shows the stages.
#[unsafe(no_mangle)]
pub extern "C" fn explorer_page() -> usize {
    answer(|_, _| explorer::live_page())
}

#[unsafe(no_mangle)]
pub extern "C" fn compile() -> usize {
    answer(Session::compile)
}

#[unsafe(no_mangle)]
pub extern "C" fn stages() -> usize {
    answer(|session, _| session.stages())
}

#[unsafe(no_mangle)]
pub extern "C" fn steps() -> usize {
    answer(Session::steps)
}

#[unsafe(no_mangle)]
pub extern "C" fn drawing(number: usize) -> usize {
    answer(|session, _| session.drawing(number))
}

#[unsafe(no_mangle)]
pub extern "C" fn start() -> usize {
    answer(Session::start)
}

#[unsafe(no_mangle)]
pub extern "C" fn advance(budget: u32) -> usize {
    answer(|session, _| session.advance(budget))
}
