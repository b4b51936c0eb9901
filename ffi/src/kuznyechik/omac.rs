//! Kuznyechik in OMAC, whose length of tag a C program knows only when it runs.

use crate::algorithm::array;
use crate::failure::{Expected, Failure, guard};
use crate::key::result;
use crate::region::{Region, check_apart, free, handle, handle_mut};
use crate::status::Status;
use sivka::{Kuznyechik, KuznyechikOmac as Key};

/// A key of Kuznyechik in OMAC (GOST R 34.13-2015 section 5.6, CMAC), a message
/// authentication code, with a length of tag that is fixed when it is made. Make it with
/// sivka_kuznyechik_omac_new(), free it with sivka_kuznyechik_omac_free().
///
/// Any number of threads may use one for whole messages at the same time. A message in
/// pieces is part of the key: there is one at a time, and no other thread may use the key
/// while its functions run.
pub struct KuznyechikOmac(Box<dyn Omac>);

/// The length of the shortest tag of OMAC in bytes.
pub const SIVKA_KUZNYECHIK_OMAC_MIN_TAG_LEN: usize = 4;
/// The length of the longest tag of OMAC in bytes.
pub const SIVKA_KUZNYECHIK_OMAC_MAX_TAG_LEN: usize = 16;

/// A key whatever the length of its tags.
trait Omac: Send + Sync {
    fn tag_len(&self) -> usize;
    fn tag(&self, message: &[u8], tag: &mut [u8]) -> Result<(), Failure>;
    fn verify(&self, message: &[u8], tag: &[u8]) -> Result<(), Failure>;
    fn update(&mut self, piece: &[u8]) -> Result<(), Failure>;
    fn finish(&mut self, tag: &mut [u8]) -> Result<(), Failure>;
    fn finish_and_verify(&mut self, tag: &[u8]) -> Result<(), Failure>;
}

impl<const TAG_LEN: usize> Omac for Key<TAG_LEN> {
    fn tag_len(&self) -> usize {
        TAG_LEN
    }

    fn tag(&self, message: &[u8], tag: &mut [u8]) -> Result<(), Failure> {
        tag.copy_from_slice(&Self::tag(self, message)?);
        Ok(())
    }

    fn verify(&self, message: &[u8], tag: &[u8]) -> Result<(), Failure> {
        Ok(Self::verify(self, message, array("tag", tag)?)?)
    }

    fn update(&mut self, piece: &[u8]) -> Result<(), Failure> {
        Ok(Self::update(self, piece)?)
    }

    fn finish(&mut self, tag: &mut [u8]) -> Result<(), Failure> {
        tag.copy_from_slice(&Self::finish(self)?);
        Ok(())
    }

    fn finish_and_verify(&mut self, tag: &[u8]) -> Result<(), Failure> {
        Ok(Self::finish_and_verify(self, array("tag", tag)?)?)
    }
}

/// A key with tags of so many bytes.
fn of_tag_len(key: &[u8; 32], tag_len: usize) -> Result<Box<dyn Omac>, Failure> {
    macro_rules! of_one {
        ($($len:literal)*) => {
            match tag_len {
                $($len => Box::new(Key::<$len>::new(key)),)*
                given => {
                    return Err(Failure::Length {
                        what: "tag_len",
                        expected: Expected::between(
                            SIVKA_KUZNYECHIK_OMAC_MIN_TAG_LEN as u64,
                            SIVKA_KUZNYECHIK_OMAC_MAX_TAG_LEN as u64,
                        ),
                        given: given as u64,
                    });
                }
            }
        };
    }
    Ok(of_one!(4 5 6 7 8 9 10 11 12 13 14 15 16))
}

/// Makes a key of 32 bytes, which are copied, for tags of `tag_len` bytes, from
/// SIVKA_KUZNYECHIK_OMAC_MIN_TAG_LEN to SIVKA_KUZNYECHIK_OMAC_MAX_TAG_LEN, and writes it to `made`.
/// A shorter tag is the beginning of a longer one, so that the bytes of a key should serve one
/// length only.
///
/// SIVKA_ERROR_LENGTH.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_kuznyechik_omac_new(
    key: *const u8,
    key_len: usize,
    tag_len: usize,
    made: *mut *mut KuznyechikOmac,
) -> Status {
    guard(|| {
        // SAFETY: null or a writable pointer, as the header asks.
        let mut made = unsafe { result("made", made) }?;
        let key = Region::exactly("key", key, key_len, Kuznyechik::KEY_LEN)?;
        // SAFETY: as the header asks.
        let key = array("key", unsafe { key.as_slice() })?;
        let omac = KuznyechikOmac(of_tag_len(key, tag_len)?);
        made.handle = Box::into_raw(Box::new(omac));
        Ok(())
    })
}

/// Wipes and frees a key. NULL is allowed, and nothing happens.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_kuznyechik_omac_free(omac: *mut KuznyechikOmac) {
    // SAFETY: it came from `sivka_kuznyechik_omac_new` and was not freed, as the header asks.
    unsafe { free("omac", omac) }
}

/// The length of the key's tags in bytes; 0 if `omac` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_kuznyechik_omac_tag_len(omac: *const KuznyechikOmac) -> usize {
    // SAFETY: live or null, as the header asks.
    unsafe { handle("omac", omac) }.map_or(0, |omac| omac.0.tag_len())
}

