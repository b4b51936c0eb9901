//! What the library says of itself: names, lengths, its version.

use crate::buffer::View;
use crate::error::{of_message, unknown_name};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use sivka::{Algorithm, Tier};
use sivka_file::Suite;
use sivka_keyset::Template;

/// The algorithm of a name, upper or lower case.
pub(crate) fn find(name: &str) -> PyResult<&'static Algorithm> {
    let known = || Algorithm::all().iter().map(|row| row.name());
    Algorithm::find(name).ok_or_else(|| unknown_name("algorithm", known(), name))
}

/// The names of all algorithms.
#[pyfunction]
pub(crate) fn algorithms(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, Algorithm::all().iter().map(|row| row.name()))
}

/// The names of all suites.
#[pyfunction]
pub(crate) fn suites(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, Suite::ALL.iter().map(|suite| suite.name()))
}

/// The names of all templates of keys for keysets.
#[pyfunction]
pub(crate) fn templates(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, Template::all().iter().map(|(name, _)| name))
}

/// The length of a key in bytes.
#[pyfunction]
pub(crate) fn key_length(algorithm: &str) -> PyResult<usize> {
    Ok(find(algorithm)?.key_len())
}

/// The length of a tag in bytes.
#[pyfunction]
pub(crate) fn tag_length(algorithm: &str) -> PyResult<usize> {
    Ok(find(algorithm)?.tag_len())
}

/// A random key, as bytes.
#[pyfunction]
pub(crate) fn generate_key<'py>(py: Python<'py>, algorithm: &str) -> PyResult<Bound<'py, PyBytes>> {
    let key = find(algorithm)?.generate_key();
    let key = key.map_err(|error| of_message(py, error))?;
    Ok(PyBytes::new(py, &key))
}

/// The length of a buffer in bytes; what is none that this package takes is refused, as the
/// argument of this name.
#[pyfunction]
pub(crate) fn buffer_length(buffer: &Bound<'_, PyAny>, name: &str) -> PyResult<usize> {
    Ok(View::of(buffer, name)?.len())
}

/// The version of the library.
#[pyfunction]
pub(crate) fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// The tier that new keys run on: the widest that this CPU has.
#[pyfunction]
pub(crate) fn tier() -> &'static str {
    Tier::detect().name()
}
