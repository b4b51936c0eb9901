//! Changing the slots of a file on disk, one change at a time, and reading between changes.

mod between;
mod turn;

use crate::atomic_file::is_same;
use crate::error::Error;
use crate::header::Unlocked;
use crate::rekey::rekey;
use crate::slot::Unlock;
use crate::stream::OpenOptions;
pub use between::{SealedFile, read_between_changes, read_head};
use std::fs::{self, File};
use std::io;
use std::path::Path;
pub use turn::{Turn, open_to_change};

/// Changes the slots of the file at `path` with `change`, in a [`Turn`] that other changes
/// wait for. `on_wait` is called if this one has to wait for longer than a second.
///
/// Only the two copies of the header are written, one after the other, each made durable: a crash
/// leaves the old slots or the new ones.
///
/// ```
/// use sivka_file::{KeyFile, Lock, OpenOptions, SealOptions, Unlock, change_slots, seal};
///
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("ledger.sivka");
/// let (old, new) = (KeyFile::generate("old")?, KeyFile::generate("new")?);
/// let file = std::fs::File::create(&path)?;
/// seal(&b"ledger"[..], file, &[Lock::KeyFile(&old)], &SealOptions::default(), |_| {})?;
///
/// let options = OpenOptions::default();
/// change_slots(&path, &[Unlock::KeyFile(&old)], &options, || {}, |slots| {
///     slots.add(&Lock::KeyFile(&new))?;
///     slots.remove(0)
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`Header::read`](crate::Header::read) and [`Header::unlock`](crate::Header::unlock), and
/// what `change` gives: the file is unchanged then. [`Error::Read`] if the file cannot be opened
/// or locked, as [`Turn::wait_for`] says. [`Error::Write`] if the header cannot be written: the
/// slots are the old ones or the new ones.
pub fn change_slots<T>(
    path: &Path,
    keys: &[Unlock<'_>],
    options: &OpenOptions,
    on_wait: impl FnOnce(),
    change: impl FnOnce(&mut Unlocked) -> Result<T, Error>,
) -> Result<T, Error> {
    let (mut file, _turn) = Turn::wait_to_write(path, on_wait).map_err(Error::Read)?;
    rekey(&mut file, keys, options, |file| file.sync_all(), change)
}

/// Whether a file still has its name. It is never opened by it again.
fn has_name(file: &File, path: &Path) -> io::Result<bool> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        found => is_same(file, &found?),
    }
}

#[cfg(test)]
mod tests;