/// Writes the tag of a whole message to `tag`. `tag_len` is the key's.
///
/// SIVKA_ERROR_LENGTH, _SELF_CHECK: `tag` is as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_kuznyechik_omac_tag(
    omac: *const KuznyechikOmac,
    message: *const u8,
    message_len: usize,
    tag: *mut u8,
    tag_len: usize,
) -> Status {
    guard(|| {
        // SAFETY: live, as the header asks.
        let omac = &unsafe { handle("omac", omac) }?.0;
        let message = Region::new("message", message, message_len)?;
        let tag = Region::exactly("tag", tag, tag_len, omac.tag_len())?;
        check_apart(&[tag.span()], &[message.span()])?;
        // SAFETY: memory as the header asks, and apart.
        let (message, tag) = unsafe { (message.as_slice(), tag.as_mut_slice()) };
        omac.tag(message, tag)
    })
}

/// Whether `tag` is that of a whole message: SIVKA_OK, or SIVKA_ERROR_OPEN if it is not.
/// `tag_len` is the key's. Takes the same time whatever the bytes are.
///
/// SIVKA_ERROR_OPEN; SIVKA_ERROR_LENGTH, _TOO_LONG, _SELF_CHECK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_kuznyechik_omac_verify(
    omac: *const KuznyechikOmac,
    message: *const u8,
    message_len: usize,
    tag: *const u8,
    tag_len: usize,
) -> Status {
    guard(|| {
        // SAFETY: live, as the header asks.
        let omac = &unsafe { handle("omac", omac) }?.0;
        let message = Region::new("message", message, message_len)?;
        let tag = Region::exactly("tag", tag, tag_len, omac.tag_len())?;
        // SAFETY: memory as the header asks.
        let (message, tag) = unsafe { (message.as_slice(), tag.as_slice()) };
        omac.verify(message, tag)
    })
}

/// Goes on with the message in pieces by the `piece_len` bytes at `piece`, any number.
///
/// SIVKA_ERROR_SELF_CHECK: the message is as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_kuznyechik_omac_update(
    omac: *mut KuznyechikOmac,
    piece: *const u8,
    piece_len: usize,
) -> Status {
    guard(|| {
        let piece = Region::new("piece", piece, piece_len)?;
        // SAFETY: memory as the header asks, and no other thread uses the key.
        unsafe { alone(omac)?.update(piece.as_slice()) }
    })
}

/// Writes the tag of all pieces since the key was made, or since a message last ended, to
/// `tag`. `tag_len` is the key's. That ends the message: the next piece is the first of
/// another one.
///
/// SIVKA_ERROR_LENGTH, _SELF_CHECK: `tag` is as it was. Only after _SELF_CHECK has the message
/// ended.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_kuznyechik_omac_finish(
    omac: *mut KuznyechikOmac,
    tag: *mut u8,
    tag_len: usize,
) -> Status {
    guard(|| {
        // SAFETY: live, as the header asks, and no other thread uses it.
        let omac = unsafe { alone(omac) }?;
        let tag = Region::exactly("tag", tag, tag_len, omac.tag_len())?;
        // SAFETY: the caller's buffer, as the header asks; nothing else of it in use.
        omac.finish(unsafe { tag.as_mut_slice() })
    })
}

/// sivka_kuznyechik_omac_finish() that says whether the tag is `tag`, as
/// sivka_kuznyechik_omac_verify() does.
///
/// SIVKA_ERROR_OPEN, SIVKA_ERROR_SELF_CHECK: the message has ended. SIVKA_ERROR_NULL,
/// SIVKA_ERROR_LENGTH: it has not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_kuznyechik_omac_finish_and_verify(
    omac: *mut KuznyechikOmac,
    tag: *const u8,
    tag_len: usize,
) -> Status {
    guard(|| {
        // SAFETY: live, as the header asks, and no other thread uses it.
        let omac = unsafe { alone(omac) }?;
        let tag = Region::exactly("tag", tag, tag_len, omac.tag_len())?;
        // SAFETY: memory as the header asks.
        omac.finish_and_verify(unsafe { tag.as_slice() })
    })
}

/// # Safety
/// `omac` is null or a live key that nobody else uses during `'a`.
unsafe fn alone<'a>(omac: *mut KuznyechikOmac) -> Result<&'a mut dyn Omac, Failure> {
    // SAFETY: the caller's promise.
    let omac = unsafe { handle_mut("omac", omac) }?;
    Ok(&mut *omac.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_of_tag_is_made_and_verified() {
        let whole = Key::<16>::new(&[7; 32]).tag(b"message").unwrap();
        for len in SIVKA_KUZNYECHIK_OMAC_MIN_TAG_LEN..=SIVKA_KUZNYECHIK_OMAC_MAX_TAG_LEN {
            let Ok(key) = of_tag_len(&[7; 32], len) else {
                panic!("no key for tags of {len} bytes");
            };
            let mut tag = vec![0; len];
            assert!(key.tag(b"message", &mut tag).is_ok());
            assert_eq!(tag, whole[..len]);
            assert!(key.verify(b"message", &tag).is_ok());
            tag[len - 1] ^= 1;
            assert!(key.verify(b"message", &tag).is_err());
        }
    }
}
