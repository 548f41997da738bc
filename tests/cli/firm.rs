//! `sonc firm`: graphs in files.
use crate::sandbox::{Row, Sandbox, check, since};

const fn row(line: &'static str, status: i32, out: &'static str, err: &'static str) -> Row {
    Row { chapters: since(25), line, status, out, err }
}

const fn prints(line: &'static str, out: &'static str) -> Row {
    row(line, 0, out, "")
}

const fn refuses(line: &'static str, status: i32, err: &'static str) -> Row {
    row(line, status, "", err)
}

/// A program that returns the sum of a constant and an argument, with the elements `more`.
fn graph(more: &str) -> String {
    let node = |id: &str, name: &str, attributes: &str| {
        format!("  <node id=\"{id}\">\n   <type xlink:href=\"#{name}\" />\n{attributes}  </node>\n")
    };
    let attribute = |name: &str, element: &str, value: &str| {
        format!("   <attr name=\"{name}\">\n    <{element}>{value}</{element}>\n   </attr>\n")
    };
    let edge = |from: &str, to: &str, name: &str, position: &str| {
        let position = attribute("position", "int", position);
        format!(
            "  <edge from=\"{from}\" to=\"{to}\">\n   <type xlink:href=\"#{name}\" />\n\
             {position}  </edge>\n"
        )
    };
    let flags = ["associative", "commutative"].map(|name| attribute(name, "bool", "true"));
    let nodes = [
        node("sb", "StartBlock", ""),
        node("st", "Start", ""),
        node("a", "Argument", &attribute("position", "int", "0")),
        node("c", "Const", &attribute("value", "int", "5")),
        node("b", "Block", ""),
        node("s", "Add", &flags.concat()),
        node("r", "Return", ""),
        node("eb", "EndBlock", ""),
        node("en", "End", ""),
    ];
    let edges = [
        edge("st", "sb", "Dataflow", "-1"),
        edge("a", "sb", "Dataflow", "-1"),
        edge("a", "st", "Dataflow", "0"),
        edge("c", "sb", "Dataflow", "-1"),
        edge("b", "st", "Controlflow", "0"),
        edge("s", "a", "Dataflow", "0"),
        edge("s", "c", "Dataflow", "1"),
        edge("s", "b", "Dataflow", "-1"),
        edge("r", "st", "Memory", "0"),
        edge("r", "s", "Dataflow", "1"),
        edge("r", "b", "Dataflow", "-1"),
        edge("eb", "r", "Controlflow", "0"),
        edge("en", "eb", "Dataflow", "-1"),
    ];
    format!(
        "<gxl>\n <graph>\n  <type xlink:href=\"#Firm\" />\n{}{}{more} </graph>\n</gxl>\n",
        nodes.concat(),
        edges.concat()
    )
}

/// Nodes and edges: another block, with a sum that uses the first one.
const SECOND_BLOCK: &str = r##"
  <node id="j"><type xlink:href="#Jmp"/></node>
  <node id="d"><type xlink:href="#Block"/></node>
  <node id="t"><type xlink:href="#Add"/>
   <attr name="associative"><bool>true</bool></attr>
   <attr name="commutative"><bool>true</bool></attr>
  </node>
  <edge from="j" to="b"><type xlink:href="#Dataflow"/>
   <attr name="position"><int>-1</int></attr></edge>
  <edge from="d" to="j"><type xlink:href="#Controlflow"/>
   <attr name="position"><int>0</int></attr></edge>
  <edge from="t" to="s"><type xlink:href="#Dataflow"/>
   <attr name="position"><int>0</int></attr></edge>
  <edge from="t" to="c"><type xlink:href="#Dataflow"/>
   <attr name="position"><int>1</int></attr></edge>
  <edge from="t" to="d"><type xlink:href="#Dataflow"/>
   <attr name="position"><int>-1</int></attr></edge>
"##;

