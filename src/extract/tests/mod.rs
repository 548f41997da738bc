//! The methods of extraction on generated classes, compared with an integer program.
mod exact;
mod random;
mod small;
