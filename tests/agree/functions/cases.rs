//! Programs that failed once.
use super::super::check::Check;
use super::super::compiled;
use super::super::configuration::Configuration;
use super::super::run::run_everywhere;
use sonc::Source;

/// Each with an argument and the result.
const CASES: &[(&str, i32, &str)] = &[
    // The call is dead, and so is the control after it.
    (
        "val f = { int v -> if ((new u8[0])[0]) {} };
        val g = { int v -> g(0) * 0; };
        f(0); return g(0);",
        0,
        "1:35: index 0 out of bounds for length 0",
    ),
    // The value of a declaration waits while the literal is parsed.
    ("val f = { int v -> val g = { int w -> return w + 1; }; }; f(1); return 7;", 0, "7"),
    // A reference to a function is never read-only.
    ("val f = { int v -> v + 1; }; {int->int}? g = f; return g ? g(arg) : 0;", 4, "5"),
    // The division begins a block, in which the call is.
    (
        "val f = { int v -> int s = 0; for (int i = 0; i < v; i++) { s += f(i - 1); } s + 1; };
        int w = 12 / arg; int x = f(w); return x * 100 + w / arg;",
        3,
        "801",
    ),
    // Functions that nothing uses have loops.
    (
        "val f = { int v -> for (int i = 0; i < v; i++) { v -= 2; } v; };
        val g = { int v -> for (int i = 0; i < v; i++) { f(0); } return f(2); };
        return 3;",
        0,
        "3",
    ),
    (
        "val f = { int v -> {int->int}? m = { int w -> for (int i = 0; i < w; i++) {} }; };
        int[] a = new int[1]; a[arg] = 5; return a[0];",
        0,
        "5",
    ),
    // A Trap ends the program in its first block, and a function in the block after a call.
    (
        "int[] a = new int[0]; int w = a[0]; val f = { int v -> if (v) { f(v - 1); v += 2; } v; };
        return f(3);",
        0,
        "1:32: index 0 out of bounds for length 0",
    ),
    (
        "val f = { int v -> if (v) { f(v - 1); return (new int[0])[v]; } 1; };
        return f(arg);",
        2,
        "1:58: index 1 out of bounds for length 0",
    ),
    // Parameters that are used after a division.
    (
        "struct S { int i; }
        val f = { int x, S s, int v -> if (x) return f(x - 1, s, v); int w = 12 / s.i; w * v + x; };
        S s = new S; s.i = 3; return f(2, s, arg);",
        5,
        "20",
    ),
    // A comparison with a result that is not known yet.
    (
        "struct S { S? n; }
        val f = { int x, S s ->
            if (x <= 0) return s; if (f(x - 1, s) != null) return s;
            return f(x - 1, s);
        };
        int count = 0;
        for (int i = 0; i < ((g(i, new S) != new S) & 3); i++) { count += 1; g(0, new S).n = null; }
        val g = { int x, S s -> s; };
        return f(arg, new S) == null ? 7 : count;",
        2,
        "1",
    ),
    // A struct that is declared after a call, which is inlined.
    (
        "struct S { int i; }
        val f = { S s, int v -> s.i = v; };
        val h = { S s -> f(s, 1); k(2); };
        S s = new S; f(s, arg);
        struct L { int l; }
        val k = { int v -> L e = new L; e.l = v; e.l; };
        L e = new L; e.l = 3; int x = h(s); return x * 100 + s.i * 10 + e.l;",
        5,
        "213",
    ),
    // The length of an array is loaded from another one, both made at the same place.
    (
        "return f();
        struct L { int l; }
        val f = { -> return g(new int[0], g(new int[0], 0)); };
        val g = { int[] a, int v -> a = new int[v]; return (new u8[1])[0]; };",
        0,
        "0",
    ),
    // The results of two calls that are never reached have the same constant.
    (
        "val f = { int v -> val h = { int w -> w; }; if (0) { return g(1) + h(0); } v; };
        val g = { int v -> v; };
        return f(4);",
        0,
        "4",
    ),
    // The result is a text, which ends with a blank.
    ("u8[] text = new u8[1]; text[0] = arg; return text;", 9, "\t"),
    // The words of an earlier call are where a later one has a float.
    (
        "val f = { int a, flt x, int b, int c, int d ->
            a > 0 ? f(a - 1, 0.0, b, c, d) : b + c + d;
        };
        val g = { int a, int b, int c, int d, int e ->
            a > 0 ? g(a - 1, b, c, d, e) : b + c + d + e;
        };
        return g(f(1, 2.5, 3, 4, 5), 1, 2, f(2, g(1, 2, 3, 4, 5), 6, 7, 8), 9);",
        0,
        "33",
    ),
];

#[test]
fn cases_agree() {
    let switched_off = |name: &str| {
        let without = vec![name.to_string()];
        Configuration { without, ..Configuration::standard() }
    };
    let configurations = [
        Configuration::standard(),
        Configuration { optimize: false, ..Configuration::standard() },
        switched_off("inline"),
        switched_off("call-effects"),
    ];
    for (text, argument, expected) in CASES {
        for configuration in &configurations {
            let source = Source { name: super::NAME.into(), text: text.to_string() };
            let expected = (*argument, expected.to_string());
            let mut check = Check::from_iter([expected.clone()]);
            if let Some(executable) = compiled(&source, configuration, &mut check) {
                let is_trap = expected.1.contains(": ");
                let mark = if is_trap { format!("{}:", super::NAME) } else { String::new() };
                let expected = [(expected.0, mark + &expected.1)];
                check.failures.extend(run_everywhere(&executable, &expected));
            }
            assert!(check.failures.is_empty(), "{text}\n{}", check.failures.join("\n"));
        }
    }
}
