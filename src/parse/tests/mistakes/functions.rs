//! Mistakes with functions.
use super::{Mistake, row};

/// The report about the literal of a function without an arrow at an offset.
macro_rules! no_arrow {
    ($offset:literal) => {
        concat!(
            $offset,
            " -> is missing here (an arrow follows the parameters: `{ int x -> x + 1; }`)"
        )
    };
}

/// The report about a function at an offset whose result is that of a call that waits for it.
macro_rules! no_result {
    ($offset:literal) => {
        concat!(
            $offset,
            " each of its results is that of a call that waits for it \
             (one branch needs another value, such as `return 0;`)"
        )
    };
}

pub const MISTAKES: &[Mistake] = &[
    // Functions of C, Java and Rust, and words before them.
    row(
        18,
        "int f(int x) { return x; } return f(arg);",
        &["5 a function is a value (write `val f = { int x -> return x; };`)"],
    ),
    row(
        18,
        "int[] f(int[] a, flt b) { for (;;) { return a; } } int one = 1; return one + f(0, 1);",
        &["7 a function is a value \
         (write `val f = { int[] a, flt b -> for (;;) { return a; } };`)"],
    ),
    row(
        18,
        "int one() {\n  int x = 1;\n  return x;\n}\nreturn one();",
        &["7 a function is a value (write `val one = { -> … };`)"],
    ),
    row(
        18,
        "void f(int x) { } return f(1);",
        &["0 there is no variable or keyword of this name (write `val f = { int x -> … };`)"],
    ),
    row(
        18,
        "fn f(x: i32) -> i32 { x } return f(1);",
        &["0 there is no variable or keyword of this name \
         (write `val f = { int x -> x + 1; };`)"],
    ),
    row(
        18,
        "static int f(int x) { return x; } return f(1);",
        &[
            "0 this name is not declared (a declaration begins with its type)",
            "12 a function is a value (write `val f = { int x -> return x; };`)",
        ],
    ),
    row(
        18,
        "struct P { int x; } P p = new P; return p->x;",
        &["41 an arrow follows parameters (a field is read by `.`)"],
    ),
    row(
        18,
        "int f(int x return f(1);",
        &["5 a function is a value (write `val f = { int x -> x + 1; };`)"],
    ),
    row(
        18,
        "if (arg) return 1; elif (arg > 2) return 2; return 3;",
        &["19 there is no function of this name (write `else if`)"],
    ),
    row(
        18,
        "val f = { int x -> x + 1; }; return f(1, 2);",
        &["37 each parameter has one argument (the parameter is `x`)"],
    ),
    row(
        18,
        "val f = { int x, int y -> x + y; }; return f();",
        &["44 each parameter has one argument (the parameters are `x`, `y`)"],
    ),
    row(
        18,
        "val f = { -> 1; }; return f(2);",
        &["27 each parameter has one argument (the function has no parameters)"],
    ),
    row(18, "val f = { int x x + 1; }; return f(1);", &[no_arrow!(16)]),
    row(18, "val f = { int x => x + 1; }; return f(1);", &[no_arrow!(16)]),
    row(18, "val f = { int x; return x; }; return f(1);", &[no_arrow!(15)]),
    row(
        18,
        "val f = { x, y -> x + y; }; return f(1, 2);",
        &["10 a parameter has a type and a name (write `int x`)"],
    ),
    row(
        18,
        "val f = { int x, int x -> x; }; return f(1, 2);",
        &["21 already declared in this block (each parameter has a name of its own)"],
    ),
    row(
        18,
        "val f = { int x -> int x = 2; x; }; return f(1);",
        &["23 already declared in this block (without `int`, this assigns a new value)"],
    ),
    row(
        18,
        "var fact = { int n -> n < 2 ? 1 : n * fact(n - 1); }; return fact(5);",
        &["38 there is no function of this name \
         (a function that calls itself is a `val`: `val fact = …`)"],
    ),
    row(
        18,
        "val next = { int n -> n + 1; }; return nxt(1);",
        &["39 there is no function of this name (did you mean `next`?)"],
    ),
    row(
        18,
        "val f = { int n -> later(n); }; return f(1);",
        &["19 there is no function of this name (write `val f = { int x -> x + 1; };`)"],
    ),
    row(
        18,
        "{ val f = { int n -> n; }; }\nreturn f(1);",
        &["36 there is no function of this name (the block of the `f` of line 1 has ended)"],
    ),
    row(
        18,
        "val f = { int n -> g(n); }; val g = { int n -> f(n); }; return f(1);",
        &[no_result!(8), no_result!(36)],
    ),
    row(
        18,
        "val f = { int x -> if (x) return 1; return 1.5; }; return f(1);",
        &["43 all results of a function have one type"],
    ),
    row(18, "val f = { int n -> n == 0 ? 1 : 2; }; return f(1);", &[]),
    row(
        18,
        "val f = { int a -> a == 3; return a; }; return f(1);",
        &["21 `==` compares (an assignment is written `=`)"],
    ),
];
