//! Sets of rules that cannot fail, and sets that can: random patterns, random costs, graphs in
//! which everything is used by several others.
use super::random::Random;
use super::rules_of;
use crate::base::span::Source;
use crate::firm::{Graph, NodeId, Op};
use crate::ia32::TARGET;
use crate::rules;
use crate::select::preference::{Cost, Method, Preference};
use crate::select::select;

/// Rules for single operations.
const ATOMIC: &str = "\
rule constant: Const c:Is => mov d, c; bytes 5 cycles 1
rule argument: Argument k:Is(m) => mov d, [argument k]; bytes 4 cycles 3
rule end: Return:X(m, x in eax) => ret; bytes 1 cycles 1
rule add: Add:Is(x, y) => add x, y; bytes 2 cycles 1
rule sub: Sub:Is(x, y) => sub x, y; bytes 2 cycles 1
rule mul: Mul:Is(x, y) => imul x, y; bytes 3 cycles 3
rule div: Div:Is(x in eax, y) => cdq; idiv y; out eax; clobbers edx; bytes 3 cycles 25
rule compare: Cmp.r:Is(x, y) => cmp x, y; set.r t; movzx d, t; bytes 8 cycles 3
rule jump: Jmp:X => jmp next; bytes 2 cycles 1
rule branch: Cond:X(x) => test x, x; j.ne true; jmp false; bytes 6 cycles 2
";

/// A pattern of two or three floors; `names` are the names that are left. Few different ones are
/// drawn, so that many of them want the same.
fn pattern(random: &mut Random, floors: usize, names: &mut Vec<&str>) -> String {
    let op = if floors == 0 { "Mul" } else { random.pick(&["Add", "Sub"]) };
    let operand = |random: &mut Random, names: &mut Vec<&str>| match random.below(8) {
        0 => format!("Const {}:Is", names.pop().expect("a name is left")),
        1..6 if floors > 0 => pattern(random, floors - 1, names),
        _ => names.pop().expect("a name is left").to_string(),
    };
    let left = operand(random, names);
    format!("{op}:Is({left}, {})", operand(random, names))
}

/// Rules with random patterns. What their instructions do is of no concern here.
fn random_rules(random: &mut Random) -> String {
    let mut text = String::new();
    for number in 0..2 + random.below(6) {
        let mut names = ["h", "g", "f", "e", "d", "c", "b", "a"].to_vec();
        let floors = 1 + random.below(2);
        let pattern = pattern(random, floors, &mut names);
        if pattern.matches(":Is").count() > 5 { continue }
        text += &format!("rule random-{number}: {pattern} => mov i, 7; bytes 1 cycles 1\n");
    }
    text
}

