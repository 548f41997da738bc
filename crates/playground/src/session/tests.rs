//! Tests of sessions, by their JSON.
use super::*;

fn compiled(session: &mut Session, request: Value) -> Value {
    serde_json::from_str(&session.compile(&request.to_string())).expect("JSON")
}

fn run(session: &mut Session, arguments: &[&str], budget: u32) -> Value {
    session.start(&json!(arguments).to_string());
    serde_json::from_str(&session.advance(budget)).expect("JSON")
}

/// The text of a stage of a program.
fn listing(session: &mut Session, request: Value, name: &str) -> String {
    compiled(session, request);
    let stages = stages(session);
    let stage = stages.iter().find(|it| it["name"] == name).expect("the stage");
    stage["listing"].as_str().expect("a text").to_string()
}

fn stages(session: &Session) -> Vec<Value> {
    serde_json::from_str(&session.stages()).expect("JSON")
}

#[test]
fn a_program_runs_with_three_arguments() {
    let mut session = Session::default();
    let answer = compiled(&mut session, json!({ "source": "return arg * arg;" }));
    assert_eq!((&answer["diagnostics"], &answer["report"]), (&json!([]), &json!("")));
    let behaviour = run(&mut session, &["3", "-4", "5"], 100_000);
    assert_eq!(behaviour["output"], "9\n16\n25\n");
    assert_eq!((&behaviour["ended"], &behaviour["error"]), (&json!(true), &Value::Null));
    let counts = behaviour["functions"].as_array().expect("functions").iter();
    let count: u64 = counts.filter_map(|it| it["instructions"].as_u64()).sum();
    assert_eq!(Some(count), behaviour["instructions"].as_u64());
}

#[test]
fn a_mistake_has_its_place() {
    let mut session = Session::default();
    let answer = compiled(&mut session, json!({ "source": "// 𝕩\nreturn args;" }));
    let mistake = &answer["diagnostics"][0];
    assert_eq!((&mistake["from"], &mistake["to"]), (&json!(13), &json!(17)));
    assert_eq!(mistake["code"], "E04");
    assert!(answer["report"].as_str().is_some_and(|it| it.contains("args")));
    assert_eq!(run(&mut session, &["1"], 10)["ended"], true, "there is no program to run");
}

#[test]
fn an_endless_program_is_continued_and_stopped() {
    let mut session = Session::default();
    compiled(&mut session, json!({ "source": "while (1) { } return 0;" }));
    let first = run(&mut session, &["1"], 1000);
    assert_eq!((&first["ended"], &first["instructions"]), (&json!(false), &json!(1000)));
    let second: Value = serde_json::from_str(&session.advance(500)).expect("JSON");
    assert_eq!(second["instructions"], 1500);
}

#[test]
fn rules_are_switched_off() {
    let mut session = Session::default();
    let mut sea = |without: &[&str]| {
        let request = json!({ "source": "return arg + 0;", "without": without });
        listing(&mut session, request, "sea")
    };
    assert_ne!(sea(&[]), sea(&["add-zero"]));
    let mut code = |without: &[&str]| {
        let source = "return arg + 1;";
        let request = json!({ "source": source, "objective": "size", "withoutRules": without });
        listing(&mut session, request, "allocated")
    };
    assert!(code(&[]).contains("inc"));
    assert!(!code(&["inc"]).contains("inc"));
}

#[test]
fn without_a_rule_the_others_are_the_same() {
    let all = sonc::machine_rules(&rules_without(&[])).expect("valid rules");
    // A rule with forms is written once, and stands for several.
    let written = |it: &sonc::MachineRule| it.written().next().map(str::to_string);
    let names: Vec<Option<String>> = all.catalogue().map(written).collect();
    assert_eq!(rules_without(&[]).text, sonc::built_in_rules().text);
    for name in names.iter().flatten() {
        let rest = sonc::machine_rules(&rules_without(std::slice::from_ref(name)));
        let rest = rest.unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
        let rest: Vec<Option<String>> = rest.catalogue().map(written).collect();
        let is_other = |it: &&Option<String>| it.as_ref() != Some(name);
        let expected: Vec<Option<String>> = names.iter().filter(is_other).cloned().collect();
        assert_eq!(rest, expected);
    }
}

#[test]
fn drawings_have_numbers() {
    let mut session = Session::default();
    compiled(&mut session, json!({ "source": "return arg + 0;" }));
    for stage in stages(&session) {
        for place in [&stage["drawing"], &stage["steps"]["drawing"]] {
            let Some(number) = place.as_u64() else { continue };
            let drawing = session.drawing(number as usize);
            assert!(drawing.contains("<svg"), "{}: {drawing}", stage["name"]);
        }
    }
    assert!(session.drawing(10_000).contains("reason"));
}

#[test]
fn steps_can_follow_the_stages() {
    let source = "int a = arg * 1; while (a < 9) a = a + 0 + 2; return a;";
    let mut session = Session::default();
    compiled(&mut session, json!({ "source": source }));
    let whole = stages(&session);
    let request = json!({ "source": source, "trace": false });
    compiled(&mut session, request.clone());
    let mut later = stages(&session);
    assert!(later.iter().all(|it| it["steps"]["list"] == json!([])));
    session.start("[\"0\"]");
    let steps: Value = serde_json::from_str(&session.steps(&request.to_string())).expect("JSON");
    let steps = steps.as_array().expect("a list").iter();
    assert!(steps.clone().any(|it| it["list"] != json!([])));
    for (stage, steps) in later.iter_mut().zip(steps) {
        stage["steps"] = steps.clone();
    }
    assert_eq!(later, whole);
    let run: Value = serde_json::from_str(&session.advance(100_000)).expect("JSON");
    assert_eq!(run["output"], "10\n", "the program runs on");
}
