//! How long the case "Compiler Optimization" (TTC 2011) takes: reading, checking, folding,
//! selecting and writing, by graph; and how long it takes to go over the graph once, which nothing
//! can beat.
//! `LARGEST=1` adds graphs of 2.8 and 10 million nodes.
use sonc::{
    Diamonds, FirmFile, FoldOptions, Generated, MachineRules, Method, StraightLine, Strictness,
    TargetMachine,
};
use std::time::{Duration, Instant};

/// A graph and the numbers that tell how it is made.
type Made = (&'static str, fn() -> Generated);

const GRAPHS: &[Made] = &[
    ("exprtree 14", || Generated::Tree { depth: 14, seed: 1 }),
    ("straight 28k", || straight(27_993, None)),
    ("straight 278k", || straight(277_529, Some([8_917, 3_031, 12_448]))),
    ("minplus 1000", || diamonds(1000)),
    ("minplus 3000", || diamonds(3000)),
];

const LARGEST: &[Made] = &[
    ("straight 2.8M", || straight(2_775_290, Some([89_170, 30_310, 124_480]))),
    ("straight 10M", || straight(10_000_000, None)),
];

/// What `cargo test --benches` wants to know is whether this builds and runs.
const SMALL: &[Made] = &[("straight", || straight(2564, None)), ("minplus", || diamonds(10))];

fn straight(nodes: usize, counts: Option<[usize; 3]>) -> Generated {
    let mut wanted = StraightLine::of(nodes);
    if let Some(counts) = counts {
        [wanted.constants, wanted.nots, wanted.stores] = counts;
    }
    Generated::Straight { counts: wanted, seed: 1 }
}

fn diamonds(count: usize) -> Generated {
    Generated::Diamonds(Diamonds { count, constant: true, chained: false })
}

fn main() {
    let benched = std::env::args().any(|word| word == "--bench");
    let graphs = if benched { GRAPHS } else { SMALL };
    let largest = if std::env::var_os("LARGEST").is_some() { LARGEST } else { &[] };
    println!("{:<15}{:>10}{:>11}  milliseconds, best of 5", "", "nodes", "edges");
    for (name, made) in graphs.iter().chain(largest) {
        let graph = FirmFile::generate(made()).expect("the graph is possible");
        measure(name, &graph);
    }
}

/// Above this, files are not written to memory.
const MOST_NODES: usize = 1_000_000;

fn measure(name: &str, graph: &FirmFile) {
    let [nodes, edges] = graph.counts();
    println!("{name:<15}{nodes:>10}{edges:>11}");
    let pass = best(graph, |graph| std::hint::black_box(graph.checksum()));
    line("one pass", pass, None);
    if nodes < MOST_NODES {
        files(graph);
    }
    for threads in [1, 2] {
        let verify = best(graph, |graph| graph.verify(Strictness::Case, threads).len());
        line(&format!("verify, {threads} threads"), verify, Some(pass));
        let fold = best(graph, |graph| {
            let options = FoldOptions { threads, ..FoldOptions::default() };
            graph.fold(options).map(|folded| folded.rewrites()).ok()
        });
        line(&format!("fold, {threads} threads"), fold, Some(pass));
        let rules =
            TargetMachine::Tr.rules(&TargetMachine::Tr.built_in_rules()).expect("they are right");
        let greedy = best(graph, |graph| graph.select(&rules, Method::Greedy, threads).is_ok());
        line(&format!("select greedily, {threads} threads"), greedy, Some(pass));
        if threads == 1 && nodes < MOST_NODES {
            let solved = best(graph, |graph| graph.select(&rules, Method::Pbqp, 1).is_ok());
            line("select by the PBQP", solved, Some(pass));
            let rules = with_nested_pattern();
            let solved = best(graph, |graph| graph.select(&rules, Method::Pbqp, 1).is_ok());
            line("… of the whole graph", solved, Some(pass));
        }
    }
}

/// The rules, and one with a nested pattern, which is too dear to be chosen. With it, the choices
/// at two nodes may depend on each other, so the PBQP of the whole graph is solved.
fn with_nested_pattern() -> MachineRules {
    let mut source = TargetMachine::Tr.built_in_rules();
    source.text += "rule twice: Not:Is(Not:Is(x)) => copy d, x; cycles 9\n";
    TargetMachine::Tr.rules(&source).expect("they are right")
}

/// Writing and reading, in memory.
fn files(graph: &FirmFile) {
    let mut text = Vec::new();
    let write = best(graph, |graph| {
        text.clear();
        graph.write(&mut text).expect("memory takes all text")
    });
    let read = best(graph, |_| FirmFile::read(&mut &text[..]).is_ok());
    let speed = |time: Duration| text.len() as f64 / 1e6 / time.as_secs_f64();
    println!("  {:<32}{:>9.0} MB/s", "write", speed(write));
    println!("  {:<32}{:>9.0} MB/s", "read", speed(read));
}

fn line(what: &str, time: Duration, pass: Option<Duration>) {
    let ratio = pass.map(|pass| time.as_secs_f64() / pass.as_secs_f64());
    let ratio = ratio.map_or(String::new(), |ratio| format!("{ratio:>9.1} passes"));
    println!("  {what:<32}{:>12.3}{ratio}", time.as_secs_f64() * 1e3);
}

/// The best of five times; each gets a graph of its own.
fn best<T>(graph: &FirmFile, mut work: impl FnMut(&mut FirmFile) -> T) -> Duration {
    let run = |_| {
        let mut graph = graph.clone();
        let start = Instant::now();
        std::hint::black_box(work(&mut graph));
        start.elapsed()
    };
    (0..5).map(run).min().unwrap_or_default()
}
