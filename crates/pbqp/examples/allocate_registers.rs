//! Register allocation for a small program: interference, spill costs, coalescing, and a trace.
use pbqp::{Budget, Cost, NodeId, Problem, Settings, solve_with};

/// The last alternative of every value is memory.
const REGISTERS: [&str; 3] = ["eax", "ecx", "edx"];

/// Values and the costs of keeping them in memory.
const VALUES: [(&str, u64); 6] = [("n", 20), ("i", 40), ("sum", 40), ("t", 6), ("u", 6), ("k", 3)];

/// Pairs of values that are live at the same time.
const INTERFERENCE: [(usize, usize); 9] =
    [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3), (0, 5), (1, 5), (2, 5)];

/// Pairs of values that are copied to each other, and the cost of a copy between two registers.
const COPIES: [(usize, usize, u64); 2] = [(3, 4, 2), (4, 2, 1)];

fn main() {
    let mut problem = Problem::new();
    let nodes: Vec<NodeId> = VALUES
        .iter()
        .map(|&(_, spill)| {
            let mut costs = [Cost::ZERO; REGISTERS.len() + 1];
            costs[REGISTERS.len()] = Cost::new(spill);
            problem.add_node(&costs)
        })
        .collect();
    for (a, b) in INTERFERENCE {
        problem.add_edge_with(nodes[a], nodes[b], |i, j| {
            if i == j && i < REGISTERS.len() { Cost::INFINITY } else { Cost::ZERO }
        });
    }
    for (a, b, cost) in COPIES {
        problem.add_edge_with(nodes[a], nodes[b], |i, j| {
            if i == j { Cost::ZERO } else { Cost::new(cost) }
        });
    }
    // `n` is an argument that arrives in memory: a load for a register.
    for register in 0..REGISTERS.len() {
        problem.add_cost(nodes[0], register as u32, Cost::new(1));
    }
    // The result is returned in eax.
    for other in 1..REGISTERS.len() {
        problem.add_cost(nodes[2], other as u32, Cost::new(1));
    }

    let mut trace = Vec::new();
    let settings = Settings {
        budget: Budget::new(100_000),
        trace: Some(&mut |reduction| trace.push(reduction.to_string())),
        ..Settings::default()
    };
    let solution = solve_with(&problem, settings).expect("memory is always allowed");
    for step in &trace {
        println!("{step}");
    }
    for (&node, (name, _)) in nodes.iter().zip(VALUES) {
        println!("{name}: {}", REGISTERS.get(solution[node] as usize).unwrap_or(&"memory"));
    }
    println!("cost {}", solution.cost);
    assert!(solution.is_optimal() && trace[0] == "R2 4 into 2-3");
    assert_eq!(solution.cost, Cost::new(12));
}

#[test]
fn the_example_holds() {
    main();
}
