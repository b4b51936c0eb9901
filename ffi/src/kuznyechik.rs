//! The Kuznyechik block cipher, for those who build a mode of their own, and its modes that
//! are no AEADs.

pub mod ctr;
pub mod omac;

use crate::failure::{Failure, guard};
use crate::handle::{free, handle, making};
use crate::region::Region;
use crate::status::Status;
use sivka::Kuznyechik as Cipher;

/// A key of the Kuznyechik block cipher (GOST R 34.12-2015, RFC 7801). sivka_kuznyechik_new() makes
/// it. To seal messages, use SIVKA_KUZNYECHIK_MGM instead.
pub struct Kuznyechik(Cipher);

/// The length of a block of Kuznyechik in bytes.
pub const SIVKA_KUZNYECHIK_BLOCK_LEN: usize = 16;
const _: () = assert!(SIVKA_KUZNYECHIK_BLOCK_LEN == Cipher::BLOCK_LEN);

/// Makes a key of 32 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_kuznyechik_new(
    key: *const u8,
    key_len: usize,
    made: *mut *mut Kuznyechik,
) -> Status {
    let make = || {
        let key = Region::new("key", key, key_len)?;
        // SAFETY: as the header asks.
        Ok(Kuznyechik(Cipher::new(unsafe { key.as_array() }?)))
    };
    // SAFETY: null or a writable pointer, as the header asks.
    unsafe { making(made, make) }
}

/// Wipes and frees a key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_kuznyechik_free(key: *mut Kuznyechik) {
    // SAFETY: it came from `sivka_kuznyechik_new` and was not freed, as the header asks.
    unsafe { free("key", key) }
}

/// Encrypts each block of `in_out` on its own, in place. `in_out_len` is in bytes and a multiple of
/// SIVKA_KUZNYECHIK_BLOCK_LEN; many blocks in one call are several times as fast a block. After a
/// failure `in_out` is as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_kuznyechik_encrypt_blocks(
    key: *const Kuznyechik,
    in_out: *mut u8,
    in_out_len: usize,
) -> Status {
    guard(|| {
        // SAFETY: as the header asks.
        let (key, blocks) = unsafe { (handle("key", key)?, blocks(in_out, in_out_len)?) };
        Ok(key.0.encrypt_blocks(blocks)?)
    })
}

/// Decrypts each block of `in_out`, as sivka_kuznyechik_encrypt_blocks() encrypts it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_kuznyechik_decrypt_blocks(
    key: *const Kuznyechik,
    in_out: *mut u8,
    in_out_len: usize,
) -> Status {
    guard(|| {
        // SAFETY: as the header asks.
        let (key, blocks) = unsafe { (handle("key", key)?, blocks(in_out, in_out_len)?) };
        Ok(key.0.decrypt_blocks(blocks)?)
    })
}

/// # Safety
/// `in_out` is writable, and nothing else uses it during `'a`.
unsafe fn blocks<'a>(
    in_out: *mut u8,
    len: usize,
) -> Result<&'a mut [[u8; SIVKA_KUZNYECHIK_BLOCK_LEN]], Failure> {
    let region = Region::whole_items("in_out", in_out, len, SIVKA_KUZNYECHIK_BLOCK_LEN)?;
    // SAFETY: the caller's promise.
    Ok(unsafe { region.as_mut_slice() }.as_chunks_mut().0)
}
