//! Dense ids, the arenas they index, and the side tables that decorate an arena.
//!
//! Ids are never used twice, so a side table stays valid while its arena grows.
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A number that names one value of one arena.
pub trait Id: Copy + Eq {
    /// The id with this number.
    ///
    /// # Panics
    /// If the number needs more than 32 bits.
    fn from_index(index: usize) -> Self;

    /// The number: 0 for the first value of the arena.
    fn index(self) -> usize;
}

/// Declares a `u32` newtype that implements [`Id`]: `id! { /// A node. NodeId }`.
#[macro_export]
macro_rules! id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(u32);

        impl $crate::Id for $name {
            #[inline]
            fn from_index(index: usize) -> Self {
                $name(u32::try_from(index).expect("an arena holds fewer than 2^32 values"))
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

/// Owns values and returns their ids in order: 0, 1, 2, …
#[derive(Clone, Debug)]
pub struct Arena<I, T> {
    values: Vec<T>,
    ids: PhantomData<I>,
}

impl<I, T> Default for Arena<I, T> {
    fn default() -> Self {
        Arena { values: Vec::new(), ids: PhantomData }
    }
}

impl<I: Id, T> Arena<I, T> {
    /// An empty arena with memory for `count` values.
    pub fn with_capacity(count: usize) -> Self {
        Arena { values: Vec::with_capacity(count), ids: PhantomData }
    }

    /// Reserves memory for `count` more values.
    pub fn reserve(&mut self, count: usize) {
        self.values.reserve(count);
    }

    /// Adds a value and returns its id.
    pub fn push(&mut self, value: T) -> I {
        let id = I::from_index(self.values.len());
        self.values.push(value);
        id
    }

    /// The number of values; also the number of the next id.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether nothing was added yet.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// All ids, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + Clone + use<I, T> {
        (0..self.values.len()).map(I::from_index)
    }
}

impl<I: Id, T> Index<I> for Arena<I, T> {
    type Output = T;
    fn index(&self, id: I) -> &T {
        &self.values[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Arena<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.values[id.index()]
    }
}

/// A table that grows gets so many more rows.
const ROWS_AT_ONCE: usize = 64;

/// One `T` for each id of an arena. An id that was never written reads as `T::default()`.
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
    /// A table with memory for the ids `0..len`, each at its default.
    pub fn new(len: usize) -> Self {
        SideTable { rows: vec![T::default(); len], default: T::default(), ids: PhantomData }
    }

    /// Whether no id was written yet.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The ids with a row of their own.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + Clone + use<I, T> {
        (0..self.rows.len()).map(I::from_index)
    }

    /// Adds rows, and some more if there is memory for them. Most accesses need none, so this is
    /// not a part of them.
    #[cold]
    fn grow(&mut self, len: usize) {
        let more = self.rows.capacity().min(len + ROWS_AT_ONCE);
        self.rows.resize(more.max(len), T::default());
    }

    /// A table of these rows; the first is that of the id 0.
    pub fn of(rows: Vec<T>) -> Self {
        SideTable { rows, default: T::default(), ids: PhantomData }
    }
}

impl<I: Id, T> Index<I> for SideTable<I, T> {
    type Output = T;
    #[inline]
    fn index(&self, id: I) -> &T {
        match self.rows.get(id.index()) {
            Some(row) => row,
            None => unwritten(&self.default),
        }
    }
}

/// Most reads are of ids with a row, so the compiler shall not choose between two addresses.
#[cold]
fn unwritten<T>(default: &T) -> &T {
    default
}

impl<I: Id, T: Clone + Default> IndexMut<I> for SideTable<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        if id.index() >= self.rows.len() {
            self.grow(id.index() + 1);
        }
        &mut self.rows[id.index()]
    }
}

/// One `T` for each id, most of them at their default: a number of four bytes for each id, and the
/// rows that were written.
#[derive(Clone, Debug)]
pub struct SparseTable<I, T> {
    numbers: SideTable<I, u32>,
    /// The first is the default.
    rows: Vec<T>,
}

impl<I: Id, T: Default> SparseTable<I, T> {
    /// A table with memory for the numbers of the ids `0..len`, each at its default.
    pub fn new(len: usize) -> Self {
        SparseTable { numbers: SideTable::new(len), rows: vec![T::default()] }
    }
}

impl<I: Id, T> Index<I> for SparseTable<I, T> {
    type Output = T;
    #[inline]
    fn index(&self, id: I) -> &T {
        &self.rows[self.numbers[id] as usize]
    }
}

impl<I: Id, T: Default> IndexMut<I> for SparseTable<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        let number = &mut self.numbers[id];
        if *number == 0 {
            *number = u32::try_from(self.rows.len()).expect("fewer rows than ids");
            self.rows.push(T::default());
        }
        &mut self.rows[*number as usize]
    }
}

#[cfg(test)]
#[path = "tests/ids.rs"]
mod tests;
