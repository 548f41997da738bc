//! How many edges leave each node of a file.
use gxl::{IdTable, Kind, ReadError};
use std::io::BufRead;

const FILE: &str = "<gxl><graph><type href='#Tree'/>
    <edge from='root' to='left'><type href='#Child'/></edge>
    <edge from='root' to='right'><type href='#Child'/></edge>
    <node id='root'><type href='#Inner'/></node>
    <node id='left'><type href='#Leaf'/></node>
    <node id='right'><type href='#Leaf'/></node></graph></gxl>";

fn degrees(input: &mut dyn BufRead) -> Result<Vec<(String, usize)>, ReadError> {
    let (mut ids, mut counts) = (IdTable::default(), Vec::new());
    gxl::read(input, &["Tree"], &mut |element| {
        let id = if element.kind == Kind::Edge { element.from } else { element.id };
        let number = ids.number(id.unwrap_or_default()).map(|(number, _)| number as usize);
        let number = number.ok_or_else(|| ReadError::new(element.offset, "Too many ids", ""))?;
        counts.resize(counts.len().max(number + 1), 0);
        counts[number] += usize::from(element.kind == Kind::Edge);
        Ok(())
    })?;
    Ok((0..).zip(counts).map(|(number, count)| (ids.get(number), count)).collect())
}

fn main() {
    let found = degrees(&mut FILE.as_bytes()).expect("the file is sound");
    found.iter().for_each(|(id, count)| println!("{id}: {count}"));
    let expected = [("root", 2), ("left", 0), ("right", 0)];
    assert_eq!(found, expected.map(|(id, count)| (id.to_string(), count)));
}

#[test]
fn the_example_holds() {
    main();
}
