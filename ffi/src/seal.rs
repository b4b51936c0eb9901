//! One message: three levels.
//!
//! A short message takes some fifty nanoseconds. So a call looks at its arguments once, as
//! plain integers (`Message::is_sound`); where that leaves a doubt, it begins anew and looks
//! at them one by one (`Parts`), to say what is wrong or that nothing is.

pub mod list;
mod message;
mod parts;

use crate::algorithm::{Algorithm, AlgorithmNumber};
use crate::failure::{Failure, caught, failed};
use crate::key::Key;
use crate::region::{Region, Span, handle};
use crate::status::{SIVKA_OK, Status};
use message::{Message, not_null, plausible, text_and_tag, told_apart};
use parts::Parts;
use sivka::{Error, NonceRule};
use std::ptr;

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
/// `sealed_len` unless that is NULL; where sivka_tag_first() is 1, the tag comes before the
/// ciphertext, here and in all calls that have both in one buffer. `sealed_capacity` is at
/// least sivka_seal_len(). `plaintext` may be where its ciphertext will, and may not
/// overlap `sealed` otherwise; nor may `aad`.
///
/// SIVKA_ERROR_NULL, _LENGTH, _CAPACITY, _TOO_LONG, _OVERLAP, _REFUSED,
/// _NO_RANDOM_NONCE, _USAGE_BOUND, _RANDOM, _SELF_CHECK. Nothing is sealed then, and no plaintext
/// is in `sealed` that was not there before.
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
    // SAFETY: null or a live key, as the header asks.
    if let Some(key) = unsafe { key.as_ref() }
        && key.row.nonce_rule() != NonceRule::Counter
    {
        let behind_nonce = sealed.wrapping_add(key.nonce_len);
        let (output, tag) = text_and_tag(key, behind_nonce, plaintext_len);
        let message = Message {
            key,
            nonce: sealed,
            aad: not_null(aad, aad_len),
            aad_len,
            input: plaintext,
            output,
            text_len: plaintext_len,
            tag,
        };
        let len = plaintext_len.wrapping_add(key.nonce_len + key.tag_len);
        if told_apart(
            sealed_len,
            [
                (sealed, len),
                (message.aad, aad_len),
                (plaintext, plaintext_len),
            ],
        ) & (len <= sealed_capacity)
            & plausible([(sealed, sealed_capacity)])
            & message.is_sound(true)
            & message.has_place_for_its_nonce()
        {
            // SAFETY: memory as the header asks, and sound.
            return unsafe { seal_behind_nonce(message, sealed_len) };
        }
    }
    // SAFETY: as above, and sound once the parts are made.
    in_doubt(move || unsafe {
        let key = handle("key", key)?;
        draws_nonces(key)?;
        let aad = Region::new("aad", aad, aad_len)?;
        let plaintext = Region::new("plaintext", plaintext, plaintext_len)?;
        let sealed = Region::new("sealed", sealed, sealed_capacity)?;
        let parts = Parts::joined_to_seal(key, None, aad, plaintext, sealed)?;
        parts.check_told(Span::of_length("sealed_len", sealed_len))?;
        Ok(seal_behind_nonce(parts.message(key), sealed_len))
    })
}

/// Opens what sivka_seal() wrote: nonce, ciphertext and tag, one after another.
///
/// Writes the plaintext to `plaintext` and its length to `plaintext_len` unless that is
/// NULL. `plaintext_capacity` is at least sivka_open_len(). `plaintext` may be where the
/// ciphertext is, and may not overlap `sealed` otherwise, nor `aad`.
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
    // SAFETY: null or a live key, as the header asks.
    if let Some(key) = unsafe { key.as_ref() }
        && key.row.nonce_rule() != NonceRule::Counter
    {
        let text_len = sealed_len.wrapping_sub(key.nonce_len + key.tag_len);
        let behind_nonce = sealed.wrapping_add(key.nonce_len).cast_mut();
        let (input, tag) = text_and_tag(key, behind_nonce, text_len);
        let message = Message {
            key,
            nonce: sealed,
            aad: not_null(aad, aad_len),
            aad_len,
            input,
            output: plaintext,
            text_len,
            tag,
        };
        if told_apart(
            plaintext_len,
            [
                (sealed, sealed_len),
                (message.aad, aad_len),
                (plaintext, text_len),
            ],
        ) & (text_len <= sealed_len)
            & (text_len <= plaintext_capacity)
            & plausible([(plaintext, plaintext_capacity)])
            & message.is_sound(false)
        {
            // SAFETY: memory as the header asks, and sound.
            return unsafe { tell_len(message.open(), plaintext_len, text_len) };
        }
    }
    // SAFETY: as above, and sound once the parts are made.
    in_doubt(move || unsafe {
        let key = handle("key", key)?;
        draws_nonces(key)?;
        let aad = Region::new("aad", aad, aad_len)?;
        let sealed = Region::new("sealed", sealed, sealed_len)?;
        let plaintext = Region::new("plaintext", plaintext, plaintext_capacity)?;
        let parts = Parts::joined_to_open(key, None, aad, sealed, plaintext)?;
        parts.check_told(Span::of_length("plaintext_len", plaintext_len))?;
        let message = parts.message(key);
        Ok(tell_len(message.open(), plaintext_len, message.text_len))
    })
}

