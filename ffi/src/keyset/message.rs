//! Keysets at work.

use super::{Keyset, Ready};
use crate::failure::{Failure, guard};
use crate::region::{Region, Span, check_apart, handle};
use crate::status::Status;
use sivka_keyset::{Error, Misuse, Primitive};
use std::ptr;

/// The most bytes by which any keyset's sealed messages are longer than their plaintexts: the
/// prefix, and an IV of 16 bytes and a tag of 64 of AES-CTR-HMAC. sivka_keyset_seal_len() says
/// what one keyset needs.
pub const SIVKA_KEYSET_MAX_OVERHEAD: usize = 85;

/// The length that the primary key of a keyset seals a plaintext of `plaintext_len` bytes to:
/// prefix, nonce, ciphertext and tag. 0 if `keyset` is NULL, is for streams or neither seals nor
/// opens, or if no memory is so large.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_seal_len(
    keyset: *const Keyset,
    plaintext_len: usize,
) -> usize {
    // SAFETY: live or null, as the header asks.
    let len = unsafe { room(keyset, |ready| ready.seal_len(plaintext_len)) };
    if isize::try_from(len).is_ok() { len } else { 0 }
}

/// The room that sivka_keyset_open() and sivka_keyset_open_deterministically() need for a
/// sealed message of `sealed_len` bytes: as long as the plaintext, or a little longer where
/// keys of the keyset seal to different lengths. 0 also if `keyset` is NULL, is for streams, or
/// neither seals nor opens.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_open_len(keyset: *const Keyset, sealed_len: usize) -> usize {
    // SAFETY: live or null, as the header asks.
    unsafe { room(keyset, |ready| ready.open_len(sealed_len)) }
}

/// # Safety
/// `keyset` is null or live.
unsafe fn room(keyset: *const Keyset, ask: impl FnOnce(&Ready) -> usize) -> usize {
    let mut len = 0;
    guard(|| {
        // SAFETY: the caller's promise.
        len = match unsafe { handle("keyset", keyset) }?.ready()? {
            Ready::Streaming(_) => return Err(no_message().into()),
            ready => ask(ready),
        };
        Ok(())
    });
    len
}

impl Ready {
    fn seal_len(&self, plaintext_len: usize) -> usize {
        match self {
            Self::Aead(aead) => aead.seal_len(plaintext_len),
            Self::Deterministic(aead) => aead.seal_len(plaintext_len),
            Self::Streaming(_) => 0,
        }
    }

    fn open_len(&self, sealed_len: usize) -> usize {
        match self {
            Self::Aead(aead) => aead.open_len(sealed_len),
            Self::Deterministic(aead) => aead.open_len(sealed_len),
            Self::Streaming(_) => 0,
        }
    }

    fn seal_into(&self, plaintext: &[u8], aad: &[u8], sealed: &mut [u8]) -> Result<(), Error> {
        match self {
            Self::Aead(aead) => aead.seal_into(plaintext, aad, sealed),
            Self::Deterministic(aead) => aead.seal_into(plaintext, aad, sealed),
            Self::Streaming(_) => Err(no_message()),
        }
    }

    fn open_into(&self, sealed: &[u8], aad: &[u8], plaintext: &mut [u8]) -> Result<usize, Error> {
        match self {
            Self::Aead(aead) => aead.open_into(sealed, aad, plaintext),
            Self::Deterministic(aead) => aead.open_into(sealed, aad, plaintext),
            Self::Streaming(_) => Err(no_message()),
        }
    }
}

/// A keyset for streams seals no message.
fn no_message() -> Error {
    Misuse::OtherPrimitive(Primitive::StreamingAead).into()
}

/// One message in the caller's memory.
struct MessageRegions {
    aad: Region<u8>,
    input: Region<u8>,
    output: Region<u8>,
    output_len: *mut usize,
    told: Span,
}

impl MessageRegions {
    fn sealing(
        aad: (*const u8, usize),
        plaintext: (*const u8, usize),
        sealed: (*mut u8, usize, *mut usize),
    ) -> Result<Self, Failure> {
        Ok(Self {
            aad: Region::new("aad", aad.0, aad.1)?,
            input: Region::new("plaintext", plaintext.0, plaintext.1)?,
            output: Region::new("sealed", sealed.0, sealed.1)?,
            output_len: sealed.2,
            told: Span::of_length("sealed_len", sealed.2),
        })
    }

