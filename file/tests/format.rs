//! The file format from outside: the vectors, and every kind of damage.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod format {
    mod damage;
    mod keys;
    mod salvage;
    mod slots;
    mod streams;
    mod support;
    mod vectors;
}