/// Level two: seals under a nonce of the caller's, which must not seal another message
/// under this key (what a repetition costs depends on the algorithm).
///
/// Writes ciphertext and tag, one after another, to `ciphertext`, and their length to
/// `ciphertext_len` unless that is NULL. `ciphertext_capacity` is at least
/// sivka_seal_with_nonce_len(). `plaintext` may be where its ciphertext will, which is
/// where `ciphertext` begins unless sivka_tag_first() is 1, and may not overlap it otherwise;
/// nor may `nonce` and `aad`.
///
/// SIVKA_ERROR_NULL, _LENGTH, _CAPACITY, _TOO_LONG, _OVERLAP, _REFUSED, _SELF_CHECK.
/// Nothing is sealed then, and no plaintext is in `ciphertext` that was not there before.
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
    // SAFETY: null or a live key, as the header asks.
    if let Some(key) = unsafe { key.as_ref() } {
        let (output, tag) = text_and_tag(key, ciphertext, plaintext_len);
        let message = Message {
            key,
            nonce: not_null(nonce, key.nonce_len),
            aad: not_null(aad, aad_len),
            aad_len,
            input: plaintext,
            output,
            text_len: plaintext_len,
            tag,
        };
        let len = plaintext_len.wrapping_add(key.tag_len);
        if told_apart(
            ciphertext_len,
            [
                (message.nonce, nonce_len),
                (message.aad, aad_len),
                (plaintext, plaintext_len),
                (ciphertext, len),
            ],
        ) & (nonce_len == key.nonce_len)
            & (len <= ciphertext_capacity)
            & plausible([(ciphertext, ciphertext_capacity)])
            & message.is_sound(true)
        {
            // SAFETY: memory as the header asks, and sound.
            return unsafe { tell_len(message.seal(), ciphertext_len, len) };
        }
    }
    // SAFETY: as above, and sound once the parts are made.
    in_doubt(move || unsafe {
        let key = handle("key", key)?;
        let nonce = Region::exactly("nonce", nonce, nonce_len, key.nonce_len)?;
        let aad = Region::new("aad", aad, aad_len)?;
        let plaintext = Region::new("plaintext", plaintext, plaintext_len)?;
        let ciphertext = Region::new("ciphertext", ciphertext, ciphertext_capacity)?;
        let parts = Parts::joined_to_seal(key, Some(nonce), aad, plaintext, ciphertext)?;
        parts.check_told(Span::of_length("ciphertext_len", ciphertext_len))?;
        let len = plaintext_len + key.tag_len;
        Ok(tell_len(parts.message(key).seal(), ciphertext_len, len))
    })
}

