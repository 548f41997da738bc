//! The values of an analysis are those of the compiled program.
use super::Analysis;
use crate::driver::{Options, RegisterAllocator, built_in_rules, compile, machine_rules};
use crate::rules::RuleSet;
use crate::schedule::PlacementMethod;
use crate::select::options::SelectionOptions;
use crate::stage::{Artifact, Halt, Stage, StageObserver, Termination};
use source::Source;

/// The value of the token after `¦` is the result.
const PROGRAMS: &[&str] = &[
    "int x = arg & 15; return x * 4 ¦+ 1;",
    "u8 x = arg; x = x + 7; i8 y = x; return ¦y;",
    "int i = 0; int sum = 0; while (i < 10) { sum = sum + i & 31; i = i + 1; } return ¦sum;",
    "int x = arg; if (arg > 3) x = 5; else { x = 2; } return ¦x;",
    "int x = arg > 3 ¦? arg & 7 : 20; return x;",
    "bool b = arg ¦!= 3; return b;",
    "return 4 ¦!= 4;",
    "return arg + 1 ¦!= arg + 1;",
    "struct S { u8 b; int x; } S s = new S { b = 300; x = 4; }; s.x += s.b; return s.¦x;",
    "struct S { int x; S? next; } S s = new S; if (arg) s.next = s; S? t = s.next; int x = 0; \
     if (t) x = t.x + 3; return ¦x;",
    "int[] a = new int[arg & 7]; int n = a¦#; return n;",
    "int[] a = new int[4]; a[arg & 3] = 9; return a¦[1];",
    "u16 x = arg * 3; for (var k = 0; k < x; k++) if (k == 9) break; val ¦y = x >> 3; return y;",
    "int x = arg * 2 + arg * 3 ¦- arg * 5; return x;",
    "int x = 1; while (x < 999) { x = x * 2; if (arg == x) break; } return x ¦% 7;",
    "flt f = arg; int x = f ¦< 3.0; return x;",
    "int x = arg & 3; return ++¦x;",
    "int x = arg & 3; ¦x += 4; return x;",
    "int y = 0; int x = 1 + (¦y = arg & 7); return y;",
];

fn rules() -> RuleSet {
    machine_rules(&built_in_rules()).unwrap_or_else(|wrong| panic!("{wrong:?}"))
}

fn options(rules: &RuleSet) -> Options<'_> {
    Options {
        optimize: true,
        without: &[],
        trace: false,
        argument: None,
        int: crate::arith::INT,
        rules,
        selection: SelectionOptions::default(),
        placement: PlacementMethod::Best,
        registers: RegisterAllocator::Colour,
        via_regions: false,
    }
}

/// Takes the text of the sea.
struct Sea(String);

impl StageObserver for Sea {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        if stage == Stage::Sea {
            self.0 = artifact.print();
            return Err(Halt::Stopped(stage));
        }
        Ok(())
    }
}

#[test]
fn the_sea_is_that_of_the_compilation() {
    let rules = rules();
    for text in PROGRAMS.iter().map(|it| it.replace('¦', "")) {
        let source = Source { name: "program.smp".into(), text: text.clone() };
        let mut sea = Sea(String::new());
        let stopped = compile(&source, options(&rules), &mut sea);
        assert!(matches!(stopped, Err(Halt::Stopped(_))), "{stopped:?}");
        let analysis = Analysis::new(&text, options(&rules));
        assert_eq!(analysis.graph.print(), sea.0, "{text}");
    }
}

#[test]
fn bounds_contain_the_results() {
    let rules = rules();
    let mut constants = 0;
    for marked in PROGRAMS {
        let analysis = Analysis::new(&marked.replace('¦', ""), options(&rules));
        let token = marked.find('¦').expect("a token");
        let value = analysis.value_at(token as u32).expect("a value");
        let [first, last] = value.bounds.expect("an integer");
        constants += usize::from(first == last);
        for argument in -20..300 {
            let outcome = analysis.graph.eval(argument).expect("a graph that can be executed");
            let Termination::Value(found) = outcome.end else { panic!("{outcome:?}") };
            assert!((first..=last).contains(&found), "{found} in {first} to {last}: {marked}");
        }
    }
    assert!((3..PROGRAMS.len() / 2).contains(&constants), "{constants} are constants");
}
