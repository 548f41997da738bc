//! The ids of a file, each known by a number.
//!
//! All ids stand behind one another in one array. They are found through a table, of which a
//! quarter at least is empty: the hash of an id says where to look first, and if another one is
//! there, the next place is tried. Source: D. E. Knuth, "The Art of Computer Programming",
//! volume 3, section 6.4, Algorithm L (linear probing).
use crate::base::hash::QuickHasher;
use std::hash::Hasher;

#[derive(Default)]
pub struct Ids {
    letters: Vec<u8>,
    /// Where each id ends; it begins where the one before it ends.
    ends: Vec<u32>,
    /// Half a hash above, and below the number of the id it is the hash of, plus 1.
    places: Vec<u64>,
}

impl Ids {
    /// The number of an id, and whether it is a new one; none if there are too many.
    pub fn number(&mut self, id: &[u8]) -> Option<(u32, bool)> {
        if self.ends.len() * 4 >= self.places.len() * 3 {
            self.grow();
        }
        let hash = hash(id);
        let mask = self.places.len() - 1;
        let mut at = hash as usize & mask;
        while self.places[at] != 0 {
            let (place, number) = (self.places[at], self.places[at] as u32 - 1);
            if place >> 32 == hash >> 32 && self.get(number) == id {
                return Some((number, false));
            }
            at = (at + 1) & mask;
        }
        let number = u32::try_from(self.ends.len()).ok().filter(|&it| it < Self::MOST)?;
        self.letters.extend_from_slice(id);
        self.ends.push(u32::try_from(self.letters.len()).ok()?);
        self.places[at] = hash >> 32 << 32 | u64::from(number + 1);
        Some((number, true))
    }

    /// How many ids there may be.
    pub const MOST: u32 = u32::MAX - 8;

    pub fn get(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.letters[start as usize..self.ends[number] as usize]
    }

    /// Makes the table twice as large.
    fn grow(&mut self) {
        let mut places = vec![0; (self.places.len() * 2).max(16)];
        let mask = places.len() - 1;
        for number in 0..self.ends.len() as u32 {
            let hash = hash(self.get(number));
            let mut at = hash as usize & mask;
            while places[at] != 0 {
                at = (at + 1) & mask;
            }
            places[at] = hash >> 32 << 32 | u64::from(number + 1);
        }
        self.places = places;
    }
}

fn hash(id: &[u8]) -> u64 {
    let mut hasher = QuickHasher::default();
    hasher.write(id);
    hasher.write_usize(id.len());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_keeps_its_number() {
        let mut ids = Ids::default();
        let names: Vec<String> = (0..1000).map(|it| format!("n{}", it * it)).collect();
        for (at, name) in names.iter().enumerate() {
            assert_eq!(ids.number(name.as_bytes()), Some((at as u32, true)));
        }
        for (at, name) in names.iter().enumerate() {
            assert_eq!(ids.number(name.as_bytes()), Some((at as u32, false)));
            assert_eq!(ids.get(at as u32), name.as_bytes());
        }
        assert_eq!(ids.number(b""), Some((1000, true)));
        assert_eq!(ids.number(b"\0"), Some((1001, true)));
    }
}
