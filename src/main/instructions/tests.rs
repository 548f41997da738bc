//! The sentences about instructions.
use super::*;

#[test]
fn instructions_are_explained() {
    const ROWS: &[(&str, Option<&str>)] = &[
        ("    mov v0,DWORD PTR [argument 0]", Some("Copies DWORD PTR [argument 0] to v0.")),
        (
            "  12  lea v1,[v2+4]   |  |",
            Some(
                "Computes the address [v2+4] and puts it into v1. \
            It is used for sums: no memory is read.",
            ),
        ),
        ("    xor v1,v1", Some("Sets v1 to 0.")),
        ("    test v5,v5", Some("Compares v5 with 0; the flags have the result.")),
        ("    imul v1,v2,0x7", Some("Puts the product of v2 and 0x7 into v1.")),
        ("    jmp b1(v1,v2)", Some("Jumps to b1(v1,v2).")),
        ("    setne al", Some("Puts 1 into al if the flags say “not equal”, and 0 otherwise.")),
        ("b0:", None),
        (".text", None),
    ];
    for (line, sentence) in ROWS {
        assert_eq!(explained(line).as_deref(), *sentence, "{line}");
    }
}

/// The instructions that rules emit; those with a name of their own are printed by another one.
#[test]
fn each_instruction_of_a_rule_has_a_sentence() {
    const OF_RULES: &[&str] = &[
        "zero", "zerosd", "retsd", "jmpf", "jmpv", "callpair", "callsd", "retpair", "movzxh",
        "movsxh", "movb", "movh", "cmpb", "cmph", "addb", "subb", "addh", "subh",
    ];
    let (rules, errors) = rule_text::rules(include_str!("../../ia32/ia32.rules"), u32::MAX);
    assert!(errors.is_empty());
    let names = rules.iter().flat_map(|it| &it.instructions).map(|it| &it.mnemonic.text);
    let known = |name: &str| SENTENCES.iter().any(|it| it.0 == name) || OF_RULES.contains(&name);
    let missing: Vec<&String> = names.filter(|it| !known(it)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
