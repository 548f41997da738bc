//! The texts of objects.
use super::*;

#[test]
fn an_object_is_printed_with_its_fields() {
    let fields = ["x", "y"].map(String::from).to_vec();
    let point = ObjectFormat { name: "Point".into(), fields };
    let field = |number| 10 + number as i64;
    assert_eq!(point.text(100, field), "Obj<Point> {\n  x=10\n  y=11\n}");
    assert_eq!(point.text(0, field), "null");
    let empty = ObjectFormat { name: "Empty".into(), fields: Vec::new() };
    assert_eq!(empty.text(100, field), "Obj<Empty> {\n}");
}
