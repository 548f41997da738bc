//! Instances of generated programs are solved by reductions alone, without RN.
use super::configuration::Configuration;
use super::counts::Counts;
use super::program::text;
use super::{generate, programs};
use sonc::{Method, Source};

#[test]
fn generated_programs_need_no_heuristic_choice() {
    for method in [Method::Pbqp, Method::Heuristic] {
        let mut counts = Counts::default();
        for seed in 0..programs(300) {
            let source = Source { name: "generated".into(), text: text(&generate::program(seed)) };
            for optimize in [true, false] {
                let mut configuration = Configuration { optimize, ..Configuration::standard() };
                configuration.selection.method = method;
                // Compilation stops before its last stage.
                let _ = configuration.compile(&source, &mut counts);
            }
        }
        let all = ["RE", "R0", "R1", "R2", "RM", "BB", "RN"].map(|name| (name, counts.of(name)));
        println!("{method:?}: {all:?}");
        assert!(counts.of("R1") > 1000, "{all:?}");
        assert_eq!(counts.of("RN"), 0, "{all:?}");
    }
}
