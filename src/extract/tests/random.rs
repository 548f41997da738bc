//! Generated classes: every method is correct on all of them, and the proofs are.
use super::exact::least_cost;
use crate::effort::programs;
use crate::extract::{Extraction, Form, NoExpression, Problem, extract, greedy_dag, greedy_tree};
use crate::random::Random;

/// The number of problems. Fewer have no variety.
fn problems() -> u64 {
    programs(300).max(300)
}

/// Classes whose forms need any classes: with cycles, and some without an expression.
pub fn any_classes(random: &mut Random, count: usize) -> Problem {
    let form = |random: &mut Random| {
        let children = random.below(4);
        Form {
            cost: random.below(10) as u32,
            children: (0..children).map(|_| random.below(count) as u32).collect(),
        }
    };
    let forms = |random: &mut Random| (0..1 + random.below(4)).map(|_| form(random)).collect();
    Problem {
        classes: (0..count).map(|_| forms(random)).collect(),
        roots: (0..1 + random.below(2)).map(|_| random.below(count) as u32).collect(),
    }
}

/// Classes as of an e-graph: most forms need classes below, which several forms share, and some
/// need classes near their own, above or below, as commuted and folded expressions do.
pub fn layered_classes(random: &mut Random, count: usize) -> Problem {
    let form = |random: &mut Random, class: usize| {
        let child = |random: &mut Random| match random.below(8) {
            0 => (class + random.below(4)).min(count - 1),
            1..=3 => class.saturating_sub(1 + random.below(3)),
            _ => random.below(class),
        };
        let children = (0..1 + random.below(3)).map(|_| child(random) as u32).collect();
        Form { cost: [1, 1, 1, 3, 12][random.below(5)], children }
    };
    let forms = |random: &mut Random, class: usize| -> Vec<Form> {
        if class < 3 {
            return vec![Form { cost: random.below(2) as u32, children: Vec::new() }];
        }
        (0..1 + random.below(4)).map(|_| form(random, class)).collect()
    };
    let classes: Vec<_> = (0..count).map(|class| forms(random, class)).collect();
    Problem { classes, roots: vec![count as u32 - 1, random.below(count) as u32] }
}

/// The forms of all needed classes, without a cycle, cost as much as is reported.
pub fn verify(problem: &Problem, extraction: &Extraction) {
    let Extraction { choices, cost, bound, .. } = extraction;
    let form = |class: u32| {
        let number = choices[class as usize].expect("a needed class has a form");
        &problem.classes[class as usize][number as usize]
    };
    let mut is_open = vec![None; problem.classes.len()];
    let mut sum = 0;
    let mut pending: Vec<(u32, bool)> = problem.roots.iter().map(|&root| (root, true)).collect();
    while let Some((class, is_first)) = pending.pop() {
        if !is_first {
            is_open[class as usize] = Some(false);
            continue;
        }
        assert_ne!(is_open[class as usize], Some(true), "{class} is in a cycle");
        if is_open[class as usize].is_none() {
            is_open[class as usize] = Some(true);
            sum += u64::from(form(class).cost);
            pending.push((class, false));
            pending.extend(form(class).children.iter().map(|&child| (child, true)));
        }
    }
    assert_eq!(sum, *cost);
    assert!(bound <= cost, "{bound} is at most {cost}");
    for (class, choice) in choices.iter().enumerate() {
        assert_eq!(choice.is_some(), is_open[class].is_some(), "{class} is needed or has no form");
    }
}

/// How often each method has found the optimum, and the solver has proved it.
#[derive(Default, Debug)]
struct Counts {
    problems: u32,
    by_tree: u32,
    by_dag: u32,
    by_pbqp: u32,
    proved: u32,
}

fn compare(generate: impl Fn(&mut Random) -> Problem) -> Counts {
    let mut counts = Counts::default();
    for seed in 0..problems() {
        let problem = generate(&mut Random::new(seed));
        let found = match [extract, greedy_tree, greedy_dag].map(|method| method(&problem)) {
            [Ok(pbqp), Ok(tree), Ok(dag)] => [pbqp, tree, dag],
            [Err(NoExpression { .. }), Err(_), Err(_)] => {
                assert_eq!(least_cost(&problem), None, "seed {seed}");
                continue;
            }
            different => panic!("seed {seed}: {different:?}"),
        };
        found.iter().for_each(|it| verify(&problem, it));
        let [pbqp, tree, dag] = found;
        let least = least_cost(&problem).expect("there is an extraction");
        let all = [tree.cost, dag.cost, pbqp.cost];
        assert!(all.iter().all(|&cost| least <= cost), "seed {seed}: {all:?} and {least}");
        assert!(pbqp.bound <= least, "seed {seed}: {} is no bound of {least}", pbqp.bound);
        counts.problems += 1;
        counts.by_tree += u32::from(tree.cost == least);
        counts.by_dag += u32::from(dag.cost == least);
        counts.by_pbqp += u32::from(pbqp.cost == least);
        counts.proved += u32::from(pbqp.is_optimal());
    }
    println!("{counts:?}");
    counts
}

#[test]
fn any_classes_are_extracted_at_least_cost() {
    let counts = compare(|random| {
        let count = 3 + random.below(10);
        any_classes(random, count)
    });
    assert_eq!(counts.proved, counts.problems, "{counts:?}");
    assert!(counts.by_tree < counts.by_dag && counts.by_dag < counts.by_pbqp, "{counts:?}");
}

#[test]
fn classes_of_expressions_are_extracted_at_least_cost() {
    let counts = compare(|random| {
        let count = 8 + random.below(12);
        layered_classes(random, count)
    });
    assert_eq!(counts.proved, counts.problems, "{counts:?}");
    assert!(counts.by_tree < counts.by_dag && counts.by_dag < counts.by_pbqp, "{counts:?}");
}

#[test]
fn many_classes_are_extracted_within_the_budget() {
    for (seed, count) in [(0, 300), (1, 1_000), (2, 6_000)] {
        let problem = layered_classes(&mut Random::new(seed), count);
        let found = [extract, greedy_tree, greedy_dag]
            .map(|method| method(&problem).unwrap_or_else(|error| panic!("{seed}: {error:?}")));
        found.iter().for_each(|it| verify(&problem, it));
        let [pbqp, tree, dag] = found.map(|it| it.cost);
        assert!(pbqp <= tree && pbqp <= dag, "{pbqp}, {tree} and {dag}");
    }
}

#[test]
fn a_chain_of_classes_is_no_recursion() {
    let class = |at: u32| {
        let below = Form { cost: 1, children: at.checked_sub(1).into_iter().collect() };
        let above = Form { cost: 1, children: vec![(at + 1).min(99_999)] };
        vec![below, above]
    };
    let problem = Problem { classes: (0..100_000).map(class).collect(), roots: vec![99_999] };
    let extraction = extract(&problem).expect("an extraction");
    verify(&problem, &extraction);
    assert_eq!([extraction.cost, extraction.bound], [100_000; 2]);
}
