//! Reports about rules that consist of a written rule and of alternatives of forms.
use crate::diagnostics::Diagnostic;
use rule_text::{Alternative, Identifier};

/// The errors of an expanded rule that `known` does not have yet: many rules share an alternative.
/// An error in an alternative points at the rule, too, and an error in the rule at the alternative.
pub fn with_forms(
    errors: Vec<Diagnostic>,
    (rule, alternatives): &(Identifier, Vec<Alternative>),
    known: &[Diagnostic],
) -> Vec<Diagnostic> {
    let is_known = |it: &Diagnostic| {
        let is_same = |other: &Diagnostic| (other.span, &other.message) == (it.span, &it.message);
        known.iter().any(is_same)
    };
    let errors = errors.into_iter().filter(|it| !is_known(it));
    let Some(last) = alternatives.last() else { return errors.collect() };
    let with_form = |error: Diagnostic| {
        let is_inside = |it: &Alternative| {
            it.span.range().start <= error.span.range().start
                && error.span.range().end <= it.span.range().end
        };
        let (span, label) = if alternatives.iter().any(is_inside) {
            (rule.span, format!("as a part of `{rule}`"))
        } else {
            (last.name.span, format!("with `{}` in its place", last.name))
        };
        Diagnostic { also: Some(Box::new((span, label))), ..error }
    };
    errors.map(with_form).collect()
}
