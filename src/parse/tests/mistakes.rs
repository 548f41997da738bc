//! Beginners' mistakes, each with its reports.
use super::*;

#[cfg(feature = "ch18")]
mod functions;

/// A program, and its diagnostics: offset, label, and help in parentheses.
struct Mistake {
    since: u32,
    /// The chapter in which the program becomes valid.
    until: u32,
    text: &'static str,
    reports: &'static [&'static str],
}

const fn row(since: u32, text: &'static str, reports: &'static [&'static str]) -> Mistake {
    Mistake { since, until: u32::MAX, text, reports }
}

/// A program that calls a function, before there are functions.
const fn until_functions(
    since: u32,
    text: &'static str,
    reports: &'static [&'static str],
) -> Mistake {
    Mistake { until: 18, ..row(since, text, reports) }
}

/// The report about a call at an offset.
macro_rules! no_functions {
    ($offset:literal) => {
        concat!(
            $offset,
            " Simple has no functions (a program is a list of statements, and ends with `return`)"
        )
    };
}

const MISTAKES: &[Mistake] = &[
    // A semicolon is missing.
    row(1, "return 1", &["8 ; is missing here (put `;` here)"]),
    row(3, "int a=1\nint b=2;\nreturn b;", &["7 ; is missing here (put `;` here)"]),
    row(3, "int a=1\na=2;\nreturn a;", &["7 ; is missing here (put `;` here)"]),
    row(
        3,
        "int a=1\nreturn a",
        &["7 ; is missing here (put `;` here)", "16 ; is missing here (put `;` here)"],
    ),
    row(3, "int a=1; a=2 return a;", &["13 ; is missing here (put `;` here)"]),
    row(3, "#showGraph\nreturn 1;", &["10 ; is missing here (put `;` here)"]),
    row(8, "while(arg) break\nreturn 1;", &["16 ; is missing here (put `;` here)"]),
    // A keyword is misspelled.
    row(
        3,
        "int a=1; retrun a;",
        &["9 there is no variable or keyword of this name (did you mean `return`?)"],
    ),
    row(
        3,
        "Return 1;",
        &["0 there is no variable or keyword of this name (did you mean `return`?)"],
    ),
    row(
        3,
        "itn a=1; return a;",
        &["0 there is no variable or keyword of this name (did you mean `int`?)"],
    ),
    row(
        3,
        "Int a=1; return a;",
        &["0 there is no variable or keyword of this name (did you mean `int`?)"],
    ),
    row(
        7,
        "whlie (arg) arg=arg-1; return 1;",
        &["0 there is no variable or keyword of this name (did you mean `while`?)"],
    ),
    row(
        5,
        "fi (arg) return 1; return 2;",
        &["0 there is no variable or keyword of this name (did you mean `if`?)"],
    ),
    row(
        8,
        "while(arg) { braek; } return 1;",
        &["13 there is no variable or keyword of this name (did you mean `break`?)"],
    ),
    row(
        8,
        "while(arg) contineu; return 1;",
        &["11 there is no variable or keyword of this name (did you mean `continue`?)"],
    ),
    row(
        5,
        "if(arg) arg=1; esle arg=2; return arg;",
        &["15 there is no variable or keyword of this name (did you mean `else`?)"],
    ),
    Mistake {
        until: 17,
        ..row(
            7,
            "for (int i=0; i<3; i=i+1) { } return 1;",
            &["0 there is no variable or keyword of this name (a loop is written `while`)"],
        )
    },
    row(
        7,
        "do { arg=arg-1; } return arg;",
        &["0 there is no variable or keyword of this name (a loop is written `while`)"],
    ),
    // `=` and `==`.
    Mistake {
        until: 17,
        ..row(
            5,
            "if (arg = 3) return 1; return 2;",
            &["8 `=` assigns a value, in a statement (a comparison is written `==`)"],
        )
    },
    Mistake {
        until: 17,
        ..row(
            7,
            "while (arg = 3) arg=1; return 2;",
            &["11 `=` assigns a value, in a statement (a comparison is written `==`)"],
        )
    },
    Mistake {
        until: 17,
        ..row(
            4,
            "return arg = 3;",
            &["11 `=` assigns a value, in a statement (a comparison is written `==`)"],
        )
    },
    row(4, "int a=1; a == 3; return a;", &["11 `==` compares (an assignment is written `=`)"]),
    row(4, "int a == 3; return a;", &["6 `==` compares (an assignment is written `=`)"]),
    // Comments, and statements that are none.
    row(3, "# c\nreturn 1;", &["0 this is no comment (comments begin with `//`)"]),
    row(3, "/* c */ return 1;", &["0 this is no comment (comments begin with `//`)"]),
    row(3, "return /* c */ 1;", &["7 this is no comment (comments begin with `//`)"]),
    row(3, "5 = arg; return 1;", &["0 only a variable can be assigned"]),
    row(3, "5; return 1;", &["0 only a variable can be assigned"]),
    row(3, "(1); return 1;", &["0 this is not a name"]),
    row(3, "int 5=1; return 1;", &["4 only a variable can be assigned"]),
    row(3, "int return=1; return 1;", &["4 this is a keyword"]),
    // Braces, parentheses, `else`.
    row(
        3,
        "{\nint a=1;\n",
        &["10 } is missing here (the block that begins in line 1 is never closed)"],
    ),
    row(
        5,
        "if(arg) {\nif(arg) {\nreturn 1;\n}\nreturn 2;",
        &["41 } is missing here (the block that begins in line 1 is never closed)"],
    ),
    row(
        3,
        "{ { return 1;",
        &["13 } is missing here (the block that begins in line 1 is never closed)"],
    ),
    row(3, "return 1; }", &["10 the program must end before this"]),
    row(5, "if(arg { return 1; } return 2;", &["7 ) is missing here (put `)` here)"]),
    row(5, "if arg) return 1; return 2;", &["3 ( is missing here (put `(` here)"]),
    row(2, "return (1+2;", &["11 ) is missing here (put `)` here)"]),
    row(2, "return 1+2);", &["10 ; is missing here (put `;` here)"]),
    row(5, "else return 1;", &["0 there is no `if` before this `else`"]),
    row(
        5,
        "if(arg) { arg=1; }; else arg=2; return arg;",
        &["20 there is no `if` before this `else`"],
    ),
    row(
        5,
        "if(arg) arg=1; arg=2; else arg=3; return arg;",
        &["22 there is no `if` before this `else`"],
    ),
    // Operators and literals of other languages.
    Mistake {
        until: 17,
        ..row(2, "return 7%3;", &["8 Simple has no `%` (the remainder is `x - x / y * y`)"])
    },
    Mistake {
        until: 14,
        ..row(
            5,
            "if(arg && 1) return 1; return 2;",
            &["7 Simple has no `&&` (write an `if` in an `if`: `if (x) if (y) …`)"],
        )
    },
    Mistake {
        until: 14,
        ..row(
            5,
            "if(arg || 1) return 1; return 2;",
            &["7 Simple has no `||` (write a second branch: `if (x) … else if (y) …`)"],
        )
    },
    row(
        14,
        "if(arg && 1) return 1; return 2;",
        &["8 Simple has no `&&` (for truth values, write `&`)"],
    ),
    row(
        14,
        "if(arg || 1) return 1; return 2;",
        &["8 Simple has no `||` (for truth values, write `|`)"],
    ),
    Mistake { until: 14, ..row(2, "return 6&3;", &["8 Simple has no `&`"]) },
    Mistake { until: 14, ..row(2, "return 6^3;", &["8 Simple has no `^`"]) },
    Mistake {
        until: 10,
        ..row(5, "if(!arg) return 1; return 2;", &["3 Simple has no `!` (write `x == 0`)"])
    },
    row(2, "return ~1;", &["7 Simple has no `~`"]),
    Mistake {
        until: 17,
        ..row(
            5,
            "return arg ? 1 : 2;",
            &["11 Simple has no `?` (write an `if` with two assignments)"],
        )
    },
    row(1, "return \"a\";", &["7 Simple has no `\"` (a value is an integer)"]),
    row(1, "return 'a';", &["7 Simple has no `'` (a value is an integer)"]),
    Mistake {
        until: 12,
        ..row(1, "return 3.14;", &["8 Simple has no `.` (a value is an integer)"])
    },
    Mistake {
        until: 17,
        ..row(
            4,
            "arg += 1; return arg;",
            &["4 Simple has no `+=` (write the assignment: `x = x + y`)"],
        )
    },
    Mistake {
        until: 17,
        ..row(
            4,
            "arg -= 1; return arg;",
            &["4 Simple has no `-=` (write the assignment: `x = x - y`)"],
        )
    },
    Mistake {
        until: 17,
        ..row(
            4,
            "arg++; return arg;",
            &["3 Simple has no `++` (write the assignment: `x = x + 1`)"],
        )
    },
    Mistake {
        until: 16,
        ..row(
            3,
            "int a=1, b=2; return a;",
            &["7 Simple has no `,` (declare each variable in a statement of its own)"],
        )
    },
    Mistake {
        until: 15,
        ..row(3, "int a[3]; return 1;", &["5 Simple has no arrays (a variable has one value)"])
    },
    Mistake {
        until: 15,
        ..row(4, "return arg[3];", &["10 Simple has no arrays (a variable has one value)"])
    },
    row(
        15,
        "int a[3]; return 1;",
        &["5 brackets belong to the type (write `int[] a = new int[3];`)"],
    ),
    row(15, "return arg[3];", &["10 this is no array"]),
    // Declarations and calls of other languages.
    until_functions(3, "int main() { return 1; }", &[no_functions!(8)]),
    until_functions(3, "int x=1; return f(x);", &[no_functions!(16)]),
    until_functions(3, "int f=1; return f(3);", &[no_functions!(17)]),
    Mistake { until: 10, ..row(3, "f(3); return 1;", &[no_functions!(1)]) },
    until_functions(10, "f(3, g(4)); return 1;", &[no_functions!(0)]),
    row(
        18,
        "int main() { return 1; }",
        &["8 a program has no `main` \
         (a program is a list of statements, and ends with `return`)"],
    ),
    row(
        18,
        "int x=1; return f(x);",
        &["16 there is no function of this name (write `val f = { int x -> x + 1; };`)"],
    ),
    row(18, "int f=1; return f(3);", &["17 this is called"]),
    row(
        18,
        "f(3, g(4)); return 1;",
        &["0 there is no function of this name (write `val f = { int x -> x + 1; };`)"],
    ),
    row(
        18,
        "val f = { x -> x + 1; }; return f(1);",
        &["10 a parameter has a type and a name (write `int x`)"],
    ),
    row(
        3,
        "let x=1; return x;",
        &["0 there is no variable or keyword of this name \
         (a variable is declared by `int`)"],
    ),
    Mistake {
        until: 14,
        ..row(
            3,
            "bool x=1; return x;",
            &["0 there is no variable or keyword of this name \
         (a variable is declared by `int`)"],
        )
    },
    row(
        12,
        "double x=1.5; return x;",
        &["0 there is no variable or keyword of this name \
         (a floating-point number is declared by `flt`)"],
    ),
    until_functions(
        3,
        "fn main() { return 1; }",
        &["0 there is no variable or keyword of this name \
         (a program is a list of statements, and ends with `return`)"],
    ),
    row(
        18,
        "fn main() { return 1; }",
        &["0 a program has no `main` (a program is a list of statements, and ends with `return`)"],
    ),
    Mistake {
        until: 16,
        ..row(
            10,
            "struct P { int x; } return new P().x;",
            &["32 Simple has no constructors \
         (write `new P`, then assign its fields)"],
        )
    },
    row(
        16,
        "struct P { int x; } return new P(3).x;",
        &["32 Simple has no constructors \
         (assign its fields in braces: `new P { … }`)"],
    ),
    // Words of other languages.
    row(
        10,
        "class P { int x; } return 1;",
        &["0 this name is not declared (a structure is declared by `struct`)"],
    ),
    row(14, "return arg == 1 and arg;", &["16 Simple has no `and` (for truth values, write `&`)"]),
    row(14, "return True;", &["7 this name is not declared (did you mean `true`?)"]),
    row(
        15,
        "int[] a = [1, 2]; return a[0];",
        &["10 an array has no literal (write `new int[3]`, then assign its elements)"],
    ),
    row(
        15,
        "int[] a = new int[3]; return a.length;",
        &["31 there is no such field (the length of an array is `a#`)"],
    ),
    // Characters that were pasted.
    row(1, "return \u{2018}a\u{2019};", &["7 Simple has no U+2018 (type it again)"]),
    row(1, "return \u{201c}a\u{201d};", &["7 Simple has no U+201C (type it again)"]),
    row(1, "return\u{a0}1;", &["6 U+00A0 is no space (type it again)"]),
    row(1, "return \u{202e}1;", &["7 U+202E is no space (type it again)"]),
    row(3, "\u{feff}return 1;", &["0 U+FEFF is no space (type it again)"]),
    row(2, "return 1\u{2212}1;", &["8 Simple has no U+2212 (type it again)"]),
    // Names and numbers.
    row(
        3,
        "int count=1; coutn=2; return count;",
        &["13 this name is not declared (did you mean `count`?)"],
    ),
    row(7, "int s=1; while(i<3) i=i+1; return s;", &["15 this name is not declared"]),
    row(
        3,
        "{ int y=1; } return y;",
        &["20 this name is not declared (the block of the `y` of line 1 has ended)"],
    ),
    row(
        3,
        "return x;\nint x=1;",
        &["7 this name is not declared (it is declared below, in line 2)"],
    ),
    row(
        3,
        "int x=x+1; return x;",
        &["6 this name is not declared (a variable is not visible in its own first value)"],
    ),
    row(3, "a=b; return 1;", &["0 this name is not declared", "2 this name is not declared"]),
    row(
        3,
        "int p=1; int p=2; return p;",
        &["13 already declared in this block (without `int`, this assigns a new value)"],
    ),
    row(
        2,
        "return 5-2147483648;",
        &["9 this does not fit 32 bits (the smallest integer is `-2147483647-1`)"],
    ),
    row(1, "return 0123;", &["7 this looks like an octal number"]),
];

