//! Congruent Phis: the variables of loops that become one, and those that stay.
use super::peepholes::optimized;
use crate::sea::Op;
use crate::sea::walk::reachable_nodes;

/// The number of Phis of loops in the sea.
fn phis(text: &str) -> usize {
    let sea = optimized(text);
    let is_of_loop = |id| sea.op(id).is_phi() && sea.op(sea.input(id, 0)) == Op::Loop;
    reachable_nodes(&sea).into_iter().filter(|&id| is_of_loop(id)).count()
}

#[test]
fn variables_with_one_value_become_one() {
    for (text, expected) in [
        ("int a=0; int b=0; while(a<arg) { a=a+1; b=b+1; } return a*b;", 1),
        // Each follows from the other.
        ("int a=1; int b=1; while(arg>0) { int t=a; a=b*3; b=t*3; arg=arg-1; } return a*b;", 2),
        // Through a join, and through an inner loop.
        (
            "int a=0; int b=0; while(arg>0) { if(arg<5) { a=a+arg; b=b+arg; } arg=arg-1; }
             return a*b;",
            2,
        ),
        (
            "int a=1; int b=1; while(arg>0) { int i=0; while(i<3) { a=a*3; b=b*3; i=i+1; }
             arg=arg-1; } return a*b;",
            4,
        ),
    ] {
        assert_eq!(phis(text), expected, "{text}");
    }
}

#[test]
fn a_phi_that_only_merged_phis_use_is_gone() {
    // b becomes a, so nothing uses p any more, and q remains.
    let text = "int u=0; int v=0; int p=0; int q=0; int a=0; int b=0; int s=0;
        while(arg>0) { s=s+a*b; int t=p-p; a=q; b=p; p=u; q=v; u=u+1; v=v+1; arg=arg-1; }
        return s;";
    assert_eq!(phis(text), 5);
}

#[test]
fn variables_with_two_values_stay() {
    for (text, expected) in [
        // Other starts, other steps, and other conditions.
        ("int a=0; int b=1; while(a<arg) { a=a+2; b=b+2; } return a*b;", 2),
        ("int a=0; int b=0; while(a<arg) { a=a+2; b=b+3; } return a*b;", 2),
        (
            "int a=0; int b=0; while(arg>0) { if(arg<5) a=a+1; else b=b+1; arg=arg-1; }
             return a*b;",
            3,
        ),
        // They differ later than at the first look.
        (
            "int a=0; int b=0; int c=1; int d=1; int e=1; int f=2;
             while(arg>0) { a=a+c; b=b+d; c=c+e; d=d+f; e=e*3; f=f*3; arg=arg-1; } return a*b;",
            7,
        ),
    ] {
        assert_eq!(phis(text), expected, "{text}");
    }
}
