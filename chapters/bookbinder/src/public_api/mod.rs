//! The public API of a library as a text, one item a line: changes of it are seen in reviews.
//!
//! The items are found in the syntax trees of the library's files. Public are those of the root and
//! of public modules, those that a `pub use` there names, and the public members of public types.
//! Types in signatures are written as in the source, so a name may stand for an import.
mod declaration;
mod module;

use declaration::Declarations;
use module::{Module, modules};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The API of the library in this folder. Each line begins with the path of an item; the
/// declarations of its members and the implementations of traits for it follow in lines of their
/// own, sorted.
///
/// # Errors
/// The file that cannot be read, is no Rust, or has a public item of a kind that is not listed.
pub fn public_api(library: &Path) -> Result<String, String> {
    let modules = modules(library)?;
    let exports = Exports::of(&modules)?;
    let mut lines = exports.foreign.clone();
    for (at, module) in modules.iter().enumerate() {
        let declarations = Declarations { text: &module.text };
        for item in &module.items {
            let found = declarations.of_item(item, &|name| exports.public_path(&modules, at, name));
            lines.extend(found.map_err(|reason| format!("{}: {reason}", module.file.display()))?);
        }
    }
    Ok(lines.into_iter().map(|line| format!("{}: {}\n", line.owner, line.text)).collect())
}

/// A line, in the order of the listing.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Line {
    /// The public path of the item, or of the type or trait that it is a member of.
    owner: String,
    rank: Rank,
    text: String,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Rank {
    Declaration,
    Field,
    Member,
    Implementation,
}

/// The names that the library exports.
struct Exports {
    /// The public path of the item of a module.
    paths: BTreeMap<(usize, String), String>,
    /// Items of other libraries that are exported under a name of this one.
    foreign: BTreeSet<Line>,
}

impl Exports {
    fn of(modules: &[Module]) -> Result<Exports, String> {
        let mut exports = Exports { paths: BTreeMap::new(), foreign: BTreeSet::new() };
        for (at, module) in modules.iter().enumerate().filter(|(_, it)| it.is_public) {
            let public = |name: &str| [&module.path[..], &[name.to_string()]].concat().join("::");
            for name in module.public_names() {
                exports.paths.insert((at, name.clone()), public(&name));
            }
            for export in module.exports() {
                let Some(target) = find_module(modules, at, &export.path) else {
                    let path = [&export.path[..], &[export.name]].concat().join("::");
                    let (owner, text) = (public(&export.alias), format!("use {path}"));
                    exports.foreign.insert(Line { owner, rank: Rank::Declaration, text });
                    continue;
                };
                if export.name == "*" {
                    for name in modules[target].public_names() {
                        exports.paths.insert((target, name.clone()), public(&name));
                    }
                } else if modules[target].public_names().contains(&export.name) {
                    exports.paths.insert((target, export.name), public(&export.alias));
                } else {
                    let file = modules[target].file.display();
                    return Err(format!("{file}: no item is called `{}`", export.name));
                }
            }
        }
        Ok(exports)
    }

    /// The path of a type or trait that the module `at` names: it is its own, or imported.
    fn public_path(&self, modules: &[Module], at: usize, name: &str) -> Name {
        let defines = |at: &usize| modules[*at].defined_names().contains(name);
        let place = if defines(&at) { Some(at) } else { (0..modules.len()).find(defines) };
        match place {
            None => Name::Foreign,
            Some(at) => match self.paths.get(&(at, name.to_string())) {
                Some(path) => Name::Public(path.clone()),
                None => Name::Private,
            },
        }
    }
}

/// A name in a declaration.
enum Name {
    Public(String),
    Private,
    /// It belongs to another library.
    Foreign,
}

/// The module at a path relative to the module `from`; `None` if it is in another library.
fn find_module(modules: &[Module], from: usize, path: &[String]) -> Option<usize> {
    let mut full = modules[from].path.clone();
    for part in path {
        match part.as_str() {
            "crate" => full.clear(),
            "self" => {}
            "super" => drop(full.pop()),
            _ => full.push(part.clone()),
        }
    }
    modules.iter().position(|it| it.path == full)
}
