//! One message with a list of associated data, which AES-SIV takes (RFC 5297).

use super::call::tell_len;
use super::parts::Parts;
use crate::algorithm::array;
use crate::failure::{Failure, guard};
use crate::key::{AlgorithmKey, Key};
use crate::region::{Region, Span, check_apart, handle};
use crate::status::{SIVKA_OK, Status};
use sivka::{AesSiv256, AesSiv384, AesSiv512, Error, Tag};
use std::any::Any;
use std::ptr;

/// The most strings of associated data that a message has.
pub const SIVKA_MAX_STRINGS: usize = 126;
const _: () = assert!(SIVKA_MAX_STRINGS == AesSiv512::MAX_STRINGS);

/// `$call` with a key whose algorithm takes lists.
macro_rules! with_list {
    ($key:expr, |$aes_siv:ident| $call:expr) => {{
        let key: &dyn Any = &*$key.aead;
        if let Some($aes_siv) = key.downcast_ref::<AesSiv512>() {
            Ok($call)
        } else if let Some($aes_siv) = key.downcast_ref::<AesSiv384>() {
            Ok($call)
        } else if let Some($aes_siv) = key.downcast_ref::<AesSiv256>() {
            Ok($call)
        } else {
            Err(Failure::NoList)
        }
    }};
}

/// The strings of a list, and where they are described.
struct Strings {
    pointers: Region<*const u8>,
    lens: Region<usize>,
}

impl Strings {
    fn new(aads: *const *const u8, lens: *const usize, count: usize) -> Result<Self, Failure> {
        if count > SIVKA_MAX_STRINGS {
            let limit = SIVKA_MAX_STRINGS;
            let given = count;
            return Err(Error::TooManyStrings { limit, given }.into());
        }
        Ok(Self {
            pointers: Region::new("aads", aads, count)?,
            lens: Region::new("aad_lens", lens, count)?,
        })
    }

    /// # Safety
    /// The arrays are readable, and nothing writes them meanwhile.
    unsafe fn each(&self) -> impl Iterator<Item = Result<Region<u8>, Failure>> {
        // SAFETY: the caller's promise.
        let (pointers, lens) = unsafe { (self.pointers.as_slice(), self.lens.as_slice()) };
        let both = pointers.iter().zip(lens);
        both.map(|(start, len)| Region::new("aads", *start, *len))
    }

    /// Checks that nothing of the list is written.
    ///
    /// # Safety
    /// As [`Self::each`].
    unsafe fn check(&self, written: &[Span]) -> Result<(), Failure> {
        check_apart(written, &[self.pointers.span(), self.lens.span()])?;
        // SAFETY: the caller's promise.
        for string in unsafe { self.each() } {
            check_apart(written, &[string?.span()])?;
        }
        Ok(())
    }

    /// Writes the strings to `room`.
    ///
    /// # Safety
    /// As [`Self::each`], and the strings are readable for `'a`, were checked, and nothing
    /// writes them meanwhile.
    unsafe fn slices<'a, 'b>(
        &self,
        room: &'b mut [&'a [u8]; SIVKA_MAX_STRINGS],
    ) -> Result<&'b [&'a [u8]], Failure> {
        // SAFETY: the caller's promise.
        for (place, string) in room.iter_mut().zip(unsafe { self.each() }) {
            // SAFETY: the caller's promise.
            *place = unsafe { string?.as_slice() };
        }
        Ok(&room[..self.lens.len()])
    }
}

/// A message with its list.
struct ListMessage<'a> {
    key: &'a AlgorithmKey,
    strings: Strings,
    /// Without AAD, which the strings are.
    parts: Parts,
    /// Where the length is told after a success.
    told: Span,
}

