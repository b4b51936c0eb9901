//! New `bytes`, which are filled before anybody has got them.

use pyo3::exceptions::PyMemoryError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::mem::ManuallyDrop;
use std::ptr::{self, NonNull};
use zeroize::Zeroize;

/// They are wiped where nobody gets them: they may be plaintext.
pub(crate) struct NewBytes<'py> {
    object: Bound<'py, PyBytes>,
    at: NonNull<u8>,
    len: usize,
}

impl<'py> NewBytes<'py> {
    /// So many bytes, whose content is not yet. MemoryError for more than there can be.
    #[inline]
    pub(crate) fn new(py: Python<'py>, len: Option<usize>) -> PyResult<Self> {
        let too_long = || PyMemoryError::new_err(());
        let len = len.ok_or_else(too_long)?;
        let signed = ffi::Py_ssize_t::try_from(len).map_err(|_| too_long())?;
        // SAFETY: a new object, or null and an exception; it is `bytes`. Without a content none is
        // made that others have, but for an empty one.
        unsafe {
            let made = ffi::PyBytes_FromStringAndSize(ptr::null(), signed);
            let object = Bound::from_owned_ptr_or_err(py, made)?.cast_into_unchecked();
            let at =
                NonNull::new(ffi::PyBytes_AsString(made).cast()).unwrap_or(NonNull::dangling());
            Ok(Self { object, at, len })
        }
    }

    #[inline]
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: so many bytes, which CPython allocated, and which nobody else has got yet.
        unsafe { std::slice::from_raw_parts_mut(self.at.as_ptr(), self.len) }
    }

    /// Lends them to a call of Python. They are wiped then, unless it keeps the object.
    pub(crate) fn lend<R>(self, call: impl FnOnce(&Bound<'py, PyBytes>) -> R) -> R {
        let result = call(&self.object);
        // SAFETY: a live object, whose references are counted by whoever has the interpreter.
        if unsafe { ffi::Py_REFCNT(self.object.as_ptr()) } > 1 {
            drop(self.done());
        }
        result
    }

    /// The object, for Python.
    #[inline]
    pub(crate) fn done(self) -> Bound<'py, PyBytes> {
        let itself = ManuallyDrop::new(self);
        // SAFETY: it is dropped nowhere else, and not used any more.
        unsafe { ptr::read(&raw const itself.object) }
    }
}

impl Drop for NewBytes<'_> {
    fn drop(&mut self) {
        self.bytes_mut().zeroize();
    }
}
