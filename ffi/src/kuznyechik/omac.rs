//! Kuznyechik in OMAC, whose length of tag a C program knows only when it runs.

use crate::failure::{Failure, guard};
use crate::handle::{free, handle_mut, making};
use crate::region::Region;
use crate::status::Status;
use sivka::{Error, KuznyechikOmac as Key};
use std::hint::black_box;
use zeroize::Zeroizing;

/// A key of Kuznyechik in OMAC (GOST R 34.13-2015 section 5.6, CMAC), a message authentication
/// code, with a length of tag that is fixed when sivka_kuznyechik_omac_new() makes it. A message is
/// part of the key: there is one at a time, and no other thread may use the key meanwhile.
pub struct KuznyechikOmac {
    key: Key<SIVKA_KUZNYECHIK_OMAC_MAX_TAG_LEN>,
    tag_len: usize,
}

/// The length of the shortest tag of OMAC in bytes.
pub const SIVKA_KUZNYECHIK_OMAC_MIN_TAG_LEN: usize = 4;
/// The length of the longest tag of OMAC in bytes.
pub const SIVKA_KUZNYECHIK_OMAC_MAX_TAG_LEN: usize = 16;

/// The longest tag, of which a shorter one is the beginning.
type Whole = Zeroizing<[u8; SIVKA_KUZNYECHIK_OMAC_MAX_TAG_LEN]>;

/// Whether a tag is the beginning of the longest one. Every byte is compared: the compiler does
/// not know what `differing` is before the end.
fn verify(whole: &Whole, tag: &[u8]) -> Result<(), Failure> {
    let bytes = whole.iter().zip(tag);
    let differing = bytes.fold(0, |bits, (ours, given)| black_box(bits | (ours ^ given)));
    match differing {
        0 => Ok(()),
        _ => Err(Error::Open.into()),
    }
}

/// Makes a key of 32 bytes for tags of `tag_len` bytes, from SIVKA_KUZNYECHIK_OMAC_MIN_TAG_LEN to
/// SIVKA_KUZNYECHIK_OMAC_MAX_TAG_LEN. A shorter tag is the beginning of a longer one, so that the
/// bytes of a key should serve one length only.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_kuznyechik_omac_new(
    key: *const u8,
    key_len: usize,
    tag_len: usize,
    made: *mut *mut KuznyechikOmac,
) -> Status {
    let make = || {
        let key = Region::new("key", key, key_len)?;
        // SAFETY: as the header asks.
        let key = Key::new(unsafe { key.as_array() }?);
        match tag_len {
            SIVKA_KUZNYECHIK_OMAC_MIN_TAG_LEN..=SIVKA_KUZNYECHIK_OMAC_MAX_TAG_LEN => {
                Ok(KuznyechikOmac { key, tag_len })
            }
            _ => Err(Failure::length("tag_len", "4 to 16", tag_len)),
        }
    };
    // SAFETY: null or a writable pointer, as the header asks.
    unsafe { making(made, make) }
}

/// Wipes and frees a key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_kuznyechik_omac_free(omac: *mut KuznyechikOmac) {
    // SAFETY: it came from `sivka_kuznyechik_omac_new` and was not freed, as the header asks.
    unsafe { free("omac", omac) }
}

/// Goes on with the message by `piece_len` bytes, any number. After a failure it is as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_kuznyechik_omac_update(
    omac: *mut KuznyechikOmac,
    piece: *const u8,
    piece_len: usize,
) -> Status {
    guard(|| {
        let piece = Region::new("piece", piece, piece_len)?;
        // SAFETY: memory as the header asks, and no other thread uses the key.
        unsafe { Ok(handle_mut("omac", omac)?.key.update(piece.as_slice())?) }
    })
}

/// Writes the tag of all pieces since the key was made, or since a message last ended, to `tag`.
/// That ends the message: the next piece is the first of another one. After a failure `tag` is as
/// it was, and the message has ended only after _SELF_CHECK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_kuznyechik_omac_finish(
    omac: *mut KuznyechikOmac,
    tag: *mut u8,
    tag_len: usize,
) -> Status {
    guard(|| {
        // SAFETY: live, as the header asks, and no other thread uses it.
        let omac = unsafe { handle_mut("omac", omac) }?;
        let tag = Region::exactly("tag", tag, tag_len, omac.tag_len)?;
        // SAFETY: the caller's buffer, as the header asks; nothing else of it in use.
        let tag = unsafe { tag.as_mut_slice() };
        let whole = Whole::new(omac.key.finish()?);
        tag.copy_from_slice(&whole[..tag.len()]);
        Ok(())
    })
}

/// sivka_kuznyechik_omac_finish() that says whether the tag is `tag`: SIVKA_OK, or _OPEN if it is
/// not, which ends the message too. Takes the same time whatever the bytes are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_kuznyechik_omac_finish_and_verify(
    omac: *mut KuznyechikOmac,
    tag: *const u8,
    tag_len: usize,
) -> Status {
    guard(|| {
        // SAFETY: live, as the header asks, and no other thread uses it.
        let omac = unsafe { handle_mut("omac", omac) }?;
        let tag = Region::exactly("tag", tag, tag_len, omac.tag_len)?;
        // SAFETY: memory as the header asks.
        let tag = unsafe { tag.as_slice() };
        verify(&Whole::new(omac.key.finish()?), tag)
    })
}
