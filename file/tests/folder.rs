//! Folders: packed and unpacked, listed, salvaged, and what file systems and archives may do.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod folder {
    mod changing;
    mod hostile;
    mod salvage;
    mod support;
    mod there_and_back;
    mod vectors;
}
