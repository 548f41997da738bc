//! Ids of edges, nodes and matrices, the arena of edges, and hash maps. They are those of
//! `sonc-arena`, but this crate depends on it only if a program asks for the feature `arena`.
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::ops::{Index, IndexMut};
pub use rustc_hash::FxHasher;

/// A hash map for small keys.
pub type FxHashMap<K, V> = hashbrown::HashMap<K, V, rustc_hash::FxBuildHasher>;

/// A number that names one value.
pub trait Id: Copy {
    fn from_index(index: usize) -> Self;
    fn index(self) -> usize;
}

/// Declares a `u32` newtype that implements [`Id`].
macro_rules! id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(u32);

        impl crate::ids::Id for $name {
            #[inline]
            fn from_index(index: usize) -> Self {
                $name(u32::try_from(index).expect("there are fewer than 2^32 values"))
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}
pub(crate) use id;

/// Owns values and returns their ids in order.
#[derive(Clone)]
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
    pub fn push(&mut self, value: T) -> I {
        let id = I::from_index(self.values.len());
        self.values.push(value);
        id
    }

    pub fn len(&self) -> usize {
        self.values.len()
    }

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