impl ListMessage<'_> {
    /// # Safety
    /// The parts are memory as the header asks.
    unsafe fn seal(&self) -> Result<(), Failure> {
        let Parts {
            input, output, tag, ..
        } = self.parts;
        self.parts.check_to_seal()?;
        self.parts.check_told(self.told.clone())?;
        let written = [output.span(), tag.span(), self.told.clone()];
        let mut room: [&[u8]; SIVKA_MAX_STRINGS] = [&[]; SIVKA_MAX_STRINGS];
        // SAFETY: the caller's promise; what is written is apart from all that is read, but
        // for an input in the very place of the output.
        let (strings, output) = unsafe {
            self.strings.check(&written)?;
            (self.strings.slices(&mut room)?, output.as_mut_slice())
        };
        let made = with_list!(self.key, |key| if self.parts.is_in_place() {
            key.seal_in_place_with_list(strings, output)
        } else {
            // SAFETY: as above.
            key.seal_into_with_list(unsafe { input.as_slice() }, strings, output)
        })??;
        // SAFETY: as above.
        unsafe { tag.as_mut_slice() }.copy_from_slice(made.as_bytes());
        Ok(())
    }

    /// # Safety
    /// The parts are memory as the header asks.
    unsafe fn open(&self) -> Result<(), Failure> {
        let Parts {
            input, output, tag, ..
        } = self.parts;
        self.parts.check_to_open()?;
        self.parts.check_told(self.told.clone())?;
        let mut room: [&[u8]; SIVKA_MAX_STRINGS] = [&[]; SIVKA_MAX_STRINGS];
        // SAFETY: as in `seal`, with a tag that is read.
        let (strings, output, tag) = unsafe {
            self.strings.check(&[output.span(), self.told.clone()])?;
            let (strings, tag) = (self.strings.slices(&mut room)?, tag.as_slice());
            (strings, output.as_mut_slice(), tag)
        };
        let tag = Tag::from(*array("tag", tag)?);
        let opened = with_list!(self.key, |key| if self.parts.is_in_place() {
            key.open_in_place_with_list(strings, output, &tag)
        } else {
            // SAFETY: as above.
            key.open_into_with_list(unsafe { input.as_slice() }, strings, &tag, output)
        })?;
        Ok(opened?)
    }
}

/// The AAD, and the nonce, of a message with a list.
fn nothing() -> Result<Region<u8>, Failure> {
    Region::new("aad", ptr::null(), 0)
}

/// Refuses a key whose algorithm takes one string.
fn takes_lists(key: &AlgorithmKey) -> Result<(), Failure> {
    with_list!(key, |_key| ())
}

/// Seals with a list of 0 to SIVKA_MAX_STRINGS strings of associated data: string i is
/// the `aad_lens[i]` bytes at `aads[i]`. For AES-SIV alone. Number, order and bounds of
/// the strings count: no string is not the same as an empty one, and sivka_seal() has one
/// string. For RFC 5297's AEAD with a nonce, the last string is the nonce.
///
/// Writes tag and ciphertext, one after another, to `sealed`, and their length to
/// `sealed_len` unless that is NULL. `sealed_capacity` is at least sivka_key_seal_len().
/// `plaintext` may be where its ciphertext will, sivka_tag_len() bytes after the start of
/// `sealed`. The output overlaps nothing else.
///
/// SIVKA_ERROR_NULL, _ALGORITHM, _CAPACITY, _TOO_LONG (too many strings too), _ALIGNMENT,
/// _OVERLAP, _SELF_CHECK. Nothing is sealed then, and no plaintext is in `sealed` that was
/// not there before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_seal_with_list(
    key: *const Key,
    aads: *const *const u8,
    aad_lens: *const usize,
    aad_count: usize,
    plaintext: *const u8,
    plaintext_len: usize,
    sealed: *mut u8,
    sealed_capacity: usize,
    sealed_len: *mut usize,
) -> Status {
    // SAFETY: memory as the header asks; the message checks what is apart.
    guard(|| unsafe {
        let key = handle("key", key)?.algorithm()?;
        takes_lists(key)?;
        let input = Region::new("plaintext", plaintext, plaintext_len)?;
        let sealed = Region::new("sealed", sealed, sealed_capacity)?;
        let message = ListMessage {
            key,
            strings: Strings::new(aads, aad_lens, aad_count)?,
            parts: Parts::joined_to_seal(key, None, nothing()?, input, sealed)?,
            told: Span::of_length("sealed_len", sealed_len),
        };
        message.seal()?;
        tell_len(SIVKA_OK, sealed_len, plaintext_len + key.tag_len);
        Ok(())
    })
}

