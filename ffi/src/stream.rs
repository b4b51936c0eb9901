//! Files, and streams of keysets, sealed and opened from bytes in to bytes out.

mod input;
mod output;

use crate::failure::{Failure, guard};
use crate::file::{FileKeys, keys_of};
use crate::handle::{free, handle_mut, making};
use crate::region::{Region, check_apart};
use crate::status::Status;
use crate::suite::{self, SuiteNumber};
pub(crate) use input::{Head, Input, Opens};
pub(crate) use output::{Output, Seals};
use sivka_file::{Error, Writer};
use sivka_keyset::Error as KeysetError;
use std::{io, mem};

/// A file under way, which seals its input. sivka_sealer_new() makes it, or
/// sivka_keyset_sealer_new() for a stream of a keyset.
pub struct Sealer(Sealing);

enum Sealing {
    Running(Box<dyn Seals>),
    /// After the end, of which this gives what is left.
    Ended(Output),
    /// After a failure, and during a call.
    Failed,
}

impl Sealer {
    pub(crate) fn new(seals: impl Seals + 'static) -> Self {
        Self(Sealing::Running(Box::new(seals)))
    }

    /// How many bytes of the input were taken, and how many were put into the buffer.
    fn update(&mut self, input: &[u8], buffer: Region<u8>) -> Result<(usize, usize), Failure> {
        let mut seals = match mem::replace(&mut self.0, Sealing::Failed) {
            Sealing::Running(seals) => seals,
            other => {
                self.0 = other;
                return Err(ended());
            }
        };
        seals.output().lend(buffer);
        let mut used = 0;
        while used < input.len() && !seals.output().is_full() {
            let taken = seals.write(&input[used..]);
            used += taken.map_err(|error| of_stream(error, Error::Write))?;
        }
        let given = seals.output().take_back();
        self.0 = Sealing::Running(seals);
        Ok((used, given))
    }

    fn finish(&mut self, buffer: Region<u8>) -> Result<usize, Failure> {
        let mut output = match mem::replace(&mut self.0, Sealing::Failed) {
            Sealing::Running(mut seals) => {
                seals.output().lend(buffer);
                seals.end()?
            }
            Sealing::Ended(mut output) => {
                output.lend(buffer);
                output
            }
            Sealing::Failed => return Err(ended()),
        };
        let given = output.take_back();
        self.0 = Sealing::Ended(output);
        Ok(given)
    }
}

fn ended() -> Failure {
    Error::Write(io::Error::other("the file has ended")).into()
}

/// The error of a format, which `io` hands over inside another; or else `own`.
fn of_stream(error: io::Error, own: fn(io::Error) -> Error) -> Failure {
    match error.downcast::<Error>() {
        Ok(error) => error.into(),
        Err(error) => match error.downcast::<KeysetError>() {
            Ok(error) => error.into(),
            Err(error) => own(error).into(),
        },
    }
}

/// Begins a sealed file for every one of `keys`, whose first bytes are the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_sealer_new(
    keys: *const FileKeys,
    suite: SuiteNumber,
    made: *mut *mut Sealer,
) -> Status {
    let make = || {
        // SAFETY: a live set of keys, as the header asks.
        let keys = unsafe { keys_of("keys", keys) }?;
        let options = keys.seal_options(suite::find(suite)?);
        let writer = Writer::new(Output::default(), &keys.locks(), &options)?;
        Ok(Sealer::new(writer))
    };
    // SAFETY: null or a writable pointer, as the header asks.
    unsafe { making(made, make) }
}

/// Goes on with the file by the `input_len` bytes at `input`, any number of them. Writes to
/// `input_used` how many of them were taken, which are all unless `output` is full, and to
/// `output_len` how many sealed bytes were written to `output`. Call it again with the rest. Sealed
/// bytes come out when there are enough of them: a sealer holds at most 12 MiB. An input of 1 MiB
/// and more is sealed by all cores.
///
/// A call that is wrong takes nothing. After any other failure the file cannot be ended any more:
/// _FILE_TOO_LONG, _TOO_LONG for a keyset's stream of more than 2^32 - 1 segments. Every later call
/// is _WRITE then; after sivka_sealer_finish(), so is this one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_sealer_update(
    sealer: *mut Sealer,
    input: *const u8,
    input_len: usize,
    input_used: *mut usize,
    output: *mut u8,
    output_capacity: usize,
    output_len: *mut usize,
) -> Status {
    guard(|| {
        let given = Given::new((input, input_len), (output, output_capacity))?;
        // SAFETY: a live sealer, as the header asks, that no other thread uses, and memory.
        unsafe {
            given.tell(input_used, output_len, |input, output| {
                handle_mut("sealer", sealer)?.update(input.as_slice(), output)
            })
        }
    })
}

