//! Random control-flow graphs: all stages agree, the emulator and the processor included.
use super::built_in;
use super::calls::{options, printed, without_place};
use crate::driver::{RegisterAllocator, compile};
use crate::flow_graph::{Graph, eval};
use crate::random::Random;
use crate::restructure::tests::{STEPS, programs, random_arguments, random_graph};
use crate::rules::RuleSet;
use crate::select::options::Method;
use crate::stage::{Artifact, Halt, Outcome, Stage, StageObserver, Termination};
use emulate::native::Host;
use source::Source;

/// A program, and what it yields for lists of arguments.
struct Check<'c> {
    runs: &'c [([i64; 3], Outcome)],
    text: &'c str,
}

impl StageObserver for Check<'_> {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        let shown = || format!("{}\n{}\n{}", stage.name(), self.text, artifact.print());
        assert_eq!(artifact.verify(), [], "{}", shown());
        for (arguments, expected) in self.runs {
            let Some(found) = artifact.eval_all(arguments) else { break };
            assert_eq!(&without_place(found), expected, "{arguments:?} {}", shown());
        }
        Ok(())
    }
}

fn check(graph: &Graph, random: &mut Random, rules: &RuleSet, registers: RegisterAllocator) {
    let text = graph.print();
    let run = |arguments: [i64; 3]| (arguments, without_place(eval(graph, &arguments, STEPS)));
    let mut runs: Vec<_> = (0..4).map(|_| run(random_arguments(random))).collect();
    runs.retain(|(_, outcome)| outcome.end != Termination::OutOfSteps);
    let source = Source { name: "test.cfg".into(), text: text.clone() };
    let options = crate::driver::Options { registers, ..options(rules, Method::Pbqp) };
    let compiled = compile(&source, options, &mut Check { runs: &runs, text: &text });
    let executable = compiled.unwrap_or_else(|halt| panic!("{halt:?}\n{text}"));
    let Some(host) = Host::detect() else { return };
    for (arguments, expected) in &runs {
        let words: Vec<_> = arguments.iter().map(i64::to_string).collect();
        let run = host.run(&executable.bytes, &words).expect("the host runs executables");
        assert_eq!((run.output, run.errors), printed(expected), "{arguments:?}\n{text}");
    }
}

#[test]
fn small_random_graphs_run_natively() {
    let rules = built_in();
    for seed in 0..programs() {
        let mut random = Random::new(seed);
        let blocks = 3 + random.below(10);
        let graph = random_graph(&mut random, blocks);
        let registers =
            if seed % 5 == 0 { RegisterAllocator::Scan } else { RegisterAllocator::Colour };
        check(&graph, &mut random, &rules, registers);
    }
}

#[test]
fn large_random_graphs_run_natively() {
    let rules = built_in();
    for seed in 0..programs().div_ceil(10) {
        let mut random = Random::new(seed);
        let graph = random_graph(&mut random, 100);
        check(&graph, &mut random, &rules, RegisterAllocator::Colour);
    }
}