/// Rules that have none for sums.
const LEAN_RULES: &str = "rule const: Const c:Is => const d, c; cycles 1\n\
                          rule argument: Argument k:Is(m) => argument d, k; cycles 1\n\
                          rule return: Return:Is(m, x) => return x; cycles 1\n";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let good = graph("");
    let (before, rest) = good.split_once("  <edge from=\"s\" to=\"c\">").expect("it is there");
    let (_, after) = rest.split_once("</edge>\n").expect("it ends");
    let writes = [
        ("lacking.gxl", [before, after].concat()),
        ("good.gxl", good.clone()),
        ("lost.gxl", graph("  <node id=\"lost\"><type xlink:href=\"#Jmp\"/></node>\n")),
        ("loop.gxl", good.replace("from=\"s\" to=\"a\"", "from=\"s\" to=\"s\"")),
        ("circle.gxl", graph(SECOND_BLOCK).replace("from=\"s\" to=\"a\"", "from=\"s\" to=\"t\"")),
        ("nowhere.gxl", good.replace("to=\"a\"", "to=\"nowhere\"")),
        ("text.gxl", "return 42;".to_string()),
        ("lean.rules", LEAN_RULES.to_string()),
        ("cut.gxl", good[..good.len() / 2].to_string()),
        ("wide.gxl", good.replace('\n', "").replace("#Return", "#Retour")),
        ("half.smp", "return arg * 0.5;".to_string()),
        ("array.smp", "int[] a = new int[arg]; return a[3];".to_string()),
        ("byte.smp", "struct S { u8 x; } S s = new S; s.x = arg; return s;".to_string()),
        ("if.smp", "if (arg == 1) { arg = 2; } return arg * 3;".to_string()),
    ];
    writes.iter().for_each(|(name, text)| sandbox.write(name, text.as_bytes()));
    sandbox
}

#[test]
fn graphs_are_checked() {
    const ROWS: &[Row] = &[
        prints("firm verify good.gxl", "OK: 9 nodes, 13 edges\n"),
        prints("firm verify good.gxl --strict --threads 2", "OK: 9 nodes, 13 edges\n"),
        row("firm verify good.gxl --time", 0, "OK: 9", "verify "),
        prints("firm verify loop.gxl", "OK: 9 nodes, 13 edges\n"),
        refuses("firm verify loop.gxl --strict", 1, "line 25: cycle: s Add"),
        refuses("firm fold loop.gxl", 1, "line 25: cycle: s Add"),
        refuses("firm fold circle.gxl", 1, "cycle: "),
        refuses("firm verify lost.gxl", 1, "line 121: containment: lost Jmp"),
        refuses("firm verify good.gxl --threads 0", 2, "--threads"),
        refuses("firm verify", 2, "<FILE>"),
        refuses("firm", 2, "Usage: sonc firm"),
    ];
    check(&sandbox(), ROWS);
}

#[test]
fn files_without_a_graph_are_reported_with_their_place() {
    const ROWS: &[Row] = &[
        refuses("firm verify nowhere.gxl", 1, "no node with the id `nowhere`"),
        refuses("firm verify nowhere.gxl --strict", 1, "nowhere.gxl:73:3"),
        refuses("firm dot nowhere.gxl", 1, "E09"),
        refuses("firm ir text.gxl", 1, "text.gxl:1:1"),
        refuses("firm verify cut.gxl", 1, "cut.gxl:"),
        refuses("firm verify wide.gxl", 1, "Unknown type `#Retour`"),
        refuses("firm verify wide.gxl", 1, "the line is too long to be shown"),
        refuses("firm verify missing.gxl", 1, "cannot read `missing.gxl`"),
        refuses("firm verify .", 1, "cannot read `.`"),
        refuses("firm copy cut.gxl -o out.gxl", 1, "cut.gxl:"),
        refuses("firm copy lost.gxl -o out.gxl", 1, "containment"),
        refuses("firm copy good.gxl -o good.gxl", 2, "is the input itself"),
        refuses("firm copy good.gxl -o good.gxl/out.gxl", 1, "cannot write"),
        refuses("firm copy good.gxl -o .", 1, "cannot write"),
        refuses("firm pbqp cut.gxl -o out.pbqp", 1, "cut.gxl:"),
        refuses("firm pbqp missing.gxl -o out.pbqp", 1, "cannot read `missing.gxl`"),
        refuses("firm pbqp good.gxl --rules lean.rules -o out.pbqp", 1, "no rule covers"),
        refuses("firm export text.gxl --without luck", 2, "no rule `luck`"),
        refuses("firm export good.gxl -o out.gxl", 2, "`good.gxl` is a graph"),
        refuses("firm export half.smp -o out.gxl", 1, "files have no floats"),
        refuses("firm export array.smp -o out.gxl", 1, "files have no calls"),
        refuses("firm export byte.smp -o out.gxl", 1, "files have no bytes and half words"),
    ];
    let sandbox = sandbox();
    let files = sandbox.files();
    check(&sandbox, ROWS);
    assert_eq!(sandbox.files(), files, "a rejected input leaves no output");
}

