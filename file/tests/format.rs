//! The file format from outside: an independent reading of its specification, the
//! vectors, and every kind of damage.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod format {
    mod age;
    mod column_keys;
    mod damage;
    mod defects;
    mod hostile;
    mod hpke;
    mod key_files;
    mod recipients;
    mod reference;
    mod rekey;
    mod salvage;
    mod seek;
    mod streams;
    mod suites;
    mod support;
    mod threads;
    mod two_keys;
    mod vectors;
    mod words;
    mod xchacha20_blake2b;
}
