//! Large programs, on small stacks: a result or a clear error, texts and pictures of the stages.
use crate::configuration::Configuration;
#[cfg(feature = "ch05")]
use crate::large;
use crate::run::run_everywhere;
use crate::sandbox::{Done, Sandbox, compiler};
use sonc::{Artifact, Halt, Source, Stage, StageObserver, this_chapter};
use std::process::{Command, Stdio};
use std::thread;

/// The length of a long program; shorter in debug builds.
const STATEMENTS: usize = if cfg!(debug_assertions) { 10_000 } else { 100_000 };

/// A nesting that is too deep.
const NESTING: usize = 100_000;

/// The iteration that ends the second loop early.
const LAST: i32 = STATEMENTS as i32 * 3 / 2;

struct Large {
    name: &'static str,
    /// The first chapter that can compile it.
    since: u32,
    text: fn() -> String,
    /// The result for the argument 3; `None` if the nesting is too deep.
    result: Option<i32>,
}

const PROGRAMS: &[Large] = &[
    Large {
        name: "parentheses",
        since: 2,
        text: || format!("return {}1{};", "(".repeat(NESTING), ")".repeat(NESTING)),
        result: None,
    },
    Large {
        name: "blocks",
        since: 3,
        text: || format!("{}return 1;{}", "{".repeat(NESTING), "}".repeat(NESTING)),
        result: None,
    },
    Large {
        name: "deepest allowed",
        since: 2,
        text: || format!("return {}1{};", "(".repeat(500), ")".repeat(500)),
        result: Some(1),
    },
    Large {
        name: "signs",
        since: 4,
        text: || format!("return {}arg;", "- ".repeat(STATEMENTS)),
        result: Some(3),
    },
    Large {
        name: "equal terms",
        since: 4,
        text: || format!("return arg{};", "+arg".repeat(STATEMENTS - 1)),
        result: Some(3 * STATEMENTS as i32),
    },
    Large {
        name: "different terms",
        since: 4,
        text: || {
            let terms = (0..STATEMENTS).map(|at| format!("+arg*{}", 2 * at + 3));
            format!("return 0{};", terms.collect::<String>())
        },
        // 3 · (n (n - 1) + 3 n), modulo 2^32.
        result: Some(
            ((3 * (STATEMENTS as i64 * STATEMENTS as i64 + 2 * STATEMENTS as i64)) as u32)
                .cast_signed(),
        ),
    },
    Large {
        name: "statements",
        since: 4,
        text: || format!("int x=arg;{}return x-x+7;", "x=x*3+arg;\n".repeat(STATEMENTS)),
        result: Some(7),
    },
    Large {
        name: "doublings",
        since: 4,
        text: || format!("int x=arg;{}return x+1;", "x=x+x;\n".repeat(STATEMENTS)),
        result: Some(1),
    },
    Large {
        name: "sums of sums",
        since: 4,
        text: || {
            let steps = "x=x+y;y=y+x;".repeat(STATEMENTS / 10);
            format!("int x=arg;int y=arg*2;{steps}return x-x+y-y;")
        },
        result: Some(0),
    },
    #[cfg(feature = "ch05")]
    Large {
        name: "divisions by variables",
        since: 5,
        text: || large::divisions(2_000),
        result: Some(144_290),
    },
    #[cfg(feature = "ch05")]
    Large {
        name: "500 variables",
        since: 5,
        text: || large::arithmetic(5_000, 500),
        result: Some(1_835_594_029),
    },
    #[cfg(feature = "ch05")]
    Large {
        name: "2,000 ifs, 200 in one another at a time",
        since: 5,
        text: || large::blocks(2_000),
        result: Some(9_569),
    },
    #[cfg(feature = "ch07")]
    Large {
        name: "ifs and whiles, mixed",
        since: 7,
        text: || large::mixed(5_000, 5),
        result: Some(-1_906_857_407),
    },
    #[cfg(feature = "ch07")]
    Large {
        name: "ifs and whiles with 500 variables",
        since: 7,
        text: || large::mixed(5_000, 500),
        result: Some(871_768_389),
    },
    #[cfg(feature = "ch07")]
    Large {
        name: "loops, one after the other",
        since: 7,
        text: || large::loops(1_000),
        result: Some(1_309_180_820),
    },
    #[cfg(feature = "ch08")]
    Large { name: "exits of a loop", since: 8, text: || large::exits(1_000), result: Some(3_006) },
    Large {
        name: "ifs in ifs",
        since: 5,
        text: || format!("{}return 1;return 2;", "if(arg)\n".repeat(NESTING)),
        result: None,
    },
    Large {
        name: "ifs in blocks of ifs",
        since: 5,
        text: || format!("{}return 1;{}", "if(arg){\n".repeat(NESTING), "}".repeat(NESTING)),
        result: None,
    },
    Large {
        name: "else ifs",
        since: 5,
        text: || {
            let arms =
                (0..STATEMENTS).rev().map(|at| format!("if(arg=={at})return {};else ", at + 4));
            format!("{}return 1;", arms.collect::<String>())
        },
        result: Some(7),
    },
    Large {
        name: "ifs",
        since: 5,
        text: || {
            let ifs = (0..STATEMENTS).map(|at| format!("if(arg=={at})x=x+{at};\n"));
            format!("int x=1;{}return x;", ifs.collect::<String>())
        },
        result: Some(4),
    },
    Large {
        name: "ifs that depend on each other",
        since: 5,
        text: || format!("int x=0;{}return x;", "if(x<arg)x=x+1;else x=x-2;\n".repeat(STATEMENTS)),
        // 1, 2, 3, repeated.
        result: Some((STATEMENTS as i32 - 1) % 3 + 1),
    },
    Large {
        name: "returns",
        since: 5,
        text: || {
            let ifs = (0..STATEMENTS).map(|at| format!("if(arg=={at})return {at};\n"));
            ifs.rev().collect()
        },
        result: Some(3),
    },
    Large {
        name: "whiles in whiles",
        since: 7,
        text: || format!("{}arg=arg+1;return arg;", "while(arg<7)\n".repeat(NESTING)),
        result: None,
    },
    Large {
        name: "whiles",
        since: 7,
        text: || {
            let whiles = (0..STATEMENTS).map(|at| format!("while(x<{at}*2)x=x+arg;\n"));
            format!("int x=0;{}return x;", whiles.collect::<String>())
        },
        // The first multiple of 3 that is at least twice the last number.
        result: Some((2 * (STATEMENTS as i32 - 1) + 2) / 3 * 3),
    },
    Large {
        name: "breaks",
        since: 8,
        text: || {
            let steps = format!("if(x=={LAST})break;x=x+1;\n").repeat(STATEMENTS);
            format!("int x=0;while(true){{{steps}}}return x+arg;")
        },
        result: Some(LAST + 3),
    },
    Large {
        name: "continues",
        since: 8,
        text: || {
            let steps = format!("if(y=={LAST})continue;y=y+1;\n").repeat(STATEMENTS);
            format!("int x=0;int y=0;while(x<3){{x=x+1;{steps}}}return x+y;")
        },
        result: Some(LAST + 3),
    },
    #[cfg(feature = "ch07")]
    Large {
        name: "flags that set each other",
        since: 7,
        text: || large::flags(if this_chapter() < 9 { 500 } else { 2_000 }),
        result: Some(0),
    },
    #[cfg(feature = "ch08")]
    Large {
        name: "variables and breaks",
        since: 8,
        text: || large::breaks(1_000),
        result: Some(13_585_500),
    },
    Large {
        name: "dead code",
        since: 8,
        text: || {
            let dead = "if(arg==x)x=x+1;while(x<arg){x=x*2;break;}\n".repeat(STATEMENTS / 2);
            format!("int x=1;while(true){{x=arg;break;{dead}}}return x;{dead}")
        },
        result: Some(3),
    },
    Large {
        name: "structs that refer to the next one",
        since: 13,
        text: || {
            let structs = (0..NESTING).map(|at| format!("struct S{at}{{S{}? s;int v;}}\n", at + 1));
            format!("{}S0 s=new S0;s.v=arg;return s.v;", structs.collect::<String>())
        },
        result: Some(3),
    },
    Large {
        name: "a struct with 1,000 fields",
        since: 13,
        text: || {
            let fields = (0..500).map(|at| format!("flt x{at};int n{at};"));
            let stores = (0..500).map(|at| format!("s.x{at}=arg;t.n{at}=s.n{at}+arg;"));
            let (fields, stores) = (fields.collect::<String>(), stores.collect::<String>());
            let objects = "S s=new S;S t=s;if(arg==7)t=new S;";
            format!("struct S{{{fields}}}{objects}{stores}return t.n499+(s.x499==3);")
        },
        result: Some(4),
    },
    Large {
        name: "a list that is written out",
        since: 13,
        text: || {
            let nodes =
                (0..5_000).map(|at| format!("N n{at}=new N;n{at}.next=h;n{at}.v={at};h=n{at};\n"));
            let sum = "int x=0;while(h){x=x+h.v;h=h.next;}return x;";
            format!("struct N{{N? next;int v;}}N? h=null;{}{sum}", nodes.collect::<String>())
        },
        result: Some(12_497_500),
    },
];

