//! Changing the slots of a file, one change at a time (specification section 5.6).

use crate::atomic_file::without_refusal;
use crate::error::Error;
use crate::file_lock::FileLock;
use crate::header::{Header, Unlocked, seek_header};
use crate::reader::OpenOptions;
use crate::slot::Unlock;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Changes the slots of the file at `path` with `change`, under the [`FileLock`] that other changes
/// wait for.
///
/// Only the two copies of the header are written, one after the other, and each is made durable: a
/// crash leaves the old slots or the new ones. A damaged copy is whole again.
///
/// ```
/// use sivka_file::{KeyFile, Lock, OpenOptions, SealOptions, Unlock, Writer, change_slots};
/// use std::fs::File;
/// use std::io::Write;
///
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("ledger.sivka");
/// let (old, new) = (KeyFile::generate("old")?, KeyFile::generate("new")?);
/// let locks = [Lock::KeyFile(&old)];
/// let mut writer = Writer::new(File::create(&path)?, &locks, &SealOptions::default())?;
/// writer.write_all(b"ledger")?;
/// writer.finish()?;
///
/// let options = OpenOptions::default();
/// change_slots(&path, &[Unlock::KeyFile(&old)], &options, |slots| {
///     slots.add(&Lock::KeyFile(&new))?;
///     slots.remove(0)
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`Header::read`] and [`Header::unlock`], and what `change` gives: the file is unchanged
/// then. [`Error::Read`] if the file cannot be opened or locked, as [`FileLock::wait_for`] says.
/// [`Error::Write`] if the header cannot be written: the slots are the old ones or the new ones.
pub fn change_slots<T>(
    path: &Path,
    keys: &[Unlock<'_>],
    options: &OpenOptions,
    change: impl FnOnce(&mut Unlocked) -> Result<T, Error>,
) -> Result<T, Error> {
    let mut lock = FileLock::take(path, true).map_err(Error::Read)?;
    let sync = |file: &mut File| without_refusal(file.sync_all());
    change_synced(lock.file(), keys, options, sync, change)
}

/// [`change_slots`] in anything that can be read, written and sought, from its position on.
/// Nobody else may change it meanwhile. Each copy is flushed before the other is written.
///
/// # Errors
/// As [`change_slots`].
pub fn change_slots_in<F: Read + Write + Seek, T>(
    file: &mut F,
    keys: &[Unlock<'_>],
    options: &OpenOptions,
    change: impl FnOnce(&mut Unlocked) -> Result<T, Error>,
) -> Result<T, Error> {
    change_synced(file, keys, options, F::flush, change)
}

fn change_synced<F: Read + Write + Seek, T>(
    file: &mut F,
    keys: &[Unlock<'_>],
    options: &OpenOptions,
    mut sync: impl FnMut(&mut F) -> io::Result<()>,
    change: impl FnOnce(&mut Unlocked) -> Result<T, Error>,
) -> Result<T, Error> {
    let start = file.stream_position()?;
    let mut unlocked = Header::parse(&seek_header(file)?)?.unlock(keys, options.max_cost)?;
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
