//! The text form: reading, printing, and errors with a span.
use super::*;

const SMALL: &str = "pbqp 2 1\n2 5 inf\n3 0 1 4\n0 1 0 inf 0 0 7 2\n";

#[test]
fn a_text_is_read_and_printed() {
    let problem = parse(SMALL).unwrap();
    assert_eq!(problem.cost(&[0, 2]), Cost::new(5 + 4));
    assert_eq!(problem.cost(&[0, 1]), Cost::INFINITY);
    assert_eq!(print(&problem), SMALL);
}

#[test]
fn spaces_comments_and_blank_lines_do_not_count() {
    let text = "# a problem\n\n\tpbqp 2 1 # head\r\n 2  5 inf\n\n3 0 1 4#\n0 1 0 inf 0 0 7 2";
    assert_eq!(print(&parse(text).unwrap()), SMALL);
    assert_eq!(print(&parse("pbqp 0 0").unwrap()), "pbqp 0 0\n");
}

#[test]
fn a_printed_problem_is_read_as_the_same() {
    for family in FAMILIES {
        for seed in 0..20 {
            let problem = (family.draw)(&mut Random(seed), 9);
            let again = parse(&print(&problem)).unwrap();
            let vectors = |problem: &Problem| {
                problem.nodes().map(|x| problem.vector(x).to_vec()).collect::<Vec<_>>()
            };
            assert_eq!(vectors(&problem), vectors(&again), "{} {seed}", family.name);
            assert!(problem.edges().eq(again.edges()), "{} {seed}", family.name);
        }
    }
}

/// Texts with the wrong part in « », and the error.
const BROKEN: &[(&str, &str)] = &[
    ("«»", "the first line must be `pbqp n m`"),
    ("# nothing«»\n", "the first line must be `pbqp n m`"),
    ("«hello» 1 0", "expected `pbqp`"),
    ("«pbqp»", "this line lacks the number of nodes"),
    ("«pbqp 1»", "this line lacks the number of edges"),
    ("pbqp 1 0 «7»\n1 0", "expected the end of the line"),
    ("pbqp «inf» 0", "expected the number of nodes, found `inf`"),
    ("pbqp «-1» 0", "expected the number of nodes, found `-1`"),
    ("pbqp «4294967296» 0", "the largest number here is 4294967295"),
    ("pbqp 4000000000 0\n1 0«»", "the line of node 1 is missing"),
    ("pbqp 1 4000000000\n1 0 # end«»\n", "the line of edge 0 is missing"),
    ("pbqp 1 0\n«0»", "a node needs an alternative"),
    ("pbqp 1 0\n «2 3» # 4", "a node of 2 alternatives has 2 costs, not 1"),
    ("pbqp 1 0\n«4000000000 3»", "a node of 4000000000 alternatives has 4000000000 costs"),
    ("pbqp 1 0\n2 3 4 «5» 6", "a node of 2 alternatives has 2 costs, no more"),
    ("pbqp 1 0\n1 «+3»", "expected a cost, a number or `inf`, found `+3`"),
    ("pbqp 1 0\n1 «3.5»", "expected a cost, a number or `inf`, found `3.5`"),
    ("pbqp 1 0\n1 «höher»", "expected a cost, a number or `inf`, found `höher`"),
    ("pbqp 1 0\n1 «1000000000001»", "the largest number here is 1000000000000"),
    ("pbqp 1 0\n1 «99999999999999999999»", "the largest number here is 1000000000000"),
    ("pbqp 1 0\n1 3\n«1 4» # more", "only 0 edges were announced"),
    ("pbqp 2 1\n1 0\n1 0\n«0»", "this line lacks the number of a node"),
    ("pbqp 2 1\n1 0\n1 0\n0 «2» 0", "there is no node 2, only 2 from 0 on"),
    ("pbqp 2 1\n1 0\n1 0\n0 «x» 0", "expected the number of a node, found `x`"),
    ("pbqp 2 1\n1 0\n1 0\n«1 0 0»", "an edge names the smaller of its two nodes first"),
    ("pbqp 2 1\n1 0\n1 0\n«1 1 0»", "an edge names the smaller of its two nodes first"),
    ("pbqp 2 2\n1 0\n1 0\n0 1 0\n«0 1 3»", "there is an edge between 0 and 1 already"),
    ("pbqp 2 1\n2 0 0\n1 0\n«0 1 3»", "a matrix of 2 by 1 has 2 costs, not 1"),
    ("pbqp 2 1\n2 0 0\n1 0\n0 1 3 4 «5»", "a matrix of 2 by 1 has 2 costs, no more"),
];

#[test]
fn errors_have_a_span() {
    for (marked, reason) in BROKEN {
        let parts: Vec<&str> = marked.split(['«', '»']).collect();
        let text = parts.concat();
        let Err(TextError { span, message }) = parse(&text) else { panic!("takes {text}") };
        let start = parts[0].len();
        assert_eq!(span.range(), start..start + parts[1].len(), "{marked}: {message}");
        assert!(message.contains(reason), "{marked}: {message}");
    }
}
