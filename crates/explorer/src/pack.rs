//! Packed texts: compressed, and written in base 64, so that an element of a page can contain them.
//! This is the only file that uses miniz_oxide.
use miniz_oxide::deflate::compress_to_vec_zlib;

/// How hard the compressor looks for repetitions: from 1 to 10.
const EFFORT: u8 = 8;

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Packs a text. The page unpacks it when it is needed.
pub fn pack(text: &str) -> String {
    base64(&compress_to_vec_zlib(text.as_bytes(), EFFORT))
}

/// Three bytes are four digits; the last ones are filled up with `=`.
fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let digit = char::from(DIGITS[(bits >> (18 - 6 * at) & 63) as usize]);
            text.push(if at <= group.len() { digit } else { '=' });
        }
    }
    text
}

/// The text that was packed.
#[cfg(test)]
pub fn unpack(packed: &str) -> String {
    let digits = packed.bytes().filter_map(|it| DIGITS.iter().position(|digit| *digit == it));
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0, 0);
    for digit in digits {
        (bits, count) = (bits << 6 | digit, count + 6);
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    let bytes = miniz_oxide::inflate::decompress_to_vec_zlib(&bytes).expect("zlib");
    String::from_utf8(bytes).expect("a text")
}

#[test]
fn a_text_is_unpacked() {
    assert_eq!(base64(b"light w"), "bGlnaHQgdw==");
    for text in ["", "a", "ab", "abc", "Größe ∞ ".repeat(500).as_str()] {
        assert_eq!(unpack(&pack(text)), text);
    }
}
