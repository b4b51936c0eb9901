//! The file format from outside: an independent reading of its specification, the
//! vectors, and every kind of damage.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod format {
    mod column_keys;
    mod damage;
    mod defects;
    mod hostile;
    mod key_files;
    mod reference;
    mod rekey;
    mod salvage;
    mod seek;
    mod streams;
    mod stretched;
    mod suites;
    mod support;
    mod two_keys;
    mod vectors;
    mod words;
    mod xchacha20_blake2b;
}