/// The programs of this chapter.
fn programs() -> impl Iterator<Item = &'static Large> {
    PROGRAMS.iter().filter(|it| it.since <= this_chapter())
}

/// The size of the stacks in KiB. A call for each of 10,000 statements needs more.
const STACK: usize = 1024;

#[cfg(unix)]
#[test]
fn large_programs_need_no_large_stack() {
    let sandbox = Sandbox::new();
    for program in programs() {
        sandbox.write("large.smp", (program.text)().as_bytes());
        let mut command =
            limited(&sandbox, &format!("-s {STACK}"), &["run", "--arg", "3", "large.smp"]);
        let done: Done = command.output().expect("a shell").into();
        let beginning: String = done.err.chars().take(500).collect();
        let shown = format!("{}: {:?} {beginning}", program.name, done.status);
        match program.result {
            Some(result) => assert_eq!(done.out, format!("{result}\n"), "{shown}"),
            None => {
                assert_eq!(done.status, Some(1), "{shown}");
                assert!(done.err.contains("nested more than 500 deep"), "{shown}");
            }
        }
    }
}

/// Prints and draws the graphs, and prints the bytes.
struct Printer;

impl StageObserver for Printer {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        let name = stage.name();
        if matches!(name, "sea" | "firm" | "bytes") {
            assert!(!artifact.print().is_empty() && !artifact.listing().is_empty());
            let drawing = artifact.picture().map(|it| it.dot());
            let is_drawn = name == "sea" || name == "firm" && this_chapter() >= 3;
            assert!(!is_drawn || drawing.is_some_and(|it| it.contains("digraph")));
        }
        Ok(())
    }
}

