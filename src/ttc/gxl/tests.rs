//! Files of GXL: right, unusual, broken, and broken at random.
use super::types::{Property, RELATIONS, types};
use super::{Imported, ReadError, counts, export, read, write};
use crate::arith::Binary;
use crate::firm::{self, Mode, Op};
use crate::random::Random;
use crate::stage::Artifact;
use crate::ttc::{self, CheckFailure, Graph, Strictness};
use std::collections::BTreeSet;
use std::io::BufReader;

/// A program with a question, memory and a Phi: each line is a node with its attributes, or an
/// edge with its ends, its type and its position.
pub const NODES: &str = "sb StartBlock; st Start; a Argument position=1; z Const value=-7;
    g SymConst symbol=global; b Block; l Load volatile=true;
    k Cmp associative=false commutative=false relation=LESS; c Cond; x Block; y Block; jx Jmp;
    jy Jmp; q Store volatile=false; h Shr associative=false commutative=false; m Block; p Phi;
    w Phi; n Not; d Add associative=true commutative=true; r Return; eb EndBlock; en End";
pub const EDGES: &str = "st sb Dataflow -1; a sb Dataflow -1; a st Dataflow 0; z sb Dataflow -1;
    g sb Dataflow -1; b st Controlflow 0; l st Memory 0; l g Dataflow 1; l b Dataflow -1;
    k l Dataflow 0; k a Dataflow 1; k b Dataflow -1; c k Dataflow 0; c b Dataflow -1; x c True 0;
    y c False 0; jx x Dataflow -1; jy y Dataflow -1; q l Memory 0; q g Dataflow 1;
    q a Dataflow 2; q x Dataflow -1; h l Dataflow 0; h z Dataflow 1; h y Dataflow -1;
    m jx Controlflow 0; m jy Controlflow 1; p q Memory 0; p l Memory 1; p m Dataflow -1;
    w a Dataflow 0; w h Dataflow 1; w m Dataflow -1; n w Dataflow 0; n m Dataflow -1;
    d n Dataflow 0; d z Dataflow 1; d m Dataflow -1; r p Memory 0; r d Dataflow 1;
    r m Dataflow -1; eb r Controlflow 0; en eb Dataflow -1; en m Keep 0";

/// What stands in a list whose parts end with semicolons.
fn parts(list: &str) -> impl Iterator<Item = Vec<&str>> {
    list.split(';').map(|part| part.split_whitespace().collect())
}

/// The file that has these nodes and edges.
pub fn file(nodes: &str, edges: &str) -> String {
    let node = |words: Vec<&str>| {
        let attributes: String = words[2..].iter().map(|it| attribute(it)).collect();
        let [id, name] = [words[0], words[1]];
        format!("<node id=\"{id}\"><type xlink:href=\"#{name}\" />{attributes}</node>\n")
    };
    let edge = |words: Vec<&str>| {
        let position = attribute(&format!("position={}", words[3]));
        let [from, to, name] = [words[0], words[1], words[2]];
        format!(
            "<edge from=\"{from}\" to=\"{to}\"><type xlink:href=\"#{name}\"/>{position}</edge>\n"
        )
    };
    let nodes: String = parts(nodes).map(node).collect();
    let edges: String = parts(edges).map(edge).collect();
    format!("<gxl><graph><type xlink:href=\"#Firm\"/>\n{nodes}{edges}</graph></gxl>\n")
}

fn attribute(text: &str) -> String {
    let (name, value) = text.split_once('=').expect("a name and a value");
    let element = match name {
        "value" | "position" => "int",
        "relation" => "enum",
        "symbol" => "string",
        _ => "bool",
    };
    format!("<attr name=\"{name}\"><{element}>{value}</{element}></attr>")
}

fn program() -> String {
    file(NODES, EDGES)
}

/// Reads at most so many bytes at a time; if they are few, nothing is read the usual way.
fn read_by(bytes: usize, text: &[u8]) -> Result<Imported, ReadError> {
    read(&mut BufReader::with_capacity(bytes, text))
}

