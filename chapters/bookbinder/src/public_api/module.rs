//! The modules of a library, without those of tests.
use crate::element::parse;
use crate::token::stream;
use crate::tree::normal;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use syn::{Attribute, Item, UseTree, Visibility};

/// A module: a file, or a part of one.
pub struct Module {
    pub file: PathBuf,
    /// The text of its file.
    pub text: String,
    /// Its name, with those of the modules around it; empty for the root.
    pub path: Vec<String>,
    /// Whether it and all modules around it are public.
    pub is_public: bool,
    pub items: Vec<Item>,
    /// The folder of the files of its modules.
    folder: PathBuf,
}

/// A name that a `pub use` exports; `*` for all.
pub struct Export {
    pub path: Vec<String>,
    pub name: String,
    pub alias: String,
}

/// The root and all modules that are reachable from it, on Linux.
pub fn modules(library: &Path) -> Result<Vec<Module>, String> {
    let folder = library.join("src");
    let root = Module::read(folder.join("lib.rs"), folder, Vec::new(), true)?;
    let mut found = vec![root];
    let mut at = 0;
    while at < found.len() {
        let inner = found[at].modules()?;
        found.extend(inner);
        at += 1;
    }
    Ok(found)
}

impl Module {
    fn read(
        file: PathBuf,
        folder: PathBuf,
        path: Vec<String>,
        is_public: bool,
    ) -> Result<Module, String> {
        let named = |reason: String| format!("{}: {reason}", file.display());
        let text = fs::read_to_string(&file).map_err(|error| named(error.to_string()))?;
        let tree = stream(&text).and_then(parse).map_err(|error| named(error.to_string()))?;
        let items = without_tests(tree.items);
        Ok(Module { file, text, path, is_public, items, folder })
    }

    /// The modules that it declares.
    fn modules(&mut self) -> Result<Vec<Module>, String> {
        let mut found = Vec::new();
        for item in &mut self.items {
            let Item::Mod(module) = item else { continue };
            let name = module.ident.to_string();
            let path = [&self.path[..], std::slice::from_ref(&name)].concat();
            let is_public = self.is_public && is_public(&module.vis);
            let folder = self.folder.join(&name);
            if let Some((_, items)) = module.content.take() {
                let (file, text) = (self.file.clone(), self.text.clone());
                let items = without_tests(items);
                found.push(Module { file, text, path, is_public, items, folder });
                continue;
            }
            let beside = self.file.parent().unwrap_or(Path::new(""));
            let usual = self.folder.join(format!("{name}.rs"));
            let file = match module.attrs.iter().find_map(path_attribute) {
                Some(named) => normal(&beside.join(named)),
                None if usual.is_file() => usual,
                None => folder.join("mod.rs"),
            };
            found.push(Module::read(file, folder, path, is_public)?);
        }
        Ok(found)
    }

    /// The names of its items.
    pub fn defined_names(&self) -> BTreeSet<String> {
        self.items.iter().filter_map(name).map(|it| it.0).collect()
    }

    /// The names of its public items.
    pub fn public_names(&self) -> BTreeSet<String> {
        self.items.iter().filter_map(name).filter(|it| it.1).map(|it| it.0).collect()
    }

    /// The names that it exports.
    pub fn exports(&self) -> Vec<Export> {
        let mut found = Vec::new();
        for item in &self.items {
            if let Item::Use(it) = item
                && is_public(&it.vis)
            {
                add_exports(&it.tree, &[], &mut found);
            }
        }
        found
    }
}

fn add_exports(tree: &UseTree, path: &[String], found: &mut Vec<Export>) {
    let mut add = |name: String, alias: String| {
        found.push(Export { path: path.to_vec(), name, alias });
    };
    match tree {
        UseTree::Path(it) => {
            add_exports(&it.tree, &[path, &[it.ident.to_string()]].concat(), found);
        }
        UseTree::Name(it) => add(it.ident.to_string(), it.ident.to_string()),
        UseTree::Rename(it) => add(it.ident.to_string(), it.rename.to_string()),
        UseTree::Glob(_) => add("*".to_string(), "*".to_string()),
        UseTree::Group(it) => it.items.iter().for_each(|it| add_exports(it, path, found)),
    }
}

/// The name of an item that may be exported, and whether it is public.
fn name(item: &Item) -> Option<(String, bool)> {
    let (ident, visibility) = match item {
        Item::Const(it) => (&it.ident, &it.vis),
        Item::Enum(it) => (&it.ident, &it.vis),
        Item::Fn(it) => (&it.sig.ident, &it.vis),
        Item::Static(it) => (&it.ident, &it.vis),
        Item::Struct(it) => (&it.ident, &it.vis),
        Item::Trait(it) => (&it.ident, &it.vis),
        Item::Type(it) => (&it.ident, &it.vis),
        Item::Union(it) => (&it.ident, &it.vis),
        Item::Macro(it) if it.ident.is_none() => {
            // `id! { Name }` declares a public type.
            let last = it.mac.tokens.clone().into_iter().last()?;
            return Some((last.to_string(), true));
        }
        _ => return None,
    };
    Some((ident.to_string(), is_public(visibility)))
}

pub fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn without_tests(mut items: Vec<Item>) -> Vec<Item> {
    items.retain(|item| {
        let attributes = match item {
            Item::Fn(it) => &it.attrs[..],
            Item::Impl(it) => &it.attrs,
            Item::Mod(it) => &it.attrs,
            Item::Use(it) => &it.attrs,
            _ => &[],
        };
        !attributes.iter().any(is_test)
    });
    items
}

fn is_test(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg") && arguments(attribute) == "test"
}

/// The file in `path = "…"`, or in `cfg_attr(…, path = "…")` if its condition is no negation:
/// this is the file on Linux.
fn path_attribute(attribute: &Attribute) -> Option<String> {
    let syn::Meta::NameValue(_) = &attribute.meta else {
        let arguments = arguments(attribute);
        let (condition, rest) = arguments.split_once("path =")?;
        return (!condition.contains("not")).then(|| rest.trim().trim_matches('"').to_string());
    };
    let value = quote::ToTokens::to_token_stream(&attribute.meta).to_string();
    value.strip_prefix("path =").map(|it| it.trim().trim_matches('"').to_string())
}

fn arguments(attribute: &Attribute) -> String {
    attribute.meta.require_list().map_or(String::new(), |it| it.tokens.to_string())
}
