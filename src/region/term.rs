//! Terms: a program as an expression whose equal parts are shared.
//!
//! A term is closed under substitution: `get-0` is the first argument of the scope in which the
//! term is used. One term used in two scopes has two meanings, and is two nodes of the graph.
use super::op::Operator;
use arena::{Arena, FxHashMap, id};
use source::Span;

id! {
    /// A term.
    TermId
}

/// The head of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Head {
    Number(i64),
    /// An argument of the innermost scope: `get-0`.
    Argument(u32),
    /// An output of a loop, switch, call or force: `(get-0 x)`.
    Component(u32),
    Operator(Operator),
    Use,
    Force,
    Loop,
    Switch {
        cases: u32,
        outputs: u32,
    },
    Function {
        inputs: u32,
        outputs: u32,
    },
    Call,
}

impl Head {
    /// The number of operands in inner scopes, if there are so many in all. They are the last.
    pub fn inside(self, operands: usize) -> usize {
        match self {
            Head::Loop => operands / 2 + 1,
            Head::Switch { cases, outputs } => (cases * outputs) as usize,
            Head::Function { outputs, .. } => outputs as usize,
            Head::Number(_)
            | Head::Argument(_)
            | Head::Component(_)
            | Head::Operator(_)
            | Head::Use
            | Head::Force
            | Head::Call => 0,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Term {
    pub head: Head,
    pub span: Span,
    /// The first term that is equal to this one.
    pub class: TermId,
    operands: [u32; 2],
}

#[derive(Default)]
pub struct Terms {
    terms: Arena<TermId, Term>,
    operands: Vec<TermId>,
    /// The first of all equal terms. The operands are classes.
    classes: FxHashMap<(Head, Box<[TermId]>), TermId>,
}

impl Terms {
    /// Adds a term, even if there is an equal one.
    pub fn add(&mut self, head: Head, operands: &[TermId], span: Span) -> TermId {
        let first = self.operands.len() as u32;
        self.operands.extend_from_slice(operands);
        let key = operands.iter().map(|&it| self.terms[it].class).collect();
        let next = arena::Id::from_index(self.terms.len());
        let class = *self.classes.entry((head, key)).or_insert(next);
        let operands = [first, self.operands.len() as u32];
        self.terms.push(Term { head, span, class, operands })
    }

    /// The first term that is equal to this one.
    pub fn intern(&mut self, head: Head, operands: &[TermId]) -> TermId {
        let key: Box<[TermId]> = operands.iter().map(|&it| self.terms[it].class).collect();
        match self.classes.get(&(head, key)) {
            Some(&class) => class,
            None => self.add(head, operands, Span::default()),
        }
    }

    /// Notes the text that an interned term was made for, if none is known.
    #[cfg(feature = "ch27")]
    pub fn note_place(&mut self, id: TermId, place: Span) {
        let span = &mut self.terms[id].span;
        if *span == Span::default() {
            *span = place;
        }
    }

    pub fn term(&self, id: TermId) -> Term {
        self.terms[id]
    }

    pub fn head(&self, id: TermId) -> Head {
        self.terms[id].head
    }

    pub fn operands(&self, id: TermId) -> &[TermId] {
        let [first, end] = self.terms[id].operands;
        &self.operands[first as usize..end as usize]
    }

    pub fn len(&self) -> usize {
        self.terms.len()
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = TermId> + Clone + use<> {
        self.terms.ids()
    }

    /// The operands in the scope of the term itself, and those in scopes inside of it.
    pub fn split(&self, id: TermId) -> (&[TermId], &[TermId]) {
        let operands = self.operands(id);
        operands.split_at(operands.len() - self.head(id).inside(operands.len()))
    }
}
