//! The ids of a file, each known by a number.
//!
//! Ids such as n0, n1, n2 are found where their own number says, in an array for each letter, as
//! long as few places of it stay empty. All others stand behind one another in one array and are
//! found through a table, of which a quarter at least is empty: the hash of an id says where to
//! look first, and if another one is there, the next place is tried. Source: D. E. Knuth, "The
//! Art of Computer Programming", volume 3, section 6.4, Algorithm L (linear probing).

pub struct Ids {
    count: u32,
    /// For each first letter, what stands where the ids' own numbers say.
    counted: Vec<Counted>,
    letters: Vec<u8>,
    /// Of each id in `letters`, where it ends, and its number; it begins where the one before ends.
    others: Vec<(u32, u32)>,
    /// Half a hash above, and below the place in `others` of what it is the hash of, plus 1.
    places: Vec<u64>,
}

#[derive(Clone, Default)]
struct Counted {
    /// The number of each id, plus 1; 0, if there is no such id.
    numbers: Vec<u32>,
    seen: usize,
}

impl Default for Ids {
    fn default() -> Ids {
        Ids {
            count: 0,
            counted: vec![Counted::default(); 256],
            letters: Vec::new(),
            others: Vec::new(),
            places: vec![0; 16],
        }
    }
}

impl Ids {
    /// The number of an id, and whether it is a new one; none if there are too many.
    pub fn number(&mut self, id: &[u8]) -> Option<(u32, bool)> {
        let own = own_number(id);
        if let Some((letter, own)) = own {
            let number = self.counted[letter].numbers.get(own).copied().unwrap_or_default();
            if number > 0 {
                return Some((number - 1, false));
            }
            if self.others.is_empty() && self.count_in(letter, own) {
                return self.next();
            }
        }
        if self.others.len() * 4 >= self.places.len() * 3 {
            self.grow();
        }
        let hash = hash(id);
        let mask = self.places.len() - 1;
        let mut at = hash as usize & mask;
        while self.places[at] != 0 {
            let (place, other) = (self.places[at], (self.places[at] as u32 - 1) as usize);
            if place >> 32 == hash >> 32 && self.other(other) == id {
                return Some((self.others[other].1, false));
            }
            at = (at + 1) & mask;
        }
        if own.is_some_and(|(letter, own)| self.count_in(letter, own)) {
            return self.next();
        }
        self.letters.extend_from_slice(id);
        self.others.push((u32::try_from(self.letters.len()).ok()?, self.count));
        self.places[at] = hash >> 32 << 32 | self.others.len() as u64;
        self.next()
    }

    fn next(&mut self) -> Option<(u32, bool)> {
        self.count += 1;
        (self.count < Self::MOST).then_some((self.count - 1, true))
    }

    /// Puts a new id where its own number says, unless too many places would stay empty.
    fn count_in(&mut self, letter: usize, own: usize) -> bool {
        let Counted { numbers, seen } = &mut self.counted[letter];
        if own > 2 * *seen + 64 {
            return false;
        }
        *seen += 1;
        if own >= numbers.len() {
            numbers.resize(own + 1, 0);
        }
        numbers[own] = self.count + 1;
        true
    }

    /// How many ids there may be.
    pub const MOST: u32 = u32::MAX - 8;

    /// The id with this number; for complaints, as all of them are looked through.
    pub fn get(&self, number: u32) -> String {
        let other = self.others.iter().position(|&(_, other)| other == number);
        if let Some(other) = other {
            return String::from_utf8_lossy(self.other(other)).into_owned();
        }
        let own = |it: &Counted| it.numbers.iter().position(|&other| other == number + 1);
        let mut found = self.counted.iter().zip(0u8..=255);
        let found = found.find_map(|(it, letter)| Some(format!("{}{}", letter as char, own(it)?)));
        found.unwrap_or_default()
    }

    fn other(&self, at: usize) -> &[u8] {
        let start = at.checked_sub(1).map_or(0, |before| self.others[before].0);
        &self.letters[start as usize..self.others[at].0 as usize]
    }

    /// Makes the table twice as large.
    fn grow(&mut self) {
        let mut places = vec![0; self.places.len() * 2];
        let mask = places.len() - 1;
        for other in 0..self.others.len() {
            let hash = hash(self.other(other));
            let mut at = hash as usize & mask;
            while places[at] != 0 {
                at = (at + 1) & mask;
            }
            places[at] = hash >> 32 << 32 | (other + 1) as u64;
        }
        self.places = places;
    }
}

/// The first letter of an id and the number behind it, if a number is all that stands there, and
/// it has no other form.
fn own_number(id: &[u8]) -> Option<(usize, usize)> {
    let (&letter, digits) = id.split_first()?;
    let fits = letter.is_ascii() && (1..=9).contains(&digits.len());
    if !fits || digits[0] == b'0' && digits.len() > 1 {
        return None;
    }
    let mut number = 0;
    for &digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        number = number * 10 + usize::from(digit - b'0');
    }
    Some((usize::from(letter), number))
}

/// Numbers that count up differ in their last letters alone, so every letter must reach every bit:
/// each word is multiplied by a large odd number, and both halves of the product are put together.
/// Source: W. Yi, "Wyhash", 2019.
fn hash(id: &[u8]) -> u64 {
    let mut hash = id.len() as u64;
    for chunk in id.chunks(8) {
        let product = u128::from(hash ^ word(chunk)) * 0x9e37_79b9_7f4a_7c15;
        hash = (product >> 64) as u64 ^ product as u64;
    }
    hash
}

/// Up to eight letters as a number.
fn word(letters: &[u8]) -> u64 {
    match letters.try_into() {
        Ok(eight) => u64::from_le_bytes(eight),
        Err(_) => letters.iter().fold(0, |word, &letter| word << 8 | u64::from(letter)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_keeps_its_number() {
        let squares = (0..1000).map(|it| format!("n{}", it * it));
        let backwards = (0..1000).map(|it| format!("e{}", 999 - it));
        let others = ["", "\0", "n", "n00", "n-1", "é1", "e1x", "1", "11", "n9999999999"];
        let names: Vec<String> = squares.chain(backwards).chain(others.map(String::from)).collect();
        let mut ids = Ids::default();
        for round in 0..2 {
            for (number, name) in (0..).zip(&names) {
                assert_eq!(ids.number(name.as_bytes()), Some((number, round == 0)), "{name:?}");
                assert_eq!(&ids.get(number), name);
            }
        }
    }

    #[test]
    fn ids_that_count_up_need_no_letters() {
        let mut ids = Ids::default();
        for number in 0..5000 {
            for letter in ["n", "e"] {
                ids.number(format!("{letter}{number}").as_bytes());
            }
        }
        assert_eq!((ids.count, ids.letters.len(), ids.others.len()), (10_000, 0, 0));
        assert!(ids.counted.iter().all(|it| it.numbers.len() <= 5000));
    }
}