/// Ends the file: writes the last bytes to `output`, and their number to `output_len`. Call it
/// until that is 0, as it stays then. Without it the file is cut short, and does not open.
/// _CAPACITY if `output_capacity` is 0; and as sivka_sealer_update().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_sealer_finish(
    sealer: *mut Sealer,
    output: *mut u8,
    output_capacity: usize,
    output_len: *mut usize,
) -> Status {
    guard(|| {
        let given = Given::to_end((output, output_capacity))?;
        // SAFETY: as above.
        unsafe { given.tell_end(output_len, |output| handle_mut("sealer", sealer)?.finish(output)) }
    })
}

/// Wipes and frees a sealer. A file that was not ended does not open: that is how to give one up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_sealer_free(sealer: *mut Sealer) {
    // SAFETY: it came from `sivka_sealer_new` and was not freed, as the header asks.
    unsafe { free("sealer", sealer) }
}

/// A sealed file that is opened as it comes. sivka_opener_new() makes it, or
/// sivka_keyset_opener_new() for a stream of a keyset.
pub struct Opener {
    opening: Opening,
    has_ended: bool,
}

pub(crate) enum Opening {
    Head(Head),
    Running(Box<dyn Opens>),
    /// What is to be told before nothing is given any more.
    Failing(Failure),
    /// After a failure, and during a call.
    Failed,
}

impl Opener {
    pub(crate) fn new(opening: Opening) -> Self {
        let has_ended = false;
        Self { opening, has_ended }
    }

    fn update(&mut self, input: Region<u8>, out: &mut [u8]) -> Result<(usize, usize), Failure> {
        let (used, mut opens) = match mem::replace(&mut self.opening, Opening::Failed) {
            Opening::Running(opens) => (0, opens),
            Opening::Head(mut head) => {
                // SAFETY: the memory of the call, which nothing writes meanwhile.
                let used = head.take(unsafe { input.as_slice() });
                if !self.has_ended && !head.is_whole() {
                    self.opening = Opening::Head(head);
                    return Ok((used, 0));
                }
                (used, head.open()?)
            }
            Opening::Failing(failure) => return Err(failure),
            Opening::Failed => {
                let error = io::Error::other("an earlier call failed");
                return Err(Error::Read(error).into());
            }
        };
        let (_, rest) = input.split_at(used)?;
        opens.input().lend(rest, self.has_ended);
        let (given, failure) = read(&mut *opens, out);
        let mut left = opens.input().take_back();
        self.opening = match failure {
            None => Opening::Running(opens),
            // What was opened before it is given first.
            Some(failure) if given > 0 => {
                left = 0;
                Opening::Failing(failure)
            }
            Some(failure) => return Err(failure),
        };
        Ok((input.len() - left, given))
    }
}

/// Reads until the output is full, or there is no more, and says why.
fn read(opens: &mut dyn Opens, out: &mut [u8]) -> (usize, Option<Failure>) {
    let mut given = 0;
    while given < out.len() {
        match opens.read(&mut out[given..]) {
            Ok(0) => break,
            Ok(read) => given += read,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
            Err(error) => return (given, Some(of_stream(error, Error::Read))),
        }
    }
    (given, None)
}

/// Makes an opener for a sealed file, with the one of `keys` that opens it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_opener_new(keys: *const FileKeys, made: *mut *mut Opener) -> Status {
    let make = || {
        // SAFETY: a live set of keys, as the header asks.
        let keys = unsafe { keys_of("keys", keys) }?;
        Ok(Opener::new(Opening::Head(Head::new(keys))))
    };
    // SAFETY: null or a writable pointer, as the header asks.
    unsafe { making(made, make) }
}

