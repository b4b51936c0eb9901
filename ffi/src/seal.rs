//! One message: three levels.

use crate::algorithm::{Algorithm, AlgorithmNumber};
use crate::key::Key;
use crate::region::{Region, check_apart, handle};
use crate::status::{Failure, Status, guard};
use std::ptr;

/// One message in the caller's memory. All three levels come down to this.
struct Message<'a> {
    key: &'a Key,
    nonce: Region<u8>,
    aad: Region<u8>,
    /// What is read: the plaintext to seal, or the ciphertext to open.
    input: Region<u8>,
    /// What is written, as long as the input: at the very same place, or apart from it.
    output: Region<u8>,
    tag: Region<u8>,
}

impl Message<'_> {
    fn is_in_place(&self) -> bool {
        self.input.begins_with(self.output)
    }

    /// The input, unless it is the output's own memory.
    fn input_apart(&self) -> Result<Region<u8>, Failure> {
        let len = if self.is_in_place() {
            0
        } else {
            self.input.len()
        };
        self.input.first(len)
    }

    fn check_to_seal(&self) -> Result<(), Failure> {
        let written = [self.output.span(), self.tag.span()];
        let read = [
            self.nonce.span(),
            self.aad.span(),
            self.input_apart()?.span(),
        ];
        check_apart(&written, &read)
    }

    fn check_to_open(&self) -> Result<(), Failure> {
        let read = [
            self.nonce.span(),
            self.aad.span(),
            self.tag.span(),
            self.input_apart()?.span(),
        ];
        check_apart(&[self.output.span()], &read)
    }

    /// # Safety
    /// The regions are memory as the header asks, and [`Self::check_to_seal`] passed.
    unsafe fn seal(&self) -> Result<(), Failure> {
        // SAFETY: the caller's promise for each region; those that are written are apart
        // from all others, but for an input in the very place of the output.
        let (nonce, aad, output, tag) = unsafe {
            (
                self.nonce.as_slice(),
                self.aad.as_slice(),
                self.output.as_mut_slice(),
                self.tag.as_mut_slice(),
            )
        };
        let aead = &self.key.aead;
        if self.is_in_place() {
            aead.seal(nonce, aad, output, tag)
        } else {
            // SAFETY: the same, and this input is apart from what is written.
            let plaintext = unsafe { self.input.as_slice() };
            aead.seal_into(nonce, plaintext, aad, output, tag)
        }
    }

    /// # Safety
    /// The regions are memory as the header asks, and [`Self::check_to_open`] passed.
    unsafe fn open(&self) -> Result<(), Failure> {
        // SAFETY: as in `seal`, with a tag that is read.
        let (nonce, aad, output, tag) = unsafe {
            (
                self.nonce.as_slice(),
                self.aad.as_slice(),
                self.output.as_mut_slice(),
                self.tag.as_slice(),
            )
        };
        let aead = &self.key.aead;
        if self.is_in_place() {
            aead.open(nonce, aad, output, tag)
        } else {
            // SAFETY: the same, and this input is apart from what is written.
            let ciphertext = unsafe { self.input.as_slice() };
            aead.open_into(nonce, ciphertext, aad, tag, output)
        }
    }
}

/// The room that sivka_seal() needs for a plaintext of `plaintext_len` bytes: nonce,
/// ciphertext and tag. 0 for an unknown algorithm or if no memory is so large.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_seal_len(algorithm: AlgorithmNumber, plaintext_len: usize) -> usize {
    let overhead = Algorithm::find(algorithm).map(|row| row.nonce_len + row.tag_len);
    let len = overhead.map_or(0, |overhead| plaintext_len.saturating_add(overhead));
    if isize::try_from(len).is_ok() { len } else { 0 }
}

/// The room that sivka_open() needs for a sealed message of `sealed_len` bytes. 0 also
/// for an unknown algorithm and for a message that is too short and will not open.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_open_len(algorithm: AlgorithmNumber, sealed_len: usize) -> usize {
    let overhead = Algorithm::find(algorithm).map(|row| row.nonce_len + row.tag_len);
    overhead.map_or(0, |overhead| sealed_len.saturating_sub(overhead))
}

