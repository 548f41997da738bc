//! The lines of a public item: declarations without their bodies, as the source has them.
use super::module::is_public;
use super::{Line, Name, Rank};
use proc_macro2::{Span, TokenTree};
use syn::spanned::Spanned;
use syn::{Attribute, Fields, Generics, ImplItem, Item, TraitItem, Type};

type Found = Result<Vec<Line>, String>;

/// Reads declarations in the text of a file.
pub struct Declarations<'a> {
    pub text: &'a str,
}

impl Declarations<'_> {
    /// The lines of an item; none if it is not public. `resolve` finds the public path of a name.
    pub fn of_item(&self, item: &Item, resolve: &dyn Fn(&str) -> Name) -> Found {
        if let Item::Impl(it) = item {
            return Ok(self.of_impl(it, resolve));
        }
        let path = |name: &dyn ToString| match resolve(&name.to_string()) {
            Name::Public(path) => Some(path),
            Name::Private | Name::Foreign => None,
        };
        let line = |owner, text| vec![Line { owner, rank: Rank::Declaration, text }];
        Ok(match item {
            Item::Const(it) => path(&it.ident)
                .map(|owner| line(owner, self.cut(it.const_token.span(), it.ty.span()))),
            Item::Fn(it) => path(&it.sig.ident).map(|owner| line(owner, self.of(&it.sig))),
            Item::Type(it) => path(&it.ident)
                .map(|owner| line(owner, self.cut(it.type_token.span(), it.ty.span()))),
            Item::Enum(it) => path(&it.ident).map(|owner| self.of_enum(it, &owner)),
            Item::Struct(it) => path(&it.ident).map(|owner| self.of_struct(it, &owner)),
            Item::Trait(it) => path(&it.ident).map(|owner| self.of_trait(it, &owner)),
            Item::Macro(it) => Some(self.of_macro(it, &path)),
            Item::Static(syn::ItemStatic { ident, .. })
            | Item::Union(syn::ItemUnion { ident, .. })
                if path(ident).is_some() =>
            {
                return Err(format!("the listing has no form for `{ident}`"));
            }
            _ => None,
        }
        .unwrap_or_default())
    }

    fn of_enum(&self, item: &syn::ItemEnum, owner: &str) -> Vec<Line> {
        let head = self.head(item.enum_token.span(), &item.ident, &item.generics);
        let mut lines = vec![of_type(owner, &item.attrs, head)];
        for variant in &item.variants {
            let fields = variant.fields.iter().map(|field| match &field.ident {
                Some(name) => format!("{name}: {}", self.of(&field.ty)),
                None => self.of(&field.ty),
            });
            let fields = fields.collect::<Vec<_>>().join(", ");
            let fields = match &variant.fields {
                Fields::Named(_) => format!(" {{ {fields} }}"),
                Fields::Unnamed(_) => format!("({fields})"),
                Fields::Unit => String::new(),
            };
            let text = format!("{}{}{fields}", marks(&variant.attrs), variant.ident);
            lines.push(Line { owner: owner.to_string(), rank: Rank::Field, text });
        }
        lines.extend(derives(owner, &item.attrs));
        lines
    }

    fn of_struct(&self, item: &syn::ItemStruct, owner: &str) -> Vec<Line> {
        let head = self.head(item.struct_token.span(), &item.ident, &item.generics);
        // A program makes a value by its fields only if all are public.
        let fields = match &item.fields {
            _ if item.fields.iter().all(|it| is_public(&it.vis)) => "",
            Fields::Named(_) => " { .. }",
            Fields::Unnamed(_) | Fields::Unit => "(..)",
        };
        let mut lines = vec![of_type(owner, &item.attrs, head + fields)];
        let fields = item.fields.iter().enumerate().filter(|(_, it)| is_public(&it.vis));
        lines.extend(fields.map(|(at, field)| {
            let name = field.ident.as_ref().map_or(at.to_string(), ToString::to_string);
            let text = format!("{name}: {}", self.of(&field.ty));
            Line { owner: owner.to_string(), rank: Rank::Field, text }
        }));
        lines.extend(derives(owner, &item.attrs));
        lines
    }

    fn of_trait(&self, item: &syn::ItemTrait, owner: &str) -> Vec<Line> {
        let start = item.trait_token.span();
        let end = item.generics.where_clause.as_ref().map(Spanned::span);
        let end = end.or_else(|| item.supertraits.last().map(Spanned::span));
        let head = match end {
            Some(end) => self.cut(start, end),
            None => self.head(start, &item.ident, &item.generics),
        };
        let mut lines = vec![of_type(owner, &item.attrs, head)];
        for member in &item.items {
            // A provided method need not be implemented.
            let text = match member {
                TraitItem::Fn(it) if it.default.is_some() => self.of(&it.sig) + " { … }",
                TraitItem::Fn(it) => self.of(&it.sig),
                _ => self.of(member),
            };
            let text = text.trim_end_matches(';').to_string();
            lines.push(Line { owner: owner.to_string(), rank: Rank::Member, text });
        }
        lines
    }

    /// The public members of a type, or the implementation of a trait, where both are public.
    fn of_impl(&self, item: &syn::ItemImpl, resolve: &dyn Fn(&str) -> Name) -> Vec<Line> {
        let place = type_name(&item.self_ty).map_or(Name::Foreign, |it| resolve(&it));
        let header = self.implementation(item);
        let Some((implemented, _)) = &item.trait_ else {
            let Name::Public(owner) = place else { return Vec::new() };
            let members = item.items.iter().filter_map(|it| self.of_member(it));
            let has_header = !item.generics.params.is_empty();
            let text = |it| if has_header { format!("{header} {{ {it} }}") } else { it };
            return members
                .map(|it| Line { owner: owner.clone(), rank: Rank::Member, text: text(it) })
                .collect();
        };
        let name = implemented.segments.last().map(|it| it.ident.to_string());
        let owner = match (place, name.map_or(Name::Foreign, |it| resolve(&it))) {
            (Name::Private, _) | (_, Name::Private) | (Name::Foreign, Name::Foreign) => {
                return Vec::new();
            }
            (Name::Public(owner), _) | (Name::Foreign, Name::Public(owner)) => owner,
        };
        let is_type = |it: &&ImplItem| matches!(it, ImplItem::Type(_));
        let types: String = item.items.iter().filter(is_type).map(|it| self.of(it) + " ").collect();
        let text = if types.is_empty() { header } else { format!("{header} {{ {types}}}") };
        vec![Line { owner, rank: Rank::Implementation, text }]
    }

    fn of_member(&self, member: &ImplItem) -> Option<String> {
        match member {
            ImplItem::Fn(it) if is_public(&it.vis) => Some(marks(&it.attrs) + &self.of(&it.sig)),
            ImplItem::Const(it) if is_public(&it.vis) => {
                Some(self.cut(it.const_token.span(), it.ty.span()))
            }
            _ => None,
        }
    }

    /// The patterns of an exported macro, or the call of one that declares a public type.
    fn of_macro(
        &self,
        item: &syn::ItemMacro,
        path: &dyn Fn(&dyn ToString) -> Option<String>,
    ) -> Vec<Line> {
        let rank = Rank::Declaration;
        let Some(name) = &item.ident else {
            let declared = item.mac.tokens.clone().into_iter().last().and_then(|it| path(&it));
            let called = self.of(&item.mac.path);
            let line = |owner| Line { text: format!("{called}! {{ {owner} }}"), owner, rank };
            return declared.map(line).into_iter().collect();
        };
        if !item.attrs.iter().any(|it| it.path().is_ident("macro_export")) {
            return Vec::new();
        }
        // Patterns and bodies alternate.
        let groups = item.mac.tokens.clone().into_iter();
        let groups = groups.filter(|it| matches!(it, TokenTree::Group(_))).step_by(2);
        let text = |it: TokenTree| format!("macro {name}! {}", self.of(&it));
        groups.map(|it| Line { owner: name.to_string(), rank, text: text(it) }).collect()
    }

    /// The text before the brace of an implementation.
    fn implementation(&self, item: &syn::ItemImpl) -> String {
        let end = item.generics.where_clause.as_ref().map(Spanned::span);
        self.cut(item.impl_token.span(), end.unwrap_or_else(|| item.self_ty.span()))
    }

    /// The text from a keyword to the generic parameters of the name after it.
    fn head(&self, start: Span, name: &proc_macro2::Ident, generics: &Generics) -> String {
        let end = generics.where_clause.as_ref().map(Spanned::span);
        let end = end.or_else(|| generics.gt_token.as_ref().map(Spanned::span));
        self.cut(start, end.unwrap_or_else(|| name.span()))
    }

    fn of(&self, node: &impl Spanned) -> String {
        self.cut(node.span(), node.span())
    }

    /// The text from the start of one span to the end of another one, on one line.
    fn cut(&self, first: Span, last: Span) -> String {
        let text = &self.text[first.byte_range().start..last.byte_range().end];
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let words = words.replace("( ", "(").replace(", )", ")").replace(" )", ")");
        // A parameter that the body changes.
        let words = words.replace("(mut ", "(").replace(", mut ", ", ");
        words.trim_end_matches(',').to_string()
    }
}