/// Opens what sivka_seal_with_nonce() wrote: ciphertext and tag, one after another.
///
/// Writes the plaintext to `plaintext` and its length to `plaintext_len` unless that is
/// NULL. `plaintext_capacity` is at least sivka_open_with_nonce_len(). `plaintext` may
/// are where its ciphertext does, and may not overlap `ciphertext` otherwise, nor `nonce`
/// and `aad`.
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
    // SAFETY: null or a live key, as the header asks.
    if let Some(key) = unsafe { key.as_ref() } {
        let text_len = ciphertext_len.wrapping_sub(key.tag_len);
        let (input, tag) = text_and_tag(key, ciphertext.cast_mut(), text_len);
        let message = Message {
            key,
            nonce: not_null(nonce, key.nonce_len),
            aad: not_null(aad, aad_len),
            aad_len,
            input,
            output: plaintext,
            text_len,
            tag,
        };
        if told_apart(
            plaintext_len,
            [
                (message.nonce, nonce_len),
                (message.aad, aad_len),
                (ciphertext, ciphertext_len),
                (plaintext, text_len),
            ],
        ) & (nonce_len == key.nonce_len)
            & (text_len <= ciphertext_len)
            & (text_len <= plaintext_capacity)
            & plausible([(plaintext, plaintext_capacity)])
            & message.is_sound(false)
        {
            // SAFETY: memory as the header asks, and sound.
            return unsafe { tell_len(message.open(), plaintext_len, text_len) };
        }
    }
    // SAFETY: as above, and sound once the parts are made.
    in_doubt(move || unsafe {
        let key = handle("key", key)?;
        let nonce = Some(Region::exactly("nonce", nonce, nonce_len, key.nonce_len)?);
        let aad = Region::new("aad", aad, aad_len)?;
        let ciphertext = Region::new("ciphertext", ciphertext, ciphertext_len)?;
        let plaintext = Region::new("plaintext", plaintext, plaintext_capacity)?;
        let parts = Parts::joined_to_open(key, nonce, aad, ciphertext, plaintext)?;
        parts.check_told(Span::of_length("plaintext_len", plaintext_len))?;
        let message = parts.message(key);
        Ok(tell_len(message.open(), plaintext_len, message.text_len))
    })
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
    // SAFETY: null or a live key, as the header asks.
    if let Some(key) = unsafe { key.as_ref() } {
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
        if (nonce_len == key.nonce_len)
            & (tag_len == key.tag_len)
            & (ciphertext_len == plaintext_len)
            & message.is_sound(true)
        {
            // SAFETY: memory as the header asks, and sound.
            return unsafe { message.seal() };
        }
    }
    // SAFETY: as above, and sound once the parts are checked.
    in_doubt(move || unsafe {
        let key = handle("key", key)?;
        let parts = Parts {
            nonce: Region::exactly("nonce", nonce, nonce_len, key.nonce_len)?,
            aad: Region::new("aad", aad, aad_len)?,
            input: Region::new("plaintext", plaintext, plaintext_len)?,
            output: Region::exactly("ciphertext", ciphertext, ciphertext_len, plaintext_len)?,
            tag: Region::exactly("tag", tag, tag_len, key.tag_len)?,
        };
        parts.check_to_seal()?;
        Ok(parts.message(key).seal())
    })
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
    // SAFETY: null or a live key, as the header asks.
    if let Some(key) = unsafe { key.as_ref() } {
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
        if (nonce_len == key.nonce_len)
            & (tag_len == key.tag_len)
            & (plaintext_len == ciphertext_len)
            & message.is_sound(false)
        {
            // SAFETY: memory as the header asks, and sound.
            return unsafe { message.open() };
        }
    }
    // SAFETY: as above, and sound once the parts are checked.
    in_doubt(move || unsafe {
        let key = handle("key", key)?;
        let parts = Parts {
            nonce: Region::exactly("nonce", nonce, nonce_len, key.nonce_len)?,
            aad: Region::new("aad", aad, aad_len)?,
            input: Region::new("ciphertext", ciphertext, ciphertext_len)?,
            output: Region::exactly("plaintext", plaintext, plaintext_len, ciphertext_len)?,
            tag: Region::exactly("tag", tag, tag_len, key.tag_len)?,
        };
        parts.check_to_open()?;
        Ok(parts.message(key).open())
    })
}

/// Looks at a call's arguments one by one, and carries it out if they are sound after all.
#[cold]
#[inline(never)]
fn in_doubt(look: impl FnOnce() -> Result<Status, Failure>) -> Status {
    caught(|| look().unwrap_or_else(failed))
}

/// Refuses a key whose algorithm draws no nonces.
fn draws_nonces(key: &Key) -> Result<(), Failure> {
    if key.row.nonce_rule() == NonceRule::Counter {
        return Err(Error::NoRandomNonce.into());
    }
    Ok(())
}

/// Draws a nonce where the message has it, seals, and says how long all of it is.
///
/// # Safety
/// The parts are memory as the header asks and sound, and the nonce's place is writable and
/// apart from all others. `sealed_len` is null or writable.
#[inline(always)]
unsafe fn seal_behind_nonce(message: Message<'_>, sealed_len: *mut usize) -> Status {
    let Message { key, text_len, .. } = message;
    // SAFETY: the caller's promise.
    unsafe {
        let drawn = message.draw_nonce();
        if drawn != SIVKA_OK {
            return drawn;
        }
        let len = key.nonce_len + text_len + key.tag_len;
        tell_len(message.seal(), sealed_len, len)
    }
}

/// Writes a length for a caller who wants it, after a success.
///
/// # Safety
/// `out` is null or writable.
#[inline(always)]
unsafe fn tell_len(status: Status, out: *mut usize, len: usize) -> Status {
    if status == SIVKA_OK && !out.is_null() {
        // SAFETY: the caller's promise; no alignment is asked for.
        unsafe { ptr::write_unaligned(out, len) };
    }
    status
}

#[cfg(test)]
mod tests;
