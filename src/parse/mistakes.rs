//! Frequent mistakes: tokens of other languages, and tokens in the wrong place, with a label that
//! says what is wrong and the help that corrects it.
#[cfg(feature = "ch03")]
use super::token::{KEYWORDS, Token};
use crate::diagnostics::Diagnostic;
#[cfg(feature = "ch03")]
use crate::diagnostics::closest;
use report_text::Mistake;

/// The first row that fits counts: a beginning, the tokens that are expected instead (all if
/// empty), a label and a help.
const MISTAKES: &[Mistake] = &[
    Mistake::new("/*", &[], "this is no comment", "comments begin with `//`"),
    Mistake::new("#", &[], "this is no comment", "comments begin with `//`"),
    Mistake::new("\"", &[], "", "a value is an integer"),
    Mistake::new("'", &[], "", "a value is an integer"),
    Mistake::new(".", &[], "", "a value is an integer"),
    #[cfg(feature = "ch02")]
    Mistake::new("%", &[";", ")"], "", "the remainder is `x - x / y * y`"),
    #[cfg(feature = "ch14")]
    Mistake::new("&", OPERAND, "Simple has no `&&`", "for truth values, write `&`"),
    #[cfg(feature = "ch14")]
    Mistake::new("|", OPERAND, "Simple has no `||`", "for truth values, write `|`"),
    #[cfg(feature = "ch05")]
    Mistake::new("&&", &[], "", "write an `if` in an `if`: `if (x) if (y) …`"),
    Mistake::new("&&", &[], "", ""),
    Mistake::new("&", &[], "", ""),
    #[cfg(feature = "ch05")]
    Mistake::new("||", &[], "", "write a second branch: `if (x) … else if (y) …`"),
    Mistake::new("||", &[], "", ""),
    Mistake::new("|", &[], "", ""),
    Mistake::new("^", &[], "", ""),
    Mistake::new("~", &[], "", ""),
    #[cfg(feature = "ch05")]
    Mistake::new("?", &[], "", "write an `if` with two assignments"),
    Mistake::new("?", &[], "", ""),
    #[cfg(feature = "ch15")]
    Mistake::new("[", OPERAND, "an array has no literal", ELEMENTS),
    #[cfg(feature = "ch15")]
    Mistake::new("[", &["="], "brackets belong to the type", "write `int[] a = new int[3];`"),
    Mistake::new("[", &[], "Simple has no arrays", "a variable has one value"),
    #[cfg(feature = "ch03")]
    Mistake::new(",", &[], "", "declare each variable in a statement of its own"),
    Mistake::new(",", &[], "", ""),
    #[cfg(feature = "ch18")]
    Mistake::new("(", &["=", ";", ")"], "a function is a value", FUNCTION),
    #[cfg(feature = "ch03")]
    Mistake::new("(", &["=", ";", ")"], "Simple has no functions", NO_FUNCTIONS),
    #[cfg(feature = "ch14")]
    Mistake::new("and ", &[";", ")"], "Simple has no `and`", "for truth values, write `&`"),
    #[cfg(feature = "ch14")]
    Mistake::new("or ", &[";", ")"], "Simple has no `or`", "for truth values, write `|`"),
    #[cfg(feature = "ch18")]
    Mistake::new("->", &[";", ")"], "an arrow follows parameters", "a field is read by `.`"),
    #[cfg(feature = "ch03")]
    Mistake::new("++", &["="], "", "write the assignment: `x = x + 1`"),
    #[cfg(feature = "ch03")]
    Mistake::new("--", &["="], "", "write the assignment: `x = x - 1`"),
    #[cfg(feature = "ch03")]
    Mistake::new("+=", &["="], "", "write the assignment: `x = x + y`"),
    #[cfg(feature = "ch03")]
    Mistake::new("-=", &["="], "", "write the assignment: `x = x - y`"),
    #[cfg(feature = "ch03")]
    Mistake::new("*=", &["="], "", "write the assignment: `x = x * y`"),
    #[cfg(feature = "ch03")]
    Mistake::new("/=", &["="], "", "write the assignment: `x = x / y`"),
    #[cfg(feature = "ch04")]
    Mistake::new("==", &["="], "`==` compares", "an assignment is written `=`"),
    #[cfg(feature = "ch04")]
    Mistake::new(
        "=",
        &[")", ";"],
        "`=` assigns a value, in a statement",
        "a comparison is written `==`",
    ),
    #[cfg(feature = "ch04")]
    Mistake::new("!", &[], "", "write `x == 0`"),
];

/// The token that is missing after an operator.
#[cfg(feature = "ch14")]
const OPERAND: &[&str] = &["an identifier or expression"];

