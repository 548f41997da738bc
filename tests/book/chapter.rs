//! Which chapter this is a build of.
use bookbinder::tree::chapters;
use std::path::PathBuf;

/// The features form a chain, so their number is the chapter.
pub fn this_chapter() -> u32 {
    FEATURES.iter().map(|it| u32::from(*it)).sum()
}

/// The folder of this chapter, if it has one.
pub fn folder() -> Option<PathBuf> {
    let found = chapters(super::root()).into_iter().find(|it| it.0 == this_chapter());
    found.map(|(_, folder)| super::root().join(folder))
}

/// Whether this is a build of the last chapter that is written.
pub fn is_last() -> bool {
    chapters(super::root()).iter().all(|it| it.0 <= this_chapter())
}

const FEATURES: &[bool] = &[
    cfg!(feature = "ch01"),
    cfg!(feature = "ch02"),
    cfg!(feature = "ch03"),
    cfg!(feature = "ch04"),
    cfg!(feature = "ch05"),
    cfg!(feature = "ch06"),
    cfg!(feature = "ch07"),
    cfg!(feature = "ch08"),
    cfg!(feature = "ch09"),
    cfg!(feature = "ch10"),
    cfg!(feature = "ch11"),
    cfg!(feature = "ch12"),
    cfg!(feature = "ch13"),
    cfg!(feature = "ch14"),
    cfg!(feature = "ch15"),
    cfg!(feature = "ch16"),
    cfg!(feature = "ch17"),
    cfg!(feature = "ch18"),
    cfg!(feature = "ch19"),
    cfg!(feature = "ch20"),
    cfg!(feature = "ch21"),
    cfg!(feature = "ch22"),
    cfg!(feature = "ch23"),
    cfg!(feature = "ch24"),
    cfg!(feature = "ch25"),
    cfg!(feature = "ch26"),
    cfg!(feature = "ch27"),
    cfg!(feature = "ch28"),
];
