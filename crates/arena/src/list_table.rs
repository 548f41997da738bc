//! Many short lists in two allocations.
//!
//! One vector per block or node would mean one allocation each. Here the lists of all ids are
//! concatenated, and a second vector holds the end of each. Source: compressed sparse rows, e.g. Y.
//! Saad, "Iterative Methods for Sparse Linear Systems", 2003, section 3.4.
use crate::Id;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A list of `T` for each id.
pub struct ListTable<I, T> {
    values: Vec<T>,
    /// `ends[k]..ends[k + 1]` are the values of the id `k`.
    ends: Vec<u32>,
    ids: PhantomData<I>,
}

impl<I, T> Default for ListTable<I, T> {
    fn default() -> Self {
        ListTable { values: Vec::new(), ends: vec![0], ids: PhantomData }
    }
}

impl<I: Id, T: Copy> ListTable<I, T> {
    /// No list, with memory for so many lists and values.
    pub fn with_capacity(lists: usize, values: usize) -> Self {
        let mut ends = Vec::with_capacity(lists + 1);
        ends.push(0);
        ListTable { values: Vec::with_capacity(values), ends, ids: PhantomData }
    }

    /// The number of values in all lists.
    pub fn value_count(&self) -> usize {
        self.values.len()
    }

    /// Frees the memory for further lists and values.
    pub fn shrink_to_fit(&mut self) {
        self.values.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// Appends the list of the next id.
    pub fn push(&mut self, list: impl IntoIterator<Item = T>) {
        self.values.extend(list);
        self.ends.push(self.values.len() as u32);
    }

    /// The number of lists.
    pub fn len(&self) -> usize {
        self.ends.len() - 1
    }

    /// Whether there is no list.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The lists of the ids `0..count`: each value is added to the list of its id, in the order of
    /// `pairs`. The iterator runs twice: once to count, once to place (a counting sort).
    pub fn group(count: usize, pairs: impl Iterator<Item = (I, T)> + Clone) -> ListTable<I, T> {
        // Until a list is filled, the entry for its end is where its next value goes.
        let mut ends = vec![0; count + 2];
        pairs.clone().for_each(|(id, _)| ends[id.index() + 2] += 1);
        let mut total = 0;
        for end in &mut ends {
            total += *end;
            *end = total;
        }
        ends.pop();
        let any = pairs.clone().next().map(|(_, value)| value);
        let mut values = any.map_or(Vec::new(), |any| vec![any; total as usize]);
        pairs.for_each(|(id, value)| {
            let position = &mut ends[id.index() + 1];
            values[*position as usize] = value;
            *position += 1;
        });
        ListTable { values, ends, ids: PhantomData }
    }
}

impl<I: Id> ListTable<I, I> {
    /// For each id, the ids whose lists contain it: the predecessors, if the lists are successors.
    pub fn inverted(&self) -> ListTable<I, I> {
        let lists = (0..self.len()).map(I::from_index);
        let pairs = lists.flat_map(|id| self[id].iter().map(move |&value| (value, id)));
        ListTable::group(self.len(), pairs)
    }
}

impl<I: Id, T> Index<I> for ListTable<I, T> {
    type Output = [T];

    fn index(&self, id: I) -> &[T] {
        let ends = &self.ends[id.index()..id.index() + 2];
        &self.values[ends[0] as usize..ends[1] as usize]
    }
}

impl<I: Id, T> IndexMut<I> for ListTable<I, T> {
    fn index_mut(&mut self, id: I) -> &mut [T] {
        let ends = &self.ends[id.index()..id.index() + 2];
        &mut self.values[ends[0] as usize..ends[1] as usize]
    }
}

#[cfg(test)]
#[path = "tests/list_table.rs"]
mod tests;