/// The room that sivka_seal_with_nonce() needs for a plaintext of `plaintext_len` bytes:
/// ciphertext and tag. 0 for an unknown algorithm or if no memory is so large.
#[unsafe(no_mangle)]
pub extern "C" fn sivka_seal_with_nonce_len(
    algorithm: AlgorithmNumber,
    plaintext_len: usize,
) -> usize {
    let tag_len = Algorithm::find(algorithm).map(|row| row.tag_len);
    let len = tag_len.map_or(0, |tag_len| plaintext_len.saturating_add(tag_len));
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
    let tag_len = Algorithm::find(algorithm).map(|row| row.tag_len);
    tag_len.map_or(0, |tag_len| ciphertext_len.saturating_sub(tag_len))
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
    guard(|| {
        // SAFETY: a live key, as the header asks.
        let key = unsafe { handle("key", key) }?;
        let Algorithm {
            nonce_len,
            tag_len,
            random_nonces,
            ..
        } = *key.algorithm;
        if !random_nonces {
            return Err(Failure::NoRandomNonce);
        }
        let input = Region::new("plaintext", plaintext, plaintext_len)?;
        let sealed = Region::new("sealed", sealed, sealed_capacity)?;
        let sealed = sealed.first(nonce_len + input.len() + tag_len)?;
        let (nonce, sealed_text) = sealed.split_at(nonce_len)?;
        let (output, tag) = sealed_text.split_at(input.len())?;
        let aad = Region::new("aad", aad, aad_len)?;
        let message = Message {
            key,
            nonce,
            aad,
            input,
            output,
            tag,
        };
        message.check_to_seal()?;
        check_apart(&[nonce.span()], &[aad.span(), input.span()])?;
        // SAFETY: regions as the header asks; the nonce is apart from all others.
        unsafe {
            key.algorithm.fill_nonces(nonce.as_mut_slice())?;
            message.seal()?;
            write_len(sealed_len, sealed.len())
        }
    })
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
    guard(|| {
        // SAFETY: a live key, as the header asks.
        let key = unsafe { handle("key", key) }?;
        let Algorithm {
            nonce_len,
            tag_len,
            random_nonces,
            ..
        } = *key.algorithm;
        if !random_nonces {
            return Err(Failure::NoRandomNonce);
        }
        let sealed = Region::new("sealed", sealed, sealed_len)?;
        let text_len = sealed
            .len()
            .checked_sub(nonce_len + tag_len)
            .ok_or(sivka::Error::Open)?;
        let (nonce, sealed_text) = sealed.split_at(nonce_len)?;
        let (input, tag) = sealed_text.split_at(text_len)?;
        let output = Region::new("plaintext", plaintext, plaintext_capacity)?.first(text_len)?;
        let aad = Region::new("aad", aad, aad_len)?;
        let message = Message {
            key,
            nonce,
            aad,
            input,
            output,
            tag,
        };
        message.check_to_open()?;
        // SAFETY: regions as the header asks, and checked.
        unsafe {
            message.open()?;
            write_len(plaintext_len, text_len)
        }
    })
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
    guard(|| {
        // SAFETY: a live key, as the header asks.
        let key = unsafe { handle("key", key) }?;
        let nonce = Region::exactly("nonce", nonce, nonce_len, key.algorithm.nonce_len)?;
        let aad = Region::new("aad", aad, aad_len)?;
        let input = Region::new("plaintext", plaintext, plaintext_len)?;
        let sealed = Region::new("ciphertext", ciphertext, ciphertext_capacity)?;
        let sealed = sealed.first(input.len() + key.algorithm.tag_len)?;
        let (output, tag) = sealed.split_at(input.len())?;
        let message = Message {
            key,
            nonce,
            aad,
            input,
            output,
            tag,
        };
        message.check_to_seal()?;
        // SAFETY: regions as the header asks, and checked.
        unsafe {
            message.seal()?;
            write_len(ciphertext_len, sealed.len())
        }
    })
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
    guard(|| {
        // SAFETY: a live key, as the header asks.
        let key = unsafe { handle("key", key) }?;
        let nonce = Region::exactly("nonce", nonce, nonce_len, key.algorithm.nonce_len)?;
        let aad = Region::new("aad", aad, aad_len)?;
        let sealed = Region::new("ciphertext", ciphertext, ciphertext_len)?;
        let text_len = sealed
            .len()
            .checked_sub(key.algorithm.tag_len)
            .ok_or(sivka::Error::Open)?;
        let (input, tag) = sealed.split_at(text_len)?;
        let output = Region::new("plaintext", plaintext, plaintext_capacity)?.first(text_len)?;
        let message = Message {
            key,
            nonce,
            aad,
            input,
            output,
            tag,
        };
        message.check_to_open()?;
        // SAFETY: regions as the header asks, and checked.
        unsafe {
            message.open()?;
            write_len(plaintext_len, text_len)
        }
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
    guard(|| {
        // SAFETY: a live key, as the header asks.
        let key = unsafe { handle("key", key) }?;
        let message = Message {
            key,
            nonce: Region::exactly("nonce", nonce, nonce_len, key.algorithm.nonce_len)?,
            aad: Region::new("aad", aad, aad_len)?,
            input: Region::new("plaintext", plaintext, plaintext_len)?,
            output: Region::exactly("ciphertext", ciphertext, ciphertext_len, plaintext_len)?,
            tag: Region::exactly("tag", tag, tag_len, key.algorithm.tag_len)?,
        };
        message.check_to_seal()?;
        // SAFETY: regions as the header asks, and checked.
        unsafe { message.seal() }
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
    guard(|| {
        // SAFETY: a live key, as the header asks.
        let key = unsafe { handle("key", key) }?;
        let message = Message {
            key,
            nonce: Region::exactly("nonce", nonce, nonce_len, key.algorithm.nonce_len)?,
            aad: Region::new("aad", aad, aad_len)?,
            input: Region::new("ciphertext", ciphertext, ciphertext_len)?,
            output: Region::exactly("plaintext", plaintext, plaintext_len, ciphertext_len)?,
            tag: Region::exactly("tag", tag, tag_len, key.algorithm.tag_len)?,
        };
        message.check_to_open()?;
        // SAFETY: regions as the header asks, and checked.
        unsafe { message.open() }
    })
}

/// Writes a length for a caller who wants it.
///
/// # Safety
/// `out` is null or writable.
unsafe fn write_len(out: *mut usize, len: usize) -> Result<(), Failure> {
    if !out.is_null() {
        // SAFETY: the caller's promise; no alignment is asked for.
        unsafe { ptr::write_unaligned(out, len) };
    }
    Ok(())
}
