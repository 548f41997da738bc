//! Tests of `parse`.
#[cfg(feature = "ch10")]
mod acceptance;
mod mistakes;
#[cfg(feature = "ch09")]
mod optimized;

#[cfg(feature = "ch03")]
use super::stmt::MAX_DIAGNOSTICS;
use super::*;

fn input(text: &str) -> Input<'_> {
    Input {
        text,
        #[cfg(feature = "ch02")]
        engine: Engine::new(crate::peephole::rules().collect(), false),
        #[cfg(feature = "ch03")]
        show: Box::new(|_| ()),
        #[cfg(feature = "ch04")]
        argument: None,
        #[cfg(feature = "ch14")]
        int: crate::arith::INT,
    }
}

/// The printed program, or the first lines of all diagnostics.
fn read(input: Input) -> Result<String, Vec<String>> {
    let messages =
        |it: Vec<Diagnostic>| it.into_iter().map(|diag| diag.message).collect::<Vec<_>>();
    let parsed = parse(input).map_err(messages)?;
    Ok(crate::sea::line(&parsed.graph, parsed.graph.end))
}

#[cfg(feature = "ch02")]
fn as_written(text: &str) -> Input<'_> {
    Input { engine: Engine::new(Vec::new(), false), ..input(text) }
}

fn check(text: &str, printed: &str) {
    assert_eq!(read(input(text)).as_deref(), Ok(printed), "{text}");
}

#[cfg(feature = "ch02")]
fn check_as_written(text: &str, printed: &str) {
    assert_eq!(read(as_written(text)).as_deref(), Ok(printed), "{text}");
}

fn check_errors(text: &str, expected: &[&str]) {
    let found = read(input(text)).expect_err("the program is invalid");
    let text: String = text.chars().take(60).collect();
    assert_eq!(found.len(), expected.len(), "{text}: {found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.contains(expected), "{text}: {found} should contain {expected}");
    }
}

#[test]
fn a_program_returns_a_literal() {
    check("return 42;", "return 42;");
    check("  return   7   ; // the end", "return 7;");
    check("return 2147483647;", "return 2147483647;");
}

#[test]
fn numbers_that_are_not_integers_are_refused() {
    check_errors("return 08;", &["Syntax error: integer values cannot start with '0'"]);
    check_errors("return 2147483648;", &["integer too large"]);
    check_errors(&format!("return 1{};", "0".repeat(5000)), &["integer too large"]);
}

#[test]
fn unknown_characters_are_reported_with_their_span() {
    for text in ["return é;", "return \u{1F600}", "é", "return 1; \u{0} é", "\"", "return 1 # 2;"]
    {
        assert!(read(input(text)).is_err(), "{text}");
    }
}

#[cfg(feature = "ch02")]
#[test]
fn arithmetic_folds() {
    check("return 10-3-2;", "return 5;");
    check("return 2+3*4-1;", "return 13;");
    check("return (2+3)*4;", "return 20;");
    check("return 9/0;", "return 0;");
    check("return ---4;", "return -4;");
    check("return 2147483647+2;", "return -2147483647;");
    check("return (-2147483647-1)/-1;", "return -2147483648;");
    check_as_written("return 8-3-1;", "return ((8-3)-1);");
    check_as_written("return 1+2*3+-5;", "return ((1+(2*3))+(-5));");
    check_errors("return 3*;", &[": ;"]);
    check_errors("return (3;", &["Syntax error, expected ): ;"]);
}

#[cfg(feature = "ch02")]
#[test]
fn nesting_is_limited_but_length_is_not() {
    let nested = |depth| format!("return {}1{};", "(".repeat(depth), ")".repeat(depth));
    check(&nested(500), "return 1;");
    check_errors(&nested(100_000), &["nested more than 500 deep"]);
    check(&format!("return {}1;", "-".repeat(100_000)), "return 1;");
    check(&format!("return 0{};", "+1".repeat(100_000)), "return 100000;");
    let long = read(as_written(&format!("return 0{};", "+1".repeat(100_000))));
    assert!(long.is_ok_and(|line| line.starts_with("return ((((")));
}

