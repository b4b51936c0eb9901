//! One message: three levels.
//!
//! A short message takes some fifty nanoseconds. So its arguments are checked as plain
//! integers, all at once (`Message::is_sound`), and only where something is wrong are they
//! looked at one by one (`parts`) to say what.

mod parts;

use crate::algorithm::{Algorithm, AlgorithmNumber};
use crate::failure::{Failure, caught, failed};
use crate::key::Key;
use crate::region::{Region, handle};
use crate::status::{SIVKA_OK, Status};
use parts::Parts;
use sivka::{Error, NonceRule};
use std::ptr;
use std::slice::{from_raw_parts, from_raw_parts_mut};

/// One message in the caller's memory. All three levels come down to this.
struct Message<'a> {
    key: &'a Key,
    nonce: *const u8,
    aad: *const u8,
    aad_len: usize,
    /// What is read: the plaintext to seal, or the ciphertext to open.
    input: *const u8,
    /// What is written, as long as the input: at the very same place, or apart from it.
    output: *mut u8,
    text_len: usize,
    /// Written to seal, read to open.
    tag: *mut u8,
}

/// Whether no byte is in both; also no for some pairs of which one is empty. The start of `b`
/// stands no further before `a` than `b` is long, and no further behind than `a` is.
#[inline(always)]
fn apart(a: *const u8, a_len: usize, b: *const u8, b_len: usize) -> bool {
    let last = b_len.wrapping_sub(1);
    b.addr().wrapping_sub(a.addr()).wrapping_add(last) >= a_len.wrapping_add(last)
}

/// Whether none of these is null, too long for memory, or in the upper half of the addresses,
/// where programs have nothing and from where a length could wrap.
#[inline(always)]
fn plausible<const N: usize>(parts: [(*const u8, usize); N]) -> bool {
    let mut bits = 0;
    for (start, len) in parts {
        // From null that is all ones.
        bits |= start.addr().wrapping_sub(1) | len;
    }
    bits <= isize::MAX as usize / 2
}

/// A place for no bytes, which may have been given as null.
#[inline(always)]
fn not_null(start: *const u8, len: usize) -> *const u8 {
    if len == 0 { ptr::dangling() } else { start }
}

