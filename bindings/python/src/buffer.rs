//! Arguments: buffers of any kind, and numbers.

use crate::error::other_type;
use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::ffi::{CStr, c_int};
use std::marker::PhantomData;
use std::ptr;

/// An object of Python.
pub(crate) type Any<'py> = Bound<'py, PyAny>;
/// What many calls return.
pub(crate) type Bytes<'py> = PyResult<Bound<'py, PyBytes>>;

/// The bytes of an argument, which is not resized while this lives. Contiguous, and no addresses
/// of objects: to who opens them these mean nothing, and Python follows what is written over them.
pub(crate) struct View<'a, 'py> {
    what: &'a str,
    at: *mut u8,
    len: usize,
    /// None of `bytes`, which most arguments are: these are neither resized nor changed.
    _taken: Option<Box<Taken<'py>>>,
    object: PhantomData<&'a Any<'py>>,
}

/// What an exporter filled.
struct Taken<'py>(ffi::Py_buffer, PhantomData<Python<'py>>);

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        // SAFETY: `take` filled it, this is its only release, and the marker keeps it attached.
        unsafe { ffi::PyBuffer_Release(&raw mut self.0) }
    }
}

/// The object's buffer as `how` asks for it.
#[inline]
fn take<'py>(object: &Any<'py>, how: c_int) -> PyResult<Taken<'py>> {
    let mut taken = ffi::Py_buffer::new();
    // SAFETY: a live object, and room for a buffer.
    if unsafe { ffi::PyObject_GetBuffer(object.as_ptr(), &raw mut taken, how) } != 0 {
        return Err(PyErr::fetch(object.py()));
    }
    // A row of bytes may say its shape by pointing into itself, which is moved now. Without, it
    // says the same.
    if taken.shape == &raw mut taken.len {
        taken.shape = ptr::null_mut();
    }
    if taken.strides == &raw mut taken.itemsize {
        taken.strides = ptr::null_mut();
    }
    Ok(Taken(taken, PhantomData))
}

impl Taken<'_> {
    /// The format; none was asked for, or it is that of bytes, if there is none.
    fn format(&self) -> Option<&CStr> {
        // SAFETY: null, or a string that lives as long as the buffer is taken.
        (!self.0.format.is_null()).then(|| unsafe { CStr::from_ptr(self.0.format) })
    }
}

impl<'a, 'py> View<'a, 'py> {
    /// A view of an argument named `what`. Inlined always: so those of a message stay in registers.
    #[inline(always)]
    pub(crate) fn of(object: &'a Any<'py>, what: &'a str) -> PyResult<Self> {
        if !object.is_exact_instance_of::<PyBytes>() {
            return Self::of_other(object, what);
        }
        let (mut at, mut len) = (ptr::null_mut(), 0);
        // SAFETY: a live object that is `bytes`, so that both are written; one call for the two.
        unsafe { ffi::PyBytes_AsStringAndSize(object.as_ptr(), &raw mut at, &raw mut len) };
        Ok(Self::new(what, at.cast(), len.unsigned_abs(), None))
    }

    /// The same, of nothing for None.
    #[inline(always)]
    pub(crate) fn of_optional(object: Option<&'a Any<'py>>, what: &'a str) -> PyResult<Self> {
        match object {
            Some(object) if !object.is_none() => Self::of(object, what),
            _ => Ok(Self::new(what, ptr::null_mut(), 0, None)),
        }
    }

    #[inline(always)]
    fn new(what: &'a str, at: *mut u8, len: usize, taken: Option<Taken<'py>>) -> Self {
        Self { what, at, len, _taken: taken.map(Box::new), object: PhantomData }
    }

    fn of_taken(taken: Taken<'py>, what: &'a str) -> Self {
        let (at, len) = (taken.0.buf.cast(), taken.0.len.unsigned_abs());
        Self::new(what, at, len, Some(taken))
    }

    #[cold]
    fn of_other(object: &'a Any<'py>, what: &'a str) -> PyResult<Self> {
        let taken = no_objects(object, what, ffi::PyBUF_SIMPLE);
        taken.map(|it| Self::of_taken(it, what)).map_err(|error| refused(object, what, error))
    }

