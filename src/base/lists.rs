//! Many short lists in one array: those of one id stand side by side, those of the next behind.
//!
//! A list of its own for each block or node would be a piece of memory each; here all of them are
//! two pieces, and going through all lists is going through one array. Source: the compressed
//! rows of sparse matrices, e.g. Y. Saad, "Iterative Methods for Sparse Linear Systems", 2003.
use super::ids::Id;
use std::marker::PhantomData;
use std::ops::Index;

/// For each id a list.
pub struct Lists<I, T> {
    all: Vec<T>,
    /// Where the list of each id ends, and where that of the first begins.
    ends: Vec<u32>,
    ids: PhantomData<I>,
}

#[cfg(feature = "ch05")]
impl<I, T> Default for Lists<I, T> {
    fn default() -> Self {
        Lists { all: Vec::new(), ends: vec![0], ids: PhantomData }
    }
}

impl<I: Id, T: Copy> Lists<I, T> {
    /// The list of the next id.
    #[cfg(feature = "ch05")]
    pub fn push(&mut self, list: impl IntoIterator<Item = T>) {
        self.all.extend(list);
        self.ends.push(self.all.len() as u32);
    }

    /// How many ids have a list.
    #[cfg(feature = "ch25")]
    pub fn len(&self) -> usize {
        self.ends.len() - 1
    }

    /// The lists of so many ids, each thing in that of the id it comes with; in a list they stand
    /// in the order in which they come. They are gone through twice: to count, and to place.
    pub fn group(count: usize, pairs: impl Iterator<Item = (I, T)> + Clone) -> Lists<I, T> {
        let mut ends = vec![0; count + 1];
        pairs.clone().for_each(|(id, _)| ends[id.index() + 1] += 1);
        for at in 1..ends.len() {
            ends[at] += ends[at - 1];
        }
        let any = pairs.clone().next().map(|(_, thing)| thing);
        let mut all = any.map_or(Vec::new(), |any| vec![any; ends[count] as usize]);
        let mut next = ends.clone();
        for (id, thing) in pairs {
            let place = &mut next[id.index()];
            all[*place as usize] = thing;
            *place += 1;
        }
        Lists { all, ends, ids: PhantomData }
    }
}

impl<I: Id, T> Index<I> for Lists<I, T> {
    type Output = [T];

    fn index(&self, id: I) -> &[T] {
        &self.all[self.ends[id.index()] as usize..self.ends[id.index() + 1] as usize]
    }
}

#[cfg(test)]
#[cfg(feature = "ch05")]
mod tests {
    use super::*;
    use crate::base::ids::id;

    id! {
        /// Whose lists these tests are about.
        OwnerId
    }

    #[test]
    fn a_thing_is_found_in_the_list_of_its_id_in_the_order_it_came() {
        let owner = OwnerId::from_index;
        let pairs = [(2, 'a'), (0, 'b'), (2, 'c'), (3, 'd'), (2, 'a')];
        let pairs = pairs.iter().map(|&(id, thing)| (owner(id), thing));
        let grouped = Lists::group(5, pairs);
        let mut pushed = Lists::default();
        for (id, list) in ["b", "", "aca", "d", ""].into_iter().enumerate() {
            pushed.push(list.chars());
            assert_eq!(grouped[owner(id)].iter().collect::<String>(), list);
            assert_eq!(pushed[owner(id)], grouped[owner(id)]);
        }
    }
}
