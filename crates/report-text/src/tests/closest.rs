//! Tests of `closest.rs`.
use super::*;

#[test]
fn the_most_similar_name_is_suggested() {
    let names = ["width", "height", "depth"];
    assert_eq!(closest("widht", names.into_iter()), Some("width"), "one exchange");
    assert_eq!(closest("wdht", names.into_iter()), None, "two letters of four are too many");
    assert_eq!(closest("heigth", names.into_iter()), Some("height"));
    assert_eq!(closest("wdth", names.into_iter()), Some("width"));
    assert_eq!(closest("x", names.into_iter()), None);
    assert_eq!(closest("i", ["s"].into_iter()), None, "one letter is similar to all others");
    assert_eq!(edit_distance("kitten", "sitting"), 3);
    assert_eq!(edit_distance("coutn", "count"), 1);
    assert_eq!(edit_distance("ab", "ba"), 1);
    assert_eq!(edit_distance("", "abc"), 3);
}
