//! The graph as text that reads back as the same graph.
//!
//! A term that occurs more than once is bound by a let. All lets are outermost: a let is a
//! substitution, so a name may be used in any scope.
use super::graph::{Graph, NodeId, Value};
use super::op::Op;
use super::term::{Head, TermId, Terms};
use super::types::{Kind, infer};
use arena::SideTable;

/// The text of a program.
pub fn print(graph: &Graph) -> String {
    let (terms, root) = terms(graph, |_| false);
    let names = names(&terms, root);
    let mut text = String::new();
    let named = terms.ids().filter(|&id| names[id] > 0);
    for id in named {
        text += &format!("(?{} ", names[id]);
        write(&terms, &names, id, &mut text);
        text += "\n";
    }
    write(&terms, &names, root, &mut text);
    let lets = terms.ids().filter(|&id| names[id] > 0).count();
    text + &")".repeat(lets) + "\n"
}

/// The terms of a graph, and the term of the program. In loops, each result that is a state is
/// passed by a force without values: a loop that does not end is no equal of one that does.
#[cfg(feature = "ch28")]
pub fn terms_with_passes(graph: &Graph) -> (Terms, TermId) {
    let types = infer(graph).ok();
    terms(graph, |it| types.as_ref().is_some_and(|types| types.kind(it) == Kind::State))
}

/// The terms of a graph, and the term of the program; `is_passed` holds for the states that
/// loops pass by a force.
fn terms(graph: &Graph, is_passed: impl Fn(Value) -> bool) -> (Terms, TermId) {
    let mut terms = Terms::default();
    let mut made: SideTable<NodeId, Option<TermId>> = SideTable::new(graph.len());
    for region in graph.inside_out() {
        for &id in &graph.region(region).nodes {
            let results = results(graph, &mut terms, &made, id, &is_passed);
            made[id] = node(graph, &mut terms, &made, id, results);
            #[cfg(feature = "ch28")]
            if let (Some(term), Some(origin)) = (made[id], graph.origin(id)) {
                terms.note_place(term, origin);
            }
        }
    }
    let main = graph.region(graph.main);
    let results: Vec<_> =
        main.results.iter().map(|&it| value(graph, &mut terms, &made, it)).collect();
    let (inputs, outputs) = (graph.arity(graph.main), results.len() as u32);
    let root = terms.intern(Head::Function { inputs, outputs }, &results);
    (terms, root)
}

fn value(
    graph: &Graph,
    terms: &mut Terms,
    made: &SideTable<NodeId, Option<TermId>>,
    of: Value,
) -> TermId {
    match (graph.op(of.node), made[of.node]) {
        (Op::Arguments, _) => terms.intern(Head::Argument(of.output), &[]),
        (Op::Loop | Op::Switch | Op::Call | Op::Force, Some(tuple)) => {
            terms.intern(Head::Component(of.output), &[tuple])
        }
        (_, Some(term)) => term,
        (_, None) => unreachable!("operands are before their users"),
    }
}

/// The terms of the results of a node's regions.
fn results(
    graph: &Graph,
    terms: &mut Terms,
    made: &SideTable<NodeId, Option<TermId>>,
    id: NodeId,
    is_passed: impl Fn(Value) -> bool,
) -> Vec<TermId> {
    let results = graph.inner(id).iter().flat_map(|&region| &graph.region(region).results);
    let mut found = Vec::new();
    for &result in results {
        let mut term = value(graph, terms, made, result);
        if graph.op(id) == Op::Loop && is_passed(result) {
            let tuple = terms.intern(Head::Force, &[term]);
            term = terms.intern(Head::Component(0), &[tuple]);
        }
        found.push(term);
    }
    found
}

/// The term of a node: its operands, then the results of its regions.
fn node(
    graph: &Graph,
    terms: &mut Terms,
    made: &SideTable<NodeId, Option<TermId>>,
    id: NodeId,
    results: Vec<TermId>,
) -> Option<TermId> {
    let inner = graph.inner(id);
    let outputs = inner.first().map_or(0, |&it| graph.region(it).results.len() as u32);
    let head = match graph.op(id) {
        Op::Arguments => return None,
        Op::Number(number) => Head::Number(number),
        Op::Operator(operator) => Head::Operator(operator),
        Op::Use => Head::Use,
        Op::Force => Head::Force,
        Op::Loop => Head::Loop,
        Op::Switch => Head::Switch { cases: inner.len() as u32, outputs },
        Op::Function => {
            let inputs = graph.arity(inner[0]) - graph.operands(id).len() as u32;
            Head::Function { inputs, outputs }
        }
        Op::Call => Head::Call,
    };
    let mut operands: Vec<_> =
        graph.operands(id).iter().map(|&it| value(graph, terms, made, it)).collect();
    operands.extend(results);
    Some(terms.intern(head, &operands))
}

/// The number of each term that is bound by a let, from 1; 0 for all others.
fn names(terms: &Terms, root: TermId) -> SideTable<TermId, u32> {
    let mut uses: SideTable<TermId, u32> = SideTable::new(terms.len());
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        uses[id] += 1;
        if uses[id] == 1 {
            open.extend(terms.operands(id));
        }
    }
    let mut names: SideTable<TermId, u32> = SideTable::new(terms.len());
    let is_shared = |id: &TermId| uses[*id] > 1 && !terms.operands(*id).is_empty();
    for (at, id) in terms.ids().filter(is_shared).enumerate() {
        names[id] = at as u32 + 1;
    }
    names
}

enum Piece {
    Term(TermId),
    Close,
}

/// Writes a term in full; those inside of it that have names, by their names.
fn write(terms: &Terms, names: &SideTable<TermId, u32>, id: TermId, text: &mut String) {
    let mut open = vec![Piece::Term(id)];
    let mut is_first = true;
    while let Some(piece) = open.pop() {
        let Piece::Term(term) = piece else {
            text.push(')');
            continue;
        };
        if !is_first {
            text.push(' ');
        }
        match names[term] {
            name if name > 0 && !is_first => *text += &format!("?{name}"),
            _ if terms.operands(term).is_empty() && is_atom(terms.head(term)) => {
                *text += &word(terms.head(term));
            }
            _ => {
                *text += &format!("({}", word(terms.head(term)));
                open.push(Piece::Close);
                open.extend(terms.operands(term).iter().rev().map(|&it| Piece::Term(it)));
            }
        }
        is_first = false;
    }
}

fn is_atom(head: Head) -> bool {
    matches!(head, Head::Number(_) | Head::Argument(_))
}

/// The word that a term begins with.
pub fn word(head: Head) -> String {
    match head {
        Head::Number(number) => number.to_string(),
        Head::Argument(number) | Head::Component(number) => format!("get-{number}"),
        Head::Operator(operator) => operator.word().to_string(),
        Head::Use => "use".to_string(),
        Head::Force => "force".to_string(),
        Head::Loop => "loop".to_string(),
        Head::Call => "call".to_string(),
        Head::Switch { cases, outputs } => format!("switch-{cases}-cases-{outputs}-outputs"),
        Head::Function { inputs, outputs } => format!("func-{inputs}-inputs-{outputs}-outputs"),
    }
}
