//! The e-graph of a program, as extraction sees it: the classes that the result may need, the forms
//! of each, and the chosen one.
//!
//! A class that is needed in several scopes is shown in each. Forms that cost far more than the
//! cheapest one of their class are left out.
use super::node::Node as Term;
use crate::extract::{self, Form};
use crate::region;
use crate::stage::{Artifact, Violation};
use picture::{Cell, Endpoint, Kind, Label, Node, Picture};

/// The classes of all scopes.
#[derive(Default)]
pub struct Classes {
    pub scopes: Vec<Scope>,
    pub classes: Vec<Class>,
    /// The cost of the chosen forms, and the proved lower bound of any choice.
    pub cost: u64,
    pub bound: u64,
}

/// A region around the nodes of the result.
pub struct Scope {
    pub title: &'static str,
    pub parent: Option<usize>,
}

/// Equal forms in one scope.
pub struct Class {
    pub scope: usize,
    /// The head of each form, and its cost and operands.
    pub heads: Vec<String>,
    pub forms: Vec<Form>,
    /// The number of the chosen form; none if the class is not needed.
    pub chosen: Option<usize>,
}

impl Class {
    pub fn new(scope: usize, terms: &[Term], forms: Vec<Form>, chosen: Option<u32>) -> Class {
        let heads = terms.iter().map(|it| region::word(it.head)).collect();
        Class { scope, heads, forms, chosen: chosen.map(|it| it as usize) }
    }

    fn is_chosen(&self, form: usize) -> bool {
        self.chosen == Some(form)
    }
}

impl Artifact for Classes {
    /// A line for each class: its forms and their costs. The chosen form has an asterisk.
    fn print(&self) -> String {
        if self.classes.is_empty() {
            return "the e-graph is too large to be shown\n".to_string();
        }
        let mut text = format!("cost {}, at least {}\n", self.cost, self.bound);
        for (at, class) in self.classes.iter().enumerate() {
            let forms =
                class.forms.iter().zip(&class.heads).enumerate().map(|(form, (it, head))| {
                    let operands = it.children.iter().map(|it| format!(" c{it}"));
                    let term = match it.children.is_empty() {
                        true => head.clone(),
                        false => format!("({head}{})", operands.collect::<String>()),
                    };
                    let mark = if class.is_chosen(form) { "*" } else { "" };
                    format!("{mark}{term}: {}", it.cost)
                });
            let forms = forms.collect::<Vec<_>>().join("; ");
            text += &format!("c{at} ({} {}) {forms}\n", self.title(class), class.scope);
        }
        text
    }

    /// The same, and the matrices of the PBQP. A row is an alternative of the first class, "not
    /// needed" before its forms.
    fn listing(&self) -> String {
        let forms = self.classes.iter().map(|it| it.forms.clone());
        let problem = extract::Problem { classes: forms.collect(), roots: vec![] };
        let mut text = self.print();
        for (from, to, matrix) in extract::instance(&problem).edges() {
            let columns = 1 + self.classes[to.index()].forms.len();
            let row = |row: &[_]| row.iter().map(|it| format!(" {it}")).collect::<String>();
            let rows = matrix.chunks(columns).map(row).collect::<Vec<_>>().join(" |");
            text += &format!("{} - {}:{rows}\n", name(from.index()), name(to.index()));
        }
        text
    }

    /// A box for each scope, a table for each class in it, and a cell for each form. The operands
    /// of a form are above it, in their order; the users of a class are below its name.
    fn picture(&self) -> Option<Picture> {
        let mut picture = Picture::new("e-graph").with_highlight("chosen");
        let nested = self.scopes.iter();
        let clusters: Vec<_> = nested.map(|it| picture.cluster(it.title, it.parent)).collect();
        for (at, class) in self.classes.iter().enumerate() {
            let cells =
                class.heads.iter().zip(&class.forms).enumerate().map(|(form, (head, it))| {
                    let port = Some(port(form));
                    let text = format!("{head}\n{}", it.cost);
                    Cell { port, highlighted: class.is_chosen(form), ..Cell::new(text, Kind::Data) }
                });
            let rows = vec![cells.collect(), vec![Cell::new(name(at), Kind::Scope)]];
            let cluster = Some(clusters[class.scope]);
            picture.nodes.push(Node { name: name(at), kind: Kind::Data, rows, cluster });
            for (form, it) in class.forms.iter().enumerate() {
                for &child in &it.children {
                    let from = Endpoint { node: name(at), port: Some(port(form)) };
                    let to = Endpoint::node(name(child as usize));
                    picture.edge(from, to, Kind::Data, Label::None);
                }
            }
        }
        Some(picture)
    }

    /// - `operands`: a chosen form needs classes that have a chosen form.
    /// - `cost`: the costs of the chosen forms add up, and are not below the bound.
    fn verify(&self) -> Vec<Violation> {
        let mut violations = Vec::new();
        let mut cost = 0;
        for (at, class) in self.classes.iter().enumerate() {
            let Some(form) = class.chosen.and_then(|it| class.forms.get(it)) else { continue };
            cost += u64::from(form.cost);
            let is_missing = |it: &&u32| self.classes[**it as usize].chosen.is_none();
            if let Some(child) = form.children.iter().find(is_missing) {
                let detail = format!("{} needs {}", name(at), name(*child as usize));
                violations.push(Violation { invariant: "operands", detail });
            }
        }
        if cost != self.cost || cost < self.bound {
            let detail = format!("{cost}, not {}, at least {}", self.cost, self.bound);
            violations.push(Violation { invariant: "cost", detail });
        }
        violations
    }
}

impl Classes {
    fn title(&self, class: &Class) -> &'static str {
        self.scopes[class.scope].title
    }
}

fn name(class: usize) -> String {
    format!("c{class}")
}

fn port(form: usize) -> String {
    format!("f{form}")
}