#[cfg(feature = "ch15")]
const ELEMENTS: &str = "write `new int[3]`, then assign its elements";

/// The help for the length of an array.
#[cfg(feature = "ch15")]
pub const LENGTH: &str = "the length of an array is `a#`";

#[cfg(feature = "ch03")]
pub const NO_FUNCTIONS: &str = "a program is a list of statements, and ends with `return`";

#[cfg(feature = "ch18")]
pub const FUNCTION: &str = "write `val f = { int x -> x + 1; };`";

/// Stands for the type of a parameter, where one is declared as a variable.
#[cfg(feature = "ch18")]
pub const PARAMETER: &str = "";

/// The help for a second parameter of the same name.
#[cfg(feature = "ch18")]
pub const OWN_NAME: &str = "each parameter has a name of its own";

/// Words that begin a declaration in other languages.
#[cfg(feature = "ch03")]
struct Declaration {
    words: &'static [&'static str],
    /// The token that they are read as.
    token: Option<Token>,
    help: &'static str,
}

#[cfg(feature = "ch03")]
const FUNCTION_WORDS: &[&str] = &["fn", "fun", "func", "function", "def", "void"];

/// The first row with the word counts.
#[cfg(feature = "ch03")]
const DECLARATIONS: &[Declaration] = &[
    #[cfg(feature = "ch12")]
    Declaration {
        words: &["float", "double"],
        token: Some(Token::Flt),
        help: "a floating-point number is declared by `flt`",
    },
    Declaration {
        words: &[
            "let", "var", "val", "auto", "const", "bool", "boolean", "char", "short", "long",
            "float", "double",
        ],
        token: Some(Token::Int),
        help: "a variable is declared by `int`",
    },
    #[cfg(feature = "ch18")]
    Declaration { words: FUNCTION_WORDS, token: None, help: FUNCTION },
    Declaration { words: FUNCTION_WORDS, token: None, help: NO_FUNCTIONS },
];

/// Words of other languages, and the form that Simple has instead.
#[cfg(feature = "ch10")]
const WORDS: &[(&[&str], &str)] = &[
    (&["class", "interface", "record"], "a structure is declared by `struct`"),
    (&["switch", "case", "match"], "write `if (x == 1) … else if (x == 2) …`"),
    (&["elif", "elsif", "elseif"], "write `else if`"),
    (&["NULL", "None", "nil", "nullptr"], "the reference to no object is `null`"),
    (&["True", "TRUE"], "did you mean `true`?"),
    (&["False", "FALSE"], "did you mean `false`?"),
    (&["not"], "write `!x`"),
    #[cfg(feature = "ch15")]
    (&["len", "sizeof"], LENGTH),
    (&["print", "printf", "println", "puts", "System"], "a program prints its result, by `return`"),
    (&["public", "private", "static", "final", "unsigned"], "a declaration begins with its type"),
];

/// Help for a name that is a word of another language.
#[cfg(feature = "ch10")]
pub fn help_for_word(name: &str) -> Option<String> {
    WORDS.iter().find(|it| it.0.contains(&name)).map(|it| it.1.to_string())
}

/// Explains a diagnostic about `rest`, the text where `expected` is missing. Without an
/// explanation, it stays as it is.
pub fn explain(diagnostic: Diagnostic, expected: &str, rest: &str) -> Diagnostic {
    match report_text::explain(MISTAKES, "Simple", expected, rest) {
        Some((label, help)) => Diagnostic { label, help, ..diagnostic },
        None => diagnostic,
    }
}

/// Whether `rest`, after a name, looks like an assignment of another language.
#[cfg(feature = "ch10")]
pub fn is_mistaken_assignment(rest: &str) -> bool {
    MISTAKES.iter().any(|it| it.expected.contains(&"=") && rest.starts_with(it.found))
}

/// Help for a statement that begins with an undeclared name and has no `=`.
#[cfg(feature = "ch03")]
pub fn suggest_keyword(name: &str) -> Option<String> {
    #[cfg(feature = "ch07")]
    if ["for", "do", "loop"].contains(&name) {
        return Some("a loop is written `while`".to_string());
    }
    if let Some(declaration) = DECLARATIONS.iter().find(|it| it.words.contains(&name)) {
        return Some(declaration.help.to_string());
    }
    let keyword = closest(name, KEYWORDS.iter().copied())?;
    Some(format!("did you mean `{keyword}`?"))
}

/// The token that begins a declaration and that `name` was written for.
#[cfg(feature = "ch03")]
pub fn mistaken_declaration(name: &str) -> Option<Token> {
    let known = DECLARATIONS.iter().find(|it| it.words.contains(&name));
    known.map_or(closest(name, ["int"].into_iter()).map(|_| Token::Int), |it| it.token)
}