fn of_type(owner: &str, attributes: &[Attribute], head: String) -> Line {
    let text = marks(attributes) + &head;
    Line { owner: owner.to_string(), rank: Rank::Declaration, text }
}

/// The attributes that the users of an item depend on.
fn marks(attributes: &[Attribute]) -> String {
    let names = ["non_exhaustive", "must_use"].into_iter();
    let names = names.filter(|name| attributes.iter().any(|it| it.path().is_ident(name)));
    names.map(|name| format!("#[{name}] ")).collect()
}

/// The derived implementations of traits.
fn derives(owner: &str, attributes: &[Attribute]) -> Vec<Line> {
    let derives = attributes.iter().filter(|it| it.path().is_ident("derive"));
    let mut names: Vec<String> = derives
        .filter_map(|it| it.meta.require_list().ok())
        .flat_map(|it| it.tokens.clone())
        .filter_map(
            |it| if let TokenTree::Ident(name) = it { Some(name.to_string()) } else { None },
        )
        .collect();
    names.sort();
    let text = format!("#[derive({})]", names.join(", "));
    let line = Line { owner: owner.to_string(), rank: Rank::Implementation, text };
    if names.is_empty() { Vec::new() } else { vec![line] }
}

/// The name of the type, without references around it and parameters.
fn type_name(owner: &Type) -> Option<String> {
    match owner {
        Type::Path(it) => it.path.segments.last().map(|it| it.ident.to_string()),
        Type::Reference(it) => type_name(&it.elem),
        _ => None,
    }
}