impl Message<'_> {
    #[inline(always)]
    fn is_in_place(&self) -> bool {
        self.input == self.output.cast_const()
    }

    /// Whether a message with its tag apart is at once seen to be memory, of which nothing
    /// that is written overlaps anything else. If not, [`Parts`] has the last word.
    #[inline(always)]
    fn is_sound(&self, seals: bool) -> bool {
        let (output, tag) = (self.output.cast_const(), self.tag.cast_const());
        let (text_len, tag_len) = (self.text_len, self.key.tag_len);
        let nonce = (self.nonce, self.key.nonce_len);
        let (aad, input) = ((self.aad, self.aad_len), (self.input, text_len));
        let mut sound = plausible([nonce, aad, input, (output, text_len), (tag, tag_len)]);
        if text_len != 0 {
            sound &= apart(output, text_len, tag, tag_len)
                & apart(output, text_len, nonce.0, nonce.1)
                & apart(output, text_len, aad.0, aad.1)
                & (self.is_in_place() | apart(output, text_len, input.0, text_len));
        }
        if seals {
            sound &= apart(tag, tag_len, nonce.0, nonce.1)
                & apart(tag, tag_len, aad.0, aad.1)
                & apart(tag, tag_len, input.0, text_len);
        }
        sound
    }

    /// The same for a message whose parts stand one behind the other: `joined_len` bytes at
    /// `joined`, with the nonce among them if `nonce_len` is 0.
    #[inline(always)]
    fn is_sound_joined(
        &self,
        seals: bool,
        joined: *const u8,
        joined_len: usize,
        nonce_len: usize,
    ) -> bool {
        let (output, text_len) = (self.output.cast_const(), self.text_len);
        let (nonce, aad) = ((self.nonce, nonce_len), (self.aad, self.aad_len));
        let (input, joined) = ((self.input, text_len), (joined, joined_len));
        let mut sound = plausible([nonce, aad, input, (output, text_len), joined]);
        let (written, other) = if seals {
            (joined, input)
        } else {
            ((output, text_len), joined)
        };
        if written.1 != 0 {
            sound &= apart(written.0, written.1, aad.0, aad.1)
                & apart(written.0, written.1, nonce.0, nonce.1)
                & (self.is_in_place() | apart(written.0, written.1, other.0, other.1));
        }
        sound
    }

    /// The same message, in which no bytes stand at an address that is not null.
    #[cold]
    #[inline(never)]
    fn without_null(self) -> Self {
        Self {
            input: not_null(self.input, self.text_len),
            output: not_null(self.output, self.text_len).cast_mut(),
            ..self
        }
    }

    /// # Safety
    /// The parts are memory as the header asks, and sound.
    #[inline(always)]
    unsafe fn seal(&self) -> Status {
        // SAFETY: the caller's promise for each part; those that are written are apart from
        // all others, but for an input in the very place of the output.
        caught(|| unsafe {
            let nonce = from_raw_parts(self.nonce, self.key.nonce_len);
            let aad = from_raw_parts(self.aad, self.aad_len);
            let output = from_raw_parts_mut(self.output, self.text_len);
            let tag = from_raw_parts_mut(self.tag, self.key.tag_len);
            let aead = &self.key.aead;
            done(if self.is_in_place() {
                aead.seal_in_place(nonce, aad, output, tag)
            } else {
                let input = from_raw_parts(self.input, self.text_len);
                aead.seal_into(nonce, input, aad, output, tag)
            })
        })
    }

    /// # Safety
    /// The parts are memory as the header asks, and sound.
    #[inline(always)]
    unsafe fn open(&self) -> Status {
        // SAFETY: as in `seal`, with a tag that is read.
        caught(|| unsafe {
            let nonce = from_raw_parts(self.nonce, self.key.nonce_len);
            let aad = from_raw_parts(self.aad, self.aad_len);
            let output = from_raw_parts_mut(self.output, self.text_len);
            let tag = from_raw_parts(self.tag, self.key.tag_len);
            let aead = &self.key.aead;
            done(if self.is_in_place() {
                aead.open_in_place(nonce, aad, output, tag)
            } else {
                let input = from_raw_parts(self.input, self.text_len);
                aead.open_into(nonce, input, aad, tag, output)
            })
        })
    }
}

#[inline(always)]
fn done(result: Result<(), Error>) -> Status {
    match result {
        Ok(()) => SIVKA_OK,
        Err(error) => failed(error.into()),
    }
}

/// A key that the caller points to.
///
/// # Safety
/// `key` is null or a live key.
#[inline(always)]
unsafe fn live<'a>(key: *const Key) -> Result<&'a Key, Status> {
    // SAFETY: the caller's promise.
    unsafe { handle("key", key) }.map_err(failed)
}

/// Refuses a key whose algorithm draws no nonces.
#[inline(always)]
fn draws_nonces(key: &Key) -> Result<(), Status> {
    if key.row.nonce_rule() == NonceRule::Counter {
        return Err(failed(Error::NoRandomNonce.into()));
    }
    Ok(())
}

/// The message, if it is sound or a second look says so.
#[inline(always)]
fn checked<'a>(
    message: Message<'a>,
    sound: bool,
    check: impl FnOnce() -> Result<(), Failure>,
) -> Result<Message<'a>, Status> {
    if sound {
        return Ok(message);
    }
    check().map_err(failed)?;
    Ok(message.without_null())
}

/// Either way a status.
#[inline(always)]
fn status(result: Result<Status, Status>) -> Status {
    match result {
        Ok(status) | Err(status) => status,
    }
}

