//! The module `sivka._native`: the crates as the package uses them; not for others.

mod buffer;
mod error;
mod handle;

use pyo3::prelude::*;

/// What sivka uses of the crates; not for others.
#[pymodule]
mod _native {}
