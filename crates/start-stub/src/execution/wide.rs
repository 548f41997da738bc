//! Integers of two words.
use super::{edges, execute, strings};
use crate::{Field, Routine, for_wide_arrays, for_wide_integers, for_wide_objects};
use elf::{Function, executable};
use emulate::native::{Host, Output};

/// Returns its argument: mov edx,[esp+8]; mov [esp+12],edx; mov eax,[esp+4]; ret
const IDENTITY: &[u8] = &[0x8b, 0x54, 0x24, 8, 0x89, 0x54, 0x24, 12, 0x8b, 0x44, 0x24, 4, 0xc3];

/// An object at the start of the heap whose words are those of the argument, and again:
/// mov eax,0x10000010; mov edx,[esp+4]; mov [eax],edx; mov [eax+8],edx; mov edx,[esp+8];
/// mov [eax+4],edx; mov [eax+12],edx; ret
const OBJECT: &[u8] = &[
    0xb8, 0x10, 0, 0, 0x10, 0x8b, 0x54, 0x24, 4, 0x89, 0x10, 0x89, 0x50, 8, 0x8b, 0x54, 0x24, 8,
    0x89, 0x50, 4, 0x89, 0x50, 12, 0xc3,
];

/// What is printed, and the word that is refused.
#[track_caller]
fn check(stub: &Routine, function: &[u8], words: &[String], output: &str, refused: Option<&str>) {
    let program = executable(&[stub.function(), Function::new("simple", function)]).bytes;
    let errors = refused.map(|word| format!("sonc: not a 64-bit integer: {word}\n"));
    let status = Some(if refused.is_some() { 2 } else { 0 });
    let errors = errors.unwrap_or_default();
    let expected = Output { output: output.to_string(), errors, status };
    assert_eq!(execute(Host::detect(), &program, words), expected, "{words:?}");
}

#[test]
fn wide_integers_are_read_and_printed() {
    let stub = for_wide_integers();
    check(&stub, IDENTITY, &[], "0\n", None);
    let numbers = edges().into_iter().flat_map(|it| [it, it.wrapping_add(7), it / 10, it / 1000]);
    for numbers in numbers.collect::<Vec<_>>().chunks(50) {
        let words: Vec<_> = numbers.iter().map(i64::to_string).collect();
        let lines: String = words.iter().map(|word| format!("{word}\n")).collect();
        check(&stub, IDENTITY, &words, &lines, None);
    }
    let words = strings(&["+9223372036854775807", "-0", "00000000000000000000000000007", "+0"]);
    check(&stub, IDENTITY, &words, "9223372036854775807\n0\n7\n0\n", None);
}

#[test]
fn larger_integers_are_refused() {
    let stub = for_wide_integers();
    let long = "1".repeat(100);
    for word in [
        "9223372036854775808",
        "-9223372036854775809",
        "9223372036854775810",
        "-9223372036854775810",
        "92233720368547758070",
        "18446744073709551616",
        "-18446744073709551616",
        "10000000000000000000000",
        &long,
        "",
        "-",
        "+-1",
        "1a",
        "0x1",
    ] {
        check(&stub, IDENTITY, &strings(&["5", word, "6"]), "5\n", Some(word));
    }
}

#[test]
fn fields_of_all_widths_are_printed() {
    let fields = [
        Field::Wide { offset: 0 },
        Field::Narrow { offset: 8, bytes: 4, has_sign: false },
        Field::Narrow { offset: 8, bytes: 4, has_sign: true },
        Field::Narrow { offset: 8, bytes: 2, has_sign: true },
        Field::Narrow { offset: 9, bytes: 1, has_sign: false },
    ];
    let texts = ["Obj<S> {\n  a=", "  b=", "  c=", "  d=", "  e=", "}\n"].map(String::from);
    let stub = for_wide_objects(&texts, &fields);
    for number in edges() {
        let [natural, word] = [i64::from(number as u32), i64::from(number as i32)];
        let (half, byte) = (number as i16, (number >> 8) as u8);
        let output = format!(
            "Obj<S> {{\n  a={number}\n  b={natural}\n  c={word}\n  d={half}\n  e={byte}\n}}\n"
        );
        check(&stub, OBJECT, &[number.to_string()], &output, None);
    }
}

#[test]
fn arrays_of_wide_integers_are_printed() {
    // The length is the low word of the argument, and the first element is the whole of it.
    let stub = for_wide_arrays("int", &Field::Wide { offset: 8 });
    let number = 1 | -5_i64 << 32;
    let output = format!("Obj<int[]> {{\n  #=1\n  [0]={number}\n}}\n");
    check(&stub, OBJECT, &[number.to_string()], &output, None);
}
