//! How long it takes to read and to solve instances of PBQP, by the shape of their graph and by
//! their size. Linear is the same time for each node.
#[path = "../tests/support/random.rs"]
mod random;

use pbqp::{Instance, solve_text};
use random::Random;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

struct Shape {
    name: &'static str,
    /// The edges between so many nodes, the smaller end first.
    edges: fn(&mut Random, usize) -> BTreeSet<(usize, usize)>,
}

const SHAPES: &[Shape] = &[
    Shape {
        name: "tree",
        edges: |random, n| (1..n).map(|v| (v - 1 - random.below(v.min(20)), v)).collect(),
    },
    Shape {
        name: "sparse",
        edges: |random, n| {
            let ends = |random: &mut Random| {
                let u = random.below(n - 1);
                (u, (u + 1 + random.below(40)).min(n - 1))
            };
            (0..n * 6 / 5).map(|_| ends(random)).collect()
        },
    },
    Shape {
        name: "grid",
        edges: |_, n| {
            let wide = n.isqrt();
            let right = (1..n).filter(|v| v % wide != 0).map(|v| (v - 1, v));
            right.chain((wide..n).map(|v| (v - wide, v))).collect()
        },
    },
];

fn main() {
    // What `cargo test --benches` wants to know is whether this builds and runs.
    let benched = std::env::args().any(|word| word == "--bench");
    let sizes: &[usize] = if benched { &[10_000, 100_000] } else { &[100] };
    println!("nanoseconds a node{:>20}{:>12}", "read", "solve");
    for shape in SHAPES {
        for &size in sizes {
            let text = instance(shape, size);
            let cells = fastest(&text).map(|time| time.as_nanos() as usize / size);
            println!("{:<8}{size:>10}{:>20}{:>12}", shape.name, cells[0], cells[1]);
        }
    }
}

/// An instance; all nodes can take their first alternative.
fn instance(shape: &Shape, size: usize) -> String {
    let random = &mut Random(size as u64);
    let counts: Vec<usize> = (0..size).map(|_| *random.pick(&[2, 3, 4, 5])).collect();
    let edges = (shape.edges)(random, size);
    let mut text = format!("pbqp {size} {}\n", edges.len());
    for &count in &counts {
        let costs: String = (0..count).map(|_| format!(" {}", random.below(100))).collect();
        text += &format!("{count}{costs}\n");
    }
    for (u, v) in edges {
        let entry =
            |at: usize| if at > 0 && random.once_in(7) { None } else { Some(random.below(31)) };
        let entries = (0..counts[u] * counts[v]).map(entry);
        let entries = entries.map(|it| it.map_or(" inf".to_string(), |cost| format!(" {cost}")));
        text += &format!("{u} {v}{}\n", entries.collect::<String>());
    }
    text
}

/// The time to read and to solve, of a few runs the fastest.
fn fastest(text: &str) -> [Duration; 2] {
    let mut fastest = [Duration::MAX; 2];
    for _ in 0..3 {
        let mut since = Instant::now();
        let mut times = Vec::new();
        let solved = solve_text(Instance {
            text,
            exact: None,
            trace: None,
            propagate: true,
            search: true,
            done: &mut |_| {
                times.push(since.elapsed());
                since = Instant::now();
            },
            progress: &mut |_| {},
        });
        assert!(solved.is_ok(), "there is a solution");
        (0..2).for_each(|at| fastest[at] = fastest[at].min(times[at]));
    }
    fastest
}