#[test]
fn graphs_are_shown() {
    const ROWS: &[Row] = &[
        prints("firm ir good.gxl", "Is = Add n2, n3"),
        prints("firm dot good.gxl", "digraph"),
        prints("firm ir lost.gxl", "StartBlock"),
        prints("firm dot lost.gxl -o -", "digraph"),
        prints("firm dot loop.gxl -o loop.dot", ""),
    ];
    let sandbox = sandbox();
    check(&sandbox, ROWS);
    let drawn = std::fs::read_to_string(sandbox.path("loop.dot")).expect("a picture");
    assert!(drawn.starts_with("digraph"));
}

#[test]
fn a_copy_is_in_canonical_form() {
    let sandbox = sandbox();
    let copied = sandbox.sonc(&["firm", "copy", "good.gxl", "--strict"]);
    assert_eq!((copied.status, &copied.err[..]), (Some(0), ""));
    assert!(copied.out.starts_with("<?xml") && copied.out.ends_with("</gxl>\n"), "{copied:?}");
    assert!(copied.out.contains("<edge id=\"e0\" from=\"n1\" to=\"n0\">"), "{}", copied.out);
    let before = sandbox.files().len();
    sandbox.write("copy.gxl", b"old");
    let done = sandbox.sonc(&["firm", "copy", "good.gxl", "-o", "copy.gxl", "--time"]);
    assert!(done.status == Some(0) && done.err.contains("write "), "{done:?}");
    let again = sandbox.sonc(&["firm", "copy", "copy.gxl"]);
    let written = std::fs::read_to_string(sandbox.path("copy.gxl")).expect("a graph");
    assert!(written == copied.out && again.out == written);
    assert_eq!(sandbox.files().len(), before + 1, "no partial file is left");
}

#[test]
fn programs_are_exported() {
    const ROWS: &[Row] = &[
        prints("firm export if.smp -o if.gxl", ""),
        prints("firm verify if.gxl --strict", "OK: "),
        prints("firm export if.smp", "#Phi"),
        prints("firm export affine.smp --no-opt -o affine.gxl", ""),
        prints("firm verify affine.gxl --strict", "OK: 13 nodes, 21 edges"),
        prints("firm export affine.smp -o affine.gxl", ""),
        prints("firm verify affine.gxl --strict", "OK: "),
        prints("firm export affine.smp --without add-constants", "#Mul"),
    ];
    check(&sandbox(), ROWS);
}