/// The room that sivka_seal() needs for a plaintext of `plaintext_len` bytes: nonce,
/// ciphertext and tag. 0 for an unknown algorithm or if no memory is so large.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_seal_len(algorithm: AlgorithmNumber, plaintext_len: usize) -> usize {
    let len = Algorithm::length(algorithm, |row| {
        plaintext_len.saturating_add(row.nonce_len() + row.tag_len())
    });
    if isize::try_from(len).is_ok() { len } else { 0 }
}

/// The room that sivka_open() needs for a sealed message of `sealed_len` bytes. 0 also
/// for an unknown algorithm and for a message that is too short and will not open.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_open_len(algorithm: AlgorithmNumber, sealed_len: usize) -> usize {
    Algorithm::length(algorithm, |row| {
        sealed_len.saturating_sub(row.nonce_len() + row.tag_len())
    })
}

/// The room that sivka_seal_with_nonce() needs for a plaintext of `plaintext_len` bytes:
/// ciphertext and tag. 0 for an unknown algorithm or if no memory is so large.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_seal_with_nonce_len(
    algorithm: AlgorithmNumber,
    plaintext_len: usize,
) -> usize {
    let len = Algorithm::length(algorithm, |row| plaintext_len.saturating_add(row.tag_len()));
    if isize::try_from(len).is_ok() { len } else { 0 }
}

/// The room that sivka_open_with_nonce() needs for a ciphertext and tag of
/// `ciphertext_len` bytes. 0 also for an unknown algorithm and for a message that is too
/// short and will not open.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_open_with_nonce_len(
    algorithm: AlgorithmNumber,
    ciphertext_len: usize,
) -> usize {
    Algorithm::length(algorithm, |row| {
        ciphertext_len.saturating_sub(row.tag_len())
    })
}

/// Level one: seals under a random nonce, which is drawn here.
///
/// Writes nonce, ciphertext and tag, one after another, to `sealed`, and their length to
/// `sealed_len` unless that is NULL. `sealed_capacity` is at least sivka_seal_len().
/// `plaintext` may stand where its ciphertext will, sivka_nonce_len() bytes behind the
/// start of `sealed`, and may not overlap `sealed` otherwise; nor may `aad`.
///
/// SIVKA_ERROR_NULL, _LENGTH, _CAPACITY, _TOO_LONG, _OVERLAP, _REFUSED,
/// _NO_RANDOM_NONCE, _RANDOM, _SELF_CHECK. Nothing is sealed then, and no plaintext stands in `sealed`
/// that was not there before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_seal(
    key: *const Key,
    aad: *const u8,
    aad_len: usize,
    plaintext: *const u8,
    plaintext_len: usize,
    sealed: *mut u8,
    sealed_capacity: usize,
    sealed_len: *mut usize,
) -> Status {
    status((|| {
        // SAFETY: a live key, as the header asks.
        let key = unsafe { live(key) }?;
        draws_nonces(key)?;
        let len = plaintext_len.wrapping_add(key.nonce_len + key.tag_len);
        let output = sealed.wrapping_add(key.nonce_len);
        let message = Message {
            key,
            nonce: sealed,
            aad: not_null(aad, aad_len),
            aad_len,
            input: plaintext,
            output,
            text_len: plaintext_len,
            tag: output.wrapping_add(plaintext_len),
        };
        let sound = (len <= sealed_capacity)
            & plausible([(sealed, sealed_capacity)])
            & message.is_sound_joined(true, sealed, len, 0);
        let message = checked(message, sound, || {
            let (aad, input) = ((aad, aad_len), (plaintext, plaintext_len));
            Parts::joined_to_seal(key, "sealed", sealed, sealed_capacity, None, aad, input)
        })?;
        // SAFETY: memory as the header asks, and the nonce apart from all others.
        let nonce = unsafe { from_raw_parts_mut(sealed, key.nonce_len) };
        let message_len = (plaintext_len as u64).saturating_add(aad_len as u64);
        let drawn = caught(|| done(key.aead.draw_nonces(nonce, message_len)));
        if drawn != SIVKA_OK {
            return Err(drawn);
        }
        // SAFETY: memory as the header asks, and sound.
        let status = unsafe { message.seal() };
        // SAFETY: null or writable, as the header asks.
        unsafe { write_len(status, sealed_len, len) };
        Ok(status)
    })())
}

