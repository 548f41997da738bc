//! Every diagnostic of rule files: its text, and the words that it points at.
use crate::diagnostics::Diagnostic;
use crate::ia32::TARGET;
use crate::random::Random;
use crate::rules;
use crate::target::Target;
use source::Source;

fn diagnostics(text: &str) -> Vec<Diagnostic> {
    diagnostics_for(&TARGET, text)
}

fn diagnostics_for(target: &Target, text: &str) -> Vec<Diagnostic> {
    let source = Source { name: "rules".into(), text: text.into() };
    rules::parse(&source, target).err().unwrap_or_default()
}

/// Checks the diagnostics of `text`: each as `message @ words`.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    check_for(&TARGET, text, expected);
}

#[track_caller]
pub fn check_for(target: &Target, text: &str, expected: &[&str]) {
    let found = diagnostics_for(target, text);
    let shown = |it: &Diagnostic| format!("{} @ {}", it.message, &text[it.span.range()]);
    assert_eq!(found.iter().map(shown).collect::<Vec<_>>(), expected, "{text}");
}

#[test]
fn patterns_that_never_match() {
    let check = |pattern: &str, expected: &str| {
        check(&format!("rule a: {pattern} => add x, y; cycles 1"), &[expected]);
    };
    check("Ad:Is(x, y)", "there is no operation `Ad` @ Ad");
    check("Add:Is(x)", "Add has 2 operands, not 1 @ Add");
    check("Add:Xs(x, y)", "Add has no mode `Xs` @ Xs");
    check("Add:Is(Add:Is(x, y), Const x)", "`x` is bound twice @ x");
    check("Add.r:Is(x, y)", "Add has nothing to bind to `r` @ r");
    check("Add c:Is(x, y)", "Add has nothing to bind to `c` @ c");
    check("Add:Is(x, Return:Is(m, y))", "Return does not yield a value of mode Is @ Return");
    check("Return:Is(Const c, x)", "patterns do not match memory @ Const");
    check("Return:Is(m in ebx, x)", "memory is in no register @ ebx");
    for kind in ["Start", "StartBlock", "EndBlock", "End"] {
        check(kind, &format!("{kind} becomes no instruction @ {kind}"));
    }
}

#[test]
fn repeated_names() {
    for (rule, expected) in [
        ("Add:Is(x, y), Sub:Is(x, y) => sub x, y", "this pattern has no name @ Add"),
        ("a = Cond:X(x), Sub:Is(x, y) => sub x, y", "Cond is not the last pattern @ Cond"),
        ("a = Add:Is(x, y), Sub:Is(x, y) => sub x, y", "`a` was never written @ sub"),
        ("a = Add:Is(x, y), Sub:Is(x, y) => sub x, y; out eax", "eax was never written @ eax"),
        ("Mul:Is(a = Add:Is(x, y), a) => add x, a", "`a` is in no register @ a"),
        (
            "Mul:Is(a = Add:Is(x, y), z) if unshared(z) => add x, y",
            "`z` is no operation inside the pattern @ z",
        ),
    ] {
        check(&format!("rule r: {rule}; cycles 1"), &[expected]);
    }
}

#[test]
fn patterns_with_too_many_operations() {
    let chain = |length: usize| format!("{}x{}", "Mul:Is(x, ".repeat(length), ")".repeat(length));
    let check = |pattern: String, expected: &[&str]| {
        check(&format!("rule r: {pattern} => mov q, x; mov d, x; cycles 1"), expected);
    };
    check(format!("q = {}, {}", chain(7), chain(7)), &[]);
    check(
        format!("q = {}, {}", chain(7), chain(8)),
        &["the patterns of a rule have at most 14 operations @ r"],
    );
    check(chain(15), &["a pattern has at most 14 operations @ Mul"]);
}

