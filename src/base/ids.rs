//! Dense ids, the arenas they index, and the side tables that decorate an arena.
//!
//! A graph lives in one `Arena`: its nodes name each other by `u32` ids, so there are no
//! lifetimes, no reference counts, and a pass that computes something about every node returns a
//! `SideTable` instead of adding a field to the node. Ids are never used twice.
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A number that names one thing of one arena.
pub trait Id: Copy + Eq {
    fn from_index(index: usize) -> Self;
    fn index(self) -> usize;
}

/// Declares a `u32` newtype that is an `Id`.
macro_rules! id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(u32);

        impl $crate::base::ids::Id for $name {
            fn from_index(index: usize) -> Self {
                $name(u32::try_from(index).expect("fewer than 2^32 things"))
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}
pub(crate) use id;

/// Owns things and hands out their ids in order: 0, 1, 2, …
#[derive(Clone, Debug)]
pub struct Arena<I, T> {
    things: Vec<T>,
    ids: PhantomData<I>,
}

impl<I, T> Default for Arena<I, T> {
    fn default() -> Self {
        Arena { things: Vec::new(), ids: PhantomData }
    }
}

impl<I: Id, T> Arena<I, T> {
    /// An arena with room for so many things.
    #[cfg(feature = "ch25")]
    pub fn with_capacity(count: usize) -> Self {
        Arena { things: Vec::with_capacity(count), ids: PhantomData }
    }

    pub fn push(&mut self, thing: T) -> I {
        let id = I::from_index(self.things.len());
        self.things.push(thing);
        id
    }

    pub fn len(&self) -> usize {
        self.things.len()
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + Clone + use<I, T> {
        (0..self.things.len()).map(I::from_index)
    }
}

impl<I: Id, T> Index<I> for Arena<I, T> {
    type Output = T;
    fn index(&self, id: I) -> &T {
        &self.things[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Arena<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.things[id.index()]
    }
}

/// One `T` for every id of an arena; ids nobody wrote to read as `T::default()`.
#[derive(Clone, Debug)]
pub struct SideTable<I, T> {
    rows: Vec<T>,
    default: T,
    ids: PhantomData<I>,
}

impl<I: Id, T: Clone + Default> Default for SideTable<I, T> {
    fn default() -> Self {
        SideTable::new(0)
    }
}

impl<I: Id, T: Clone + Default> SideTable<I, T> {
    /// A table with room for the ids `0..len`, all at their default.
    pub fn new(len: usize) -> Self {
        SideTable { rows: vec![T::default(); len], default: T::default(), ids: PhantomData }
    }

    /// A table with these rows, beginning with that of the id 0.
    #[cfg(feature = "ch25")]
    pub fn of(rows: Vec<T>) -> Self {
        SideTable { rows, default: T::default(), ids: PhantomData }
    }
}

impl<I: Id, T> Index<I> for SideTable<I, T> {
    type Output = T;
    fn index(&self, id: I) -> &T {
        self.rows.get(id.index()).unwrap_or(&self.default)
    }
}

impl<I: Id, T: Clone + Default> IndexMut<I> for SideTable<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        if id.index() >= self.rows.len() {
            self.rows.resize(id.index() + 1, T::default());
        }
        &mut self.rows[id.index()]
    }
}
