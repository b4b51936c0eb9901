//! What calls of several threads share.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Arc, PoisonError, RwLock};

/// Calls on this many bytes or more let other threads of Python run meanwhile. To hand the
/// interpreter over and to get it back costs about as much as sealing some KiB, and far more if
/// another thread took it.
const DETACH_LEN: usize = 65536;

/// Carries `call` out, with the interpreter free for others if it works on many bytes.
#[inline]
pub(crate) fn long<R: Send>(py: Python<'_>, len: usize, call: impl FnOnce() -> R + Send) -> R {
    match len < DETACH_LEN {
        true => call(),
        false => py.detach(call),
    }
}

/// What calls share, until it is closed. It is dropped by the last of them.
#[derive(Debug)]
pub(crate) struct Shared<T> {
    what: &'static str,
    held: RwLock<Option<Arc<T>>>,
}

impl<T: Send + Sync> Shared<T> {
    /// `what` is what messages call it.
    pub(crate) fn new(what: &'static str, it: T) -> Self {
        let held = RwLock::new(Some(Arc::new(it)));
        Self { what, held }
    }

    /// Carries `call` out, with the interpreter free for others if it works on many bytes. A
    /// short one holds the lock: close() then waits for it, in a Python without its own.
    #[inline]
    pub(crate) fn run<R: Send>(
        &self,
        py: Python<'_>,
        len: usize,
        call: impl FnOnce(&T) -> R + Send,
    ) -> PyResult<R> {
        if len < DETACH_LEN {
            let held = self.held.read().unwrap_or_else(PoisonError::into_inner);
            held.as_ref().map(|it| call(it)).ok_or_else(|| self.closed())
        } else {
            let it = self.get()?;
            Ok(py.detach(|| call(&it)))
        }
    }

    /// The value, for a call that may take long.
    pub(crate) fn get(&self) -> PyResult<Arc<T>> {
        let held = self.held.read().unwrap_or_else(PoisonError::into_inner);
        held.clone().ok_or_else(|| self.closed())
    }

    fn closed(&self) -> PyErr {
        PyValueError::new_err(format!("{} is closed", self.what))
    }

    pub(crate) fn close(&self) {
        let mut held = self.held.write().unwrap_or_else(PoisonError::into_inner);
        drop(held.take());
    }
}
