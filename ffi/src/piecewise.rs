//! Files, and streams of keysets, sealed as a program writes, and opened as it reads.

use crate::failure::{Failure, guard};
use crate::file::{FileKeys, keys_of};
use crate::key::result;
use crate::region::{Region, check_apart, free, handle_mut};
use crate::status::Status;
use crate::stream::{Caller, Input, Output, ReadFunction, WriteFunction};
use crate::suite::{self, SuiteNumber};
use sivka_file::{Error, Reader, Writer};
use sivka_keyset::{Error as KeysetError, OpeningReader, SealingWriter};
use std::ffi::c_void;
use std::io::{self, Read, Write};

/// A file under way, which seals what is written to it. Make it with sivka_sealer_new(), end
/// the file with sivka_sealer_finish(), free it with sivka_sealer_free(). Made with
/// sivka_keyset_sealer_new() it is a stream of a keyset instead.
///
/// All is done in the caller's thread, which is also the one that its function is called in,
/// and only during a call. One thread at a time may use a sealer. Where all of the input of a
/// file is there and longer than 1 MB, sivka_seal_stream() is faster: it uses all cores.
pub struct Sealer(Option<Sealing>);

/// What a sealer makes; `None` in it after the end.
pub(crate) enum Sealing {
    File(Box<Writer<Output>>),
    Keyset(Box<SealingWriter<Output>>),
}

impl Sealer {
    /// A new handle.
    pub(crate) fn give(sealing: Sealing) -> *mut Self {
        Box::into_raw(Box::new(Self(Some(sealing))))
    }
}

/// Begins a sealed file for every one of `keys`, writes its header through `write`, and
/// writes the sealer to `made`; NULL on a failure. The keys may be freed before it.
///
/// SIVKA_ERROR_NULL, _SUITE, _KEY_COUNT, _WRITE for what the function could not do,
/// _NO_MEMORY, _RANDOM, _SELF_CHECK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_sealer_new(
    write: WriteFunction,
    context: *mut c_void,
    keys: *const FileKeys,
    suite: SuiteNumber,
    made: *mut *mut Sealer,
) -> Status {
    guard(|| {
        // SAFETY: null or a writable pointer, as the header asks.
        let mut made = unsafe { result("made", made) }?;
        // SAFETY: as the header asks.
        let keys = unsafe { keys_of("keys", keys) }?;
        let output = Output::new(write, Caller::new(context))?;
        let options = keys.seal_options(suite::find(suite)?);
        let writer = Writer::new(output, &keys.locks(), &options)?;
        made.handle = Sealer::give(Sealing::File(Box::new(writer)));
        Ok(())
    })
}

/// Goes on with the file by the `plaintext_len` bytes at `plaintext`, any number of them.
/// They are written through the function when a chunk of the format is full.
///
/// SIVKA_ERROR_NULL, _TOO_LONG, _WRITE for what the function could not do and after
/// sivka_sealer_finish(), _FILE_TOO_LONG; SIVKA_ERROR_TOO_LONG for a keyset's stream of more
/// than 2^32 - 1 segments. After a failure of the function the file cannot be ended any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_sealer_write(
    sealer: *mut Sealer,
    plaintext: *const u8,
    plaintext_len: usize,
) -> Status {
    guard(|| {
        let plaintext = Region::new("plaintext", plaintext, plaintext_len)?;
        // SAFETY: a live sealer, as the header asks, that no other thread uses.
        let sealer = unsafe { handle_mut("sealer", sealer) }?;
        let sealing = sealer.0.as_mut().ok_or_else(ended)?;
        // SAFETY: memory as the header asks.
        let plaintext = unsafe { plaintext.as_slice() };
        let done = match sealing {
            Sealing::File(writer) => writer.write_all(plaintext),
            Sealing::Keyset(writer) => writer.write_all(plaintext),
        };
        done.map_err(|error| of_stream(error, Error::Write))
    })
}

/// Writes what is left through the function, with the mark of the end, without which the
/// file does not open.
///
/// SIVKA_ERROR_NULL, _WRITE for what the function could not do, also in an earlier call, and
/// after another sivka_sealer_finish(), _FILE_TOO_LONG, _TOO_LONG as in sivka_sealer_write().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_sealer_finish(sealer: *mut Sealer) -> Status {
    guard(|| {
        // SAFETY: a live sealer, as the header asks, that no other thread uses.
        let sealer = unsafe { handle_mut("sealer", sealer) }?;
        match sealer.0.take().ok_or_else(ended)? {
            Sealing::File(writer) => writer.finish().map(drop)?,
            Sealing::Keyset(writer) => {
                let done = writer.finish().map(drop);
                done.map_err(|error| of_stream(error, Error::Write))?;
            }
        }
        Ok(())
    })
}

fn ended() -> Failure {
    Error::Write(io::Error::other("the file has ended")).into()
}

