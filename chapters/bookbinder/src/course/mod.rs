//! The book in a course: the exercises as an edition for students, and the grading of their work.
//!
//! `exercise` reads the exercises of a chapter, `grading` the checks that decide them, from the
//! file `solutions/grading.txt` beside the solutions. `edition` makes the folder that students
//! work in, and `report` prints the results. `check` runs one command, in the folder that `work`
//! makes; students have a copy of it for the checks that they may see.
pub mod check;
pub mod edition;
pub mod exercise;
pub mod grading;
pub mod report;
pub mod work;