    fn opening(
        aad: (*const u8, usize),
        sealed: (*const u8, usize),
        plaintext: (*mut u8, usize, *mut usize),
    ) -> Result<Self, Failure> {
        Ok(Self {
            aad: Region::new("aad", aad.0, aad.1)?,
            input: Region::new("sealed", sealed.0, sealed.1)?,
            output: Region::new("plaintext", plaintext.0, plaintext.1)?,
            output_len: plaintext.2,
            told: Span::of_length("plaintext_len", plaintext.2),
        })
    }

    /// # Safety
    /// `keyset` is null or live, and the parts are memory as the header asks.
    unsafe fn seal(self, keyset: *const Keyset, primitive: Primitive) -> Result<(), Failure> {
        // SAFETY: the caller's promise.
        let ready = unsafe { handle("keyset", keyset) }?.ready_for(primitive)?;
        let needed = ready.seal_len(self.input.len());
        let seal = |plaintext: &[u8], aad: &[u8], sealed: &mut [u8]| {
            ready.seal_into(plaintext, aad, sealed)?;
            Ok(sealed.len())
        };
        // SAFETY: the caller's promise.
        unsafe { self.run(needed, seal) }
    }

    /// # Safety
    /// `keyset` is null or live, and the parts are memory as the header asks.
    unsafe fn open(self, keyset: *const Keyset, primitive: Primitive) -> Result<(), Failure> {
        // SAFETY: the caller's promise.
        let ready = unsafe { handle("keyset", keyset) }?.ready_for(primitive)?;
        let needed = ready.open_len(self.input.len());
        let open = |sealed: &[u8], aad: &[u8], plaintext: &mut [u8]| {
            ready.open_into(sealed, aad, plaintext)
        };
        // SAFETY: the caller's promise.
        unsafe { self.run(needed, open) }
    }

    /// Carries out `call` with an output of `needed` bytes, and tells the length that it
    /// answers.
    ///
    /// # Safety
    /// The parts are memory as the header asks.
    unsafe fn run(
        self,
        needed: usize,
        call: impl FnOnce(&[u8], &[u8], &mut [u8]) -> Result<usize, Error>,
    ) -> Result<(), Failure> {
        let output = self.output.first(needed)?;
        let written = [output.span(), self.told.clone()];
        check_apart(&written, &[self.input.span(), self.aad.span()])?;
        // SAFETY: the caller's promise, and the output is apart from what is read.
        let (input, aad, output) = unsafe {
            let (input, aad) = (self.input.as_slice(), self.aad.as_slice());
            (input, aad, output.as_mut_slice())
        };
        let len = call(input, aad, output)?;
        if !self.output_len.is_null() {
            // SAFETY: the caller's promise; no alignment is asked for.
            unsafe { ptr::write_unaligned(self.output_len, len) };
        }
        Ok(())
    }
}

/// Seals with the primary key of a keyset for AEAD, which draws what nonce and salt it needs.
/// Writes prefix, nonce, ciphertext and tag, one after another, to `sealed`, and their length
/// to `sealed_len` unless that is NULL. `sealed_capacity` is at least sivka_keyset_seal_len().
///
/// SIVKA_ERROR_NULL, _CAPACITY, _TOO_LONG, _OVERLAP, _PRIMITIVE, _RANDOM, _SELF_CHECK;
/// SIVKA_ERROR_KEYSET if its enabled keys are for different primitives. Nothing is sealed then,
/// and no plaintext is in `sealed`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_seal(
    keyset: *const Keyset,
    aad: *const u8,
    aad_len: usize,
    plaintext: *const u8,
    plaintext_len: usize,
    sealed: *mut u8,
    sealed_capacity: usize,
    sealed_len: *mut usize,
) -> Status {
    guard(|| {
        let sealed = (sealed, sealed_capacity, sealed_len);
        let message = MessageRegions::sealing((aad, aad_len), (plaintext, plaintext_len), sealed)?;
        // SAFETY: as the header asks.
        unsafe { message.seal(keyset, Primitive::Aead) }
    })
}