/// Opens what sivka_seal_with_list() wrote, or sivka_seal(), whose list has one string.
///
/// Writes the plaintext to `plaintext` and its length to `plaintext_len` unless that is
/// NULL. `plaintext_capacity` is at least sivka_key_open_len(). `plaintext` may be where the
/// ciphertext is, and may not overlap anything else that is read.
///
/// SIVKA_ERROR_OPEN; SIVKA_ERROR_NULL, _ALGORITHM, _CAPACITY, _TOO_LONG, _ALIGNMENT, _OVERLAP,
/// _SELF_CHECK. There is no plaintext in any buffer then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_open_with_list(
    key: *const Key,
    aads: *const *const u8,
    aad_lens: *const usize,
    aad_count: usize,
    sealed: *const u8,
    sealed_len: usize,
    plaintext: *mut u8,
    plaintext_capacity: usize,
    plaintext_len: *mut usize,
) -> Status {
    // SAFETY: memory as the header asks; the message checks what is apart.
    guard(|| unsafe {
        let key = handle("key", key)?.algorithm()?;
        takes_lists(key)?;
        let sealed = Region::new("sealed", sealed, sealed_len)?;
        let plaintext = Region::new("plaintext", plaintext, plaintext_capacity)?;
        let message = ListMessage {
            key,
            strings: Strings::new(aads, aad_lens, aad_count)?,
            parts: Parts::joined_to_open(key, None, nothing()?, sealed, plaintext)?,
            told: Span::of_length("plaintext_len", plaintext_len),
        };
        message.open()?;
        tell_len(SIVKA_OK, plaintext_len, message.parts.input.len());
        Ok(())
    })
}

/// sivka_seal_with_list() with the tag in a buffer of its own. Allocates nothing.
///
/// `ciphertext` has the length of `plaintext`, and is the very same buffer to encrypt in place, or
/// does not overlap it. `tag_len` is sivka_tag_len(). The outputs overlap nothing else.
///
/// SIVKA_ERROR_NULL, _ALGORITHM, _LENGTH, _TOO_LONG (too many strings too), _ALIGNMENT,
/// _OVERLAP, _SELF_CHECK. Nothing is sealed then: a buffer that was to be encrypted in place
/// is as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_seal_detached_with_list(
    key: *const Key,
    aads: *const *const u8,
    aad_lens: *const usize,
    aad_count: usize,
    plaintext: *const u8,
    plaintext_len: usize,
    ciphertext: *mut u8,
    ciphertext_len: usize,
    tag: *mut u8,
    tag_len: usize,
) -> Status {
    // SAFETY: memory as the header asks; the message checks what is apart.
    guard(|| unsafe {
        let key = handle("key", key)?.algorithm()?;
        takes_lists(key)?;
        let message = ListMessage {
            key,
            strings: Strings::new(aads, aad_lens, aad_count)?,
            parts: Parts {
                nonce: nothing()?,
                aad: nothing()?,
                input: Region::new("plaintext", plaintext, plaintext_len)?,
                output: Region::exactly("ciphertext", ciphertext, ciphertext_len, plaintext_len)?,
                tag: Region::exactly("tag", tag, tag_len, key.tag_len)?,
            },
            told: Span::of_length("no length", ptr::null()),
        };
        message.seal()
    })
}

/// Opens a result of sivka_seal_detached_with_list(). Allocates nothing.
///
/// `plaintext` has the length of `ciphertext`, and is the very same buffer to decrypt in place, or
/// does not overlap it. `tag_len` is sivka_tag_len(). The output overlaps nothing else.
///
/// SIVKA_ERROR_OPEN: `plaintext` holds zeros then, also in place. SIVKA_ERROR_NULL,
/// _ALGORITHM, _LENGTH, _TOO_LONG, _ALIGNMENT, _OVERLAP, _SELF_CHECK: there is no plaintext in
/// any buffer then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_open_detached_with_list(
    key: *const Key,
    aads: *const *const u8,
    aad_lens: *const usize,
    aad_count: usize,
    ciphertext: *const u8,
    ciphertext_len: usize,
    tag: *const u8,
    tag_len: usize,
    plaintext: *mut u8,
    plaintext_len: usize,
) -> Status {
    // SAFETY: memory as the header asks; the message checks what is apart.
    guard(|| unsafe {
        let key = handle("key", key)?.algorithm()?;
        takes_lists(key)?;
        let message = ListMessage {
            key,
            strings: Strings::new(aads, aad_lens, aad_count)?,
            parts: Parts {
                nonce: nothing()?,
                aad: nothing()?,
                input: Region::new("ciphertext", ciphertext, ciphertext_len)?,
                output: Region::exactly("plaintext", plaintext, plaintext_len, ciphertext_len)?,
                tag: Region::exactly("tag", tag, tag_len, key.tag_len)?,
            },
            told: Span::of_length("no length", ptr::null()),
        };
        message.open()
    })
}
