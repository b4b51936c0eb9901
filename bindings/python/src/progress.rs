//! Python hears how far a file is, and stops it.

use pyo3::prelude::*;
use sivka_file::Error;
use std::io;
use std::time::{Duration, Instant};

/// How often Python is asked at most: whoever waits for the interpreter holds up the work.
const INTERVAL: Duration = Duration::from_millis(50);

/// Who hears of one call: `progress` of Python, if there is one, and the handlers of signals.
pub(crate) struct Progress {
    call: Option<Py<PyAny>>,
    next: Option<Instant>,
    told: Option<u64>,
}

impl Progress {
    pub(crate) fn new(call: Option<Py<PyAny>>) -> Self {
        Self { call, next: None, told: None }
    }

    /// After so many bytes of plaintext. What Python raises ends the work, inside of an error.
    pub(crate) fn tell(&mut self, done: u64) -> Result<(), Error> {
        match self.next {
            Some(next) if Instant::now() < next => Ok(()),
            _ => self.end(done),
        }
    }

    /// After all of them, which are always told.
    pub(crate) fn end(&mut self, done: u64) -> Result<(), Error> {
        if self.told.replace(done) == Some(done) {
            return Ok(());
        }
        let answer = Python::attach(|py| {
            if let Some(call) = &self.call {
                call.call1(py, (done,))?;
            }
            py.check_signals()
        });
        self.next = Some(Instant::now() + INTERVAL);
        answer.map_err(|raised| Error::Read(io::Error::other(raised)))
    }
}