/// Opens what an enabled key of a keyset for AEAD has sealed: tries the keys with the message's
/// prefix, then those without any. Writes the plaintext to `plaintext` and its length to
/// `plaintext_len` unless that is NULL. `plaintext_capacity` is at least
/// sivka_keyset_open_len().
///
/// No AEAD of a keyset commits to its key: who may choose keys of a keyset can make a message
/// that opens under two of them.
///
/// SIVKA_ERROR_OPEN, the same for every reason: `plaintext` holds zeros then, as far as
/// sivka_keyset_open_len(). SIVKA_ERROR_NULL, _CAPACITY, _TOO_LONG, _OVERLAP, _PRIMITIVE,
/// _SELF_CHECK; SIVKA_ERROR_KEYSET if its enabled keys are for different primitives: no
/// plaintext is in `plaintext`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_open(
    keyset: *const Keyset,
    aad: *const u8,
    aad_len: usize,
    sealed: *const u8,
    sealed_len: usize,
    plaintext: *mut u8,
    plaintext_capacity: usize,
    plaintext_len: *mut usize,
) -> Status {
    guard(|| {
        let plaintext = (plaintext, plaintext_capacity, plaintext_len);
        let message = MessageRegions::opening((aad, aad_len), (sealed, sealed_len), plaintext)?;
        // SAFETY: as the header asks.
        unsafe { message.open(keyset, Primitive::Aead) }
    })
}

/// sivka_keyset_seal() for a keyset for deterministic AEAD: equal plaintexts under equal AAD are
/// sealed to equal bytes, for look-ups and joins, and everybody sees that they are equal. After
/// another key was promoted they are sealed to other bytes than before.
///
/// As sivka_keyset_seal().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_seal_deterministically(
    keyset: *const Keyset,
    aad: *const u8,
    aad_len: usize,
    plaintext: *const u8,
    plaintext_len: usize,
    sealed: *mut u8,
    sealed_capacity: usize,
    sealed_len: *mut usize,
) -> Status {
    guard(|| {
        let sealed = (sealed, sealed_capacity, sealed_len);
        let message = MessageRegions::sealing((aad, aad_len), (plaintext, plaintext_len), sealed)?;
        // SAFETY: as the header asks.
        unsafe { message.seal(keyset, Primitive::DeterministicAead) }
    })
}

/// sivka_keyset_open() for a keyset for deterministic AEAD.
///
/// As sivka_keyset_open().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_keyset_open_deterministically(
    keyset: *const Keyset,
    aad: *const u8,
    aad_len: usize,
    sealed: *const u8,
    sealed_len: usize,
    plaintext: *mut u8,
    plaintext_capacity: usize,
    plaintext_len: *mut usize,
) -> Status {
    guard(|| {
        let plaintext = (plaintext, plaintext_capacity, plaintext_len);
        let message = MessageRegions::opening((aad, aad_len), (sealed, sealed_len), plaintext)?;
        // SAFETY: as the header asks.
        unsafe { message.open(keyset, Primitive::DeterministicAead) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sivka_keyset::{Keyset as TinkKeyset, ReadOptions, Template};

    fn field(number: u8, content: &[u8]) -> Vec<u8> {
        let low = content.len() as u8 | 0x80;
        let high = (content.len() >> 7) as u8;
        [&[number << 3 | 2, low, high][..], content].concat()
    }

    /// With the longest IV and the longest tag that a key can have.
    fn longest() -> TinkKeyset {
        let url = b"type.googleapis.com/google.crypto.tink.AesCtrHmacAeadKey";
        let ctr = [&[0x12, 2, 8, 16][..], &field(3, &[1; 16])].concat();
        let hmac = [&[0x12, 4, 8, 4, 16, 64][..], &field(3, &[2; 32])].concat();
        let value = [field(2, &ctr), field(3, &hmac)].concat();
        let data = [&field(1, url)[..], &field(2, &value), &[0x18, 1]].concat();
        let key = [&field(1, &data)[..], &[0x10, 1, 0x18, 1, 0x20, 1]].concat();
        let keyset = [&[8, 1][..], &field(2, &key)].concat();
        TinkKeyset::from_insecure_binary(&keyset, ReadOptions::default()).unwrap()
    }

    #[test]
    fn no_keyset_seals_to_more_than_the_most() {
        let overhead = |keys: &TinkKeyset| {
            let ready = match keys.primitive().unwrap() {
                Primitive::DeterministicAead => {
                    Ready::Deterministic(keys.deterministic_aead().unwrap())
                }
                _ => Ready::Aead(keys.aead().unwrap()),
            };
            ready.seal_len(0)
        };
        assert_eq!(overhead(&longest()), SIVKA_KEYSET_MAX_OVERHEAD);
        let mut seals = 0;
        for (name, template) in Template::all() {
            let keys = TinkKeyset::generate(*template).unwrap();
            if keys.primitive() != Ok(Primitive::StreamingAead) {
                assert!(overhead(&keys) <= SIVKA_KEYSET_MAX_OVERHEAD, "{name}");
                seals += 1;
            }
        }
        assert!(seals > 10);
    }
}