    /// A view to write to.
    pub(crate) fn writable(object: &'a Any<'py>, what: &'a str) -> PyResult<Self> {
        if let Ok(taken) = no_objects(object, what, ffi::PyBUF_WRITABLE) {
            return Ok(Self::of_taken(taken, what));
        }
        // What could at least be read is contiguous, and so it is the writing.
        Self::of(object, what)?;
        Err(other_type(object, what, "a writable buffer"))
    }

    /// The argument's name.
    pub(crate) fn what(&self) -> &str {
        self.what
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn at(&self) -> *const u8 {
        self.at
    }

    /// The bytes. Whoever changes them meanwhile, in another thread, gets what he asked for.
    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: the exporter keeps so many bytes as long as the view or `bytes` lives.
        unsafe { std::slice::from_raw_parts(self.at, self.len) }
    }

    /// The bytes of a view to write to.
    ///
    /// # Safety
    /// The view is `writable`, and no slice of ours is in use that shares bytes with it.
    #[inline]
    pub(crate) unsafe fn bytes_mut(&mut self) -> &mut [u8] {
        if self.len == 0 {
            return &mut [];
        }
        // SAFETY: as in `bytes`, and nothing else of ours uses them, as the caller promises.
        unsafe { std::slice::from_raw_parts_mut(self.at, self.len) }
    }

    /// Whether the two share bytes.
    fn overlaps(&self, other: &View<'_, '_>) -> bool {
        let (a, b) = (self.at.addr(), other.at.addr());
        self.len > 0 && other.len > 0 && a < b + other.len && b < a + self.len
    }

    /// Refuses to write here what would change another argument.
    #[inline]
    pub(crate) fn check_apart(&self, other: &View<'_, '_>) -> PyResult<()> {
        if !self.overlaps(other) {
            return Ok(());
        }
        let sentence = format!("{} overlaps {}", self.what, other.what);
        Err(PyValueError::new_err(sentence))
    }
}

/// Whether the object is a buffer of any kind.
#[pyfunction]
pub(crate) fn is_buffer(object: &Any<'_>) -> bool {
    // SAFETY: a live object.
    unsafe { ffi::PyObject_CheckBuffer(object.as_ptr()) != 0 }
}

/// What gave no view, and why. Of what is not contiguous in our words, for exporters differ in
/// theirs and in their type; what was released or closed says so itself.
fn refused(object: &Any<'_>, what: &str, error: PyErr) -> PyErr {
    let py = object.py();
    if !is_buffer(object) {
        return other_type(object, what, "a bytes-like object");
    }
    if !is_refusal(py, &error) {
        return error;
    }
    if take(object, ffi::PyBUF_INDIRECT).is_ok() {
        let sentence = format!("{what}: a contiguous buffer expected, one with gaps given");
        return PyBufferError::new_err(sentence);
    }
    let sentence = format!("{what}: {}", error.value(py));
    match error.is_instance_of::<PyBufferError>(py) {
        true => PyBufferError::new_err(sentence),
        false => PyValueError::new_err(sentence),
    }
}

fn is_refusal(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<PyBufferError>(py) || error.is_instance_of::<PyValueError>(py)
}

/// Whether a format has a pointer to an object. The name of a field is between colons.
fn names_objects(format: &CStr) -> bool {
    let parts = format.to_bytes().split(|byte| *byte == b':');
    parts.step_by(2).any(|part| part.contains(&b'O'))
}

/// Whether an array of NumPy has objects or strings that are elsewhere, as its type says.
fn has_objects(object: &Any<'_>) -> bool {
    let dtype = object.getattr("dtype");
    let asked = dtype.and_then(|dtype| dtype.getattr("hasobject")?.is_truthy());
    asked.unwrap_or(false)
}

