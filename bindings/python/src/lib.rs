//! The module `sivka._native`: the crates as the package uses them; not for others.

mod aead;
mod batch;
mod buffer;
mod column;
mod contiguous;
mod deterministic;
mod error;
mod handle;
mod key;
mod kuznyechik;
mod list;
mod names;
mod new_bytes;

use pyo3::prelude::*;

/// What sivka uses of the crates; not for others.
#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use crate::aead::{Aead, RandomNonceAead};
    #[pymodule_export]
    use crate::deterministic::{DeterministicAead, DeterministicListAead};
    #[pymodule_export]
    use crate::kuznyechik::BlockCipher;
    #[pymodule_export]
    use crate::names::{
        algorithms, buffer_length, generate_key, key_length, suites, tag_length, templates, tier,
        version,
    };
}
