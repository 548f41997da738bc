//! The canonical text of a rule is read as the same rule.
use crate::{peepholes, rules};

#[test]
fn rules_print_as_they_are_written() {
    let check = |text: &str| {
        let (trees, errors) = rules(text, 9);
        assert_eq!(errors, [], "{text}");
        let printed: Vec<_> = trees.iter().map(|it| it.to_string()).collect();
        assert_eq!(printed, [text]);
    };
    check("rule a: Const c:Is => mov d, c; cycles 1");
    check("rule and: And:Is(x, y) => and x, y; cycles 1");
    check("rule a: Add:Is(x, Mul:Is(y, Const s)) if s == -4 and imm8(s) => add; cycles 0");
    check("rule a: ordered Cmp.r:Is(x in eax, 7) => set.r t; ret; cycles 1");
    check("rule a: q = Div:Is(x, y), Sub:Is(x, q) => cdq; out eax edx; clobbers si; cycles 1");
    check("rule a: Add(x, y) if before(x, y) => lea [x + y*4 + 3 + log2(c) + -c]; cycles 1");
    check("rule a: Argument k(m) => mov d, [argument k], log2(k), -k; cycles 1");
}

#[test]
fn white_space_comments_and_order_are_canonical() {
    let text = "# A comment.\n@v1 rule a:\n Add( x,y )\n# inside\n=> cycles 2; out eax; add x ,y";
    let (trees, errors) = rules(text, 1);
    assert_eq!(errors, []);
    assert_eq!(trees[0].tag.as_deref(), Some("@v1"));
    let expected = "rule a: Add(x, y) => add x, y; out eax; cycles 2";
    assert_eq!(trees[0].to_string(), expected);
}

#[test]
fn peepholes_print_as_they_are_written() {
    let check = |law: &str| {
        let text =
            format!("peephole p: {law}; decreases weight; example \"arg + 0\" => \"return arg;\"");
        let (trees, errors) = peepholes(&text, 9);
        assert_eq!(errors, [], "{text}");
        assert_eq!(trees[0].to_string(), text);
        assert_eq!(trees[0].law(), law);
    };
    check("Add(x, 0) => x");
    check("Compare.r(x, x) => Compare.r(0, 0)");
    check("s = Add(Add(x, z), y) if term(y) and before(y, z) => Add(Add(x, y), z)");
    check("Mul(Const c, x) => -1");
}

#[test]
fn instructions_are_renamed() {
    let text = "rule a: Add(x, y) => lea.x x, [y + x*2 + argument x + log2(x)], -x, x(x), 3; \
                cycles 1";
    let instruction = &rules(text, 0).0[0].instructions[0];
    let renamed = instruction.renamed(&|name| format!("{name}1"));
    let expected = "lea.x1 x1, [y1 + x1*2 + argument x1 + log2(x1)], -x1, x(x1), 3";
    assert_eq!(renamed.to_string(), expected);
}
