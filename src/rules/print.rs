//! Prints patterns and instructions in the syntax of rule files.
use super::Guard;
use super::pattern::{NameId, Operand, Pattern};
use super::required_patterns::{GuardedPattern, has_attribute};

/// The texts of the names of a pattern, indexed by `NameId`.
pub fn names(pattern: &Pattern) -> Vec<String> {
    let mut names = Vec::new();
    let mut counts = [0; KINDS.len()];
    collect(pattern, &mut names, &mut counts);
    names
}

/// The letters for values, numbers, relations and operations, in the order of their use.
const KINDS: [&str; 4] = ["xyzuvwpq", "cksnij", "rg", "o"];

fn collect(pattern: &Pattern, names: &mut Vec<String>, counts: &mut [usize; KINDS.len()]) {
    pattern.name.into_iter().for_each(|name_id| call(name_id, 3, names, counts));
    if let Some(name_id) = pattern.binds {
        call(name_id, if pattern.op.has_relation() { 2 } else { 1 }, names, counts);
    }
    for operand in &pattern.operands {
        match operand {
            Operand::Memory => {}
            Operand::Value(name_id) | Operand::Repeated(name_id) => {
                call(*name_id, 0, names, counts)
            }
            Operand::Node(inner) => collect(inner, names, counts),
        }
    }
}

/// Names an id that has no name. Ids occur in ascending order.
fn call(name_id: NameId, kind: usize, names: &mut Vec<String>, counts: &mut [usize; KINDS.len()]) {
    if usize::from(name_id) < names.len() {
        return;
    }
    let (number, letters) = (counts[kind], KINDS[kind].len());
    let letter = &KINDS[kind][number % letters..][..1];
    let suffix = number / letters;
    names.push(if suffix == 0 { letter.to_string() } else { format!("{letter}{suffix}") });
    counts[kind] += 1;
}

impl GuardedPattern {
    /// The pattern, followed by its guards.
    pub fn text(&self) -> String {
        format!("{}{}", self.pattern_text(), self.guards_text())
    }

    pub fn pattern_text(&self) -> String {
        pattern(&self.pattern, &names(&self.pattern))
    }

    /// Empty without guards, else with a leading space.
    pub fn guards_text(&self) -> String {
        let names = names(&self.pattern);
        let text = |guard: &Guard| match guard {
            Guard::Equal(name_id, number) => {
                format!("{} == {number}", names[usize::from(*name_id)])
            }
            Guard::Property(name_id, property) => {
                format!("{}({})", property.name, names[usize::from(*name_id)])
            }
            Guard::Unshared(name_id) => format!("unshared({})", names[usize::from(*name_id)]),
            Guard::Natural(name_id) => format!("natural({})", names[usize::from(*name_id)]),
            Guard::Complements(one, other) => {
                let [one, other] = [one, other].map(|it| &names[usize::from(*it)]);
                format!("complements({one}, {other})")
            }
        };
        let guards: Vec<_> = self.guards.iter().map(text).collect();
        if guards.is_empty() { String::new() } else { format!(" if {}", guards.join(" and ")) }
    }
}

fn pattern(pattern: &Pattern, names: &[String]) -> String {
    let name = pattern.name.map(|name_id| format!("{} = ", names[usize::from(name_id)]));
    let head = name.unwrap_or_default() + &head(pattern, names);
    let operand = |operand: &Operand| match operand {
        Operand::Memory => "m".to_string(),
        Operand::Value(name_id) | Operand::Repeated(name_id) => {
            names[usize::from(*name_id)].clone()
        }
        Operand::Node(inner) => self::pattern(inner, names),
    };
    let operands: Vec<_> = pattern.operands.iter().map(operand).collect();
    if operands.is_empty() { head } else { format!("{head}({})", operands.join(", ")) }
}

/// An operation with its number or relation, and its mode.
pub fn head(pattern: &Pattern, names: &[String]) -> String {
    let row = pattern.op.row();
    let attribute = pattern.binds.filter(|_| has_attribute(pattern.op));
    let attribute = attribute.map_or(String::new(), |name_id| {
        let sign = if pattern.op.has_relation() { '.' } else { ' ' };
        format!("{sign}{}", names[usize::from(name_id)])
    });
    let ordered = if pattern.ordered { "ordered " } else { "" };
    format!("{ordered}{}{attribute}:{}", row.name, pattern.mode.name())
}
