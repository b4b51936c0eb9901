//! The module `sivka._native`: the crates as the package uses them; not for others.

mod aead;
mod batch;
mod buffer;
mod column;
mod contiguous;
mod deterministic;
mod error;
mod file;
mod file_keys;
mod handle;
mod key;
mod keyset;
mod keyset_form;
mod keyset_message;
mod keyset_state;
mod kuznyechik;
mod list;
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
    use crate::aead::{Aead, RandomNonceAead};
    #[pymodule_export]
    use crate::deterministic::{DeterministicAead, DeterministicListAead};
    #[pymodule_export]
    use crate::file::{FileReader, open_file, seal_file, verify_file};
    #[pymodule_export]
    use crate::file_keys::{
        FileKeys, check_key_path, generate_key_text, key_file_id, key_text_from_bytes,
        open_key_text,
    };
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
    use crate::slots::{
        add_slot, inspect_file, inspect_memory, inspect_stream, remove_slot, replace_slot,
    };
    #[pymodule_export]
    use crate::stream::{FileOpener, FileSealer};

    /// The stub says what there is.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.delattr("__all__")
    }
}