/// Opens what sivka_seal() wrote: nonce, ciphertext and tag, one after another.
///
/// Writes the plaintext to `plaintext` and its length to `plaintext_len` unless that is
/// NULL. `plaintext_capacity` is at least sivka_open_len(). `plaintext` may be where the
/// ciphertext is, sivka_nonce_len() bytes behind the start of `sealed`, and may not
/// overlap `sealed` otherwise, nor `aad`.
///
/// SIVKA_ERROR_OPEN; SIVKA_ERROR_NULL, _CAPACITY, _TOO_LONG, _OVERLAP,
/// _NO_RANDOM_NONCE, _SELF_CHECK. There is no plaintext in any buffer then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_open(
    key: *const Key,
    aad: *const u8,
    aad_len: usize,
    sealed: *const u8,
    sealed_len: usize,
    plaintext: *mut u8,
    plaintext_capacity: usize,
    plaintext_len: *mut usize,
) -> Status {
    status((|| {
        // SAFETY: a live key, as the header asks.
        let key = unsafe { live(key) }?;
        draws_nonces(key)?;
        let text_len = sealed_len.wrapping_sub(key.nonce_len + key.tag_len);
        let input = sealed.wrapping_add(key.nonce_len);
        let message = Message {
            key,
            nonce: sealed,
            aad: not_null(aad, aad_len),
            aad_len,
            input,
            output: plaintext,
            text_len,
            tag: input.wrapping_add(text_len).cast_mut(),
        };
        let sound = (text_len <= sealed_len)
            & (text_len <= plaintext_capacity)
            & plausible([(plaintext.cast_const(), plaintext_capacity)])
            & message.is_sound_joined(false, sealed, sealed_len, 0);
        let message = checked(message, sound, || {
            let output = (plaintext.cast_const(), plaintext_capacity);
            Parts::joined_to_open(
                key,
                "sealed",
                sealed,
                sealed_len,
                None,
                (aad, aad_len),
                output,
            )
        })?;
        // SAFETY: memory as the header asks, and sound.
        let status = unsafe { message.open() };
        // SAFETY: null or writable, as the header asks.
        unsafe { write_len(status, plaintext_len, text_len) };
        Ok(status)
    })())
}

/// Level two: seals under a nonce of the caller's, which must not seal another message
/// under this key (what a repetition costs depends on the algorithm).
///
/// Writes ciphertext and tag, one after another, to `ciphertext`, and their length to
/// `ciphertext_len` unless that is NULL. `ciphertext_capacity` is at least
/// sivka_seal_with_nonce_len(). `plaintext` may begin where `ciphertext` begins, and may
/// not overlap it otherwise; nor may `nonce` and `aad`.
///
/// SIVKA_ERROR_NULL, _LENGTH, _CAPACITY, _TOO_LONG, _OVERLAP, _REFUSED, _SELF_CHECK.
/// Nothing is sealed then, and no plaintext stands in `ciphertext` that was not there before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_seal_with_nonce(
    key: *const Key,
    nonce: *const u8,
    nonce_len: usize,
    aad: *const u8,
    aad_len: usize,
    plaintext: *const u8,
    plaintext_len: usize,
    ciphertext: *mut u8,
    ciphertext_capacity: usize,
    ciphertext_len: *mut usize,
) -> Status {
    status((|| {
        // SAFETY: a live key, as the header asks.
        let key = unsafe { live(key) }?;
        let len = plaintext_len.wrapping_add(key.tag_len);
        let message = Message {
            key,
            nonce: not_null(nonce, key.nonce_len),
            aad: not_null(aad, aad_len),
            aad_len,
            input: plaintext,
            output: ciphertext,
            text_len: plaintext_len,
            tag: ciphertext.wrapping_add(plaintext_len),
        };
        let sound = (nonce_len == key.nonce_len)
            & (len <= ciphertext_capacity)
            & plausible([(ciphertext, ciphertext_capacity)])
            & message.is_sound_joined(true, ciphertext, len, nonce_len);
        let message = checked(message, sound, || {
            let nonce = Parts::nonce(key, nonce, nonce_len)?;
            let aad = (aad, aad_len);
            let input = (plaintext, plaintext_len);
            Parts::joined_to_seal(
                key,
                "ciphertext",
                ciphertext,
                ciphertext_capacity,
                Some(nonce),
                aad,
                input,
            )
        })?;
        // SAFETY: memory as the header asks, and sound.
        let status = unsafe { message.seal() };
        // SAFETY: null or writable, as the header asks.
        unsafe { write_len(status, ciphertext_len, len) };
        Ok(status)
    })())
}

