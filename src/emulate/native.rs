//! The emulator against the processor
