//! The file format from outside: an independent reading of its specification, the
//! vectors, and every kind of damage.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod format {
    mod age;
    mod column_keys;
    mod copies;
    mod damage;
    mod hostile;
    mod key_files;
    mod recipients;
    mod rekey;
    mod salvage;
    mod seek;
    mod streams;
    mod support;
    mod vectors;
}