fn written(graph: &Graph) -> String {
    let mut bytes = Vec::new();
    write(graph, &mut bytes).expect("memory takes everything");
    String::from_utf8(bytes).expect("text")
}

#[track_caller]
fn accepted(text: &str) -> Graph {
    read_by(1 << 16, text.as_bytes()).unwrap_or_else(|fault| panic!("{fault:?}")).graph
}

#[test]
fn a_program_is_read_written_and_read_again() {
    let graph = accepted(&program());
    assert_eq!(counts(&graph), [parts(NODES).count(), parts(EDGES).count()]);
    assert_eq!(ttc::verify(&graph, Strictness::Program, 3), []);
    let text = written(&graph);
    let again = accepted(&text);
    assert_eq!((again.print(), written(&again)), (graph.print(), text.clone()));
    assert!(text.contains("<type xlink:href=\"#Firm\" />") && text.contains("<int>-7</int>"));
    // The case's Shr fills with the sign.
    assert!(graph.print().contains("= Shrs") && text.contains("\"#Shr\""));
}

#[test]
fn instructions_are_read_and_written() {
    let nodes = NODES
        .replace(
            "d Add associative=true commutative=true",
            "d TargetAddI associative=true \
            commutative=true value=-7",
        )
        .replace("k Cmp", "k TargetCmp")
        .replace("n Not", "n TargetNot")
        .replace("l Load volatile=true", "l TargetLoadI volatile=true symbol=global")
        .replace("q Store volatile=false", "q TargetStoreI symbol=global volatile=false");
    let edges = EDGES.replace("d z Dataflow 1;", "").replace("l g Dataflow 1;", "");
    let edges = edges.replace("q g Dataflow 1;", "").replace("q a Dataflow 2", "q a Dataflow 1");
    let graph = accepted(&file(&nodes, &edges));
    assert_eq!(ttc::verify(&graph, Strictness::Program, 1), []);
    let text = written(&graph);
    assert!(text.contains("\"#InstructionSelection\"") && text.contains("\"#TargetStoreI\""));
    assert_eq!(written(&accepted(&text)), text);
}

#[test]
fn the_order_of_nodes_and_edges_does_not_matter() {
    let mut random = Random::new(1);
    let text = program();
    let lines: Vec<&str> = text.lines().collect();
    let (first, last) = (lines[0], lines[lines.len() - 1]);
    for _ in 0..50 {
        let mut inner = lines[1..lines.len() - 1].to_vec();
        for at in (1..inner.len()).rev() {
            inner.swap(at, random.below(at + 1));
        }
        let graph = accepted(&format!("{first}{}{last}", inner.concat()));
        assert_eq!(counts(&graph), [parts(NODES).count(), parts(EDGES).count()]);
        assert_eq!(ttc::verify(&graph, Strictness::Program, 2), []);
    }
}

#[test]
fn other_ways_to_write_xml_mean_the_same() {
    let text = program();
    let expected = written(&accepted(&text));
    let schema = "<graph id=\"S\"><type xlink:href=\"http://gxl-1.0.gxl#gxl-1.0\"/><node id=\"a\">\
        <attr name=\"x\"><tup><int>1</int></tup></attr></node><edge from=\"a\" to=\"?\"/></graph>";
    let variants = [
        text.replace('"', "'"),
        text.replace("/>", "></type>"),
        text.replace("int>", "int >").replace("< int >", "<int>"),
        text.replace("<int>", "<int><!-- a number -->\n").replace("</int>", "\t</int>"),
        text.replace("global", "&#103;l&#x6f;bal"),
        text.replace("global", "glo<![CDATA[bal]]>"),
        text.replace("\"g\"", "\"&lt;g&gt; &#10;ü\""),
        text.replace("<enum>LESS", "<enum>4"),
        text.replace("<gxl>", "<gxl xmlns:xlink=\"x\"> <?pi ?>").replace("><", "> <"),
        text.replace("<gxl>", &format!("<gxl>{schema}")),
        text.replace("</gxl>", &format!("{schema}</gxl><!-- the end -->")),
        text.replace(
            "<gxl>",
            "<?xml version=\"1.0\" encoding=\"US-ASCII\"?><!DOCTYPE gxl \
            SYSTEM \"http://nowhere.invalid/gxl.dtd\"><gxl>",
        ),
        format!("\u{feff}{text}"),
        text.replace("><attr", ">\r\n<attr"),
        text.replacen("<edge", "<attr name=\"x\"><int>1</int></attr><edge id=\"&amp;\"", 1),
    ];
    for variant in variants {
        assert!(variant != text, "{variant}");
        assert!(written(&accepted(&variant)) == expected, "{variant}");
    }
}

