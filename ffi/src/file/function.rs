//! Sealed files that a function of the caller's reads at any position.

use super::keys::{FileKeys, keys_of};
use super::reader::FileReader;
use crate::failure::Failure;
use crate::handle::making;
use crate::progress::Caller;
use crate::status::Status;
use std::ffi::c_void;
use std::io::{self, Read, Seek, SeekFrom};

/// Reads at most `buffer_len` bytes (which is not 0) from byte `position` of the input on into
/// `buffer`. Writes the number of bytes to `read_len`: 0 only at the end of the input. Returns 0,
/// or any other number if it cannot read. `context` is what the caller gave with the function,
/// which is called in the thread that opens or reads; it does not throw, and does not jump away.
pub type ReadAtFunction = Option<
    unsafe extern "C" fn(
        context: *mut c_void,
        position: u64,
        buffer: *mut u8,
        buffer_len: usize,
        read_len: *mut usize,
    ) -> i32,
>;

/// sivka_file_reader_new() for the sealed file of `input_len` bytes that `read_at` reads. `read_at`
/// and `context` are used until the reader is freed.
/// _READ for what the function could not do.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_file_reader_of_function(
    read_at: ReadAtFunction,
    input_len: u64,
    context: *mut c_void,
    keys: *const FileKeys,
    made: *mut *mut FileReader,
) -> Status {
    let make = || {
        // SAFETY: as the header asks.
        let keys = unsafe { keys_of("keys", keys) }?;
        let input = SeekableInput {
            read_at: read_at.ok_or_else(|| Failure::null("read_at"))?,
            caller: Caller(context),
            position: 0,
            len: input_len,
        };
        FileReader::new(Box::new(input), None, &keys)
    };
    // SAFETY: null or a writable pointer, as the header asks.
    unsafe { making(made, make) }
}

struct SeekableInput {
    read_at: unsafe extern "C" fn(*mut c_void, u64, *mut u8, usize, *mut usize) -> i32,
    caller: Caller,
    position: u64,
    len: u64,
}

impl Read for SeekableInput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let mut read_len = 0;
        // SAFETY: a function as the header asks, one call at a time; the buffer is
        // writable and initialised.
        let answer = unsafe {
            (self.read_at)(
                self.caller.0,
                self.position,
                buffer.as_mut_ptr(),
                buffer.len(),
                &raw mut read_len,
            )
        };
        let read_len = answered(answer, read_len, buffer.len())?;
        self.position += read_len as u64;
        Ok(read_len)
    }
}

impl Seek for SeekableInput {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
            SeekFrom::End(offset) => self.len.checked_add_signed(offset),
        };
        self.position = position.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}

/// How many bytes a function of the caller's says that it read.
fn answered(answer: i32, read_len: usize, buffer_len: usize) -> io::Result<usize> {
    match answer {
        0 if read_len <= buffer_len => Ok(read_len),
        0 => Err(io::Error::other("the function read more than was asked")),
        answer => Err(io::Error::other(format!("the function answered {answer}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_reads_no_more_than_it_was_asked() {
        assert_eq!(answered(0, 0, 0).expect("read"), 0);
        assert_eq!(answered(0, 8, 8).expect("read"), 8);
        assert!(answered(0, 9, 8).is_err());
        assert!(answered(1, 0, 8).is_err());
    }
}
