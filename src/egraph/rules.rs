//! The rules that add equal forms, as data: those of calls, switches and loops, of sums and of
//! intervals, and the laws of `laws.rules`.
//!
//! The rules of regions need facts about the arguments of one scope, so each substitutes values for
//! the arguments and makes the node anew, and the outputs of both nodes are equal.
use super::laws::REGION_LAWS;

/// A rule: registration, documentation and test in one row.
pub struct Rule {
    pub name: &'static str,
    /// The two forms as mathematics.
    pub law: &'static str,
    /// An expression, and its cheapest form if there is no other rule.
    pub example: (&'static str, &'static str),
}

/// All rules but the laws of the peepholes, which apply, too.
pub fn rules() -> impl Iterator<Item = Rule> {
    let laws = REGION_LAWS.iter().map(|law| Rule {
        name: &law.name,
        law: &law.text,
        example: (&law.example.0, &law.example.1),
    });
    laws.chain(REGION_RULES)
}

const REGION_RULES: [Rule; 23] = [
    Rule {
        name: "sum",
        law: "x = y, if both are the same polynomial; the smaller form of a polynomial",
        example: ("(+ (+ get-0 get-1) (* get-0 5))", "(+ (* get-0 6) get-1)"),
    },
    Rule {
        name: "mod-less",
        law: "x % c → x, if 0 <= x < c",
        example: ("(% (& get-0 7) 10)", "(& get-0 7)"),
    },
    Rule {
        name: "mod-power",
        law: "x % 2^k → x & (2^k - 1), if x >= 0",
        example: ("(% (>> get-0 1) 8)", "(& (>> get-0 1) 7)"),
    },
    Rule {
        name: "div-power",
        law: "x / 2^k → x >> k, if x >= 0",
        example: ("(/ (& get-0 1023) 8)", "(>> (& get-0 1023) 3)"),
    },
    Rule {
        name: "div-div",
        law: "x / c / d → x / (c * d), if the product fits",
        example: ("(/ (/ get-0 10) 7)", "(/ get-0 70)"),
    },
    Rule {
        name: "shift-shift",
        law: "x >> c >> d → x >> (c + d), or 0, or the sign; << and >>s, too",
        example: ("(>> (>> get-0 3) 4)", "(>> get-0 7)"),
    },
    Rule {
        name: "call-known",
        law: "output i of f(x) → result i of f with x for its arguments",
        example: (
            "(get-0 (call (func-1-inputs-1-outputs (* get-0 get-0)) get-1))",
            "(* get-1 get-1)",
        ),
    },
    Rule {
        name: "switch-known",
        law: "switch k x → case k of x",
        example: (
            "(get-0 (switch-2-cases-1-outputs 1 get-1 7 (* get-0 get-0)))",
            "(* get-1 get-1)",
        ),
    },
    Rule {
        name: "switch-range",
        law: "switch p x → the same without the cases above the greatest p",
        example: (
            "(get-0 (switch-3-cases-1-outputs (& get-0 1) get-1 get-0 (* get-0 get-0) 7))",
            "(get-0 (switch-2-cases-1-outputs (& get-0 1) get-1 get-0 (* get-0 get-0)))",
        ),
    },
    Rule {
        name: "switch-predicate",
        law: "switch (p = 0) x → switch p x with its cases exchanged; p != 0 → p",
        example: (
            "(get-0 (switch-2-cases-1-outputs (= get-0 0) get-1 get-0 (* get-0 get-0)))",
            "(get-0 (switch-2-cases-1-outputs get-0 get-1 (* get-0 get-0) get-0))",
        ),
    },
    Rule {
        name: "switch-inside",
        law: "case k of x, where x is known → case k of its value",
        example: (
            "(get-0 (switch-2-cases-1-outputs get-0 get-0 (* get-0 get-0) get-0))",
            "(get-0 (switch-2-cases-1-outputs get-0 get-0 0 get-0))",
        ),
    },
    Rule {
        name: "switch-equal",
        law: "output i of switch p x → result i of a case, if those of all cases are equal",
        example: (
            "(get-0 (switch-2-cases-1-outputs get-0 get-1 (* get-0 get-0) (* get-0 get-0)))",
            "(* get-1 get-1)",
        ),
    },
    Rule {
        name: "switch-arithmetic",
        law: "outputs of switch p x, with results r and r + c → r + (p != 0) * c",
        example: (
            "(get-0 (switch-2-cases-1-outputs (> get-0 3) get-1 get-0 (+ get-0 5)))",
            "(+ get-1 (* (> get-0 3) 5))",
        ),
    },
    Rule {
        name: "switch-smaller",
        law: "switch p x → the same without what no case, and no user, needs",
        example: (
            "(get-0 (switch-2-cases-1-outputs get-0 get-1 (* get-1 get-1) get-0 (* get-0 7)))",
            "(get-0 (switch-2-cases-1-outputs get-0 get-1 get-0 (* get-0 7)))",
        ),
    },
    Rule {
        name: "loop-once",
        law: "loop x → its results for x, if the predicate is 0 for x",
        example: ("(get-0 (loop get-0 (* get-0 get-0) 0))", "(* get-0 get-0)"),
    },
    Rule {
        name: "loop-count",
        law: "output i of loop x → its value, if only constants decide",
        example: ("(get-0 (loop 1 (* get-0 3) (> 100 get-0)))", "729"),
    },
    Rule {
        name: "loop-sum",
        law: "output i of loop x, which adds y in each iteration → x + all y",
        example: ("(get-1 (loop 0 get-0 (+ get-0 1) (+ get-1 get-0) (> 9 get-0)))", "(+ get-0 45)"),
    },
    Rule {
        name: "loop-unroll",
        law: "loop x → its results for its results for x, if it has two iterations, and so on",
        example: (
            "(get-1 (loop 0 get-0 (+ get-0 1) (* get-1 get-1) (> 1 get-0)))",
            "(* (* get-0 get-0) (* get-0 get-0))",
        ),
    },
    Rule {
        name: "loop-constant",
        law: "loop c → the same with c for the variable, if the result for c is c",
        example: (
            "(get-1 (loop 5 get-0 5 (+ get-1 get-0) (> 100 get-1)))",
            "(get-0 (loop get-0 (+ get-0 5) (> 100 get-0)))",
        ),
    },
    Rule {
        name: "loop-equal",
        law: "loop x x → loop x, if equal variables have equal results",
        example: (
            "(get-0 (loop get-0 get-0 (+ get-0 3) (+ get-1 3) (> 20 get-1)))",
            "(get-0 (loop get-0 (+ get-0 3) (> 20 get-0)))",
        ),
    },
    Rule {
        name: "loop-invariant",
        law: "output i of loop x → x, if result i is variable i",
        example: ("(get-1 (loop get-0 get-1 (+ get-0 3) get-1 (> 20 get-0)))", "get-1"),
    },
    Rule {
        name: "loop-hoist",
        law: "loop x → loop x e, where e depends on invariant variables only",
        example: (
            "(get-0 (loop get-0 get-1 (+ get-0 (* get-1 get-1)) get-1 (> 50 get-0)))",
            "(get-0 (loop get-0 get-1 (* get-1 get-1) (+ get-0 get-2) get-1 get-2 (> 50 get-0)))",
        ),
    },
    Rule {
        name: "loop-dead",
        law: "loop x → the same without variables that no output and no predicate needs",
        example: (
            "(get-0 (loop get-0 get-1 (+ get-0 3) (* get-1 get-0) (> 50 get-0)))",
            "(get-0 (loop get-0 (+ get-0 3) (> 50 get-0)))",
        ),
    },
];
