//! Programs that failed once.