/// Opens what sivka_seal_with_nonce() wrote: ciphertext and tag, one after another.
///
/// Writes the plaintext to `plaintext` and its length to `plaintext_len` unless that is
/// NULL. `plaintext_capacity` is at least sivka_open_with_nonce_len(). `plaintext` may
/// begin where `ciphertext` begins, and may not overlap it otherwise, nor `nonce` and
/// `aad`.
///
/// SIVKA_ERROR_OPEN; SIVKA_ERROR_NULL, _LENGTH, _CAPACITY, _TOO_LONG, _OVERLAP,
/// _SELF_CHECK. There is no plaintext in any buffer then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_open_with_nonce(
    key: *const Key,
    nonce: *const u8,
    nonce_len: usize,
    aad: *const u8,
    aad_len: usize,
    ciphertext: *const u8,
    ciphertext_len: usize,
    plaintext: *mut u8,
    plaintext_capacity: usize,
    plaintext_len: *mut usize,
) -> Status {
    status((|| {
        // SAFETY: a live key, as the header asks.
        let key = unsafe { live(key) }?;
        let text_len = ciphertext_len.wrapping_sub(key.tag_len);
        let message = Message {
            key,
            nonce: not_null(nonce, key.nonce_len),
            aad: not_null(aad, aad_len),
            aad_len,
            input: ciphertext,
            output: plaintext,
            text_len,
            tag: ciphertext.wrapping_add(text_len).cast_mut(),
        };
        let sound = (nonce_len == key.nonce_len)
            & (text_len <= ciphertext_len)
            & (text_len <= plaintext_capacity)
            & plausible([(plaintext.cast_const(), plaintext_capacity)])
            & message.is_sound_joined(false, ciphertext, ciphertext_len, nonce_len);
        let message = checked(message, sound, || {
            let nonce = Parts::nonce(key, nonce, nonce_len)?;
            let (aad, output) = ((aad, aad_len), (plaintext.cast_const(), plaintext_capacity));
            Parts::joined_to_open(
                key,
                "ciphertext",
                ciphertext,
                ciphertext_len,
                Some(nonce),
                aad,
                output,
            )
        })?;
        // SAFETY: memory as the header asks, and sound.
        let status = unsafe { message.open() };
        // SAFETY: null or writable, as the header asks.
        unsafe { write_len(status, plaintext_len, text_len) };
        Ok(status)
    })())
}