#[cfg(feature = "ch03")]
#[test]
fn variables_have_values_and_scopes() {
    check("int w=6; int h=7; return w*h;", "return 42;");
    check("int k=1; { int k=5; k=k+1; } return k;", "return 1;");
    check("int k=1; { k=k+4; { k=k*2; } } return k;", "return 10;");
    check("int x=1; { int x=x+1; { int x=x+1; return x; } }", "return 3;");
    check("return 1; return 2;", "return 1;");
    check("", "return 0;");
    check(";{;}{{}}", "return 0;");
    check_as_written("int u=4; { int v=u*2; u=v-1; } return u+1;", "return (((4*2)-1)+1);");
    check_errors("int p=3; int p=4; return p;", &["Redefining name 'p'"]);
    check_errors("return zz+1;", &["Undefined name 'zz'"]);
    check_errors("{ int t=2; } return t;", &["Undefined name 't'"]);
    check_errors("int a=a;", &["Undefined name 'a'"]);
    check_errors("int t=2", &["Syntax error, expected ;: "]);
    if crate::this_chapter() < 10 {
        check_errors("int a;", &["Syntax error, expected =: ;"]);
        check_errors("ret 5;", &["Syntax error, expected =: 5"]);
        check_errors("return100;", &["Syntax error, expected =: ;"]);
    }
    check_errors("int return=1;", &["Expected an identifier, found 'return'"]);
    check_errors("int $ctrl=1;", &["Expected an identifier, found '$'"]);
    check_errors("5; return 1;", &["Expected an identifier, found 'null'"]);
    check_errors("return 3*;", &["Syntax error, expected an identifier or expression: ;"]);
    check_errors("return 1;}", &["Syntax error, unexpected }"]);
    check_errors("{return 1;", &["Syntax error, expected }: "]);
    check_errors("a = 1;", &["Undefined name 'a'"]);
}

#[cfg(feature = "ch10")]
#[test]
fn objects_are_parsed() {
    const STRUCT: &str = "struct S { int x; int y; }";
    let check = |text: &str, printed: &str| check(&format!("{STRUCT} {text}"), printed);
    check("S s = new S; return s;", "return new S;");
    check("S s = new S; return s.x;", "return 0;");
    check("S s = new S; s.x = 3; s.x = 4; return s;", "return new S;");
    check("S s = new S; s.y = 3; s.x = s.y; return s.x;", "return 3;");
    check("int a; S? s; return a == 0;", "return 1;");
    check("S? s = null; if (s) return s.x; return 5;", "return 5;");
    check("S s = new S; return !s;", "return 0;");
    check("return null;", "return null;");
    check("struct T {} T t = new T; return t;", "return new T;");
    check("S s = new S; s.x == 3; return s.x + 0;", "return 0;");
}

#[cfg(feature = "ch10")]
#[test]
fn wrong_accesses_are_reported() {
    let check = |text: &str, errors: &[&str]| {
        check_errors(&format!("struct S {{ int x; }} {text}"), errors);
    };
    check("S s = null;", &["Type null is not of declared type *S"]);
    check("int a = new S;", &["Type *S is not of declared type int"]);
    check("int a; a = null;", &["Type null is not of declared type int"]);
    check("S s = 5; return s.x;", &["Type 5 is not of declared type *S"]);
    check("S s = new S; s.x = s;", &["Cannot store *S into field "]);
    check("struct T {} S? s = new T;", &["Type *T is not of declared type *S?"]);
    check("return new T;", &["Unknown struct type 'T'"]);
    check("return new S.0;", &["Expected an identifier, found 'null'"]);
    check("return null.x;", &["Accessing unknown field 'x' from 'null'"]);
    check("S s = new S; return s.z;", &["Accessing unknown field 'z' from '*S'"]);
    check("S? s = new S; while (arg) { s.x = 1; s = null; }", &["Might be null accessing 'x'"]);
    check("S? s = null; if (arg) s = new S; s.x = 1; return 0;", &["Might be null accessing 'x'"]);
    check("return -new S;", &["Cannot 'Minus' *S"]);
    check("return new S < new S;", &["Cannot 'LT' *S"]);
    check("return new S == 0;", &["Cannot 'EQ' *S"]);
    check("ret 5;", &["Undefined name 'ret'"]);
    check("return100;", &["Undefined name 'return100'"]);
    check("{ struct T { } }", &["struct declarations can only appear in top level scope"]);
}

#[cfg(feature = "ch03")]
#[test]
fn parsing_continues_after_an_error() {
    check_errors(
        "int x = ; int y = 08; { zz = 3; } return x + y + ww;",
        &["expression: ;", "start with '0'", "Undefined name 'zz'", "Undefined name 'ww'"],
    );
    assert_eq!(read(input(&"?;".repeat(1000))).map_err(|all| all.len()), Err(MAX_DIAGNOSTICS));
    check_errors(&"{".repeat(100_000), &["nested more than 500 deep"]);
}