#[test]
fn unknown_guards_and_numbers() {
    let check = |from_if: &str, expected: &str| {
        check(&format!("rule a: Add:Is(x, Const c) {from_if}; cycles 1"), &[expected]);
    };
    check("if im8(c) => add x, c", "there is no property `im8` @ im8");
    check("if imm8(x) => add x, c", "`x` is no number of the pattern @ x");
    check("if d == 3 => add x, c", "`d` is no number of the pattern @ d");
    check("=> add x, lg2(c)", "there is no function `lg2` @ lg2");
    check("=> add x, log2(x)", "`x` is no number of the pattern @ x");
    check("=> add x, 4294967296", "4294967296 does not fit 32 bits @ 4294967296");
    check("=> mov d, [argument c]", "`c` is no argument of the pattern @ c");
}

#[test]
fn instructions_that_are_not_allowed() {
    let check = |steps: &str, expected: &[&str]| {
        check(&format!("rule sum: Add:Is(x in eax, y) => {steps}; cycles 1"), expected);
    };
    check("addd x, y", &["there is no ia32 instruction `addd` @ addd"]);
    check("add 1, y", &["`add` does not take these operands @ add"]);
    check("ret; out eax", &["`ret` is not allowed here @ ret"]);
    check("push x; add x, y", &["`push` is not allowed here @ push"]);
    check("add x, z", &["`z` is read before anything is in it @ add"]);
    check("imul d, d, 3", &["`d` is read before anything is in it @ imul"]);
    check("lea d, [x + z]", &["`z` is read before anything is in it @ lea"]);
    check("lea d, [x + y*3]", &["an address is base + index * 1, 2, 4 or 8 + number @ [x + y*3]"]);
    check("lea d, [x + eax]", &["`eax` is not allowed here @ eax"]);
    let many: Vec<_> = (1..=15).map(|number| format!("mov d{number}, x")).collect();
    check(&many.join("; "), &["a rule has at most 16 names @ d15"]);
    check("mov eax, y; out eax", &["`mov` overwrites the operand in eax @ mov"]);
    check("mov d, ebx", &["`mov` reads ebx, which was never written @ mov"]);
    check(
        "add eax, y",
        &["this rule has no result @ Add", "this rule overwrites eax without declaring it @ sum"],
    );
}

#[test]
fn registers_that_rules_may_not_use() {
    let check = |rest: &str, expected: &[&str]| {
        check(&format!("rule sum: Add:Is(x{rest}; cycles 1"), expected);
    };
    check(" in eex, y) => add x, y", &["there is no ia32 register `eex` @ eex"]);
    let memory = "`mov` is not allowed here @ mov";
    check(", y) => mov d, [x]", &[memory]);
    check(", y) => mov [x], y", &["this rule has no result @ Add", memory]);
    check(" in esp, y) => add x, y", &["esp holds the stack @ esp"]);
    check(", y) => mov esp, x", &["esp holds the stack @ esp"]);
    check(" in eax, y in eax) => add x, y", &["two operands must be in eax @ sum"]);
    check(", y) => add x, y; clobbers ecx", &["ecx is declared as overwritten, but is not @ ecx"]);
    check(", y) => mov eax, x; out eax; clobbers eax", &["eax holds the result @ eax"]);
    check(", y) => add x, y; out ecx", &["ecx was never written @ ecx"]);
    check(
        ", y) => mov eax, x; mov d, eax",
        &["this rule overwrites eax without declaring it @ sum"],
    );
    let four = "mov eax, x; mov ecx, x; mov edx, x; mov ebx, x; out eax; clobbers ecx edx ebx";
    check(&format!(", y) => {four}"), &["a rule may use 3 registers by their names @ sum"]);
}

#[test]
fn rules_of_comparisons_arguments_and_returns() {
    let check = |rule: &str, expected: &[&str]| {
        check(&format!("rule own: {rule}; cycles 1"), expected);
    };
    let stale = "`set` reads flags that no comparison has set @ set";
    check("Cmp.r:Is(x, y) => set.r t; movzx d, t", &[stale]);
    check("Cmp.r:Is(x, y) => cmp x, y; add x, y; set.r t; movzx d, t", &[stale]);
    check("Cmp.r:Is(x, y) => cmp x, y; set.q t", &["`q` is no relation of the pattern @ q"]);
    check("Cmp.r:Is(x, y) => mov d, r", &["`r` is no number of the pattern @ r"]);
    check(
        "Cmp.r:Is(x, y) => cmp x, y; set.r edx; mov d, edx; clobbers edx",
        &["`set` needs a name, not a real register @ set"],
    );
    check(
        "Argument k:Is(m) => mov d, [argument k + 4]",
        &["an argument is one word @ [argument k + 4]"],
    );
    check(
        "Argument k:Is(m) => mov d, [argument k + d]",
        &["the address of an argument has no register @ [argument k + d]"],
    );
    check("Return:Is(m, x in eax) => ret; out eax", &["Return yields no value @ eax"]);
    check("Return:Is(m, x) => mov d, x", &["the instructions of this rule do not return @ own"]);
    check("Return:Is(m, x) => ret", &["`ret` reads eax, which was never written @ ret"]);
}