/// Level three: seals with a nonce of the caller's, and the tag in a buffer of its own.
/// Allocates nothing.
///
/// `ciphertext` has the length of `plaintext`, and is the very same buffer to encrypt in
/// place, or does not overlap it. `tag_len` is sivka_tag_len(). What is written overlaps
/// nothing else.
///
/// SIVKA_ERROR_NULL, _LENGTH, _TOO_LONG, _OVERLAP, _REFUSED, _SELF_CHECK. Nothing is sealed then:
/// a buffer that was to be encrypted in place is as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_seal_detached(
    key: *const Key,
    nonce: *const u8,
    nonce_len: usize,
    aad: *const u8,
    aad_len: usize,
    plaintext: *const u8,
    plaintext_len: usize,
    ciphertext: *mut u8,
    ciphertext_len: usize,
    tag: *mut u8,
    tag_len: usize,
) -> Status {
    status((|| {
        // SAFETY: a live key, as the header asks.
        let key = unsafe { live(key) }?;
        let message = Message {
            key,
            nonce: not_null(nonce, key.nonce_len),
            aad: not_null(aad, aad_len),
            aad_len,
            input: plaintext,
            output: ciphertext,
            text_len: plaintext_len,
            tag,
        };
        let sound = (nonce_len == key.nonce_len)
            & (tag_len == key.tag_len)
            & (ciphertext_len == plaintext_len)
            & message.is_sound(true);
        let message = checked(message, sound, || {
            let parts = Parts {
                nonce: Parts::nonce(key, nonce, nonce_len)?,
                aad: Region::new("aad", aad, aad_len)?,
                input: Region::new("plaintext", plaintext, plaintext_len)?,
                output: Region::exactly("ciphertext", ciphertext, ciphertext_len, plaintext_len)?,
                tag: Region::exactly("tag", tag, tag_len, key.tag_len)?,
            };
            parts.check_to_seal()
        })?;
        // SAFETY: memory as the header asks, and sound.
        Ok(unsafe { message.seal() })
    })())
}

/// Opens what sivka_seal_detached() wrote. Allocates nothing.
///
/// `plaintext` has the length of `ciphertext`, and is the very same buffer to decrypt in
/// place, or does not overlap it. `tag_len` is sivka_tag_len(). What is written overlaps
/// nothing else.
///
/// SIVKA_ERROR_OPEN: `plaintext` holds zeros then, also in place. SIVKA_ERROR_NULL,
/// _LENGTH, _TOO_LONG, _OVERLAP, _SELF_CHECK: there is no plaintext in any buffer then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_open_detached(
    key: *const Key,
    nonce: *const u8,
    nonce_len: usize,
    aad: *const u8,
    aad_len: usize,
    ciphertext: *const u8,
    ciphertext_len: usize,
    tag: *const u8,
    tag_len: usize,
    plaintext: *mut u8,
    plaintext_len: usize,
) -> Status {
    status((|| {
        // SAFETY: a live key, as the header asks.
        let key = unsafe { live(key) }?;
        let message = Message {
            key,
            nonce: not_null(nonce, key.nonce_len),
            aad: not_null(aad, aad_len),
            aad_len,
            input: ciphertext,
            output: plaintext,
            text_len: ciphertext_len,
            tag: tag.cast_mut(),
        };
        let sound = (nonce_len == key.nonce_len)
            & (tag_len == key.tag_len)
            & (plaintext_len == ciphertext_len)
            & message.is_sound(false);
        let message = checked(message, sound, || {
            let parts = Parts {
                nonce: Parts::nonce(key, nonce, nonce_len)?,
                aad: Region::new("aad", aad, aad_len)?,
                input: Region::new("ciphertext", ciphertext, ciphertext_len)?,
                output: Region::exactly("plaintext", plaintext, plaintext_len, ciphertext_len)?,
                tag: Region::exactly("tag", tag, tag_len, key.tag_len)?,
            };
            parts.check_to_open()
        })?;
        // SAFETY: memory as the header asks, and sound.
        Ok(unsafe { message.open() })
    })())
}

/// Writes a length for a caller who wants it, after a success.
///
/// # Safety
/// `out` is null or writable.
#[inline(always)]
unsafe fn write_len(status: Status, out: *mut usize, len: usize) {
    if status == SIVKA_OK && !out.is_null() {
        // SAFETY: the caller's promise; no alignment is asked for.
        unsafe { ptr::write_unaligned(out, len) };
    }
}

#[cfg(test)]
mod tests;