fn reports(text: &str) -> Vec<String> {
    let Err(diagnostics) = parse(input(text)) else { return Vec::new() };
    let report = |it: &Diagnostic| {
        let help = it.help.as_ref().map_or(String::new(), |help| format!(" ({help})"));
        format!("{} {}{help}", it.span.start, it.label)
    };
    diagnostics.iter().map(report).collect()
}

#[test]
fn mistakes_are_explained() {
    let chapter = crate::this_chapter();
    let all = MISTAKES.iter();
    #[cfg(feature = "ch18")]
    let all = all.chain(functions::MISTAKES);
    let known = all.filter(|it| it.since <= chapter && chapter < it.until);
    let wrong = known.filter(|it| reports(it.text) != it.reports);
    let wrong: Vec<String> =
        wrong.map(|it| format!("{:?}: {:#?}", it.text, reports(it.text))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[cfg(feature = "ch03")]
#[test]
fn errors_that_are_not_shown_are_counted() {
    let report = |count: usize| {
        let text: String = (0..count).map(|at| format!("a{at}=1;")).collect();
        let all = reports(&text);
        (all.len(), all.last().cloned().unwrap_or_default())
    };
    assert_eq!(report(20), (20, "104 this name is not declared".to_string()));
    assert_eq!(report(21), (20, "104 this name is not declared (and 1 more error)".to_string()));
    assert_eq!(report(25), (20, "104 this name is not declared (and 5 more errors)".to_string()));
}
