//! Tests of `branch_relaxation.rs`.
use super::*;
use crate::ia32::encode;
use crate::ia32::parse_assembly::allocated;
use iced_x86::{Decoder, DecoderOptions};

/// Encodes, and checks with an independent decoder that each jump reaches its block, that jumps are
/// short where possible, and that nothing else has changed.
fn checked(text: &str) -> Encoded {
    let code = allocated(text);
    let encoded = encode(&code);
    let mut decoder = Decoder::with_ip(32, &encoded.bytes, 0, DecoderOptions::NONE);
    for (at, instruction) in code.instructions.iter().enumerate() {
        assert_eq!(decoder.position(), encoded.offsets[at] as usize, "before {instruction}");
        let decoded = decoder.decode();
        let Some(target) = instruction.target() else { continue };
        let target = encoded.offsets[code.blocks[target].first as usize];
        assert_eq!(decoded.near_branch32(), target, "{instruction}");
        let long = decoded.len() > 2;
        let saved = if long { decoded.len() as i64 - 2 } else { 0 };
        let distance = i64::from(target) - i64::from(decoded.next_ip32());
        let if_short = if distance < 0 { distance + saved } else { distance };
        assert_eq!(long, i8::try_from(if_short).is_err(), "{instruction} over {distance} bytes");
    }
    assert_eq!(decoder.position(), encoded.bytes.len());
    encoded
}

/// Code of this many bytes.
fn filler(bytes: usize) -> String {
    let small = "cdq; ".repeat(bytes % 5);
    "mov eax,1; ".repeat(bytes / 5) + &small
}

#[test]
fn near_targets_are_reached_by_short_jumps() {
    assert_eq!(checked("b0: jmp b1; b1: ret").bytes, [0xeb, 0x00, 0xc3]);
    assert_eq!(checked("b0: mov eax,1; b1: jg b1; b2: ret").bytes[5..], [0x7f, 0xfe, 0xc3]);
}

#[test]
fn a_short_jump_reaches_128_bytes_back_and_127_forward() {
    let length = |text: String| checked(&text).bytes.len();
    assert_eq!(length(format!("b0: jmp b2; b1: {} b2: ret", filler(127))), 2 + 127 + 1);
    assert_eq!(length(format!("b0: jmp b2; b1: {} b2: ret", filler(128))), 5 + 128 + 1);
    assert_eq!(length(format!("b0: jle b2; b1: {} b2: ret", filler(128))), 6 + 128 + 1);
    assert_eq!(length(format!("b0: {} jl b0; b1: ret", filler(126))), 126 + 2 + 1);
    assert_eq!(length(format!("b0: {} jl b0; b1: ret", filler(127))), 127 + 6 + 1);
    assert_eq!(length(format!("b0: {} jmp b0; b1: ret", filler(127))), 127 + 5 + 1);
}

#[test]
fn a_jump_that_grows_may_make_others_grow() {
    // Each jumps over the next one, and reaches its target only if that is short.
    let mut text = String::from("b0: ");
    for at in 0..50 {
        text += &format!("jmp b{}; b{}: {} ", (at + 2).min(51), at + 1, filler(125));
    }
    assert_eq!(checked(&format!("{text} b51: ret")).bytes.len(), 50 * (2 + 125) + 1);
    let text = format!("{text} {} b51: ret", filler(5));
    assert_eq!(checked(&text).bytes.len(), 50 * (5 + 125) + 5 + 1);
}

#[test]
fn many_jumps_over_many_distances_find_their_blocks() {
    let mut state = 1u64;
    let mut random = |limit: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % limit
    };
    for blocks in [3, 30, 300] {
        let mut text = String::new();
        for at in 0..blocks {
            text += &format!("b{at}: {}", filler(random(40)));
            let target = (at + random(9)).saturating_sub(random(9)).min(blocks);
            text += &format!("jne b{target}; ");
        }
        checked(&format!("{text} b{blocks}: ret"));
    }
}

#[test]
fn a_hundred_thousand_jumps_are_relaxed() {
    let blocks = 100_000;
    let line = |at: usize| format!("b{at}: {} jl b{}; ", filler(20), (at + 7).min(blocks));
    let text = (0..blocks).map(line).collect::<String>();
    assert!(checked(&format!("{text} b{blocks}: ret")).bytes.len() > 100_000 * 25);
}
