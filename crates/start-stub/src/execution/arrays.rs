//! Executes the stub of arrays, and the functions that report wrong indexes and lengths.
use super::*;
use crate::{
    FIRST_OBJECT, Field, Routine, for_arrays, for_texts, length_function, out_of_bounds_function,
};

/// The output for each word of the command line: the array of `words` with this length, or null for
/// -1. The first of `words` is after the length.
fn printed(name: &str, element: &Field, words: &[u32], lengths: &[&str]) -> String {
    let stub = for_arrays(name, element);
    let function = array_function(words);
    let program = executable(&[stub.function(), Function::new("simple", &function)]);
    execute(Host::detect(), &program.bytes, &strings(lengths)).output
}

/// Returns the first object: an array with these words.
fn array_function(words: &[u32]) -> Vec<u8> {
    let mut code = Vec::new();
    for (word, at) in words.iter().zip((FIRST_OBJECT + 4..).step_by(4)) {
        code.extend([0xc7, 0x05]); // mov DWORD PTR [at],word
        code.extend([at.to_le_bytes(), word.to_le_bytes()].concat());
    }
    code.extend([0x8b, 0x44, 0x24, 0x04]); // mov eax,[esp+4]
    code.extend([0x83, 0xf8, 0xff]); // cmp eax,-1
    code.extend([0x75, 0x03, 0x31, 0xc0, 0xc3]); // jne; xor eax,eax; ret
    code.extend([0x89, 0x05]); // mov [FIRST_OBJECT],eax
    code.extend(FIRST_OBJECT.to_le_bytes());
    code.push(0xb8); // mov eax,FIRST_OBJECT
    code.extend(FIRST_OBJECT.to_le_bytes());
    code.push(0xc3);
    code
}

/// The text of an array.
fn text(name: &str, values: &[&str]) -> String {
    let lines = values.iter().enumerate().map(|(at, value)| format!("  [{at}]={value}\n"));
    format!("Obj<{name}[]> {{\n  #={}\n{}}}\n", values.len(), lines.collect::<String>())
}

#[test]
fn arrays_of_integers_are_printed() {
    let integer = |offset| Field::Integer { offset };
    let words = [5, 7, -9_i32 as u32, i32::MIN as u32];
    let output = printed("int", &integer(4), &words, &["3"]);
    assert_eq!(output, "Obj<int[]> {\n  #=3\n  [0]=5\n  [1]=7\n  [2]=-9\n}\n");
    let output = printed("int", &integer(4), &words, &["0", "-1", "1", "4", "-1"]);
    let all = ["5", "7", "-9", "-2147483648"];
    let parts = ["Obj<int[]> {\n  #=0\n}\n", "null\n", &text("int", &["5"]), &text("int", &all)];
    assert_eq!(output, parts.concat() + "null\n");
    // There may be other words after the length.
    assert_eq!(printed("int", &integer(12), &words, &["2"]), text("int", &["-9", "-2147483648"]));
}

#[test]
fn arrays_may_be_long() {
    let words: Vec<u32> = (0..1200).map(|at| at * 3).collect();
    let values: Vec<_> = words.iter().map(u32::to_string).collect();
    let values: Vec<_> = values.iter().map(String::as_str).collect();
    let output = printed("a_long_name", &Field::Integer { offset: 4 }, &words, &["1200", "11"]);
    assert_eq!(output, text("a_long_name", &values) + &text("a_long_name", &values[..11]));
}

#[test]
fn arrays_of_floats_are_printed() {
    let values = [0.1, -2.5, f64::INFINITY, 1e300, -0.0];
    let words = values.iter().flat_map(|value| {
        let bits = value.to_bits();
        [bits as u32, (bits >> 32) as u32]
    });
    let words: Vec<_> = words.collect();
    let expected = text("float", &["0.1", "-2.5", "Infinity", "1.0E300", "-0.0"]);
    let null = "null\n".to_string();
    let lengths = ["5", "0", "-1", "1"];
    let expected = expected + &text("float", &[]) + &null + &text("float", &["0.1"]);
    for offset in [4, 8] {
        let words = [&[0][..((offset - 4) / 4) as usize], &words].concat();
        assert_eq!(printed("float", &Field::Float { offset }, &words, &lengths), expected);
    }
}