/// Takes the next `input_len` bytes of a sealed file at `input`, and writes authenticated plaintext
/// to `output`. Writes to `input_used` how many bytes were taken, which are all unless `output` is
/// full, and to `output_len` how many were written. Call it again with the rest. With an
/// `input_len` of 0 it gives the plaintext that did not go into a full `output`. The plaintext of a
/// chunk, or of a keyset's segment, comes out once it and the byte after it were taken. An input of
/// 1 MiB and more is opened by all cores.
///
/// The output is the beginning of the plaintext. If a part would do harm, wait for the end, which
/// sivka_opener_finish() reports, and throw the output away after a failure.
///
/// A call that is wrong takes nothing. After any other failure nothing more comes out: those of a
/// sealed file, and _OPEN for a keyset's stream that does not open, whatever is wrong with it.
/// Every later call is _READ then; after sivka_opener_finish(), so is this one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_opener_update(
    opener: *mut Opener,
    input: *const u8,
    input_len: usize,
    input_used: *mut usize,
    output: *mut u8,
    output_capacity: usize,
    output_len: *mut usize,
) -> Status {
    guard(|| {
        let given = Given::new((input, input_len), (output, output_capacity))?;
        // SAFETY: a live opener, as the header asks, that no other thread uses, and memory.
        unsafe {
            given.tell(input_used, output_len, |input, output| {
                let opener = handle_mut("opener", opener)?;
                if opener.has_ended {
                    let error = io::Error::other("the file has ended");
                    return Err(Error::Read(error).into());
                }
                opener.update(input, output.as_mut_slice())
            })
        }
    })
}

/// Says that the sealed file has ended. Writes the plaintext that is left to `output`, and to
/// `output_len` how many bytes these were. Call it until that is 0 with SIVKA_OK, the authentic
/// end, as it stays then. _CAPACITY if `output_capacity` is 0; _TRUNCATED if the end is missing or
/// damaged; and as sivka_opener_update().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_opener_finish(
    opener: *mut Opener,
    output: *mut u8,
    output_capacity: usize,
    output_len: *mut usize,
) -> Status {
    guard(|| {
        let given = Given::to_end((output, output_capacity))?;
        let nothing = given.input;
        // SAFETY: as above.
        unsafe {
            given.tell_end(output_len, |output| {
                let opener = handle_mut("opener", opener)?;
                opener.has_ended = true;
                Ok(opener.update(nothing, output.as_mut_slice())?.1)
            })
        }
    })
}

/// Wipes and frees an opener.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_opener_free(opener: *mut Opener) {
    // SAFETY: it came from `sivka_opener_new` and was not freed, as the header asks.
    unsafe { free("opener", opener) }
}

/// The buffers of a call.
struct Given {
    input: Region<u8>,
    output: Region<u8>,
}

impl Given {
    fn new(input: (*const u8, usize), output: (*mut u8, usize)) -> Result<Self, Failure> {
        Ok(Self {
            input: Region::new("input", input.0, input.1)?,
            output: Region::new("output", output.0, output.1)?,
        })
    }

    /// Those of a call that ends a stream: without room nobody could tell the end.
    fn to_end(output: (*mut u8, usize)) -> Result<Self, Failure> {
        let given = Self::new((std::ptr::null(), 0), output)?;
        given.output.first(1)?;
        Ok(given)
    }

    /// Carries out `call` and tells both lengths, which are 0 on a failure.
    ///
    /// # Safety
    /// The buffers and the places are memory as the header asks.
    unsafe fn tell(
        self,
        used: *mut usize,
        given: *mut usize,
        call: impl FnOnce(Region<u8>, Region<u8>) -> Result<(usize, usize), Failure>,
    ) -> Result<(), Failure> {
        let used = Region::new("input_used", used, 1)?;
        let given = Region::new("output_len", given, 1)?;
        let written = [self.output.span(), used.span(), given.span()];
        check_apart(&written, &[self.input.span()])?;
        // SAFETY: the caller's promise, and apart.
        let (used, given) = unsafe { (used.as_mut_slice(), given.as_mut_slice()) };
        used.fill(0);
        given.fill(0);
        let (used_now, given_now) = call(self.input, self.output)?;
        used.fill(used_now);
        given.fill(given_now);
        Ok(())
    }

    /// The same without an input.
    ///
    /// # Safety
    /// As for [`Self::tell`].
    unsafe fn tell_end(
        self,
        given: *mut usize,
        call: impl FnOnce(Region<u8>) -> Result<usize, Failure>,
    ) -> Result<(), Failure> {
        let mut used = 0;
        // SAFETY: the caller's promise.
        unsafe { self.tell(&raw mut used, given, |_, output| Ok((0, call(output)?))) }
    }
}
