//! Adding, removing and replacing key slots of a file in its place.

use crate::error::Error;
use crate::header::{Header, Unlocked, read_up_to};
use crate::slot::{Lock, Unlock};
use crate::stream::OpenOptions;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// Adds a key slot to a file, and returns its index. The file begins at the position
/// that `file` has.
///
/// The slot must have room in the header ([`SealOptions::room`](crate::SealOptions::room)).
/// Only the header is written, in one write; the payload is not touched, however long it is. A
/// crash in that write may leave a header that no key opens. For files that have a path,
/// [`change_slots`](crate::change_slots) also waits for the changes of others.
///
/// ```
/// use sivka_file::{
///     KeyFile, Lock, OpenOptions, SealOptions, Unlock, add_slot, remove_slot, seal, verify,
/// };
/// use std::io::Cursor;
///
/// let (old, new) = (KeyFile::generate("old")?, KeyFile::generate("new")?);
/// let mut file = Cursor::new(Vec::new());
/// seal(&b"ledger"[..], &mut file, &[Lock::KeyFile(&old)], &SealOptions::default(), |_| {})?;
///
/// let options = OpenOptions::default();
/// file.set_position(0);
/// add_slot(&mut file, &[Unlock::KeyFile(&old)], &Lock::KeyFile(&new), &options)?;
/// file.set_position(0);
/// remove_slot(&mut file, &[Unlock::KeyFile(&new)], 0, &options)?;
///
/// let file = file.into_inner();
/// assert!(verify(&file[..], &[Unlock::KeyFile(&new)], &options, |_| {}).is_ok());
/// assert!(verify(&file[..], &[Unlock::KeyFile(&old)], &options, |_| {}).is_err());
/// # Ok::<(), sivka_file::Error>(())
/// ```
///
/// # Errors
/// As [`Header::read`], [`Header::unlock`] and [`Unlocked::add`]; [`Error::Write`], also if the
/// header has changed meanwhile. Only after the last one may the file have changed.
pub fn add_slot<F: Read + Write + Seek>(
    file: &mut F,
    keys: &[Unlock<'_>],
    lock: &Lock<'_>,
    options: &OpenOptions,
) -> Result<usize, Error> {
    rekey(file, keys, options, |unlocked| unlocked.add(lock))
}

/// Removes a key slot from a file; those after it move up by one. Written as in
/// [`add_slot`].
///
/// # Errors
/// As [`add_slot`], with [`Unlocked::remove`]'s.
pub fn remove_slot<F: Read + Write + Seek>(
    file: &mut F,
    keys: &[Unlock<'_>],
    index: usize,
    options: &OpenOptions,
) -> Result<(), Error> {
    rekey(file, keys, options, |unlocked| unlocked.remove(index))
}

/// Puts a new key slot in the place of another. Written as in [`add_slot`].
///
/// # Errors
/// As [`add_slot`], with [`Unlocked::replace`]'s.
pub fn replace_slot<F: Read + Write + Seek>(
    file: &mut F,
    keys: &[Unlock<'_>],
    index: usize,
    lock: &Lock<'_>,
    options: &OpenOptions,
) -> Result<(), Error> {
    rekey(file, keys, options, |unlocked| {
        unlocked.replace(index, lock)
    })
}

pub(crate) fn rekey<F: Read + Write + Seek, T>(
    file: &mut F,
    keys: &[Unlock<'_>],
    options: &OpenOptions,
    change: impl FnOnce(&mut Unlocked) -> Result<T, Error>,
) -> Result<T, Error> {
    let start = file.stream_position().map_err(Error::Read)?;
    let header = Header::read(&mut *file)?;
    let old = header.to_bytes();
    let mut unlocked = header.unlock(keys, options.max_cost)?;
    let result = change(&mut unlocked)?;
    // Stretching a passphrase takes long: another program may have changed it since.
    let mut now = vec![0; old.len()];
    file.seek(SeekFrom::Start(start)).map_err(Error::Read)?;
    let read = read_up_to(file, &mut now)?;
    if now[..read] != old {
        return Err(changed_meanwhile());
    }
    file.seek(SeekFrom::Start(start))
        .and_then(|_| file.write_all(&unlocked.header().to_bytes()))
        .and_then(|()| file.flush())
        .map_err(Error::Write)?;
    Ok(result)
}

pub(crate) fn changed_meanwhile() -> Error {
    Error::Write(io::Error::other(
        "changed meanwhile, and nothing was written",
    ))
}