#[test]
fn arrays_of_short_floats_are_printed() {
    let words = [0.1_f32, -2.5, f32::INFINITY, 1e30, -0.0].map(f32::to_bits);
    let texts = ["0.10000000149011612", "-2.5", "Infinity", "1.0000000150474662E30", "-0.0"];
    let element = Field::Single { offset: 4 };
    let expected = text("short", &texts) + &text("short", &[]) + &text("short", &texts[..1]);
    assert_eq!(printed("short", &element, &words, &["5", "0", "1"]), expected);
}

#[test]
fn arrays_of_bytes_are_texts() {
    let words = [u32::from_le_bytes(*b"Hi!\n"), 0x0a_b6_c3_00, 0x80_00_0a_ff];
    let function = array_function(&words);
    let program = executable(&[for_texts().function(), Function::new("simple", &function)]);
    let lengths = strings(&["3", "0", "4", "-1", "1", "8", "12"]);
    let output = execute(Host::detect(), &program.bytes, &lengths).output;
    let invalid = "\u{fffd}";
    let all = format!("Hi!\n\0\u{f6}\n{invalid}\n\0{invalid}\n");
    assert_eq!(output, format!("Hi!\n\nHi!\n\nnull\nH\nHi!\n\0\u{f6}\n\n{all}"));
}

#[test]
fn arrays_of_references_are_printed() {
    let element = Field::Reference { offset: 4, text: "Obj<P>".into() };
    let words = [0, FIRST_OBJECT, 0, 0, 0xffff_fff0];
    let all = ["null", "Obj<P>", "null", "null", "Obj<P>"];
    let output = printed("P", &element, &words, &["5", "1", "2", "-1"]);
    let expected = text("P", &all) + &text("P", &all[..1]) + &text("P", &all[..2]) + "null\n";
    assert_eq!(output, expected);
    // A name may contain brackets.
    let element = Field::Reference { offset: 4, text: "Obj<int[]>".into() };
    let expected = "Obj<int[][]> {\n  #=2\n  [0]=null\n  [1]=Obj<int[]>\n}\n";
    assert_eq!(printed("int[]", &element, &words, &["2"]), expected);
}

/// A program that calls the routine with these words.
fn reporting(routine: &Routine, words: &[i32]) -> Vec<u8> {
    let mut function = Vec::new();
    for word in words.iter().rev() {
        function.push(0x68); // push word
        function.extend(word.to_le_bytes());
    }
    function.extend([0xe8, 0, 0, 0, 0]); // call the function after this one
    let stub = for_each_word();
    let function = Function::new("simple", &function);
    executable(&[stub.function(), function, routine.function()]).bytes
}

/// What a program that calls the routine writes to standard error.
fn report(routine: &Routine, words: &[i32]) -> String {
    let done = execute(Host::detect(), &reporting(routine, words), &strings(&["1", "2"]));
    assert_eq!((done.output.as_str(), done.status), ("", Some(1)));
    done.errors
}

#[test]
fn wrong_indexes_and_lengths_are_reported() {
    let long = "long/".repeat(1000);
    for file in ["a.smp", "", "100 %s%n ä/\u{1f600}\n\"\\:\t.smp", &long] {
        let index = out_of_bounds_function("index", file);
        let length = length_function("length", file);
        assert_eq!(
            report(&index, &[12, 7, 5, 3]),
            format!("{file}:12:7: index 5 out of bounds for length 3\n")
        );
        assert_eq!(
            report(&index, &[i32::MAX, 1, i32::MIN, 0]),
            format!("{file}:2147483647:1: index -2147483648 out of bounds for length 0\n")
        );
        assert_eq!(
            report(&length, &[1, 100_000, -1]),
            format!("{file}:1:100000: no array has length -1\n")
        );
        assert_eq!(
            report(&length, &[10, 2, i32::MAX]),
            format!("{file}:10:2: no array has length 2147483647\n")
        );
    }
}

#[test]
fn a_report_that_cannot_be_written_ends_the_program() {
    let Some(host) = Host::detect() else { return };
    let index = (out_of_bounds_function("index", "a.smp"), vec![1, 2, 3, 4]);
    let length = (length_function("length", "a.smp"), vec![1, 2, 3]);
    for (routine, words) in [index, length] {
        let file = reporting(&routine, &words);
        let full = File::options().write(true).open("/dev/full").unwrap().into();
        let done = host.run_with(&file, &strings(&["1"]), Stdio::piped(), full).unwrap();
        assert_eq!(done, Output { status: Some(1), ..nothing() });
    }
}
