//! Tests of `token.rs`.
use super::*;
use crate::arith::operators;

#[test]
fn every_operator_has_a_token() {
    for (symbol, precedence) in operators() {
        let (token, place) = Lexer::new(symbol).next_token();
        assert_eq!(place.range(), 0..symbol.len(), "{symbol}");
        let infix = token.infix().unwrap_or_else(|| panic!("{symbol} is no operator"));
        assert_eq!(infix.precedence, precedence, "{symbol}");
    }
}
