use super::*;

#[test]
fn an_object_is_printed_with_its_fields() {
    let fields = ["x", "y"].map(String::from).to_vec();
    let point = ObjectFormat { name: "Point".into(), fields };
    let load = |address| Ok::<_, ()>(i64::from(address) - 90);
    assert_eq!(point.text(100, load).unwrap(), "Obj<Point> {\n  x=10\n  y=14\n}");
    assert_eq!(point.text(0, load).unwrap(), "null");
    let empty = ObjectFormat { name: "Empty".into(), fields: Vec::new() };
    assert_eq!(empty.text(100, load).unwrap(), "Obj<Empty> {\n}");
}
