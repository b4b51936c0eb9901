//! Sealed files in memory.

use crate::failure::{Failure, guard};
use crate::file::{FileKeys, keys_of};
use crate::region::{Region, check_apart};
use crate::status::Status;
use crate::suite::{self, SuiteNumber};
use sivka_file::{CHUNK_LEN, Error, Header, Lock, PAYLOAD_HEAD_LEN, Reader, SealOptions, Writer};
use std::io::{Read, Write};

/// The length of the sealed file for a plaintext of `plaintext_len` bytes, sealed for all of
/// `keys`. 0 for an unknown suite, for no keys or too many, or if no memory is so large.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_seal_memory_len(
    keys: *const FileKeys,
    suite: SuiteNumber,
    plaintext_len: usize,
) -> usize {
    // SAFETY: null or a live set of keys, as the header asks.
    let keys = unsafe { keys_of("keys", keys) };
    let len = keys.and_then(|keys| {
        let options = keys.seal_options(suite::find(suite)?);
        Ok(sealed_len(&options, &keys.locks(), plaintext_len)?)
    });
    len.ok().flatten().filter(|&len| isize::try_from(len).is_ok()).unwrap_or(0)
}

fn sealed_len(
    options: &SealOptions,
    locks: &[Lock<'_>],
    plaintext_len: usize,
) -> Result<Option<usize>, Error> {
    let head_len = options.header_len(locks)? + PAYLOAD_HEAD_LEN;
    // The last chunk is short, and may be empty.
    let tags_len = (plaintext_len / CHUNK_LEN + 1).checked_mul(options.suite.tag_len());
    let len = tags_len.and_then(|tags_len| plaintext_len.checked_add(tags_len));
    Ok(len.and_then(|len| len.checked_add(head_len)))
}

/// The capacity that sivka_open_memory() needs for the `sealed_len` bytes at `sealed`; 0
/// also if they are no sealed file, have a damaged header, or end before the first chunk.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_open_memory_len(sealed: *const u8, sealed_len: usize) -> usize {
    let sealed = Region::new("sealed", sealed, sealed_len);
    // SAFETY: memory as the header asks.
    let len = sealed.and_then(|sealed| opened_len(unsafe { sealed.as_slice() }));
    len.unwrap_or(0)
}

fn opened_len(sealed: &[u8]) -> Result<usize, Failure> {
    let found = Header::parse(sealed)?;
    let tag_len = found.suite().tag_len();
    let chunks_len = sealed.len().saturating_sub(found.len() + PAYLOAD_HEAD_LEN);
    let (whole, last_len) =
        (chunks_len / (CHUNK_LEN + tag_len), chunks_len % (CHUNK_LEN + tag_len));
    // A last chunk that is too short for its tag is one that was cut: all others may open.
    Ok(whole * CHUNK_LEN + last_len.saturating_sub(tag_len))
}

/// Seals a plaintext in memory into a sealed file in memory, for every one of `keys`, on all cores.
/// `sealed_capacity` is at least sivka_seal_memory_len(); the length of the file is written to
/// `sealed_len` unless that is NULL.
/// _KEY_COUNT, _FILE_TOO_LONG. On a failure `sealed` holds nothing that opens.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_seal_memory(
    plaintext: *const u8,
    plaintext_len: usize,
    sealed: *mut u8,
    sealed_capacity: usize,
    sealed_len: *mut usize,
    keys: *const FileKeys,
    suite: SuiteNumber,
) -> Status {
    guard(|| {
        let plaintext = Region::new("plaintext", plaintext, plaintext_len)?;
        let sealed = Region::new("sealed", sealed, sealed_capacity)?;
        let out_len = Region::optional("sealed_len", sealed_len)?;
        // SAFETY: a live set of keys, as the header asks.
        let keys = unsafe { keys_of("keys", keys) }?;
        let options = keys.seal_options(suite::find(suite)?);
        let locks = keys.locks();
        let len = self::sealed_len(&options, &locks, plaintext_len)?.unwrap_or(usize::MAX);
        let sealed = sealed.first(len)?;
        check_apart(&[sealed.span(), out_len.span()], &[plaintext.span()])?;
        // SAFETY: memory as the header asks, and apart.
        let (plaintext, mut out) = unsafe { (plaintext.as_slice(), sealed.as_mut_slice()) };
        let mut writer = Writer::new(&mut out, &locks, &options)?;
        writer.write_all(plaintext).map_err(Error::from)?;
        writer.finish()?;
        // SAFETY: as above.
        unsafe { out_len.write(len) };
        Ok(())
    })
}

/// Opens the sealed file of `sealed_len` bytes at `sealed` into `plaintext` with `keys`, on all
/// cores. `plaintext_capacity` is at least sivka_open_memory_len(); the length of the plaintext is
/// written to `plaintext_len` unless that is NULL. After a failure zeros are where plaintext was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sivka_open_memory(
    sealed: *const u8,
    sealed_len: usize,
    plaintext: *mut u8,
    plaintext_capacity: usize,
    plaintext_len: *mut usize,
    keys: *const FileKeys,
) -> Status {
    guard(|| {
        let sealed = Region::new("sealed", sealed, sealed_len)?;
        let plaintext = Region::new("plaintext", plaintext, plaintext_capacity)?;
        let out_len = Region::optional("plaintext_len", plaintext_len)?;
        // SAFETY: a live set of keys, as the header asks.
        let keys = unsafe { keys_of("keys", keys) }?;
        check_apart(&[plaintext.span(), out_len.span()], &[sealed.span()])?;
        // SAFETY: memory as the header asks, which nothing writes.
        let sealed = unsafe { sealed.as_slice() };
        let plaintext = plaintext.first(opened_len(sealed)?)?;
        // SAFETY: memory as the header asks, and apart.
        let plaintext = unsafe { plaintext.as_mut_slice() };
        let reader = Reader::new(sealed, &keys.unlocks(), &keys.open_options());
        let opened = reader.and_then(|mut reader| {
            reader.read_exact(plaintext)?;
            // Nothing follows; at the end of the file, that is proved.
            Ok(reader.read(&mut [0])?)
        });
        opened.inspect_err(|_| plaintext.fill(0))?;
        let len = plaintext.len();
        // SAFETY: as above.
        unsafe { out_len.write(len) };
        Ok(())
    })
}