#[test]
fn symbols_may_hold_what_xml_needs_for_itself() {
    for symbol in ["a&amp;b&lt;&gt;&#13;", "é\n", "  ", ""] {
        let graph = accepted(&program().replace("global", symbol));
        let text = written(&graph);
        let back = if symbol == "é\n" { "<string>é\n</string>" } else { symbol };
        assert!(text.contains(back), "{text}");
        assert_eq!(accepted(&text).print(), graph.print());
    }
}

/// What is replaced, by what, what the complaint says, and what stands where it points to.
const REFUSED: &[[&str; 4]] = &[
    ["#Not", "#Nut", "Unknown type `#Nut`", "<node id=\"n\""],
    ["#Keep", "Keep", "Unknown type `Keep`", "<edge from=\"en\" to=\"m\""],
    ["id=\"jx\"", "id=\"jy\"", "The id `jy` stands twice", "<node id=\"jy\""],
    ["to=\"g\"", "to=\"G\"", "There is no node with the id `G`", "<edge from=\"l\" to=\"G\""],
    ["id=\"n\"", "", "A node without id", "<node >"],
    ["from=\"n\"", "", "without both ends", "<edge  to=\"w\""],
    ["<int>-7<", "<int>2147483648<", "`2147483648` is no value", "<node id=\"z\""],
    ["<int>-7<", "<int><", "`` is no value of the attribute `value`", "<node id=\"z\""],
    ["<bool>true<", "<bool>yes<", "`yes` is no value", "<node id=\"l\""],
    ["<enum>LESS<", "<enum>LESSER<", "`LESSER` is no value", "<node id=\"k\""],
    ["<enum>LESS<", "<enum>8<", "`8` is no value", "<node id=\"k\""],
    ["<string>global</string>", "<int>7</int>", "`7` is no value of", "<node id=\"g\""],
    ["global", "a&#1;b", "it has no U+0001", "&#1;b"],
    ["global", "&nbsp;", "There is no entity `nbsp`", "&nbsp;"],
    ["\"volatile\"", "\"variable\"", "Unexpected attribute `variable`", "<node id=\"l\""],
    ["#Jmp", "#Const", "The attribute `value` is missing", "<node id=\"jx\""],
    ["\"commutative\"", "\"associative\"", "`associative` stands twice", "<node id=\"k\""],
    ["#Shr", "#Add", "`associative` of a Add is true", "<node id=\"h\""],
    ["<int>1<", "<int>-1<", "negative position", "<node id=\"a\""],
    [
        "\"w\"><type xlink:href=\"#Dataflow",
        "\"w\"><type xlink:href=\"#Memory",
        "No Memory",
        "<edge",
    ],
    [
        "\"h\"><type xlink:href=\"#Dataflow",
        "\"h\"><type xlink:href=\"#Memory",
        "No Memory",
        "<edge",
    ],
    ["#Controlflow", "#Dataflow", "No Dataflow edge with position 0", "<edge from=\"b\""],
    ["from=\"x\" to=\"c\"", "from=\"n\" to=\"c\"", "No True edge", "<edge from=\"n\" to=\"c\""],
    ["from=\"en\" to=\"m\"", "from=\"d\" to=\"m\"", "No Keep edge", "<edge from=\"d\""],
    ["from=\"c\" to=\"k\"", "from=\"d\" to=\"k\"", "two edges with position 0", "<edge from=\"d\""],
    ["from=\"jy\"", "from=\"jx\"", "two edges with position -1", "<edge from=\"jx\" to=\"y\""],
    ["<int>-1<", "<int>-2<", "No Dataflow edge with position -2", "<edge from=\"st\""],
    ["<int>2<", "<int>2000000000<", "too large positions", "<edge from=\"q\""],
    ["<graph>", "<graf>", "Unexpected element `graf`", "<graf>"],
    ["</graph>", "<rel/></graph>", "Unexpected element `rel`", "<rel/>"],
    ["</graph>", "</graph><graph/>", "Unexpected element `graph`", "<graph/>"],
    ["#Firm", "#Clay", "Unexpected element `type`", "<type"],
    ["<graph>", "<graph><node id=\"?\"/>", "Unexpected element `graph`", "<graph>"],
    ["</node>", "text</node>", "No text can stand here", "text</node>"],
    ["<gxl>", "text<gxl>", "No text can stand here", "text"],
    ["</node>", "</edge>", "This is not XML", ""],
    ["</graph></gxl>", "</graph>", "ends too early", ""],
    ["</graph></gxl>", "", "ends too early", ""],
    ["</gxl>\n", "</gxl><gxl/>", "Unexpected element `gxl`", "<gxl/>"],
    ["<gxl>", "<?xml version=\"1.0\" encoding=\"latin1\"?><gxl>", "encoding `latin1`", "<?xml"],
];