/// Compiles a program, prints and draws its stages, and runs the executable. Returns the errors.
fn errors(program: &Large, result: i32) -> Vec<String> {
    let source = Source { name: program.name.into(), text: (program.text)() };
    let configuration = Configuration::standard();
    match configuration.compile(&source, &mut Printer) {
        Ok(executable) => run_everywhere(&executable, &[(3, result.to_string())]),
        Err(halt) => vec![format!("{halt:?}")],
    }
}

/// All in one compilation for each program: it takes most of the time.
#[test]
fn large_programs_are_printed_drawn_and_run() {
    for program in programs() {
        let Some(result) = program.result else { continue };
        let small = thread::Builder::new().name(program.name.into()).stack_size(STACK * 1024);
        let thread = small.spawn(move || errors(program, result)).expect("a thread");
        assert_eq!(thread.join().expect("no panic"), [""; 0], "{}", program.name);
    }
}

/// The command, started with a limited resource.
#[cfg(unix)]
fn limited(sandbox: &Sandbox, limit: &str, words: &[&str]) -> Command {
    let mut command = Command::new("sh");
    let script = format!("ulimit {limit} && exec \"$@\"");
    command.args(["-c", &script, "sh"]).arg(compiler()).args(words);
    command.current_dir(sandbox.path("")).stdin(Stdio::null());
    command
}

/// The pictures of a growing program are far larger than the program.
#[cfg(unix)]
#[test]
fn pictures_are_not_kept_in_memory() {
    if this_chapter() < 4 {
        return;
    }
    let sandbox = Sandbox::new();
    let steps = "a=a*arg;#showGraph;".repeat(700);
    sandbox.write("pictures.smp", format!("int a=arg;{steps}return a;").as_bytes());
    for words in [&["ir"][..], &["run", "--arg", "1"], &["dot", "--stage", "shown"]] {
        let words = [words, &["pictures.smp"]].concat();
        let mut command = limited(&sandbox, "-v 120000", &words);
        let done = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        assert!(done.is_ok_and(|status| status.success()), "{words:?}");
    }
}
