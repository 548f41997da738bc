//! Programs that are control-flow graphs, after restructuring and saturation.
use super::check;
use crate::flow_graph;
use crate::restructure::restructure;
use crate::stage::Artifact;

/// The saturated regions of a control-flow graph.
fn saturated(text: &str, arguments: &[&[i64]]) -> String {
    let flow = flow_graph::parse(text).unwrap_or_else(|it| panic!("{text}: {it:?}"));
    let regions = restructure(&flow).unwrap_or_else(|it| panic!("{text}: {it:?}"));
    let saturated = check(&regions.print(), arguments);
    saturated.graph.print()
}

fn count(text: &str, word: &str) -> usize {
    text.matches(word).count()
}

#[test]
fn the_divisor_loop_has_two_variables() {
    let text = "function -> a b\nlabel top\n% a b -> r\nmov b -> a\nmov r -> b\n> b 0 -> c\n\
        switch c end top\nlabel end\nreturn a";
    let text = saturated(text, &[&[48, 36], &[17, 5], &[7, 7], &[7, 0]]);
    assert_eq!([count(&text, "(loop"), count(&text, "(%"), count(&text, "switch")], [1, 1, 0]);
}

#[test]
fn a_loop_that_never_ends_remains() {
    let text = "function -> a b\nmov a -> i\nlabel top\n+ i 2 -> i\n= i 2 -> c\nswitch c top end\n\
        label end\nreturn b";
    // The result is the argument, but only if the loop ends.
    let text = saturated(text, &[&[0, 7], &[-2, 7]]);
    assert_eq!(count(&text, "(loop"), 1, "{text}");
    let text = saturated("function -> a\nlabel top\ngoto top", &[&[1]]);
    assert_eq!(count(&text, "(loop"), 1, "{text}");
}

#[test]
fn a_loop_whose_end_is_known_vanishes() {
    let text = "function -> a\nmov 0 -> i\nmov 0 -> s\nlabel top\n+ s i -> s\n+ s a -> s\n\
        + i 1 -> i\n< i 10 -> c\nswitch c end top\nlabel end\nreturn s i";
    let text = saturated(text, &[&[3], &[-1]]);
    assert_eq!(text.trim(), "(func-1-inputs-3-outputs (use) (+ (* get-0 10) 45) 10)");
}

#[test]
fn two_exits_keep_one_loop() {
    let text = "function -> x\nmov x -> i\nmov 0 -> n\nlabel top\n> n 19 -> full\n\
        switch full test done\nlabel test\n= i 3 -> three\nswitch three next found\nlabel next\n\
        + n 1 -> n\n+ i 1 -> i\ngoto top\nlabel found\n* i 100 -> r\nreturn r i\nlabel done\n\
        return -1 n";
    let text = saturated(text, &[&[3], &[0], &[30], &[-40]]);
    assert_eq!(count(&text, "(loop"), 1, "{text}");
}

#[test]
fn a_loop_with_two_entries_is_one_loop() {
    let text = "function -> a b\n> a b -> c\nswitch c one two\nlabel one\n+ a 3 -> a\n\
        > a 50 -> c\nswitch c two end\nlabel two\n+ b 5 -> b\n* a 2 -> a\n> b 60 -> c\n\
        switch c one end\nlabel end\n+ a b -> r\nreturn r";
    let text = saturated(text, &[&[5, 7], &[4, 6], &[1, 1], &[2, 0]]);
    assert_eq!([count(&text, "(loop"), count(&text, "(switch")], [1, 1], "{text}");
}

#[test]
fn a_machine_with_three_states_keeps_one_switch() {
    let text = "function -> x\nmov 0 -> s\nlabel top\nswitch s zero one two\nlabel zero\n\
        * x 2 -> x\n> x 20 -> s\ngoto test\nlabel one\n- x 3 -> x\nmov 2 -> s\ngoto test\n\
        label two\n+ x 5 -> x\nmov 0 -> s\nlabel test\n> 30 x -> c\nswitch c end top\n\
        label end\nreturn x s";
    let text = saturated(text, &[&[10], &[29], &[-5], &[0]]);
    let counts = ["(loop", "(switch-3", "(switch"].map(|it| count(&text, it));
    assert_eq!(counts, [1, 1, 1], "{text}");
    assert!(text.contains("(loop (use) get-0 0 get-0 "), "two variables and the state: {text}");
}

#[test]
fn a_line_after_an_endless_loop_keeps_the_loop() {
    let text = "function -> x\nmov x -> y\nlabel top\n- y 2 -> y\n= y 0 -> c\nswitch c top end\n\
        label end\nuse y x\nreturn y x";
    let text = saturated(text, &[&[2], &[8]]);
    assert_eq!([count(&text, "(loop"), count(&text, "(use")], [1, 2], "{text}");
    assert!(text.trim().trim_end_matches(')').ends_with(" get-0"), "{text}");
}

#[test]
fn many_blocks_have_small_graphs() {
    let mut text = "function -> a b\nmov 0 -> s\n".to_string();
    for at in 0..2048 {
        text += &format!(
            "> a {at} -> c\nswitch c l{at} r{at}\nlabel l{at}\n+ s {at} -> s\ngoto j{at}\n\
            label r{at}\n+ s b -> s\nlabel j{at}\n"
        );
    }
    let text = saturated(&(text + "return s"), &[&[5, 7]]);
    assert_eq!(count(&text, "switch"), 2048);
}