#[cfg(feature = "ch05")]
#[test]
fn jumps_have_the_targets_of_their_operation() {
    let check = |rule: &str, expected: &[&str]| {
        check(&format!("rule leap: {rule}; cycles 1"), expected);
    };
    let branch = |steps: &str, expected: &[&str]| {
        check(&format!("Cond:X(Cmp.r:Is(x, y)) => {steps}"), expected);
    };
    branch("cmp x, y; j.r true; jmp false", &[]);
    branch("cmp x, y; j.ne false; jmp true", &[]);
    branch("cmp x, y; j.q true; jmp false", &["`q` is no relation of the pattern @ q"]);
    branch(
        "cmp x, y; j.r true",
        &["`j` is a conditional jump @ j", "this rule never jumps to `false` @ leap"],
    );
    branch(
        "cmp x, y; jmp true; j.r false",
        &["`jmp` is an unconditional jump @ jmp", "`j` is a conditional jump @ j"],
    );
    branch(
        "cmp x, y; j.r true; jmp true",
        &["a second jump to `true` @ jmp", "this rule never jumps to `false` @ leap"],
    );
    branch(
        "cmp x, y; j.r true; jmp false; mov d, x",
        &["`jmp` is an unconditional jump @ jmp", "`mov` is after a jump @ mov"],
    );
    branch("cmp x, y; j.r true; jmp next", &["Cond does not jump to `next` @ next"]);
    branch("j.r true; jmp false", &["`j` reads flags that no comparison has set @ j"]);
    branch("cmp x, y; j.r true; jmp x", &["`jmp` does not take these operands @ jmp"]);
    branch(
        "cmp x, y; ret",
        &[
            "`ret` is not allowed here @ ret",
            "`ret` reads eax, which was never written @ ret",
            "this rule never jumps to `true` @ leap",
            "this rule never jumps to `false` @ leap",
        ],
    );
    check("Jmp:X => jmp next", &[]);
    check("Jmp:X => jmp true", &["Jmp does not jump to `true` @ true"]);
    check(
        "Jmp:X => jmp next; out eax",
        &["Jmp yields no value @ eax", "eax was never written @ eax"],
    );
    check("Add:Is(x, y) => add x, y; jmp next", &["Add does not jump to `next` @ next"]);
    check("Return:Is(m, x in eax) => jmp true", &["Return does not jump to `true` @ true"]);
    check("Phi => jmp next", &["Phi becomes no instruction @ Phi"]);
    check("Block => jmp next", &["Block becomes no instruction @ Block"]);
}

#[test]
fn costs_and_names_of_rules() {
    let sum = "rule a: Add:Is(x, y) => add x, y";
    check(sum, &["rule `a` has no cost @ a"]);
    for cost in ["cycles 1001", "cycles -1"] {
        let expected = format!("a cost is a number from 0 to 1000 @ {cost}");
        check(&format!("{sum}; {cost}"), &[&expected]);
    }
    let costs = "; cycles 1";
    check(&format!("{sum}{costs} {sum}{costs}"), &["there is already a rule `a` @ a"]);
}

#[test]
fn help_suggests_the_closest_name() {
    let help = |text: &str| diagnostics(text)[0].help.clone().unwrap_or_default();
    assert_eq!(help("rule a: Ad:Is(x, y) => add x, y; cycles 1"), "did you mean `Add`?");
    assert_eq!(help("rule a: Add(x in eex, y) => add x, y; cycles 1"), { "did you mean `eax`?" });
    assert_eq!(help("rule a: Add(x, y) => mov eax, x; mov d, eax; cycles 1"), {
        "add `clobbers eax`"
    });
}

