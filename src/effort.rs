//! How much the tests try.

/// The number of generated inputs in a test that tries `all` of them in CI. The variable `PROGRAMS`
/// is another number, or `all`; without it a test tries a tenth.
pub fn programs(all: u64) -> u64 {
    match std::env::var("PROGRAMS") {
        Ok(number) if number != "all" => number.parse().unwrap_or(all),
        Ok(_) => all,
        Err(_) => all.div_ceil(10),
    }
}
