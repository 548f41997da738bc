//! The bookbinder.
fn main() {}
