//! Jumps in rules: the names of their targets, and relations by name.
use super::OperandTemplate;
use super::resolve::Resolver;
use crate::arith::Relation;
use crate::firm::Op;
use rule_text::Identifier;

/// The targets of an operation: their names in rules, and the value of the condition for them.
pub fn blocks(op: Op) -> &'static [(&'static str, bool)] {
    match op {
        Op::Jmp => &[("next", true)],
        Op::Cond => &[("true", true), ("false", false)],
        _ => &[],
    }
}

/// A relation that the rule names, though its pattern binds none: eq, ne, lt, …
pub fn relation(word: &Identifier) -> Option<OperandTemplate> {
    let named = |it: &Relation| it.row().name.to_lowercase() == word.text;
    let relations = Relation::ALL.into_iter();
    #[cfg(feature = "ch12")]
    let relations = relations.chain(Relation::UNSIGNED);
    let mut relations = relations;
    relations.find(named).map(OperandTemplate::Relation)
}

impl Resolver<'_> {
    /// The block of this name.
    pub fn block(&mut self, word: &Identifier) -> Option<OperandTemplate> {
        let root = self.root?;
        let of = |op: Op| blocks(op).iter().find(|(name, _)| *name == word.text);
        if let Some((_, truth)) = of(root) {
            return Some(OperandTemplate::Block(*truth));
        }
        of(Op::Jmp).or(of(Op::Cond))?;
        let names: Vec<_> = blocks(root).iter().map(|(name, _)| format!("`{name}`")).collect();
        let targets = if names.is_empty() { "no block".to_string() } else { names.join(" or ") };
        let message = format!("{} does not jump to `{}`", root.row().name, word.text);
        self.report(word.span, message, &format!("it jumps to {targets}"));
        Some(OperandTemplate::Block(true))
    }
}