#[test]
fn parsing_continues_at_the_next_rule() {
    check(
        "rule a: Add(x y) => add; cycles 1\n\
         rule b: Sub:Is(x, y) => sob x, y; cycles 1\n\
         rule c Sub => x\n\
         rule d: Mull(x, y) => imul x, y; cycles 1\n\
         rule e: Add(x, y) => add x, y; cycles 1",
        &[
            "unexpected `Sub` @ Sub",
            "Add has 2 operands, not 1 @ Add",
            "there is no ia32 instruction `sob` @ sob",
            "there is no operation `Mull` @ Mull",
        ],
    );
}

#[test]
fn files_that_hold_no_rules() {
    for text in ["", " ", "# nothing", "@ch99 rule a: x", "@ch99"] {
        check(text, &["there is no rule in this file @ "]);
    }
    for text in
        ["rule", "rule a", "rule a:", "rule a: Add:Is(x, y", "rule a: Add(x, y) =>", "@ch04"]
    {
        check(text, &["unexpected end of the file @ "]);
    }
    check("\u{20ac}", &["unexpected letters @ \u{20ac}"]);
    check(&format!("rule a: {}", "Add(".repeat(100_000)), &["nested more than 20 deep @ ("]);
    let huge = "9".repeat(100_000);
    let found = diagnostics(&format!("rule a: Add(x, y) => add x, {huge}; cycles 1"));
    assert_eq!(found[0].message, "unexpected letters");
}

#[test]
fn random_bytes_are_rejected() {
    let mut random = Random::new(11);
    for _ in 0..500 {
        let bytes: Vec<u8> = (0..random.below(200)).map(|_| random.word() as u8).collect();
        assert!(!diagnostics(&String::from_utf8_lossy(&bytes)).is_empty());
        let ascii: String = bytes.iter().map(|byte| char::from(byte & 0x7f)).collect();
        assert!(!diagnostics(&ascii).is_empty());
    }
}

#[cfg(feature = "ch04")]
#[test]
fn errors_point_at_the_alternative_and_at_the_rule() {
    let form = "form a: x => x\nform a/b: Const c if od(c) => c\n";
    let text = format!(
        "{form}rule r: Add:Is(x, a y) => add x, y; cycles 1\n\
         rule s: Sub:Is(x, a y) => sub x, y; cycles 1"
    );
    let found = diagnostics(&text);
    // It is reported for the first rule with the alternative.
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(&text[found[0].span.range()], "od");
    let (span, label) = *found[0].also.clone().expect("it is in a form");
    assert_eq!((&text[span.range()], label.as_str()), ("r", "as a part of `r/b`"));

    let text = "form a: Const c => c\nrule r: Add:Is(x, a y) => add y, x; cycles 1";
    let found = diagnostics(text);
    assert_eq!(&text[found[0].span.range()], "add");
    let (span, label) = *found[0].also.clone().expect("it has a form");
    assert_eq!((&text[span.range()], label.as_str()), ("a", "with `a` in its place"));
}

#[cfg(feature = "ch04")]
#[test]
fn factors_of_addresses_are_checked() {
    let rule = |guard: &str, factor: &str| {
        let pattern = "Add:Is(x, Mul:Is(y, Const s))";
        format!("rule a: {pattern}{guard} => lea d, [x + y*{factor}]; cycles 1")
    };
    assert_eq!(diagnostics(&rule(" if scale(s)", "s")), []);
    assert_eq!(diagnostics(&rule(" if one-more-than-scale(s)", "predecessor(s)")), []);
    check(&rule("", "s"), &["the factor of this address is none for s = 0 @ lea"]);
    check(
        &rule(" if one-more-than-scale(s)", "s"),
        &["the factor of this address is none for s = 3 @ lea"],
    );
    check(&rule("", "3"), &["an address is base + index * 1, 2, 4 or 8 + number @ [x + y*3]"]);
}
