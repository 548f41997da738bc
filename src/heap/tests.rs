//! The texts of objects.
use super::*;

#[test]
fn an_object_is_printed_with_its_fields() {
    let fields = ["x", "y"].into_iter().zip([0, 4]).map(|(name, offset)| FieldFormat {
        name: name.to_string(),
        offset,
        #[cfg(feature = "ch12")]
        value: ValueFormat::Integer,
    });
    let fields = fields.collect();
    let point = ObjectFormat { name: "Point".into(), fields };
    let field = |number| 10 + number as i64;
    assert_eq!(point.text(100, field), "Obj<Point> {\n  x=10\n  y=11\n}");
    assert_eq!(point.text(0, field), "null");
    let empty = ObjectFormat { name: "Empty".into(), fields: Vec::new() };
    assert_eq!(empty.text(100, field), "Obj<Empty> {\n}");
}

#[cfg(feature = "ch12")]
#[test]
fn floats_are_printed_in_fields() {
    let field = FieldFormat { name: "x".into(), offset: 0, value: ValueFormat::Float };
    let of = ObjectFormat { name: "S".into(), fields: vec![field] };
    assert_eq!(of.text(100, |_| floats::bits(-0.5)), "Obj<S> {\n  x=-0.5\n}");
}

#[cfg(feature = "ch13")]
#[test]
fn a_reference_is_printed_as_its_struct_alone() {
    let value = ValueFormat::Reference("T".into());
    let field = FieldFormat { name: "x".into(), offset: 0, value };
    let of = ObjectFormat { name: "S".into(), fields: vec![field] };
    assert_eq!(of.text(100, |_| 200), "Obj<S> {\n  x=Obj<T>\n}");
    assert_eq!(of.text(100, |_| 0), "Obj<S> {\n  x=null\n}");
}

#[test]
fn the_start_stub_prints_null_as_evaluators_do() {
    let stub = ResultFormat::Integer.stub_with_heap();
    let null = format!(r#".ascii "{}\n""#, ObjectFormat::NULL);
    assert!(stub.function().listing.contains(&null));
}