#[test]
fn what_is_no_graph_of_the_case_is_refused_where_it_stands() {
    let text = program();
    let mut wrong = Vec::new();
    for [old, new, message, place] in REFUSED {
        let changed = text.replacen(old, new, 1);
        assert!(changed != text, "{old}");
        for bytes in [1 << 16, 8] {
            let Err(fault) = read_by(bytes, changed.as_bytes()) else {
                wrong.push(format!("{old} -> {new} is accepted"));
                continue;
            };
            let there = changed.get(fault.offset as usize..).unwrap_or_default();
            if !(fault.message.contains(message) && there.starts_with(place)) {
                let there: String = there.chars().take(40).collect();
                wrong.push(format!("{old} -> {new}: {fault:?} at {there}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    for bytes in [&b""[..], b"\n", b"\xff\xfe<\0g\0", b"<gxl></gxl>", b"<gxl>\xff</gxl>", b"<"] {
        assert!(read_by(64, bytes).is_err(), "{bytes:?}");
    }
    let two = text.replace("</gxl>", &text[5..]);
    let fault = read_by(64, two.as_bytes()).err().expect("two graphs are refused");
    assert_eq!(fault.message, "Unexpected element `graph`");
}

#[test]
fn what_is_missing_is_for_the_checks_to_find() {
    /// An edge that is taken away, and the checks that fail.
    const ROWS: &[(&str, &[&str])] = &[
        ("c k Dataflow 0;", &["operands"]),
        ("d n Dataflow 0;", &["gaps"]),
        ("r p Memory 0;", &["gaps"]),
        ("n m Dataflow -1;", &["containment"]),
        ("m jx Controlflow 0;", &["phi-arity"]),
        ("w h Dataflow 1;", &["phi-arity"]),
        ("m jy Controlflow 1;", &["phi-arity"]),
        ("st sb Dataflow -1;", &["containment", "start"]),
        ("en eb Dataflow -1;", &["containment", "end"]),
        ("eb r Controlflow 0;", &["branch-targets"]),
        ("x c True 0;", &["branch-targets", "reached"]),
        ("b st Controlflow 0;", &["jump", "reached"]),
    ];
    faults(ROWS.iter().map(|&(edge, checks)| (edge, "", checks)));
}

#[test]
fn each_check_sees_its_own_faults() {
    /// What is replaced in the list of edges or of nodes, and the checks that fail.
    const ROWS: &[(&str, &str, &[&str])] = &[
        ("; en End", "; en End; s2 StartBlock", &["start"]),
        ("; en End", "; en End; e2 EndBlock", &["end"]),
        ("st sb Dataflow -1", "st b Dataflow -1", &["start"]),
        ("en eb Dataflow -1", "en m Dataflow -1", &["end"]),
        ("n w Dataflow 0", "n m Dataflow 0", &["block-edges"]),
        ("n m Dataflow -1", "n d Dataflow -1", &["containment"]),
        ("z sb Dataflow -1", "z b Dataflow -1", &["const-placement"]),
        ("w h Dataflow 1", "w h Dataflow 1; w h Dataflow 2", &["phi-arity"]),
        ("n w Dataflow 0", "n w Dataflow 1", &["gaps"]),
        ("q a Dataflow 2", "q a Dataflow 3", &["gaps"]),
        // Only asked for in programs.
        ("k a Dataflow 1;", "", &["operands"]),
        ("n w Dataflow 0", "n w Dataflow 0; n w Dataflow 1", &["operands"]),
        ("n w Dataflow 0", "n q Dataflow 0", &["operands"]),
        ("q l Memory 0", "q z Memory 0", &["operands"]),
        ("m jx Controlflow 0", "m z Controlflow 0", &["operands"]),
        ("g sb Dataflow -1", "g b Dataflow -1", &["place"]),
        ("a sb Dataflow -1", "a b Dataflow -1", &["place"]),
        ("y c False 0", "y c True 0", &["branch-targets", "reached"]),
        ("m jx Controlflow 0", "m jy Controlflow 0", &["branch-targets"]),
        ("jx x Dataflow -1", "jx y Dataflow -1", &["jump"]),
        ("m jx Controlflow 0", "m r Controlflow 0", &["branch-targets", "jump"]),
        ("h l Dataflow 0", "h n Dataflow 0", &["dominance"]),
        ("q a Dataflow 2", "q h Dataflow 2", &["dominance"]),
        ("n w Dataflow 0", "n d Dataflow 0", &["cycle"]),
        ("n w Dataflow 0", "n n Dataflow 0", &["cycle"]),
        ("w h Dataflow 1", "w h Dataflow 1; en d Keep 1", &[]),
    ];
    faults(ROWS.iter().copied());
}

/// Replaces something in the lists of edges and of nodes, and sees which checks fail.
#[track_caller]
fn faults<'r>(rows: impl Iterator<Item = (&'r str, &'r str, &'r [&'r str])>) {
    let mut wrong = Vec::new();
    for (old, new, expected) in rows {
        let (nodes, edges) = (NODES.replace(old, new), EDGES.replace(old, new));
        assert!(nodes != NODES || edges != EDGES, "{old}");
        let graph = accepted(&file(&nodes, &edges));
        let failed = failed(&graph);
        if failed != expected {
            wrong.push(format!("{old} -> {new}: {failed:?}, not {expected:?}"));
        }
        let text = written(&graph);
        assert_eq!(written(&accepted(&text)), text);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The names of the checks that fail; the same by any number of threads.
fn failed(graph: &Graph) -> Vec<&'static str> {
    let failures = ttc::verify(graph, Strictness::Program, 1);
    assert_eq!(ttc::verify(graph, Strictness::Program, 3), failures);
    let names: BTreeSet<_> = failures.iter().map(|it: &CheckFailure| it.check).collect();
    names.into_iter().collect()
}

#[test]
fn nothing_that_is_broken_at_random_is_too_much() {
    let mut random = Random::new(25);
    let text = program();
    let edges: Vec<&str> = EDGES.split(';').collect();
    let (mut read, mut sound) = (0, 0);
    for round in 0..2000 {
        let mutant = match round % 2 {
            0 => garbled(text.as_bytes(), &mut random),
            _ => rewired(&edges, &mut random).into_bytes(),
        };
        let [usual, by_event] = [1 << 16, 8].map(|bytes| read_by(bytes, &mutant));
        let [usual, by_event] = [usual, by_event].map(|it| it.map(|it| (it.offsets, it.graph)));
        match (usual, by_event) {
            (Ok((places, graph)), Ok((others, other))) => {
                assert_eq!((places, graph.print()), (others, other.print()));
                let text = written(&graph);
                assert_eq!(written(&accepted(&text)), text);
                drop(graph.picture().map(|picture| picture.dot()));
                read += 1;
                sound += usize::from(failed(&graph).is_empty());
            }
            (Err(fault), Err(other)) => assert_eq!(fault, other),
            (usual, by_event) => panic!("{:?} but {:?}", usual.err(), by_event.err()),
        }
    }
    assert!(read > 600 && sound > 10, "{read} could be read, {sound} were sound");
}

/// Some bytes taken away, changed, or doubled.
fn garbled(text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..1 + random.below(3) {
        let start = random.below(text.len());
        let most = 1 << random.below(8);
        let length = random.below(most).min(text.len() - start);
        let bytes = match random.below(4) {
            0 => Vec::new(),
            1 => text[start..start + length].repeat(2),
            2 => vec![random.pick(b"<>&\"'/= 01-a\0\xff")],
            _ => (0..length).map(|_| random.pick(b"int<>\"-10; ")).collect(),
        };
        text.splice(start..start + length, bytes);
    }
    text
}

/// A file whose edges lead elsewhere.
fn rewired(edges: &[&str], random: &mut Random) -> String {
    let ids: Vec<&str> = parts(NODES).map(|words| words[0]).collect();
    let mut edges: Vec<String> = edges.iter().map(|it| it.to_string()).collect();
    for _ in 0..1 + random.below(3) {
        let at = random.below(edges.len());
        let words: Vec<&str> = edges[at].split_whitespace().collect();
        let changed = match random.below(6) {
            0 => format!("{} {} {} {}", random.pick(&ids), words[1], words[2], words[3]),
            1 => format!("{} {} {} {}", words[0], words[1], words[2], random.below(3)),
            _ => format!("{} {} {} {}", words[0], random.pick(&ids), words[2], words[3]),
        };
        edges[at] = changed;
    }
    file(NODES, &edges.join(";"))
}

#[test]
fn compiled_programs_get_the_form_of_the_case() {
    let mut graph = firm::Graph::new();
    let (start_block, start) = (graph.start_block, graph.start);
    let value = graph.add(Op::Const(7), Mode::Is, start_block, &[]);
    let not = graph.add(Op::Not, Mode::Is, start_block, &[value]);
    let ret = graph.add(Op::Return, Mode::Is, start_block, &[start, not]);
    let end_block = graph.add_block(Op::EndBlock, &[ret]);
    graph.add(Op::End, Mode::X, end_block, &[]);
    let result = graph.eval(0);
    assert_eq!(ttc::verify(&Graph::from(graph.clone()), Strictness::Program, 1), []);
    let exported = export(graph);
    assert_eq!(ttc::verify(&Graph::from(exported.clone()), Strictness::Program, 1), []);
    assert_eq!(export(exported.clone()).print(), exported.print());
    assert_eq!(accepted(&written(&exported.clone().into())).print(), exported.print());
    assert_eq!(exported.node(not).block, exported.node(ret).block);
    assert!(exported.node(not).block != start_block && exported.node(value).block == start_block);
    assert_eq!(exported.eval(0), result);
}

#[test]
fn types_are_those_of_the_case() {
    let types = types();
    let names: BTreeSet<&str> = types.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names.len(), types.len());
    // 17 operations besides arithmetic; 8 of them are instructions, too, and 3 of these take
    // immediate operands.
    assert_eq!(types.len(), 17 + 8 + 3 + 3 * Binary::COUNT);
    for name in ["Shr", "Eor", "Sync", "TargetCmpI", "TargetLoadI", "TargetSymConst"] {
        assert!(names.contains(name), "{name}");
    }
    assert!(!names.contains("Bad") && !names.contains("TargetPhi"));
}

#[test]
fn rows_are_indexed_by_their_variants() {
    for (at, (name, relation)) in RELATIONS.into_iter().enumerate() {
        assert_eq!(relation as usize, at, "{name}");
    }
    for (at, row) in Property::ROWS.iter().enumerate() {
        assert_eq!(row.0 as usize, at, "{}", row.1);
    }
}
