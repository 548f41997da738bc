//! Pictures of code.
use super::super::dot::picture;
use super::super::parse_assembly::code;
use picture::Endpoint;

fn end(end: &Endpoint) -> String {
    let port = end.port.iter().map(|port| format!(":{port}"));
    end.node.clone() + &port.collect::<String>()
}

#[test]
fn each_block_is_a_table_with_edges_from_the_jumps_that_lead_to_it() {
    let picture = picture(&code(
        "b0: const v0,1; jmp b1(v0); b1(v1): cmpi.lt v2,v1,9; cond v2,b2,b3; \
         b2: addi v3,v1,1; jmp b1(v3); b3: return v1",
    ));
    let table = |at: usize| picture.nodes[at].rows.iter().map(|row| row[0].text.as_str());
    assert!(table(0).eq(["b0", "const v0,1", "jmp b1(v0)"]));
    assert!(table(1).eq(["b1(v1)", "cmpi.lt v2,v1,9", "cond v2,b2,b3"]));
    let edges = picture.edges.iter().map(|edge| (end(&edge.from), end(&edge.to)));
    let expected = [("b1", "b0:i1"), ("b2", "b1:i3"), ("b3", "b1:i3"), ("b2:i5", "b1")];
    assert!(edges.eq(expected.map(|(from, to)| (from.to_string(), to.to_string()))));
}

#[test]
fn what_does_not_fit_is_counted() {
    let sums = (0..1000).map(|at| format!("const v{at},1; ")).collect::<String>();
    let blocks = "jmp b1; b1: jmp b2; b2: return v0";
    let picture = picture(&code(&format!("b0: {sums}{blocks}")));
    assert_eq!(picture.nodes[0].rows.len(), 202);
    assert_eq!(picture.nodes[0].rows[201][0].text, "… 801 more instructions");
    assert_eq!(picture.nodes[1].rows[0][0].text, "… 2 more blocks");
}