/// The error of a format, which `io` hands over inside another; or the caller's function's own.
fn of_stream(error: io::Error, own: fn(io::Error) -> Error) -> Failure {
    match error.downcast::<Error>() {
        Ok(error) => error.into(),
        Err(error) => match error.downcast::<KeysetError>() {
            Ok(error) => error.into(),
            Err(error) => own(error).into(),
        },
    }
}

/// Wipes and frees a sealer. A file that was not ended does not open: that is how to give one
/// up. NULL is allowed, and nothing happens.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_sealer_free(sealer: *mut Sealer) {
    // SAFETY: it came from `sivka_sealer_new` and was not freed, as the header asks.
    unsafe { free("sealer", sealer) }
}

/// A sealed file that is opened as it is read. Make it with sivka_opener_new(), free it with
/// sivka_opener_free(). Made with sivka_keyset_opener_new() it opens a stream of a keyset.
///
/// For threads it is as sivka_sealer. Where all of the output of a file is wanted
/// and it is longer than 1 MB, sivka_open_stream() is faster: it uses all cores.
pub struct Opener(Opening);

pub(crate) enum Opening {
    File(Box<Reader<Input>>),
    Keyset(Box<OpeningReader<Input>>),
    /// After a failure. A reader of files stays in it by itself; one of a keyset would go on
    /// when the caller's function does.
    Failed,
}

impl Opener {
    /// A new handle.
    pub(crate) fn give(opening: Opening) -> *mut Self {
        Box::into_raw(Box::new(Self(opening)))
    }

    fn read(&mut self, out: &mut [u8]) -> Result<usize, Failure> {
        if out.is_empty() {
            return Ok(0);
        }
        let read = match &mut self.0 {
            Opening::File(reader) => reader.read(out),
            Opening::Keyset(reader) => reader.read(out),
            Opening::Failed => Err(io::Error::other("an earlier read failed")),
        };
        read.map_err(|error| {
            self.0 = Opening::Failed;
            of_stream(error, Error::Read)
        })
    }
}

/// Reads the header of a sealed file through `read`, opens it with whichever of `keys` fits,
/// and writes the opener to `made`; NULL on a failure. The keys may be freed before it.
///
/// SIVKA_ERROR_NULL, _READ for what the function could not do, _NOT_SIVKA, _NEWER, _DAMAGED,
/// _TRUNCATED, _WRONG_KEY, _COST_LIMIT, _NO_MEMORY, _SELF_CHECK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_opener_new(
    read: ReadFunction,
    context: *mut c_void,
    keys: *const FileKeys,
    made: *mut *mut Opener,
) -> Status {
    guard(|| {
        // SAFETY: null or a writable pointer, as the header asks.
        let mut made = unsafe { result("made", made) }?;
        // SAFETY: as the header asks.
        let keys = unsafe { keys_of("keys", keys) }?;
        let input = Input::new(read, Caller::new(context))?;
        let reader = Reader::new(input, &keys.unlocks(), &keys.open_options())?;
        made.handle = Opener::give(Opening::File(Box::new(reader)));
        Ok(())
    })
}

/// Reads the next bytes of plaintext into `plaintext`, at most `plaintext_capacity`, and
/// writes how many they were to `plaintext_len`: 0 only at the authentic end, or if the
/// capacity is 0. Every byte was authenticated.
///
/// On a failure nothing was read: what came before is the beginning of what was sealed, and
/// whoever needs all of it or nothing throws it away. SIVKA_ERROR_READ for what the function
/// could not do, _DAMAGED, _TRUNCATED, _FILE_TOO_LONG; SIVKA_ERROR_OPEN for a keyset's stream
/// that does not open, whatever is wrong with it. After these every later call with a
/// capacity that is not 0 answers SIVKA_ERROR_READ, and does not call the function. After
/// SIVKA_ERROR_NULL, _ALIGNMENT, _TOO_LONG, _OVERLAP a later call goes on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_opener_read(
    opener: *mut Opener,
    plaintext: *mut u8,
    plaintext_capacity: usize,
    plaintext_len: *mut usize,
) -> Status {
    guard(|| {
        let out = Region::new("plaintext", plaintext, plaintext_capacity)?;
        let out_len = Region::new("plaintext_len", plaintext_len, 1)?;
        check_apart(&[out.span(), out_len.span()], &[])?;
        // SAFETY: a live opener, as the header asks, that no other thread uses.
        let opener = unsafe { handle_mut("opener", opener) }?;
        // SAFETY: memory as the header asks, and apart.
        let (out, out_len) = unsafe { (out.as_mut_slice(), out_len.as_mut_slice()) };
        out_len.fill(0);
        out_len.fill(opener.read(out)?);
        Ok(())
    })
}

/// Wipes and frees an opener. NULL is allowed, and nothing happens.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_opener_free(opener: *mut Opener) {
    // SAFETY: it came from `sivka_opener_new` and was not freed, as the header asks.
    unsafe { free("opener", opener) }
}
