//! A dense number for each id of a file.
//!
//! The number in an id such as n0, n1, n2 is an index into an array, one array for each letter, as
//! long as few entries of it stay empty. The letters of all other ids are in one array and are
//! found through a hash table with linear probing. Source: D. E. Knuth, "The Art of Computer
//! Programming", volume 3, section 6.4, Algorithm L.

/// Numbers for ids, in the order in which the ids are first met.
pub struct IdTable {
    pub(crate) count: u32,
    /// For each first letter, the ids that are indices.
    pub(crate) counted: Vec<Counted>,
    pub(crate) letters: Vec<u8>,
    /// Of each id in `letters`, where it ends, and its number; it begins where the one before ends.
    pub(crate) others: Vec<(u32, u32)>,
    /// The upper half of a hash, and in the lower half the index in `others` of its id, plus 1.
    slots: Vec<u64>,
}

#[derive(Clone, Default)]
pub(crate) struct Counted {
    /// The number of each id, plus 1; 0, if there is no such id.
    pub(crate) numbers: Vec<u32>,
    seen: usize,
}

impl Default for IdTable {
    fn default() -> IdTable {
        IdTable {
            count: 0,
            counted: vec![Counted::default(); 256],
            letters: Vec::new(),
            others: Vec::new(),
            slots: vec![0; 16],
        }
    }
}

impl IdTable {
    /// The number of an id, and whether the id is new; none if there are too many ids.
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
        if self.others.len() * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        let hash = hash(id);
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at] != 0 {
            let (slot, other) = (self.slots[at], (self.slots[at] as u32 - 1) as usize);
            if slot >> 32 == hash >> 32 && self.other(other) == id {
                return Some((self.others[other].1, false));
            }
            at = (at + 1) & mask;
        }
        if own.is_some_and(|(letter, own)| self.count_in(letter, own)) {
            return self.next();
        }
        self.letters.extend_from_slice(id);
        self.others.push((u32::try_from(self.letters.len()).ok()?, self.count));
        self.slots[at] = hash >> 32 << 32 | self.others.len() as u64;
        self.next()
    }

    fn next(&mut self) -> Option<(u32, bool)> {
        self.count += 1;
        (self.count < Self::MAX_IDS).then_some((self.count - 1, true))
    }

    /// Uses the number of a new id as its index, unless too many entries would stay empty.
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

    /// The largest number of ids.
    pub const MAX_IDS: u32 = u32::MAX - 8;

    /// The id with this number. It is searched for: this is for error messages.
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
        let mut slots = vec![0; self.slots.len() * 2];
        let mask = slots.len() - 1;
        for other in 0..self.others.len() {
            let hash = hash(self.other(other));
            let mut at = hash as usize & mask;
            while slots[at] != 0 {
                at = (at + 1) & mask;
            }
            slots[at] = hash >> 32 << 32 | (other + 1) as u64;
        }
        self.slots = slots;
    }
}

/// The first letter of an id and the number after it, if the rest is a number in decimal form
/// without leading zeros.
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
