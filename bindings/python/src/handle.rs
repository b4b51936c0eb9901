//! What objects hold: keys, which calls share, and readers and writers, which they do not.

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, TryLockError};

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

fn closed(what: &str) -> PyErr {
    PyValueError::new_err(format!("{what} is closed"))
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
            match &*held {
                Some(it) => Ok(call(it)),
                None => Err(closed(self.what)),
            }
        } else {
            let it = self.get()?;
            Ok(py.detach(|| call(&it)))
        }
    }

    /// The value, for a call that may take long.
    pub(crate) fn get(&self) -> PyResult<Arc<T>> {
        let held = self.held.read().unwrap_or_else(PoisonError::into_inner);
        held.clone().ok_or_else(|| closed(self.what))
    }

    pub(crate) fn close(&self) {
        let mut held = self.held.write().unwrap_or_else(PoisonError::into_inner);
        drop(held.take());
    }
}

/// What one call at a time uses, until it is closed: by the call under way when that has ended.
#[derive(Debug)]
pub(crate) struct Alone<T> {
    what: &'static str,
    closed: AtomicBool,
    held: Mutex<Option<T>>,
}

impl<T: Send> Alone<T> {
    pub(crate) fn new(what: &'static str, it: T) -> Self {
        Self {
            what,
            closed: AtomicBool::new(false),
            held: Mutex::new(Some(it)),
        }
    }

    /// Carries `call` out, which may detach or call Python. RuntimeError if another call is under
    /// way: one in this thread, made by what this one calls, would else wait for itself.
    pub(crate) fn run<R>(&self, call: impl FnOnce(&mut T) -> PyResult<R>) -> PyResult<R> {
        if self.closed.load(Ordering::SeqCst) {
            return Err(closed(self.what));
        }
        let mut held = match self.held.try_lock() {
            Ok(held) => held,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => {
                let sentence = format!("{} is in use by another thread", self.what);
                return Err(PyRuntimeError::new_err(sentence));
            }
        };
        let result = match &mut *held {
            Some(it) => call(it),
            None => Err(closed(self.what)),
        };
        if self.closed.load(Ordering::SeqCst) {
            *held = None;
        }
        result
    }

    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
        if let Ok(mut held) = self.held.try_lock() {
            *held = None;
        }
    }
}
