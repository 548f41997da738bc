//! Templates: programs of structured repetition. One to five statements are repeated in one of
//! several arrangements, so the same construct meets the compiler thousands of times, chained
//! through variables, fields, floats and joins.
//!
//! In the text of a statement `#` is the number of the repetition, and `@` that of the one before.
//! A program declares the names that its statements use, and its result depends on all of them.

/// Some statements, and the arrangement of their repetitions.
#[derive(Clone)]
pub struct Template {
    pub statements: Vec<&'static str>,
    pub arrangement: &'static Arrangement,
}

/// How the repetitions are arranged.
pub struct Arrangement {
    pub name: &'static str,
    /// The text between the declarations and the result; `one` writes some statements, given by
    /// their numbers, of one repetition.
    body: fn(count: usize, statements: usize, one: &One) -> String,
}

/// Writes one statement of one repetition.
type One<'o> = dyn Fn(usize, usize) -> String + 'o;

/// The most blocks in one another.
const NESTING: usize = 200;

pub const ARRANGEMENTS: &[Arrangement] = &[
    Arrangement { name: "in sequence", body: in_sequence },
    Arrangement {
        name: "each on its own",
        body: |count, statements, one| {
            (0..statements).flat_map(|at| (0..count).map(move |turn| one(turn, at))).collect()
        },
    },
    Arrangement {
        name: "after a join",
        body: |count, statements, one| {
            format!("if (arg) z = 2;\n{}", in_sequence(count, statements, one))
        },
    },
    Arrangement {
        name: "in both arms",
        body: |count, statements, one| {
            let arm = in_sequence(count / 2, statements, one);
            format!("if (arg) {{\n{arm}}} else {{\n{arm}}}\n")
        },
    },
    Arrangement {
        name: "in a loop",
        body: |count, statements, one| {
            let body = in_sequence(count, statements, one);
            format!("while (n < 3) {{ n = n + 1;\n{body}}}\n")
        },
    },
    Arrangement {
        name: "in ifs",
        body: |count, statements, one| {
            let nested = |turn| {
                let is_last = (turn + 1) % NESTING == 0 || turn + 1 == count;
                let end = "}".repeat(if is_last { turn % NESTING + 1 } else { 0 });
                format!("if (z < {turn}) {{ {}{end}\n", repetition(turn, statements, one))
            };
            (0..count).map(nested).collect()
        },
    },
    Arrangement {
        name: "in loops",
        body: |count, statements, one| {
            let turns = |turn| {
                let body = repetition(turn, statements, one);
                format!("n = 0; while (n < 2) {{ n = n + 1; {body}}}\n")
            };
            (0..count).map(turns).collect()
        },
    },
];

fn in_sequence(count: usize, statements: usize, one: &One) -> String {
    (0..count).map(|turn| repetition(turn, statements, one) + "\n").collect()
}

fn repetition(turn: usize, statements: usize, one: &One) -> String {
    (0..statements).map(|at| one(turn, at)).collect()
}

/// A name that statements use: how it is declared, and an integer that depends on its value. `#`
/// stands for all numbers.
struct Name {
    name: &'static str,
    declaration: &'static str,
    result: &'static str,
}

const NAMES: &[Name] = &[
    name("x", "int x = arg;", "x"),
    name("y", "int y = arg * 3;", "y"),
    name("z", "int z = arg + 1;", "z"),
    name("n", "int n = 0;", "n"),
    name("v#", "int v# = arg + #;", "v#"),
    name("f", "flt f = arg;", "(f < 3.5)"),
    name("g", "flt g = arg / 2.0;", "(g < 2.5)"),
    name("p", "S p = new S;", "p.a"),
    name("q", "S? q = null;", "!q"),
    name("w", "W w = new W;", "w.field#"),
    // Any of two objects: nothing is known of their fields.
    name("r", "S r = p; if (arg == 3) r = new S;", "r.a"),
    name("u", "W u = w; if (arg == 3) u = new W;", "u.field#"),
    name("s#", "S s# = new S;", "s#.a"),
];

const fn name(name: &'static str, declaration: &'static str, result: &'static str) -> Name {
    Name { name, declaration, result }
}

impl Template {
    /// A template with the arrangement of this name.
    pub fn new(statements: &[&'static str], arrangement: &str) -> Template {
        let arrangement = ARRANGEMENTS.iter().find(|it| it.name == arrangement);
        let arrangement = arrangement.expect("an arrangement");
        Template { statements: statements.to_vec(), arrangement }
    }

    /// The program with so many repetitions.
    pub fn text(&self, count: usize) -> String {
        let one = |turn, at| numbered(self.statements[at], turn);
        let body = (self.arrangement.body)(count, self.statements.len(), &one);
        let shape = (self.arrangement.body)(2, self.statements.len(), &|_, at| {
            self.statements[at].to_string()
        });
        let names = used_names(&shape);
        let mut text = declared_structs(&names, count);
        // Only what the statements use is live, and so may interfere with them.
        let mut results = vec!["0".to_string()];
        for name in NAMES.iter().filter(|it| names.contains(&it.name)) {
            let each = |text: &str| if text.contains('#') { count } else { 1 };
            for turn in 0..each(name.declaration) {
                text += &(numbered(name.declaration, turn) + "\n");
            }
            results.extend((0..each(name.result)).map(|turn| numbered(name.result, turn)));
        }
        format!("{text}{body}return {};\n", results.join(" + "))
    }
}

impl std::fmt::Display for Template {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{} {}", self.statements.join(" "), self.arrangement.name)
    }
}

/// The names that a text uses, and those that their declarations use.
fn used_names(text: &str) -> Vec<&'static str> {
    let mut used: Vec<&str> = Vec::new();
    for name in NAMES.iter().rev() {
        let declarations = NAMES.iter().filter(|it| used.contains(&it.name));
        let declared = declarations.map(|it| it.declaration).collect::<String>();
        if is_used(text, name.name) || is_used(&declared, name.name) {
            used.push(name.name);
        }
    }
    used
}

/// The structs of these names. W has a field for each repetition.
fn declared_structs(names: &[&str], count: usize) -> String {
    let fields = || (0..count).map(|at| format!("int field{at}; ")).collect::<String>();
    let large =
        if names.contains(&"w") { format!("struct W {{ {}}}\n", fields()) } else { String::new() };
    format!("struct S {{ int a; flt f; S? n; }}\n{large}")
}

/// A statement of this repetition.
fn numbered(text: &str, turn: usize) -> String {
    text.replace('#', &turn.to_string()).replace('@', &turn.saturating_sub(1).to_string())
}

/// Whether a name is in the text as a whole word, and not as that of a field.
fn is_used(text: &str, name: &str) -> bool {
    let is_part = |it: char| it.is_alphanumeric() || it == '.';
    text.match_indices(name).any(|(at, _)| {
        let after = text[at + name.len()..].chars().next();
        !text[..at].ends_with(is_part) && !after.is_some_and(|it| it.is_alphanumeric() || it == '#')
    })
}
