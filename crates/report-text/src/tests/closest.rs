//! Tests of `diagnostics.rs`.
use super::*;

#[test]
fn the_most_similar_name_is_suggested() {
    let names = ["width", "height", "depth"];
    assert_eq!(closest("widht", names.into_iter()), None, "two letters of five are too many");
    assert_eq!(closest("heigth", names.into_iter()), Some("height"));
    assert_eq!(closest("wdth", names.into_iter()), Some("width"));
    assert_eq!(closest("x", names.into_iter()), None);
    assert_eq!(edit_distance("kitten", "sitting"), 3);
}