/// The buffer, of bytes that are no addresses of objects.
#[inline]
fn no_objects<'py>(object: &Any<'py>, what: &str, how: c_int) -> PyResult<Taken<'py>> {
    let taken = take(object, how)?;
    // To ask for the format costs NumPy time, and smaller items have no room for an address.
    if taken.0.itemsize.unsigned_abs() < size_of::<*const u8>() {
        return Ok(taken);
    }
    drop(taken);
    let (taken, objects) = match take(object, how | ffi::PyBUF_ND | ffi::PyBUF_FORMAT) {
        Ok(taken) => {
            let objects = taken.format().is_some_and(names_objects);
            (taken, objects)
        }
        // NumPy has types for which there is no format, such as dates.
        Err(error) if is_refusal(object.py(), &error) => (take(object, how)?, has_objects(object)),
        Err(error) => return Err(error),
    };
    match objects {
        false => Ok(taken),
        true => Err(PyTypeError::new_err(format!(
            "{what}: bytes expected, addresses of objects of Python given"
        ))),
    }
}

/// A copy of offsets, so that nobody changes them after they were checked, and their width in
/// bytes. None is below 0, or beyond every buffer.
pub(crate) fn offsets(object: &Any<'_>, what: &str) -> PyResult<(Vec<i64>, usize)> {
    let taken = match take(object, ffi::PyBUF_ND | ffi::PyBUF_FORMAT) {
        Ok(taken) => Some(taken),
        // Says what is wrong with it.
        Err(_) => View::of(object, what).map(|_| None)?,
    };
    // Of what is empty, no shape is wrong.
    let row = taken.filter(|it| it.0.ndim == 1 || it.0.len == 0);
    let letter = row.as_ref().and_then(|it| integer(it.format()?));
    let size = row.as_ref().map_or(0, |it| it.0.itemsize);
    let (Some(taken), Some(letter), 4 | 8) = (&row, letter, size) else {
        let sentence = format!("{what}: one row of integers of 32 or 64 bits expected");
        return Err(PyTypeError::new_err(sentence));
    };
    if taken.0.len == 0 {
        let sentence = format!("{what}: one more than messages expected, 0 given");
        return Err(PyValueError::new_err(sentence));
    }
    let (at, len) = (taken.0.buf.cast::<u8>(), taken.0.len.unsigned_abs());
    // SAFETY: the exporter keeps so many bytes as long as the buffer is taken.
    let bytes = unsafe { std::slice::from_raw_parts(at, len) };
    let signed = b"ilqn".contains(&letter);
    let numbers: Vec<i64> = match (size, signed) {
        (4, true) => each(bytes, |it| i32::from_ne_bytes(it).into()),
        (4, false) => each(bytes, |it| u32::from_ne_bytes(it).into()),
        _ => each(bytes, i64::from_ne_bytes),
    };
    let Some(index) = numbers.iter().position(|number| *number < 0) else {
        return Ok((numbers, size.unsigned_abs()));
    };
    let number = numbers[index];
    Err(PyValueError::new_err(match signed {
        true => format!("{what}: 0 or more expected, {number} given (number {index})"),
        false => {
            let number = number.cast_unsigned();
            format!("{what}: {number} is beyond every buffer (number {index})")
        }
    }))
}

fn each<const N: usize>(bytes: &[u8], number: impl Fn([u8; N]) -> i64) -> Vec<i64> {
    bytes.as_chunks().0.iter().map(|it| number(*it)).collect()
}

/// The letter of a format that is one integer in this machine's byte order.
fn integer(format: &CStr) -> Option<u8> {
    let order = match cfg!(target_endian = "little") {
        true => b'<',
        false => b'>',
    };
    let letter = match format.to_bytes() {
        [letter] => *letter,
        [sign, letter] if [b'@', b'=', order].contains(sign) => *letter,
        _ => return None,
    };
    b"iIlLqQnN".contains(&letter).then_some(letter)
}

/// A whole number from 0 to `most`; another one is a ValueError, what is no number a TypeError.
pub(crate) fn number(object: &Any<'_>, what: &str, most: u64) -> PyResult<u64> {
    let operator = object.py().import("operator")?;
    let given = operator.call_method1("index", (object,))?;
    match given.extract::<u64>() {
        Ok(number) if number <= most => Ok(number),
        _ => Err(PyValueError::new_err(format!(
            "{what}: a number from 0 to {most} expected, {given} given"
        ))),
    }
}
