//! The labels of Phis: the names of their variables.
use super::op::Label;
#[cfg(feature = "ch10")]
use crate::types::Type;
use arena::Arena;

/// The names of variables, without duplicates.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    names: Arena<Label, String>,
    known: arena::FxHashMap<String, Label>,
    /// The declared types of labels, except for integers, and the labels of each name.
    #[cfg(feature = "ch10")]
    declared: arena::FxHashMap<Label, Type>,
    #[cfg(feature = "ch10")]
    of_type: arena::FxHashMap<(Label, Type), Label>,
}

impl Labels {
    /// The label for the variable `name`.
    pub fn of(&mut self, name: &str) -> Label {
        if let Some(&known) = self.known.get(name) {
            return known;
        }
        let label = self.names.push(name.to_string());
        self.known.insert(name.to_string(), label);
        label
    }

    pub fn name(&self, label: Label) -> &str {
        &self.names[label]
    }
}

#[cfg(feature = "ch10")]
impl Labels {
    /// The type with which the variable is declared.
    pub fn declared(&self, label: Label) -> Type {
        self.declared.get(&label).copied().unwrap_or(Type::INTEGER)
    }

    /// The label for a variable of the name of `label` that is declared with type `ty`.
    pub fn of_type(&mut self, label: Label, ty: Type) -> Label {
        if ty == Type::INTEGER {
            return label;
        }
        if let Some(&known) = self.of_type.get(&(label, ty)) {
            return known;
        }
        let typed = self.names.push(self.names[label].clone());
        self.of_type.insert((label, ty), typed);
        self.declared.insert(typed, ty);
        typed
    }
}
