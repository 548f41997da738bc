//! Tests of `terminal.rs`.
use super::*;

#[test]
fn names_do_not_control_the_terminal() {
    let check = |name: &str, expected: &str| assert_eq!(shown(Path::new(name)), expected);
    check("chapters/é e\u{301}.smp", "chapters/é e\u{301}.smp");
    check("a\u{1b}[31m.smp", "a\\u{1b}[31m.smp");
    check("a\nb\t\u{9b}", "a\\nb\\t\\u{9b}");
    check("a\u{202e}pms", "a\\u{202e}pms");
}

#[test]
fn colours_can_be_switched_off() {
    let check = |is_terminal, refused: Option<&str>, terminal: Option<&str>, expected| {
        let [refused, terminal] = [refused, terminal].map(|it| it.map(OsString::from));
        assert_eq!(may_color(is_terminal, refused, terminal), expected);
    };
    check(true, None, Some("xterm"), true);
    check(true, Some(""), None, true);
    check(true, Some("1"), Some("xterm"), false);
    check(true, None, Some("dumb"), false);
    check(false, None, Some("xterm"), false);
}
