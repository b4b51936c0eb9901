//! Adding, removing and replacing key slots of a file in its place.

use crate::error::Error;
use crate::header::{Header, Unlocked};
use crate::slot::{Lock, Unlock};
use crate::stream::OpenOptions;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// Adds a key slot to a file, and returns its index. The file begins at the position
/// that `file` has.
///
/// The slot must have room in the header ([`SealOptions::room`](crate::SealOptions::room)).
/// Only the two copies of the header are written, one after the other, however long the payload is.
/// For files that have a path, [`change_slots`](crate::change_slots) also waits for the changes of
/// others, and makes each copy durable.
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
    rekey(file, keys, options, F::flush, |unlocked| unlocked.add(lock))
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
    rekey(file, keys, options, F::flush, |unlocked| {
        unlocked.remove(index)
    })
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
    rekey(file, keys, options, F::flush, |unlocked| {
        unlocked.replace(index, lock)
    })
}

/// Changes the slots of the header at the file's position. `sync` makes what was written durable:
/// at each moment one copy of the header is whole, the old or the new one.
pub(crate) fn rekey<F: Read + Write + Seek, T>(
    file: &mut F,
    keys: &[Unlock<'_>],
    options: &OpenOptions,
    mut sync: impl FnMut(&mut F) -> io::Result<()>,
    change: impl FnOnce(&mut Unlocked) -> Result<T, Error>,
) -> Result<T, Error> {
    let start = file.stream_position().map_err(Error::Read)?;
    let mut unlocked = Header::read(&mut *file)?.unlock(keys, options.max_cost)?;
    let result = change(&mut unlocked)?;
    let (copy, places) = unlocked.places();
    for place in places {
        file.seek(SeekFrom::Start(start + place))
            .and_then(|_| file.write_all(&copy))
            .and_then(|()| sync(file))
            .map_err(Error::Write)?;
    }
    Ok(result)
}