#[cfg(feature = "ch04")]
#[test]
fn algebra_and_comparisons() {
    check("return 5+arg+4;", "return (arg+9);");
    check("return arg*1+0;", "return arg;");
    let thrice = if crate::this_chapter() < 9 { "((arg*2)+arg)" } else { "(arg*3)" };
    check("return arg+arg+arg;", &format!("return {thrice};"));
    check("return 4<arg;", "return (4<arg);");
    check("return arg>=4;", "return (4<=arg);");
    check("return arg>4;", "return (4<arg);");
    check("return arg!=arg;", "return 0;");
    check("return arg!=4;", "return (!(arg==4));");
    check("return 2*arg+3+arg;", &format!("return ({thrice}+3);"));
    check("return arg+-7;", "return (arg+-7);");
    check("int arg=3; return arg;", "return 3;");
    check("arg=arg+1; return arg;", "return (arg+1);");
    check("return 1<2;", "return 1;");
    check("return 1==2!=0;", "return 0;");
}

#[cfg(feature = "ch05")]
#[test]
fn branches_are_joined() {
    check("int m=arg; if(arg<10) m=10; return m;", "return Phi(Region,10,arg);");
    check("int m=0; if(arg==4) m=arg+1; else m=arg+9; return m;", "return (arg+Phi(Region,1,9));");
    check("if(arg<0) return 0-arg; return arg;", "Stop[ return (0-arg); return arg; ]");
    check(
        "int q=1; if(arg) { q=2; if(arg==7) q=3; } return q;",
        "return Phi(Region,Phi(Region,3,2),1);",
    );
    check("int x=5; if(arg) { int x=6; x=7; } return x;", "return 5;");
    check("int t=4; if(arg==2) t=3; return arg+t+arg;", "return ((arg*2)+Phi(Region,3,4));");
    check("int a=false; if(arg) a=true; return a;", "return Phi(Region,1,0);");
    let one_arm = "Cannot define a new name on one arm of an if";
    check_errors("if(arg) int z=1; return 1;", &[one_arm]);
    check_errors("if(arg) ; else int z=1; return 1;", &[one_arm]);
    check_errors("if(arg) a=1; return b;", &["Undefined name 'a'", "Undefined name 'b'"]);
    check_errors("int true=1;", &["Expected an identifier, found 'true'"]);
    check_errors("else = 3;", &["Expected an identifier, found 'else'"]);
    check_errors("if() return 1;", &["expected an identifier or expression: )"]);
    check_errors("if arg) return 1;", &["Syntax error, expected (: arg"]);
    let unknown = if crate::this_chapter() < 10 {
        "Syntax error, expected =: ("
    } else {
        "Undefined name 'ififif'"
    };
    check_errors("ififif(arg) return 1;", &[unknown]);
}

#[cfg(feature = "ch05")]
#[test]
fn else_if_chains_are_unlimited_but_nested_ifs_are_limited() {
    // The last statement of a function is skipped before it is parsed.
    #[cfg(feature = "ch18")]
    {
        let chain = "if (x) x = x + 1; else ".repeat(20_000);
        check_errors(
            &format!("val f = {{ int x -> {chain} y; }}; return f(arg);"),
            &["Undefined name 'y'"],
        );
    }
    let chain = |count| format!("{}return 2;", "if(arg) arg=arg+1; else ".repeat(count));
    assert!(read(as_written(&chain(100_000))).is_ok());
    check_errors(&"if(arg) ".repeat(100_000), &["nested more than 500 deep"]);
    check_errors(&"if(arg) { ".repeat(100_000), &["nested more than 500 deep"]);
}

#[cfg(feature = "ch06")]
#[test]
fn dead_branches_are_removed() {
    check("if(2<1) return 10; else return 20;", "return 20;");
    check("return 8; return 9;", "return 8;");
    check("int v=1; if(arg) v=3; return v+v;", "return Phi(Region,6,2);");
    check("int r=0; if(arg) { if(arg) r=1; else r=2; } return r;", "return Phi(Region,1,0);");
    check("int r=3; if(arg) r=4; else { if(1) r=5; } return r;", "return Phi(Region,4,5);");
    check(
        "if(arg==1) return 10; if(0) return 20; if(arg==2) return 30; return 40;",
        "Stop[ return 10; return 30; return 40; ]",
    );
}

#[cfg(feature = "ch07")]
#[test]
fn loops_have_phis() {
    check(
        "int f=1; while(arg>1) { f=f*arg; arg=arg/2; } return f;",
        "return Phi(Loop,1,(Phi_f*Phi(Loop,arg,(Phi_arg/2))));",
    );
    check("int n=0; while(n<5) n=n+2; return n;", "return Phi(Loop,0,(Phi_n+2));");
    check("int c=9; while(arg) arg=arg/2; return c;", "return 9;");
    check("while(arg) return 6; return 7;", "Stop[ return 6; return 7; ]");
    check("while(1) {} return 0;", "Stop[ ]");
    check("while(arg) int q=1; return 2;", "return 2;");
    check_as_written(
        "int a=4; int b=5; while(arg) { arg=arg-1; a=b; } return a;",
        "return Phi(Loop,4,Phi(Loop,5,Phi_b));",
    );
    check_errors("while(arg { } return q;", &["Syntax error, expected ): {", "Undefined name 'q'"]);
    check_errors(&"while(arg) ".repeat(100_000), &["nested more than 500 deep"]);
}