#[test]
fn graphs_are_generated_folded_selected_and_run() {
    const ROWS: &[Row] = &[
        prints("firm generate minplus 3 -o made.gxl", ""),
        prints("firm run made.gxl", "2\n"),
        prints("firm fold made.gxl --stats", "33 rewrites in 17 waves\nfold-binary          3\n"),
        prints("firm fold made.gxl --trace", "fold-cmp: "),
        prints("firm fold made.gxl --literal --stats", " rewrites in "),
        prints("firm fold made.gxl -o folded.gxl --threads 2", ""),
        prints("firm verify folded.gxl --strict", "OK: 7 nodes, 8 edges\n"),
        prints("firm run folded.gxl", "2\n"),
        row("firm fold made.gxl -o folded.gxl --time", 0, "", "fold "),
        row("firm fold made.gxl -o folded.gxl --dot-steps steps", 0, "", "pictures of 33 steps"),
        prints("firm select made.gxl --stats", "20 instructions, 6 with an operand of their own\n"),
        prints("firm select made.gxl --greedy -o selected.gxl", ""),
        prints("firm verify selected.gxl --strict", "OK: "),
        prints("firm run selected.gxl", "2\n"),
        refuses("firm select selected.gxl", 1, "instructions already"),
        refuses("firm fold made.gxl --stats -o out.gxl", 2, "no graph is written"),
        prints("firm verify lacking.gxl", "OK: "),
        refuses("firm select lacking.gxl", 1, "an operand of Add is missing"),
        refuses("firm select lacking.gxl --greedy", 1, "an operand of Add is missing"),
        refuses("firm fold made.gxl --without luck", 2, "no rule `luck`"),
        refuses(
            "firm fold made.gxl --without dead-block",
            2,
            "`dead-block` cannot be switched off",
        ),
        refuses("firm generate exprtree 99 1", 2, "no such graph"),
        refuses("firm generate straight 5 1", 2, "no such graph"),
        refuses("firm generate straight 100 1 4294967295 1 1", 2, "no such graph"),
        refuses("firm generate straight 100 1 1 4294967295 1", 2, "no such graph"),
        refuses("firm generate straight 100 1 1 1 4294967295", 2, "no such graph"),
        refuses("firm generate minplus 4000000000", 2, "4000000000"),
    ];
    let sandbox = sandbox();
    check(&sandbox, ROWS);
    let read = |name| std::fs::read_to_string(sandbox.path(name)).expect("it was written");
    assert!(read("steps/0001-merge-constants.dot").starts_with("digraph"));
    assert!(read("selected.gxl").contains("#TargetAddI\""));
}

#[test]
fn the_problem_of_a_selection_is_printed() {
    const ROWS: &[Row] = &[
        prints("firm pbqp good.gxl", "pbqp 4 3\n1 5  # 0: n2 Argument 0: argument\n"),
        prints("firm pbqp good.gxl", "2 5 5  # 2: n5 Add: add | add-immediate\n"),
        prints("firm pbqp good.gxl", "\n1 2 0 0 inf 0  # n3_1 - n5\n"),
        prints("firm pbqp good.gxl -o good.pbqp", ""),
        prints("pbqp good.pbqp", "cost 15\n0 0\n1 1\n2 1\n3 0\n"),
        refuses("firm pbqp text.gxl", 1, "text.gxl:1:1"),
        refuses("firm pbqp lost.gxl", 1, "line 121: containment: lost Jmp"),
        refuses("firm pbqp loop.gxl", 1, "loop.gxl:25:3"),
        refuses("firm pbqp loop.gxl", 1, "a value depends on itself"),
        refuses("firm pbqp circle.gxl", 1, "a value depends on itself"),
        refuses("firm pbqp lacking.gxl", 1, "lacking.gxl:25:3"),
        refuses("firm pbqp lacking.gxl", 1, "an operand of Add is missing"),
        refuses("firm pbqp good.gxl --rules missing.rules", 1, "missing.rules"),
        refuses("firm pbqp good.gxl --rules garbled.rules", 1, "garbled.rules:1:"),
        refuses("firm pbqp good.gxl --rules lean.rules", 1, "good.gxl:25:3"),
        refuses("firm pbqp good.gxl --rules lean.rules", 1, "no rule covers Add:Is(x, y) here"),
        prints("firm select good.gxl -o selected.gxl", ""),
        refuses("firm pbqp selected.gxl", 1, "instructions already"),
        refuses("firm pbqp good.gxl --greedy", 2, "--greedy"),
        refuses("firm pbqp", 2, "<FILE>"),
    ];
    let sandbox = sandbox();
    check(&sandbox, ROWS);
    for (name, status) in [("good.gxl", 0), ("lost.gxl", 1), ("loop.gxl", 1)] {
        let graph = std::fs::File::open(sandbox.path(name)).expect("it is there");
        let mut command = sandbox.command(&["firm", "pbqp", "-"]);
        let done = command.stdin(graph).output().expect("sonc can be started");
        assert_eq!(done.status.code(), Some(status), "{name}: {done:?}");
        assert_eq!((done.stdout.is_empty(), done.stderr.is_empty()), (status != 0, status == 0));
    }
}

