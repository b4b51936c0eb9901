//! The module `sivka._native`: the crates as the package uses them; not for others.

#![allow(clippy::too_many_arguments, reason = "as Python has them")]

mod aead;
mod batch;
mod buffer;
mod column;
mod error;
mod file;
mod file_keys;
mod handle;
mod key;
mod keyset;
mod keyset_form;
mod keyset_state;
mod kuznyechik;
mod methods;
mod names;
mod new_bytes;
mod progress;
mod slots;
mod stream;

use pyo3::prelude::*;

/// What sivka uses of the crates; not for others.
#[pymodule(gil_used = false)]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::aead::{Aead, DeterministicAead, DeterministicListAead, RandomNonceAead};
    #[pymodule_export]
    use crate::buffer::is_buffer;
    #[pymodule_export]
    use crate::file::{FileReader, open_file, seal_file};
    #[pymodule_export]
    use crate::file_keys::{FileKeys, check_key_path, key_file_id, make_key_text, open_key_text};
    #[pymodule_export]
    use crate::keyset::Keyset;
    #[pymodule_export]
    use crate::kuznyechik::BlockCipher;
    #[pymodule_export]
    use crate::names::{
        algorithms, buffer_length, generate_key, key_length, suites, tag_length, templates, tier,
        version,
    };
    #[pymodule_export]
    use crate::slots::{change_slot, inspect_file, inspect_stream};
    #[pymodule_export]
    use crate::stream::{FileOpener, FileSealer};

    /// The stub says what there is.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.delattr("__all__")
    }
}
