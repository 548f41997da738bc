//! The chapter of this compiler.

/// The chapters it contains; the last one is its own.
const CHAPTERS: &[u32] = &[
    1,
    #[cfg(feature = "ch02")]
    2,
    #[cfg(feature = "ch03")]
    3,
    #[cfg(feature = "ch04")]
    4,
    #[cfg(feature = "ch05")]
    5,
    #[cfg(feature = "ch06")]
    6,
    #[cfg(feature = "ch07")]
    7,
    #[cfg(feature = "ch08")]
    8,
    #[cfg(feature = "ch09")]
    9,
    #[cfg(feature = "ch10")]
    10,
    #[cfg(feature = "ch11")]
    11,
    #[cfg(feature = "ch12")]
    12,
    #[cfg(feature = "ch13")]
    13,
    #[cfg(feature = "ch14")]
    14,
    #[cfg(feature = "ch15")]
    15,
    #[cfg(feature = "ch16")]
    16,
    #[cfg(feature = "ch17")]
    17,
    #[cfg(feature = "ch18")]
    18,
    #[cfg(feature = "ch19")]
    19,
    #[cfg(feature = "ch20")]
    20,
    #[cfg(feature = "ch21")]
    21,
    #[cfg(feature = "ch22")]
    22,
    #[cfg(feature = "ch23")]
    23,
    #[cfg(feature = "ch24")]
    24,
    #[cfg(feature = "ch25")]
    25,
    #[cfg(feature = "ch26")]
    26,
    #[cfg(feature = "ch27")]
    27,
    #[cfg(feature = "ch28")]
    28,
    #[cfg(feature = "ch29")]
    29,
];

/// The number of this compiler's chapter.
pub fn this_chapter() -> u32 {
    CHAPTERS.iter().copied().max().expect("there is a first chapter")
}