#[cfg(feature = "ch08")]
#[test]
fn break_and_continue_jump_to_exit_and_header() {
    check(
        "int n=0; while(1) { if(n>=arg) break; n=n+3; } return n;",
        "return Phi(Loop,0,(Phi_n+3));",
    );
    check(
        "int a=0; while(arg>0) { arg=arg-1; if(arg==50) break; if(arg==2) continue; a=a+1; } \
             return a;",
        "return Phi(Loop,0,Phi(Region,Phi_a,(Phi_a+1)));",
    );
    check("while(1) arg=arg+1; return arg;", "Stop[ ]");
    let none = "No active loop for a break or continue";
    check_errors("continue;", &[none]);
    check_errors("while(arg) { } break;", &[none]);
}

#[cfg(feature = "ch04")]
#[test]
fn a_known_argument_is_a_constant() {
    let input = Input { argument: Some(6), ..input("return arg*arg-arg;") };
    let graph = parse(input).map(|parsed| parsed.graph).expect("it is correct");
    assert_eq!(crate::sea::line(&graph, graph.end), "return 30;");
}

/// The graph of a rule's example, built with these rules.
#[cfg(feature = "ch02")]
fn graph(shown: &str, on: &[&'static crate::peephole::Rule]) -> Graph {
    let text = crate::peephole::program(shown);
    let engine = Engine::new(on.to_vec(), false);
    let parsed = parse(Input { engine, ..input(&text) });
    parsed.map(|parsed| parsed.graph).expect("rules show programs")
}

/// No law depends on the width of integers, so it is tested for all values of eight bits.
#[cfg(feature = "ch02")]
#[test]
fn every_law_of_the_peepholes_holds_for_all_bytes() {
    let byte = crate::arith::Width(8);
    for rule in crate::peephole::rules() {
        let (before, after) = (graph(rule.example.0, &[]), graph(rule.example.0, &[rule]));
        for arg in -128..128 {
            let [before, after] = [&before, &after].map(|it| crate::sea::eval_at(it, byte, arg));
            assert_eq!(before, after, "{} for {arg}", rule.name);
        }
    }
}

/// `scope 1 { a b } before 0 { a }` of each step: its variables, and those with old values.
#[cfg(feature = "ch09")]
fn scopes_of_steps(text: &str) -> Vec<String> {
    let engine = Engine::new(crate::peephole::rules().collect(), true);
    let parsed = parse(Input { engine, ..input(text) }).expect("the program is valid");
    let scopes = |picture: Picture| {
        let cluster = |(at, cluster): (usize, &picture::Cluster)| {
            let nodes = picture.nodes.iter().filter(|node| node.cluster == Some(at));
            let names = nodes.map(|node| format!(" {}", node.rows[0][0].text));
            format!("{} {{{} }}", cluster.title, names.collect::<String>())
        };
        let inner = picture.clusters.iter().enumerate().skip(1);
        inner.map(cluster).collect::<Vec<_>>().join(" ")
    };
    parsed.steps.into_iter().filter_map(|step| step.picture.map(scopes)).collect()
}

#[cfg(feature = "ch09")]
#[test]
fn steps_show_the_scope() {
    let found = scopes_of_steps("int a = 1 + 2; { int b = 3 * a; a = b - b; } return a + 0;");
    assert_eq!(found.first().map(String::as_str), Some(""), "nothing is declared yet: {found:?}");
    assert!(found.iter().any(|it| it == "scope 1 { a }"), "{found:?}");
    assert!(found.iter().any(|it| it == "scope 1 { a } scope 2 { b }"), "{found:?}");
    assert_eq!(found.last().map(String::as_str), Some(""), "the block has ended: {found:?}");
    let arms = "int a = arg; if (arg) { a = 1; int b = a + 1; return b; } return a;";
    let found = scopes_of_steps(arms);
    assert!(found.iter().any(|it| it == "scope 1 { a } before 0 { a }"), "{found:?}");
}

/// Two structs may have fields of one name.
#[cfg(feature = "ch10")]
#[test]
fn nodes_of_the_scope_have_different_names() {
    let text = "struct A { int x; } struct B { int x; } B b = new B; b.x = arg + 0; return b.x;";
    let engine = Engine::new(crate::peephole::rules().collect(), true);
    let parsed = parse(Input { engine, ..input(text) }).expect("the program is valid");
    let picture = parsed.steps.last().and_then(|step| step.picture.as_ref()).expect("a picture");
    let mut names: Vec<_> = picture.nodes.iter().map(|node| &node.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), picture.nodes.len());
}
