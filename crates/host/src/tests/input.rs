//! Tests of `input.rs`.
use super::*;

#[test]
fn reading_stops_at_the_limit() {
    assert_eq!(read_at_most(&b"abc"[..], 3).expect("it is short"), b"abc");
    let error = read_at_most(std::io::repeat(0), 1 << 20).expect_err("it is long");
    assert_eq!(error.to_string(), "it is longer than 1048576 bytes");
}