/// The cost of a rule of TR: four for its cycle, and one for its length.
const RULE_COST: usize = 5;

/// The number of lines with one of these texts.
fn count(text: &str, parts: &[&str]) -> usize {
    text.lines().filter(|line| parts.iter().any(|part| line.contains(part))).count()
}

/// The names of the alternatives in a solution.
fn chosen_names<'p>(problem: &'p str, solution: &str) -> Vec<&'p str> {
    let name = |(line, chosen): (&'p str, &str)| {
        let (_, names) = line.rsplit_once(": ").expect("a comment with the names");
        let (_, chosen) = chosen.split_once(' ').expect("a node and its alternative");
        names.split(" | ").nth(chosen.parse().expect("a number")).expect("its name")
    };
    problem.lines().skip(1).zip(solution.lines().skip(1)).map(name).collect()
}

#[test]
fn the_solved_problem_is_the_selection() {
    const GRAPHS: &[&str] =
        &["exprtree 4 1", "straight 300 1", "minplus 3", "minplus 20 0", "structured 7 30"];
    let sandbox = sandbox();
    let sonc = |line: &str| {
        let done = sandbox.sonc(&line.split(' ').collect::<Vec<_>>());
        assert_eq!((done.status, &done.err[..]), (Some(0), ""), "{line}");
        done.out
    };
    for graph in GRAPHS {
        sonc(&format!("firm generate {graph} -o made.gxl"));
        let problem = sonc("firm pbqp made.gxl");
        sandbox.write("made.pbqp", problem.as_bytes());
        let names = chosen_names(&problem, &sonc("pbqp made.pbqp"));
        let roots = names.iter().filter(|it| !it.starts_with("in ")).count();
        let is_other = |it: &&&str| ["const", "symconst", "argument", "return"].contains(*it);
        let others = names.iter().filter(is_other).count();
        let immediates = names.iter().filter(|it| it.starts_with("in ") && **it != "in register");
        // Every constant is an instruction of its own, also one without uses.
        let constants = count(&sonc("firm ir made.gxl"), &["= Const", "= SymConst"]);
        let instructions = roots - others + constants;
        let immediates = immediates.count();
        assert_eq!(
            sonc("firm select made.gxl --stats"),
            format!("{instructions} instructions, {immediates} with an operand of their own\n"),
            "{graph}"
        );
        let cost = format!("cost {}\n", roots * RULE_COST);
        assert!(sonc("pbqp made.pbqp").starts_with(&cost), "{graph}: {cost}");
    }
}

/// Measurements on other machines must use the same graphs: FNV-1a of the files.
#[test]
fn generated_graphs_are_always_the_same() {
    const GRAPHS: &[(&str, u64)] = &[
        ("exprtree 6 1", 0xa7a84a2aee5145ba),
        ("straight 2564 1", 0xfcccaeb3f9213a80),
        ("minplus 1", 0xf1aadb7712071503),
        ("minplus 100 1 0", 0x864c66521c9d0af2),
        ("minplus 20 0", 0xaa5c03aa9c5bf66a),
        ("structured 7 30", 0x49155e534e227421),
    ];
    let sandbox = sandbox();
    for (graph, expected) in GRAPHS {
        let line = format!("firm generate {graph}");
        let made = sandbox.sonc(&line.split(' ').collect::<Vec<_>>()).out;
        let hash = made.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        assert_eq!(hash, *expected, "{graph}: {hash:#x}");
    }
}
