//! A `match` without effect.
use super::Found;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Arm, ExprMatch, Pat};

pub fn faults(file: &syn::File) -> Found {
    let mut search = Search(Found::new());
    search.visit_file(file);
    search.0
}

struct Search(Found);

impl<'ast> Visit<'ast> for Search {
    fn visit_expr_match(&mut self, found: &'ast ExprMatch) {
        self.0.extend(fault(&found.arms).map(|it| (found.match_token.span(), it)));
        visit::visit_expr_match(self, found);
    }
}

fn fault(arms: &[Arm]) -> Option<String> {
    let [first, rest @ ..] = arms else { return None };
    // In an enum that has one variant in this chapter, the arm names that variant.
    if rest.is_empty() {
        let is_variant = text(&first.pat).starts_with(char::is_uppercase);
        return (!is_variant).then(|| "a `match` with one arm".to_string());
    }
    if arms.iter().all(|it| text(&it.pat) == text(&it.body)) {
        return Some("a `match` that returns its operand".to_string());
    }
    let same = rest.iter().all(|it| text(&it.body) == text(&first.body));
    (same && !arms.iter().any(binds)).then(|| "a `match` with equal arms".to_string())
}

fn text(part: &impl ToTokens) -> String {
    part.to_token_stream().to_string()
}

/// Whether the pattern or the guard of an arm may decide more than a variant.
fn binds(arm: &Arm) -> bool {
    struct Bindings(bool);
    impl<'ast> Visit<'ast> for Bindings {
        fn visit_pat_ident(&mut self, name: &'ast syn::PatIdent) {
            // A constant or a variant without its type begins with a capital letter.
            self.0 |= name.ident.to_string().starts_with(char::is_lowercase);
            visit::visit_pat_ident(self, name);
        }

        fn visit_field_pat(&mut self, field: &'ast syn::FieldPat) {
            self.0 |= matches!(*field.pat, Pat::Ident(_));
            visit::visit_field_pat(self, field);
        }
    }
    let mut bindings = Bindings(matches!(arm.pat, Pat::Guard(_)));
    bindings.visit_pat(&arm.pat);
    bindings.0
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;

    #[test]
    fn a_match_without_effect_is_found() {
        check("fn f() { match a { b => c } }", &["one arm"]);
        check("fn f() { match a.b(|c| { c }) { A::B => c, } }", &[]);
        check("fn f() { match a.b(|c| { c }) { _ => c, } }", &["one arm"]);
        check("fn f() { match a { A => c, B { .. } => c } }", &["equal arms"]);
        check("fn f() { match a { A => B::A, C => B::C } }", &[]);
        check("fn f() { match a { A::B => A::B, A::C => A::C } }", &["returns its operand"]);
    }

    #[test]
    fn a_match_with_effect_is_no_fault() {
        check("fn f() { match a { A(b) => b.c(), D(b) => b.c() } }", &[]);
        check("fn f() { match a { A => { b } _ => c } }", &[]);
        check("fn f() { match a {} }", &[]);
        check("fn f() { match (A { b: 1 }).c() { A => b, C => d } }", &[]);
    }
}