/// The same rules; most of them cost something else.
fn with_other_costs(text: &str, random: &mut Random) -> String {
    let line = |line: &str| match line.split_once("; bytes ") {
        Some((rule, _)) => {
            let cheap = line.starts_with("rule random") || random.below(4) == 0;
            let (bytes, cycles) = if cheap { (random.below(3), random.below(2)) } else { (random.below(9), 1+random.below(8)) };
            format!("{rule}; bytes {bytes} cycles {cycles}\n")
        }
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// Some products, then sums, differences and products of what was made before; all are used.
fn tangle(random: &mut Random, size: usize) -> Graph {
    let binary = |name: &str| {
        let op = Op::KINDS.iter().find(|op| op.row().name == name);
        *op.expect("a kind of Firm's")
    };
    let mut graph = Graph::new();
    let argument = graph.add(Op::Argument(0), graph.start_block, &[graph.start]);
    let (mut all, mut below) = (vec![argument], vec![argument]);
    let floors = [(random.below(3) + 4, &["Mul"][..]), (size, &["Add", "Sub"]), (size * 4, &["Sub"])];
    for (width, ops) in floors {
        let row = (0..width).map(|number| {
            let op = binary(random.pick(ops));
            let mut operand = || match random.below(24) {
                0 => graph.add(Op::Const(number as i64), graph.start_block, &[]),
                1 => random.pick(&all),
                _ => random.pick(&below),
            };
            let operands = [operand(), operand()];
            graph.add(op, graph.start_block, &operands)
        });
        below = row.collect();
        all.extend(&below);
    }
    let used: Vec<_> = all.iter().flat_map(|&id| graph.operands(id).to_vec()).collect();
    all.retain(|id| !used.contains(id));
    let values = all;
    let quotient = |graph: &mut Graph, all: NodeId, value: &NodeId| {
        graph.add(binary("Div"), graph.start_block, &[all, *value])
    };
    let all = values.iter().fold(argument, |all, value| quotient(&mut graph, all, value));
    let ret = graph.add(Op::Return, graph.start_block, &[graph.start, all]);
    let block = graph.add_block(Op::EndBlock, &[ret]);
    graph.add(Op::End, block, &[]);
    graph
}

fn source(text: String) -> Source {
    Source { name: "rules".into(), text }
}

fn completed(text: &str) -> Option<String> {
    let source = source(text.to_string());
    let checked = rules::check(&source, &TARGET).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    checked.completed().ok()
}

fn complaints(text: &str) -> Vec<String> {
    let source = source(text.to_string());
    let checked = rules::check(&source, &TARGET).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    checked.complaints().into_iter().map(|diag| diag.message).collect()
}

/// On how many of some random graphs selection fails with the rules, whatever they cost.
fn failures(text: &str, random: &mut Random, count: usize) -> usize {
    let fails = |_: &usize| {
        let rules = rules_of(with_other_costs(text, random));
        let size = 4 + random.below(8);
        let graph = tangle(random, size);
        let preference = Preference { cost: Cost::Speed, method: Method::Pbqp };
        select(&graph, &rules, preference).is_err()
    };
    (0..count).filter(fails).count()
}

/// Without the rules that were generated for a reason that begins so.
fn without(text: &str, reason: &str) -> String {
    let blocks = text.split("\n# ");
    let kept: Vec<_> = blocks.filter(|block| !block.starts_with(reason)).collect();
    kept.join("\n# ")
}

#[test]
fn explore() {
    let mut random = Random::new(1);
    let (mut bare, mut without_joins, mut without_cuts, mut without_parts) = (0, 0, 0, 0);
    let mut seen = [0; 4];
    for _ in 0..300 {
        let text = format!("{ATOMIC}{}", random_rules(&mut random));
        let Some(whole) = completed(&text) else { seen[3] += 1000; continue };
        assert_eq!(complaints(&whole), [""; 0], "{whole}");
        assert_eq!(failures(&whole, &mut random, 50), 0, "{whole}");
        if whole == text { continue }
        seen[0] += 1;
        bare += failures(&text, &mut random, 50);
        for (at, (reason, sum)) in [("a join", &mut without_joins), ("a cut", &mut without_cuts), ("a part", &mut without_parts)].into_iter().enumerate() {
            let less = without(&whole, reason);
            if less != whole { seen[at + 1] += 1; 
            let f = failures(&less, &mut random, 50);
            if f > 0 && at == 0 { println!("{less}"); }
            *sum += f }
        }
    }
    println!("{bare} {without_joins} {without_cuts} {without_parts} {seen:?}");
}

const JOINLESS: &str = "\
rule random-sums: Add:Is(Mul:Is(x, y), Mul:Is(z, w)) => imul x, y; imul z, w; add x, z; bytes 8 cycles 1
rule random-sum: Add:Is(x, Mul:Is(y, z)) => imul y, z; add x, y; bytes 5 cycles 4
rule random-a: Sub:Is(Mul:Is(x, y), z) => imul x, y; sub x, z; bytes 5 cycles 4
rule random-b: Sub:Is(x, Mul:Is(y, z)) => imul y, z; sub x, y; bytes 5 cycles 4
rule random-c: Sub:Is(Add:Is(x, y), z) => add x, y; sub x, z; bytes 5 cycles 4
rule random-d: Sub:Is(z, Add:Is(x, y)) => add x, y; sub z, x; bytes 5 cycles 4
";

#[test]
fn explore_joins() {
    let mut random = Random::new(1);
    let text = format!("{ATOMIC}{JOINLESS}");
    println!("{:?}", complaints(&text));
    let whole = completed(&text).unwrap();
    println!("{}", whole);
    println!("{}", failures(&text, &mut random, 20000));
    println!("{}", failures(&whole, &mut random, 20000));
}
